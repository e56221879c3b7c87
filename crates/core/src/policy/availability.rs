//! Which providers and models are known to be out of reach, and who depends on them.

use std::collections::BTreeSet;

use quorate_contract::{
    CallEnd, FailureAction, FailureKind, ModelReachability, RunnerSpec, TaskId, Timestamp,
};

use crate::state::tasks::{runner, unreachable_name};
use crate::state::{Meeting, RunState};

/// What the end of a call shows about its model. A cancelled or lost call shows nothing.
pub(crate) fn of(end: &CallEnd, then: Option<FailureAction>) -> Option<ModelReachability> {
    match end {
        CallEnd::Answered => Some(ModelReachability::Reached),
        CallEnd::Failed { kind } if then == Some(FailureAction::Wait) => Some(lost_by(*kind)),
        CallEnd::Failed { kind } => match kind {
            FailureKind::Network | FailureKind::Overloaded | FailureKind::RateLimit => Some(lost_by(*kind)),
            // It took too long, or was not asked at all.
            FailureKind::TimedOut | FailureKind::Left | FailureKind::Budget => None,
            FailureKind::NotConfigured => None,
            FailureKind::Authentication | FailureKind::Quota => Some(ModelReachability::Reached),
            FailureKind::ContextTooLong | FailureKind::ContentRefused | FailureKind::ModelUnknown => {
                Some(ModelReachability::Reached)
            }
            FailureKind::BadRequest
            | FailureKind::Malformed
            | FailureKind::Empty
            | FailureKind::AgentFailed => Some(ModelReachability::Reached),
        },
        CallEnd::Cancelled | CallEnd::Lost => None,
    }
}

/// What such a failure makes unreachable: a provider, or one of its models.
fn lost_by(kind: FailureKind) -> ModelReachability {
    match kind {
        FailureKind::Overloaded | FailureKind::RateLimit => ModelReachability::ModelUnreachable,
        _ => ModelReachability::ProviderUnreachable,
    }
}

/// The name of what such a failure makes unreachable; nothing for who is no model.
pub(crate) fn name_of(runner: &RunnerSpec, kind: FailureKind) -> Option<String> {
    unreachable_name(runner, lost_by(kind))
}

pub(crate) fn is_named(runner: &RunnerSpec, out: &BTreeSet<String>) -> bool {
    match runner {
        RunnerSpec::Model { .. } if out.is_empty() => false,
        RunnerSpec::Model { provider, .. } => out.contains(provider) || out.contains(&runner.label()),
        RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::External { .. } => false,
    }
}

pub(crate) fn is_out(m: &Meeting, task: TaskId) -> bool {
    runner(m, task).is_some_and(|runner| is_named(runner, &m.unreachable))
}

/// Whether a call is in flight that tests if a provider is reachable.
pub(crate) fn tries_now(m: &Meeting) -> bool {
    m.calls.keys().any(|task| is_out(m, *task))
}

/// Whether no provider that could go on is reachable: those of all online participants with their fallbacks,
/// or the facilitator's when there are no participants.
pub(crate) fn is_everybody_out(m: &Meeting, out: &BTreeSet<String>) -> bool {
    let is_lost = |runner: &RunnerSpec| {
        is_named(runner, out) && runner.fallback().is_none_or(|fallback| is_named(fallback, out))
    };
    let mut seats = m.online().map(|seat| &seat.participant.runner).peekable();
    match seats.peek() {
        Some(_) => seats.all(is_lost),
        None => m.settings.facilitator.as_ref().is_some_and(|facilitator| is_lost(&facilitator.runner)),
    }
}

/// The time at which the next held call is made. Every event before that checks whether the time has come.
pub(crate) fn next_try_at(m: &Meeting) -> Option<Timestamp> {
    let wait = m.provider_wait.as_ref().filter(|_| m.run_state == RunState::Running)?;
    m.calls.is_empty().then_some(wait.next_try_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shows_what_could_be_reached() {
        use ModelReachability::{ModelUnreachable, ProviderUnreachable, Reached};
        for (kind, shown) in [
            (FailureKind::Network, Some(ProviderUnreachable)),
            (FailureKind::Overloaded, Some(ModelUnreachable)),
            (FailureKind::RateLimit, Some(ModelUnreachable)),
            (FailureKind::TimedOut, None),
            (FailureKind::Left, None),
            (FailureKind::Budget, None),
            (FailureKind::NotConfigured, None),
            (FailureKind::Authentication, Some(Reached)),
            (FailureKind::Quota, Some(Reached)),
            (FailureKind::ContextTooLong, Some(Reached)),
            (FailureKind::ContentRefused, Some(Reached)),
            (FailureKind::ModelUnknown, Some(Reached)),
            (FailureKind::BadRequest, Some(Reached)),
            (FailureKind::Malformed, Some(Reached)),
            (FailureKind::Empty, Some(Reached)),
            (FailureKind::AgentFailed, Some(Reached)),
        ] {
            assert_eq!(of(&CallEnd::Failed { kind }, None), shown, "{kind:?}");
        }
        let timed_out = CallEnd::Failed { kind: FailureKind::TimedOut };
        assert_eq!(of(&timed_out, Some(FailureAction::Wait)), Some(ProviderUnreachable), "it is waited for");
        assert_eq!(of(&timed_out, Some(FailureAction::Fallback)), None);
        assert_eq!(of(&CallEnd::Answered, None), Some(Reached));
        assert_eq!((of(&CallEnd::Cancelled, None), of(&CallEnd::Lost, None)), (None, None));
    }
}
