//! Where the work of requests is done: four pools, so that what takes long holds up nothing that is quick.

use std::sync::Arc;
use std::time::Duration;

use quintet_api::ApiError;

use crate::client::Client;
use crate::pool::{Pool, Shape, Signals};
use crate::{App, Limits};

/// How long a request that only reads and replays may take; none comes near it.
const QUICK: Duration = Duration::from_secs(10);

/// How long a short question may take.
const SHORT: Duration = Duration::from_secs(20);

/// How long a short question may take while others wait.
const SHORT_SLICE: Duration = Duration::from_secs(2);

/// The pools.
pub struct Pools {
    /// Searches of rooms, analyses and reviews.
    pub searches: Arc<Pool>,
    /// Exact values, and small searches step by step.
    pub short: Pool,
    /// Whatever reads and replays games.
    pub quick: Arc<Pool>,
    /// Whatever reads the store of games and the folders of runs.
    pub disk: Pool,
}

impl Pools {
    /// With this many searches at once.
    pub fn new(searches: usize, limits: &Limits) -> Pools {
        let pool = |workers, of_address, in_all, slice| Pool::new(Shape { workers, of_address, in_all, slice });
        Pools {
            searches: Arc::new(pool(searches, 32, 2048, limits.slice)),
            short: pool(1, 8, 512, SHORT_SLICE),
            quick: Arc::new(pool(2, 64, 2048, QUICK)),
            disk: pool(2, 16, 512, QUICK),
        }
    }

    /// Ends all work.
    pub fn close(&self) {
        for pool in [&*self.searches, &self.short, &*self.quick, &self.disk] {
            pool.close();
        }
    }
}

impl App {
    /// Reads and replays.
    pub async fn quick<T: Send + 'static>(
        self: &Arc<App>,
        client: Client,
        work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let app = Arc::clone(self);
        self.pools.quick.run(client, QUICK, move |_| work(&app)).await
    }

    /// Reads files.
    pub async fn disk<T: Send + 'static>(
        self: &Arc<App>,
        client: Client,
        work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let app = Arc::clone(self);
        self.pools.disk.run(client, QUICK, move |_| work(&app)).await
    }

    /// Searches a little.
    pub async fn short<T: Send + 'static>(
        self: &Arc<App>,
        client: Client,
        work: impl FnOnce(&App, &Signals) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let app = Arc::clone(self);
        self.pools.short.run(client, SHORT, move |signals| work(&app, signals)).await
    }
}

/// Reads and replays where there is no application at hand.
pub async fn quickly<T: Send + 'static>(
    pool: &Pool,
    client: Client,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    pool.run(client, QUICK, move |_| work()).await
}
