//! The time of this machine, for what happens beside meetings: accounts, sessions, tokens, files.

use quorate_contract::Timestamp;
use quorate_engine::{Clock, SystemClock};

/// The present moment.
pub fn now() -> Timestamp {
    SystemClock.now()
}
