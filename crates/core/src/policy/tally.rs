//! Counts a ballot: every clause that is set must hold, and each says what it needed and got.

use quorate_contract::{ClauseKind, ClauseResult, DecisionRules, Verdict};

use crate::state::Ballot;

/// Far below any difference between two shares or scores, and above what their division loses.
const ROUNDING: f64 = 1e-9;

/// Counts a ballot. An abstention is no vote, and never assent.
pub fn tally(rules: &DecisionRules, ballot: &Ballot) -> Verdict {
    let clauses: Vec<_> =
        ClauseKind::ALL.iter().filter_map(|clause| measure(*clause, rules, ballot)).collect();
    let votes = ballot.votes().count();
    Verdict {
        passed: clauses.iter().all(|clause| clause.met),
        clauses,
        votes: votes as u32,
        abstentions: ballot.voters.len().saturating_sub(votes) as u32,
    }
}

/// What a clause needs of a ballot, and what it got; `None` when the rules do not set it.
fn measure(clause: ClauseKind, rules: &DecisionRules, ballot: &Ballot) -> Option<ClauseResult> {
    let votes = ballot.votes().count() as f64;
    let scores = ballot.votes().map(|(_, vote)| f64::from(vote.score));
    let share = |part: f64| (votes > 0.0).then(|| part / votes);
    let (needed, got) = match clause {
        ClauseKind::Quorum => {
            // At least one vote, whatever the quorum: a ballot without votes decides nothing.
            let needed = (rules.quorum * ballot.voters.len() as f64 - ROUNDING).ceil().max(1.0);
            (needed, Some(votes))
        }
        ClauseKind::MeanScore => (f64::from(rules.mean_score?), share(scores.sum())),
        ClauseKind::PassRatio => {
            let passes = ballot.votes().filter(|(_, vote)| vote.pass).count();
            (rules.pass_ratio?, share(passes as f64))
        }
        ClauseKind::MinScore => (f64::from(rules.min_score?), scores.reduce(f64::min)),
    };
    let met = got.is_some_and(|got| got >= needed - ROUNDING);
    Some(ClauseResult { clause, needed, got, met })
}

#[cfg(test)]
mod tests {
    use quorate_contract::{AbstentionKind, BallotId, ParticipantId, Vote};

    use super::*;
    use crate::state::{BallotChoice, BallotState};

    fn ballot(scores: &[Option<u8>]) -> Ballot {
        let voter = |place: usize| ParticipantId(place as u32 + 1);
        let cast = |score: &Option<u8>| match score {
            Some(score) => BallotChoice::Vote(Vote {
                score: *score,
                pass: *score >= 75,
                reason: String::new(),
                missing: Vec::new(),
            }),
            None => BallotChoice::Abstained(AbstentionKind::Malformed),
        };
        Ballot {
            id: BallotId(1),
            round: 1,
            draft_version: 1,
            voters: (0..scores.len()).map(voter).collect(),
            cast: scores.iter().enumerate().map(|(i, s)| (voter(i), cast(s))).collect(),
            state: BallotState::Open,
            closed_seq: None,
            spent: Default::default(),
            counted_by: None,
        }
    }

    #[test]
    fn the_average_counts_votes_only_and_an_abstention_is_no_assent() {
        let rules = DecisionRules::default();
        assert!(tally(&rules, &ballot(&[Some(80), Some(80), None])).passed);
        let verdict = tally(&rules, &ballot(&[Some(100), None, None]));
        assert!(!verdict.passed, "one of three is no quorum");
        assert_eq!((verdict.votes, verdict.abstentions), (1, 2));
    }

    #[test]
    fn every_clause_that_is_set_must_hold_and_is_named() {
        let rules = DecisionRules { pass_ratio: Some(0.75), min_score: Some(60), ..DecisionRules::default() };
        let verdict = tally(&rules, &ballot(&[Some(95), Some(95), Some(95), Some(50)]));
        let met: Vec<_> = verdict.clauses.iter().map(|c| (c.clause, c.met)).collect();
        assert_eq!(
            met,
            [
                (ClauseKind::Quorum, true),
                (ClauseKind::MeanScore, true),
                (ClauseKind::PassRatio, true),
                (ClauseKind::MinScore, false),
            ]
        );
        assert!(!verdict.passed);
    }

    #[test]
    fn nobody_voted_means_not_passed_whatever_the_rules() {
        let rules = DecisionRules { quorum: 0.0, mean_score: None, ..DecisionRules::default() };
        assert!(!tally(&rules, &ballot(&[None, None])).passed);
        assert!(!tally(&rules, &ballot(&[])).passed);
    }

    #[test]
    fn without_votes_there_is_no_mean() {
        let rules = DecisionRules { pass_ratio: Some(0.5), min_score: Some(10), ..DecisionRules::default() };
        let got: Vec<_> = tally(&rules, &ballot(&[None])).clauses.iter().map(|clause| clause.got).collect();
        assert_eq!(got, [Some(0.0), None, None, None], "no votes, and nothing to divide them by");
    }
}
