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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{Claim, ClaimId, Stance, SummaryPosition};

    use super::*;
    use crate::state::Seat;
    use crate::tests::{seated, summary_of};

    const SPEAKER: ParticipantId = ParticipantId(1);

    fn claim(id: u32, owner: u32, kind: ClaimKind) -> ClaimRecord {
        let text = format!("claim {id}");
        let claim = Claim {
            id: ClaimId(id),
            kind,
            text,
            builds_on: Vec::new(),
            citations: Vec::new(),
            evidence: Vec::new(),
        };
        let owner = ParticipantId(owner);
        ClaimRecord { claim, owner, round: 1, message: None, seq: 1, answered_by: Vec::new(), targeted: 0 }
    }

    fn chosen(meeting: &Meeting, wanted: u32) -> Vec<u32> {
        choose(meeting, SPEAKER, wanted).iter().map(|target| target.claim.0).collect()
    }

    fn summed_up(mut meeting: Meeting, positions: &[&[u32]]) -> Meeting {
        let position = |(place, holders): (usize, &&[u32])| SummaryPosition {
            text: format!("position {place}"),
            holders: holders.iter().copied().map(ParticipantId).collect(),
        };
        meeting.summaries.push(Arc::new(summary_of(1, positions.iter().enumerate().map(position).collect())));
        meeting
    }

    #[test]
    fn an_objection_weighs_three_silence_two_and_disagreement_and_a_lonely_fact_one() {
        let meeting = summed_up(seated(3), &[&[1, 2], &[3]]);
        let weighs = |claim: ClaimRecord| weight(&meeting, SPEAKER, &claim);
        assert_eq!(weighs(claim(1, 2, ClaimKind::Objection)), 5);
        assert_eq!(weighs(claim(1, 2, ClaimKind::Fact)), 3);
        assert_eq!(weighs(claim(1, 2, ClaimKind::Claim)), 2);
        assert_eq!(weighs(claim(1, 3, ClaimKind::Claim)), 3);
        let answered = |kind| ClaimRecord { answered_by: vec![ParticipantId(3)], ..claim(1, 2, kind) };
        assert_eq!(weighs(answered(ClaimKind::Fact)), 0);
        assert_eq!(weighs(answered(ClaimKind::Objection)), 3);
        assert_eq!(weighs(ClaimRecord { targeted: 2, ..claim(1, 3, ClaimKind::Claim) }), 1);
    }

    #[test]
    fn somebody_of_another_position_comes_first_and_everybody_before_anybody_twice() {
        let mut meeting = summed_up(seated(4), &[&[1, 2, 4], &[3]]);
        let claims = [
            claim(1, 2, ClaimKind::Objection),
            claim(2, 2, ClaimKind::Objection),
            claim(3, 3, ClaimKind::Claim),
            claim(4, 4, ClaimKind::Claim),
            claim(5, 1, ClaimKind::Objection),
            ClaimRecord { answered_by: vec![SPEAKER], ..claim(6, 3, ClaimKind::Objection) },
        ];
        meeting.claims = claims.into_iter().map(Arc::new).collect();
        let all = chosen(&meeting, 9);
        assert_eq!(
            (all.len(), all[0], all[2]),
            (4, 3, 4),
            "neither its own nor what it has answered: {all:?}"
        );
        let targets = choose(&meeting, SPEAKER, 2);
        assert_eq!(targets.iter().map(|target| target.disagrees).collect::<Vec<_>>(), [true, false]);
        assert!(chosen(&meeting, 0).is_empty());
        Arc::make_mut(&mut meeting.seats[2]).present = false;
        assert!(!chosen(&meeting, 9).contains(&3), "nobody answers those who have left");
    }

    #[test]
    fn before_a_summary_participants_disagree_by_their_own_words() {
        let mut meeting = seated(3);
        let stance = |position: &str| Stance { position: position.into(), ..Stance::default() };
        for (place, position) in ["SQLite", "SQLite", "Postgres"].into_iter().enumerate() {
            let seat: &mut Seat = Arc::make_mut(&mut meeting.seats[place]);
            seat.stance = Some(stance(position));
        }
        let [ada, ben, cid] = [1, 2, 3].map(ParticipantId);
        assert!(!disagrees(&meeting, ada, ben) && disagrees(&meeting, ada, cid));
        let meeting = summed_up(meeting, &[&[1, 3], &[2]]);
        assert!(disagrees(&meeting, ada, ben) && !disagrees(&meeting, ada, cid));
    }
}
