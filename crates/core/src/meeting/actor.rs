//! Who a fact is to be ascribed to.

use super::Meeting;
use crate::event::{Author, EventBody};
use crate::ids::ParticipantId;

/// Who a fact is to be ascribed to.
pub fn actor_of(meeting: &Meeting, body: &EventBody) -> String {
    let agent = |id: &ParticipantId| format!("agent:{}", meeting.name_of(*id));
    let written = |by: &Author| match by {
        Author::Facilitator => "facilitator".to_owned(),
        Author::Rules => "system".to_owned(),
    };
    match body {
        EventBody::MeetingCreated { by, .. }
        | EventBody::ParticipantJoined { by, .. }
        | EventBody::ParticipantLeft { by, .. }
        | EventBody::MeetingStarted { by }
        | EventBody::SpeakerRequested { by, .. }
        | EventBody::UserMessage { by, .. }
        | EventBody::PauseRequested { by }
        | EventBody::Pause { by, .. }
        | EventBody::Resume { by, .. }
        | EventBody::EndRequested { by, .. } => by.clone(),
        EventBody::AgentMessage { participant, .. }
        | EventBody::TurnSkipped { participant, .. }
        | EventBody::TurnFailed { participant, .. }
        | EventBody::VoteCast { participant, .. }
        | EventBody::VoteAbstained { participant, .. } => agent(participant),
        EventBody::SummaryWritten { by, .. }
        | EventBody::DraftRevised { by, .. }
        | EventBody::ConclusionWritten { by, .. } => written(by),
        EventBody::FacilitationWritten { .. } => "facilitator".to_owned(),
        EventBody::MeetingForked { .. }
        | EventBody::RoundStarted { .. }
        | EventBody::SpeakerSelected { .. }
        | EventBody::CallStarted { .. }
        | EventBody::CallEnded { .. }
        | EventBody::AnswerMalformed { .. }
        | EventBody::RoundEnded { .. }
        | EventBody::BallotOpened { .. }
        | EventBody::BallotInterrupted { .. }
        | EventBody::BallotClosed { .. }
        | EventBody::Recovered {}
        | EventBody::BudgetReached { .. }
        | EventBody::Error { .. }
        | EventBody::MeetingClosing { .. }
        | EventBody::Finished { .. } => "system".to_owned(),
    }
}
