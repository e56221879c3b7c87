//! What of a event stays hidden from those who may look on and no more: marks, private notes, thoughts,
//! and the votes of a ballot that is still open.
//!
//! Whatever leaves the app for somebody who does not run it goes through here: streams, pages of
//! the log, exports. What is hidden is left out of the line; its number and type stay, so that
//! whoever counts finds no hole.

use quorate_contract::{BallotId, Event, EventBody, TaskId};
use serde_json::{Value, json};

/// The line of an event for somebody who may not see everything; `None` when there is nothing in it to
/// hide and the line as stored will do. `open` is the ballot that is open at the time of asking.
pub fn withheld(event: &Event, open: Option<BallotId>) -> Option<String> {
    let payload = |payload: Value| {
        let mut line = serde_json::to_value(event).expect("an event is plain JSON");
        line["payload"] = payload;
        Some(line.to_string())
    };
    let shown = |body: EventBody| Some(Event { body, ..event.clone() }.to_json());
    match &event.body {
        EventBody::EvaluationWritten { round, by: _, marks: _ } => {
            payload(json!({ "round": round, "withheld": true }))
        }
        EventBody::MemoryWritten { participant, memory: _ } => {
            payload(json!({ "participant": participant, "withheld": true }))
        }
        EventBody::VoteCast { ballot, participant, vote: _, objection: _ } if open == Some(*ballot) => {
            payload(json!({ "ballot": ballot, "participant": participant, "withheld": true }))
        }
        EventBody::VoteAbstained { ballot, participant, .. } if open == Some(*ballot) => {
            payload(json!({ "ballot": ballot, "participant": participant, "withheld": true }))
        }
        EventBody::AgentMessage { reasoning: Some(_), .. } => {
            let mut body = event.body.clone();
            if let EventBody::AgentMessage { reasoning, .. } = &mut body {
                *reasoning = None;
            }
            shown(body)
        }
        // How an answer began may be a thought, a vote, notes or marks.
        EventBody::AnswerMalformed { excerpt, .. } if !excerpt.is_empty() => {
            let mut body = event.body.clone();
            if let EventBody::AnswerMalformed { excerpt, .. } = &mut body {
                excerpt.clear();
            }
            shown(body)
        }
        // Why the rules let somebody go is the reason of a mark.
        EventBody::TeamProposed { departures, .. } if !departures.is_empty() => {
            let mut body = event.body.clone();
            if let EventBody::TeamProposed { departures, .. } = &mut body {
                departures.iter_mut().for_each(|one| one.reason.clear());
            }
            shown(body)
        }
        EventBody::ParticipantLeft { by, reason, .. } if by == "system" && !reason.is_empty() => {
            let mut body = event.body.clone();
            if let EventBody::ParticipantLeft { reason, .. } = &mut body {
                reason.clear();
            }
            shown(body)
        }
        _ => None,
    }
}

/// Whether [`withheld`] may hide something of events of this type.
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

/// Whether nothing of an answer to this task is shown while it is written: votes and marks.
pub fn is_written_unseen(task: TaskId) -> bool {
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
