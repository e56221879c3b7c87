//! Invariants that hold under any faults.
//!
//! A [`LogChecker`] reads a log line by line, without access to the process, keeps its own records, and reports
//! which line breaks which rule. It folds the meeting, too, so that a live state can be compared with it.

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::*;
use quorate_core::*;

use crate::ledger::Ledger;
use crate::promises::Promises;

/// Reads a log and keeps books of its own.
#[derive(Debug)]
pub(crate) struct LogChecker {
    /// The meeting as the lines so far tell it.
    pub(crate) meeting: Meeting,
    turns: BTreeMap<TurnId, (ParticipantId, bool)>,
    ended: BTreeSet<TurnId>,
    calls: BTreeMap<TaskId, (u32, bool)>,
    /// The actions of the failure policy for each task that was not given up.
    failure_actions: BTreeMap<TaskId, Vec<FailureAction>>,
    ballots: BTreeMap<BallotId, (Vec<ParticipantId>, bool)>,
    votes: BTreeSet<(BallotId, ParticipantId)>,
    left: BTreeSet<ParticipantId>,
    tools: BTreeMap<ToolCallId, ToolCallSeen>,
    /// The tools with effects that a person has allowed for the meeting.
    allowed_tools: BTreeSet<String>,
    versions: BTreeMap<&'static str, u32>,
    concluded: bool,
    closing: bool,
    finished: bool,
    ledger: Ledger,
    promises: Promises,
}

/// What is known of a call of a tool.
#[derive(Debug)]
struct ToolCallSeen {
    turn: TurnId,
    tool: String,
    effects: bool,
    approved: bool,
    ended: bool,
}

/// Checks that a whole log keeps the rules; the error says what is wrong, and where.
pub(crate) fn check_log<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<LogChecker, String> {
    let mut lines = lines.into_iter().peekable();
    let (id, run) = match lines.peek().map(|line| Event::from_json(line)) {
        Some(Ok(first)) => (first.meeting_id, first.run_id),
        Some(Err(error)) => return Err(format!("event 1 cannot be read: {error}")),
        None => (MeetingId::new("nothing"), RunId::new("nothing")),
    };
    let mut checker = LogChecker::of(id, run);
    for line in lines {
        checker.see(line)?;
    }
    Ok(checker)
}

impl LogChecker {
    /// A checker of a meeting of which nothing is known yet.
    pub(crate) fn of(id: MeetingId, run: RunId) -> Self {
        Self {
            meeting: Meeting::blank(id, run),
            turns: BTreeMap::new(),
            ended: BTreeSet::new(),
            calls: BTreeMap::new(),
            failure_actions: BTreeMap::new(),
            ballots: BTreeMap::new(),
            votes: BTreeSet::new(),
            left: BTreeSet::new(),
            tools: BTreeMap::new(),
            allowed_tools: BTreeSet::new(),
            versions: BTreeMap::new(),
            concluded: false,
            closing: false,
            finished: false,
            ledger: Ledger::default(),
            promises: Promises::default(),
        }
    }

    /// Reads one more line.
    pub(crate) fn see(&mut self, line: &str) -> Result<Event, String> {
        let next = self.meeting.seq + 1;
        let event =
            Event::from_json(line).map_err(|error| format!("event {next} cannot be read: {error}"))?;
        let judged = self.judge(&event).and_then(|()| self.promises.see(&event));
        judged.map_err(|what| format!("event {}: {what}", event.seq))?;
        apply(&mut self.meeting, &event);
        let entered = self.ledger.enter(&event, &self.meeting);
        entered.map_err(|what| format!("event {}: {what}", event.seq))?;
        Ok(event)
    }

    fn judge(&mut self, event: &Event) -> Result<(), String> {
        let m = &self.meeting;
        ensure(event.seq == m.seq + 1, || format!("a gap: event {} follows event {}", event.seq, m.seq))?;
        ensure(event.ts_ms >= m.updated_at, || "the log runs backwards in time".into())?;
        ensure(event.meeting_id == m.id, || format!("it belongs to meeting {}", event.meeting_id))?;
        ensure(!self.finished, || "something follows `finished`".into())?;
        ensure(says_what_follows(&event.body), || {
            format!("{} leaves to the fold what follows", event.body.kind())
        })?;
        match &event.body {
            EventBody::MeetingCreated { .. } => ensure(event.seq == 1, || "created twice".into()),
            EventBody::ParticipantLeft { participant, .. } => {
                ensure(self.left.insert(*participant), || format!("{participant} left twice"))
            }
            EventBody::SpeakerSelected { turn, participant, can_skip, .. } => {
                self.at_the_table(*participant)?;
                let known = self.turns.insert(*turn, (*participant, *can_skip));
                ensure(known.is_none(), || format!("turn {turn} was given twice"))
            }
            EventBody::CallStarted { task, attempt, fallback, .. } => {
                let taken = self.failure_actions.get(task);
                let called_for = taken.is_some_and(|taken| taken.contains(&FailureAction::Fallback));
                ensure(fallback.is_some() == called_for, || format!("{task} of another model, or not"))?;
                self.call_starts(*task, *attempt)
            }
            EventBody::CallRetried { task, attempt, .. } => {
                let under_way = self.calls.get(task) == Some(&(*attempt, true));
                ensure(under_way, || format!("{task}#{attempt} is sent again and is not under way"))
            }
            EventBody::AgentAction { task, attempt, action, .. } => {
                let under_way = self.calls.get(task) == Some(&(*attempt, true));
                ensure(under_way, || format!("{task}#{attempt} acts and is not under way"))?;
                let known = m.calls.get(task).and_then(|call| call.permissions.get(&action.number));
                let asked = known.is_some_and(|known| known.permission == ActionPermission::Asked);
                let answers = action.by.is_some() && action.status == ActionStatus::Pending;
                ensure(!answers || asked, || format!("{task}#{attempt} was permitted what it did not ask"))
            }
            EventBody::CallEnded { task, attempt, end, then, .. } => {
                self.call_ends(*task, *attempt)?;
                let taken = self.failure_actions.entry(*task).or_default();
                if let Some(way) = then {
                    // A context is shortened until it fits or nothing is left to cut.
                    let is_first = !taken.contains(way) || *way == FailureAction::Shorter;
                    ensure(is_first, || format!("{task}: {way:?} for the second time"))?;
                }
                // A task that waits for its provider starts afresh.
                if *then == Some(FailureAction::Wait) {
                    self.failure_actions.remove(task);
                    return Ok(());
                }
                // A call that died with its process is the one repetition that a task has.
                let lost = (*end == CallEnd::Lost).then_some(FailureAction::Again);
                taken.extend(then.iter().copied().chain(lost));
                Ok(())
            }
            EventBody::Error { task, .. } => {
                self.failure_actions.remove(task);
                Ok(())
            }

            EventBody::AgentMessage { turn, participant, mentions, message_id, .. } => {
                self.turn_ends(*turn, *participant)?;
                ensure(!mentions.contains(participant), || "somebody calls themselves".into())?;
                self.next_message(*message_id)
            }
            EventBody::UserMessage { message_id, by, message, .. } => {
                if let Actor::Participant { id } = by {
                    self.at_the_table(*id)?;
                }
                if let Actor::Person { id, .. } = by {
                    let here = m.person(id).is_some_and(|person| person.name == message.name);
                    ensure(here, || format!("{id} speaks and is not at the table by this name"))?;
                }
                self.next_message(*message_id)
            }
            EventBody::FacilitationWritten { message_id, .. } => self.next_message(*message_id),
            EventBody::TurnSkipped { turn, participant, reason, phrases } => {
                ensure(phrases.is_empty() == (*reason != SkipReason::SkipList), || {
                    format!("turn {turn} was skipped for the phrases {phrases:?} by {reason:?}")
                })?;
                let may = self.turns.get(turn).is_some_and(|(_, can_skip)| *can_skip);
                let may = may || (*reason == SkipReason::TimedOut && m.rules().turns.timeout_skips);
                ensure(may, || format!("turn {turn} was skipped and could not be"))?;
                self.turn_ends(*turn, *participant)
            }
            EventBody::TurnFailed { turn, participant, .. } => self.turn_ends(*turn, *participant),
            EventBody::BallotOpened { ballot, voters, .. } => {
                voters.iter().try_for_each(|voter| self.at_the_table(*voter))?;
                let known = self.ballots.insert(*ballot, (voters.clone(), true));
                ensure(known.is_none(), || format!("ballot {ballot} was opened twice"))
            }
            EventBody::VoteCast { ballot, participant, vote, .. } => {
                ensure(vote.score <= 100, || format!("a score of {}", vote.score))?;
                self.vote(*ballot, *participant)
            }
            EventBody::VoteAbstained { ballot, participant, .. } => self.vote(*ballot, *participant),
            EventBody::BallotInterrupted { ballot, .. } => self.ballot_ends(*ballot),
            EventBody::BallotClosed { ballot, verdict } => {
                let voters = self.ballots.get(ballot).map_or(0, |(voters, _)| voters.len());
                let counted = (verdict.votes + verdict.abstentions) as usize;
                ensure(counted == voters, || format!("{counted} of {voters} voters were counted"))?;
                self.ballot_ends(*ballot)
            }
            EventBody::MeetingClosing { .. } => {
                // What people asked for beside the discussion is still written.
                let open = self.calls.iter().any(|(task, (_, open))| *open && !is_beside(*task));
                ensure(!open, || "it closes while calls are under way".into())?;
                ensure(!std::mem::replace(&mut self.closing, true), || "it closes twice".into())
            }
            EventBody::ConclusionWritten { .. } => {
                ensure(self.closing, || "a conclusion before the closing".into())?;
                ensure(!std::mem::replace(&mut self.concluded, true), || "two conclusions".into())
            }
            EventBody::Finished { outcome, usage, .. } => {
                self.finished = true;
                ensure(self.concluded, || "finished without a conclusion".into())?;
                ensure(m.outcome() == Some(outcome), || "it ends otherwise than it closed".into())?;
                ensure(*usage == m.spent.usage, || "the bill is not the sum of its calls".into())
            }
            EventBody::MeetingForked { at, .. } => {
                // Calls that were in flight continue in the original meeting.
                self.calls.values_mut().for_each(|(_, open)| *open = false);
                ensure(*at == m.seq, || format!("a fork at {at} of a log of {}", m.seq))
            }
            EventBody::ParticipantJoined { participant, invitation, .. } => {
                self.joins(participant)?;
                let open = |number: &u32| m.invitations.iter().any(|one| one.number == *number && !one.done);
                ensure(invitation.as_ref().is_none_or(open), || "it was not invited".into())
            }
            EventBody::ParticipantInvited { invitation, .. } => {
                let next = m.invitations.len() as u64 + 1;
                ensure(u64::from(*invitation) == next, || format!("invitation {invitation} where {next} is"))
            }
            EventBody::EvaluationWritten { round, marks, .. } => {
                ensure(m.round_number() == *round, || format!("marks of round {round}"))?;
                ensure(marks.iter().all(|mark| mark.score <= 10), || "a mark above 10".into())
            }
            EventBody::Metric { round, convergence_score, .. } => {
                let first = m.metrics.last().is_none_or(|before| before.round < *round);
                ensure(first, || format!("round {round} is measured twice"))?;
                ensure(*convergence_score <= 100, || format!("a convergence of {convergence_score}"))
            }
            EventBody::MinutesWritten { version, .. } => self.version("the minutes", *version),
            EventBody::ArtifactWritten { artifact_type, version, .. } => {
                self.version(artifact_type.as_str(), version.0)
            }
            EventBody::Pause { .. } => {
                let course = self.calls.iter().find(|(task, (_, open))| *open && !is_beside(**task));
                ensure(course.is_none(), || format!("it rests while {course:?} is under way"))
            }
            EventBody::Resume { .. } => {
                ensure(m.run_state != RunState::Running, || "it goes on and did not rest".into())
            }
            EventBody::PreparationStarted { round } => {
                let begun = m.rounds.iter().any(|one| one.number == *round);
                ensure(!begun, || format!("round {round} is prepared and has begun"))
            }
            EventBody::PresenceChanged { participant, .. }
            | EventBody::ParticipantChanged { participant, .. } => self.at_the_table(*participant),
            EventBody::PersonJoined { person } => {
                let known = m
                    .people
                    .iter()
                    .any(|one| one.person.id == person.id || is_same(&one.person.name, &person.name));
                ensure(!known, || format!("{person:?} is at the table, or has the name of somebody there"))?;
                ensure(m.people.len() < PEOPLE_MAX, || "more people than there is room for".into())
            }
            EventBody::ToolCalled { call, turn, participant, tool, effects, .. } => {
                ensure(call.0 == m.tools.called + 1, || format!("{call} is not the next call of a tool"))?;
                ensure(m.tools_of(*participant).next().is_some() || m.has_texts(), || {
                    format!("{participant} called {tool} and may call nothing")
                })?;
                let open = m.turn(*turn).is_some_and(|open| open.participant == *participant);
                ensure(open, || format!("{participant} called {tool} without the floor"))?;
                let most = m.rules().limits.tool_calls_per_turn;
                let of_turn = self.tools.values().filter(|known| known.turn == *turn).count() as u32;
                ensure(of_turn < most + TOOL_CALLS_PER_ANSWER as u32, || {
                    format!("{turn} called more tools than it may")
                })?;
                let (turn, tool, effects) = (*turn, tool.clone(), *effects);
                let approved = self.allowed_tools.contains(&tool);
                self.tools.insert(*call, ToolCallSeen { turn, tool, effects, approved, ended: false });
                Ok(())
            }
            EventBody::ToolReviewed { call, decision, by } => {
                ensure(m.decides_on_tools(by), || format!("{by:?} decided about {call}"))?;
                let known = self.tools.get_mut(call).filter(|known| !known.ended);
                let known = known.ok_or_else(|| format!("{call} was reviewed and does not wait"))?;
                known.approved = *decision != ToolDecision::Refused;
                if *decision == ToolDecision::Meeting {
                    let tool = known.tool.clone();
                    // Calls of it that wait are decided on, too.
                    let same = self.tools.values_mut().filter(|other| !other.ended && other.tool == tool);
                    same.for_each(|other| other.approved = true);
                    self.allowed_tools.insert(tool);
                }
                Ok(())
            }
            EventBody::ToolReturned { call, outcome, .. } => {
                let known = self.tools.get_mut(call).filter(|known| !known.ended);
                let known = known.ok_or_else(|| format!("{call} returned twice, or was never called"))?;
                known.ended = true;
                let ran = matches!(outcome, ToolOutcome::Returned { .. });
                ensure(!ran || !known.effects || known.approved, || {
                    format!("{call} has effects and ran without a person's yes")
                })
            }
            EventBody::PersonLeft { person, .. } => {
                ensure(m.person(&person.id).is_some(), || format!("{person:?} left and was not there"))
            }
            EventBody::HostChanged { host, .. } => {
                ensure(m.person(&host.id).is_some(), || format!("{host:?} hosts and is not there"))
            }
            EventBody::MeetingImported { .. }
            | EventBody::RulesChanged { .. }
            | EventBody::TopicChanged { .. }
            | EventBody::DetailsChanged { .. }
            | EventBody::AgendaChanged { .. }
            | EventBody::ToolsAllowed { .. }
            | EventBody::FileAttached { .. }
            | EventBody::FileRemoved { .. }
            | EventBody::AnnouncementPublished { .. }
            | EventBody::AccessChanged { .. }
            | EventBody::IntakeWritten { .. }
            | EventBody::TeamProposed { .. }
            | EventBody::MemoryWritten { .. }
            | EventBody::MinutesRequested { .. }
            | EventBody::ArtifactRequested { .. }
            | EventBody::MeetingStarted { .. }
            | EventBody::RoundStarted { .. }
            | EventBody::SpeakerRequested { .. }
            | EventBody::QueueChanged { .. }
            | EventBody::TeamReviewed { .. }
            | EventBody::AnswerMalformed { .. }
            | EventBody::RoundEnded { .. }
            | EventBody::SummaryWritten { .. }
            | EventBody::DraftRevised { .. }
            | EventBody::PauseRequested { .. }
            | EventBody::Recovered { .. }
            | EventBody::BudgetReached { .. }
            | EventBody::ProviderWaitStarted { .. }
            | EventBody::ProviderWaitEnded { .. }
            | EventBody::EndRequested { .. } => Ok(()),
        }
    }

    /// Checks that a newcomer reuses no id and no name.
    fn joins(&self, participant: &Participant) -> Result<(), String> {
        let seats = &self.meeting.seats;
        let taken = seats.iter().any(|seat| seat.participant.name == participant.name);
        ensure(!taken, || format!("there is a second {}", participant.name))?;
        let here = self.meeting.present().count();
        ensure(here < PARTICIPANTS_MAX, || format!("{here} sit at the table, and another comes"))?;
        ensure(participant.id.0 as usize == seats.len() + 1, || {
            format!("place {} is skipped", participant.id)
        })
    }

    /// Versions count from 1, each kind for itself.
    fn version(&mut self, what: &'static str, version: u32) -> Result<(), String> {
        let before = self.versions.insert(what, version).unwrap_or(0);
        ensure(version == before + 1, || format!("version {version} of {what} follows {before}"))
    }

    fn at_the_table(&self, id: ParticipantId) -> Result<(), String> {
        ensure(self.meeting.seat(id).is_some(), || format!("nobody has place {id}"))?;
        ensure(!self.left.contains(&id), || format!("{id} is asked and has left"))
    }

    fn next_message(&self, id: MessageId) -> Result<(), String> {
        let expected = self.meeting.said.len() as u64 + 1;
        ensure(u64::from(id.0) == expected, || format!("message {id} where m{expected} is next"))
    }

    fn call_starts(&mut self, task: TaskId, attempt: u32) -> Result<(), String> {
        let answerer = match task {
            TaskId::Speak(turn) => {
                let (participant, _) = self.turns.get(&turn).ok_or(format!("{task} of no turn"))?;
                Some(*participant)
            }
            TaskId::Vote(_, voter) => Some(voter),
            _ => None,
        };
        if let Some(id) = answerer {
            self.at_the_table(id)?;
        }
        let (last, open) = self.calls.get(&task).copied().unwrap_or((0, false));
        ensure(!open, || format!("{task} is called while it is under way"))?;
        ensure(attempt == last + 1, || format!("attempt {attempt} of {task} follows attempt {last}"))?;
        self.calls.insert(task, (attempt, true));
        Ok(())
    }

    fn call_ends(&mut self, task: TaskId, attempt: u32) -> Result<(), String> {
        let under_way = self.calls.get(&task) == Some(&(attempt, true));
        ensure(under_way, || format!("{task}#{attempt} ends and is not under way"))?;
        self.calls.insert(task, (attempt, false));
        Ok(())
    }

    fn turn_ends(&mut self, turn: TurnId, participant: ParticipantId) -> Result<(), String> {
        let (owner, _) = self.turns.get(&turn).ok_or(format!("turn {turn} ends and was never given"))?;
        ensure(*owner == participant, || format!("turn {turn} is {owner}'s, not {participant}'s"))?;
        ensure(self.ended.insert(turn), || format!("turn {turn} ends twice"))
    }

    fn vote(&mut self, ballot: BallotId, participant: ParticipantId) -> Result<(), String> {
        let Some((voters, open)) = self.ballots.get(&ballot) else {
            return Err(format!("a vote in ballot {ballot}, which was never opened"));
        };
        ensure(*open, || format!("a vote in ballot {ballot}, which is over"))?;
        ensure(voters.contains(&participant), || format!("{participant} has no vote in {ballot}"))?;
        let first = self.votes.insert((ballot, participant));
        ensure(first, || format!("{participant} votes twice in {ballot}"))
    }

    fn ballot_ends(&mut self, ballot: BallotId) -> Result<(), String> {
        match self.ballots.get_mut(&ballot) {
            Some((_, open)) if *open => {
                *open = false;
                Ok(())
            }
            Some(_) => Err(format!("ballot {ballot} ends twice")),
            None => Err(format!("ballot {ballot} ends and was never opened")),
        }
    }
}

/// Whether the task may be a request of people beside the discussion.
fn is_beside(task: TaskId) -> bool {
    matches!(task, TaskId::Minutes(_) | TaskId::Artifact(..) | TaskId::Invite(_))
}

/// Checks that a live state is settled: it owes nothing to itself, and makes only permitted calls.
pub(crate) fn check_live(meeting: &Meeting) -> Result<(), String> {
    let tasks = pending(meeting);
    let asked: Vec<&Call> = tasks
        .iter()
        .filter_map(|task| match task {
            Task::Call(call) => Some(call),
            Task::Tool(_) | Task::Wake(_) => None,
        })
        .collect();
    ensure(asked.len() == meeting.calls.len(), || "a call is under way and nobody is asked".into())?;
    for call in asked {
        let online = |id| meeting.online().any(|seat| seat.participant.id == id);
        ensure(call.participant.is_none_or(online), || {
            format!("{} asks somebody who is not there", call.id)
        })?;
        // Requests of people during a pause do not wait for its end.
        let may_be_asked = !meeting.is_paused() || is_beside(call.id);
        ensure(may_be_asked, || format!("a meeting that rests asks for {}", call.id))?;
    }
    let wakes = tasks.iter().any(|task| matches!(task, Task::Wake(_)));
    ensure(!(meeting.is_paused() && wakes), || "a meeting that rests wants to be woken".into())?;
    ensure(!meeting.is_over() || tasks.is_empty(), || "a meeting that is over asks for something".into())
}

/// Checks that all consequences have been drawn: a tick changes nothing, until the moment for which the
/// meeting wants to be woken.
pub(crate) fn check_settled(meeting: &Meeting) -> Result<(), String> {
    let events_at = |moment| match decide(meeting, Command::Tick, moment) {
        Ok(events) => Ok(events),
        Err(refusal) => Err(format!("a tick is refused: {refusal}")),
    };
    let events = events_at(meeting.updated_at)?;
    ensure(events.is_empty(), || format!("events follow from no command at all: {events:?}"))?;
    for task in pending(meeting) {
        if let Task::Wake(at) = task {
            let useful = !events_at(at)?.is_empty();
            ensure(useful, || "it wants to be woken and has nothing to do then".into())?;
        }
    }
    Ok(())
}

/// Checks that every provider accepts a prompt.
pub(crate) fn check_prompt(prompt: &Prompt) -> Result<(), String> {
    let roles: Vec<PromptRole> = prompt.messages.iter().map(|message| message.role).collect();
    let ends = (roles.first(), roles.last()) == (Some(&PromptRole::User), Some(&PromptRole::User));
    ensure(ends, || "a prompt begins or ends with the reader's own words".into())?;
    ensure(roles.windows(2).all(|pair| pair[0] != pair[1]), || "two messages of one role in a row".into())?;
    let empty = prompt.messages.iter().any(|message| message.content.trim().is_empty());
    ensure(!empty && !prompt.system.trim().is_empty(), || "a prompt with an empty message".into())?;
    ensure(prompt.max_tokens > 0, || "an answer of no tokens".into())
}

/// Whether an event says all that was chosen with it. In logs before version 4 it was worked out while they were read.
fn says_what_follows(body: &EventBody) -> bool {
    match body {
        EventBody::MeetingStarted { silence_max_ms, .. } | EventBody::RulesChanged { silence_max_ms, .. } => {
            silence_max_ms.is_some()
        }
        EventBody::CallStarted { task, covers, .. } => {
            covers.is_some() == matches!(task, TaskId::Artifact(..))
        }
        EventBody::MinutesRequested { covers, .. } | EventBody::ArtifactWritten { covers, .. } => {
            covers.is_some()
        }
        EventBody::CallEnded { end, window, counts_as_repetition, .. } => {
            *counts_as_repetition == (*end == CallEnd::Lost)
                && window.is_none_or(|window| window.per_mille.is_some())
        }
        EventBody::Pause { pause_reason, budget, .. } => {
            budget.is_some() == (*pause_reason == PauseReason::BudgetLimit)
        }
        EventBody::Resume { then, .. } => then.is_some(),
        EventBody::Error { then, .. } => then.is_some(),
        EventBody::MeetingClosing { asked_again, .. } => asked_again.is_some(),
        _ => true,
    }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

#[cfg(test)]
mod tests;
