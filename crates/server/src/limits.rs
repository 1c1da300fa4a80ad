//! Limits that may differ between servers.

use std::time::Duration;

/// Limits of a server. The defaults are those of `docs/api.md`; measurements and tests set others.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The burst of requests per address.
    pub burst: f64,
    /// Requests per address per second.
    pub a_second: f64,
    /// The longest time for a move, whatever the agent's own limit.
    pub thought: Duration,
    /// A search that has run for this long ends when other clients wait.
    pub slice: Duration,
    /// The longest review of a game, not counting the time in the queue.
    pub review: Duration,
    /// Connections in all.
    pub connections: usize,
    /// Connections per address.
    pub connections_per_address: usize,
    /// WebSockets per address.
    pub sockets_per_address: usize,
    /// How long the head of a request may take to arrive.
    pub head: Duration,
    /// How long the body of a request may take to arrive.
    pub body: Duration,
    /// How long a connection may be silent.
    pub idle: Duration,
    /// How long a client may leave its answers unread.
    pub unread: Duration,
    /// Rooms in all.
    pub rooms: usize,
    /// Rooms per address.
    pub rooms_per_address: usize,
    /// A room in which nothing has happened for this long is archived.
    pub room_idle: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            burst: 200.0,
            a_second: 40.0,
            thought: Duration::from_secs(60),
            slice: Duration::from_secs(3),
            review: Duration::from_secs(600),
            connections: 2000,
            connections_per_address: 256,
            sockets_per_address: 64,
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            unread: Duration::from_secs(20),
            rooms: 50_000,
            rooms_per_address: 500,
            room_idle: Duration::from_secs(30 * 24 * 3600),
        }
    }
}
