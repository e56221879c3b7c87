//! The agreement after each round and ballot.

use quorate_contract::{BallotId, RoundKind, SummaryPosition, Vote};
use quorate_core::{Ballot, BallotState, Meeting, Round, Summary};
use serde::Serialize;

use super::{HEALTH_LIST_MAX, even, evidence, share};

/// The agreement after a round.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RoundAgreement {
    /// The number of the round; 0 is the blind round.
    pub round: u32,
    /// How the turns of the round ran.
    pub kind: RoundKind,
    /// The share of participants with a position who hold the leading one, 0-1; `null` without a summary.
    pub leading_share: Option<f64>,
    /// How evenly positions are held, 0-1: 0 when all participants hold the same position, 1 when each holds
    /// a different one.
    pub entropy: Option<f64>,
    /// The sequence number of the summary from which `leading_share` and `entropy` are computed.
    pub summary_seq: Option<u64>,
    /// The number of claims, facts and risks that were raised in the round; where ideas are collected, of ideas, too.
    pub new_claims: usize,
    /// `new_claims` per participant who spoke.
    pub claims_per_seat: f64,
    /// The sequence numbers of the events with new evidence: facts, claims that changed a position, messages
    /// of people.
    pub evidence: Vec<u64>,
    /// The counted ballots after the round.
    pub ballots: Vec<BallotAgreement>,
}

/// The agreement in a ballot.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BallotAgreement {
    /// The ballot.
    pub ballot: BallotId,
    /// The sequence number of the event that counted the ballot.
    pub seq: Option<u64>,
    /// The mean score, 0-100; `null` without a vote.
    pub mean: Option<f64>,
    /// The standard deviation of the scores, in points.
    pub spread: Option<f64>,
    /// The share of all voters that passed the draft, 0-1. An abstention does not count as a pass.
    pub pass_share: f64,
    /// The number of votes against.
    pub against: usize,
    /// The number of votes.
    pub votes: usize,
    /// The cost of the meeting up to the count, in millionths of the currency; `null` when a price is not
    /// known.
    pub cost_micros: Option<u64>,
}

/// The last rounds, in their order.
pub(super) fn rounds(m: &Meeting) -> Vec<RoundAgreement> {
    let last = &m.rounds[m.rounds.len().saturating_sub(HEALTH_LIST_MAX)..];
    last.iter().map(|round| of(m, round)).collect()
}

fn of(m: &Meeting, round: &Round) -> RoundAgreement {
    let summary =
        m.summaries.iter().rev().map(AsRef::as_ref).find(|summary: &&Summary| summary.round == round.number);
    let held = summary.map(|summary| held(&summary.positions)).filter(|held| !held.is_empty());
    let new_claims =
        m.claims.iter().filter(|claim| claim.round == round.number && evidence::is_point(m, claim)).count();
    let speakers = evidence::speakers(round);
    let ballots = m.ballots.iter().filter(|ballot| ballot.round == round.number);
    RoundAgreement {
        round: round.number,
        kind: round.kind,
        leading_share: held.as_deref().map(leading),
        entropy: held.as_deref().map(entropy),
        summary_seq: summary.map(|summary| summary.seq),
        new_claims,
        claims_per_seat: share(new_claims, speakers),
        evidence: super::cited(evidence::new_in(m, round)),
        ballots: ballots.filter_map(|ballot| counted(ballot)).take(HEALTH_LIST_MAX).collect(),
    }
}

/// The number of holders of each position.
fn held(positions: &[SummaryPosition]) -> Vec<usize> {
    positions.iter().map(|position| position.holders.len()).filter(|holders| *holders > 0).collect()
}

fn leading(held: &[usize]) -> f64 {
    share(held.iter().copied().max().unwrap_or(0), held.iter().sum())
}

/// Shannon's entropy, divided by its maximum.
fn entropy(held: &[usize]) -> f64 {
    let all: usize = held.iter().sum();
    if all < 2 {
        return 0.0;
    }
    let part = |holders: &usize| {
        let share = *holders as f64 / all as f64;
        -share * share.ln()
    };
    even(held.iter().map(part).sum::<f64>() / (all as f64).ln())
}

/// A ballot that was counted, as numbers.
pub(super) fn counted(ballot: &Ballot) -> Option<BallotAgreement> {
    match ballot.state {
        BallotState::Closed(_) => {}
        BallotState::Open | BallotState::Interrupted(_) => return None,
    }
    let votes: Vec<&Vote> = ballot.votes().map(|(_, vote)| vote).collect();
    let passes = votes.iter().filter(|vote| vote.pass).count();
    let scores: Vec<f64> = votes.iter().map(|vote| f64::from(vote.score)).collect();
    let count = scores.len() as f64;
    let mean = (count > 0.0).then(|| scores.iter().sum::<f64>() / count);
    let spread =
        mean.map(|mean| (scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / count).sqrt());
    Some(BallotAgreement {
        ballot: ballot.id,
        seq: ballot.closed_seq,
        mean: mean.map(even),
        spread: spread.map(even),
        pass_share: share(passes, ballot.voters.len()),
        against: votes.len() - passes,
        votes: votes.len(),
        cost_micros: ballot.spent.known_cost_micros(),
    })
}
