//! Calls and attempts to sign in are counted, whatever transport they come by.

use std::net::IpAddr;

use super::App;
use crate::operation::caller::Caller;
use crate::operation::denial::Denial;
use crate::operation::rate_limits::{Attempt, CountedAttempt, RateLimits};

impl App {
    /// From now on these limits hold. Counting begins anew.
    pub fn set_rate_limits(&self, limits: RateLimits) {
        self.rate_counters().set(limits);
    }

    /// Counts a call that is no use case, such as a message that only keeps a connection open.
    ///
    /// # Errors
    /// When the caller is beyond its limit.
    pub fn count_call(&self, caller: &Caller) -> Result<(), Denial> {
        let counted = self.rate_counters().counts().call(caller);
        counted.map_err(|retry_after| Denial::TooManyCalls { retry_after })
    }

    /// Counts an attempt to sign in, to join or to enter.
    ///
    /// # Errors
    /// When there were too many.
    pub fn attempt(&self, address: IpAddr, at: Attempt<'_>) -> Result<CountedAttempt, Denial> {
        let counted = self.rate_counters().counts().attempt(address, at);
        counted.map(|()| CountedAttempt(())).map_err(|retry_after| Denial::TooManyAttempts { retry_after })
    }
}
