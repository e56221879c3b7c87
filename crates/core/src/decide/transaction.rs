//! A transaction: a copy of the meeting to which the events of a command are applied as they are decided, so
//! that all consequences come out as one append.

use quorate_contract::{
    Actor, AnswerRepair, CallEnd, ContextWindowObservation, Event, EventBody, FailureAction, FailureKind,
    MeetingOutcome, ParticipantId, Phrase, Prompt, RunId, TaskId, Timestamp, ToolCallId, ToolFailureKind,
    ToolOutcome, TurnId, Usage,
};

use super::envelope::Envelope;
use super::invariants::{self, BrokenInvariant, Invariant};
use crate::accounting::{budget, failure_policy};
use crate::policy::pending::wanted;
use crate::policy::{availability, failed_task, queue, resumption};
use crate::state::tasks::is_request;
use crate::state::{Meeting, actor_of, fold};

/// A copy of a meeting under decision, and the events so far.
pub(crate) struct Transaction {
    pub(crate) meeting: Meeting,
    pub(crate) now: Timestamp,
    events: Vec<(Actor, EventBody)>,
    /// What the calls that it starts are to read.
    pub(crate) prompts: Vec<(TaskId, Prompt)>,
    /// The first invariant that an event breaks.
    broken: Option<BrokenInvariant>,
}

/// What follows from a command.
#[derive(Debug)]
pub struct Step {
    /// The events, in the order of the log.
    pub events: Vec<Event>,
    /// What the calls that they start are to read: for each what [`context`](crate::context) makes of the meeting after the
    /// events. It was made anyway, to see what the call needs of the budget.
    pub prompts: Vec<(TaskId, Prompt)>,
}

/// The end of a call.
pub(crate) struct CallResult {
    pub(crate) end: CallEnd,
    /// `None` when it is not known.
    pub(crate) usage: Option<Usage>,
    pub(crate) latency_ms: u64,
    pub(crate) request_id: Option<String>,
    pub(crate) then: Option<FailureAction>,
    pub(crate) mended: Vec<AnswerRepair>,
    pub(crate) window: Option<ContextWindowObservation>,
}

impl CallResult {
    /// A call without an answer, whose usage is unknown.
    pub(crate) fn without_answer(end: CallEnd, latency_ms: u64) -> Self {
        Self { end, usage: None, latency_ms, request_id: None, then: None, mended: Vec::new(), window: None }
    }
}

impl Transaction {
    pub(crate) fn begin(meeting: &Meeting, now: Timestamp) -> Self {
        // A clock that was set back must not make the log run backwards.
        let now = now.max(meeting.updated_at);
        Self { meeting: meeting.clone(), now, events: Vec::new(), prompts: Vec::new(), broken: None }
    }

    /// States an event, and what it changes in the queue of the round; and believes both.
    pub(crate) fn emit(&mut self, event: EventBody) {
        self.cancel_tools(&event);
        self.state(event);
        let changed = self.events.last().and_then(|(_, event)| queue::change_after(&self.meeting, event));
        changed.into_iter().for_each(|changed| self.state(changed));
    }

    fn state(&mut self, event: EventBody) {
        let (seq, actor) = (self.meeting.seq + 1, actor_of(&event));
        let before = invariants::before(&self.meeting, &event);
        fold(&mut self.meeting, seq, self.now, &event);
        let held = before.and_then(|()| invariants::after(&self.meeting, &event));
        self.note(held, &event);
        self.events.push((actor, event));
    }

    fn note(&mut self, held: Result<(), Invariant>, event: &EventBody) {
        if let Err(invariant) = held {
            let broken = BrokenInvariant { invariant, seq: self.meeting.seq, event: event.kind() };
            self.broken.get_or_insert(broken);
        }
    }

    /// The invariant that the events so far break.
    pub(crate) fn broken(&self) -> Option<BrokenInvariant> {
        self.broken
    }

    /// The same, when it may be appended.
    ///
    /// # Errors
    /// The first invariant that would be broken.
    pub(crate) fn checked(mut self) -> Result<Self, BrokenInvariant> {
        if let Some((_, last)) = self.events.last() {
            let (seq, event) = (self.meeting.seq, last.kind());
            let settled = invariants::settled(&self.meeting);
            let broken = settled.err().map(|invariant| BrokenInvariant { invariant, seq, event });
            self.broken = self.broken.or(broken);
        }
        match self.broken {
            Some(broken) => Err(broken),
            None => Ok(self),
        }
    }

    /// The calls of tools that an event leaves without a turn end before it: each call has one end.
    fn cancel_tools(&mut self, before: &EventBody) {
        let ends = |of: TurnId| match before {
            EventBody::AgentMessage { turn, .. }
            | EventBody::TurnSkipped { turn, .. }
            | EventBody::TurnFailed { turn, .. } => *turn == of,
            EventBody::MeetingClosing { .. } | EventBody::Finished { .. } => true,
            _ => false,
        };
        let open = self.meeting.open_tool_calls().filter(|(turn, _)| ends(*turn));
        let open: Vec<_> = open.map(|(turn, call)| (turn, call.participant, call.id)).collect();
        for (turn, participant, call) in open {
            self.end_tool(turn, participant, call, ToolOutcome::failed(ToolFailureKind::Cancelled, ""), 0);
        }
    }

    /// A call of a tool is over.
    pub(crate) fn end_tool(
        &mut self,
        turn: TurnId,
        participant: ParticipantId,
        call: ToolCallId,
        outcome: ToolOutcome,
        latency_ms: u64,
    ) {
        self.state(EventBody::ToolReturned { call, turn, participant, outcome, latency_ms });
    }

    pub(crate) fn events_so_far(&self) -> usize {
        self.events.len()
    }

    pub(crate) fn into_bodies(self) -> Vec<EventBody> {
        self.events.into_iter().map(|(_, event)| event).collect()
    }

    /// All that was stated, as the next events of the log, each with who it is ascribed to.
    pub(crate) fn into_step(self, run: &RunId, cause: &str) -> Step {
        let first = self.meeting.seq + 1 - self.events.len() as u64;
        let envelope = Envelope { meeting: &self.meeting.id, run, cause };
        let events = self.events.into_iter().zip(first..);
        let events = events.map(|((actor, body), seq)| envelope.around(body, seq, self.now, actor)).collect();
        Step { events, prompts: self.prompts }
    }

    /// A call is over. What is not known of its use is taken to be what was held back for it.
    pub(crate) fn end_call(&mut self, task: TaskId, ended: CallResult) {
        let Some(call) = self.meeting.calls.get(&task) else { return };
        let held_back = Usage { input_tokens: call.reserved.tokens, estimated: true, ..Usage::default() };
        let CallResult { end, usage, latency_ms, request_id, then, mended, window } = ended;
        let (cost_micros, usage) = match usage {
            Some(usage) => (budget::cost(&self.meeting, task, &usage), usage),
            None => {
                let priced = budget::price(&self.meeting, task).is_some();
                (priced.then_some(call.reserved.cost_micros), held_back)
            }
        };
        let attempt = call.attempt;
        let next = failure_policy::next_attempt(&self.meeting, task, &end, then);
        let reach = availability::of(&end, then);
        self.emit(EventBody::CallEnded {
            task,
            attempt,
            end,
            usage,
            cost_micros,
            latency_ms,
            request_id,
            then,
            mended,
            window,
            reach,
            counts_as_repetition: next.counts_as_repetition,
            shares_time: next.shares_time,
            repair_open: next.repair_open,
        });
    }

    /// A task has failed for good.
    pub(crate) fn fail(&mut self, task: TaskId, kind: FailureKind, detail: Phrase, hint: Phrase) {
        let then = Some(failed_task::after(&self.meeting, task, kind));
        self.emit(EventBody::Error { task, kind, detail, hint, then });
    }

    /// Cancels all calls in flight except requests of people beside the discussion, which go on during a
    /// pause.
    pub(crate) fn cancel_course(&mut self) {
        self.cancel(|meeting, task| !is_request(meeting, task));
    }

    /// Cancels calls in flight that are not needed.
    pub(crate) fn cancel(&mut self, unwanted: impl Fn(&Meeting, TaskId) -> bool) {
        let m = &self.meeting;
        let under_way = m.calls.iter().map(|(id, call)| (*id, call.since));
        let under_way: Vec<_> = under_way.filter(|(id, _)| unwanted(m, *id)).collect();
        for (task, since) in under_way {
            self.end_call(task, CallResult::without_answer(CallEnd::Cancelled, self.now.since_ms(since)));
        }
    }

    /// Ends the discussion. Requested records are still written.
    pub(crate) fn close(&mut self, outcome: MeetingOutcome) {
        self.cancel_course();
        let asked_again = Some(resumption::failed_records(&self.meeting));
        self.emit(EventBody::MeetingClosing { outcome, asked_again });
        // Invited participants are not added any more, and when time is up nothing is written.
        let wanted = wanted(&self.meeting);
        self.cancel(|_, task| !wanted.contains(&task));
    }
}
