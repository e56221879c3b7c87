//! Rate limits of a provider: our own, and those that the provider announces.
//!
//! The limits belong to one key, so all meetings of this program wait in one queue, in order of arrival. No
//! minute exceeds the limit: a third may be sent at once, and the rest is spread over the minute.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::{Instant, sleep, sleep_until};

use super::share::Share;
use crate::provider::ProviderConfig;

/// The most that a provider's word keeps others from asking it.
const LONGEST_CLOSURE: Duration = Duration::from_secs(600);

/// The limits of one key of one provider.
pub(crate) struct Limits {
    requests: Option<Rate>,
    tokens: Option<Rate>,
    /// What this process has of them.
    share: Arc<Share>,
    /// The end of a wait that the provider has asked for.
    closed_until: Mutex<Option<Instant>>,
    /// The queue: the holder of the lock waits for the limits, and the others wait for the lock.
    line: tokio::sync::Mutex<()>,
}

impl Limits {
    pub(super) fn new(config: &ProviderConfig, share: Arc<Share>) -> Self {
        Self {
            requests: config.requests_per_minute.and_then(Rate::new),
            tokens: config.tokens_per_minute.and_then(Rate::new),
            share,
            closed_until: Mutex::default(),
            line: tokio::sync::Mutex::default(),
        }
    }

    /// Whether there is a limit on tokens.
    pub(crate) fn counts_tokens(&self) -> bool {
        self.tokens.is_some()
    }

    /// Waits until a request of about `tokens` tokens may be sent, and returns whether it had to wait for a
    /// limit of the provider. Dropping it gives up the place in the queue.
    pub(crate) async fn pass(&self, tokens: u64) -> bool {
        if self.requests.is_none() && self.tokens.is_none() && self.closed_for().is_none() {
            return false;
        }
        let requests = self.share.requests.wanted(1);
        let tokens = self.share.tokens.wanted(tokens);
        let _first = self.line.lock().await;
        let mut was_closed = self.opened().await;
        for (rate, wanted) in [(&self.requests, requests), (&self.tokens, tokens)] {
            let Some(rate) = rate else { continue };
            // What nobody hands out is counted here.
            let left = self.share.take(&wanted).await;
            rate.take(left.saturating_mul(self.share.weight())).await;
        }
        // It may have closed in the meantime.
        was_closed |= self.opened().await;
        was_closed
    }

    /// Waits until the provider may be asked by its own word; says whether it had to.
    async fn opened(&self) -> bool {
        let mut waited = false;
        while let Some(wait) = self.closed_for() {
            waited = true;
            sleep(wait).await;
        }
        waited
    }

    /// Stops all requests for this long; a longer wait that was announced before stays.
    pub(crate) fn close(&self, wait: Duration) {
        let until = Instant::now() + wait.min(LONGEST_CLOSURE);
        let mut closed = self.closed_until.lock().unwrap_or_else(PoisonError::into_inner);
        *closed = Some(closed.map_or(until, |before| before.max(until)));
    }

    /// The remaining wait that the provider has asked for.
    pub(crate) fn closed_for(&self) -> Option<Duration> {
        let closed = self.closed_until.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = (*closed)?.saturating_duration_since(Instant::now());
        (!wait.is_zero()).then_some(wait)
    }
}

/// Something of which there is so much in a minute.
struct Rate {
    limiter: RateLimiter<NotKeyed, InMemoryState, MonotonicTime, NoOpMiddleware<Duration>>,
    at_once: NonZeroU32,
}

impl Rate {
    fn new(per_minute: u32) -> Option<Self> {
        let at_once = NonZeroU32::new(per_minute.div_ceil(3))?;
        let refilled = per_minute - at_once.get() + 1;
        let quota = Quota::with_period(Duration::from_secs(60) / refilled)?.allow_burst(at_once);
        let clock = MonotonicTime(Instant::now());
        Some(Self { limiter: RateLimiter::direct_with_clock(quota, clock), at_once })
    }

    /// Takes so much of it, waiting as long as that takes; more than goes at once in several helpings.
    async fn take(&self, mut amount: u64) {
        while amount > 0 {
            let some = u32::try_from(amount).unwrap_or(u32::MAX).min(self.at_once.get());
            let helping = NonZeroU32::new(some).unwrap_or(NonZeroU32::MIN);
            match self.limiter.check_n(helping) {
                Ok(Ok(())) => amount -= u64::from(helping.get()),
                Ok(Err(not_yet)) => {
                    let clock = self.limiter.clock();
                    sleep_until(clock.0 + not_yet.wait_time_from(clock.now()) + clock.now()).await;
                }
                // A helping is never more than goes at once.
                Err(_) => return,
            }
        }
    }
}

/// The time since it was made, by the same clock as everything that is waited for here.
struct MonotonicTime(Instant);

impl Clock for MonotonicTime {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(requests: Option<u32>, tokens: Option<u32>) -> Limits {
        let mut config = ProviderConfig::new("lab", "https://h/v1".parse().expect("a URL"));
        (config.requests_per_minute, config.tokens_per_minute) = (requests, tokens);
        Limits::new(&config, Share::of(&config))
    }

    /// The times at which `count` requests are sent, if all arrive at once.
    async fn times(limits: &Limits, count: usize, tokens: u64) -> Vec<Duration> {
        let started = Instant::now();
        let mut times = Vec::new();
        for _ in 0..count {
            limits.pass(tokens).await;
            times.push(started.elapsed());
        }
        times
    }

    #[tokio::test(start_paused = true)]
    async fn no_minute_sees_more_requests_than_are_allowed_and_few_less() {
        for allowed in [1, 2, 3, 10, 60, 1000] {
            let times = times(&limits(Some(allowed), None), 4 * allowed as usize, 0).await;
            for (number, start) in times.iter().enumerate() {
                let within = |time: &&Duration| **time < *start + Duration::from_secs(60);
                let seen = times[number..].iter().take_while(within).count();
                assert!(seen <= allowed as usize, "{seen} in the minute from {start:?}, of {allowed}");
            }
            let last = times[times.len() - 1];
            assert!(last <= Duration::from_secs(60 * 7), "{allowed}: {last:?}");
        }
        let all = times(&limits(None, None), 100, 1_000_000).await;
        assert!(all.iter().all(Duration::is_zero), "no limit, no wait");
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_larger_than_a_minutes_tokens_goes_through_and_is_paid_for() {
        let limits = limits(None, Some(3_000));
        let times = times(&limits, 3, 6_000).await;
        assert!(times[0] >= Duration::from_secs(120) && times[0] < Duration::from_secs(180), "{times:?}");
        assert!(times[2] >= times[0] + Duration::from_secs(240), "{times:?}");
        let small = self::limits(None, Some(3_000));
        assert!(self::times(&small, 10, 100).await[9].is_zero(), "a third goes at once");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_comes_first_goes_first_and_a_place_that_is_given_up_holds_nobody() {
        let limits = limits(None, Some(600));
        limits.pass(200).await;
        let large = limits.pass(600);
        let small = limits.pass(1);
        futures::pin_mut!(large, small);
        assert!(futures::poll!(&mut large).is_pending());
        assert!(futures::poll!(&mut small).is_pending(), "it does not overtake");
        let order = tokio::select! { biased; _ = &mut small => "small", _ = &mut large => "large" };
        assert_eq!(order, "large");
        small.await;
        {
            let given_up = limits.pass(60_000);
            futures::pin_mut!(given_up);
            assert!(futures::poll!(&mut given_up).is_pending());
        }
        let started = Instant::now();
        limits.pass(1).await;
        assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn the_providers_word_holds_for_all_and_for_ten_minutes_at_most() {
        let limits = limits(None, None);
        limits.close(Duration::from_secs(30));
        limits.close(Duration::from_secs(5));
        let started = Instant::now();
        assert!(futures::join!(limits.pass(0), limits.pass(0)).0);
        assert_eq!(started.elapsed().as_secs(), 30);
        assert!(!limits.pass(0).await, "it is open again");
        limits.close(Duration::from_secs(86_400));
        assert_eq!(limits.closed_for(), Some(LONGEST_CLOSURE));
    }
}
