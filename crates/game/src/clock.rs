//! The clock: the only place where the library reads the time, so that a platform without this clock needs one change.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;
/// A browser's clock: the standard library's panics there.
#[cfg(target_family = "wasm")]
pub use web_time::Instant;

/// Which time a limit counts.
///
/// ```
/// use quintet_game::clock::ClockKind;
/// assert_eq!("cpu".parse(), Ok(ClockKind::Cpu));
/// assert!("sun".parse::<ClockKind>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum ClockKind {
    /// The time that passes.
    #[default]
    Wall,
    /// The time that the processor works for the search: whatever else the machine does, it is the same work. Systems that do not tell it get the time that passes.
    Cpu,
}

impl fmt::Display for ClockKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ClockKind::Wall => "wall",
            ClockKind::Cpu => "cpu",
        })
    }
}

impl FromStr for ClockKind {
    type Err = String;

    fn from_str(text: &str) -> Result<ClockKind, String> {
        match text {
            "wall" => Ok(ClockKind::Wall),
            "cpu" => Ok(ClockKind::Cpu),
            _ => Err("a clock is wall or cpu".into()),
        }
    }
}

/// Measures how long something takes.
///
/// Of processor time it measures that of the thread that started it. Helper threads, which begin after it, may read it as well: they see what
/// that thread has read last, or their own time if that is more, so that they end even while that thread waits for them.
///
/// ```
/// use quintet_game::clock::{ClockKind, Stopwatch};
/// let watch = Stopwatch::start(ClockKind::Cpu);
/// let before = watch.elapsed();
/// assert!(watch.elapsed() >= before);
/// ```
///
/// A copy goes on as the same watch.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    began: Instant,
    cpu: Option<Arc<CpuWatch>>,
}

#[derive(Debug)]
struct CpuWatch {
    /// The starting thread's time at the start.
    began: Duration,
    owner: ThreadId,
    /// What the starting thread has read last, in nanoseconds.
    read: AtomicU64,
}

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start(kind: ClockKind) -> Stopwatch {
        let watch = |began| Arc::new(CpuWatch { began, owner: thread::current().id(), read: AtomicU64::new(0) });
        Stopwatch { began: Instant::now(), cpu: (kind == ClockKind::Cpu).then(thread_time).flatten().map(watch) }
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let Some((cpu, now)) = self.cpu.as_ref().zip(thread_time()) else { return self.began.elapsed() };
        if thread::current().id() == cpu.owner {
            let elapsed = now.saturating_sub(cpu.began);
            cpu.read.store(u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
            return elapsed;
        }
        now.max(Duration::from_nanos(cpu.read.load(Ordering::Relaxed)))
    }
}

/// Left on a clock for communication.
const MARGIN: Duration = Duration::from_millis(50);

/// The number of moves that the time left on a clock must last for.
const MOVES_TO_GO: u32 = 25;

/// The part of a clock that one move may use: an even share of what is left plus most of the increment, but never so much that the clock could run out.
///
/// ```
/// use std::time::Duration;
/// use quintet_game::clock::share;
/// assert_eq!(share(Duration::from_secs(60), Duration::from_millis(500)), Duration::from_millis(2800));
/// ```
#[must_use]
pub fn share(left: Duration, increment: Duration) -> Duration {
    let wanted = (left / MOVES_TO_GO).saturating_add(increment / 5 * 4);
    wanted.min(left.saturating_sub(MARGIN)).max(Duration::from_millis(1))
}

/// The processor time of this thread, where the system tells it.
#[cfg(any(unix, windows))]
fn thread_time() -> Option<Duration> {
    cpu_time::ThreadTime::try_now().ok().map(|time| time.as_duration())
}

#[cfg(not(any(unix, windows)))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_overdrawn() {
        let milliseconds = Duration::from_millis;
        for left in [0, 1, 49, 50, 51, 60, 1000, u64::MAX].map(milliseconds) {
            for increment in [0, 1000, u64::MAX].map(milliseconds) {
                let share = share(left, increment);
                assert!(share == milliseconds(1) || share <= left - MARGIN, "{left:?} {increment:?}: {share:?}");
            }
        }
    }

    #[cfg(any(unix, windows))]
    #[test]
    fn a_thread_that_waits_uses_no_processor_time() {
        let (wall, cpu) = (Stopwatch::start(ClockKind::Wall), Stopwatch::start(ClockKind::Cpu));
        thread::sleep(Duration::from_millis(60));
        assert!(wall.elapsed() >= Duration::from_millis(60));
        assert!(cpu.elapsed() < Duration::from_millis(50), "{:?}", cpu.elapsed());
        while cpu.elapsed() < Duration::from_millis(20) {}
        assert!(thread::scope(|scope| scope.spawn(|| cpu.elapsed()).join().unwrap()) >= Duration::from_millis(20));
    }
}
