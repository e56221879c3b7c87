//! What this process may use of the limits of a key that several nodes use.
//!
//! A node says what it needs of each key, and is told what it may use (`needs`, `grant`). Until the first answer it makes no
//! call with the key. When it is told nothing for long, it has an equal part: it counts every call as many times as there are
//! nodes. Without other nodes a provider has its whole limits, and nothing is asked.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use sha2::{Digest, Sha256};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::concurrency::{CallOutcome, Concurrency};
use crate::provider::ProviderConfig;

/// More nodes than anybody has; with more, a limit would let nothing through.
const MOST: u32 = 64;

/// The shares of this process.
static SHARES: Shares = Shares::new();

/// What a node needs of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareNeed {
    /// The key with its provider, as a hash.
    pub key: String,
    /// The limit of concurrent calls.
    pub limit: u32,
    /// The number of concurrent calls that are made, or may be made without asking again.
    pub held: u32,
    /// The number of concurrent calls that are made or wait.
    pub wanted: u32,
    /// Requests in a minute, where they are limited.
    pub requests: Option<AllowanceNeed>,
    /// Tokens in a minute, where they are limited.
    pub tokens: Option<AllowanceNeed>,
}

impl ShareNeed {
    /// Whether the key is used, or something waits for it.
    fn is_used(&self) -> bool {
        let waits = |need: Option<AllowanceNeed>| need.is_some_and(|need| need.wanted > 0 || need.unused > 0);
        self.held > 0 || self.wanted > 0 || waits(self.requests) || waits(self.tokens)
    }
}

/// What a node needs of something of which there is so much in a minute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AllowanceNeed {
    /// The limit.
    pub per_minute: u32,
    /// What waits for it.
    pub wanted: u64,
    /// What was handed out and not used. It is given back by saying so.
    pub unused: u64,
}

/// What a node may use of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareGrant {
    /// The key with its provider, as the same hash.
    pub key: String,
    /// The number of concurrent calls.
    pub places: u32,
    /// Further requests.
    pub requests: u64,
    /// Further tokens.
    pub tokens: u64,
}

/// What this process has of the limit of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareStanding {
    /// The name of the provider.
    pub provider: String,
    /// The limit of concurrent calls at present, of all nodes together.
    pub limit: u32,
    /// The number of concurrent calls that this process makes, or may make without asking again.
    pub held: u32,
    /// The number of calls that it makes.
    pub calls: u32,
    /// The number of calls that wait here for a place.
    pub waiting: u32,
}

/// The limits of all keys that this process uses.
pub(super) struct Shares {
    of_keys: Mutex<Vec<Weak<Share>>>,
    /// Whether others use the keys too, so that it is asked what may be used.
    is_leased: AtomicBool,
    nodes: AtomicU32,
    /// Somebody waits for what has not been handed out.
    wanted: Notify,
}

impl Shares {
    const fn new() -> Self {
        Self {
            of_keys: Mutex::new(Vec::new()),
            is_leased: AtomicBool::new(false),
            nodes: AtomicU32::new(1),
            wanted: Notify::const_new(),
        }
    }

    /// Enters a key that is used from now on.
    fn enter(&self, share: &Arc<Share>) {
        let mut of_keys = self.of_keys();
        of_keys.retain(|share| share.strong_count() > 0);
        of_keys.push(Arc::downgrade(share));
        if share.is_shared && self.is_leased.load(Ordering::Relaxed) {
            share.lease(0);
        }
    }

    fn begin(&self) {
        let of_keys = self.of_keys();
        self.is_leased.store(true, Ordering::Relaxed);
        of_keys
            .iter()
            .filter_map(Weak::upgrade)
            .filter(|share| share.is_shared)
            .for_each(|share| _ = share.lease(0));
    }

    fn needs(&self) -> Vec<ShareNeed> {
        let mut needs: Vec<ShareNeed> = Vec::new();
        for share in self.shared() {
            let need = share.need();
            let is_used = need.is_used();
            // That it is used no more is said once.
            if !share.was_used.swap(is_used, Ordering::Relaxed) && !is_used {
                continue;
            }
            match needs.iter_mut().find(|one| one.key == need.key) {
                // While the configuration of a provider changes, there are two.
                Some(one) => {
                    one.limit = one.limit.min(need.limit);
                    one.held += need.held;
                    one.wanted += need.wanted;
                    one.requests = both(one.requests, need.requests);
                    one.tokens = both(one.tokens, need.tokens);
                }
                None => needs.push(need),
            }
        }
        needs
    }

    fn grant(&self, grants: &[ShareGrant], until: Instant) {
        let shares = self.shared();
        for grant in grants {
            let mut of_key: Vec<&Arc<Share>> = shares.iter().filter(|share| share.key == grant.key).collect();
            let Some(newest) = of_key.pop() else { continue };
            let mut places = grant.places as usize;
            for earlier in of_key {
                // No call begins with the configuration of before; those that are under way count.
                places = places.saturating_sub(earlier.lease(0));
            }
            newest.lease(places);
            newest.requests.give(grant.requests, until);
            newest.tokens.give(grant.tokens, until);
        }
    }

    fn lapse(&self) {
        self.shared().iter().for_each(|share| share.lapse());
    }

    /// The keys that other nodes may use too.
    fn shared(&self) -> Vec<Arc<Share>> {
        self.alive().into_iter().filter(|share| share.is_shared).collect()
    }

    fn alive(&self) -> Vec<Arc<Share>> {
        self.of_keys().iter().filter_map(Weak::upgrade).collect()
    }

    fn of_keys(&self) -> MutexGuard<'_, Vec<Weak<Share>>> {
        self.of_keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn both(one: Option<AllowanceNeed>, other: Option<AllowanceNeed>) -> Option<AllowanceNeed> {
    let (Some(one), Some(other)) = (one, other) else { return one.or(other) };
    Some(AllowanceNeed {
        per_minute: one.per_minute.min(other.per_minute),
        wanted: one.wanted + other.wanted,
        unused: one.unused + other.unused,
    })
}

/// From now on this process is one of so many that call the same providers.
pub fn share_limits(nodes: u32) {
    SHARES.nodes.store(nodes.clamp(1, MOST), Ordering::Relaxed);
}

/// From now on others use the same keys: no call begins before it is said what may be used.
pub fn begin_leases() {
    SHARES.begin();
}

/// Returns when somebody waits for what has not been handed out.
pub async fn share_wanted() {
    SHARES.wanted.notified().await;
}

/// What this process needs of each key that it uses or wants to use. What was not used of earlier grants is gone by that.
pub fn share_needs() -> Vec<ShareNeed> {
    SHARES.needs()
}

/// Says what this process may use: so many concurrent calls from now on, and until then so many requests and tokens.
pub fn grant_shares(grants: &[ShareGrant], until: Instant) {
    SHARES.grant(grants, until);
}

/// Gives this process an equal part of each limit until it is said what it may use.
pub fn lapse_leases() {
    SHARES.lapse();
}

/// What this process has of the limits of the providers that it uses.
pub fn share_standings() -> Vec<ShareStanding> {
    SHARES.alive().iter().map(|share| share.standing()).collect()
}

/// What this process has of the limits of one key.
pub(super) struct Share {
    provider: String,
    key: String,
    /// The limit of concurrent calls that is configured, or with which it begins.
    first: usize,
    /// The limit at present.
    limit: AtomicUsize,
    /// Finds the limit, where none is configured.
    found: Option<Mutex<Concurrency>>,
    /// One permit for each call that may be made.
    places: Arc<Semaphore>,
    count: Mutex<Count>,
    /// Whether other nodes may call the same server with the same key.
    is_shared: bool,
    /// Whether it is said what may be used.
    is_leased: AtomicBool,
    /// The queue: its holder waits for a place, and the others wait for the lock.
    line: tokio::sync::Mutex<()>,
    waiting: AtomicUsize,
    /// Whether it was used when it was last said what is needed.
    was_used: AtomicBool,
    pub(super) requests: Allowance,
    pub(super) tokens: Allowance,
    shares: &'static Shares,
}

/// The permits of a share.
struct Count {
    /// The number of calls that may be made.
    places: usize,
    /// The number of calls that are under way beyond that: their permits are taken back when they end.
    excess: usize,
}

impl Share {
    /// The share of a provider. What runs on this machine is called by this process alone.
    pub(super) fn of(config: &ProviderConfig) -> Arc<Self> {
        Self::among(&SHARES, config)
    }

    fn among(shares: &'static Shares, config: &ProviderConfig) -> Arc<Self> {
        let limit = config.permits();
        let finds = || Mutex::new(Concurrency::new(limit, config.most_permits(), config.has_queue()));
        let share = Arc::new(Self {
            provider: config.name.clone(),
            key: name_of(config),
            first: limit,
            limit: AtomicUsize::new(limit),
            found: config.concurrency.is_none().then(finds),
            places: Arc::new(Semaphore::new(limit)),
            count: Mutex::new(Count { places: limit, excess: 0 }),
            is_shared: !config.is_loopback(),
            is_leased: AtomicBool::new(false),
            line: tokio::sync::Mutex::default(),
            waiting: AtomicUsize::new(0),
            was_used: AtomicBool::new(false),
            requests: Allowance::new(config.requests_per_minute),
            tokens: Allowance::new(config.tokens_per_minute),
            shares,
        });
        shares.enter(&share);
        share
    }

    /// Takes in how a call has ended. Where no limit is configured and no other node has a part of it, it follows from that
    /// how many calls may be made at once.
    pub(super) fn ended(&self, outcome: CallOutcome) {
        let Some(found) = &self.found else { return };
        if self.is_leased() {
            return;
        }
        let is_full = self.waiting.load(Ordering::Relaxed) > 0 || self.places.available_permits() == 0;
        let limit = {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.ended(outcome, is_full, Instant::now())
        };
        let before = self.limit.swap(limit, Ordering::Relaxed);
        if before != limit {
            tracing::debug!(provider = self.provider, before, limit, "calls at once");
            self.set_places(limit);
        }
    }

    /// How often a call counts while it is not said what may be used.
    pub(super) fn weight(&self) -> u64 {
        match self.is_shared {
            true => self.shares.nodes.load(Ordering::Relaxed).into(),
            false => 1,
        }
    }

    /// Waits for a place among the concurrent calls.
    pub(super) async fn place(&self) -> Option<OwnedSemaphorePermit> {
        let _waiting = Counted::one(&self.waiting);
        let _first = self.line.lock().await;
        if self.places.available_permits() == 0 {
            self.shares.wanted.notify_one();
        }
        loop {
            let permit = Arc::clone(&self.places).acquire_owned().await.ok()?;
            let mut count = self.count();
            if count.excess == 0 {
                return Some(permit);
            }
            // A call has ended that was one too many.
            count.excess -= 1;
            permit.forget();
        }
    }

    /// Waits until what is wanted has been handed out, as long as it is said what may be used; returns what is left.
    pub(super) async fn take(&self, wanted: &Wanted<'_>) -> u64 {
        while wanted.left() > 0 && self.is_leased() {
            let came = wanted.of.came.notified();
            wanted.less(wanted.of.use_up(wanted.left()));
            if wanted.left() > 0 {
                self.shares.wanted.notify_one();
                came.await;
            }
        }
        wanted.left()
    }

    fn is_leased(&self) -> bool {
        self.is_leased.load(Ordering::Relaxed)
    }

    fn need(&self) -> ShareNeed {
        let count = self.collected();
        let calls = self.calls(&count);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        ShareNeed {
            key: self.key.clone(),
            limit: number(self.limit()),
            held: number(calls.max(count.places)),
            wanted: number(calls + self.waiting.load(Ordering::Relaxed)),
            requests: self.requests.need(),
            tokens: self.tokens.need(),
        }
    }

    fn standing(&self) -> ShareStanding {
        let need = {
            let count = self.collected();
            let calls = self.calls(&count);
            (calls.max(count.places), calls)
        };
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        ShareStanding {
            provider: self.provider.clone(),
            limit: number(self.limit()),
            held: number(need.0),
            calls: number(need.1),
            waiting: number(self.waiting.load(Ordering::Relaxed)),
        }
    }

    /// Has so many places from now on, by what was said; returns the number of calls under way.
    fn lease(&self, places: usize) -> usize {
        self.is_leased.store(true, Ordering::Relaxed);
        // All nodes name the same limit.
        self.limit.store(self.first, Ordering::Relaxed);
        self.set_places(places)
    }

    fn limit(&self) -> usize {
        self.limit.load(Ordering::Relaxed)
    }

    /// Has an equal part from now on.
    fn lapse(&self) {
        let nodes = usize::try_from(self.shares.nodes.load(Ordering::Relaxed)).unwrap_or(1);
        self.set_places((self.first / nodes).max(1));
        self.is_leased.store(false, Ordering::Relaxed);
        self.requests.came.notify_waiters();
        self.tokens.came.notify_waiters();
    }

    fn set_places(&self, places: usize) -> usize {
        let mut count = self.collected();
        if places > count.places {
            let more = places - count.places;
            let kept = more.min(count.excess);
            count.excess -= kept;
            self.places.add_permits(more - kept);
        } else {
            let fewer = count.places - places;
            count.excess += fewer - self.places.forget_permits(fewer);
        }
        count.places = places;
        self.calls(&count)
    }

    fn calls(&self, count: &Count) -> usize {
        (count.places + count.excess).saturating_sub(self.places.available_permits())
    }

    /// The permits, when those of calls that have ended and were too many are taken back.
    fn collected(&self) -> MutexGuard<'_, Count> {
        let mut count = self.count();
        let excess = count.excess;
        count.excess -= self.places.forget_permits(excess);
        count
    }

    fn count(&self) -> MutexGuard<'_, Count> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Requests or tokens that were handed out.
pub(super) struct Allowance {
    per_minute: Option<u32>,
    given: Mutex<(u64, Option<Instant>)>,
    wanted: AtomicU64,
    came: Notify,
}

impl Allowance {
    fn new(per_minute: Option<u32>) -> Self {
        Self { per_minute, given: Mutex::default(), wanted: AtomicU64::new(0), came: Notify::new() }
    }

    /// Counts something that is waited for, where it is limited.
    pub(super) fn wanted(&self, amount: u64) -> Wanted<'_> {
        let amount = self.per_minute.map_or(0, |_| amount);
        self.wanted.fetch_add(amount, Ordering::Relaxed);
        Wanted { of: self, left: AtomicU64::new(amount) }
    }

    /// What is needed. What is left of the last time is given back.
    fn need(&self) -> Option<AllowanceNeed> {
        let per_minute = self.per_minute?;
        let wanted = self.wanted.load(Ordering::Relaxed);
        Some(AllowanceNeed { per_minute, wanted, unused: self.use_up(u64::MAX) })
    }

    fn give(&self, amount: u64, until: Instant) {
        if amount > 0 {
            *self.given() = (amount, Some(until));
            self.came.notify_waiters();
        }
    }

    /// Takes at most so much of what was handed out and may still be used.
    fn use_up(&self, most: u64) -> u64 {
        let mut given = self.given();
        if given.1.is_some_and(|until| until <= Instant::now()) {
            *given = (0, None);
        }
        let taken = given.0.min(most);
        given.0 -= taken;
        taken
    }

    fn given(&self) -> MutexGuard<'_, (u64, Option<Instant>)> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something that is counted for as long as this lives.
struct Counted<'a>(&'a AtomicUsize);

impl<'a> Counted<'a> {
    fn one(counter: &'a AtomicUsize) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(counter)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a call waits for, from before it queues.
pub(super) struct Wanted<'a> {
    of: &'a Allowance,
    left: AtomicU64,
}

impl Wanted<'_> {
    fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    fn less(&self, taken: u64) {
        self.of.wanted.fetch_sub(taken, Ordering::Relaxed);
        self.left.fetch_sub(taken, Ordering::Relaxed);
    }
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        self.less(self.left());
    }
}

/// The key of a provider, by a hash: nobody learns it from what nodes tell each other.
fn name_of(config: &ProviderConfig) -> String {
    let key = config.key.as_ref().map_or("", |key| key.expose());
    let mut hash = Sha256::new();
    for part in ["quorate provider key", &config.name, config.base_url.as_str(), key] {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize()[..16].iter().fold(String::new(), |mut name, byte| {
        // Writing to a string cannot fail.
        _ = write!(name, "{byte:02x}");
        name
    })
}

#[cfg(test)]
mod tests;
