//! How much time clients have had lately: whoever has had the least is served first.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use crate::client::Client;

/// Running jobs by address and by client.
pub type Counts = (HashMap<IpAddr, usize>, HashMap<Client, usize>);

/// How much of the threads' time addresses and clients have had lately.
#[derive(Clone, Default)]
pub struct Usage {
    addresses: HashMap<IpAddr, Used>,
    clients: HashMap<Client, Used>,
}

/// Time that was used, which is forgotten by and by.
#[derive(Clone, Copy)]
struct Used {
    seconds: f64,
    at: Instant,
}

/// Clients whose usage is remembered.
const REMEMBERED: usize = 4096;

/// After this time half of what was used is forgotten.
const HALF_FORGOTTEN: Duration = Duration::from_secs(60);

impl Used {
    /// What counts of it now, in microseconds.
    fn now(used: Option<&Used>, now: Instant) -> u64 {
        let Some(Used { seconds, at }) = used else { return 0 };
        let age = now.saturating_duration_since(*at).as_secs_f64() / HALF_FORGOTTEN.as_secs_f64();
        (seconds * 1e6 * (-age).exp2()) as u64
    }
}

impl Usage {
    /// The order in which jobs are served: addresses with the fewest running jobs first, among them the one that has had the least time lately;
    /// the same for the clients of an address; and the jobs of a client as they came.
    pub fn order(&self, running: &Counts, client: Client, number: u64, now: Instant) -> impl Ord + use<> {
        (
            running.0.get(&client.address).copied().unwrap_or(0),
            Used::now(self.addresses.get(&client.address), now),
            running.1.get(&client).copied().unwrap_or(0),
            Used::now(self.clients.get(&client), now),
            number,
        )
    }

    /// Counts time that was used by a client.
    pub fn add(&mut self, client: Client, time: Duration, now: Instant) {
        if self.clients.len() >= REMEMBERED {
            self.addresses.clear();
            self.clients.clear();
        }
        let add = |used: Option<&Used>| {
            let seconds = Used::now(used, now) as f64 / 1e6 + time.as_secs_f64();
            Used { seconds, at: now }
        };
        let (address, own) = (add(self.addresses.get(&client.address)), add(self.clients.get(&client)));
        self.addresses.insert(client.address, address);
        self.clients.insert(client, own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: u8, session: u64) -> Client {
        Client { address: [10, 0, 0, address].into(), session }
    }

    /// Whoever asks little is served before those who have used much, however often they ask.
    #[test]
    fn those_who_use_little_wait_little() {
        let mut usage = Usage::default();
        let (now, none) = (Instant::now(), Counts::default());
        let (greedy, modest) = (client(1, 1), client(2, 1));
        usage.add(greedy, Duration::from_secs(3), now);
        for _ in 0..10 {
            usage.add(modest, Duration::from_millis(2), now);
        }
        assert!(usage.order(&none, modest, 9, now) < usage.order(&none, greedy, 1, now));
        // A client is known by its address first: more sessions give no more time.
        assert!(usage.order(&none, modest, 9, now) < usage.order(&none, client(1, 2), 1, now));
        // It is forgotten in time.
        let later = now + HALF_FORGOTTEN * 60;
        assert_eq!(Used::now(usage.addresses.get(&greedy.address), later), 0);
    }
}
