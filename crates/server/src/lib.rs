//! The web page and its API: everything that `docs/api.md` describes.
//!
//! * [`Server::bind`] starts to listen, [`Server::run`] answers requests until it is told to stop.
//! * Searches go through a pool of a few threads with a queue of bounded length; disconnecting cancels the search. Short requests have a thread and a queue of their own.
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
//!     data: data.clone(),
//!     limits: Limits::default(),
//!     provers: provers(),
//! };
//! let server = Server::bind(&config, Catalogue::embedded().clone()).await?;
//! println!("http://{}", server.address()?);
//! server.run(async { /* until this is over: quintet_server::interrupted() waits for Ctrl-C */ }).await?;
//! # std::fs::remove_dir_all(&data)?;
//! # Ok(())
//! # }
//! ```

mod api;
mod background;
mod blocking;
mod error;
mod experiments;
mod files;
mod guard;
mod idle_agents;
mod limits;
mod local;
mod people;
mod pool;
mod reports;
mod room_store;
mod rooms;
mod routes;
mod search;
mod socket;
mod tournaments;
mod training;

use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use axum::{Router, middleware};
use quintet_agent::{Catalogue, Provers};
use quintet_api::Api;
use tokio::net::TcpListener;

use experiments::Experiments;
use guard::Guard;
use pool::{LONGEST_QUEUE, Pool, SHORT_QUEUE};
use room_store::RoomStore;
use rooms::Rooms;
use tournaments::Tournaments;
use training::Trainings;

pub use limits::Limits;
pub use routes::endpoints;

/// The largest body of a request.
const LARGEST_BODY: usize = 64 << 10;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address; port 0 means any free port.
    pub bind: SocketAddr,
    /// Hosts that are allowed besides this machine's own names.
    pub allowed_hosts: Vec<String>,
    /// Where games are stored.
    pub data: PathBuf,
    /// The limits of requests and searches.
    pub limits: Limits,
    /// The provers of exact values, in the order in which they are asked; may be empty.
    pub provers: Provers,
}

/// What all requests share.
pub(crate) struct App {
    api: Api,
    pool: Arc<Pool>,
    /// The queue of short requests, which do not wait behind searches of a minute: exact values, small searches step by step.
    short: Pool,
    rooms: Arc<Rooms>,
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
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, or does not belong to this machine.
    #[error("cannot listen on {0}: {1}. Choose another address with --bind ADDR:PORT; port 0 means any free port.")]
    Bind(SocketAddr, std::io::Error),
    /// Games cannot be stored.
    #[error("{0}")]
    Keep(String),
    /// The connection broke.
    #[error("the server ended: {0}")]
    Ended(#[from] std::io::Error),
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    /// When the address or the data directory cannot be used.
    pub async fn bind(config: &Config, agents: Catalogue) -> Result<Server, ServeError> {
        let store = RoomStore::open(&config.data).map_err(|error| ServeError::Keep(error.to_string()))?;
        let listener = TcpListener::bind(config.bind).await.map_err(|why| ServeError::Bind(config.bind, why))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let searches = cores.saturating_sub(1).max(1);
        let (pool, agents, limits) =
            (Arc::new(Pool::new(searches, LONGEST_QUEUE)), Arc::new(agents), config.limits.clone());
        let rooms = Arc::new(Rooms::new(store, Arc::clone(&pool), Arc::clone(&agents), limits.thought));
        let tournaments = Tournaments::new(config.data.join("games.sqlite"), Arc::clone(&agents), searches);
        let training = Trainings::new(config.data.clone(), Arc::clone(&agents), searches);
        let experiments = Experiments::new(config.data.clone(), Arc::clone(&agents), searches);
        let short = Pool::new(1, SHORT_QUEUE);
        let guard = Arc::new(Guard::new(&config.allowed_hosts, &limits));
        let (data, api) = (config.data.clone(), Api { agents, provers: config.provers.clone() });
        let app = Arc::new(App { api, pool, short, rooms, tournaments, training, experiments, limits, data });
        Ok(Server { listener, router: router(app, guard) })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not report it.
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        Ok(self.listener.local_addr()?)
    }

    /// Answers requests until `stop` completes.
    ///
    /// # Errors
    /// When listening fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let service = self.router.into_make_service_with_connect_info::<SocketAddr>();
        Ok(axum::serve(self.listener, service).with_graceful_shutdown(stop).await?)
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
    let api = routes::Routes::new().router.fallback(api::nothing);
    Router::new()
        .nest("/api", api)
        .route("/ws", get(socket::upgrade))
        .fallback(get(files::file))
        .with_state(app)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(guard, guard::guard))
}
