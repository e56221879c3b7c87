//! Counts a ballot: every clause that is set must hold, and each says what it needed and got.

use quorate_contract::{ClauseKind, ClauseResult, DecisionRules, Verdict};

use crate::state::Ballot;

/// Counts a ballot. An abstention is no vote, and never assent.
pub fn tally(rules: &DecisionRules, ballot: &Ballot) -> Verdict {
    let scores: Vec<f64> = ballot.votes().map(|(_, vote)| f64::from(vote.score)).collect();
    let passes = ballot.votes().filter(|(_, vote)| vote.pass).count() as f64;
    let votes = scores.len() as f64;
    let voters = ballot.voters.len();
    let share = |part: f64| (votes > 0.0).then(|| part / votes);

    // At least one vote, whatever the quorum: a ballot without votes decides nothing.
    let quorum = (rules.quorum * voters as f64 - 1e-9).ceil().max(1.0);
    let mut clauses = vec![ClauseResult {
        clause: ClauseKind::Quorum,
        needed: quorum,
        got: Some(votes),
        met: votes >= quorum,
    }];
    let mut demand = |clause, needed: Option<f64>, got: Option<f64>| {
        if let Some(needed) = needed {
            let met = got.is_some_and(|got| got >= needed - 1e-9);
            clauses.push(ClauseResult { clause, needed, got, met });
        }
    };
    demand(ClauseKind::MeanScore, rules.mean_score.map(f64::from), share(scores.iter().sum()));
    demand(ClauseKind::PassRatio, rules.pass_ratio, share(passes));
    let lowest = scores.iter().copied().reduce(f64::min);
    demand(ClauseKind::MinScore, rules.min_score.map(f64::from), lowest);

    Verdict {
        passed: clauses.iter().all(|clause| clause.met),
        clauses,
        votes: scores.len() as u32,
        abstentions: (voters - scores.len().min(voters)) as u32,
    }
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
}
