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
    if m.is_over() {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{
        AbortReason, Actor, ArtifactKind, BudgetKind, MeetingOutcome, MessageId, ModelParameters,
        ParticipantId, PauseReason, Timestamp,
    };

    use super::*;
    use crate::state::{Conclusion, Evaluation, Invitation, MinutesRequest};
    use crate::tests::{PRICE, model, round_of, says, settings, started, summary_of};

    fn in_discussion() -> Meeting {
        started(model(ModelParameters::default(), PRICE)).0
    }

    fn pauses(m: &mut Meeting) {
        let (token, questions) = (String::new(), Vec::new());
        let (reason, since, budget) = (PauseReason::UserRequest, Timestamp(1), None);
        m.run_state = RunState::Paused { reason, token, questions, since, budget };
    }

    /// The time is used up, and the conclusion is to be written.
    fn out_of_time() -> Meeting {
        let mut m = in_discussion();
        settings(&mut m).rules.limits.wall_ms = Some(10_000);
        says(&mut m, 1, Actor::participant(ParticipantId(1)), "Ada", "One file is enough.");
        let late = AbortReason::Budget { budget: BudgetKind::WallTime };
        m.phase = Phase::Closing { outcome: MeetingOutcome::Aborted(late) };
        m
    }

    fn invites(m: &mut Meeting, number: u32, done: bool) {
        let (description, by) = ("somebody who counts".into(), Actor::owner());
        m.invitations.push(Arc::new(Invitation { number, description, by, done }));
    }

    fn asks_for_minutes(m: &mut Meeting) {
        m.minutes_requests.insert(1, MinutesRequest { writer: None, note: String::new(), covers: 1 });
    }

    fn concludes(m: &mut Meeting) {
        m.conclusion = Some(Arc::new(Conclusion {
            seq: 1,
            by: Actor::Facilitator,
            text: "One file is enough.".into(),
            reasons: String::new(),
            disagreements: Vec::new(),
            actions: Vec::new(),
            best: Vec::new(),
            wildcard: None,
        }));
    }

    fn wakes(m: &Meeting) -> Vec<Task> {
        pending(m).into_iter().filter(|task| matches!(task, Task::Wake(_))).collect()
    }

    #[test]
    fn a_meeting_is_owed_what_is_asked_or_to_be_asked_and_nothing_once_it_is_over() {
        let mut m = in_discussion();
        assert!(is_owed_something(&m));
        m.run_state = RunState::PauseRequested { by: Actor::owner() };
        assert!(is_owed_something(&m), "the speaker may finish");
        let asked = std::mem::take(&mut m.calls);
        pauses(&mut m);
        assert!(!is_owed_something(&m), "it waits for a person");
        asks_for_minutes(&mut m);
        assert!(is_owed_something(&m), "what people ask for in a pause does not wait for its end");
        m.calls = asked;
        m.phase = Phase::Ended { outcome: MeetingOutcome::Completed };
        assert!(!is_owed_something(&m));
    }

    #[test]
    fn time_wakes_a_meeting_that_runs() {
        let mut m = in_discussion();
        assert_eq!(wakes(&m), [], "its time is not limited");
        settings(&mut m).rules.limits.wall_ms = Some(10_000);
        assert_eq!(wakes(&m), [Task::Wake(Timestamp(10_001))]);
        m.phase = Phase::Closing { outcome: MeetingOutcome::Completed };
        assert_eq!(wakes(&m), [], "the end has as much time as it needs");
        m.phase = Phase::Discussion;
        pauses(&mut m);
        assert_eq!(wakes(&m), [], "a pause does not count");
    }

    #[test]
    fn time_wakes_a_meeting_whose_conclusion_is_late() {
        let mut m = out_of_time();
        assert_eq!(wakes(&m), [Task::Wake(Timestamp(10_001))]);
        let completed = Phase::Closing { outcome: MeetingOutcome::Completed };
        assert_eq!(wakes(&Meeting { phase: completed, ..m.clone() }), [], "there is time");
        concludes(&mut m);
        assert_eq!(wakes(&m), []);
        m.conclusion = None;
        pauses(&mut m);
        assert_eq!(wakes(&m), []);
    }

    #[test]
    fn only_the_conclusion_of_a_meeting_out_of_time_has_but_the_time_that_is_left() {
        let mut m = out_of_time();
        assert_eq!(time_left_ms(&m, TaskId::Conclude), 10_000);
        m.phase = Phase::Discussion;
        assert_eq!(time_left_ms(&m, TaskId::Conclude), m.rules().turns.timeout_ms);
    }

    #[test]
    fn out_of_time_only_the_conclusion_is_asked_for() {
        let mut m = out_of_time();
        settings(&mut m).rules.closing.artifacts = vec![ArtifactKind::Tasks];
        asks_for_minutes(&mut m);
        assert_eq!(wanted(&m), [TaskId::Conclude]);
        concludes(&mut m);
        assert_eq!(wanted(&m), []);
        m.phase = Phase::Closing { outcome: MeetingOutcome::Completed };
        assert_eq!(wanted(&m).len(), 2, "with time, both records are");
        m.said.clear();
        m.minutes_requests.clear();
        m.conclusion = None;
        assert_eq!(wanted(&m), [], "from nothing, nothing can be concluded");
    }

    #[test]
    fn after_a_round_come_its_summary_and_its_marks_once() {
        let mut m = in_discussion();
        m.phase = Phase::Summary;
        m.rounds = vec![round_of(1, &[(1, TurnState::Said(MessageId(1)))])].into();
        let rules = &mut settings(&mut m).rules;
        (rules.context.rolling_summary, rules.roster.evaluate) = (true, true);
        assert_eq!(wanted(&m), [TaskId::Summarize(1)]);
        m.summaries.push(Arc::new(summary_of(1, Vec::new())));
        assert_eq!(wanted(&m), [TaskId::Evaluate(1)]);
        m.evaluations.push(Arc::new(Evaluation { round: 1, by: Actor::Facilitator, marks: Vec::new() }));
        assert_eq!(wanted(&m), []);
    }

    #[test]
    fn who_is_invited_is_described_once_and_before_the_end() {
        let mut m = in_discussion();
        m.rounds.clear();
        invites(&mut m, 1, true);
        invites(&mut m, 2, false);
        assert_eq!(wanted(&m), [TaskId::Invite(2)]);
        concludes(&mut m);
        m.phase = Phase::Closing { outcome: MeetingOutcome::Completed };
        assert_eq!(wanted(&m), []);
        m.phase = Phase::Ended { outcome: MeetingOutcome::Completed };
        assert_eq!(wanted(&m), []);
    }
}
