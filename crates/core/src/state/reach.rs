//! Which providers and models are known to be out of reach, and who depends on them.

use std::collections::BTreeSet;

use quorate_contract::{FailureKind, RunnerSpec, TaskId, Timestamp};

use super::tasks::runner;
use super::{Meeting, RunState};

/// The name of what such a failure makes unreachable: a provider, or one of its models.
pub(crate) fn name_of(runner: &RunnerSpec, kind: FailureKind) -> Option<String> {
    let RunnerSpec::Model { provider, .. } = runner else { return None };
    Some(match kind {
        FailureKind::Overloaded | FailureKind::RateLimit => runner.label(),
        _ => provider.clone(),
    })
}

/// Forgets that who answered could not be reached.
pub(crate) fn is_back(m: &mut Meeting, runner: &RunnerSpec) {
    if let RunnerSpec::Model { provider, .. } = runner {
        m.unreachable.remove(provider);
        m.unreachable.remove(&runner.label());
    }
}

pub(crate) fn is_named(runner: &RunnerSpec, out: &BTreeSet<String>) -> bool {
    match runner {
        RunnerSpec::Model { provider, .. } => out.contains(provider) || out.contains(&runner.label()),
        RunnerSpec::Simulated { .. } | RunnerSpec::Process { .. } | RunnerSpec::External { .. } => false,
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
        None => m.charter.facilitator.as_ref().is_some_and(|facilitator| is_lost(&facilitator.runner)),
    }
}

/// The time at which the next held call is made. Every event before that checks whether the time has come.
pub(crate) fn next_try_at(m: &Meeting) -> Option<Timestamp> {
    let wait = m.provider_wait.as_ref().filter(|_| m.run_state == RunState::Running)?;
    m.calls.is_empty().then_some(wait.next_try_at)
}
