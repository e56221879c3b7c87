//! Every measure with its threshold, and which of them are beyond it.

use quorate_core::Meeting;
use quorate_core::policy::agreement::{collects_ideas, voices};
use quorate_messages::{Message, message};
use serde::Serialize;

use super::agreement::RoundAgreement;
use super::evidence::{UnansweredClaims, UnsharedClaims};
use super::participation::Participation;
use super::value::{RoundValue, is_talked_out};
use super::verdict::{VerdictInputs, few_judges};
use super::{
    BLIND_GAP, COLLAPSE, COVERAGE_LOW, GINI_HIGH, JUMP, NOVELTY_LOW, UNEVIDENCED_HIGH, VALUE_LOW, cited,
    even, evidence, percent, points, share,
};

/// What a rule measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = HealthMeasure))]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Rounds of discussion that are over.
    Rounds,
    /// Seats that have said where they stand.
    Voices,
    /// The share that agrees.
    Agreement,
    /// New facts, claims that moved a participant and messages of people, since the blind round.
    Evidence,
    /// The share that held the leading position at first.
    BlindSupport,
    /// The share of the leading position at first, against the position that led then.
    BlindLeader,
    /// The gain of the leading position since the blind round.
    BlindGap,
    /// The share that changed its mind by nothing that it names.
    UnevidencedFlips,
    /// The share of the support that one family of models supplies.
    FamilyShare,
    /// Open objections.
    Objections,
    /// Votes against.
    Against,
    /// The share of the leading position at a table that is split.
    Split,
    /// Seats that count as judges of their own.
    EffectiveSeats,
    /// The gain of the leading position in one round.
    Jump,
    /// The share of rounds in which all disagreements vanished with nothing new.
    Collapse,
    /// New claims for each who spoke.
    Novelty,
    /// Facts that only their owner spoke of.
    UnsharedFacts,
    /// The share of what was raised that was answered.
    Coverage,
    /// How unevenly claims were raised.
    Gini,
    /// By how much a round moved the mean score.
    Value,
}

/// The result of one measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = HealthFinding))]
pub struct Finding {
    /// The measure.
    pub rule: Measure,
    /// The value.
    pub value: f64,
    /// The threshold.
    pub threshold: f64,
    /// The same as a text.
    pub text: Message,
    /// The sequence numbers of the events that it comes from.
    pub seqs: Vec<u64>,
}

impl Finding {
    pub(super) fn of(rule: Measure, value: f64, threshold: f64, text: Message, seqs: Vec<u64>) -> Self {
        Self { rule, value: even(value), threshold: even(threshold), text, seqs }
    }
}

/// The measures that are beyond their thresholds.
pub(super) fn of(
    known: &VerdictInputs,
    unshared: &UnsharedClaims,
    unanswered: &UnansweredClaims,
    participation: &Participation,
    value: &RoundValue,
) -> Vec<Finding> {
    let m = known.m;
    let of_agreement = [jump(known.rounds), collapse(m, known.rounds), flips(m), blind_gap(known)];
    // Where ideas are collected, nobody has to agree.
    let of_agreement = of_agreement.into_iter().filter(|_| !collects_ideas(m));
    let others = [
        novelty(value),
        facts(m, unshared),
        coverage(unanswered),
        uneven(participation),
        few_judges(known.independence).filter(|_| m.started_at.is_some()),
        little(value),
    ];
    of_agreement.chain(others).flatten().collect()
}

/// The finding of the largest gain of the leading position in a round without new evidence.
fn jump(rounds: &[RoundAgreement]) -> Option<Finding> {
    let pairs = rounds.windows(2).filter(|pair| pair[1].evidence.is_empty());
    let gains = pairs.filter_map(|pair| Some((even(pair[1].leading_share? - pair[0].leading_share?), pair)));
    let (gain, pair) = gains.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (gain > JUMP).then(|| {
        let text = message!("health-jump", round = pair[1].round, share = percent(gain));
        let seqs = cited(pair.iter().filter_map(|round| round.summary_seq));
        Finding::of(Measure::Jump, gain, JUMP, text, seqs)
    })
}

/// Rounds in which all disagreements of the summary before are gone, with nothing new.
fn collapse(m: &Meeting, rounds: &[RoundAgreement]) -> Option<Finding> {
    let divided = |round: &RoundAgreement| {
        let summary = m.summaries.iter().find(|summary| Some(summary.seq) == round.summary_seq)?;
        Some(!summary.disagreements.is_empty())
    };
    let vanished = |pair: &&[RoundAgreement]| {
        divided(&pair[0]) == Some(true) && divided(&pair[1]) == Some(false) && pair[1].evidence.is_empty()
    };
    let found: Vec<&[RoundAgreement]> = rounds.windows(2).filter(vanished).collect();
    let part = share(found.len(), rounds.len());
    (part > COLLAPSE).then(|| {
        let text = message!("health-collapse", rounds = found.len());
        let seqs = found.iter().flat_map(|pair| pair.iter()).filter_map(|round| round.summary_seq);
        Finding::of(Measure::Collapse, part, COLLAPSE, text, cited(seqs))
    })
}

fn flips(m: &Meeting) -> Option<Finding> {
    let (seats, seqs) = evidence::unevidenced(m);
    let part = share(seats, voices(m).count());
    (seats > 0 && part >= UNEVIDENCED_HIGH).then(|| {
        let text = message!("health-unevidenced", seats);
        Finding::of(Measure::UnevidencedFlips, part, UNEVIDENCED_HIGH, text, cited(seqs))
    })
}

fn blind_gap(known: &VerdictInputs) -> Option<Finding> {
    let leading = known.leading()?;
    let gap = even(leading.now.share - leading.blind.share);
    (gap > BLIND_GAP && evidence::since_blind(known.m).is_empty()).then(|| {
        let text = message!("health-blind-gap", share = percent(gap));
        Finding::of(Measure::BlindGap, gap, BLIND_GAP, text, leading.seqs.clone())
    })
}

fn novelty(value: &RoundValue) -> Option<Finding> {
    let last = value.novelty.last().copied().filter(|_| is_talked_out(&value.novelty))?;
    let text = message!("health-novelty");
    Some(Finding::of(Measure::Novelty, last, NOVELTY_LOW, text, value.seqs.clone()))
}

/// The finding of unmentioned facts at the time of a ballot.
fn facts(m: &Meeting, unshared: &UnsharedClaims) -> Option<Finding> {
    (unshared.count > 0 && !m.ballots.is_empty()).then(|| {
        let text = message!("health-unshared", facts = unshared.count);
        let seqs = cited(unshared.items.iter().map(|fact| fact.seq));
        Finding::of(Measure::UnsharedFacts, unshared.count as f64, 0.0, text, seqs)
    })
}

fn coverage(unanswered: &UnansweredClaims) -> Option<Finding> {
    let coverage = unanswered.coverage.filter(|coverage| *coverage < COVERAGE_LOW)?;
    let text = message!("health-coverage", raised = unanswered.raised, answered = unanswered.answered);
    let seqs = cited(unanswered.items.iter().map(|claim| claim.seq));
    Some(Finding::of(Measure::Coverage, coverage, COVERAGE_LOW, text, seqs))
}

fn uneven(participation: &Participation) -> Option<Finding> {
    let gini = participation.gini.filter(|gini| *gini > GINI_HIGH)?;
    let text = message!("health-gini");
    let seqs = cited(participation.seats.iter().flat_map(|seat| seat.seqs.iter().copied()));
    Some(Finding::of(Measure::Gini, gini, GINI_HIGH, text, seqs))
}

fn little(value: &RoundValue) -> Option<Finding> {
    let change = value.change_per_round.filter(|change| change.abs() < VALUE_LOW)?;
    let text = message!("health-value", points = points(change));
    Some(Finding::of(Measure::Value, change, VALUE_LOW, text, value.seqs.clone()))
}
