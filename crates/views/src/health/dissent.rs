//! What stands against the agreement: open objections and low scores. It is shown first, because a visible majority
//! makes people believe too soon.

use quorate_contract::{BallotId, ClaimId, ClaimKind, MessageId, ParticipantId};
use quorate_core::policy::agreement::{Agreement, PositionSupport, SeatSide};
use quorate_core::{BallotChoice, ClaimRecord, Meeting};
use serde::Serialize;

use super::HEALTH_LIST_MAX;

/// The dissent from an agreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Dissent {
    /// The last objection of each participant who has neither voted for a draft nor taken up the leading position
    /// since, the strongest first. When there are none, the unanswered claims of participants who do not share the
    /// agreed position.
    pub objections: Vec<OpenObjection>,
    /// The number of objections, before a draft is accepted, that keep it from passing.
    pub blocking: usize,
    /// The number of objections that stand after a ballot has passed; they no longer keep a draft from
    /// passing.
    pub overruled: usize,
    /// The lowest scores of the last counted ballot, lowest first.
    pub lowest: Vec<LowScore>,
}

/// An objection to the agreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenObjection {
    /// The claim.
    pub claim: ClaimId,
    /// The kind.
    pub kind: ClaimKind,
    /// The owner.
    pub holder: ParticipantId,
    /// The text.
    pub text: String,
    /// The sequence number of the event that raised it.
    pub seq: u64,
    /// The message with the objection; `null` for an objection in a vote.
    pub message: Option<MessageId>,
    /// The participants who answered it.
    pub answered_by: Vec<ParticipantId>,
    /// The holder's last score, 0-100.
    pub score: Option<u8>,
}

/// One of the lowest scores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LowScore {
    /// The participant.
    pub participant: ParticipantId,
    /// The score, 0-100.
    pub score: u8,
    /// Whether the vote passed the draft.
    pub pass: bool,
    /// The ballot.
    pub ballot: BallotId,
    /// The sequence number of the event that counted the ballot.
    pub seq: Option<u64>,
}

/// The number of lowest scores that are listed.
const LOWEST: usize = 3;

pub(super) fn of(m: &Meeting, agreed: &Agreement, positions: &[PositionSupport]) -> Dissent {
    let leading = agreed.leading.and_then(|place| positions.get(place)).or(positions.first());
    let stands = |claim: &&ClaimRecord| blocks(m, claim) && !is_withdrawn(m, leading, claim);
    let mut blocking: Vec<&ClaimRecord> = m.claims.iter().map(AsRef::as_ref).filter(stands).collect();
    let count = blocking.len();
    if blocking.is_empty() {
        blocking = minority(m, agreed);
    }
    let score = |claim: &ClaimRecord| last_vote(m, claim.owner).map(|(score, _)| score);
    blocking.sort_by_key(|claim| {
        (score(claim).unwrap_or(100), !claim.answered_by.is_empty(), std::cmp::Reverse(claim.seq))
    });
    let told = blocking.into_iter().take(HEALTH_LIST_MAX).map(|claim| OpenObjection {
        claim: claim.claim.id,
        kind: claim.claim.kind,
        holder: claim.owner,
        text: claim.claim.text.clone(),
        seq: claim.seq,
        message: claim.message,
        answered_by: claim.answered_by.iter().copied().take(HEALTH_LIST_MAX).collect(),
        score: score(claim),
    });
    let (blocking, overruled) = match agreed.passed {
        Some(true) => (0, count),
        Some(false) | None => (count, 0),
    };
    Dissent { objections: told.collect(), blocking, overruled, lowest: lowest(m) }
}

/// Whether the owner of an objection is present and has passed no draft since.
fn blocks(m: &Meeting, claim: &ClaimRecord) -> bool {
    claim.claim.kind == ClaimKind::Objection
        && m.seat(claim.owner).is_some_and(|seat| seat.present)
        && last_vote(m, claim.owner).is_none_or(|(_, pass)| !pass)
}

/// Whether the owner of an objection has let it go without a vote for a draft: it raised another one since, against a
/// later draft, or gave up its position and holds the one that the draft states, or where it states none, the most held.
fn is_withdrawn(m: &Meeting, leading: Option<&PositionSupport>, objection: &ClaimRecord) -> bool {
    let owner = objection.owner;
    let is_later = |other: &ClaimRecord| {
        other.claim.kind == ClaimKind::Objection && other.owner == owner && other.seq > objection.seq
    };
    let mut moves = m.shifts.iter().filter(|shift| shift.participant == owner && !shift.from.is_empty());
    m.claims.iter().any(|other| is_later(other))
        || moves.any(|shift| shift.seq > objection.seq)
            && leading.is_some_and(|position| position.now.holders.contains(&owner))
}

/// The last vote of a participant: its score, and whether it passed the draft. Votes of an open ballot do not
/// count.
fn last_vote(m: &Meeting, id: ParticipantId) -> Option<(u8, bool)> {
    let counted = m.ballots.iter().rev().filter(|ballot| ballot.closed_seq.is_some());
    counted.into_iter().find_map(|ballot| match ballot.cast.get(&id) {
        Some(BallotChoice::Vote(vote)) => Some((vote.score, vote.pass)),
        Some(BallotChoice::Abstained(_) | BallotChoice::Failed(_)) | None => None,
    })
}

/// Unanswered claims of participants with another position than the agreed one.
fn minority<'m>(m: &'m Meeting, agreed: &Agreement) -> Vec<&'m ClaimRecord> {
    let elsewhere = |id: ParticipantId| agreed.side_of(id) == Some(SeatSide::Dissents);
    let claims = m.claims.iter().map(AsRef::as_ref);
    claims.filter(|claim: &&ClaimRecord| claim.answered_by.is_empty() && elsewhere(claim.owner)).collect()
}

fn lowest(m: &Meeting) -> Vec<LowScore> {
    let Some((ballot, _)) = m.last_counted_ballot() else { return Vec::new() };
    let mut scores: Vec<LowScore> = ballot
        .votes()
        .map(|(participant, vote)| LowScore {
            participant,
            score: vote.score,
            pass: vote.pass,
            ballot: ballot.id,
            seq: ballot.closed_seq,
        })
        .collect();
    scores.sort_by_key(|low| (low.score, low.participant));
    scores.truncate(LOWEST);
    scores
}
