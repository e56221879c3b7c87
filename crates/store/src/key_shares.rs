//! How the limits of a provider's key are divided among the processes that share a database.
//!
//! Pure: what each process wants comes in with the time of the database, what it may use goes out. All processes together
//! never have more than the limit, because nobody is given a place that another one still holds: a process that is to give
//! places up starts no new calls first, and says then that it has fewer. Requests and tokens in a minute lie in a bucket, of
//! which each process takes what it sends within [`RATE_HOLD_MS`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How long requests and tokens that were handed out may be used. What is left then is gone.
pub const RATE_HOLD_MS: i64 = 3_000;
/// The time in which a bucket is refilled, in milliseconds: a minute, the time for which what was handed out may be kept, and
/// one second for the way.
const REFILL_MS: u64 = 60_000 + RATE_HOLD_MS.unsigned_abs() + 1_000;

/// What a process says of a provider's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyNeed {
    /// The key, by a hash.
    pub key: String,
    /// The limit of concurrent calls, as this process is configured.
    pub limit: u32,
    /// The number of concurrent calls that it makes, or may make without asking again.
    pub held: u32,
    /// The number of concurrent calls that it could make: those it makes, and those that wait.
    pub wanted: u32,
    /// Requests in a minute, where they are limited.
    pub requests: Option<RateNeed>,
    /// Tokens in a minute, where they are limited.
    pub tokens: Option<RateNeed>,
}

/// What a process says of something of which there is so much in a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateNeed {
    /// The limit, as this process is configured.
    pub per_minute: u32,
    /// What waits for it.
    pub wanted: u64,
    /// What was handed out less than [`RATE_HOLD_MS`] ago and was not used. It goes back.
    pub unused: u64,
}

/// What a process may use of a provider's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyShare {
    /// The key, by the same hash.
    pub key: String,
    /// The number of concurrent calls.
    pub places: u32,
    /// Further requests.
    pub requests: u64,
    /// Further tokens.
    pub tokens: u64,
}

/// What is stored of a key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SharedKey {
    /// By the tokens of processes.
    #[serde(default)]
    holders: BTreeMap<String, Holder>,
    #[serde(default)]
    requests: Option<Bucket>,
    #[serde(default)]
    tokens: Option<Bucket>,
}

/// A process that uses a key, or waits for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Holder {
    limit: u32,
    held: u32,
    wanted: u32,
    /// Since when it has had places without a break, or has had none.
    since_ms: i64,
    requests: Waiting,
    tokens: Waiting,
}

/// What a process waits for of what is limited in a minute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Waiting {
    per_minute: u32,
    wanted: u64,
    said_ms: i64,
    /// What it was given since it waits, counted from what those had been given who waited then.
    served: u64,
}

/// What is left of the present minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Bucket {
    /// In parts of which [`REFILL_MS`] are one.
    level: u64,
    at_ms: i64,
}

impl SharedKey {
    /// Hears what a process needs and says what it may use. `is_alive` is about the tokens of processes: what those hold whose
    /// lease has passed is free.
    pub(crate) fn exchange(
        &mut self,
        now_ms: i64,
        is_alive: impl Fn(&str) -> bool,
        token: &str,
        need: &KeyNeed,
    ) -> KeyShare {
        self.holders.retain(|holder, _| holder == token || is_alive(holder));
        let places = self.places(now_ms, token, need);
        let requests = need.requests.map_or(0, |rate| {
            take(&mut self.requests, &mut self.holders, |holder| &mut holder.requests, now_ms, token, rate)
        });
        let tokens = need.tokens.map_or(0, |rate| {
            take(&mut self.tokens, &mut self.holders, |holder| &mut holder.tokens, now_ms, token, rate)
        });
        KeyShare { key: need.key.clone(), places, requests, tokens }
    }

    fn places(&mut self, now_ms: i64, token: &str, need: &KeyNeed) -> u32 {
        let mine = self
            .holders
            .entry(token.to_owned())
            .or_insert_with(|| Holder { since_ms: now_ms, ..Holder::default() });
        (mine.limit, mine.wanted) = (need.limit, need.wanted);
        mine.hold(need.held, now_ms);
        let limit = self.holders.values().map(|holder| holder.limit).min().unwrap_or(0);
        // Where there are more processes than places, those go first that have waited longest, and those that have had theirs
        // longest give way.
        let mut order: Vec<(&str, &Holder)> =
            self.holders.iter().map(|(token, holder)| (token.as_str(), holder)).collect();
        order.sort_by_key(|(_, holder)| match holder.held {
            0 => (false, holder.since_ms),
            _ => (true, -holder.since_ms),
        });
        let wants: Vec<u64> = order.iter().map(|(_, holder)| holder.wanted.into()).collect();
        let targets = with_spare(limit.into(), &wants);
        let place = order.iter().position(|(holder, _)| *holder == token).unwrap_or(0);
        let target = u32::try_from(targets[place]).unwrap_or(u32::MAX);
        let others: u64 = order
            .iter()
            .filter(|(holder, _)| *holder != token)
            .map(|(_, holder)| u64::from(holder.held))
            .sum();
        // Whoever comes first in the order has what is free first, also when it asks later.
        let before = order.iter().zip(&targets).take(place);
        let owed: u64 = before.map(|((_, holder), target)| target.saturating_sub(holder.held.into())).sum();
        let free = u64::from(limit).saturating_sub(others + owed);
        let places = match target > need.held {
            true => target.min(u32::try_from(free).unwrap_or(u32::MAX)).max(need.held),
            false => target,
        };
        if let Some(mine) = self.holders.get_mut(token) {
            // What it is to give up it has until it says otherwise.
            mine.hold(need.held.max(places), now_ms);
        }
        places
    }
}

impl Holder {
    fn hold(&mut self, held: u32, now_ms: i64) {
        if (self.held == 0) != (held == 0) {
            self.since_ms = now_ms;
        }
        self.held = held;
    }
}

/// Takes the share of a process out of a bucket.
fn take(
    bucket: &mut Option<Bucket>,
    holders: &mut BTreeMap<String, Holder>,
    of: impl Fn(&mut Holder) -> &mut Waiting,
    now_ms: i64,
    token: &str,
    rate: RateNeed,
) -> u64 {
    // Whoever has said nothing for a while waits no more.
    let speaks = |one: &Waiting| one.per_minute > 0 && now_ms - one.said_ms <= RATE_HOLD_MS;
    let waits = |one: &Waiting| speaks(one) && one.wanted > 0;
    let least = holders.values_mut().map(|holder| *of(holder)).filter(waits).map(|one| one.served).min();
    if let Some(mine) = holders.get_mut(token) {
        let mine = of(mine);
        if !waits(mine) {
            mine.served = mine.served.max(least.unwrap_or(0));
        }
        (mine.per_minute, mine.wanted, mine.said_ms) = (rate.per_minute, rate.wanted, now_ms);
    }
    let mut waiting: Vec<(String, Waiting)> =
        holders.iter_mut().map(|(token, holder)| (token.clone(), *of(holder))).collect();
    waiting.retain(|(_, one)| speaks(one));
    // What is left over from even parts goes to whoever had least.
    waiting.sort_by_key(|(_, one)| one.served);
    let per_minute = waiting.iter().map(|(_, one)| one.per_minute).min().unwrap_or(rate.per_minute);
    let bucket = bucket.get_or_insert(Bucket::full(per_minute, now_ms));
    bucket.refill(per_minute, now_ms, rate.unused);
    let wants: Vec<u64> = waiting.iter().map(|(_, one)| one.wanted).collect();
    let parts = divide(bucket.whole(), &wants);
    let place = waiting.iter().position(|(holder, _)| holder == token);
    let given = place.and_then(|place| parts.get(place)).copied().unwrap_or(0);
    bucket.level -= given * REFILL_MS;
    if let Some(mine) = holders.get_mut(token) {
        let mine = of(mine);
        mine.wanted -= given;
        mine.served += given;
    }
    given
}

impl Bucket {
    /// A third goes at once; the rest is spread over the minute.
    fn at_once(per_minute: u32) -> u64 {
        u64::from(per_minute.div_ceil(3))
    }

    fn full(per_minute: u32, now_ms: i64) -> Self {
        Self { level: Self::at_once(per_minute) * REFILL_MS, at_ms: now_ms }
    }

    fn refill(&mut self, per_minute: u32, now_ms: i64, returned: u64) {
        let at_once = Self::at_once(per_minute);
        let refilled = u64::from(per_minute) - at_once + 1;
        // A clock that is set back refills nothing.
        let elapsed = u64::try_from(now_ms - self.at_ms).unwrap_or(0).min(REFILL_MS);
        let returned = returned.min(at_once);
        self.level = (self.level + elapsed * refilled + returned * REFILL_MS).min(at_once * REFILL_MS);
        self.at_ms = now_ms;
    }

    fn whole(&self) -> u64 {
        self.level / REFILL_MS
    }
}

/// Divides so much among those who want it, as evenly as their wants allow: nobody gets more than it wants, and nobody less
/// than another one that gets more than it wants itself. What is left over from even parts goes to the first ones.
fn divide(amount: u64, wants: &[u64]) -> Vec<u64> {
    let mut parts = vec![0; wants.len()];
    let mut order: Vec<usize> = (0..wants.len()).collect();
    order.sort_by_key(|place| wants[*place]);
    let mut left = amount;
    for (done, place) in order.iter().enumerate() {
        let among = (order.len() - done) as u64;
        if wants[*place] > left / among {
            // All that remain want more than an even part. The first ones get the remainder.
            let mut rest = order[done..].to_vec();
            rest.sort_unstable();
            for (before, place) in (0u64..).zip(rest) {
                parts[place] = left / among + u64::from(before < left % among);
            }
            return parts;
        }
        parts[*place] = wants[*place];
        left -= wants[*place];
    }
    parts
}

/// The same, and half of what nobody wants is divided evenly among those who want something: their next calls need not wait,
/// and whoever comes finds something as well.
fn with_spare(amount: u64, wants: &[u64]) -> Vec<u64> {
    let mut parts = divide(amount, wants);
    let left = amount - parts.iter().sum::<u64>();
    let wanting = wants.iter().filter(|want| **want > 0).count() as u64;
    if let Some(spare) = (left / 2).checked_div(wanting) {
        parts.iter_mut().zip(wants).filter(|(_, want)| **want > 0).for_each(|(part, _)| *part += spare);
    }
    parts
}

#[cfg(test)]
mod tests;
