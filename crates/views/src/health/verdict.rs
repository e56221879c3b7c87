//! The verdict on an agreement, in one word and with its reasons.
//!
//! The questions are asked in this order: is there anything to judge yet; is the agreement suspicious; is it
//! contested; does it rest on too little; is it robust; do the participants converge. The first that holds is
//! the verdict. After a passed ballot the agreement is neither open nor contested: participants were
//! outvoted, or it rests on too little, or it is robust.

use quorate_contract::RoundKind;
use quorate_core::Meeting;
use quorate_core::policy::agreement::{Agreement, AgreementBasis, PositionSupport, voices};
use serde::Serialize;

use super::agreement::RoundAgreement;
use super::alarms::{Finding, Measure};
use super::dissent::Dissent;
use super::participation::{Independence, largest_family};
use super::words::{Bilingual, percent};
use super::{
    AGAINST_SHARE, AGREEMENT_HIGH, BLIND_SUPPORT_LOW, EFFECTIVE_SEATS_LOW, FAMILY_SHARE_HIGH,
    UNEVIDENCED_HIGH, agreement, cited, even, evidence, share,
};

/// The verdict on an agreement.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HealthVerdict {
    /// The verdict in one word.
    pub standing: HealthStanding,
    /// The same in a sentence.
    pub text: Bilingual,
    /// The reasons: each rule with its result.
    pub because: Vec<Finding>,
}

/// The verdict in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum HealthStanding {
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
pub(super) struct Known<'h> {
    pub(super) m: &'h Meeting,
    pub(super) agreed: &'h Agreement,
    pub(super) positions: &'h [PositionSupport],
    pub(super) rounds: &'h [RoundAgreement],
    pub(super) dissent: &'h Dissent,
    pub(super) independence: &'h Independence,
}

impl Known<'_> {
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
pub(super) fn agreed(known: &Known) -> (f64, Vec<u64>) {
    let ballot = known.m.ballots.iter().rev().find_map(|ballot| agreement::counted(ballot));
    match (ballot, known.leading()) {
        (Some(ballot), _) => (ballot.pass_share, ballot.seq.into_iter().collect()),
        (None, Some(leading)) => (leading.now.share, leading.seqs.clone()),
        (None, None) => (0.0, Vec::new()),
    }
}

pub(super) fn of(known: &Known) -> HealthVerdict {
    let (agreement, seqs) = agreed(known);
    let agrees = agreement >= AGREEMENT_HIGH;
    let found = Finding::of(
        Measure::Agreement,
        agreement,
        AGREEMENT_HIGH,
        words_of_agreement(known, agreement),
        seqs,
    );
    let because = |reasons: Vec<Finding>| [vec![found.clone()], reasons].concat();
    if let Some(early) = too_early(known) {
        return match known.is_accepted() {
            true => verdict(HealthStanding::Thin, because(vec![early])),
            false => verdict(HealthStanding::Open, vec![early]),
        };
    }
    let new = cited(evidence::since_blind(known.m));
    if agrees && !known.is_missed() && new.is_empty() {
        let signs = signs_of_false_consensus(known);
        if !signs.is_empty() {
            return verdict(HealthStanding::Suspicious, because([vec![no_evidence()], signs].concat()));
        }
    }
    if let Some(outvoted) = outvoted(known) {
        return verdict(HealthStanding::Majority, because(vec![outvoted]));
    }
    let against = objections(known);
    if !against.is_empty() && !known.is_accepted() {
        return verdict(HealthStanding::Contested, because(against));
    }
    if known.is_missed() || (!agrees && !known.is_accepted()) {
        let standing =
            if comes_together(known.rounds) { HealthStanding::Converging } else { HealthStanding::Open };
        return verdict(standing, because(missed(known).filter(|_| agrees).into_iter().collect()));
    }
    let mut weak: Vec<Finding> = Vec::new();
    if new.is_empty() {
        weak.push(no_evidence());
    }
    weak.extend(few_judges(known.independence));
    weak.extend(unevidenced(known.m));
    if !weak.is_empty() {
        return verdict(HealthStanding::Thin, because(weak));
    }
    let text = Bilingual::new(
        format!("盲答之后出现了 {} 处新的依据。", new.len()),
        format!("New evidence since the first words: {}.", new.len()),
    );
    verdict(
        HealthStanding::Robust,
        because(vec![Finding::of(Measure::Evidence, new.len() as f64, 1.0, text, new)]),
    )
}

fn verdict(standing: HealthStanding, because: Vec<Finding>) -> HealthVerdict {
    HealthVerdict { standing, text: sentence(standing), because }
}

fn sentence(standing: HealthStanding) -> Bilingual {
    match standing {
        HealthStanding::Open => Bilingual::new("尚未达成一致。", "There is no agreement yet."),
        HealthStanding::Converging => Bilingual::new("意见正在靠拢。", "The table comes together."),
        HealthStanding::Robust => Bilingual::new(
            "意见一致且有依据，没有未解决的反对。",
            "The table agrees on evidence, and nobody objects.",
        ),
        HealthStanding::Thin => {
            Bilingual::new("意见一致，但依据薄弱。", "The table agrees, and the agreement rests on little.")
        }
        HealthStanding::Majority => {
            Bilingual::new("表决已通过，但并非人人同意。", "The ballot has passed, and not everybody agrees.")
        }
        HealthStanding::Contested => {
            Bilingual::new("存在未解决的反对或分歧。", "Somebody objects, or the table is split.")
        }
        HealthStanding::Suspicious => Bilingual::new(
            "一致来得可疑：没有新的依据，请先听保留意见，再表决一次。",
            "The agreement is suspicious: nothing new led to it. Hear dissent first, then vote again.",
        ),
    }
}

fn words_of_agreement(known: &Known, agreement: f64) -> Bilingual {
    let share = percent(agreement);
    match known.m.last_counted_ballot() {
        Some((ballot, _)) => Bilingual::new(
            format!("在第 {} 次表决中，{share} 的表决人同意通过。", ballot.id.0),
            format!("In ballot {}, {share} of those who were asked let the draft pass.", ballot.id.0),
        ),
        None => Bilingual::new(
            match known.agreed.basis {
                AgreementBasis::Positions if known.agreed.leading.is_some() => {
                    format!("{share} 的参会者持会议得出的立场。")
                }
                _ => format!("{share} 的参会者持领先立场。"),
            },
            match known.agreed.basis {
                AgreementBasis::Positions if known.agreed.leading.is_some() => {
                    format!("{share} of those who hold a position hold the one that the meeting comes to.")
                }
                _ => format!("{share} of those who hold a position hold the leading one."),
            },
        ),
    }
}

/// The finding that the last ballot missed a rule other than the votes to pass.
fn missed(known: &Known) -> Option<Finding> {
    let ballot = known.m.ballots.iter().rev().find_map(|ballot| agreement::counted(ballot))?;
    let text = Bilingual::new(
        "表决未通过：得票之外的通过条件没有满足。",
        "The ballot did not pass: it missed another clause of the rules.",
    );
    let seqs = ballot.seq.into_iter().collect();
    known.is_missed().then(|| Finding::of(Measure::Agreement, ballot.pass_share, AGREEMENT_HIGH, text, seqs))
}

/// The finding that it is too early to judge.
fn too_early(known: &Known) -> Option<Finding> {
    let talks =
        known.m.rounds.iter().filter(|round| round.kind != RoundKind::Blind && round.ended_seq.is_some());
    let held = talks.count();
    if held == 0 {
        let text = Bilingual::new("还没有完成一轮讨论。", "No round of discussion is over yet.");
        return Some(Finding::of(Measure::Rounds, 0.0, 1.0, text, Vec::new()));
    }
    let voices = voices(known.m).count();
    (voices < 2 && known.m.last_counted_ballot().is_none()).then(|| {
        let text = Bilingual::new(
            format!("只有 {voices} 位参会者说明了立场。"),
            format!("Seats that have said where they stand: {voices}."),
        );
        Finding::of(Measure::Voices, voices as f64, 2.0, text, Vec::new())
    })
}

fn no_evidence() -> Finding {
    let text = Bilingual::new("盲答之后没有出现新的依据。", "Nothing new was said since the first words.");
    Finding::of(Measure::Evidence, 0.0, 1.0, text, Vec::new())
}

/// The signs of false consensus in an agreement without new evidence.
fn signs_of_false_consensus(known: &Known) -> Vec<Finding> {
    let Some(leading) = known.leading() else { return Vec::new() };
    let mut signs = Vec::new();
    let before = leading.blind.share;
    if before < BLIND_SUPPORT_LOW {
        let text = Bilingual::new(
            format!("领先立场在各自表态时只有 {} 支持。", percent(before)),
            format!("{} held the leading position before hearing the others.", percent(before)),
        );
        signs.push(Finding::of(Measure::BlindSupport, before, BLIND_SUPPORT_LOW, text, leading.seqs.clone()));
    }
    let others = known.positions.iter().filter(|position| position.text != leading.text);
    let other = others.max_by_key(|position| position.blind.count);
    if let Some(other) = other.filter(|other| other.blind.count > leading.blind.count) {
        let text = Bilingual::new(
            format!("最初领先的是另一个立场：“{}”。", other.text),
            format!("Another position led at first: “{}”.", other.text),
        );
        signs.push(Finding::of(Measure::BlindLeader, before, other.blind.share, text, other.seqs.clone()));
    }
    signs.extend(unevidenced(known.m));
    if let Some((name, supplied)) = largest_family(known.m, &leading.now.holders)
        && supplied > FAMILY_SHARE_HIGH
        && leading.now.count > 1
    {
        let text = match name == "simulated" {
            true => Bilingual::new(
                format!("{} 的支持来自同一个模拟程序。", percent(supplied)),
                format!("{} of the support is simulated by one program.", percent(supplied)),
            ),
            false => Bilingual::new(
                format!("{} 的支持来自同一系列的模型（{name}）。", percent(supplied)),
                format!("{} of the support comes from models of one family ({name}).", percent(supplied)),
            ),
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
        let text = Bilingual::new(
            format!("{} 的参会者改变立场时没有说明依据。", percent(part)),
            format!("{} changed their mind by nothing that they name.", percent(part)),
        );
        Finding::of(Measure::UnevidencedFlips, part, UNEVIDENCED_HIGH, text, cited(seqs))
    })
}

/// The finding that participants were outvoted.
fn outvoted(known: &Known) -> Option<Finding> {
    let agreed = known.agreed;
    let (asked, others) = (agreed.seats.len(), agreed.seats.len() - agreed.supports);
    let stands = known.is_accepted() && (others > 0 || known.dissent.overruled > 0);
    stands.then(|| {
        let Agreement { supports, dissents, .. } = agreed;
        let text = Bilingual::new(
            format!("{asked} 位表决人中 {supports} 位同意通过，{dissents} 位反对，{} 位没有投票。", others - dissents),
            format!(
                "Of {asked} who were asked, {supports} voted to pass, {dissents} against, and {} did not vote.",
                others - dissents
            ),
        );
        let ballot = known.m.last_counted_ballot().and_then(|(ballot, _)| ballot.closed_seq);
        Finding::of(Measure::Against, others as f64, 0.0, text, ballot.into_iter().collect())
    })
}

/// Objections that stand, or a split table.
fn objections(known: &Known) -> Vec<Finding> {
    let mut against = Vec::new();
    if known.dissent.blocking > 0 {
        let count = known.dissent.blocking;
        let text =
            Bilingual::new(format!("{count} 条反对尚未解决。"), format!("Objections that stand: {count}."));
        let seqs = cited(known.dissent.objections.iter().map(|one| one.seq));
        against.push(Finding::of(Measure::Objections, count as f64, 0.0, text, seqs));
    }
    let counted = known.m.ballots.iter().rev().find_map(|ballot| agreement::counted(ballot));
    if let Some(ballot) = counted {
        let most = (AGAINST_SHARE * ballot.votes as f64).floor().max(1.0);
        if ballot.against as f64 > most {
            let text = Bilingual::new(
                format!("{} 票中有 {} 票反对。", ballot.votes, ballot.against),
                format!("Votes against: {} of {}.", ballot.against, ballot.votes),
            );
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
        let text = Bilingual::new(
            format!(
                "领先立场只有 {} 支持，另有 {} 位持另一立场。",
                percent(leading.now.share),
                second.now.count
            ),
            format!(
                "{} hold the leading position, and {} together hold another.",
                percent(leading.now.share),
                second.now.count
            ),
        );
        let seqs = cited(leading.seqs.iter().chain(&second.seqs).copied());
        against.push(Finding::of(Measure::Split, leading.now.share, 0.5, text, seqs));
    }
    against
}

/// The finding that too few seats are independent.
pub(super) fn few_judges(independence: &Independence) -> Option<Finding> {
    let effective = independence.effective;
    (effective < EFFECTIVE_SEATS_LOW && independence.seats > 0).then(|| {
        let seats = independence.seats;
        let (zh, en) = match independence.simulated {
            true => ("，其中有模拟参会者", "; some are simulated"),
            false => ("", ""),
        };
        let text = Bilingual::new(
            format!("{seats} 个席位约相当于 {effective:.1} 个独立判断{zh}。"),
            format!("{seats} seats count as about {effective:.1} judges of their own{en}."),
        );
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
