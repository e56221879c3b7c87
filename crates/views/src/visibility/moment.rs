//! What is going on at a meeting that hides something until it is over: an open ballot, an open blind round.

use quorate_contract::{BallotId, EventBody, RoundKind};
use quorate_core::{Ballot, BallotState, ClaimRecord, Meeting};

/// What hides something at a moment of a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment {
    /// The open ballot, whose votes are hidden.
    pub(super) ballot: Option<BallotId>,
    /// The open blind round, whose answers are withheld from those who answer in it.
    pub(super) blind_round: Option<u32>,
}

impl Moment {
    /// As a meeting stands.
    pub fn of(meeting: &Meeting) -> Self {
        Self {
            ballot: open_ballot(meeting).map(|ballot| ballot.id),
            blind_round: meeting.open_blind_round().map(|round| round.number),
        }
    }

    /// After one more event. Gives what [`of`](Self::of) gives for the meeting after it.
    #[must_use]
    pub fn after(self, body: &EventBody) -> Self {
        match body {
            EventBody::BallotOpened { ballot, .. } => Self { ballot: Some(*ballot), ..self },
            EventBody::BallotClosed { .. } | EventBody::BallotInterrupted { .. } => {
                Self { ballot: None, ..self }
            }
            EventBody::RoundStarted { round, kind: RoundKind::Blind, .. } => {
                Self { blind_round: Some(*round), ..self }
            }
            EventBody::RoundStarted { .. } | EventBody::RoundEnded { .. } => {
                Self { blind_round: None, ..self }
            }
            EventBody::Finished { .. } => Self::default(),
            // A property of `core/tests/invariants` compares with `of` after every event.
            _ => self,
        }
    }
}

/// The ballot that is open. A meeting can end in the middle of one: then nobody votes any more.
pub(crate) fn open_ballot(meeting: &Meeting) -> Option<&Ballot> {
    let is_open = |ballot: &&Ballot| matches!(ballot.state, BallotState::Open) && !meeting.is_over();
    meeting.ballots.last().map(AsRef::as_ref).filter(is_open)
}

/// Whether a claim is an objection in a vote of this ballot, which is open: nothing else is claimed meanwhile.
pub(crate) fn stands_in_vote(ballot: &Ballot, claim: &ClaimRecord) -> bool {
    claim.message.is_none() && claim.round == ballot.round
}
