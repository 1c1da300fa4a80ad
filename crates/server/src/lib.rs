//! The web page and its API: everything that `docs/api.md` describes.
//!
//! * [`Server::bind`] starts to listen, [`Server::run`] answers requests until it is told to stop.
//! * Every request that reads, replays or searches goes through a pool of a few threads with queues of bounded length, one per client, served in turn;
//!   disconnecting cancels it. Connections, their time and their number are bounded.
//! * A room is a game between two seats. A move is acknowledged when it is on the disk.
//! * Tournaments, training and experiments of the papers run in the background, one of each at a time, with reports of what came of them and of how people fare.
//!
//! ```
//! use quintet_agent::{Catalogue, provers};
//! use quintet_server::{Config, Limits, Server};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let data = std::env::temp_dir().join(format!("quintet-server-example-{}", std::process::id()));
//! let config = Config {
//!     bind: "127.0.0.1:0".parse()?,
//!     allowed_hosts: Vec::new(),
//!     trusted_proxies: Vec::new(),
//!     data: data.clone(),
//!     limits: Limits::default(),
//!     provers: provers(),
//!     seats: Default::default(),
//! };
//! let server = Server::bind(&config, Catalogue::embedded().clone()).await?;
//! println!("http://{}", server.address()?);
//! server.run(async { /* until this is over: quintet_server::interrupted() waits for Ctrl-C */ }).await;
//! # std::fs::remove_dir_all(&data)?;
//! # Ok(())
//! # }
//! ```

mod api;
mod background;
mod client;
mod clocks;
mod connections;
mod error;
mod experiments;
mod files;
mod guard;
mod idle_agents;
mod limits;
mod links;
mod page;
mod people;
mod pool;
mod reports;
mod room_store;
mod rooms;
mod routes;
mod search;
mod socket;
mod thinking;
mod tournaments;
mod training;
mod usage;
mod work;

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::routing::get;
use axum::{Router, middleware};
use quintet_agent::{Catalogue, Provers};
use quintet_api::{Api, Seats, remembering};
use quintet_lab::LockError;
use tokio::net::TcpListener;

use connections::Connections;
use experiments::Experiments;
use guard::Guard;
use room_store::{OpenError, RoomStore};
use rooms::Rooms;
use socket::Sockets;
use tournaments::Tournaments;
use training::Trainings;
use work::Pools;

pub use limits::Limits;
pub use routes::endpoints;

/// Files that are kept free for the store, the page's own work and tables when connections are counted.
const SPARE_FILES: usize = 100;

/// How often rooms are archived.
const BETWEEN_ARCHIVES: Duration = Duration::from_secs(600);

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address; port 0 means any free port.
    pub bind: SocketAddr,
    /// Hosts that are allowed besides this machine's own names.
    pub allowed_hosts: Vec<String>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// Where games are stored.
    pub data: PathBuf,
    /// The limits of requests and searches.
    pub limits: Limits,
    /// The provers of exact values, in the order in which they are asked; may be empty.
    pub provers: Provers,
    /// How the agents of visitors are made.
    pub seats: Seats,
}

/// What all requests share.
pub(crate) struct App {
    api: Api,
    pools: Pools,
    rooms: Arc<Rooms>,
    sockets: Sockets,
    connections: Arc<Connections>,
    tournaments: Tournaments,
    training: Trainings,
    experiments: Experiments,
    limits: Limits,
    data: PathBuf,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    router: Router,
    app: Arc<App>,
    store: RoomStore,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, or does not belong to this machine.
    #[error("cannot listen on {0}: {1}. Choose another address with --bind ADDR:PORT; port 0 means any free port.")]
    Bind(SocketAddr, std::io::Error),
    /// Another server has the data directory.
    #[error(transparent)]
    Locked(LockError),
    /// Games cannot be stored.
    #[error("{0}")]
    Keep(String),
    /// The system does not say where it listens.
    #[error("the server has no address: {0}")]
    Address(#[from] std::io::Error),
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    /// When the address or the data directory cannot be used.
    pub async fn bind(config: &Config, agents: Catalogue) -> Result<Server, ServeError> {
        let store = RoomStore::open(&config.data, "quintet serve").map_err(|error| match error {
            OpenError::Locked(held @ LockError::Held { .. }) => ServeError::Locked(held),
            error => ServeError::Keep(error.to_string()),
        })?;
        let listener = TcpListener::bind(config.bind).await.map_err(|why| ServeError::Bind(config.bind, why))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (searches, agents, data) = (cores.saturating_sub(1).max(1), Arc::new(agents), config.data.clone());
        let mut limits = config.limits.clone();
        limits.connections = limits.connections.min(connections::raise_file_limit().saturating_sub(SPARE_FILES)).max(1);
        let pools = Pools::new(searches, &limits);
        let provers = remembering(config.provers.clone());
        let api = Api { agents: Arc::clone(&agents), provers, seats: config.seats.clone() };
        let app = Arc::new(App {
            rooms: Arc::new(Rooms::new(store.clone(), &pools, api.clone(), limits.clone())),
            tournaments: Tournaments::new(data.join("games.sqlite"), Arc::clone(&agents), searches),
            training: Trainings::new(data.clone(), Arc::clone(&agents), searches),
            experiments: Experiments::new(data.clone(), agents, searches),
            connections: Connections::new(limits.clone(), config.trusted_proxies.clone()),
            sockets: Sockets::default(),
            api,
            pools,
            limits,
            data,
        });
        let guard = Arc::new(Guard::new(&config.allowed_hosts, &config.trusted_proxies, &app.limits));
        Ok(Server { listener, router: router(Arc::clone(&app), guard), app, store })
    }

    /// Tells others who would use the same data directory where the page is.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub fn announce(&self, url: &str) -> Result<(), ServeError> {
        self.store.set_url(url).map_err(|error| ServeError::Keep(error.to_string()))
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not report it.
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        Ok(self.listener.local_addr()?)
    }

    /// Answers requests until `stop` completes; then connections have a few seconds to end, whatever clients do.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Server { listener, router, app, store } = self;
        drop(store);
        let closing = Closing(Arc::clone(&app));
        let archiving = async {
            let mut times = tokio::time::interval(BETWEEN_ARCHIVES);
            loop {
                times.tick().await;
                // What cannot be archived now is archived later.
                let _ = app.rooms.archive().await;
            }
        };
        tokio::select! {
            () = app.connections.serve(listener, router, stop) => {}
            () = archiving => {}
        }
        drop(closing);
    }
}

/// Ends all work and all connections when the server ends, also when it is dropped in the middle.
struct Closing(Arc<App>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.connections.close();
        self.0.pools.close();
    }
}

/// Waits until the program is interrupted or told to end.
///
/// # Errors
/// When signals cannot be received.
pub async fn interrupted() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut end = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            interrupt = tokio::signal::ctrl_c() => interrupt,
            _ = end.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

fn router(app: Arc<App>, guard: Arc<Guard>) -> Router {
    let api = routes::Routes::new().router.fallback(api::nothing).method_not_allowed_fallback(api::wrong_method);
    Router::new()
        .nest("/api", api)
        .route("/ws", get(socket::upgrade))
        .route("/room/{id}", get(links::room))
        .fallback(get(files::file).fallback(api::wrong_method))
        .method_not_allowed_fallback(api::wrong_method)
        .with_state(app)
        .layer(middleware::from_fn_with_state(guard, guard::guard))
}
