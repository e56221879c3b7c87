//! How long a running meeting can be silent.

use quorate_contract::Rules;

/// The grace period of a call beyond its time limit.
const GRACE_MS: u64 = 60_000;

/// The longest time between two events that counts as running time, in milliseconds. No call takes longer than its
/// limit without an event: a longer time means that the clock was set or the machine slept.
pub fn silence_max_ms(rules: &Rules) -> u64 {
    rules.turns.timeout_ms.saturating_add(GRACE_MS)
}
