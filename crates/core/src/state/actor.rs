//! The actor of an event.

use quorate_contract::{Action, ActionStatus, Actor, EventBody};

/// The actor of an event.
pub(crate) fn actor_of(body: &EventBody) -> Actor {
    match body {
        EventBody::MeetingCreated { by, .. }
        | EventBody::MeetingImported { by, .. }
        | EventBody::MeetingForked { by, .. }
        | EventBody::ParticipantJoined { by, .. }
        | EventBody::ParticipantLeft { by, .. }
        | EventBody::ParticipantInvited { by, .. }
        | EventBody::PresenceChanged { by, .. }
        | EventBody::ParticipantChanged { by, .. }
        | EventBody::PersonLeft { by, .. }
        | EventBody::HostChanged { by, .. }
        | EventBody::RulesChanged { by, .. }
        | EventBody::TopicChanged { by, .. }
        | EventBody::DetailsChanged { by, .. }
        | EventBody::AgendaChanged { by, .. }
        | EventBody::AnnouncementPublished { by, .. }
        | EventBody::FileAttached { by, .. }
        | EventBody::FileRemoved { by, .. }
        | EventBody::ToolsAllowed { by, .. }
        | EventBody::ToolReviewed { by, .. }
        | EventBody::AccessChanged { by, .. }
        | EventBody::MinutesRequested { by, .. }
        | EventBody::ArtifactRequested { by, .. }
        | EventBody::MeetingStarted { by, .. }
        | EventBody::SpeakerRequested { by, .. }
        | EventBody::UserMessage { by, .. }
        | EventBody::PauseRequested { by, .. }
        | EventBody::Pause { by, .. }
        | EventBody::Resume { by, .. }
        | EventBody::EndRequested { by, .. }
        | EventBody::SummaryWritten { by, .. }
        | EventBody::DraftRevised { by, .. }
        | EventBody::IntakeWritten { by, .. }
        | EventBody::TeamProposed { by, .. }
        | EventBody::TeamReviewed { by, .. }
        | EventBody::EvaluationWritten { by, .. }
        | EventBody::ConclusionWritten { by, .. } => by.clone(),
        EventBody::AgentAction {
            action: Action { by: Some(by), status: ActionStatus::Pending, .. }, ..
        } => by.clone().into(),
        EventBody::AgentAction { participant: Some(participant), .. } => Actor::participant(*participant),
        EventBody::AgentAction { participant: None, .. } => Actor::Facilitator,
        EventBody::PersonJoined { person } => person.clone().into(),
        EventBody::MinutesWritten { author, .. } | EventBody::ArtifactWritten { author, .. } => {
            author.clone()
        }
        EventBody::AgentMessage { participant, .. }
        | EventBody::TurnSkipped { participant, .. }
        | EventBody::TurnFailed { participant, .. }
        | EventBody::VoteCast { participant, .. }
        | EventBody::VoteAbstained { participant, .. }
        | EventBody::ToolCalled { participant, .. }
        | EventBody::MemoryWritten { participant, .. } => Actor::participant(*participant),
        EventBody::FacilitationWritten { .. } => Actor::Facilitator,
        EventBody::ToolReturned { .. }
        | EventBody::PreparationStarted { .. }
        | EventBody::Metric { .. }
        | EventBody::RoundStarted { .. }
        | EventBody::SpeakerSelected { .. }
        | EventBody::QueueChanged { .. }
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
        | EventBody::Finished { .. } => Actor::System,
    }
}
