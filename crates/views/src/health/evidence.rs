//! What an agreement rests on: what was new, who was moved by what, and what nobody has taken up.

use quorate_contract::{Actor, ClaimId, ClaimKind, ParticipantId, RoundKind};
use quorate_core::{ClaimRecord, Meeting, Round, Shift, TurnState};
use serde::Serialize;

use super::{HEALTH_LIST_MAX, share};

/// Somebody changed its mind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Flip {
    /// Who.
    pub participant: ParticipantId,
    /// What it held before.
    pub from: String,
    /// What it holds since.
    pub to: String,
    /// In which round.
    pub round: u32,
    /// Whether it names a claim that moved it.
    pub evidenced: bool,
    /// Which.
    pub claim: Option<ClaimId>,
    /// Whose claim that is.
    pub owner: Option<ParticipantId>,
    /// What that claim says.
    pub said: Option<String>,
    /// The event that says so.
    pub seq: u64,
}

/// Things that were raised and lie there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Loose {
    /// How many.
    pub count: usize,
    /// The last of them, in the order of the log.
    pub items: Vec<LooseClaim>,
}

/// Something that was raised and lies there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LooseClaim {
    /// The claim.
    pub claim: ClaimId,
    /// What it is.
    pub kind: ClaimKind,
    /// Whose.
    pub owner: ParticipantId,
    /// What it says.
    pub text: String,
    /// The event that raised it.
    pub seq: u64,
}

/// What was raised and how much of it was answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Unanswered {
    /// How many claims were raised, of all kinds but ideas.
    pub raised: usize,
    /// How many of them somebody has answered.
    pub answered: usize,
    /// The share of them, 0-1; `null` when nothing was raised.
    pub coverage: Option<f64>,
    /// The last of those that nobody has answered.
    pub items: Vec<LooseClaim>,
}

/// Whether something is a point of the matter: neither an objection to a draft nor an idea.
pub(super) fn is_point(claim: &ClaimRecord) -> bool {
    match claim.claim.kind {
        ClaimKind::Claim | ClaimKind::Fact | ClaimKind::Risk => true,
        ClaimKind::Objection | ClaimKind::Idea => false,
    }
}

/// How many spoke in a round.
pub(super) fn speakers(round: &Round) -> usize {
    let spoke = round.turns.iter().filter(|turn| matches!(turn.state, TurnState::Said(_)));
    let mut speakers: Vec<ParticipantId> = spoke.map(|turn| turn.participant).collect();
    speakers.sort_unstable();
    speakers.dedup();
    speakers.len()
}

/// What was new in a round: the events of facts, of claims that moved somebody, and of words of people.
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

/// All that is new since everybody spoke for itself: what was new in a round, and facts of the blind round that
/// others took up later.
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

/// Who gave up a position that it had. Whoever says at its first words that it moved had none yet.
fn moves(m: &Meeting) -> impl Iterator<Item = &Shift> {
    m.shifts.iter().map(AsRef::as_ref).filter(|shift| !shift.from.is_empty())
}

/// Whether somebody was moved by a claim of another that there is.
pub(super) fn is_evidenced(m: &Meeting, shift: &Shift) -> bool {
    shift.by.and_then(|id| m.claim(id)).is_some()
}

/// Those at the table who changed their mind by nothing that they name, with the events.
pub(super) fn unevidenced(m: &Meeting) -> (usize, Vec<u64>) {
    let present = |id: ParticipantId| m.seat(id).is_some_and(|seat| seat.present);
    let found = || moves(m).filter(|shift| !is_evidenced(m, shift) && present(shift.participant));
    let mut who: Vec<ParticipantId> = found().map(|shift| shift.participant).collect();
    who.sort_unstable();
    who.dedup();
    (who.len(), found().map(|shift| shift.seq).collect())
}

pub(super) fn flips(m: &Meeting) -> Vec<Flip> {
    let earlier = moves(m).count().saturating_sub(HEALTH_LIST_MAX);
    let flip = |shift: &Shift| {
        let claim = shift.by.and_then(|id| m.claim(id));
        Flip {
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

/// Facts that nobody but their owner has spoken of.
pub(super) fn unshared(m: &Meeting) -> Loose {
    let lonely = |claim: &&ClaimRecord| claim.claim.kind == ClaimKind::Fact && is_unanswered(claim);
    let found: Vec<&ClaimRecord> = m.claims.iter().map(AsRef::as_ref).filter(lonely).collect();
    Loose { count: found.len(), items: told(&found) }
}

pub(super) fn unanswered(m: &Meeting) -> Unanswered {
    let raised = || {
        m.claims.iter().map(AsRef::as_ref).filter(|claim: &&ClaimRecord| claim.claim.kind != ClaimKind::Idea)
    };
    let open: Vec<&ClaimRecord> = raised().filter(|claim| is_unanswered(claim)).collect();
    let (count, left) = (raised().count(), open.len());
    Unanswered {
        raised: count,
        answered: count - left,
        coverage: (count > 0).then(|| share(count - left, count)),
        items: told(&open),
    }
}

/// Whether nobody but its owner has answered it.
fn is_unanswered(claim: &ClaimRecord) -> bool {
    claim.answered_by.iter().all(|id| *id == claim.owner)
}

fn told(claims: &[&ClaimRecord]) -> Vec<LooseClaim> {
    let last = &claims[claims.len().saturating_sub(HEALTH_LIST_MAX)..];
    let loose = |claim: &&ClaimRecord| LooseClaim {
        claim: claim.claim.id,
        kind: claim.claim.kind,
        owner: claim.owner,
        text: claim.claim.text.clone(),
        seq: claim.seq,
    };
    last.iter().map(loose).collect()
}
