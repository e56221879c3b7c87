//! The sensitivity of an outcome: which thresholds, and whose votes, would change it.

use quorate_core::{Ballot, Meeting};

use super::judge::{counted, course, recount};
use super::{PivotalParticipant, Sensitivity, ThresholdRange, WhatIf, WhatIfCourse};

/// The sensitivity of the outcome, one change at a time.
pub(super) fn of(m: &Meeting) -> Sensitivity {
    let thresholds = thresholds(m);
    let staying = thresholds.iter().find(|threshold| threshold.stays);
    Sensitivity {
        mean_score: staying.map(|threshold| (threshold.from, threshold.to)),
        participants: m.seats.iter().map(|seat| pivot(m, seat)).collect(),
        thresholds,
    }
}

/// Each ballot takes the thresholds that it reaches and none before it did; what is left is
/// reached by none.
fn thresholds(m: &Meeting) -> Vec<ThresholdRange> {
    let decided = counted(m).find(|(_, verdict)| verdict.passed).map(|(ballot, _)| ballot.id);
    let mut next = 0;
    let mut stretches = Vec::new();
    for (ballot, _) in counted(m) {
        let reached = reached(m, ballot);
        if reached > next {
            let (id, round) = (Some(ballot.id), Some(ballot.round));
            let stays = decided == id;
            stretches.push(ThresholdRange { from: next, to: reached - 1, ballot: id, round, stays });
            next = reached;
        }
    }
    if next <= 100 {
        let stays = decided.is_none();
        stretches.push(ThresholdRange { from: next, to: 100, ballot: None, round: None, stays });
    }
    stretches
}

/// With how many of the thresholds 0, 1, … 100 a ballot passes, all other clauses being as they are.
fn reached(m: &Meeting, ballot: &Ballot) -> u8 {
    let passes = |needed: u8| {
        let change = WhatIf { mean_score: Some(needed), ..WhatIf::default() };
        recount(m, ballot, &change).passed
    };
    let (mut reached, mut missed) = (0, 101);
    while reached < missed {
        let middle = u8::midpoint(reached, missed);
        match passes(middle) {
            true => reached = middle + 1,
            false => missed = middle,
        }
    }
    reached
}

fn pivot(m: &Meeting, seat: &quorate_core::Seat) -> PivotalParticipant {
    let participant = seat.participant.id;
    let without = WhatIf { without: vec![participant], ..WhatIf::default() };
    let course = course(m, &without);
    let pivotal = course != WhatIfCourse::Same;
    PivotalParticipant { participant, name: seat.participant.name.clone(), pivotal, course }
}
