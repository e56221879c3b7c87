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
    /// The person who asks.
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
    /// The name by which it is chosen, 1-200 characters.
    pub name: String,
    /// The runner that answers.
    pub runner: RunnerSpec,
    /// What the model is good at, for the author of a team; at most 500 characters, may be empty.
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

/// A participant who is to leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Departure {
    /// The participant.
    pub participant: ParticipantId,
    /// The reason.
    pub reason: Phrase,
}

/// What a person decided about the proposed changes of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum TeamDecision {
    /// The proposal holds.
    Accepted {
        /// Candidates who do not join all the same, by name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<String>,
    },
    /// The team stays as it is.
    Rejected,
    /// Another proposal is wanted.
    ProposeAgain {
        /// What it should look like; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
}

/// A hidden mark. No participant ever reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mark {
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
    /// Preferences and their reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<String>,
    /// Risks that it has not voiced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// Other notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
