//! Outages: no provider is reachable. The meeting waits and retries, with growing intervals, before it
//! pauses.
//!
//! A call that failed because its provider was unreachable, or asked to slow down, is held and not counted,
//! when that is true for all participants that could go on in its place. After a while one of the held calls
//! is made as a test; when it is answered, the others follow. Participants with a reachable provider go on in
//! the meantime. After `limits.provider_wait_ms` the meeting pauses, and the held calls are made when it is
//! resumed; at the end, the rules write the missing records.

use quorate_contract::{
    Delivered, EventBody, FailureKind, MeetingOutcome, PauseReason, Phrase, ProviderWaitEndReason, TaskId,
    Timestamp,
};

use super::pause;
use crate::decide::transaction::Transaction;
use crate::policy::availability::{is_everybody_out, is_out, name_of, tries_now};
use crate::policy::pending::wanted;
use crate::state::tasks::{is_request, runner};
use crate::state::{Meeting, Phase, RunState};

/// The first gap between two tries; it doubles with each.
const FIRST_GAP_MS: u64 = 5_000;
/// The longest interval between two attempts.
const LONGEST_GAP_MS: u64 = 60_000;

/// The unreachable provider behind a failure.
struct Unreachable<'f> {
    kind: FailureKind,
    detail: &'f Phrase,
    hint: &'f Phrase,
    /// Before this time has passed, it would not even be asked.
    retry_after_ms: u64,
}

/// The effect of a failure on the wait for providers.
pub(crate) enum Outage {
    /// None: the failure counts.
    No,
    /// The call is held, and made again at this time.
    Wait(Box<EventBody>),
    /// The call is held, and the meeting has waited long enough.
    GiveUp,
    /// The failure counts, and the meeting has waited long enough.
    GoOn,
}

/// The effect on the wait of a call that was answered, or has failed.
pub(crate) fn of(t: &Transaction, task: TaskId, what: &Delivered, retry_after_ms: Option<u64>) -> Outage {
    let Some(failure) = unreachable(what, retry_after_ms) else { return Outage::No };
    let m = &t.meeting;
    let limit_ms = m.rules().limits.provider_wait_ms;
    if limit_ms == 0 || m.run_state != RunState::Running || m.waited_in_vain || is_cut_short(m) {
        return Outage::No;
    }
    let Some(asked) = runner(m, task) else { return Outage::No };
    let mut out = m.unreachable.clone();
    out.extend(name_of(asked, failure.kind));
    if !is_everybody_out(m, &out) {
        return Outage::No;
    }
    let (since, tries) = m.provider_wait.as_ref().map_or((t.now, 0), |wait| (wait.since, wait.tries));
    let gives_up_at = since.plus_ms(limit_ms);
    // A call from before the wait tells nothing about the last attempt.
    let began = m.provider_wait.as_ref().map(|wait| wait.tried_at);
    let is_try = began.is_none_or(|began| m.calls.get(&task).is_none_or(|call| call.since >= began));
    if is_try && m.provider_wait.is_some() && t.now >= gives_up_at {
        let writes_by_rules = matches!(m.phase, Phase::Closing { .. }) || is_request(m, task);
        return if writes_by_rules { Outage::GoOn } else { Outage::GiveUp };
    }
    let tries = if is_try { tries + 1 } else { tries };
    let next_try_at = next_try(t.now, tries, gives_up_at, failure.retry_after_ms);
    let next_try_at = m.provider_wait.as_ref().map_or(next_try_at, |wait| next_try_at.max(wait.next_try_at));
    Outage::Wait(Box::new(EventBody::ProviderWaitStarted {
        waiting_for: out.into_iter().collect(),
        kind: failure.kind,
        detail: failure.detail.clone(),
        hint: failure.hint.clone(),
        tries,
        next_try_at,
        gives_up_at,
    }))
}

/// The time of the next attempt: after an interval that grows, and not before the provider accepts calls.
fn next_try(now: Timestamp, tries: u32, gives_up_at: Timestamp, retry_after_ms: u64) -> Timestamp {
    let doubled = FIRST_GAP_MS.saturating_mul(1 << tries.saturating_sub(1).min(10));
    let after_gap = now.plus_ms(doubled.min(LONGEST_GAP_MS)).min(gives_up_at.max(now.plus_ms(1)));
    after_gap.max(now.plus_ms(retry_after_ms))
}

/// A call is held: says until when, unless that is known.
pub(crate) fn wait(t: &mut Transaction, started: EventBody) {
    let known = match (&t.meeting.provider_wait, &started) {
        (Some(wait), EventBody::ProviderWaitStarted { tries, next_try_at, waiting_for, .. }) => {
            wait.tries == *tries && wait.next_try_at == *next_try_at && wait.waiting_for == *waiting_for
        }
        _ => false,
    };
    if !known {
        t.emit(started);
    }
}

/// Ends a wait that was too long: pauses, and asks a person to look after it.
pub(crate) fn give_up(t: &mut Transaction) {
    end(t, ProviderWaitEndReason::GaveUp);
    pause::ask(t, PauseReason::NobodyAnswered, Vec::new());
}

/// The wait is over.
pub(crate) fn end(t: &mut Transaction, reason: ProviderWaitEndReason) {
    if t.meeting.provider_wait.is_some() {
        t.emit(EventBody::ProviderWaitEnded { reason });
    }
}

/// Ends the wait after a call that did not fail because of its provider: it may be reachable again.
pub(crate) fn look_again(t: &mut Transaction) {
    if !is_everybody_out(&t.meeting, &t.meeting.unreachable) {
        end(t, ProviderWaitEndReason::Reachable);
    }
}

/// Whether a call has to wait: its time has not come, or another one is the test.
pub(super) fn holds(m: &Meeting, task: TaskId, now: Timestamp) -> bool {
    let Some(wait) = m.provider_wait.as_ref().filter(|_| m.run_state == RunState::Running) else {
        return false;
    };
    is_out(m, task) && (now < wait.next_try_at || tries_now(m))
}

/// Ends a wait for providers that are not needed any more: others are asked.
pub(super) fn drop_unneeded(t: &mut Transaction) {
    let waits = t.meeting.run_state == RunState::Running && t.meeting.provider_wait.is_some();
    if waits && !wanted(&t.meeting).into_iter().any(|task| is_out(&t.meeting, task)) {
        end(t, ProviderWaitEndReason::Reachable);
    }
}

/// Whether the meeting is ending at once, with what there is.
fn is_cut_short(m: &Meeting) -> bool {
    match &m.phase {
        Phase::Closing { outcome } => matches!(outcome, MeetingOutcome::Aborted(_)) || m.ended_by.is_some(),
        Phase::Blank | Phase::Draft | Phase::Ended { .. } => true,
        Phase::Preparation | Phase::Discussion | Phase::Summary | Phase::Ballot | Phase::Facilitation => {
            false
        }
    }
}

fn unreachable(what: &Delivered, retry_after_ms: Option<u64>) -> Option<Unreachable<'_>> {
    let Delivered::Failed { kind, detail, hint, .. } = what else { return None };
    let tells = match kind {
        FailureKind::Network | FailureKind::Overloaded | FailureKind::RateLimit => true,
        // A model may be slow with one prompt; a provider with an open circuit breaker answers no call.
        FailureKind::TimedOut => retry_after_ms.is_some(),
        FailureKind::Authentication | FailureKind::Quota | FailureKind::ModelUnknown => false,
        FailureKind::ContextTooLong | FailureKind::ContentRefused | FailureKind::BadRequest => false,
        FailureKind::Malformed | FailureKind::Empty | FailureKind::NotConfigured => false,
        FailureKind::Left | FailureKind::Budget | FailureKind::AgentFailed => false,
    };
    let retry_after_ms = retry_after_ms.unwrap_or(0);
    tells.then_some(Unreachable { kind: *kind, detail, hint, retry_after_ms })
}
