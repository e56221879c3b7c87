//! Rounds, their turns, and what was said.

use std::borrow::Cow;

use quorate_contract::{
    Actor, Citation, Claim, ClaimId, Evidence, FailureKind, Language, MessageId, ParticipantId, Person,
    ReplyTarget, RoundKind, StopReason, Timestamp, TurnId, TurnReason, facilitator_name,
    marks_of_missing_parts,
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
    /// The speaker's name. The log has none for the facilitator; responses name it in the language of the meeting.
    pub name: String,
    /// What was said, without a mark of what is missing.
    pub content: String,
    /// The length of the message in characters before it was cut; absent when it was not cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_from_chars: Option<u32>,
    /// Why the answer was cut off; absent when it is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_early: Option<StopReason>,
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

impl MeetingMessage {
    /// The text as it is read: what was said, and in the reader's language which part of it is missing.
    pub fn text(&self, language: Language) -> Cow<'_, str> {
        match (self.cut_from_chars, self.ended_early) {
            (None, None) => Cow::Borrowed(&self.content),
            (cut, early) => Cow::Owned(self.content.clone() + &marks_of_missing_parts(language, cut, early)),
        }
    }

    /// The name of the speaker in the reader's language.
    pub fn speaker_name(&self, language: Language) -> &str {
        match self.speaker {
            Actor::Facilitator if self.name.is_empty() => facilitator_name(language),
            Actor::Facilitator | Actor::System | Actor::Participant { .. } | Actor::Person { .. } => {
                &self.name
            }
        }
    }
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
