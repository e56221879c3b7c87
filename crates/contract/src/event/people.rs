//! Who leads, who comes and goes, how they did, and what they keep for themselves.

use serde::{Deserialize, Serialize};

use crate::ids::ParticipantId;
use crate::participant::{Newcomer, RunnerSpec};

/// Who leads the meeting (requirement 000, properties 31 to 33).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Moderator {
    /// The person who asks.
    #[default]
    User,
    /// A participant.
    Agent {
        /// Which.
        id: ParticipantId,
    },
}

/// Whether a participant can be asked (requirement 002).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// It is asked in its turn.
    #[default]
    Online,
    /// It keeps its seat and is not asked.
    Offline,
}

/// A model that a team can be given, and what it is good at (requirement 004).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelOffer {
    /// The name by which it is chosen, 1-200 characters.
    pub name: String,
    /// What answers.
    pub runner: RunnerSpec,
    /// What it is good at, for whoever chooses; at most 500 characters, may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub good_at: String,
}

/// Somebody who is proposed for the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Candidate {
    /// Who.
    pub newcomer: Newcomer,
    /// What it is to look at, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub focus: String,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// Somebody who is to leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Departure {
    /// Who.
    pub participant: ParticipantId,
    /// Why.
    pub reason: String,
}

/// A hidden mark (requirement 004); no participant ever reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mark {
    /// Whose.
    pub participant: ParticipantId,
    /// 0-10.
    pub score: u8,
    /// Why.
    pub reason: String,
}

/// What a participant keeps for itself (requirement 001 §F2); nobody else reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct PrivateMemory {
    /// What it takes to be so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// What it wants to check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to_verify: Vec<String>,
    /// What it prefers, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<String>,
    /// Risks that it has not voiced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// Whatever else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
