//! The failure policy: what is done about a failed call before the failure counts.
//!
//! There are three actions; the first and the last are taken at most once for a task:
//! - `Again`: it is unknown whether the work was done, and there is time for as much as it took. It may be
//!   paid twice, so a call that died with its process counts as the one repetition that there is: it is
//!   always made again, and a doubtful end of that one is final.
//! - `Shorter`: the context did not fit, and the record can be given in fewer words; again, until it fits or
//!   nothing is left to cut.
//! - `Fallback`: another model is asked, with the full time, when there is one and it can help.
//!
//! Actions taken before a fallback are not repeated for it. All of this is read from `call_ended`, so that it
//! is the same after a crash, in a replay and in a fork.

use quorate_contract::{CallEnd, ContextWindowObservation, Delivered, FailureAction, FailureKind, TaskId};

use crate::accounting::budget;
use crate::prompt;
use crate::state::{Meeting, tasks};

/// How often a task's context is shortened; the steps are so large that more would not help.
const SHORTER_MAX: u32 = 6;

/// The action for a failure that is about to count; `None` lets it count.
pub(crate) fn of(
    m: &Meeting,
    task: TaskId,
    what: &Delivered,
    latency_ms: u64,
    window: Option<ContextWindowObservation>,
) -> Option<FailureAction> {
    let (kind, doubtful) = match what {
        Delivered::Failed { kind, doubtful, .. } => (*kind, *doubtful),
        Delivered::Abstained { malformed: true, .. } => (FailureKind::Malformed, false),
        Delivered::Abstained { malformed: false, .. } | Delivered::Malformed { .. } => return None,
        Delivered::Said(..) | Delivered::Skipped(_) | Delivered::Voted(..) => return None,
        Delivered::CalledTools(..) => return None,
        Delivered::Summarized(..) | Delivered::Facilitated(..) | Delivered::Concluded(_) => return None,
        Delivered::Asked(..) | Delivered::Proposed(..) | Delivered::Invited(..) => return None,
        Delivered::Evaluated(..) | Delivered::Minuted(..) | Delivered::Drawn(..) => return None,
    };
    let turns = &m.rules().turns;
    if kind == FailureKind::TimedOut && turns.timeout_skips && matches!(task, TaskId::Speak(_)) {
        return None; // a turn that times out is skipped at once
    }
    let had = m.failure_actions.get(&task).copied().unwrap_or_default();
    let left_ms = turns.timeout_ms.saturating_sub(had.took_ms.saturating_add(latency_ms));
    let time_for_another = left_ms > 0 && left_ms >= latency_ms;
    let again = doubtful && !had.again && time_for_another;
    let too_long = kind == FailureKind::ContextTooLong && had.shorter < SHORTER_MAX && left_ms > 0;
    let ways = [
        (FailureAction::Again, again),
        (FailureAction::Shorter, too_long && can_be_shorter(m, task, window)),
        (
            FailureAction::Fallback,
            !had.fallback && another_can_help(kind) && tasks::fallback(m, task).is_some(),
        ),
    ];
    let open = ways.into_iter().filter(|(_, open)| *open).map(|(way, _)| way);
    open.into_iter().find(|way| is_affordable(m, task, *way))
}

/// What the next attempt at a task begins with, after a call that has ended like this.
pub(crate) struct NextAttempt {
    /// Whether it counts as the repetition that a task has.
    pub(crate) counts_as_repetition: bool,
    /// Whether it has only what the call has left of its time limit.
    pub(crate) shares_time: bool,
    /// Whether it is still to repair the answer that could not be read.
    pub(crate) repair_open: bool,
}

/// What the next attempt at a task begins with. A call that was lost is made again as it was, and counts as the one
/// repetition; what is tried once more by the same model shares one time limit with what failed.
pub(crate) fn next_attempt(
    m: &Meeting,
    task: TaskId,
    end: &CallEnd,
    then: Option<FailureAction>,
) -> NextAttempt {
    let is_lost = *end == CallEnd::Lost;
    NextAttempt {
        counts_as_repetition: is_lost,
        shares_time: match then {
            Some(FailureAction::Again | FailureAction::Shorter) => true,
            Some(FailureAction::Fallback | FailureAction::Wait) | None => false,
        },
        repair_open: is_lost && m.repair(task).is_some(),
    }
}

/// Whether the record in the prompt would become shorter, with what this failure has taught.
fn can_be_shorter(m: &Meeting, task: TaskId, window: Option<ContextWindowObservation>) -> bool {
    let mut after = m.clone();
    if let Some(ContextWindowObservation { tokens, per_mille: Some(per_mille), .. }) = window {
        after.remember_window(task, tokens, per_mille);
    }
    after.failure_actions.entry(task).or_default().take(FailureAction::Shorter);
    after.repairs.remove(&task);
    prompt::record_size(&after, task) < prompt::record_size(m, task)
}

/// Whether another model may succeed after a failure of this kind.
fn another_can_help(kind: FailureKind) -> bool {
    match kind {
        FailureKind::ContentRefused | FailureKind::Left | FailureKind::Budget => false,
        FailureKind::Authentication | FailureKind::RateLimit | FailureKind::Quota => true,
        FailureKind::Overloaded | FailureKind::ContextTooLong | FailureKind::ModelUnknown => true,
        FailureKind::BadRequest | FailureKind::Network | FailureKind::TimedOut => true,
        FailureKind::Malformed | FailureKind::Empty | FailureKind::NotConfigured => true,
        FailureKind::AgentFailed => true,
    }
}

/// Whether the budget has room for the action beside the failed call, whatever that one has used: a second
/// attempt must not end a meeting that could have gone on without it.
fn is_affordable(m: &Meeting, task: TaskId, way: FailureAction) -> bool {
    if !budget::is_set(m) {
        return true;
    }
    let mut after = m.clone();
    after.failure_actions.entry(task).or_default().take(way);
    after.repairs.remove(&task);
    budget::fits(&after, task, &budget::reserve(&after, task)).is_ok()
}

#[cfg(test)]
mod tests {
    use quorate_contract::{Actor, ModelParameters, RunnerSpec};

    use super::*;
    use crate::tests::{PRICE, model, says, settings, started};

    fn after(m: &Meeting, task: TaskId, kind: FailureKind, latency_ms: u64) -> Option<FailureAction> {
        let (detail, hint) = ("broken".into(), "mend it".into());
        of(m, task, &Delivered::Failed { task, kind, detail, hint, doubtful: true }, latency_ms, None)
    }

    fn in_discussion() -> (Meeting, TaskId) {
        started(model(ModelParameters::default(), PRICE))
    }

    #[test]
    fn what_may_have_been_done_is_asked_again_while_there_is_as_much_time_left() {
        let (mut m, task) = in_discussion();
        let limit_ms = m.rules().turns.timeout_ms;
        assert_eq!(after(&m, task, FailureKind::Network, limit_ms / 2), Some(FailureAction::Again));
        assert_eq!(after(&m, task, FailureKind::Network, limit_ms / 2 + 1), None);
        m.failure_actions.entry(task).or_default().took_ms = limit_ms;
        assert_eq!(after(&m, task, FailureKind::Network, 0), None, "all of its time is used up");
    }

    #[test]
    fn a_turn_that_times_out_is_not_asked_again_where_it_counts_as_skipped() {
        let (mut m, task) = in_discussion();
        let again = Some(FailureAction::Again);
        settings(&mut m).rules.turns.timeout_skips = false;
        assert_eq!(after(&m, task, FailureKind::TimedOut, 1), again);
        settings(&mut m).rules.turns.timeout_skips = true;
        assert_eq!(after(&m, task, FailureKind::TimedOut, 1), None);
        assert_eq!(after(&m, task, FailureKind::Network, 1), again);
        assert_eq!(after(&m, TaskId::Conclude, FailureKind::TimedOut, 1), again, "it is no turn");
    }

    #[test]
    fn a_second_attempt_has_to_fit_into_the_budget_beside_the_first() {
        let (mut m, task) = in_discussion();
        settings(&mut m).facilitator = None;
        let both = m.calls[&task].reserved.tokens + budget::reserve(&m, task).tokens;
        settings(&mut m).rules.limits.tokens = Some(both);
        assert_eq!(after(&m, task, FailureKind::Network, 1), Some(FailureAction::Again));
        settings(&mut m).rules.limits.tokens = Some(both - 1);
        assert_eq!(after(&m, task, FailureKind::Network, 1), None);
    }

    #[test]
    fn what_a_provider_refuses_to_speak_about_is_asked_of_no_other_model() {
        let fallback = Some(Box::new(model(ModelParameters::default(), PRICE)));
        let (provider, model, parameters) = ("remote".into(), "large".into(), ModelParameters::default());
        let (mut m, task) =
            started(RunnerSpec::Model { provider, model, parameters, price: Some(PRICE), fallback });
        let limit_ms = m.rules().turns.timeout_ms;
        assert_eq!(after(&m, task, FailureKind::Quota, limit_ms), Some(FailureAction::Fallback));
        assert_eq!(after(&m, task, FailureKind::ContentRefused, limit_ms), None);
        m.failure_actions.entry(task).or_default().take(FailureAction::Fallback);
        assert_eq!(after(&m, task, FailureKind::Quota, limit_ms), None, "there is one fallback");
    }

    #[test]
    fn a_context_that_is_too_long_is_shortened_while_there_is_time_and_something_to_leave_out() {
        let (mut m, task) = in_discussion();
        let limit_ms = m.rules().turns.timeout_ms;
        let too_long = |m: &Meeting, latency_ms| {
            let (kind, detail, hint) = (FailureKind::ContextTooLong, "too long".into(), "".into());
            of(m, task, &Delivered::Failed { task, kind, detail, hint, doubtful: false }, latency_ms, None)
        };
        assert_eq!(too_long(&m, 1), None, "nothing was said that could be left out");
        for _ in 0..400 {
            says(&mut m, 1, Actor::owner(), "User", &"one file is easy to keep ".repeat(40));
        }
        assert_eq!(too_long(&m, limit_ms - 1), Some(FailureAction::Shorter));
        assert_eq!(too_long(&m, limit_ms), None);
        m.failure_actions.entry(task).or_default().shorter = SHORTER_MAX - 1;
        assert_eq!(too_long(&m, 1), Some(FailureAction::Shorter));
        m.failure_actions.entry(task).or_default().shorter = SHORTER_MAX;
        assert_eq!(too_long(&m, 1), None);
    }
}
