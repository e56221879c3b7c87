//! The value of one more round, from the changes and costs of the last ones, and from what is open.

use quorate_contract::{ClaimKind, RoundKind};
use quorate_core::policy::agreement::collects_ideas;
use quorate_core::{ClaimRecord, Meeting};
use quorate_messages::{Message, message};
use serde::Serialize;

use super::agreement::{BallotAgreement, RoundAgreement};
use super::evidence::{UnansweredClaims, UnsharedClaims};
use super::{COVERAGE_LOW, NOVELTY_LOW, VALUE_LOW, agreement, cited, even, percent, points};

/// The value of one more round.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RoundValue {
    /// The change of the mean score between the last two ballots, -1 to 1; `null` before a second ballot is
    /// counted.
    pub ballot_change: Option<f64>,
    /// `ballot_change` per round between the two ballots.
    pub change_per_round: Option<f64>,
    /// `ballot_change` per unit of the currency that was spent between the two ballots; `null` when nothing
    /// was spent or a price is not known.
    pub change_per_unit: Option<f64>,
    /// The number of new claims per speaker, in the last two rounds that have ended, latest last.
    pub novelty: Vec<f64>,
    /// The cost of the meeting so far, in millionths of the currency; `null` when a price is not known.
    pub cost_micros: Option<u64>,
    /// The number of input and output tokens so far.
    pub tokens: u64,
    /// The number of calls so far.
    pub calls: u32,
    /// The number of rounds before the meeting must end; 0 when it has ended.
    pub rounds_left: u32,
    /// The same as a text.
    pub text: Message,
    /// The sequence numbers of the events that it comes from.
    pub seqs: Vec<u64>,
}

pub(super) fn of(
    m: &Meeting,
    rounds: &[RoundAgreement],
    unshared: &UnsharedClaims,
    unanswered: &UnansweredClaims,
) -> RoundValue {
    let counted: Vec<(u32, BallotAgreement)> =
        m.ballots.iter().filter_map(|ballot| Some((ballot.round, agreement::counted(ballot)?))).collect();
    let last_two = counted.len().checked_sub(2).map(|from| (&counted[from], &counted[from + 1]));
    let change = last_two.and_then(|((_, before), (_, now))| Some(even((now.mean? - before.mean?) / 100.0)));
    let between = last_two.map(|((before, _), (now, _))| f64::from(now.saturating_sub(*before).max(1)));
    let cost = last_two.and_then(|((_, before), (_, now))| now.cost_micros?.checked_sub(before.cost_micros?));
    let novelty = novelty(m, rounds);
    let rounds_left = match m.is_over() {
        true => 0,
        false => m.rules().limits.max_rounds.saturating_sub(m.rounds_held()),
    };
    let ballots = counted.iter().rev().take(2).filter_map(|(_, ballot)| ballot.seq);
    let ends = m.rounds.iter().rev().filter_map(|round| round.ended_seq).take(2);
    RoundValue {
        ballot_change: change,
        change_per_round: change.zip(between).map(|(change, rounds)| even(change / rounds)),
        change_per_unit: change
            .zip(cost.filter(|cost| *cost > 0))
            .map(|(change, cost)| even(change * 1_000_000.0 / cost as f64)),
        text: match m.is_over() {
            true => message!("health-round-over"),
            false => match new_ideas(m).filter(|_| rounds_left > 0 && !is_talked_out(&novelty)) {
                Some(ideas) => message!("health-round-ideas", ideas),
                None => sentence(rounds_left, change, &novelty, unshared, unanswered),
            },
        },
        novelty,
        cost_micros: m.spent.known_cost_micros(),
        tokens: m.spent.usage.total(),
        calls: m.spent.calls,
        rounds_left,
        seqs: cited(ballots.chain(ends)),
    }
}

/// The number of ideas of the last round that is over, where ideas are collected.
fn new_ideas(m: &Meeting) -> Option<usize> {
    let last = m.rounds.iter().rev().find(|round| round.ended_seq.is_some()).filter(|_| collects_ideas(m))?;
    let is_new = |claim: &&std::sync::Arc<ClaimRecord>| {
        claim.round == last.number && claim.claim.kind == ClaimKind::Idea
    };
    Some(m.claims.iter().filter(is_new).count())
}

/// New claims for each who spoke, in the last two rounds of talk that are over.
fn novelty(m: &Meeting, rounds: &[RoundAgreement]) -> Vec<f64> {
    let is_over =
        |number: u32| m.rounds.iter().any(|round| round.number == number && round.ended_seq.is_some());
    let talks: Vec<f64> = rounds
        .iter()
        .filter(|round| round.kind != RoundKind::Blind && is_over(round.round))
        .map(|round| round.claims_per_seat)
        .collect();
    talks[talks.len().saturating_sub(2)..].to_vec()
}

/// Whether two rounds in a row brought hardly anything new.
pub(super) fn is_talked_out(novelty: &[f64]) -> bool {
    novelty.len() == 2 && novelty.iter().all(|claims| *claims < NOVELTY_LOW)
}

fn sentence(
    rounds_left: u32,
    change: Option<f64>,
    novelty: &[f64],
    unshared: &UnsharedClaims,
    unanswered: &UnansweredClaims,
) -> Message {
    let left = unanswered.raised - unanswered.answered;
    let uncovered = unanswered.coverage.is_some_and(|coverage| coverage < COVERAGE_LOW);
    match change {
        _ if rounds_left == 0 => message!("health-round-none-left"),
        _ if unshared.count > 0 => message!("health-round-unshared", facts = unshared.count),
        _ if uncovered => message!("health-round-unanswered", claims = left),
        _ if is_talked_out(novelty) => message!("health-round-talked-out"),
        Some(change) if change.abs() < VALUE_LOW => message!("health-round-little", points = points(change)),
        Some(change) => message!("health-round-further", points = points(change)),
        None => match unanswered.coverage {
            Some(coverage) => message!("health-round-covered", share = percent(coverage)),
            None => message!("health-round-nothing-raised"),
        },
    }
}
