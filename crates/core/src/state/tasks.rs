//! The runner of a task, and whether the task can be asked for.

use quorate_contract::{ModelReachability, ParticipantId, RunnerSpec, TaskId};

use super::Meeting;
use super::closing::is_out_of_time;

/// The participant who answers a task; `None` is the facilitator.
pub(crate) fn answerer(meeting: &Meeting, task: TaskId) -> Option<ParticipantId> {
    match task {
        TaskId::Speak(turn) => meeting.turn(turn).map(|turn| turn.participant),
        TaskId::Vote(_, voter) => Some(voter),
        TaskId::Minutes(version) => meeting.minutes_requests.get(&version)?.writer,
        TaskId::Summarize(_) | TaskId::Facilitate(_) | TaskId::Conclude => None,
        TaskId::Intake(_) | TaskId::Team(_) | TaskId::Evaluate(_) | TaskId::Invite(_) => None,
        TaskId::Artifact(..) => None,
    }
}

/// The runner of a task: the fallback once the first model has failed for good.
pub(crate) fn runner(meeting: &Meeting, task: TaskId) -> Option<&RunnerSpec> {
    let falls_back = meeting.failure_actions.get(&task).is_some_and(|had| had.fallback);
    let fallback = if falls_back { fallback(meeting, task) } else { None };
    fallback.or_else(|| first_runner(meeting, task))
}

/// The fallback of a task's runner.
pub(crate) fn fallback(meeting: &Meeting, task: TaskId) -> Option<&RunnerSpec> {
    first_runner(meeting, task)?.fallback()
}

fn first_runner(meeting: &Meeting, task: TaskId) -> Option<&RunnerSpec> {
    match answerer(meeting, task) {
        Some(participant) => Some(&meeting.seat(participant)?.participant.runner),
        None => meeting.settings.facilitator.as_ref().map(|facilitator| &facilitator.runner),
    }
}

/// The name of what is out of reach, a provider or one of its models; nothing for who is no model, or was reached.
pub(crate) fn unreachable_name(runner: &RunnerSpec, reach: ModelReachability) -> Option<String> {
    let RunnerSpec::Model { provider, .. } = runner else { return None };
    match reach {
        ModelReachability::Reached => None,
        ModelReachability::ProviderUnreachable => Some(provider.clone()),
        ModelReachability::ModelUnreachable => Some(runner.label()),
    }
}

/// Whether a task writes minutes or an artifact.
pub(crate) fn is_record(task: TaskId) -> bool {
    matches!(task, TaskId::Minutes(_) | TaskId::Artifact(..))
}

/// Whether the facilitator can be asked for this.
pub(crate) fn can_facilitate(m: &Meeting, task: TaskId) -> bool {
    m.settings.facilitator.is_some() && !m.given_up.contains_key(&task)
}

/// Whether the participant or facilitator of this task can be asked.
pub(crate) fn can_answer(m: &Meeting, task: TaskId) -> bool {
    if is_out_of_time(m) && task != TaskId::Conclude {
        return false;
    }
    match answerer(m, task) {
        Some(id) => {
            m.online().any(|seat| seat.participant.id == id)
                && !m.given_up.contains_key(&task)
                && !m.by_rules.contains(&task)
        }
        None => can_facilitate(m, task) && !m.by_rules.contains(&task),
    }
}

/// Whether a task is a request of a person beside the discussion.
pub(crate) fn is_request(m: &Meeting, task: TaskId) -> bool {
    match task {
        TaskId::Invite(_) => true,
        TaskId::Minutes(version) => m.minutes_requests.contains_key(&version),
        TaskId::Artifact(kind, version) => m.artifact_requests.contains(&(kind, version)),
        TaskId::Speak(_) | TaskId::Vote(..) | TaskId::Summarize(_) | TaskId::Facilitate(_) => false,
        TaskId::Conclude | TaskId::Intake(_) | TaskId::Team(_) | TaskId::Evaluate(_) => false,
    }
}
