//! The evidence behind an agreement: what was new, changes of position and their causes, and unanswered
//! claims.

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::{Actor, Citation, Claim, ClaimId, ClaimKind, Evidence, ParticipantId, RoundKind};
use quorate_core::{ClaimRecord, Meeting, Round, Shift, TurnState};
use serde::Serialize;

use super::{HEALTH_LIST_MAX, share};

/// A change of position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionFlip {
    /// The participant.
    pub participant: ParticipantId,
    /// The previous position.
    pub from: String,
    /// The new position.
    pub to: String,
    /// The round.
    pub round: u32,
    /// Whether the participant named a claim as the cause.
    pub evidenced: bool,
    /// The claim.
    pub claim: Option<ClaimId>,
    /// The owner of the claim.
    pub owner: Option<ParticipantId>,
    /// The text of the claim.
    pub said: Option<String>,
    /// The sequence number of its event.
    pub seq: u64,
}

/// Claims that nobody else has mentioned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnsharedClaims {
    /// The number of claims.
    pub count: usize,
    /// The latest of them, in the order of the log.
    pub items: Vec<UnsharedClaim>,
}

/// An unanswered claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnsharedClaim {
    /// The claim.
    pub claim: ClaimId,
    /// The kind.
    pub kind: ClaimKind,
    /// The owner.
    pub owner: ParticipantId,
    /// The text.
    pub text: String,
    /// The lines of attached files that it cites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// The results of tools that it cites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The sequence number of the event that raised it.
    pub seq: u64,
}

/// The claims that were raised, and how many of them were answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnansweredClaims {
    /// The number of raised claims, of all kinds except ideas.
    pub raised: usize,
    /// The number of answered claims.
    pub answered: usize,
    /// The share of answered claims, 0-1; `null` when no claim was raised.
    pub coverage: Option<f64>,
    /// The latest unanswered claims.
    pub items: Vec<UnsharedClaim>,
}

/// The claims that cite attached files as their evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CitedClaims {
    /// The number of raised claims, of all kinds except ideas.
    pub raised: usize,
    /// The number of those that cite a file.
    pub cited: usize,
    /// Their share, 0-1; `null` when no claim was raised.
    pub share: Option<f64>,
    /// The latest claims that cite a file.
    pub items: Vec<UnsharedClaim>,
}

/// Whether a claim is about the topic: no objection to a draft, and an idea only where ideas are collected.
pub(super) fn is_point(m: &Meeting, claim: &ClaimRecord) -> bool {
    match claim.claim.kind {
        ClaimKind::Claim | ClaimKind::Fact | ClaimKind::Risk => true,
        ClaimKind::Idea => m.rules().turns.ideas,
        ClaimKind::Objection => false,
    }
}

/// The number of speakers in a round.
pub(super) fn speakers(round: &Round) -> usize {
    let spoke = round.turns.iter().filter(|turn| matches!(turn.state, TurnState::Said(_)));
    let mut speakers: Vec<ParticipantId> = spoke.map(|turn| turn.participant).collect();
    speakers.sort_unstable();
    speakers.dedup();
    speakers.len()
}

/// The new evidence of a round: the events of facts, of claims that moved a participant, and of messages of
/// people.
pub(super) fn new_in(m: &Meeting, round: &Round) -> Vec<u64> {
    if round.kind == RoundKind::Blind {
        return Vec::new();
    }
    let number = round.number;
    let facts = m.claims.iter().filter(|claim| claim.round == number && claim.claim.kind == ClaimKind::Fact);
    let moved = m.shifts.iter().filter(|shift| shift.round == number && is_evidenced(m, shift));
    let people =
        m.said.iter().filter(|said| said.round == number && matches!(said.speaker, Actor::Person { .. }));
    facts
        .map(|claim| claim.seq)
        .chain(moved.map(|shift| shift.seq))
        .chain(people.map(|said| said.seq))
        .collect()
}

/// All new evidence since the blind round: that of each round, and facts of the blind round that others took
/// up later.
pub(super) fn since_blind(m: &Meeting) -> Vec<u64> {
    let blind =
        |number: u32| m.rounds.iter().any(|round| round.number == number && round.kind == RoundKind::Blind);
    let taken_up = m.claims.iter().filter(|claim| {
        claim.claim.kind == ClaimKind::Fact && blind(claim.round) && !claim.answered_by.is_empty()
    });
    let later = m
        .rounds
        .iter()
        .skip(usize::from(!m.rounds.first().is_some_and(|round| round.kind == RoundKind::Blind)));
    taken_up.map(|claim| claim.seq).chain(later.flat_map(|round| new_in(m, round))).collect()
}

/// The changes of position. A participant that reports a change in its first message had no position yet.
fn moves(m: &Meeting) -> impl Iterator<Item = &Shift> {
    m.shifts.iter().map(AsRef::as_ref).filter(|shift| !shift.from.is_empty())
}

/// Whether a participant was moved by an existing claim of another.
pub(super) fn is_evidenced(m: &Meeting, shift: &Shift) -> bool {
    shift.by.and_then(|id| m.claim(id)).is_some()
}

/// The present participants who changed their position without a cause, with the events.
pub(super) fn unevidenced(m: &Meeting) -> (usize, Vec<u64>) {
    let present = |id: ParticipantId| m.seat(id).is_some_and(|seat| seat.present);
    let found = || moves(m).filter(|shift| !is_evidenced(m, shift) && present(shift.participant));
    let mut who: Vec<ParticipantId> = found().map(|shift| shift.participant).collect();
    who.sort_unstable();
    who.dedup();
    (who.len(), found().map(|shift| shift.seq).collect())
}

pub(super) fn flips(m: &Meeting) -> Vec<PositionFlip> {
    let earlier = moves(m).count().saturating_sub(HEALTH_LIST_MAX);
    let flip = |shift: &Shift| {
        let claim = shift.by.and_then(|id| m.claim(id));
        PositionFlip {
            participant: shift.participant,
            from: shift.from.clone(),
            to: shift.to.clone(),
            round: shift.round,
            evidenced: claim.is_some(),
            claim: claim.map(|claim| claim.claim.id),
            owner: claim.map(|claim| claim.owner),
            said: claim.map(|claim| claim.claim.text.clone()),
            seq: shift.seq,
        }
    };
    moves(m).skip(earlier).map(flip).collect()
}

/// The facts that only one participant has mentioned: nobody answered them, and nobody else raised the same in the same
/// words.
pub(super) fn unshared(m: &Meeting) -> UnsharedClaims {
    let mut raised_by: BTreeMap<String, BTreeSet<ParticipantId>> = BTreeMap::new();
    for claim in &m.claims {
        raised_by.entry(folded(&claim.claim.text)).or_default().insert(claim.owner);
    }
    let is_only_owner = |claim: &ClaimRecord| raised_by[&folded(&claim.claim.text)].len() == 1;
    let lonely = |claim: &&ClaimRecord| {
        claim.claim.kind == ClaimKind::Fact && is_unanswered(claim) && is_only_owner(claim)
    };
    let found: Vec<&ClaimRecord> = m.claims.iter().map(AsRef::as_ref).filter(lonely).collect();
    UnsharedClaims { count: found.len(), items: told(&found) }
}

pub(super) fn unanswered(m: &Meeting) -> UnansweredClaims {
    let raised = || {
        m.claims.iter().map(AsRef::as_ref).filter(|claim: &&ClaimRecord| claim.claim.kind != ClaimKind::Idea)
    };
    let open: Vec<&ClaimRecord> = raised().filter(|claim| is_unanswered(claim)).collect();
    let (count, left) = (raised().count(), open.len());
    UnansweredClaims {
        raised: count,
        answered: count - left,
        coverage: (count > 0).then(|| share(count - left, count)),
        items: told(&open),
    }
}

/// The claims that cite files or results of tools.
pub(super) fn cited(m: &Meeting) -> CitedClaims {
    let raised = || {
        m.claims.iter().map(AsRef::as_ref).filter(|claim: &&ClaimRecord| claim.claim.kind != ClaimKind::Idea)
    };
    let cited: Vec<&ClaimRecord> = raised().filter(|claim| has_evidence(&claim.claim)).collect();
    let count = raised().count();
    CitedClaims {
        raised: count,
        cited: cited.len(),
        share: (count > 0).then(|| share(cited.len(), count)),
        items: told(&cited),
    }
}

/// Whether a claim cites what can be read.
fn has_evidence(claim: &Claim) -> bool {
    !(claim.citations.is_empty() && claim.evidence.is_empty())
}

/// A text in lower case with single spaces, without the punctuation around it.
fn folded(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let is_around = |sign: char| {
        matches!(
            sign,
            '.' | ',' | ';' | ':' | '!' | '"' | '\'' | '。' | '，' | '；' | '：' | '！' | '“' | '”'
        )
    };
    words.join(" ").trim_matches(is_around).to_owned()
}

/// Whether only its owner has answered it.
fn is_unanswered(claim: &ClaimRecord) -> bool {
    claim.answered_by.iter().all(|id| *id == claim.owner)
}

fn told(claims: &[&ClaimRecord]) -> Vec<UnsharedClaim> {
    let last = &claims[claims.len().saturating_sub(HEALTH_LIST_MAX)..];
    let loose = |claim: &&ClaimRecord| UnsharedClaim {
        claim: claim.claim.id,
        kind: claim.claim.kind,
        owner: claim.owner,
        text: claim.claim.text.clone(),
        citations: claim.claim.citations.clone(),
        evidence: claim.claim.evidence.clone(),
        seq: claim.seq,
    };
    last.iter().map(loose).collect()
}
