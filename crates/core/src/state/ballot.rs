//! Drafts, the ballots on them, and what followed.

use std::collections::BTreeMap;

use quorate_contract::{
    AbstentionKind, Actor, BallotId, DecisionRules, MessageId, ParticipantId, Verdict, Vote,
};
use serde::{Deserialize, Serialize};

use super::seat::{SeatFailure, Spending};

/// The result of a voter in a ballot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BallotChoice {
    /// A vote.
    Vote(Vote),
    /// The voter chose not to vote.
    Abstained(AbstentionKind),
    /// The voter was asked, and its vote failed.
    Failed(SeatFailure),
}

/// The state of a ballot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BallotState {
    /// Votes are being cast.
    Open,
    /// A steering message interrupted the ballot.
    Interrupted(MessageId),
    /// The ballot was counted.
    Closed(Verdict),
}

/// A ballot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ballot {
    /// The id.
    pub id: BallotId,
    /// The round before the ballot.
    pub round: u32,
    /// The version of the draft that the ballot is about.
    pub draft_version: u32,
    /// The voters.
    pub voters: Vec<ParticipantId>,
    /// What each voter did.
    pub cast: BTreeMap<ParticipantId, BallotChoice>,
    /// The state.
    pub state: BallotState,
    /// The sequence number of the event that counted the ballot.
    pub closed_seq: Option<u64>,
    /// The usage of all calls of the meeting up to the count.
    pub spent: Spending,
    /// The rules by which the ballot was counted; `null` while it is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<BallotRules>,
}

/// The rules by which a ballot was counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BallotRules {
    /// The decision rules of the ballot.
    pub decision: DecisionRules,
    /// The largest number of discussion rounds.
    pub max_rounds: u32,
}

impl Ballot {
    /// The votes, in the order of the participants.
    pub fn votes(&self) -> impl Iterator<Item = (ParticipantId, &Vote)> {
        self.cast.iter().filter_map(|(id, cast)| match cast {
            BallotChoice::Vote(vote) => Some((*id, vote)),
            BallotChoice::Abstained(_) | BallotChoice::Failed(_) => None,
        })
    }
}

/// A version of the draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BallotDraft {
    /// The version, counted from 1.
    pub version: u32,
    /// The sequence number of its event.
    pub seq: u64,
    /// The text.
    pub text: String,
    /// The author.
    pub by: Actor,
}

/// A facilitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Facilitation {
    /// The ballot before it.
    pub ballot: BallotId,
    /// The disagreements, 1-3.
    pub disagreements: Vec<String>,
    /// The smallest change to the draft that could make it pass.
    pub proposed_patch: String,
    /// Questions for the next round, 1-2.
    pub next_focus: Vec<String>,
}
