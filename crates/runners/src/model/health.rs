//! How a provider has been doing.

use std::time::Duration;

use quorate_contract::FailureKind;

/// What this program has seen of a provider by asking it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health {
    /// Calls that failed in a row for want of the provider: overload, network, silence.
    pub failures: u32,
    /// After too many of them it is left alone: how the last one failed, and for how long nobody asks;
    /// 0 while one call tries whether it is back.
    pub rests: Option<(FailureKind, Duration)>,
    /// For how long it has asked not to be asked.
    pub closed: Option<Duration>,
}
