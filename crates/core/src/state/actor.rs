//! Who an event is to be ascribed to.

use quorate_contract::{Author, EventBody, ParticipantId};

use super::Meeting;

/// Who an event is to be ascribed to.
pub fn actor_of(meeting: &Meeting, body: &EventBody) -> String {
    let agent = |id: &ParticipantId| format!("agent:{}", meeting.name_of(*id));
    let written = |author: &Author, by: &str| match author {
        Author::Facilitator => "facilitator".to_owned(),
        Author::Rules => "system".to_owned(),
        Author::Participant(id) => agent(id),
        Author::Person => by.to_owned(),
    };
    match body {
        EventBody::MeetingCreated { by, .. }
        | EventBody::MeetingImported { by, .. }
        | EventBody::ParticipantJoined { by, .. }
        | EventBody::ParticipantLeft { by, .. }
        | EventBody::ParticipantInvited { by, .. }
        | EventBody::PresenceChanged { by, .. }
        | EventBody::RulesChanged { by, .. }
        | EventBody::TopicChanged { by, .. }
        | EventBody::AgendaChanged { by, .. }
        | EventBody::AnnouncementPublished { by, .. }
        | EventBody::AccessChanged { by, .. }
        | EventBody::MinutesRequested { by, .. }
        | EventBody::ArtifactRequested { by, .. }
        | EventBody::MeetingStarted { by }
        | EventBody::SpeakerRequested { by, .. }
        | EventBody::UserMessage { by, .. }
        | EventBody::PauseRequested { by, .. }
        | EventBody::Pause { by, .. }
        | EventBody::Resume { by, .. }
        | EventBody::EndRequested { by, .. } => by.clone(),
        EventBody::AgentMessage { participant, .. }
        | EventBody::TurnSkipped { participant, .. }
        | EventBody::TurnFailed { participant, .. }
        | EventBody::VoteCast { participant, .. }
        | EventBody::VoteAbstained { participant, .. }
        | EventBody::MemoryWritten { participant, .. } => agent(participant),
        EventBody::SummaryWritten { by, .. }
        | EventBody::DraftRevised { by, .. }
        | EventBody::IntakeWritten { by, .. }
        | EventBody::TeamProposed { by, .. }
        | EventBody::EvaluationWritten { by, .. }
        | EventBody::ConclusionWritten { by, .. } => written(by, ""),
        EventBody::MinutesWritten { author, by, .. } => written(author, by),
        EventBody::ArtifactWritten { author, .. } => written(author, ""),
        EventBody::FacilitationWritten { .. } => "facilitator".to_owned(),
        EventBody::MeetingForked { .. }
        | EventBody::PreparationStarted { .. }
        | EventBody::Metric { .. }
        | EventBody::RoundStarted { .. }
        | EventBody::SpeakerSelected { .. }
        | EventBody::CallStarted { .. }
        | EventBody::CallRetried { .. }
        | EventBody::CallEnded { .. }
        | EventBody::AnswerMalformed { .. }
        | EventBody::RoundEnded { .. }
        | EventBody::BallotOpened { .. }
        | EventBody::BallotInterrupted { .. }
        | EventBody::BallotClosed { .. }
        | EventBody::Recovered { .. }
        | EventBody::BudgetReached { .. }
        | EventBody::ProviderWaitStarted { .. }
        | EventBody::ProviderWaitEnded { .. }
        | EventBody::Error { .. }
        | EventBody::MeetingClosing { .. }
        | EventBody::Finished { .. } => "system".to_owned(),
    }
}
