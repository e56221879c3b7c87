//! The circuit breaker: stops requests to a provider that keeps failing.
//!
//! Each call to a server that is down takes its retries and its time limit before it fails. After several
//! failures in a row further calls fail at once, for a period that doubles each time. Then one call tests
//! whether the provider is back, and the others follow when it is: those that come while it is tried wait a
//! little for what comes of it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quorate_contract::FailureKind;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::ports::RandomSource;

/// The number of failures in a row that opens the breaker.
const FAILURES: u32 = 5;

/// How long the breaker stays open the first time.
const FIRST_PAUSE: Duration = Duration::from_secs(15);

/// The most that the time without calls grows to.
const LONGEST_PAUSE: Duration = Duration::from_secs(4 * 60);

/// How long a call waits for the one that tests the provider.
const LONGEST_TRIAL: Duration = Duration::from_secs(15);

/// Counts one provider's failures in a row.
#[derive(Default)]
pub(crate) struct Breaker {
    state: Mutex<State>,
    /// Tells that a test has ended.
    tested: Notify,
    random: RandomSource,
}

#[derive(Default)]
struct State {
    /// Calls that failed since one worked.
    failures: u32,
    /// The kind of the last failure.
    kind: Option<FailureKind>,
    /// How often the breaker has opened since a call succeeded.
    pauses: u32,
    /// While it is open: when the provider is tried again.
    until: Option<Instant>,
    /// Whether a call is testing the provider.
    tried: bool,
    /// Until when it was to be left alone, where somebody has it tried before.
    asked_before: Option<Instant>,
}

/// What is kept of a breaker when its owner stores it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BreakerState {
    /// Calls that failed since one worked.
    pub failures: u32,
    /// How often it has opened since then.
    pub pauses: u32,
    /// While it is open: how long it stays so; 0 when a call may test it.
    pub wait: Option<Duration>,
}

/// The breaker is open: the provider is not called now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenBreaker {
    /// Calls that failed since one worked.
    pub(crate) failures: u32,
    /// The kind of the last failure.
    pub(crate) kind: FailureKind,
    /// Until it is tried again; 0 while it is being tried.
    pub(crate) wait: Duration,
}

impl Breaker {
    /// One that draws its random numbers there.
    pub(crate) fn with(random: RandomSource) -> Self {
        Self { random, ..Self::default() }
    }

    /// Lets a call through, or says why not.
    pub(crate) fn enter(&self) -> Result<Admission<'_>, OpenBreaker> {
        let mut state = self.state();
        if let Some(open) = state.open() {
            return Err(open);
        }
        let tries = state.until.is_some();
        state.tried = tries;
        Ok(Admission { breaker: self, tries })
    }

    /// The same; while another call tests the provider, waits some seconds for its end, and at most half of the time that
    /// is left until `deadline`.
    pub(crate) async fn enter_after_test(&self, deadline: Instant) -> Result<Admission<'_>, OpenBreaker> {
        let now = Instant::now();
        let deadline = now + (deadline.saturating_duration_since(now) / 2).min(LONGEST_TRIAL);
        loop {
            let tested = self.tested.notified();
            let mut tested = std::pin::pin!(tested);
            tested.as_mut().enable();
            match self.enter() {
                Err(open) if open.wait.is_zero() => {
                    if timeout_at(deadline, tested).await.is_err() {
                        return Err(open);
                    }
                }
                entered => return entered,
            }
        }
    }

    /// The open state; `None` when a call would be let through now.
    pub(crate) fn open(&self) -> Option<OpenBreaker> {
        self.state().open()
    }

    /// Lets the next call test the provider, however long it was to be left alone.
    pub(crate) fn try_now(&self) {
        let mut state = self.state();
        if let Some(until) = state.until.filter(|until| *until > Instant::now()) {
            state.asked_before.get_or_insert(until);
            state.until = Some(Instant::now());
        }
    }

    /// Lets all calls through: the provider was seen to work.
    pub(crate) fn close(&self) {
        *self.state() = State::default();
        self.tested.notify_waiters();
    }

    /// What is to be kept of it.
    pub(crate) fn kept(&self) -> BreakerState {
        let state = self.state();
        let wait = state.until.map(|until| until.saturating_duration_since(Instant::now()));
        BreakerState { failures: state.failures, pauses: state.pauses, wait }
    }

    /// Goes on from what was kept of it. It stays open for no longer than it can open by itself.
    pub(crate) fn restore(&self, kept: BreakerState) {
        let until = kept.wait.map(|wait| Instant::now() + wait.min(LONGEST_PAUSE));
        let BreakerState { failures, pauses, .. } = kept;
        *self.state() = State { failures, kind: None, pauses, until, ..State::default() };
    }

    /// The number of failures in a row.
    pub(crate) fn failures(&self) -> u32 {
        self.state().failures
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn open(&self) -> Option<OpenBreaker> {
        let wait = self.until?.saturating_duration_since(Instant::now());
        let kind = self.kind.unwrap_or(FailureKind::Overloaded);
        (self.tried || !wait.is_zero()).then_some(OpenBreaker { failures: self.failures, kind, wait })
    }

    fn failed(&mut self, kind: FailureKind, tries: bool, random: &RandomSource) {
        self.failures = self.failures.saturating_add(1);
        self.kind = Some(kind);
        // Whoever cannot wait makes nobody else wait longer.
        if tries && let Some(until) = self.asked_before.take() {
            self.until = Some(until);
            return;
        }
        // Calls that were in flight when it opened change nothing.
        if tries || (self.until.is_none() && self.failures >= FAILURES) {
            let pause = FIRST_PAUSE.saturating_mul(2u32.saturating_pow(self.pauses)).min(LONGEST_PAUSE);
            self.pauses += 1;
            self.until = Some(Instant::now() + pause.mul_f64(1.0 - jitter(random)));
        }
    }
}

/// Up to a quarter, so that programs that failed together do not come back together.
fn jitter(random: &RandomSource) -> f64 {
    f64::from(random.next(0)) / f64::from(u32::MAX) / 4.0
}

/// One call that was let through. Dropped without a result, it has tested nothing.
pub(crate) struct Admission<'a> {
    breaker: &'a Breaker,
    /// Whether the call tests if the provider is back.
    tries: bool,
}

impl Admission<'_> {
    /// The provider was there: it answered, or refused for a reason of its own.
    pub(crate) fn worked(self) {
        self.breaker.close();
    }

    /// The call failed in this way. Overload, network and silence count; all else is an answer.
    pub(crate) fn failed(self, kind: FailureKind) {
        use FailureKind::{Network, Overloaded, TimedOut};
        match kind {
            Overloaded | Network | TimedOut => {
                self.breaker.state().failed(kind, self.tries, &self.breaker.random)
            }
            _ => self.worked(),
        }
    }
}

impl Drop for Admission<'_> {
    fn drop(&mut self) {
        if self.tries {
            self.breaker.state().tried = false;
            self.breaker.tested.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    fn fail(breaker: &Breaker, kind: FailureKind) {
        breaker.enter().expect("it is closed").failed(kind);
    }

    fn wait(breaker: &Breaker) -> Duration {
        breaker.open().expect("it is open").wait
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_failures_in_a_row_and_only_after_those_that_tell_of_the_provider() {
        let breaker = Breaker::default();
        for _ in 0..3 {
            for _ in 0..FAILURES - 1 {
                fail(&breaker, FailureKind::Overloaded);
            }
            fail(&breaker, FailureKind::RateLimit);
        }
        for _ in 0..FAILURES {
            assert_eq!(breaker.open(), None);
            fail(&breaker, FailureKind::Network);
        }
        let open = breaker.enter().err().expect("it is open");
        assert_eq!((open.failures, open.kind), (5, FailureKind::Network));
        assert!(open.wait <= FIRST_PAUSE && open.wait >= FIRST_PAUSE * 3 / 4, "{:?}", open.wait);
    }

    #[tokio::test(start_paused = true)]
    async fn one_call_tries_and_the_rest_doubles_up_to_four_minutes_until_it_works() {
        let breaker = Breaker::default();
        (0..FAILURES).for_each(|_| fail(&breaker, FailureKind::TimedOut));
        for bound in [15, 30, 60, 120, 240, 240] {
            let pause = wait(&breaker);
            let bound = Duration::from_secs(bound);
            assert!(pause <= bound && pause >= bound * 3 / 4, "{pause:?} of {bound:?}");
            advance(pause).await;
            let trial = breaker.enter().expect("one may try");
            assert!(breaker.enter().is_err(), "and only one");
            trial.failed(FailureKind::Overloaded);
        }
        advance(LONGEST_PAUSE).await;
        drop(breaker.enter().expect("a trial that is given up"));
        breaker.enter().expect("frees the way for another").worked();
        assert_eq!((breaker.open(), breaker.failures()), (None, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn somebody_who_cannot_wait_has_it_tried_once() {
        let breaker = Breaker::default();
        breaker.try_now();
        assert_eq!(breaker.open(), None);
        (0..FAILURES).for_each(|_| fail(&breaker, FailureKind::Network));
        breaker.try_now();
        let trial = breaker.enter().expect("one may try");
        breaker.try_now();
        assert!(breaker.enter().is_err(), "and only one");
        trial.failed(FailureKind::Network);
        assert!(wait(&breaker) <= FIRST_PAUSE, "nobody else waits longer for it");
        advance(wait(&breaker)).await;
        fail(&breaker, FailureKind::Network);
        assert!(wait(&breaker) > FIRST_PAUSE, "the second pause");
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_while_the_provider_is_tested_waits_for_what_comes_of_it() {
        let far = || Instant::now() + Duration::from_secs(600);
        let breaker = Breaker::default();
        (0..FAILURES).for_each(|_| fail(&breaker, FailureKind::Network));
        advance(wait(&breaker)).await;
        let trial = breaker.enter().expect("one may try");
        let (entered, ()) = tokio::join!(breaker.enter_after_test(far()), async { trial.worked() });
        entered.expect("the provider is back").worked();

        (0..FAILURES).for_each(|_| fail(&breaker, FailureKind::Network));
        advance(wait(&breaker)).await;
        let trial = breaker.enter().expect("one may try");
        let fails = async { trial.failed(FailureKind::Network) };
        let (entered, ()) = tokio::join!(breaker.enter_after_test(far()), fails);
        assert!(!entered.err().expect("it is still away").wait.is_zero());

        advance(wait(&breaker)).await;
        let trial = breaker.enter().expect("one may try");
        let before = Instant::now();
        let open = breaker.enter_after_test(far()).await.err().expect("the test goes on");
        assert!(open.wait.is_zero() && before.elapsed() >= LONGEST_TRIAL, "{:?}", before.elapsed());
        drop(trial);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_kept_of_it_goes_on_where_it_was() {
        let before = Breaker::default();
        (0..FAILURES).for_each(|_| fail(&before, FailureKind::Network));
        advance(wait(&before)).await;
        before.enter().expect("a trial").failed(FailureKind::Network);
        let kept = before.kept();
        assert_eq!((kept.failures, kept.pauses), (6, 2));
        let after = Breaker::default();
        after.restore(kept);
        assert_eq!((after.failures(), wait(&after)), (6, wait(&before)));
        advance(wait(&after)).await;
        let trial = after.enter().expect("one may try");
        assert!(after.enter().is_err(), "and only one");
        trial.failed(FailureKind::Network);
        assert!(wait(&after) >= Duration::from_secs(45), "the third pause, not the first");
        // A clock that went back keeps nobody waiting for days.
        after.restore(BreakerState { wait: Some(Duration::from_secs(1_000_000)), ..kept });
        assert_eq!(wait(&after), LONGEST_PAUSE);
        after.restore(BreakerState::default());
        assert_eq!((after.open(), after.failures()), (None, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn calls_under_way_when_it_opens_neither_lengthen_the_rest_nor_are_lost() {
        let breaker = Breaker::default();
        let under_way: Vec<_> = (0..7).map(|_| breaker.enter().expect("closed")).collect();
        let mut rest = Duration::ZERO;
        for (number, pass) in under_way.into_iter().enumerate() {
            if number == 6 {
                pass.worked();
                break;
            }
            pass.failed(FailureKind::Network);
            rest = if number == 4 { wait(&breaker) } else { rest };
        }
        assert!(rest > Duration::ZERO);
        assert_eq!(breaker.open(), None, "an answer is an answer");
    }
}
