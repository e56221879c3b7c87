//! What a meeting yields: summaries, minutes, artifacts, marks, the conclusion.

use quorate_contract::{
    ActionItem, Actor, ArtifactKind, ArtifactVersion, AttachedFile, Disagreement, EvaluationMark, IdeaPick,
    Minutes, ParticipantId, SummaryPosition, Timestamp,
};
use serde::{Deserialize, Serialize};

/// A round's summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// The round.
    pub round: u32,
    /// The sequence number of its event.
    pub seq: u64,
    /// The text.
    pub text: String,
    /// The positions and their holders.
    pub positions: Vec<SummaryPosition>,
    /// Open questions.
    pub open_questions: Vec<String>,
    /// Remaining disagreements.
    pub disagreements: Vec<String>,
    /// The author.
    pub by: Actor,
}

/// An attached file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FileRecord {
    /// The sequence number of its event.
    pub seq: u64,
    /// The file.
    #[serde(flatten)]
    pub file: AttachedFile,
    /// The actor who attached it.
    pub by: Actor,
    /// The time.
    #[serde(rename = "attached_at")]
    pub at: Timestamp,
}

/// The conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Conclusion {
    /// The sequence number of its event.
    pub seq: u64,
    /// The author.
    pub by: Actor,
    /// The text of the conclusion, in Markdown; for an accepted draft, the text that was voted on.
    pub text: String,
    /// The facilitator's explanation of an accepted draft. Absent in older states.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasons: String,
    /// Remaining disagreements.
    pub disagreements: Vec<Disagreement>,
    /// Action items.
    pub actions: Vec<ActionItem>,
    /// The best ideas, best first.
    pub best: Vec<IdeaPick>,
    /// An unusual idea that may be worth more than it seems.
    pub wildcard: Option<IdeaPick>,
}

/// Minutes that were asked for and are not written yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MinutesRequest {
    /// The participant who writes them; `null` for the facilitator.
    pub writer: Option<ParticipantId>,
    /// What the writer should pay attention to.
    pub note: String,
    /// The number of messages that they cover.
    pub covers: usize,
}

/// A version of the minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MinutesVersion {
    /// The version, counted from 1.
    pub version: u32,
    /// The sequence number of its event.
    pub seq: u64,
    /// The time.
    #[serde(rename = "written_at")]
    pub at: Timestamp,
    /// The author.
    pub author: Actor,
    /// The number of messages that it covers, from the first message on.
    pub covers: usize,
    /// The minutes.
    pub minutes: Minutes,
}

/// A version of an artifact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Artifact {
    /// The kind.
    pub kind: ArtifactKind,
    /// Counted from 1 for each kind.
    pub version: ArtifactVersion,
    /// The sequence number of its event.
    pub seq: u64,
    /// The number of messages that it covers, from the first message on.
    pub covers: usize,
    /// The content; its schema depends on the kind.
    pub content: serde_json::Value,
    /// The author.
    pub author: Actor,
}

/// The evaluation of a round. Participants never see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evaluation {
    /// The round.
    pub round: u32,
    /// The author.
    pub by: Actor,
    /// The marks, one for each participant who had a turn.
    pub marks: Vec<EvaluationMark>,
}

/// The convergence after a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConvergenceMetric {
    /// The round.
    pub round: u32,
    /// The number of open questions.
    pub open_questions_count: u32,
    /// The number of remaining disagreements.
    pub disagreements_count: u32,
    /// The score, 0-100.
    pub convergence_score: u8,
    /// The number of consecutive rounds in which no recommendation changed.
    pub stable_rounds: u32,
}
