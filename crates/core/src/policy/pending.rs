//! Pending tasks of a meeting.

use quorate_contract::{
    AttachedFile, Call, MEETING_FILES, Task, TaskId, ToolRun, ToolRunFile, TurnId, source_of_tool,
};

use super::{availability, phases};
use crate::state::tasks::{answerer, can_answer, runner};
use crate::state::{Meeting, Phase, RunState, ToolCallRecord, TurnState, closing};

/// All tasks that are owed to the meeting. A restart asks the same question and needs no path of its own.
pub fn pending(meeting: &Meeting) -> Vec<Task> {
    let mut tasks: Vec<Task> = meeting
        .calls
        .iter()
        .filter_map(|(id, call)| {
            Some(Task::Call(Call {
                id: *id,
                attempt: call.attempt,
                participant: answerer(meeting, *id),
                runner: runner(meeting, *id)?.clone(),
                timeout_ms: time_left_ms(meeting, *id),
            }))
        })
        .collect();
    // A tool runs on during a pause: whether it took effect could not be known otherwise.
    tasks.extend(meeting.running_tool_calls().map(|(turn, call)| Task::Tool(tool_run(meeting, turn, call))));
    let under_way = match meeting.phase {
        Phase::Preparation | Phase::Discussion | Phase::Summary | Phase::Ballot | Phase::Facilitation => true,
        Phase::Blank | Phase::Draft | Phase::Closing { .. } | Phase::Ended { .. } => false,
    };
    // A rest does not count; the wait for one does.
    if under_way && !meeting.is_paused() {
        tasks.extend(meeting.course_deadline().map(Task::Wake));
    }
    if closing::is_out_of_time(meeting) && !meeting.is_paused() && wanted(meeting).contains(&TaskId::Conclude)
    {
        tasks.extend(meeting.wall_deadline().map(Task::Wake));
    }
    tasks.extend(availability::next_try_at(meeting).map(Task::Wake));
    tasks
}

fn tool_run(meeting: &Meeting, turn: TurnId, call: &ToolCallRecord) -> ToolRun {
    let files = match source_of_tool(&call.tool) {
        Some(MEETING_FILES) => meeting.files.iter().map(|record| run_file(&record.file)).collect(),
        Some(_) | None => Vec::new(),
    };
    ToolRun {
        meeting: meeting.id.clone(),
        call: call.id,
        turn,
        participant: call.participant,
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        approved: call.effects && call.is_approved(meeting),
        timeout_ms: meeting.rules().limits.tool_timeout_ms,
        max_chars: call.max_chars,
        files,
    }
}

fn run_file(file: &AttachedFile) -> ToolRunFile {
    ToolRunFile {
        id: file.id,
        name: file.name.clone(),
        media_type: file.media_type.clone(),
        sha256: file.sha256.clone(),
        has_text: file.text.is_some(),
    }
}

/// Whether a call is in flight, or is needed and not made yet. Then some process has to run the meeting, also
/// while it is paused, because people make requests in the meantime.
pub fn is_owed_something(meeting: &Meeting) -> bool {
    !meeting.is_over() && (!pending(meeting).is_empty() || !wanted(meeting).is_empty())
}

/// The time limit of the present attempt at a task: the rest of the time that its attempts share
/// (`accounting/failure_policy.rs`).
fn time_left_ms(meeting: &Meeting, task: TaskId) -> u64 {
    let took_ms = meeting.failure_actions.get(&task).map_or(0, |had| had.took_ms);
    let left_ms = meeting.rules().turns.timeout_ms.saturating_sub(took_ms);
    match meeting.wall_left_ms() {
        Some(wall_ms) if closing::is_out_of_time(meeting) => left_ms.min(wall_ms).max(1),
        Some(_) | None => left_ms.max(1),
    }
}

/// The tasks that the meeting needs now, whether or not a call for them is in flight.
pub(crate) fn wanted(m: &Meeting) -> Vec<TaskId> {
    if m.held {
        return Vec::new();
    }
    let mut tasks = match m.run_state {
        RunState::Running => in_course(m),
        RunState::PauseRequested { .. } => return Vec::new(),
        // A pause is when people ask for things; what they ask for does not wait for its end.
        RunState::Paused { .. } => Vec::new(),
    };
    tasks.extend(requested(m));
    tasks.retain(|task| can_answer(m, *task));
    tasks
}

fn in_course(m: &Meeting) -> Vec<TaskId> {
    match &m.phase {
        Phase::Blank | Phase::Draft | Phase::Ended { .. } => Vec::new(),
        Phase::Preparation => before_round(m).into_iter().collect(),
        Phase::Discussion => {
            let turns = m.round().map(|round| round.turns.as_slice()).unwrap_or_default();
            let open = turns.iter().filter(|turn| turn.state == TurnState::Open);
            // A turn goes on when the results of its tools are there.
            let open = open.filter(|turn| !m.waits_for_tools(turn.id));
            open.map(|turn| TaskId::Speak(turn.id)).collect()
        }
        Phase::Summary if phases::needs_summary(m) => vec![TaskId::Summarize(m.round_number())],
        Phase::Summary if phases::needs_evaluation(m) => vec![TaskId::Evaluate(m.round_number())],
        Phase::Summary => Vec::new(),
        Phase::Ballot => {
            let Some(ballot) = m.ballots.last() else { return Vec::new() };
            let missing = ballot.voters.iter().filter(|voter| !ballot.cast.contains_key(voter));
            missing.map(|voter| TaskId::Vote(ballot.id, *voter)).collect()
        }
        Phase::Facilitation => {
            m.ballots.last().map(|ballot| TaskId::Facilitate(ballot.id)).into_iter().collect()
        }
        // From nothing, nothing can be concluded.
        Phase::Closing { .. } if m.said.is_empty() => Vec::new(),
        Phase::Closing { .. } if m.conclusion.is_none() => vec![TaskId::Conclude],
        // Out of time means no further call.
        Phase::Closing { .. } if closing::is_out_of_time(m) => Vec::new(),
        Phase::Closing { .. } => closing::next_record(m).into_iter().collect(),
    }
}

fn before_round(m: &Meeting) -> Option<TaskId> {
    let preparation = m.preparation.as_deref()?;
    let number = preparation.round;
    if phases::asks(m) && preparation.questions.is_none() {
        return Some(TaskId::Intake(number));
    }
    let newcomers = preparation.proposal.is_none() && phases::wants_newcomers(m);
    newcomers.then_some(TaskId::Team(number))
}

fn requested(m: &Meeting) -> Vec<TaskId> {
    if m.is_over() || closing::is_out_of_time(m) || m.phase == Phase::Draft {
        return Vec::new();
    }
    let minutes = m.minutes_requests.keys().map(|version| TaskId::Minutes(*version));
    let artifacts = m.artifact_requests.iter().map(|(kind, version)| TaskId::Artifact(*kind, *version));
    let closing = matches!(m.phase, Phase::Closing { .. });
    let invitations = m.invitations.iter().filter(|one| !one.done && !closing);
    let mut tasks: Vec<TaskId> = invitations.map(|one| TaskId::Invite(one.number)).collect();
    tasks.extend(minutes.chain(artifacts));
    tasks
}
