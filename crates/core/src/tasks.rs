//! All that the outside now owes the meeting.

use crate::event::{AbortReason, BudgetKind, MeetingOutcome};
use crate::ids::{ParticipantId, TaskId};
use crate::meeting::{Meeting, Phase, Rest, TurnState};
use crate::participant::RunnerSpec;
use crate::task::{Call, Task};

/// All that the outside now owes the meeting. A restart asks the same question and needs no path
/// of its own.
pub fn pending(meeting: &Meeting) -> Vec<Task> {
    let timeout_ms = meeting.rules().turns.timeout_ms;
    let mut tasks: Vec<Task> = meeting
        .calls
        .iter()
        .filter_map(|(id, call)| {
            Some(Task::Call(Call {
                id: *id,
                attempt: call.attempt,
                participant: answerer(meeting, *id),
                runner: runner(meeting, *id)?.clone(),
                timeout_ms,
            }))
        })
        .collect();
    let talking =
        matches!(meeting.phase, Phase::Discussion | Phase::Summary | Phase::Ballot | Phase::Facilitation);
    // A rest does not count; the wait for one does.
    if talking && !meeting.is_paused() {
        tasks.extend(meeting.wall_deadline().map(Task::Wake));
    }
    tasks
}

/// Who answers a task; `None` is the facilitator.
pub(crate) fn answerer(meeting: &Meeting, task: TaskId) -> Option<ParticipantId> {
    match task {
        TaskId::Speak(turn) => meeting.turn(turn).map(|turn| turn.participant),
        TaskId::Vote(_, voter) => Some(voter),
        TaskId::Summarize(_) | TaskId::Facilitate(_) | TaskId::Conclude => None,
    }
}

/// What answers a task.
pub(crate) fn runner(meeting: &Meeting, task: TaskId) -> Option<&RunnerSpec> {
    let participant = match task {
        TaskId::Speak(turn) => meeting.turn(turn)?.participant,
        TaskId::Vote(_, voter) => voter,
        TaskId::Summarize(_) | TaskId::Facilitate(_) | TaskId::Conclude => {
            return meeting.charter.facilitator.as_ref().map(|facilitator| &facilitator.runner);
        }
    };
    Some(&meeting.seat(participant)?.participant.runner)
}

/// What the meeting would like answered now, whether or not a call for it is under way.
pub(crate) fn wanted(m: &Meeting) -> Vec<TaskId> {
    if m.rest != Rest::Running {
        return Vec::new();
    }
    let by_facilitator = |task: TaskId| {
        let possible = m.charter.facilitator.is_some() && !m.given_up.contains(&task);
        if possible { vec![task] } else { Vec::new() }
    };
    match &m.phase {
        Phase::Blank | Phase::Draft | Phase::Ended { .. } => Vec::new(),
        Phase::Discussion => {
            let turns = m.round().map(|round| round.turns.as_slice()).unwrap_or_default();
            let open = turns.iter().filter(|turn| turn.state == TurnState::Open);
            open.map(|turn| TaskId::Speak(turn.id)).collect()
        }
        Phase::Summary => by_facilitator(TaskId::Summarize(m.round_number())),
        Phase::Ballot => {
            let Some(ballot) = m.ballots.last() else { return Vec::new() };
            let missing = ballot.voters.iter().filter(|voter| !ballot.cast.contains_key(voter));
            missing.map(|voter| TaskId::Vote(ballot.id, *voter)).collect()
        }
        Phase::Facilitation => {
            m.ballots.last().map_or(Vec::new(), |b| by_facilitator(TaskId::Facilitate(b.id)))
        }
        Phase::Closing { outcome } => {
            // Out of time means no further call; and from nothing, nothing can be concluded.
            let late = AbortReason::Budget { budget: BudgetKind::WallTime };
            let pointless = m.conclusion.is_some() || m.said.is_empty();
            match pointless || *outcome == MeetingOutcome::Aborted(late) {
                true => Vec::new(),
                false => by_facilitator(TaskId::Conclude),
            }
        }
    }
}
