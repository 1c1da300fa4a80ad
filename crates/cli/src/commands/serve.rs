//! `quintet serve`: the page.

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;
use quintet_agent::Catalogue;
use quintet_server::{Config, Limits, Server};

/// Where the page is served.
#[derive(Args, Debug)]
pub struct ServeArgs {
    /// Address and port; port 0 is any that is free
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080")]
    pub bind: SocketAddr,
    /// Another name or address under which the page may be asked for, as browsers send it
    #[arg(long, value_name = "NAME")]
    pub allowed_host: Vec<String>,
    /// Serve the local network: people on other machines can open the page and play by link
    #[arg(long, conflicts_with = "bind")]
    pub lan: bool,
    /// Do not open a browser
    #[arg(long)]
    pub no_browser: bool,
}

/// The port when nobody says: the next free one if it is taken.
const PORT: u16 = 8080;

impl ServeArgs {
    /// On this machine alone, for who types `quintet` and nothing more.
    pub fn at_home() -> ServeArgs {
        ServeArgs {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)),
            allowed_host: Vec::new(),
            lan: false,
            no_browser: false,
        }
    }
}

/// Serves until somebody stops it.
pub fn run(out: &mut dyn Write, agents: Catalogue, data: Option<&Path>, args: &ServeArgs) -> Result<()> {
    let Some(data) = data else { bail!("there is no place for data here; name one with --data DIR") };
    let mut config = Config {
        bind: args.bind,
        allowed_hosts: args.allowed_host.clone(),
        data: data.to_owned(),
        limits: Limits::default(),
        provers: agents.provers(),
    };
    let own = if args.lan { Some(own_address().context("this machine is in no network")?) } else { None };
    if let Some(own) = own {
        config.bind = SocketAddr::from((Ipv4Addr::UNSPECIFIED, PORT));
        config.allowed_hosts.push(own.to_string());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let usual = args.bind == ServeArgs::at_home().bind || args.lan;
        let server = match Server::bind(&config, agents.clone()).await {
            // Somebody has the usual port already: any other will do for who did not name one.
            Err(quintet_server::ServeError::Bind(..)) if usual => {
                config.bind.set_port(0);
                Server::bind(&config, agents).await?
            }
            bound => bound?,
        };
        let mut address = server.address()?;
        if let Some(own) = own {
            address.set_ip(own);
        }
        let url = format!("http://{address}/");
        writeln!(out, "quintet is at {url}\nCtrl-C stops it; games are kept in {}.", data.display())?;
        out.flush()?;
        if !args.no_browser && std::io::stdout().is_terminal() {
            open(&url);
        }
        server.run(async { drop(quintet_server::interrupted().await) }).await?;
        Ok(())
    })
}

/// The address that others in the network see. Nothing is sent: only the way is asked for.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback())
}

/// Opens the browser, where there is one.
fn open(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/c", "start"])
    } else {
        ("xdg-open", &[])
    };
    let _ = Command::new(program).args(arguments).arg(url).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
