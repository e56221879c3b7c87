//! The content of each kind of artifact.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{ArtifactKind, MessageId};

/// A line with its sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ArtifactLine {
    /// The text of the line, 1-400 characters.
    pub text: String,
    /// The messages that it cites, 1-6.
    pub sources: Vec<MessageId>,
    /// A quote from one of these messages, word for word.
    #[serde(deserialize_with = "Option::deserialize")]
    pub quote: Option<String>,
}

/// An architecture decision record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Adr {
    /// The title, 1-200 characters.
    pub title: String,
    /// Whether the meeting has accepted the decision.
    pub status: AdrStatus,
    /// Background and constraints, at most 1500 characters.
    pub context: String,
    /// The decision.
    pub decision: ArtifactLine,
    /// The options that were considered, 1-6.
    pub options: Vec<AdrOption>,
    /// The consequences of the decision, 1-8.
    pub consequences: Vec<ArtifactLine>,
}

/// The status of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AdrStatus {
    /// The decision was proposed.
    Proposed,
    /// The meeting has accepted the decision.
    Accepted,
}

/// Something that could have been chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AdrOption {
    /// The name of the option, 1-200 characters.
    pub name: String,
    /// Arguments in favour, at most 5.
    pub pros: Vec<String>,
    /// Arguments against, at most 5.
    pub cons: Vec<String>,
    /// The messages that it cites, 1-6.
    pub sources: Vec<MessageId>,
}

/// A list of tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskList {
    /// The tasks, 1-20.
    pub tasks: Vec<TaskItem>,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskItem {
    /// The title, 1-200 characters.
    pub title: String,
    /// A description, at most 600 characters.
    pub description: String,
    /// The owner; empty when the meeting named none.
    #[serde(deserialize_with = "Option::deserialize")]
    pub owner: Option<String>,
    /// The priority.
    pub priority: Level,
    /// The acceptance criterion, at most 300 characters.
    pub acceptance: String,
    /// The messages that it cites, 1-6.
    pub sources: Vec<MessageId>,
}

/// A level of priority, likelihood or impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// High.
    High,
    /// Medium.
    Medium,
    /// Low.
    Low,
}

/// A list of risks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RiskList {
    /// Each risk, at most 20.
    pub risks: Vec<RiskItem>,
}

/// One risk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RiskItem {
    /// The risk, 1-300 characters.
    pub risk: String,
    /// The likelihood.
    pub likelihood: Level,
    /// The impact if it happens.
    pub impact: Level,
    /// The mitigation, at most 400 characters.
    pub mitigation: String,
    /// The owner; empty when the meeting named none.
    #[serde(deserialize_with = "Option::deserialize")]
    pub owner: Option<String>,
    /// The messages that it cites, 1-6.
    pub sources: Vec<MessageId>,
}

/// A summary of the meeting on one page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// In a few sentences, 1-1800 characters.
    pub summary: String,
    /// The key points, 1-10.
    pub key_points: Vec<ArtifactLine>,
    /// Open questions, at most 8.
    pub open_questions: Vec<String>,
}

/// The content of an artifact, by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArtifactContent {
    /// An architecture decision record.
    Adr(Adr),
    /// The tasks.
    Tasks(TaskList),
    /// The risks.
    Risks(RiskList),
    /// The summary on one page.
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
