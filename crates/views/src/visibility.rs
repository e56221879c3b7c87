//! Visibility: the parts of a meeting that are hidden from readers with the smallest permission. These are
//! marks, private notes, reasoning, and the votes of an open ballot.
//!
//! There is one policy, used by streams, pages of the log, views, live answers and exports. Hidden parts of
//! an event are removed from its line; its number and type stay, so that the numbering has no gap.

use std::sync::Arc;

use quorate_contract::{Actor, BallotId, Event, EventBody, Phrase, TaskId};
use quorate_core::{Ballot, BallotState, ClaimRecord, Meeting};
use serde_json::{Value, json};

/// The visibility of a meeting for one reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// All of the meeting.
    Everything,
    /// The parts that every reader may see.
    Public,
}

impl Visibility {
    /// The visibility for a reader that may see everything, or may not.
    pub fn of(sees_all: bool) -> Self {
        if sees_all { Self::Everything } else { Self::Public }
    }

    fn sees_all(self) -> bool {
        self == Self::Everything
    }

    /// The line of an event in the place of the one that is stored; `None` when that one may be seen. `open` is the
    /// ballot that is open at the time of asking.
    pub fn line(self, event: &Event, open: Option<BallotId>) -> Option<String> {
        if self.sees_all() { None } else { withheld(event, open) }
    }

    /// Whether the votes of a ballot may be seen.
    pub fn votes(self, ballot: &Ballot) -> bool {
        self.sees_all() || !is_open(ballot)
    }

    /// Whether the private notes of a participant may be seen.
    pub fn memory(self) -> bool {
        self.sees_all()
    }

    /// Whether the hidden marks may be seen.
    pub fn evaluations(self) -> bool {
        self.sees_all()
    }

    /// Whether the reasoning behind an answer may be seen.
    pub fn reasoning(self) -> bool {
        self.sees_all()
    }

    /// Whether the error text of a fault of the program may be seen.
    pub fn fault_detail(self) -> bool {
        self.sees_all()
    }

    /// Whether a fragment of the answer to this task may be seen while it is generated. Of a visible answer,
    /// only the text that [`PublicText`](crate::PublicText) lets pass is shown.
    pub fn fragment(self, task: TaskId, is_reasoning: bool) -> bool {
        self.sees_all() || !(is_reasoning || is_written_unseen(task))
    }

    /// Whether a claim may be seen. A claim from a vote is hidden while the vote is.
    pub fn claim(self, meeting: &Meeting, claim: &ClaimRecord) -> bool {
        let open = meeting.ballots.last().filter(|ballot| !self.votes(ballot));
        open.is_none_or(|ballot| claim.message.is_some() || claim.round != ballot.round)
    }

    /// Takes out of a meeting what may not be seen.
    pub fn redact(self, meeting: &mut Meeting) {
        if self.sees_all() {
            return;
        }
        meeting.evaluations.clear();
        for seat in &mut meeting.seats {
            Arc::make_mut(seat).memory = None;
        }
        // What the votes of one ballot raise comes last, so that the numbers of the others still hold.
        let hidden = meeting.claims.iter().position(|claim| !self.claim(meeting, claim));
        meeting.claims.truncate(hidden.unwrap_or(meeting.claims.len()));
        if let Some(ballot) = meeting.ballots.last_mut().filter(|ballot| !self.votes(ballot)) {
            Arc::make_mut(ballot).cast.clear();
        }
    }
}

/// The ballot whose votes are hidden from most readers.
pub fn hidden_ballot(meeting: &Meeting) -> Option<BallotId> {
    meeting.ballots.last().filter(|ballot| is_open(ballot)).map(|ballot| ballot.id)
}

fn is_open(ballot: &Ballot) -> bool {
    matches!(ballot.state, BallotState::Open)
}

/// The hidden part of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// All of it may be seen.
    Nothing,
    /// One field of its payload.
    Field(&'static str),
    /// Everything except its type and its subject.
    Payload,
}

/// The hidden part of an event, while `open` is the open ballot.
pub fn hidden(body: &EventBody, open: Option<BallotId>) -> Hidden {
    match body {
        EventBody::EvaluationWritten { .. } | EventBody::MemoryWritten { .. } => Hidden::Payload,
        EventBody::VoteCast { ballot, .. } | EventBody::VoteAbstained { ballot, .. }
            if open == Some(*ballot) =>
        {
            Hidden::Payload
        }
        EventBody::AgentMessage { reasoning: Some(_), .. } => Hidden::Field("reasoning"),
        // The beginning of an unreadable answer may be reasoning, a vote, notes or marks.
        EventBody::AnswerMalformed { excerpt, .. } if !excerpt.is_empty() => Hidden::Field("excerpt"),
        // A departure by the rules reveals a mark in its reason.
        EventBody::TeamProposed { departures, .. } if !departures.is_empty() => Hidden::Field("departures"),
        EventBody::ParticipantLeft { by: Actor::System, reason, .. } if !reason.is_empty() => {
            Hidden::Field("reason")
        }
        _ => Hidden::Nothing,
    }
}

/// The line of an event without its hidden part; `None` when there is nothing to hide.
fn withheld(event: &Event, open: Option<BallotId>) -> Option<String> {
    let payload = |payload: Value| {
        let mut line = serde_json::to_value(event).expect("an event is plain JSON");
        line["payload"] = payload;
        Some(line.to_string())
    };
    if hidden(&event.body, open) == Hidden::Nothing {
        return None;
    }
    let mut body = event.body.clone();
    match &mut body {
        EventBody::EvaluationWritten { round, .. } => {
            return payload(json!({ "round": round, "withheld": true }));
        }
        EventBody::MemoryWritten { participant, .. } => {
            return payload(json!({ "participant": participant, "withheld": true }));
        }
        EventBody::VoteCast { ballot, participant, .. }
        | EventBody::VoteAbstained { ballot, participant, .. } => {
            return payload(json!({ "ballot": ballot, "participant": participant, "withheld": true }));
        }
        EventBody::AgentMessage { reasoning, .. } => *reasoning = None,
        EventBody::AnswerMalformed { excerpt, .. } => excerpt.clear(),
        EventBody::TeamProposed { departures, .. } => {
            departures.iter_mut().for_each(|one| one.reason = Phrase::default());
        }
        EventBody::ParticipantLeft { reason, .. } => *reason = Phrase::default(),
        // A type that is hidden and not known here would be shown with nothing but its number.
        _ => return payload(json!({ "withheld": true })),
    }
    Some(Event { body, ..event.clone() }.to_json())
}

/// Whether events of this type can have a hidden part.
pub fn may_be_withheld(kind: &str) -> bool {
    matches!(
        kind,
        "evaluation_written"
            | "memory_written"
            | "vote_cast"
            | "vote_abstained"
            | "agent_message"
            | "answer_malformed"
            | "team_proposed"
            | "participant_left"
    )
}

/// Whether the answer to this task is hidden while it is generated: votes and marks.
fn is_written_unseen(task: TaskId) -> bool {
    match task {
        TaskId::Vote(..) | TaskId::Evaluate(_) => true,
        TaskId::Speak(_)
        | TaskId::Summarize(_)
        | TaskId::Facilitate(_)
        | TaskId::Conclude
        | TaskId::Intake(_)
        | TaskId::Team(_)
        | TaskId::Invite(_)
        | TaskId::Minutes(_)
        | TaskId::Artifact(..) => false,
    }
}
