//! What each kind of artifact holds (requirement 001 §C3).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{ArtifactKind, MessageId};

/// A line with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ArtifactLine {
    /// What it says, 1-400 characters.
    pub text: String,
    /// The messages that it rests on, 1-6.
    pub sources: Vec<MessageId>,
    /// Words out of one of these messages, as they stand there.
    #[serde(deserialize_with = "Option::deserialize")]
    pub quote: Option<String>,
}

/// An architecture decision record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Adr {
    /// What it is about, 1-200 characters.
    pub title: String,
    /// Whether the table has accepted it.
    pub status: AdrStatus,
    /// Background and constraints, at most 1500 characters.
    pub context: String,
    /// What is decided.
    pub decision: ArtifactLine,
    /// What there was to choose from, 1-6.
    pub options: Vec<AdrOption>,
    /// What follows, 1-8.
    pub consequences: Vec<ArtifactLine>,
}

/// Whether a decision holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AdrStatus {
    /// It was proposed.
    Proposed,
    /// The table has accepted it.
    Accepted,
}

/// Something that could have been chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AdrOption {
    /// What, 1-200 characters.
    pub name: String,
    /// What speaks for it, at most 5.
    pub pros: Vec<String>,
    /// What speaks against it, at most 5.
    pub cons: Vec<String>,
    /// The messages that it rests on, 1-6.
    pub sources: Vec<MessageId>,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskList {
    /// Each thing, 1-20.
    pub tasks: Vec<TaskItem>,
}

/// One thing to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskItem {
    /// What, 1-200 characters.
    pub title: String,
    /// What it means, at most 600 characters.
    pub description: String,
    /// Who, when the table said so.
    #[serde(deserialize_with = "Option::deserialize")]
    pub owner: Option<String>,
    /// How much it matters.
    pub priority: Level,
    /// When it is done, at most 300 characters.
    pub acceptance: String,
    /// The messages that it rests on, 1-6.
    pub sources: Vec<MessageId>,
}

/// How much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Much.
    High,
    /// Some.
    Medium,
    /// Little.
    Low,
}

/// What could go wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RiskList {
    /// Each risk, at most 20.
    pub risks: Vec<RiskItem>,
}

/// One thing that could go wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RiskItem {
    /// What, 1-300 characters.
    pub risk: String,
    /// How likely it is.
    pub likelihood: Level,
    /// How much it would matter.
    pub impact: Level,
    /// What is done about it, at most 400 characters.
    pub mitigation: String,
    /// Who looks after it, when the table said so.
    #[serde(deserialize_with = "Option::deserialize")]
    pub owner: Option<String>,
    /// The messages that it rests on, 1-6.
    pub sources: Vec<MessageId>,
}

/// The whole meeting in a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// In a few sentences, 1-1800 characters.
    pub summary: String,
    /// What matters, 1-10.
    pub key_points: Vec<ArtifactLine>,
    /// What is still open, at most 8.
    pub open_questions: Vec<String>,
}

/// What an artifact holds, by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArtifactContent {
    /// An architecture decision record.
    Adr(Adr),
    /// What is to be done.
    Tasks(TaskList),
    /// What could go wrong.
    Risks(RiskList),
    /// The whole in a page.
    Summary(Page),
}

impl ArtifactContent {
    /// The content of an artifact; `None` when it is not what its kind holds. Minutes have their own
    /// versions and are never kept as an artifact.
    pub fn of(kind: ArtifactKind, content: &Value) -> Option<Self> {
        match kind {
            ArtifactKind::Adr => Adr::deserialize(content).ok().map(Self::Adr),
            ArtifactKind::Tasks => TaskList::deserialize(content).ok().map(Self::Tasks),
            ArtifactKind::Risks => RiskList::deserialize(content).ok().map(Self::Risks),
            ArtifactKind::Summary => Page::deserialize(content).ok().map(Self::Summary),
            ArtifactKind::Minutes => None,
        }
    }
}
