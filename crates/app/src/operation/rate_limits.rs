//! Rate limits: calls of each caller, and attempts to sign in, to join or to enter.
//!
//! They hold for every transport, because [`App::perform`] and the look-up of each password ask here. A caller beyond
//! its limit is told when to retry.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::operation::caller::Caller;
use crate::operation::network::network_of;
use crate::operation::principal::PrincipalKind;

/// The limits of calls and attempts in a minute; as many may come at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    /// Calls of one session or token; of one address without a sign-in.
    pub calls: u32,
    /// Calls of the person at this machine, over a network.
    pub calls_here: u32,
    /// Attempts of one address.
    pub attempts: u32,
    /// Attempts of one address for one account; for one meeting, three times as many from anywhere.
    pub attempts_per_name: u32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self { calls: 1_200, calls_here: 120_000, attempts: 30, attempts_per_name: 10 }
    }
}

/// The target of an attempt to sign in or join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt<'a> {
    /// The account of this name.
    Account(&'a str),
    /// The meeting of this id, by its password.
    Meeting(&'a str),
    /// A meeting, by an invitation code that cannot be guessed.
    Invitation,
    /// A look at what an invitation is to, by the same code.
    InvitationPreview,
    /// A result, by a link whose code cannot be guessed.
    Result,
    /// An account, from a browser in which its owner signed in before: the fingerprint of its cookie. An
    /// attacker behind the same address does not have it.
    KnownBrowser([u8; 32]),
}

/// The proof that an attempt was counted. Passwords and invitations are looked up with it alone.
#[derive(Debug)]
#[must_use]
pub struct CountedAttempt(pub(crate) ());

/// The counts under the present limits.
pub(crate) struct RateCounters(RwLock<Arc<Counts>>);

pub(crate) struct Counts {
    calls: Meter<CallerKey>,
    calls_here: Meter<CallerKey>,
    attempts: Meter<IpAddr>,
    attempts_at_account: Meter<(IpAddr, String)>,
    attempts_at_meeting: Meter<String>,
    attempts_of_known: Meter<[u8; 32]>,
    results: Meter<IpAddr>,
    previews: Meter<IpAddr>,
}

/// The key under which calls are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum CallerKey {
    /// One address, or one IPv6 network.
    Address(IpAddr),
    /// One session or token.
    Credential(PrincipalKind, String),
}

impl Default for RateCounters {
    fn default() -> Self {
        Self(RwLock::new(Arc::new(Counts::under(RateLimits::default()))))
    }
}

impl RateCounters {
    pub(crate) fn counts(&self) -> Arc<Counts> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set(&self, limits: RateLimits) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Counts::under(limits));
    }
}

impl Counts {
    fn under(limits: RateLimits) -> Self {
        Self {
            calls: Meter::per_minute(limits.calls),
            calls_here: Meter::per_minute(limits.calls_here),
            attempts: Meter::per_minute(limits.attempts),
            attempts_at_account: Meter::per_minute(limits.attempts_per_name),
            attempts_at_meeting: Meter::per_minute(limits.attempts_per_name.saturating_mul(3)),
            attempts_of_known: Meter::per_minute(limits.attempts_per_name),
            results: Meter::per_minute(limits.attempts),
            previews: Meter::per_minute(limits.attempts),
        }
    }

    /// Counts a call. What comes over no network is not counted.
    pub(crate) fn call(&self, caller: &Caller) -> Result<(), u64> {
        let Some(address) = caller.address else { return Ok(()) };
        match &caller.principal {
            None => self.calls.count(CallerKey::Address(network_of(address))),
            Some(principal) => {
                let meter = match principal.kind {
                    PrincipalKind::Owner => &self.calls_here,
                    PrincipalKind::Account
                    | PrincipalKind::Guest
                    | PrincipalKind::ResultLink
                    | PrincipalKind::Token
                    | PrincipalKind::Agent
                    | PrincipalKind::Webhook => &self.calls,
                };
                meter.count(CallerKey::Credential(principal.kind, principal.id.clone()))
            }
        }
    }

    /// Counts an attempt to sign in or join. Attempts on an account are counted per address: an attacker
    /// elsewhere does not lock out the owner. Readers of a result are counted for themselves, so that they keep nobody behind
    /// their address from signing in, and so are looks at an invitation, which come before every join. The password of a
    /// meeting may be short, so attempts on it are counted over all addresses; guests can use an invitation instead.
    pub(crate) fn attempt(&self, address: IpAddr, at: Attempt<'_>) -> Result<(), u64> {
        if let Attempt::KnownBrowser(cookie) = at {
            return self.attempts_of_known.count(cookie);
        }
        match at {
            Attempt::Result => return self.results.count(network_of(address)),
            Attempt::InvitationPreview => return self.previews.count(network_of(address)),
            Attempt::Account(_) | Attempt::Meeting(_) | Attempt::Invitation | Attempt::KnownBrowser(_) => {}
        }
        let small = |name: &str| name.chars().take(100).flat_map(char::to_lowercase).collect::<String>();
        let network = network_of(address);
        self.attempts.count(network)?;
        match at {
            Attempt::Account(name) => self.attempts_at_account.count((network, small(name))),
            Attempt::Meeting(id) => self.attempts_at_meeting.count(small(id)),
            Attempt::Invitation | Attempt::InvitationPreview | Attempt::KnownBrowser(_) | Attempt::Result => {
                Ok(())
            }
        }
    }
}

/// Counts by key, and forgets keys that were not counted for a while.
pub struct Meter<K: Hash + Eq + Clone> {
    limiter: DefaultKeyedRateLimiter<K>,
    counted: AtomicU32,
}

/// The number of counts after which keys that have their whole quota again are forgotten.
const SWEEP_EVERY: u32 = 4096;

impl<K: Hash + Eq + Clone> Meter<K> {
    /// At most so many in a minute for each key.
    pub fn per_minute(most: u32) -> Self {
        let most = NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN);
        Self { limiter: RateLimiter::keyed(Quota::per_minute(most)), counted: AtomicU32::new(0) }
    }

    /// Counts one more, or says after how many seconds it may come; at least 1.
    ///
    /// # Errors
    /// When there were too many.
    pub fn count(&self, key: K) -> Result<(), u64> {
        if self.counted.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        self.limiter.check_key(&key).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            wait.as_secs().saturating_add(1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::caller::Transport;
    use crate::operation::principal::{Principal, Scope};

    fn by(principal: Option<Principal>, transport: Transport) -> Caller {
        Caller { principal, address: Some(IpAddr::from([1, 2, 3, 4])), transport }
    }

    #[test]
    fn calls_of_one_credential_count_together_over_all_transports() {
        let counts = Counts::under(RateLimits { calls: 3, ..RateLimits::default() });
        let token = |id: &str| Some(Principal::of_token(id, "ada".to_owned(), Scope::Read, None));
        counts.call(&by(token("a"), Transport::Rest)).expect("one is free");
        counts.call(&by(token("a"), Transport::WebSocket)).expect("two are free");
        counts.call(&by(token("a"), Transport::Rest)).expect("three are free");
        let wait = counts.call(&by(token("a"), Transport::WebSocket)).expect_err("the fourth is not");
        assert!((1..=21).contains(&wait), "{wait}");
        assert!(counts.call(&by(token("b"), Transport::Rest)).is_ok(), "another token");
        assert!(counts.call(&by(None, Transport::Rest)).is_ok(), "the same address without a sign-in");
        assert!((0..10).all(|_| counts.call(&by(Some(Principal::owner()), Transport::Rest)).is_ok()));
        assert!((0..10).all(|_| counts.call(&Caller::at_this_machine()).is_ok()), "no network, no limit");
    }

    #[test]
    fn one_network_of_ipv6_is_one() {
        let counts = Counts::under(RateLimits { attempts: 2, ..RateLimits::default() });
        let try_from = |address: &str, name: &str| {
            counts.attempt(address.parse().expect("an address"), Attempt::Account(name))
        };
        assert!(try_from("2001:db8::1", "a").is_ok());
        assert!(try_from("2001:db8::2", "b").is_ok());
        assert!(try_from("2001:db8::3", "c").is_err());
        assert!(try_from("2001:db8:0:1::3", "c").is_ok());
    }

    #[test]
    fn a_classroom_looks_at_its_invitations_and_joins_as_fast_as_it_may() {
        let counts = Counts::under(RateLimits { attempts: 3, ..RateLimits::default() });
        let school = IpAddr::from([203, 0, 113, 1]);
        for _ in 0..3 {
            counts.attempt(school, Attempt::InvitationPreview).expect("it is free");
            counts.attempt(school, Attempt::Invitation).expect("a look takes nothing of it");
        }
        assert!(counts.attempt(school, Attempt::InvitationPreview).is_err(), "looks have the same bound");
        assert!(counts.attempt(school, Attempt::Invitation).is_err());
    }

    #[test]
    fn an_attacker_elsewhere_does_not_keep_an_account_from_signing_in() {
        let counts = Counts::under(RateLimits { attempts_per_name: 2, ..RateLimits::default() });
        let [stranger, owner] = [IpAddr::from([203, 0, 113, 1]), IpAddr::from([203, 0, 113, 2])];
        let attempt = |address, name| counts.attempt(address, Attempt::Account(name));
        for _ in 0..2 {
            attempt(stranger, "owner").expect("it is free");
        }
        assert!(attempt(stranger, "OWNER").is_err());
        assert!(attempt(stranger, "ada").is_ok(), "a colleague behind the same address");
        assert!(attempt(owner, "owner").is_ok());
        // The password of a meeting is guessed from many addresses no faster than from one.
        let mut addresses = (1..=20).map(|last| IpAddr::from([198, 51, 100, last]));
        assert!(addresses.any(|address| counts.attempt(address, Attempt::Meeting("m1")).is_err()));
    }
}
