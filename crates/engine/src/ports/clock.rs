//! The clock. The engine reads it; the core is given the time.

use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use quorate_contract::Timestamp;

/// A clock.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;

    /// A monotonic time that cannot be set and that stands still while the machine sleeps; `None` where there
    /// is none. Only differences are meaningful.
    fn steady(&self) -> Option<Duration> {
        None
    }
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
    }

    fn steady(&self) -> Option<Duration> {
        static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
        Some(BEGAN.elapsed())
    }
}
