//! How many pieces of answers this process tells its listeners, so that pieces go together while they are many.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long pieces are counted together.
const WINDOW: Duration = Duration::from_millis(50);
/// Up to so many pieces to listeners within a window are told at once, one by one: 2,000 a second.
const FEW: u64 = 100;

/// Counts pieces, each as often as somebody listens to it.
pub(super) struct LiveLoad {
    began: Instant,
    /// The number of the present window in the upper half, and what was counted in it.
    window: AtomicU64,
    /// What was counted in the window before.
    before: AtomicU32,
}

impl LiveLoad {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), window: AtomicU64::new(0), before: AtomicU32::new(0) }
    }

    /// Counts a piece for so many listeners. Says whether there are many just now.
    pub(super) fn count(&self, listeners: usize) -> bool {
        self.count_at(self.began.elapsed(), listeners)
    }

    fn count_at(&self, since: Duration, listeners: usize) -> bool {
        let elapsed = since.as_micros();
        let (number, part) = (elapsed / WINDOW.as_micros(), elapsed % WINDOW.as_micros());
        let number = u64::try_from(number).unwrap_or(u64::MAX) & u64::from(u32::MAX);
        let known = self.window.load(Ordering::Relaxed);
        if known >> 32 != number {
            let counted = if (known >> 32) + 1 == number { known & u64::from(u32::MAX) } else { 0 };
            // Whoever is first closes the window; what others count meanwhile may be lost, which is little.
            if self.window.compare_exchange(known, number << 32, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            {
                self.before.store(u32::try_from(counted).unwrap_or(u32::MAX), Ordering::Relaxed);
            }
        }
        let added = u64::try_from(listeners).unwrap_or(u64::MAX).min(1 << 20);
        let now = (self.window.fetch_add(added, Ordering::Relaxed) & u64::from(u32::MAX)) + added;
        // The window before counts less the older it is.
        let left = (WINDOW.as_micros() - part) as u64;
        let before = u64::from(self.before.load(Ordering::Relaxed)) * left / WINDOW.as_micros() as u64;
        now + before > FEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of pieces that come so many a second, for a while.
    fn pieces(per_second: u32, from_ms: u64) -> impl Iterator<Item = Duration> {
        let begin = Duration::from_millis(from_ms);
        (0..per_second / 2).map(move |number| begin + Duration::from_secs(1) / per_second * number)
    }

    #[test]
    fn a_few_answers_are_told_at_once_and_many_together() {
        let load = LiveLoad::new();
        assert!(pieces(200, 0).all(|at| !load.count_at(at, 1)), "one answer");
        assert!(pieces(60, 1_000).all(|at| !load.count_at(at, 16)), "one answer that sixteen follow");
        let busy = pieces(50_000, 2_000).filter(|at| load.count_at(*at, 1)).count();
        assert!(busy > 24_000, "{busy} of 25,000");
        assert!(pieces(200, 4_000).all(|at| !load.count_at(at, 1)), "it is quiet again");
    }
}
