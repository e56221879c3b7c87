//! Which points of others a speaker is to answer, so that a discussion is one (003 §4.2; rule R7
//! of our deliberation research). Deterministic: the same log gives the same targets.

use quorate_contract::{ClaimKind, ParticipantId, ReplyTarget};

use crate::policy::order::mix;
use crate::state::{ClaimRecord, Meeting};

/// At most `wanted` points of others for this speaker: one of somebody who stands elsewhere where
/// there is one, then the weightiest of the rest.
pub(crate) fn choose(meeting: &Meeting, speaker: ParticipantId, wanted: u32) -> Vec<ReplyTarget> {
    let round = meeting.round_number();
    let mut open: Vec<(i64, u64, &ClaimRecord)> = meeting
        .claims
        .iter()
        .map(|claim| claim.as_ref())
        .filter(|claim| claim.owner != speaker && !claim.answered_by.contains(&speaker))
        .filter(|claim| meeting.seat(claim.owner).is_some_and(|seat| seat.present))
        .map(|claim| {
            let tie = mix(&[
                meeting.charter.seed,
                u64::from(round),
                u64::from(speaker.0),
                u64::from(claim.claim.id.0),
            ]);
            (weight(meeting, speaker, claim), tie, claim)
        })
        .collect();
    open.sort_by_key(|&(weight, tie, _)| (std::cmp::Reverse(weight), tie));

    let mut chosen: Vec<&ClaimRecord> = Vec::new();
    let elsewhere = open.iter().find(|(_, _, claim)| disagrees(meeting, speaker, claim.owner));
    chosen.extend(elsewhere.map(|(_, _, claim)| *claim));
    for (_, _, claim) in &open {
        // Two points of the same person would leave somebody else unheard.
        if !chosen.iter().any(|taken| taken.owner == claim.owner) {
            chosen.push(claim);
        }
    }
    for (_, _, claim) in &open {
        if !chosen.iter().any(|taken| taken.claim.id == claim.claim.id) {
            chosen.push(claim);
        }
    }
    chosen.truncate(wanted as usize);
    chosen
        .into_iter()
        .map(|claim| ReplyTarget {
            claim: claim.claim.id,
            disagrees: disagrees(meeting, speaker, claim.owner),
        })
        .collect()
}

/// 3 for an objection that blocks, 2 for what nobody has answered, 1 for disagreement, 1 for an event
/// that only its owner has, less one for each time somebody was sent to it.
fn weight(meeting: &Meeting, speaker: ParticipantId, claim: &ClaimRecord) -> i64 {
    let unanswered = claim.answered_by.is_empty();
    let objection = claim.claim.kind == ClaimKind::Objection;
    let lonely_fact = claim.claim.kind == ClaimKind::Fact && unanswered;
    3 * i64::from(objection)
        + 2 * i64::from(unanswered)
        + i64::from(disagrees(meeting, speaker, claim.owner))
        + i64::from(lonely_fact)
        - i64::from(claim.targeted)
}

/// Whether two stand elsewhere: in the last summary's positions, or by their own words before one.
pub(crate) fn disagrees(meeting: &Meeting, one: ParticipantId, other: ParticipantId) -> bool {
    let place = |id| meeting.positions().iter().position(|p| p.holders.contains(&id));
    match (place(one), place(other)) {
        (Some(a), Some(b)) => a != b,
        _ => {
            let words = |id| meeting.seat(id).and_then(|s| s.stance.as_ref()).map(|s| &s.position);
            words(one) != words(other)
        }
    }
}
