//! Sides of participants, counted by hand.

use std::sync::Arc;

use quorate_contract::*;

use super::*;
use crate::state::{BallotState, ClaimRecord, Conclusion, Round, Summary, Turn};
use crate::tests::seated;

const SQLITE: &str = "Begin with SQLite";
const POSTGRES: &str = "Install PostgreSQL at once";

fn ids(numbers: &[u32]) -> Vec<ParticipantId> {
    numbers.iter().copied().map(ParticipantId).collect()
}

/// A meeting whose participants hold these positions, as they were summed up.
fn holding(count: u32, positions: &[(&str, &[u32])]) -> Meeting {
    let mut m = seated(count);
    for (text, holders) in positions {
        for id in *holders {
            let stance = Stance { position: (*text).to_owned(), ..Stance::default() };
            Arc::make_mut(&mut m.seats[*id as usize - 1]).stance = Some(stance);
        }
    }
    let position = |(text, holders): &(&str, &[u32])| SummaryPosition {
        text: (*text).to_owned(),
        holders: ids(holders),
    };
    m.summaries.push(Arc::new(Summary {
        round: 1,
        seq: 1,
        text: String::new(),
        positions: positions.iter().map(position).collect(),
        open_questions: Vec::new(),
        disagreements: Vec::new(),
        by: Actor::Facilitator,
    }));
    m
}

/// The turns of one participant ended like this.
fn turns(m: &mut Meeting, participant: u32, states: &[TurnState]) {
    let turn = |(place, state): (usize, &TurnState)| Turn {
        id: TurnId { round: 1, place: place as u32 + 1 },
        seq: 1,
        participant: ParticipantId(participant),
        reason: TurnReason::Rotation,
        can_skip: true,
        targets: Vec::new(),
        state: *state,
    };
    m.rounds.push(Arc::new(Round {
        number: 1,
        kind: RoundKind::Serial,
        order: Vec::new(),
        focus: Vec::new(),
        queue: Vec::new(),
        turns: states.iter().enumerate().map(turn).collect(),
        offered_again: 0,
        ended_seq: Some(1),
    }));
}

fn claims(m: &mut Meeting, owner: u32, kind: ClaimKind, text: &str) {
    let (builds_on, citations, evidence) = (Vec::new(), Vec::new(), Vec::new());
    let claim = Claim { id: ClaimId(1), kind, text: text.into(), builds_on, citations, evidence };
    let owner = ParticipantId(owner);
    let record =
        ClaimRecord { claim, owner, round: 1, message: None, seq: 1, answered_by: Vec::new(), targeted: 0 };
    m.claims.push(Arc::new(record));
}

/// A conclusion that leaves one disagreement open between these sides.
fn concludes(m: &mut Meeting, text: &str, sides: &[(&str, &str, &[u32])]) {
    let side = |(view, why, holders): &(&str, &str, &[u32])| DisagreementSide {
        view: (*view).to_owned(),
        why: (*why).to_owned(),
        holders: ids(holders),
    };
    let sides = sides.iter().map(side).collect();
    m.conclusion = Some(Arc::new(Conclusion {
        seq: 9,
        by: Actor::Facilitator,
        text: text.to_owned(),
        reasons: String::new(),
        disagreements: vec![Disagreement { issue: "when".into(), sides }],
        actions: Vec::new(),
        best: Vec::new(),
        wildcard: None,
    }));
}

fn sides(agreement: &Agreement) -> Vec<SeatSide> {
    agreement.seats.iter().map(|seat| seat.side).collect()
}

use SeatSide::{Abstained, Dissents, Failed, Left, Supports, Undecided};

#[test]
fn a_converged_meeting_agreed_when_nobody_dissents_and_most_could_be_heard() {
    let agreed = |supports, dissents, undecided, failed| {
        let blank = Agreement::blank(AgreementBasis::Positions, Some(0));
        let agreement = Agreement { supports, dissents, undecided, failed, ..blank };
        agreement.is_agreed(Some(&MeetingOutcome::Converged { by: ConvergenceTest::FewOpenPoints }))
    };
    assert!(agreed(2, 0, 0, 0) && agreed(2, 0, 0, 1) && agreed(1, 0, 0, 0));
    assert!(!agreed(2, 1, 0, 0) && !agreed(2, 0, 1, 0) && !agreed(2, 0, 0, 2) && !agreed(0, 0, 0, 0));
}

#[test]
fn a_majority_is_more_than_all_others_who_were_counted() {
    let lacks = |basis, passed, divided, supports, dissents, undecided| {
        let agreement =
            Agreement { passed, divided, supports, dissents, undecided, ..Agreement::blank(basis, None) };
        agreement.lacks_majority()
    };
    let positions = AgreementBasis::Positions;
    assert!(lacks(positions, None, false, 2, 1, 1) && !lacks(positions, None, false, 3, 1, 1));
    assert!(lacks(positions, None, true, 3, 0, 0), "it is divided");
    assert!(!lacks(AgreementBasis::Ballot, Some(true), false, 1, 2, 0), "the ballot has passed");
    assert!(lacks(AgreementBasis::Ballot, Some(false), false, 1, 2, 0));
    assert!(!lacks(AgreementBasis::Nothing, None, false, 0, 1, 0), "nothing is known");
}

#[test]
fn holders_of_the_position_that_most_hold_support_it() {
    let mut m = holding(6, &[(SQLITE, &[1, 2]), (POSTGRES, &[3])]);
    turns(&mut m, 4, &[TurnState::Failed(FailureKind::Network), TurnState::Failed(FailureKind::Left)]);
    turns(&mut m, 5, &[TurnState::Failed(FailureKind::Left)]);
    turns(&mut m, 6, &[TurnState::Failed(FailureKind::Network), TurnState::Said(MessageId(1))]);
    turns(&mut m, 3, &[TurnState::Failed(FailureKind::Network)]);
    let agreement = Agreement::of(&m);
    assert_eq!(sides(&agreement), [Supports, Supports, Dissents, Failed, Undecided, Undecided]);
    let counts = [agreement.supports, agreement.dissents, agreement.failed, agreement.undecided];
    assert_eq!((counts, agreement.divided, agreement.leading), ([2, 1, 1, 2], false, Some(0)));
    assert_eq!(agreement.side_of(ParticipantId(3)), Some(Dissents));
    assert_eq!(agreement.side_of(ParticipantId(7)), None);
    assert_eq!(Agreement::positions(&m).iter().map(|one| one.now.count).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn where_as_many_hold_each_position_the_meeting_is_divided() {
    let agreement = Agreement::of(&holding(2, &[(SQLITE, &[1]), (POSTGRES, &[2])]));
    assert_eq!((sides(&agreement), agreement.divided), (vec![Undecided, Undecided], true));
    let alone = Agreement::of(&holding(2, &[(SQLITE, &[1])]));
    assert_eq!((sides(&alone), alone.divided), (vec![Supports, Undecided], false));
    let mut left = holding(2, &[(SQLITE, &[1])]);
    Arc::make_mut(&mut left.seats[0]).present = false;
    let nobody = Agreement::of(&left);
    assert_eq!((nobody.leading, nobody.divided), (None, false), "nobody holds it any more");
}

#[test]
fn a_side_that_the_conclusion_does_not_state_is_a_reservation_with_its_reason() {
    let mut m = holding(3, &[(SQLITE, &[1, 2]), (POSTGRES, &[3])]);
    claims(&mut m, 1, ClaimKind::Claim, "one file is easy to copy");
    claims(&mut m, 1, ClaimKind::Claim, "one file is easy to keep");
    claims(&mut m, 2, ClaimKind::Claim, "there is time");
    claims(&mut m, 1, ClaimKind::Idea, "a file for each day");
    let views: [(&str, &str, &[u32]); 2] = [(SQLITE, "", &[1]), ("Measure first", "", &[2, 3])];
    concludes(&mut m, "Begin with SQLite.", &views);
    let agreement = Agreement::of(&m);
    assert_eq!(sides(&agreement), [Supports, Supports, Dissents]);
    let reserved: Vec<bool> = agreement.seats.iter().map(|seat| seat.reserved).collect();
    assert_eq!((reserved, agreement.reserved), (vec![false, true, false], 1));
    let reasons: Vec<&str> = agreement.seats.iter().map(|seat| seat.reason.as_str()).collect();
    assert_eq!(reasons, ["one file is easy to keep", "Measure first", "Measure first"]);
    concludes(
        &mut m,
        "Begin with SQLite.",
        &[(SQLITE, "", &[1]), ("Measure first", "we know nothing", &[2])],
    );
    assert_eq!(Agreement::of(&m).seats[1].reason, "we know nothing");
}

#[test]
fn a_vote_that_passes_below_the_mean_that_is_needed_is_reserved() {
    let mut m = holding(8, &[(SQLITE, &[1, 2]), (POSTGRES, &[3])]);
    concludes(&mut m, "Begin with SQLite.", &[]);
    let vote = |score, pass| {
        BallotChoice::Vote(Vote { score, pass, reason: format!("{score}"), missing: Vec::new() })
    };
    let failed =
        |kind| BallotChoice::Failed(SeatFailure { kind, detail: "".into(), hint: "".into(), seq: 1 });
    let cast = [
        vote(75, true),
        vote(74, true),
        vote(90, true),
        vote(40, false),
        BallotChoice::Abstained(AbstentionKind::Chosen),
        failed(Some(FailureKind::Left)),
        failed(Some(FailureKind::Network)),
    ];
    let clause = |clause, needed| ClauseResult { clause, needed, got: None, met: true };
    let clauses = vec![clause(ClauseKind::Quorum, 2.0), clause(ClauseKind::MeanScore, 75.0)];
    let voters: Vec<ParticipantId> = (1..=8).map(ParticipantId).collect();
    m.ballots.push(Arc::new(Ballot {
        id: BallotId(1),
        round: 1,
        draft_version: 0,
        cast: voters.iter().copied().zip(cast).collect(),
        voters,
        state: BallotState::Closed(Verdict { passed: true, clauses, votes: 4, abstentions: 4 }),
        closed_seq: Some(8),
        spent: Default::default(),
        counted_by: None,
    }));
    let agreement = Agreement::of(&m);
    assert_eq!(
        sides(&agreement),
        [Supports, Supports, Supports, Dissents, Abstained, Left, Failed, Undecided]
    );
    let reserved: Vec<bool> = agreement.seats.iter().map(|seat| seat.reserved).collect();
    assert_eq!(reserved[..4], [false, true, true, false], "a low score, and another position");
    assert_eq!((agreement.ballot, agreement.passed), (Some(BallotId(1)), Some(true)));
    assert_eq!((agreement.seats[1].score, agreement.seats[1].reason.as_str()), (Some(74), "74"));
}
