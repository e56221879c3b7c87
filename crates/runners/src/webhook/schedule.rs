//! The times of further attempts.

use std::time::Duration;

const fn minutes(count: u64) -> Duration {
    Duration::from_secs(count * 60)
}

/// The waits between the attempts of a message, as Standard Webhooks recommends them: some three days in all.
const EVENT: [Duration; 9] = [
    Duration::from_secs(5),
    minutes(5),
    minutes(30),
    minutes(2 * 60),
    minutes(5 * 60),
    minutes(10 * 60),
    minutes(14 * 60),
    minutes(20 * 60),
    minutes(24 * 60),
];

/// The first wait of a turn, which doubles each time: a turn ends within minutes.
const TURN_FIRST: Duration = Duration::from_secs(1);
/// The longest wait of a turn.
const TURN_LONGEST: Duration = Duration::from_secs(60);

/// The wait before the next attempt of an event, after so many; `None` when it is given up.
pub fn retry_event(attempts: u32) -> Option<Duration> {
    EVENT.get(attempts.saturating_sub(1) as usize).copied().map(jittered)
}

/// The wait before the next attempt of a turn, after so many. It is tried until it is over.
pub fn retry_turn(attempts: u32) -> Duration {
    let doubled = TURN_FIRST.saturating_mul(2u32.saturating_pow(attempts.saturating_sub(1).min(16)));
    jittered(doubled.min(TURN_LONGEST))
}

/// Up to a fifth more, so that messages that failed together do not come back together.
fn jittered(wait: Duration) -> Duration {
    let share = f64::from(getrandom::u32().unwrap_or(0)) / f64::from(u32::MAX);
    wait.mul_f64(1.0 + share / 5.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_tried_ten_times_over_three_days_and_a_turn_every_minute() {
        let waits: Vec<Duration> = (1..).map_while(retry_event).collect();
        assert_eq!(waits.len(), EVENT.len());
        for (wait, usual) in waits.iter().zip(EVENT) {
            assert!(*wait >= usual && *wait <= usual.mul_f64(1.2), "{wait:?} of {usual:?}");
        }
        assert!(EVENT.iter().sum::<Duration>() > minutes(3 * 24 * 60));
        let turns: Vec<u64> = (1..=9).map(|attempts| retry_turn(attempts).as_secs()).collect();
        assert!(turns[0] <= 1 && turns[3] >= 8 && turns[8] >= 60 && turns[8] <= 72, "{turns:?}");
        assert!(retry_turn(u32::MAX) <= TURN_LONGEST.mul_f64(1.2));
    }
}
