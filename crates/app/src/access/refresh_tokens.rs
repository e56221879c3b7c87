//! Refresh tokens that were just used: two windows of one browser send the same one at once.
//!
//! For some seconds a used token is accepted again, but only from the browser that used it first. From
//! another client or a program, it counts as stolen.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use quorate_contract::Timestamp;

use super::SessionClient;
use crate::operation::network::network_of;

/// The number of used tokens that are remembered; beyond that none is accepted again.
const MOST: usize = 10_000;

/// By what a browser is known again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Browser {
    address: IpAddr,
    agent: String,
}

impl Browser {
    pub(super) fn of(client: &SessionClient) -> Self {
        Self { address: network_of(client.address), agent: client.agent.clone() }
    }
}

/// The browsers that used refresh tokens within the last seconds, by fingerprint of the token.
#[derive(Debug, Default)]
pub(super) struct RecentRefreshes(Mutex<HashMap<[u8; 32], (Browser, Timestamp)>>);

impl RecentRefreshes {
    /// For how long after its first use this token may come now, in milliseconds: not at all, unless the same browser
    /// sends it again.
    pub(super) fn grace(
        &self,
        token: [u8; 32],
        browser: Option<Browser>,
        now: Timestamp,
        grace_ms: u64,
    ) -> u64 {
        let Some(browser) = browser.filter(|_| grace_ms > 0) else { return 0 };
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|_, (_, used)| now.since_ms(*used) < grace_ms);
        match recent.get(&token) {
            Some((first, _)) if *first == browser => grace_ms,
            Some(_) => 0,
            None => {
                if recent.len() < MOST {
                    recent.insert(token, (browser, now));
                }
                0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_browser_sends_a_token_again() {
        let browser = |last: u8, agent: &str| {
            Some(Browser { address: IpAddr::from([203, 0, 113, last]), agent: agent.to_owned() })
        };
        let refresh_tokens = RecentRefreshes::default();
        let grace =
            |token: u8, browser, at| refresh_tokens.grace([token; 32], browser, Timestamp(at), 10_000);
        assert_eq!(grace(1, browser(1, "Firefox"), 0), 0, "the first use");
        assert_eq!(grace(1, browser(1, "Firefox"), 9_999), 10_000);
        assert_eq!(grace(1, browser(2, "Firefox"), 9_999), 0, "from elsewhere");
        assert_eq!(grace(1, browser(1, "curl"), 9_999), 0, "with another program");
        assert_eq!(grace(1, None, 9_999), 0, "a program has one window");
        assert_eq!(grace(1, browser(1, "Firefox"), 10_001), 0, "too late");
    }
}
