//! Rounds, their turns, and what was said.

use quorate_contract::{
    Actor, Citation, Claim, ClaimId, Evidence, FailureKind, MessageId, ParticipantId, Person, ReplyTarget,
    RoundKind, Timestamp, TurnId, TurnReason,
};
use serde::{Deserialize, Serialize};

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeetingMessage {
    /// The id.
    pub id: MessageId,
    /// The sequence number of its event.
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
    /// The mentioned people. Absent in older states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentioned_people: Vec<Person>,
    /// The turn that it ended.
    pub turn: Option<TurnId>,
    /// The claims that it raised.
    pub claims: Vec<ClaimId>,
    /// The lines of attached files that it cites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// The results of tools that it cites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The message that a person replied to. Absent in older states.
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
    /// The sequence number of the event that raised it.
    pub seq: u64,
    /// The participants who answered it.
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
    /// The sequence number of the event that gave the turn; the speaker was asked with the messages before
    /// it.
    pub seq: u64,
    /// The participant.
    pub participant: ParticipantId,
    /// The reason.
    pub reason: TurnReason,
    /// Whether the turn may be skipped.
    pub can_skip: bool,
    /// The claims that the speaker must answer.
    pub targets: Vec<ReplyTarget>,
    /// The state.
    pub state: TurnState,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Round {
    /// The number of the round; 0 is the blind round.
    pub number: u32,
    /// How the turns of the round run.
    pub kind: RoundKind,
    /// The speaking order at the start of the round.
    pub order: Vec<ParticipantId>,
    /// The questions that the round concentrates on.
    pub focus: Vec<String>,
    /// The queue: the participants who will still speak, and why.
    pub queue: Vec<(ParticipantId, TurnReason)>,
    /// The turns of the round.
    pub turns: Vec<Turn>,
    /// The number of times that all turns failed and were offered again.
    pub offered_again: u32,
    /// The sequence number of the event that ended the round; `null` while it runs.
    pub ended_seq: Option<u64>,
}

impl Round {
    /// Whether all turns were skipped.
    pub(crate) fn is_skipped(&self) -> bool {
        !self.turns.is_empty() && self.turns.iter().all(|turn| turn.state == TurnState::Skipped)
    }
}
