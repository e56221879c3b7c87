//! Moderator, presence, candidates, departures, marks and private memory.

use serde::{Deserialize, Serialize};

use crate::ids::ParticipantId;
use crate::participant::{Newcomer, RunnerSpec};
use crate::phrase::Phrase;

/// The moderator of a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Moderator {
    /// The person who created the meeting.
    #[default]
    User,
    /// A participant.
    Agent {
        /// The participant's id.
        id: ParticipantId,
    },
}

/// The presence of a participant: whether it can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// The participant is asked in its turn.
    #[default]
    Online,
    /// The participant keeps its seat and is not asked.
    Offline,
}

/// A model that can be offered to a team, and what it is good at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelOffer {
    /// The name of the offer, 1-200 characters.
    pub name: String,
    /// The runner that answers.
    pub runner: RunnerSpec,
    /// The strengths of the model, which the author of a team reads; at most 500 characters, may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub good_at: String,
}

/// A participant who is proposed for the meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Candidate {
    /// The proposed participant.
    pub newcomer: Newcomer,
    /// What the participant should concentrate on, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub focus: String,
    /// The reason.
    #[serde(default, skip_serializing_if = "Phrase::is_empty")]
    pub reason: Phrase,
}

/// A participant who is proposed to leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Departure {
    /// The participant.
    pub participant: ParticipantId,
    /// The reason.
    pub reason: Phrase,
}

/// A person's decision on the proposed changes of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum TeamDecision {
    /// The proposal is accepted.
    Accepted {
        /// The candidates who do not join anyway, by name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<String>,
    },
    /// The team stays as it is.
    Rejected,
    /// The proposal is to be made again.
    ProposeAgain {
        /// An instruction for the new proposal; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
}

/// The mark of one participant. Participants never see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EvaluationMark {
    /// The participant who is marked.
    pub participant: ParticipantId,
    /// The mark, 0-10.
    pub score: u8,
    /// The reason.
    pub reason: Phrase,
}

/// The private memory of a participant. No other participant reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct PrivateMemory {
    /// Assumptions that the participant makes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// What the participant wants to check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to_verify: Vec<String>,
    /// The participant's preferences and their reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<String>,
    /// Risks that the participant has not mentioned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// Other notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
