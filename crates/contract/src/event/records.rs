//! What a meeting writes down: its agenda, minutes, artifacts, and the parts of a conclusion.

use serde::{Deserialize, Serialize};

use crate::ids::{AgendaId, ClaimId, MessageId, ParticipantId};

/// One disagreement that is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Disagreement {
    /// What it is about.
    pub issue: String,
    /// Who stands where, and why.
    pub sides: Vec<Side>,
}

/// One side of a disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Side {
    /// What this side holds.
    pub view: String,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Who stands here.
    pub holders: Vec<ParticipantId>,
}

/// Something to be done after the meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionItem {
    /// What.
    pub what: String,
    /// Who, when the table said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// The messages that it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<MessageId>,
}

/// One point of the agenda (requirement 000, properties 34 to 37).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AgendaItem {
    /// Its id.
    pub id: AgendaId,
    /// 1-200 characters.
    pub title: String,
    /// At most 2000 characters; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Whether it is done.
    pub completed: bool,
}

/// What happens to the agenda.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum AgendaChange {
    /// A new item, at the end.
    Added {
        /// It.
        item: AgendaItem,
    },
    /// An item is done.
    Completed {
        /// Which.
        item: AgendaId,
    },
    /// An item is not done after all.
    Reopened {
        /// Which.
        item: AgendaId,
    },
    /// An item is gone.
    Removed {
        /// Which.
        item: AgendaId,
    },
}

/// One line of minutes, with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct MinutesItem {
    /// What was decided, is to be done, or may go wrong.
    pub text: String,
    /// Who is to do it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// The messages that it rests on; at least one unless a person wrote it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<MessageId>,
    /// Words out of one of these messages, as they stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

/// Minutes (requirement 000, properties 47 to 54).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Minutes {
    /// The course of the meeting, in Markdown, 1-20,000 characters.
    pub content: String,
    /// What the meeting holds now, in a few sentences.
    pub summary: String,
    /// What was decided.
    pub decisions: Vec<MinutesItem>,
    /// What is to be done.
    pub actions: Vec<MinutesItem>,
    /// What may go wrong.
    pub risks: Vec<MinutesItem>,
}

/// One of the ideas that the meeting puts forward.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pick {
    /// The idea.
    pub idea: ClaimId,
    /// Why.
    pub why: String,
}
