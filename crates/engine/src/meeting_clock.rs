//! The clock of one meeting: the machine's clock, corrected when it is set.

use std::time::Duration;

use quorate_contract::Timestamp;

use crate::ports::Clock;

/// A clock that differs by more from what runs steadily was set, or the machine slept.
const JUMP_MS: u64 = 2_000;

/// The clock of a meeting, which also measures how long the meeting did not run.
#[derive(Debug, Default)]
pub(crate) struct SteadyTime {
    told: Option<(Timestamp, Duration)>,
    idle_ms: u64,
}

impl SteadyTime {
    /// The present moment. When the clock was set back, time continues from where it was; when it was set
    /// forward, it follows.
    pub(crate) fn now(&mut self, clock: &dyn Clock) -> Timestamp {
        let wall = clock.now();
        let Some(steady) = clock.steady() else { return wall };
        let now = match self.told {
            None => wall,
            Some((told, since)) => {
                let went = steady.saturating_sub(since).as_millis();
                let expected = told.plus_ms(u64::try_from(went).unwrap_or(u64::MAX));
                if wall.since_ms(expected) > JUMP_MS {
                    self.idle_ms = self.idle_ms.saturating_add(wall.since_ms(expected));
                    wall
                } else if expected.since_ms(wall) > JUMP_MS {
                    expected
                } else {
                    wall.max(told)
                }
            }
        };
        self.told = Some((now, steady));
        now
    }

    /// For how long the meeting did not run since this was last asked.
    pub(crate) fn take_idle_ms(&mut self) -> u64 {
        std::mem::take(&mut self.idle_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::Mutex;

    struct Set(Mutex<Cell<(i64, u64)>>);

    impl Clock for Set {
        fn now(&self) -> Timestamp {
            Timestamp(self.0.lock().unwrap().get().0)
        }
        fn steady(&self) -> Option<Duration> {
            Some(Duration::from_millis(self.0.lock().unwrap().get().1))
        }
    }

    #[test]
    fn a_clock_that_is_set_makes_no_time_pass_in_the_meeting() {
        let clock = Set(Mutex::new(Cell::new((0, 0))));
        let mut time = SteadyTime::default();
        let mut at = |wall, steady| {
            clock.0.lock().unwrap().set((wall, steady));
            (time.now(&clock).0, time.take_idle_ms())
        };
        assert_eq!(at(1_000, 0), (1_000, 0));
        assert_eq!(at(61_000, 60_000), (61_000, 0), "it runs");
        assert_eq!(at(61_500, 60_400), (61_500, 0), "and drifts");
        assert_eq!(at(3_662_500, 61_400), (3_662_500, 3_600_000), "it is set forward by an hour");
        assert_eq!(at(3_663_500, 62_400), (3_663_500, 0));
        assert_eq!(at(63_500, 63_400), (3_664_500, 0), "it is set back; time goes on");
        assert_eq!(at(123_500, 123_400), (3_724_500, 0));
    }
}
