//! Who is at the table: participants, people, invitations.

use quorate_contract::{
    Actor, ClaimId, FailureKind, Participant, ParticipantId, Person, Phrase, Presence, PrivateMemory, Stance,
    Timestamp, Usage,
};
use serde::{Deserialize, Serialize};

/// A participant's place and how it has stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seat {
    /// The participant.
    pub participant: Participant,
    /// Whether it is present.
    pub present: bool,
    /// Whether it can be asked.
    pub presence: Presence,
    /// Its private memory, which no other participant reads.
    pub memory: Option<PrivateMemory>,
    /// The round in which it last changed its position.
    pub changed_in: Option<u32>,
    /// Its stance after its first message.
    pub first: Option<Stance>,
    /// Its present stance.
    pub stance: Option<Stance>,
    /// How often it changed its position, and how often without naming what moved it.
    pub changes: Changes,
    /// The usage of its calls.
    pub spent: Spent,
    /// The failure of its last failed turn. Absent in older states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<SeatFailure>,
    /// How many messages had been said when it joined. Absent in older states and at the beginning.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub joined_after: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Seat {
    /// The seat of a participant who has just joined, after this many messages.
    pub(crate) fn taken_by(participant: Participant, joined_after: u32) -> Self {
        Self {
            participant,
            present: true,
            presence: Presence::Online,
            memory: None,
            changed_in: None,
            first: None,
            stance: None,
            changes: Changes::default(),
            spent: Spent::default(),
            failure: None,
            joined_after,
        }
    }
}

/// Counts of changes of position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Changes {
    /// Moved by a claim that it names.
    pub evidenced: u32,
    /// Moved by nothing that it names.
    pub unevidenced: u32,
}

/// A change of position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Shift {
    /// The participant.
    pub participant: ParticipantId,
    /// The round.
    pub round: u32,
    /// The event that says so.
    pub seq: u64,
    /// The position before.
    pub from: String,
    /// The position since.
    pub to: String,
    /// The claim that it names as what moved it.
    pub by: Option<ClaimId>,
}

/// The usage of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Spent {
    /// Tokens.
    pub usage: Usage,
    /// Money in millionths, as far as prices are known.
    pub cost_micros: u64,
    /// Calls whose price is not known.
    pub unpriced_calls: u32,
    /// Calls.
    pub calls: u32,
    /// Failed requests that were sent again within their call.
    pub retries: u32,
    /// Calls that were made of a fallback model.
    pub fallbacks: u32,
}

impl Spent {
    /// The cost, or `None` when some of it is not known.
    pub fn known_cost_micros(&self) -> Option<u64> {
        (self.unpriced_calls == 0).then_some(self.cost_micros)
    }
}

/// The failure of a participant's turn or vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatFailure {
    /// The kind of failure; `None` where an older log does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FailureKind>,
    /// A one-line description for people.
    pub detail: Phrase,
    /// What a person can do about it, in a line; may be empty.
    #[serde(default, skip_serializing_if = "Phrase::is_empty")]
    pub hint: Phrase,
    /// The event that says so.
    pub seq: u64,
}

/// An invitation by a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invitation {
    /// The number, counted from 1.
    pub number: u32,
    /// The sentence.
    pub description: String,
    /// The actor who made it.
    pub by: Actor,
    /// Whether it has led to a participant, or was given up.
    pub done: bool,
}

/// A person who is at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PersonAtTable {
    /// The person, with the name that they have at this table.
    #[serde(flatten)]
    pub person: Person,
    /// When they came.
    pub joined_at: Timestamp,
}
