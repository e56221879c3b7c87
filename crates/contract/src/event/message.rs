//! What is said: messages, the claims that they raise, and the positions behind them.

use quorate_messages::{Language, text};
use serde::{Deserialize, Serialize};

use crate::file::Citation;
use crate::ids::{ClaimId, ParticipantId};
use crate::outcome::StopReason;
use crate::tool::Evidence;

/// The text of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Message {
    /// `assistant` for participants, `user` for people, `system` for the facilitator.
    pub role: MessageRole,
    /// The name of the speaker; empty for the facilitator, whose name each reader gives in its own language.
    pub name: String,
    /// What was said, in Markdown; never empty.
    pub content: String,
    /// The lines of attached files that the text cites, in their order in it, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// The results of tools that the text cites, in their order in it, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// The marks that follow a message of which a part is missing, in the reader's language: that the answer ended early, and
/// that it was cut. Empty for a whole message.
pub fn marks_of_missing_parts(
    language: Language,
    cut_from_chars: Option<u32>,
    ended_early: Option<StopReason>,
) -> String {
    let early = match ended_early {
        None | Some(StopReason::Stop) => None,
        Some(StopReason::Length) => Some(text!(language, "records-cut-at-token-limit").to_owned()),
        Some(StopReason::ContentFilter) => Some(text!(language, "records-rest-withheld").to_owned()),
    };
    let cut = cut_from_chars.map(|chars| text!(language, "records-cut-message", chars));
    early.into_iter().chain(cut).map(|mark| format!("\n\n{mark}")).collect()
}

/// The name of the facilitator in the reader's language.
pub fn facilitator_name(language: Language) -> &'static str {
    text!(language, "records-facilitator")
}

/// The role of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MessageRole {
    /// The facilitator or the meeting itself.
    System,
    /// A person.
    User,
    /// A participant of the meeting.
    Assistant,
}

/// A claim, fact, objection, risk or idea that a participant raised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Claim {
    /// Its id.
    pub id: ClaimId,
    /// The kind of claim.
    pub kind: ClaimKind,
    /// The text of the claim.
    pub text: String,
    /// The claims that this one builds on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds_on: Vec<ClaimId>,
    /// The lines of attached files that the claim cites as its evidence, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// The results of tools that the claim cites as its evidence, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// The kind of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// A reason for a position.
    Claim,
    /// A fact that others may not have.
    Fact,
    /// A reason against letting a draft pass.
    Objection,
    /// An idea that others can build on.
    Idea,
    /// A risk.
    Risk,
}

/// A participant's stance after its message.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Stance {
    /// The position, in a sentence or two.
    pub position: String,
    /// The participant's own confidence, 0-100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// What would change the participant's mind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_change_my_mind: Option<String>,
    /// Whether the participant gave up its previous position.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
    /// The claim that changed the position; `null` when the participant named none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<ClaimId>,
    /// Claims that the participant raised.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// The claims of others that it answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<ClaimId>,
    /// Questions that the participant considers open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<String>,
}

/// One position and its holders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SummaryPosition {
    /// The position.
    pub text: String,
    /// The participants who hold it.
    pub holders: Vec<ParticipantId>,
}
