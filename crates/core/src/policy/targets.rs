//! Reply targets: the claims of others that a speaker has to answer, so that participants respond to each
//! other. Deterministic: the same log gives the same targets.

use quorate_contract::{ClaimKind, ParticipantId, ReplyTarget};

use crate::policy::order::mix;
use crate::state::{ClaimRecord, Meeting};

/// At most `wanted` claims of others for this speaker: one of a participant with another position where there
/// is one, then the weightiest of the rest.
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
                meeting.settings.seed,
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
        // Two claims of one participant would leave another one unheard.
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

/// The weight of a claim: 3 for an objection that blocks, 2 when it is unanswered, 1 for disagreement, 1 for
/// a fact that only its owner has, less one for each time it was a target.
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

/// Whether two participants disagree: by the positions of the last summary, or by their own words before one.
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
