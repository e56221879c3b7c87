//! Strides: how far a meeting has come since somebody let it run for one turn, round or ballot.

use quorate_contract::Stride;

use crate::state::{BallotState, Meeting, TurnState};

/// The number of completed strides of this length.
pub(crate) fn completed(m: &Meeting, stride: Stride) -> usize {
    let counted = || m.ballots.iter().filter(|one| matches!(one.state, BallotState::Closed(_))).count();
    match stride {
        Stride::Turn => {
            let turns = m.rounds.iter().flat_map(|round| &round.turns);
            turns.filter(|turn| turn.state != TurnState::Open).count() + counted()
        }
        Stride::Round => m.rounds.iter().filter(|round| round.ended_seq.is_some()).count(),
        Stride::Ballot => counted(),
    }
}
