//! Counts the ballots of a log under other rules.

use std::sync::Arc;

use quorate_contract::{DecisionRules, ParticipantId, RoundKind, Verdict, Vote};
use quorate_core::{Ballot, BallotChoice, BallotState, Meeting, Round, tally};

use super::{
    BallotReview, BallotStanding, SingleChangeEffect, WhatIf, WhatIfChange, WhatIfCourse, WhatIfSavings,
    judgement_text,
};

/// The ballots that were counted, with their verdicts in the log.
pub(super) fn counted(m: &Meeting) -> impl Iterator<Item = (&Ballot, &Verdict)> {
    m.ballots.iter().filter_map(|ballot| match &ballot.state {
        BallotState::Closed(verdict) => Some((ballot.as_ref(), verdict)),
        BallotState::Open | BallotState::Interrupted(_) => None,
    })
}

/// The course of the meeting: the first ballot that passes, in the log or now, decides.
pub(super) fn course(m: &Meeting, change: &WhatIf) -> WhatIfCourse {
    for (ballot, before) in counted(m) {
        let after = recount(m, ballot, change);
        match (before.passed, after.passed) {
            (false, false) => {}
            (true, true) => return WhatIfCourse::Same,
            (false, true) => return would_have_ended(m, ballot),
            (true, false) => return would_have_gone_on(m, ballot),
        }
    }
    WhatIfCourse::Same
}

/// The rules that held when a ballot was counted; rules that were changed since are none of it.
pub(super) fn rules_of<'m>(m: &'m Meeting, ballot: &'m Ballot) -> &'m DecisionRules {
    ballot.counted_by.as_ref().map_or(&m.rules().decision, |counted| &counted.decision)
}

/// Counts a ballot by the rules that held then, with the change. A ballot without voters does not pass.
pub(super) fn recount(m: &Meeting, ballot: &Ballot, change: &WhatIf) -> Verdict {
    let rules = change.rules(rules_of(m, ballot));
    match change.without.is_empty() {
        true => tally(&rules, ballot),
        false => tally(&rules, &left(ballot, change)),
    }
}

/// A ballot of those who are not left out. Reasons do not count, and are not copied.
fn left(ballot: &Ballot, change: &WhatIf) -> Ballot {
    let stays = |id: &ParticipantId| !change.without.contains(id);
    let cast = |cast: &BallotChoice| match cast {
        BallotChoice::Vote(Vote { score, pass, .. }) => BallotChoice::Vote(Vote {
            score: *score,
            pass: *pass,
            reason: String::new(),
            missing: Vec::new(),
        }),
        BallotChoice::Abstained(kind) => BallotChoice::Abstained(*kind),
        BallotChoice::Failed(failure) => BallotChoice::Failed(failure.clone()),
    };
    let kept = ballot.cast.iter().filter(|(id, _)| stays(id));
    Ballot {
        id: ballot.id,
        round: ballot.round,
        draft_version: ballot.draft_version,
        voters: ballot.voters.iter().copied().filter(|id| stays(id)).collect(),
        cast: kept.map(|(id, vote)| (*id, cast(vote))).collect(),
        state: BallotState::Open,
        closed_seq: ballot.closed_seq,
        spent: ballot.spent,
        counted_by: ballot.counted_by.clone(),
    }
}

fn would_have_ended(m: &Meeting, ballot: &Ballot) -> WhatIfCourse {
    let saved = saved(m, ballot);
    // After the last ballot of the last round nothing is saved, whatever its result.
    if m.outcome().is_some() && (saved.rounds, saved.calls) == (0, 0) {
        return WhatIfCourse::Otherwise { ballot: ballot.id, round: ballot.round, accepted: true };
    }
    WhatIfCourse::Earlier { ballot: ballot.id, round: ballot.round, saved }
}

fn would_have_gone_on(m: &Meeting, ballot: &Ballot) -> WhatIfCourse {
    let max_rounds = ballot.counted_by.as_ref().map_or(m.rules().limits.max_rounds, |by| by.max_rounds);
    let (ballot, round) = (ballot.id, ballot.round);
    match max_rounds.saturating_sub(round) {
        0 => WhatIfCourse::Otherwise { ballot, round, accepted: false },
        rounds_left => WhatIfCourse::Later { ballot, round, rounds_left },
    }
}

/// The usage between a ballot and the end of the discussion, or now.
fn saved(m: &Meeting, ballot: &Ballot) -> WhatIfSavings {
    let then = &ballot.spent;
    let end = m.spent_at_closing.as_ref().unwrap_or(&m.spent);
    let later = |round: &&Arc<Round>| round.number > ballot.round && round.kind != RoundKind::Blind;
    WhatIfSavings {
        rounds: u32::try_from(m.rounds.iter().filter(later).count()).unwrap_or(u32::MAX),
        calls: end.calls.saturating_sub(then.calls),
        tokens: end.usage.total().saturating_sub(then.usage.total()),
        cost_micros: (end.unpriced_calls == then.unpriced_calls)
            .then(|| end.cost_micros.saturating_sub(then.cost_micros)),
        estimated: end.usage.estimated,
    }
}

/// Every ballot with its verdict, before and after, and which change makes the difference.
pub(super) fn ballots(m: &Meeting, change: &WhatIf, changes: &[WhatIfChange]) -> Vec<BallotReview> {
    let mut held = true;
    let mut reviews = Vec::with_capacity(m.ballots.len());
    for ballot in &m.ballots {
        let (standing, before) = match &ballot.state {
            BallotState::Open => (BallotStanding::Open, None),
            BallotState::Interrupted(_) => (BallotStanding::Interrupted, None),
            BallotState::Closed(verdict) => (BallotStanding::Counted, Some(verdict.clone())),
        };
        let after = before.as_ref().map(|_| recount(m, ballot, change));
        let mut review = BallotReview {
            id: ballot.id,
            round: ballot.round,
            draft_version: ballot.draft_version,
            standing,
            rules: rules_of(m, ballot).clone(),
            held,
            turns: before.as_ref().zip(after.as_ref()).is_some_and(|(b, a)| b.passed != a.passed),
            before,
            after,
            alone: Vec::new(),
            text: String::new(),
        };
        if review.turns {
            review.alone = changes.iter().map(|change| alone(m, ballot, &review, change)).collect();
        }
        review.text = judgement_text::ballot_text(m.language(), ballot, &review);
        held &= !review.after.as_ref().is_some_and(|verdict| verdict.passed);
        reviews.push(review);
    }
    reviews
}

/// Whether one change alone turns the result of the ballot.
fn alone(m: &Meeting, ballot: &Ballot, review: &BallotReview, change: &WhatIfChange) -> SingleChangeEffect {
    let only = WhatIf::from(change);
    let verdict = recount(m, ballot, &only);
    let enough = review.after.as_ref().is_some_and(|after| after.passed == verdict.passed);
    SingleChangeEffect { change: change.clone(), enough }
}
