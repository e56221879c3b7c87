//! Records of a meeting: agenda, minutes, artifacts, and the parts of a conclusion.

use serde::{Deserialize, Serialize};

use crate::ids::{AgendaId, ClaimId, MessageId, ParticipantId};
use crate::phrase::Phrase;

/// One remaining disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Disagreement {
    /// The subject of the disagreement.
    pub issue: String,
    /// The sides and their reasons.
    pub sides: Vec<DisagreementSide>,
}

/// One side of a disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DisagreementSide {
    /// The view of this side.
    pub view: String,
    /// The reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The participants on this side.
    pub holders: Vec<ParticipantId>,
}

/// Something to be done after the meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionItem {
    /// The action.
    pub what: String,
    /// The owner; empty when the meeting named none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// The cited messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<MessageId>,
}

/// One item of the agenda.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AgendaItem {
    /// Its id.
    pub id: AgendaId,
    /// The title, 1-200 characters.
    pub title: String,
    /// At most 2000 characters; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Whether the item is done.
    pub completed: bool,
}

/// A change of the agenda.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum AgendaChange {
    /// An item was added at the end.
    Added {
        /// The new item.
        item: AgendaItem,
    },
    /// An item was completed.
    Completed {
        /// The item.
        item: AgendaId,
    },
    /// An item was reopened.
    Reopened {
        /// The item.
        item: AgendaId,
    },
    /// An item was removed.
    Removed {
        /// The item.
        item: AgendaId,
    },
}

/// One line of the minutes, with its sources.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct MinutesItem {
    /// The decision, action or risk.
    pub text: String,
    /// The owner of an action item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// The cited messages; at least one, unless a person wrote the line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<MessageId>,
    /// A quote from one of these messages, word for word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

/// Minutes of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Minutes {
    /// The course of the meeting, in Markdown, 1-20,000 characters.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 20_000))]
    pub content: String,
    /// The state of the discussion, in a few sentences.
    pub summary: String,
    /// Decisions.
    pub decisions: Vec<MinutesItem>,
    /// Action items.
    pub actions: Vec<MinutesItem>,
    /// Risks.
    pub risks: Vec<MinutesItem>,
}

/// One of the ideas that the conclusion recommends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IdeaPick {
    /// The idea.
    pub idea: ClaimId,
    /// The reason.
    pub why: Phrase,
}
