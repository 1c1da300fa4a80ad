//! How often a search reports to a person.

use std::time::Duration;

use quintet_game::clock::Instant;

/// Limits the rate of reports.
///
/// ```
/// let mut pace = quintet_api::Pace::new();
/// assert!(pace.due());
/// assert!(!pace.due());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pace {
    last: Option<Instant>,
}

impl Pace {
    /// Reports come no faster than this.
    pub const BETWEEN: Duration = Duration::from_millis(100);

    /// The first goes through.
    #[must_use]
    pub fn new() -> Pace {
        Pace::default()
    }

    /// Whether a report is due.
    pub fn due(&mut self) -> bool {
        let due = self.last.is_none_or(|last| last.elapsed() >= Pace::BETWEEN);
        if due {
            self.last = Some(Instant::now());
        }
        due
    }
}
