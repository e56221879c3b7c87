//! The health of a provider.

use std::time::Duration;

use quorate_contract::FailureKind;

/// The health of a provider, as observed by this program's calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health {
    /// Calls that failed in a row for want of the provider: overload, network, silence.
    pub failures: u32,
    /// The state of the circuit breaker while it is open: the kind of the last failure, and how long it stays
    /// open; 0 while one call tests whether the provider is back.
    pub pause: Option<(FailureKind, Duration)>,
    /// For how long it has asked not to be asked.
    pub closed: Option<Duration>,
}
