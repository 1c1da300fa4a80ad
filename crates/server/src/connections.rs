//! Connections: how many there may be, how long they may be silent, and how they end.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tower_service::Service as _;

use crate::Limits;
use crate::client::network;

/// The largest head of a request.
const LARGEST_HEAD: usize = 32 << 10;

/// How long connections may take to end when the server does.
const FAREWELL: Duration = Duration::from_secs(3);

/// The answer to a connection that is one too many.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: 66\r\nRetry-After: 5\r\nConnection: close\r\n\r\n\
{\"error\":\"too many connections are open; try again in a moment\"}\r\n";

/// All connections, by address.
pub struct Connections {
    limits: Limits,
    /// Proxies, whose connections are those of many clients.
    trusted: Vec<IpAddr>,
    open: Mutex<Open>,
    closing: watch::Sender<bool>,
}

#[derive(Default)]
struct Open {
    all: HashMap<IpAddr, Vec<Arc<State>>>,
    count: usize,
}

/// A connection as others see it.
struct State {
    /// Requests that are being answered, and the WebSocket.
    busy: AtomicUsize,
    close: Notify,
}

/// An open connection; dropping the last copy of it counts it as closed.
#[derive(Clone)]
pub struct Connection(Arc<Registered>);

struct Registered {
    address: IpAddr,
    state: Arc<State>,
    connections: Arc<Connections>,
    /// Tells the server at its end that a connection is still open.
    _open: mpsc::Sender<()>,
}

/// Marks a connection as busy until it is dropped: it is not closed in favour of another.
pub struct BusyConnection(Connection);

impl Connection {
    /// Marks it as busy.
    pub fn busy(&self) -> BusyConnection {
        self.0.state.busy.fetch_add(1, Ordering::Relaxed);
        BusyConnection(self.clone())
    }
}

impl Drop for BusyConnection {
    fn drop(&mut self) {
        self.0.0.state.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        open.remove(self.address, &self.state);
    }
}

impl Open {
    fn remove(&mut self, address: IpAddr, state: &Arc<State>) {
        let Some(own) = self.all.get_mut(&address) else { return };
        let before = own.len();
        own.retain(|other| !Arc::ptr_eq(other, state));
        self.count -= before - own.len();
        if own.is_empty() {
            self.all.remove(&address);
        }
    }

    /// Closes the oldest connection of an address that does nothing. Whether there was one.
    fn close_oldest(&mut self, address: IpAddr) -> bool {
        let Some(own) = self.all.get(&address) else { return false };
        let Some(idle) = own.iter().find(|state| state.busy.load(Ordering::Relaxed) == 0).cloned() else {
            return false;
        };
        idle.close.notify_one();
        self.remove(address, &idle);
        true
    }
}

impl Connections {
    /// None yet.
    pub fn new(limits: Limits, trusted: Vec<IpAddr>) -> Arc<Connections> {
        Arc::new(Connections { limits, trusted, open: Mutex::default(), closing: watch::channel(false).0 })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Becomes true when the server ends.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Tells all connections that the server ends.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Counts a new connection. If there are too many, the oldest idle one of the same address is closed, or of the address that has most.
    fn register(self: &Arc<Connections>, peer: IpAddr, open: &mpsc::Sender<()>) -> Option<Connection> {
        let address = network(peer);
        let mut list = self.lock();
        let own = list.all.get(&address).map_or(0, Vec::len);
        let is_proxy = self.trusted.contains(&peer.to_canonical());
        if !is_proxy && own >= self.limits.connections_per_address && !list.close_oldest(address) {
            return None;
        }
        if list.count >= self.limits.connections {
            let mut addresses: Vec<(usize, IpAddr)> =
                list.all.iter().map(|(address, own)| (own.len(), *address)).collect();
            addresses.sort_unstable_by(|a, b| b.cmp(a));
            if !addresses.into_iter().any(|(_, address)| list.close_oldest(address)) {
                return None;
            }
        }
        let state = Arc::new(State { busy: AtomicUsize::new(0), close: Notify::new() });
        list.all.entry(address).or_default().push(Arc::clone(&state));
        list.count += 1;
        let registered = Registered { address, state, connections: Arc::clone(self), _open: open.clone() };
        Some(Connection(Arc::new(registered)))
    }

    /// Accepts connections until `stop` completes; returns when all of them have ended, or a few seconds later.
    pub async fn serve(self: &Arc<Connections>, listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
        let (open, mut ended) = mpsc::channel::<()>(1);
        tokio::pin!(stop);
        loop {
            let (stream, peer) = tokio::select! {
                () = &mut stop => break,
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    // Out of files or memory, or the client has gone already: neither is a reason to end.
                    Err(_) => {
                        sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                },
            };
            match self.register(peer.ip(), &open) {
                Some(connection) => {
                    drop(tokio::spawn(Arc::clone(self).answer(stream, peer, connection, router.clone())))
                }
                None => drop(tokio::spawn(refuse(stream))),
            }
        }
        drop((listener, open));
        self.close();
        let _ = timeout(FAREWELL, ended.recv()).await;
    }

    async fn answer(
        self: Arc<Connections>,
        stream: TcpStream,
        peer: SocketAddr,
        connection: Connection,
        router: Router,
    ) {
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_read_timeout(Some(self.limits.idle));
        stream.set_write_timeout(Some(self.limits.unread));
        let (state, mut closing) = (Arc::clone(&connection.0.state), self.closing());
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            let (mut router, busy) = (router.clone(), connection.busy());
            request.extensions_mut().insert(ConnectInfo(peer));
            request.extensions_mut().insert(connection.clone());
            async move {
                let response = router.call(Request::from(request.map(axum::body::Body::new))).await;
                drop(busy);
                response.map_err(|never: Infallible| never)
            }
        });
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.limits.head).max_buf_size(LARGEST_HEAD);
        let serving = builder.serve_connection(TokioIo::new(Box::pin(stream)), service).with_upgrades();
        tokio::pin!(serving);
        tokio::select! {
            _ = serving.as_mut() => {}
            () = state.close.notified() => {}
            () = told_to_end(&mut closing) => {
                serving.as_mut().graceful_shutdown();
                let _ = timeout(FAREWELL, serving).await;
            }
        }
    }
}

/// Waits until the server ends.
pub async fn told_to_end(closing: &mut watch::Receiver<bool>) {
    drop(closing.wait_for(|closing| *closing).await);
}

async fn refuse(mut stream: TcpStream) {
    let _ = timeout(Duration::from_secs(1), stream.write_all(FULL)).await;
}

/// Lets the process have as many files as the system allows it. Returns how many that is.
pub fn raise_file_limit() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        if limit.current < limit.maximum || limit.maximum.is_none() {
            let most = limit.maximum.unwrap_or(1 << 20).min(1 << 20);
            limit.current = Some(most);
            let _ = setrlimit(Resource::Nofile, limit);
        }
        getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX)
    }
    #[cfg(not(unix))]
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_idle_connection_makes_room() {
        let limits = Limits { connections_per_address: 2, connections: 3, ..Limits::default() };
        let connections = Connections::new(limits, vec!["10.0.0.9".parse().unwrap()]);
        let (open, _ended) = mpsc::channel(1);
        let enter = |address: &str| connections.register(address.parse().unwrap(), &open);
        let count = || connections.lock().count;
        let (first, second) = (enter("10.0.0.1").unwrap(), enter("10.0.0.1").unwrap());
        let at_work = first.busy();
        let third = enter("10.0.0.1").expect("the second, idle one is closed in its favour");
        assert_eq!(count(), 2);
        drop(second);
        assert_eq!(count(), 2, "it was counted already");
        let also_at_work = third.busy();
        assert!(enter("10.0.0.1").is_none(), "both are at work");
        let other = enter("10.0.0.2").unwrap();
        drop(at_work);
        let another = enter("10.0.0.3").expect("the idle one of the address with most connections is closed");
        assert_eq!(count(), 3);
        drop((also_at_work, other, another, third, first));
        assert_eq!((count(), connections.lock().all.len()), (0, 0));
        let proxied: Vec<_> = (0..3).map(|_| enter("10.0.0.9").expect("a proxy stands for many clients")).collect();
        assert_eq!(count(), proxied.len());
    }

    #[test]
    fn the_length_of_the_refusal_is_right() {
        let text = std::str::from_utf8(FULL).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{}", body.len());
    }
}
