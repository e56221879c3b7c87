//! The verdict on an agreement, in one word and with its reasons.
//!
//! A meeting that collects ideas has nothing to agree on. For others, the questions are asked in this order:
//! is there anything to judge yet; is the agreement suspicious; is it contested; does it rest on too little; is
//! it robust; do the participants converge. The first that holds is the verdict. After a passed ballot the
//! agreement is neither open nor contested: participants were outvoted, or it rests on too little, or it is robust.

use quorate_contract::{ClaimKind, RoundKind};
use quorate_core::Meeting;
use quorate_core::policy::agreement::{Agreement, AgreementBasis, PositionSupport, collects_ideas, voices};
use quorate_messages::{Message, message};
use serde::Serialize;

use super::agreement::RoundAgreement;
use super::alarms::{Finding, Measure};
use super::dissent::Dissent;
use super::participation::{Independence, largest_family};
use super::{
    AGAINST_SHARE, AGREEMENT_HIGH, BLIND_SUPPORT_LOW, EFFECTIVE_SEATS_LOW, FAMILY_SHARE_HIGH,
    UNEVIDENCED_HIGH, agreement, cited, even, evidence, percent, share,
};

/// The verdict on an agreement.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HealthVerdict {
    /// The verdict, as one word.
    pub standing: HealthGrade,
    /// The same as a text.
    pub text: Message,
    /// The reasons: each rule with its result.
    pub because: Vec<Finding>,
}

/// The verdict, as one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum HealthGrade {
    /// The participants collect ideas and vote on nothing, so that there is nothing to agree on.
    Ideas,
    /// There is no agreement, or too little was said to judge it.
    Open,
    /// The participants converge.
    Converging,
    /// The participants agree, something new was said, there are no objections, and the seats are independent
    /// enough.
    Robust,
    /// The participants agree, and the agreement rests on too little.
    Thin,
    /// A ballot has passed, and some participant still objects or did not vote.
    Majority,
    /// There are objections, or the participants are split.
    Contested,
    /// The agreement shows signs of false consensus.
    Suspicious,
}

/// The inputs of a verdict.
pub(super) struct VerdictInputs<'h> {
    pub(super) m: &'h Meeting,
    pub(super) agreed: &'h Agreement,
    pub(super) positions: &'h [PositionSupport],
    pub(super) rounds: &'h [RoundAgreement],
    pub(super) dissent: &'h Dissent,
    pub(super) independence: &'h Independence,
}

impl VerdictInputs<'_> {
    /// The agreed position; without one, the most held.
    pub(super) fn leading(&self) -> Option<&PositionSupport> {
        self.agreed.leading.and_then(|place| self.positions.get(place)).or(self.positions.first())
    }

    /// Whether a ballot has passed: then the reasons must not sound as if it had not.
    fn is_accepted(&self) -> bool {
        self.agreed.passed == Some(true)
    }

    /// Whether a ballot missed the rules: then the reasons must not sound as if it had passed.
    fn is_missed(&self) -> bool {
        self.agreed.passed == Some(false)
    }
}

/// The degree of agreement, and its events: by the last ballot where there was one, otherwise by the holders
/// of the leading position.
pub(super) fn agreed(known: &VerdictInputs) -> (f64, Vec<u64>) {
    let ballot = known.m.ballots.iter().rev().find_map(|ballot| agreement::counted(ballot));
    match (ballot, known.leading()) {
        (Some(ballot), _) => (ballot.pass_share, ballot.seq.into_iter().collect()),
        (None, Some(leading)) => (leading.now.share, leading.seqs.clone()),
        (None, None) => (0.0, Vec::new()),
    }
}

pub(super) fn of(known: &VerdictInputs) -> HealthVerdict {
    if collects_ideas(known.m) {
        let text = sentence(known, HealthGrade::Ideas, false);
        return HealthVerdict { standing: HealthGrade::Ideas, text, because: Vec::new() };
    }
    let (agreement, seqs) = agreed(known);
    let all = agreement >= 1.0;
    let verdict =
        |standing, because| HealthVerdict { standing, text: sentence(known, standing, all), because };
    let agrees = agreement >= AGREEMENT_HIGH;
    let found =
        Finding::of(Measure::Agreement, agreement, AGREEMENT_HIGH, text_of_agreement(known, agreement), seqs);
    let because = |reasons: Vec<Finding>| [vec![found.clone()], reasons].concat();
    if let Some(early) = too_early(known) {
        return match (known.is_accepted(), outvoted(known)) {
            (true, Some(outvoted)) => verdict(HealthGrade::Majority, because(vec![outvoted, early])),
            (true, None) => verdict(HealthGrade::Thin, because(vec![early])),
            (false, _) => verdict(HealthGrade::Open, vec![early]),
        };
    }
    let new = cited(evidence::since_blind(known.m));
    if agrees && !known.is_missed() && new.is_empty() {
        let signs = signs_of_false_consensus(known);
        if !signs.is_empty() {
            return verdict(HealthGrade::Suspicious, because([vec![no_evidence()], signs].concat()));
        }
    }
    if let Some(outvoted) = outvoted(known) {
        return verdict(HealthGrade::Majority, because(vec![outvoted]));
    }
    let against = objections(known);
    if !against.is_empty() && !known.is_accepted() {
        return verdict(HealthGrade::Contested, because(against));
    }
    if known.is_missed() || (!agrees && !known.is_accepted()) {
        let standing = if comes_together(known.rounds) { HealthGrade::Converging } else { HealthGrade::Open };
        return verdict(standing, because(missed(known).filter(|_| agrees).into_iter().collect()));
    }
    let mut weak: Vec<Finding> = Vec::new();
    if new.is_empty() {
        weak.push(no_evidence());
    }
    weak.extend(others_hold_else(known));
    weak.extend(few_judges(known.independence));
    weak.extend(unevidenced(known.m));
    if !weak.is_empty() {
        return verdict(HealthGrade::Thin, because(weak));
    }
    let text = message!("health-new-evidence", count = new.len());
    verdict(
        HealthGrade::Robust,
        because(vec![Finding::of(Measure::Evidence, new.len() as f64, 1.0, text, new)]),
    )
}

/// A verdict in words; `all` is whether everybody agrees, and not only most.
fn sentence(known: &VerdictInputs, standing: HealthGrade, all: bool) -> Message {
    match standing {
        HealthGrade::Ideas => {
            let ideas = known.m.claims.iter().filter(|claim| claim.claim.kind == ClaimKind::Idea).count();
            match known.m.is_over() {
                true => message!("health-standing-ideas-over", ideas),
                false => message!("health-standing-ideas", ideas),
            }
        }
        HealthGrade::Open => message!("health-standing-open"),
        HealthGrade::Converging => message!("health-standing-converging"),
        HealthGrade::Robust if all => message!("health-standing-robust"),
        HealthGrade::Robust => message!("health-standing-robust-most"),
        HealthGrade::Thin if all => message!("health-standing-thin"),
        HealthGrade::Thin => message!("health-standing-thin-most"),
        HealthGrade::Majority => message!("health-standing-majority"),
        HealthGrade::Contested => message!("health-standing-contested"),
        HealthGrade::Suspicious => message!("health-standing-suspicious"),
    }
}

fn text_of_agreement(known: &VerdictInputs, agreement: f64) -> Message {
    let share = percent(agreement);
    match known.m.last_counted_ballot() {
        Some((ballot, _)) => message!("health-agreement-ballot", ballot = %ballot.id.0, share),
        None => match known.agreed.basis {
            AgreementBasis::Positions if known.agreed.leading.is_some() => {
                message!("health-agreement-position", share)
            }
            AgreementBasis::Positions | AgreementBasis::Ballot | AgreementBasis::Nothing => {
                message!("health-agreement-leading", share)
            }
        },
    }
}

/// The finding that the last ballot missed a rule other than the votes to pass.
fn missed(known: &VerdictInputs) -> Option<Finding> {
    let ballot = known.m.ballots.iter().rev().find_map(|ballot| agreement::counted(ballot))?;
    let text = message!("health-ballot-missed");
    let seqs = ballot.seq.into_iter().collect();
    known.is_missed().then(|| Finding::of(Measure::Agreement, ballot.pass_share, AGREEMENT_HIGH, text, seqs))
}

/// The finding that it is too early to judge.
fn too_early(known: &VerdictInputs) -> Option<Finding> {
    let talks =
        known.m.rounds.iter().filter(|round| round.kind != RoundKind::Blind && round.ended_seq.is_some());
    let held = talks.count();
    if held == 0 {
        let text = message!("health-no-round");
        return Some(Finding::of(Measure::Rounds, 0.0, 1.0, text, Vec::new()));
    }
    let voices = voices(known.m).count();
    (voices < 2 && known.m.last_counted_ballot().is_none()).then(|| {
        let text = message!("health-voices", voices);
        Finding::of(Measure::Voices, voices as f64, 2.0, text, Vec::new())
    })
}

fn no_evidence() -> Finding {
    let text = message!("health-no-evidence");
    Finding::of(Measure::Evidence, 0.0, 1.0, text, Vec::new())
}

/// The signs of false consensus in an agreement without new evidence.
fn signs_of_false_consensus(known: &VerdictInputs) -> Vec<Finding> {
    let Some(leading) = known.leading() else { return Vec::new() };
    let mut signs = Vec::new();
    let before = leading.blind.share;
    if before < BLIND_SUPPORT_LOW {
        let text = message!("health-blind-support", share = percent(before));
        signs.push(Finding::of(Measure::BlindSupport, before, BLIND_SUPPORT_LOW, text, leading.seqs.clone()));
    }
    let others = known.positions.iter().filter(|position| position.text != leading.text);
    let other = others.max_by_key(|position| position.blind.count);
    if let Some(other) = other.filter(|other| other.blind.count > leading.blind.count) {
        let text = message!("health-blind-leader", position = &other.text);
        signs.push(Finding::of(Measure::BlindLeader, before, other.blind.share, text, other.seqs.clone()));
    }
    signs.extend(unevidenced(known.m));
    if let Some((name, supplied)) = largest_family(known.m, &leading.now.holders)
        && supplied > FAMILY_SHARE_HIGH
        && leading.now.count > 1
    {
        let share = percent(supplied);
        let text = match name == "simulated" {
            true => message!("health-family-simulated", share),
            false => message!("health-family", share, family = %name),
        };
        signs.push(Finding::of(
            Measure::FamilyShare,
            supplied,
            FAMILY_SHARE_HIGH,
            text,
            leading.seqs.clone(),
        ));
    }
    signs
}

/// The finding that too many changed their position without a cause.
fn unevidenced(m: &Meeting) -> Option<Finding> {
    let (seats, seqs) = evidence::unevidenced(m);
    let part = share(seats, voices(m).count());
    (part >= UNEVIDENCED_HIGH && seats > 0).then(|| {
        let text = message!("health-unevidenced-share", share = percent(part));
        Finding::of(Measure::UnevidencedFlips, part, UNEVIDENCED_HIGH, text, cited(seqs))
    })
}

/// The finding that participants were outvoted.
fn outvoted(known: &VerdictInputs) -> Option<Finding> {
    let agreed = known.agreed;
    let (asked, others) = (agreed.seats.len(), agreed.seats.len() - agreed.supports);
    let stands = known.is_accepted() && (others > 0 || known.dissent.overruled > 0);
    stands.then(|| {
        let Agreement { supports, dissents, .. } = *agreed;
        let silent = others - dissents;
        let text = message!("health-outvoted", asked, supports, dissents, silent);
        let ballot = known.m.last_counted_ballot().and_then(|(ballot, _)| ballot.closed_seq);
        Finding::of(Measure::Against, others as f64, 0.0, text, ballot.into_iter().collect())
    })
}

/// Objections that stand, or a split table.
fn objections(known: &VerdictInputs) -> Vec<Finding> {
    let mut against = Vec::new();
    if known.dissent.blocking > 0 {
        let count = known.dissent.blocking;
        let text = message!("health-objections", count);
        let seqs = cited(known.dissent.objections.iter().map(|one| one.seq));
        against.push(Finding::of(Measure::Objections, count as f64, 0.0, text, seqs));
    }
    let counted = known.m.ballots.iter().rev().find_map(|ballot| agreement::counted(ballot));
    if let Some(ballot) = counted {
        let most = (AGAINST_SHARE * ballot.votes as f64).floor().max(1.0);
        if ballot.against as f64 > most {
            let text = message!("health-against", votes = ballot.votes, against = ballot.against);
            against.push(Finding::of(
                Measure::Against,
                ballot.against as f64,
                most,
                text,
                ballot.seq.into_iter().collect(),
            ));
        }
    } else if let [leading, second, ..] = known.positions
        && known.m.rounds_held() >= 2
        && second.now.count > 1
        && leading.now.share <= 0.5
    {
        let text = message!("health-split", share = percent(leading.now.share), others = second.now.count);
        let seqs = cited(leading.seqs.iter().chain(&second.seqs).copied());
        against.push(Finding::of(Measure::Split, leading.now.share, 0.5, text, seqs));
    }
    against
}

/// The finding that, without a ballot, some hold another position than the agreed one.
fn others_hold_else(known: &VerdictInputs) -> Option<Finding> {
    let Agreement { dissents: others, basis, .. } = *known.agreed;
    let leading = known.leading().filter(|_| others > 0 && basis == AgreementBasis::Positions)?;
    let text = message!("health-split", share = percent(leading.now.share), others);
    Some(Finding::of(Measure::Split, leading.now.share, 1.0, text, leading.seqs.clone()))
}

/// The finding that too few seats are independent.
pub(super) fn few_judges(independence: &Independence) -> Option<Finding> {
    let effective = independence.effective;
    (effective < EFFECTIVE_SEATS_LOW && independence.seats > 0).then(|| {
        let seats = independence.seats;
        let about = format!("{effective:.1}");
        let text = match independence.simulated {
            true if independence.all_simulated => {
                message!("health-judges-all-simulated", seats, effective = about)
            }
            true => message!("health-judges-simulated", seats, effective = about),
            false => message!("health-judges", seats, effective = about),
        };
        Finding::of(Measure::EffectiveSeats, effective, EFFECTIVE_SEATS_LOW, text, Vec::new())
    })
}

/// Whether the leading position, or the mean score, gained in the last comparable round.
fn comes_together(rounds: &[RoundAgreement]) -> bool {
    let gains = |series: Vec<f64>| match series.as_slice() {
        [.., before, now] => even(now - before) > 0.0,
        _ => false,
    };
    gains(rounds.iter().filter_map(|round| round.leading_share).collect())
        || gains(rounds.iter().flat_map(|round| &round.ballots).filter_map(|ballot| ballot.mean).collect())
}
