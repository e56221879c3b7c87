//! What a meeting was created with, and how far it has come.

use quorate_contract::{
    Actor, BudgetKind, Candidate, Departure, Facilitator, Format, Language, MeetingDetails, MeetingOutcome,
    ModelOffer, Moderator, PauseReason, Phrase, Question, Rules, Stride, Timestamp,
};
use serde::{Deserialize, Serialize};

/// The settings that a meeting was created with, with later changes applied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeetingSettings {
    /// The question.
    pub topic: String,
    /// The background of the question.
    pub background: String,
    /// What the meeting is called, and how its times are shown.
    #[serde(default, skip_serializing_if = "MeetingDetails::is_default")]
    pub details: MeetingDetails,
    /// The language.
    pub language: Language,
    /// The format.
    pub format: Format,
    /// The rules.
    pub rules: Rules,
    /// The seed.
    pub seed: u64,
    /// The facilitator.
    pub facilitator: Option<Facilitator>,
    /// The moderator.
    pub moderator: Moderator,
    /// The models that an assembled team can choose from.
    pub models: Vec<ModelOffer>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The phase of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// Not created yet.
    Blank,
    /// Created, not started.
    Draft,
    /// Preparation before a round: questions to a person, or assembling a team.
    Preparation,
    /// Turns are taken.
    Discussion,
    /// The round ended and is being summarized.
    Summary,
    /// Votes are being cast.
    Ballot,
    /// A ballot failed, and the facilitator explains why.
    Facilitation,
    /// The conclusion is being written.
    Closing {
        /// The outcome that it will end with.
        #[serde(flatten)]
        outcome: MeetingOutcome,
    },
    /// The meeting has ended.
    Ended {
        /// The outcome.
        #[serde(flatten)]
        outcome: MeetingOutcome,
    },
}

/// The run state of a meeting, across all phases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "rest", rename_all = "snake_case")]
pub enum RunState {
    /// The meeting is running.
    Running,
    /// The meeting will pause after the current turn.
    PauseRequested {
        /// The actor who requested it.
        by: Actor,
    },
    /// The meeting is paused.
    Paused {
        /// The reason.
        reason: PauseReason,
        /// The resume token.
        token: String,
        /// Questions for a person.
        questions: Vec<Question>,
        /// When it paused.
        since: Timestamp,
        /// The budget that is used up, when it paused because of one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        budget: Option<BudgetKind>,
    },
}

/// A pause that begins when a stride is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlannedPause {
    /// The actor who requested it.
    pub by: Actor,
    /// The length of the stride.
    pub after: Stride,
    /// The number of strides of that length that were complete when the pause was requested.
    pub completed: usize,
}

/// A person ended the meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeetingEndedBy {
    /// The actor.
    pub by: Actor,
    /// The reason in the actor's words; may be empty.
    pub note: String,
    /// The sequence number of its event.
    pub seq: u64,
}

/// The preparation of a round.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preparation {
    /// The round that follows.
    pub round: u32,
    /// The questions to a person; `None` until they are written.
    pub questions: Option<Vec<Question>>,
    /// Whether a person has been asked.
    pub asked: bool,
    /// The proposed candidates and departures; `None` until they are written.
    pub proposal: Option<Proposal>,
    /// The decision of a person about the proposal.
    pub approved: Option<bool>,
    /// What a person wants to be different in another proposal.
    pub note: String,
}

/// Proposed candidates and departures.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proposal {
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// The participants who are to leave.
    pub departures: Vec<Departure>,
}

/// A person's answers to the questions of a pause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answers {
    /// The sequence number of its event.
    pub seq: u64,
    /// The person.
    pub by: Actor,
    /// Each question with its answer; an answer that is not known is null.
    pub given: Vec<(Phrase, serde_json::Value)>,
}

/// An announcement to all participants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Announcement {
    /// The sequence number of its event.
    pub seq: u64,
    /// The text of the announcement.
    pub text: String,
    /// The actor who published it.
    pub by: Actor,
}
