//! `quintet serve`: the page.

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use quintet_agent::Catalogue;
use quintet_api::Seats;
use quintet_lab::{Holder, LockError};
use quintet_server::{Config, Limits, ServeError, Server};

/// Where the page is served.
#[derive(Args, Debug)]
pub struct ServeArgs {
    /// Address and port; port 0 means any free port
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080")]
    pub bind: SocketAddr,
    /// Another host name or address of the page to allow, as browsers send it
    #[arg(long, value_name = "NAME")]
    pub allowed_host: Vec<String>,
    /// A proxy in front of the server whose X-Forwarded-For is believed: limits then hold for each client behind it
    #[arg(long, value_name = "ADDRESS")]
    pub trust_proxy: Vec<IpAddr>,
    /// Archive games in which nothing has happened for this many days
    #[arg(long, value_name = "DAYS", default_value_t = ROOM_DAYS, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub room_days: u32,
    /// Serve the local network, so that people on other machines can open the page and play by link
    #[arg(long, conflicts_with = "bind")]
    pub lan: bool,
    /// Do not open a browser
    #[arg(long)]
    pub no_browser: bool,
}

/// Days after which an idle game is archived by default.
const ROOM_DAYS: u32 = 30;

/// The default port; any free one if it is taken.
const PORT: u16 = 8080;

impl ServeArgs {
    /// Only on this machine, when `quintet` is started without a command.
    pub fn at_home() -> ServeArgs {
        ServeArgs {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)),
            allowed_host: Vec::new(),
            trust_proxy: Vec::new(),
            room_days: ROOM_DAYS,
            lan: false,
            no_browser: false,
        }
    }
}

/// Serves until it is stopped.
pub fn run(out: &mut dyn Write, agents: Catalogue, data: Option<&Path>, args: &ServeArgs) -> Result<()> {
    let Some(data) = data else { bail!("there is no data directory; name one with --data DIR") };
    let mut config = Config {
        bind: args.bind,
        allowed_hosts: args.allowed_host.clone(),
        trusted_proxies: args.trust_proxy.clone(),
        data: data.to_owned(),
        limits: Limits { room_idle: Duration::from_secs(u64::from(args.room_days) * 24 * 3600), ..Limits::default() },
        provers: agents.provers(),
        seats: Seats::default(),
    };
    let own = if args.lan { Some(own_address().context("this machine is not in a network")?) } else { None };
    if let Some(own) = own {
        config.bind = SocketAddr::from((Ipv4Addr::UNSPECIFIED, PORT));
        config.allowed_hosts.push(own.to_string());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let usual = args.bind == ServeArgs::at_home().bind || args.lan;
        let server = match Server::bind(&config, agents.clone()).await {
            // The default port is taken: any other will do, since none was named.
            Err(ServeError::Bind(..)) if usual => {
                config.bind.set_port(0);
                Server::bind(&config, agents).await?
            }
            Err(ServeError::Locked(LockError::Held { holder: Some(Holder { url: Some(url), since, .. }), .. }))
                if usual =>
            {
                writeln!(out, "quintet is at {url} already, since {since}, with the games of {}.", data.display())?;
                return show(out, args, &url);
            }
            bound => bound?,
        };
        let mut address = server.address()?;
        if let Some(own) = own {
            address.set_ip(own);
        }
        let url = format!("http://{address}/");
        server.announce(&url)?;
        writeln!(out, "quintet is at {url}\nCtrl-C stops it; games are stored in {}.", data.display())?;
        show(out, args, &url)?;
        server.run(async { drop(quintet_server::interrupted().await) }).await;
        Ok(())
    });
    // Nothing is waited for: what was acknowledged is on the disk.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Opens the page in a browser if somebody sits at the terminal.
fn show(out: &mut dyn Write, args: &ServeArgs, url: &str) -> Result<()> {
    out.flush()?;
    if !args.no_browser && std::io::stdout().is_terminal() {
        open(url);
    }
    Ok(())
}

/// The address that others in the network see. Nothing is sent: the system only looks up the route.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback())
}

/// Opens the browser, if there is one.
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
