//! Who is at the table: participants, people, invitations.

use quorate_contract::{
    Actor, ClaimId, FailureKind, Participant, ParticipantId, Person, Phrase, Presence, PrivateMemory,
    RunnerSpec, Stance, Timestamp, TurnDelivery, Usage,
};
use serde::{Deserialize, Serialize};

/// A participant and its state in the meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seat {
    /// The participant.
    pub participant: Participant,
    /// Whether the participant is still in the meeting.
    pub present: bool,
    /// Whether it can be asked.
    pub presence: Presence,
    /// The private memory, which no other participant reads.
    pub memory: Option<PrivateMemory>,
    /// The round in which the participant last changed its position; `null` when it never did.
    pub changed_in: Option<u32>,
    /// The stance after the first message.
    pub first: Option<Stance>,
    /// The current stance.
    pub stance: Option<Stance>,
    /// How often the participant changed its position: for all changes, and for those without a named cause.
    pub changes: PositionChanges,
    /// The usage of the participant's calls.
    pub spent: Spending,
    /// The failure of the latest failed turn. Absent in older states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<SeatFailure>,
    /// The number of messages before the participant joined. Absent in older states, and for participants
    /// from the start.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub joined_after: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Seat {
    /// Whether a person answers.
    pub(crate) fn is_person(&self) -> bool {
        matches!(self.participant.runner, RunnerSpec::External { via: TurnDelivery::Person, .. })
    }

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
            changes: PositionChanges::default(),
            spent: Spending::default(),
            failure: None,
            joined_after,
        }
    }
}

/// Counts of changes of position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionChanges {
    /// The number of changes for which the participant named a claim as the cause.
    pub evidenced: u32,
    /// The number of changes for which the participant named no cause.
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
    /// The sequence number of its event.
    pub seq: u64,
    /// The previous position.
    pub from: String,
    /// The new position.
    pub to: String,
    /// The claim that it names as what moved it.
    pub by: Option<ClaimId>,
}

/// The usage of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Spending {
    /// The number of tokens.
    pub usage: Usage,
    /// The cost in millionths of the currency, as far as prices are known.
    pub cost_micros: u64,
    /// The number of calls whose price is not known.
    pub unpriced_calls: u32,
    /// Calls.
    pub calls: u32,
    /// The number of failed requests that were sent again within their call.
    pub retries: u32,
    /// The number of calls to a fallback model.
    pub fallbacks: u32,
}

impl Spending {
    /// The cost, or `None` when some of it is not known.
    pub fn known_cost_micros(&self) -> Option<u64> {
        (self.unpriced_calls == 0).then_some(self.cost_micros)
    }
}

/// The failure of a participant's turn or vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatFailure {
    /// The kind of failure; absent in older logs that do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FailureKind>,
    /// A one-line description for people.
    pub detail: Phrase,
    /// How to resolve it, in one line; may be empty.
    #[serde(default, skip_serializing_if = "Phrase::is_empty")]
    pub hint: Phrase,
    /// The sequence number of its event.
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
    /// The person, with the display name at this table.
    #[serde(flatten)]
    pub person: Person,
    /// When the person joined the table.
    pub joined_at: Timestamp,
}
