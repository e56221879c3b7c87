//! Rounds and turns: who speaks next, why, and what must be answered.

use serde::{Deserialize, Serialize};

use crate::ids::{ClaimId, MessageId, ParticipantId};

/// The reason why a participant has the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum TurnReason {
    /// The speaking order of the round.
    Rotation,
    /// The participant was mentioned.
    Mentioned {
        /// The message with the mention.
        by: MessageId,
    },
    /// A person asked for this speaker.
    Requested,
}

/// A participant in the queue of the current round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueuedTurn {
    /// The participant.
    pub participant: ParticipantId,
    /// The reason for its turn.
    #[serde(flatten)]
    pub reason: TurnReason,
}

/// The reason why the queue of a round changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum QueueReason {
    /// A message mentions participants, who speak next.
    Mentioned,
    /// A participant who was mentioned answered, and by the rules that ends the rotation.
    MentionAnswered,
    /// The person who hosts spoke, and the next round is theirs.
    HostSpoke,
    /// A person asked for a participant.
    Requested,
    /// Everyone failed, and the turns are offered again.
    OfferedAgain,
    /// A participant left the meeting.
    Left,
    /// A participant went offline.
    WentOffline,
}

/// A claim that a speaker must answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReplyTarget {
    /// The claim.
    pub claim: ClaimId,
    /// Whether the owner of the claim holds a different position than the speaker.
    pub disagrees: bool,
}

/// The way in which the turns of a round run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RoundKind {
    /// All participants at once, without seeing each other's messages.
    Blind,
    /// One participant after the other.
    Serial,
    /// All participants at once, with the messages of earlier rounds in view.
    Parallel,
}

/// The reason why a turn was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The participant skipped it.
    #[default]
    Chosen,
    /// The turn timed out.
    TimedOut,
    /// Since its last word only phrases of its skip list were said, so it was not asked.
    SkipList,
}
