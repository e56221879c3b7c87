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

/// The longest wait that a receiver can ask for.
const ASKED_LONGEST: Duration = minutes(24 * 60);

/// How long before the end of a turn it is tried again at the latest, whatever its receiver asks for.
const TURN_LAST: Duration = Duration::from_secs(10);

/// The wait before the next attempt of an event, after so many; `None` when it is given up. `asked`: the wait that its
/// receiver asks for.
pub fn retry_event(attempts: u32, asked: Option<Duration>) -> Option<Duration> {
    let own = jittered(*EVENT.get(attempts.saturating_sub(1) as usize)?);
    Some(own.max(asked.map(|asked| jittered(asked.min(ASKED_LONGEST))).unwrap_or_default()))
}

/// The wait before the next attempt of a turn that is over after `left`, after so many. It is tried until it is over. Its
/// receiver can ask for a longer wait, but not for one that lets the turn pass.
pub fn retry_turn(attempts: u32, asked: Option<Duration>, left: Duration) -> Duration {
    let doubled = TURN_FIRST.saturating_mul(2u32.saturating_pow(attempts.saturating_sub(1).min(16)));
    let own = jittered(doubled.min(TURN_LONGEST));
    let asked = asked.map(|asked| jittered(asked.min(ASKED_LONGEST)).min(left.saturating_sub(TURN_LAST)));
    own.max(asked.unwrap_or_default())
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
        let waits: Vec<Duration> = (1..).map_while(|attempts| retry_event(attempts, None)).collect();
        assert_eq!(waits.len(), EVENT.len());
        for (wait, usual) in waits.iter().zip(EVENT) {
            assert!(*wait >= usual && *wait <= usual.mul_f64(1.2), "{wait:?} of {usual:?}");
        }
        assert!(EVENT.iter().sum::<Duration>() > minutes(3 * 24 * 60));
        let left = minutes(3);
        let turns: Vec<u64> = (1..=9).map(|attempts| retry_turn(attempts, None, left).as_secs()).collect();
        assert!(turns[0] <= 1 && turns[3] >= 8 && turns[8] >= 60 && turns[8] <= 72, "{turns:?}");
        assert!(retry_turn(u32::MAX, None, left) <= TURN_LONGEST.mul_f64(1.2));
    }

    #[test]
    fn a_receiver_can_ask_for_a_longer_wait_within_a_day_and_within_the_turn() {
        let seconds = Duration::from_secs;
        let event = |asked| retry_event(1, Some(asked)).expect("a wait");
        assert!(event(seconds(1)) >= EVENT[0], "no shorter one");
        let hour = event(minutes(60));
        assert!(hour >= minutes(60) && hour <= minutes(72), "{hour:?}");
        assert!(event(Duration::MAX) <= ASKED_LONGEST.mul_f64(1.2));
        assert_eq!(retry_event(10, Some(seconds(1))), None, "it is given up");
        let turn = |asked, left| retry_turn(1, Some(asked), left);
        let thirty = turn(seconds(30), minutes(3));
        assert!(thirty >= seconds(30) && thirty <= seconds(36), "{thirty:?}");
        assert_eq!(turn(minutes(60), minutes(3)), seconds(170), "once more before it is over");
        for left in [seconds(0), seconds(5), seconds(10)] {
            assert!(turn(minutes(60), left) <= seconds(2), "the usual wait with {left:?} left");
        }
    }
}
