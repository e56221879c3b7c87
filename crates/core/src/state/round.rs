//! Rounds, their turns, and what was said.

use quorate_contract::{
    Actor, Claim, ClaimId, FailureKind, MessageId, ParticipantId, Person, ReplyTarget, RoundKind, Timestamp,
    TurnId, TurnReason,
};
use serde::{Deserialize, Serialize};

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Said {
    /// The id.
    pub id: MessageId,
    /// The event that it is.
    pub seq: u64,
    /// The round.
    pub round: u32,
    /// The time.
    #[serde(rename = "said_at")]
    pub at: Timestamp,
    /// The speaker.
    pub speaker: Actor,
    /// The speaker's name.
    pub name: String,
    /// The text.
    pub content: String,
    /// The mentioned participants.
    pub mentions: Vec<ParticipantId>,
    /// The mentioned people. Absent in older states, so not in their hash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentioned_people: Vec<Person>,
    /// The turn that it ended.
    pub turn: Option<TurnId>,
    /// The claims that it raised.
    pub claims: Vec<ClaimId>,
    /// The message that a person replied to. Absent in older states, so not in their hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
}

/// A claim and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClaimRecord {
    /// The claim.
    pub claim: Claim,
    /// The owner.
    pub owner: ParticipantId,
    /// Raised in which round.
    pub round: u32,
    /// Its message; `None` for an objection, which stands in a vote.
    pub message: Option<MessageId>,
    /// The event that raised it.
    pub seq: u64,
    /// The participants who have answered it.
    pub answered_by: Vec<ParticipantId>,
    /// How often it was a reply target.
    pub targeted: u32,
}

/// The state of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// Its participant has the floor.
    Open,
    /// The turn ended with a message.
    Said(MessageId),
    /// The turn was skipped.
    Skipped,
    /// The turn failed.
    Failed(FailureKind),
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Turn {
    /// The id.
    pub id: TurnId,
    /// The event that gave it; its speaker was asked with what had been said until then.
    pub seq: u64,
    /// The participant.
    pub participant: ParticipantId,
    /// The reason.
    pub reason: TurnReason,
    /// Whether it may be skipped.
    pub can_skip: bool,
    /// The points to answer.
    pub targets: Vec<ReplyTarget>,
    /// The state.
    pub state: TurnState,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Round {
    /// 0 is the blind one.
    pub number: u32,
    /// How its turns run.
    pub kind: RoundKind,
    /// The order it began with.
    pub order: Vec<ParticipantId>,
    /// Its focus.
    pub focus: Vec<String>,
    /// The participants who are still to speak, and why.
    pub queue: Vec<(ParticipantId, TurnReason)>,
    /// The turns that were given.
    pub turns: Vec<Turn>,
    /// How often all turns failed and were offered again.
    pub offered_again: u32,
    /// The event that ended the round.
    pub ended_seq: Option<u64>,
}

impl Round {
    /// Whether all turns were skipped.
    pub(crate) fn is_skipped(&self) -> bool {
        !self.turns.is_empty() && self.turns.iter().all(|turn| turn.state == TurnState::Skipped)
    }
}
