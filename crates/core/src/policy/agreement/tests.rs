//! Sides of participants, counted by hand.

use std::sync::Arc;

use quorate_contract::*;

use super::*;
use crate::state::{BallotState, ClaimRecord, Conclusion, Shift};
use crate::tests::{round_of, says, seated, settings, summary_of};

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
    m.summaries.push(Arc::new(summary_of(1, positions.iter().map(position).collect())));
    m
}

/// The turns of one participant ended like this.
fn turns(m: &mut Meeting, participant: u32, states: &[TurnState]) {
    let turns: Vec<_> = states.iter().map(|state| (participant, *state)).collect();
    m.rounds.push(round_of(1, &turns));
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

fn vote(score: u8, pass: bool) -> BallotChoice {
    BallotChoice::Vote(Vote { score, pass, reason: format!("{score}"), missing: Vec::new() })
}

fn failed(kind: Option<FailureKind>) -> BallotChoice {
    BallotChoice::Failed(SeatFailure { kind, detail: "".into(), hint: "".into(), seq: 1 })
}

/// A ballot of so many voters passes with a mean of 75; those who voted did so in this order.
fn votes(m: &mut Meeting, voters: u32, cast: &[BallotChoice]) {
    let clause = |clause, needed| ClauseResult { clause, needed, got: None, met: true };
    let clauses = vec![clause(ClauseKind::Quorum, 2.0), clause(ClauseKind::MeanScore, 75.0)];
    let voters: Vec<ParticipantId> = (1..=voters).map(ParticipantId).collect();
    m.ballots.push(Arc::new(Ballot {
        id: BallotId(1),
        round: 1,
        draft_version: 0,
        cast: voters.iter().copied().zip(cast.iter().cloned()).collect(),
        voters,
        state: BallotState::Closed(Verdict { passed: true, clauses, votes: 4, abstentions: 4 }),
        closed_seq: Some(8),
        spent: Default::default(),
        counted_by: None,
    }));
}

fn sides(agreement: &Agreement) -> Vec<SeatSide> {
    agreement.seats.iter().map(|seat| seat.side).collect()
}

use SeatSide::{Abstained, Dissents, Failed, Left, Supports, Undecided};

#[test]
fn a_position_that_nobody_holds_any_more_leads_nothing() {
    let mut m = holding(2, &[(SQLITE, &[1])]);
    assert_eq!(Agreement::of(&m).leading, Some(0));
    Arc::make_mut(&mut m.seats[0]).present = false;
    assert_eq!(Agreement::of(&m).leading, None);
}

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
    let mut left = holding(2, &[(SQLITE, &[1]), (POSTGRES, &[2])]);
    left.seats.iter_mut().for_each(|seat| Arc::make_mut(seat).present = false);
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
    let cast = [
        vote(75, true),
        vote(74, true),
        vote(90, true),
        vote(40, false),
        BallotChoice::Abstained(AbstentionKind::Chosen),
        failed(Some(FailureKind::Left)),
        failed(Some(FailureKind::Network)),
    ];
    votes(&mut m, 8, &cast);
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

/// A participant now states its position in these words.
fn states(m: &mut Meeting, id: u32, position: &str) {
    let seat = Arc::make_mut(&mut m.seats[id as usize - 1]);
    seat.stance = Some(Stance { position: position.to_owned(), ..Stance::default() });
}

/// A participant speaks.
fn speaks(m: &mut Meeting, id: u32) {
    says(m, 1, Actor::participant(ParticipantId(id)), "", "So it is.");
}

/// A participant gives up a position for another, as the next event.
fn moves(m: &mut Meeting, id: u32, from: &str, to: &str) {
    m.seq += 1;
    let participant = ParticipantId(id);
    let (from, to) = (from.to_owned(), to.to_owned());
    let first = Stance { position: from.clone(), ..Stance::default() };
    m.shifts.push(Arc::new(Shift { participant, round: 1, seq: m.seq, from, to: to.clone(), by: None }));
    Arc::make_mut(&mut m.seats[id as usize - 1]).first = Some(first);
    states(m, id, &to);
}

/// Each position with its holders now, and at first.
fn held(m: &Meeting) -> Vec<(String, Vec<u32>, Vec<u32>)> {
    let numbers = |share: &PositionShare| share.holders.iter().map(|id| id.0).collect();
    let told = |one: &PositionSupport| (one.text.clone(), numbers(&one.now), numbers(&one.blind));
    Agreement::positions(m).iter().map(told).collect()
}

#[test]
fn whoever_gave_up_a_position_is_among_its_first_holders() {
    let mut m = holding(4, &[(SQLITE, &[1, 3])]);
    m.seq = 0;
    moves(&mut m, 3, POSTGRES, SQLITE);
    states(&mut m, 2, SQLITE);
    states(&mut m, 4, "");
    assert_eq!(
        held(&m),
        [(SQLITE.into(), vec![1, 2, 3], vec![1, 2]), (POSTGRES.into(), vec![], vec![3])],
        "who has no position is no voice"
    );
    let positions = Agreement::positions(&m);
    assert_eq!((positions[0].now.share, positions[0].blind.share), (1.0, share(2, 3)));
    assert!(positions[0].by_likeness, "the summary does not name the second one");
}

#[test]
fn a_summary_holds_for_all_who_have_not_moved_since() {
    let mut m = holding(4, &[(SQLITE, &[1, 2]), (POSTGRES, &[3, 4])]);
    m.seq = 0;
    moves(&mut m, 1, POSTGRES, "Copy a file each night");
    assert_eq!(m.shifts[0].seq, m.summaries[0].seq, "the summary knows of it");
    states(&mut m, 2, "Nobody needs two writers");
    moves(&mut m, 3, POSTGRES, "Measure first");
    assert_eq!(
        held(&m),
        [
            (SQLITE.into(), vec![1, 2], vec![2]),
            (POSTGRES.into(), vec![4], vec![1, 3, 4]),
            ("Measure first".into(), vec![3], vec![])
        ]
    );
}

#[test]
fn whoever_takes_up_the_words_of_a_position_or_of_a_holder_holds_it() {
    let mut m = holding(4, &[(SQLITE, &[1, 2]), (POSTGRES, &[3, 4])]);
    m.seq = 1;
    states(&mut m, 1, "One writer is all we have");
    states(&mut m, 3, SQLITE);
    states(&mut m, 4, POSTGRES);
    let now = |m: &Meeting| held(m).into_iter().map(|(_, now, _)| now).collect::<Vec<_>>();
    speaks(&mut m, 4);
    assert_eq!(now(&m), [[1, 2], [3, 4]], "the third has not spoken since, and the fourth says the same");
    speaks(&mut m, 3);
    assert_eq!(now(&m), [vec![1, 2, 3], vec![4]]);
    moves(&mut m, 4, POSTGRES, "one writer is all we have!");
    assert_eq!(now(&m), [vec![1, 2, 3, 4], vec![]]);
    moves(&mut m, 4, POSTGRES, "Install PostgreSQL, at once");
    assert_eq!(now(&m), [vec![1, 2, 3], vec![4]]);
}

#[test]
fn a_position_cites_the_summary_and_the_first_and_last_words_of_its_holders() {
    let mut m = holding(2, &[(SQLITE, &[1]), (POSTGRES, &[2])]);
    m.seq = 1;
    for id in [1, 2, 1, 1] {
        speaks(&mut m, id);
    }
    let seqs = |m: &Meeting| Agreement::positions(m).into_iter().map(|one| one.seqs).collect::<Vec<_>>();
    assert_eq!(seqs(&m), [vec![1, 2, 5], vec![1, 3]]);
    m.summaries.clear();
    assert_eq!(seqs(&m), [vec![2, 5], vec![3]]);
}

#[test]
fn a_vote_of_the_smaller_side_of_what_stays_open_is_reserved() {
    let mut m = holding(2, &[(SQLITE, &[1, 2])]);
    concludes(&mut m, "Begin with SQLite.", &[(SQLITE, "", &[1]), ("Measure first", "", &[2])]);
    votes(&mut m, 2, &[vote(90, true), vote(90, true)]);
    let reserved: Vec<bool> = Agreement::of(&m).seats.iter().map(|seat| seat.reserved).collect();
    assert_eq!(reserved, [false, true]);
}

#[test]
fn without_positions_only_what_the_conclusion_leaves_open_is_known() {
    let mut m = seated(3);
    concludes(&mut m, "Begin.", &[("with a file", "", &[1, 2]), ("with a server", "it grows", &[3])]);
    let agreement = Agreement::of(&m);
    assert_eq!(
        (agreement.basis, sides(&agreement)),
        (AgreementBasis::Nothing, vec![Undecided, Undecided, Dissents])
    );
    let row = &agreement.seats[2];
    assert_eq!((row.position.as_str(), row.reason.as_str()), ("with a server", "it grows"));
    concludes(&mut m, "Begin.", &[("with a file", "", &[1]), ("with a server", "", &[3])]);
    assert_eq!(Agreement::of(&m).dissents, 0, "none is the smaller side");
}

#[test]
fn an_idea_is_no_objection_to_the_ideas_of_others() {
    let mut m = holding(3, &[(SQLITE, &[1, 2]), (POSTGRES, &[3])]);
    assert_eq!(Agreement::of(&m).basis, AgreementBasis::Positions);
    settings(&mut m).rules.turns.ideas = true;
    let agreement = Agreement::of(&m);
    assert_eq!((agreement.basis, agreement.dissents), (AgreementBasis::Nothing, 0));
    settings(&mut m).rules.decision.ballots = false;
    concludes(&mut m, "Three ideas are tried.", &[("with soup", "", &[1, 2]), ("without it", "", &[3])]);
    assert_eq!(Agreement::of(&m).dissents, 0, "those who wanted another choice oppose nothing");
}

#[test]
fn a_conclusion_states_the_position_that_its_first_line_of_prose_begins_with() {
    let stated = |positions: &[(&str, &[u32])], text: &str| {
        let mut m = holding(3, positions);
        concludes(&mut m, text, &[]);
        sides(&Agreement::of(&m))
    };
    let go: [(&str, &[u32]); 2] = [("Go", &[1, 2]), ("Measure first", &[3])];
    assert_eq!(stated(&go, "\n# Go\n\n**Measure first**, then go."), [Dissents, Dissents, Supports]);
    assert_eq!(stated(&go, "Go, and measure first."), [Supports, Supports, Dissents]);
    let wait: [(&str, &[u32]); 2] = [("Go", &[1]), ("Measure first", &[2, 3])];
    assert_eq!(stated(&wait, "Gossip has won."), [Dissents, Supports, Supports], "it is another word");
    let none: [(&str, &[u32]); 2] = [("...", &[1]), ("Measure first", &[2, 3])];
    assert_eq!(stated(&none, "(We could not agree.)"), [Dissents, Supports, Supports]);
}

#[test]
fn whoever_failed_is_told_and_is_missing_where_it_never_answered_or_its_vote_failed() {
    let mut m = holding(5, &[(SQLITE, &[1, 2])]);
    let network = TurnState::Failed(FailureKind::Network);
    turns(&mut m, 1, &[network, TurnState::Said(MessageId(1))]);
    turns(&mut m, 2, &[network, network]);
    turns(&mut m, 3, &[TurnState::Failed(FailureKind::Left)]);
    let away = [vote(90, true), vote(90, true), vote(90, true)];
    let away = away.into_iter().chain([failed(None), failed(Some(FailureKind::Left))]);
    votes(&mut m, 5, &away.collect::<Vec<_>>());
    for (seat, kind) in m.seats.iter_mut().zip([FailureKind::Left, FailureKind::Network]) {
        let (detail, hint) = ("".into(), "".into());
        Arc::make_mut(seat).failure = Some(SeatFailure { kind: Some(kind), detail, hint, seq: 7 });
    }
    let agreement = Agreement::of(&m);
    let last: Vec<_> =
        failures(&m, &agreement).iter().map(|one| one.last.clone().map(|last| last.seq)).collect();
    assert_eq!(last, [None, Some(7), Some(1)], "leaving is no failure");
    let told: Vec<_> = failures(&m, &agreement)
        .iter()
        .map(|one| {
            let numbers = [one.turns, one.failed_turns, one.failed_votes];
            (one.seat.participant.id.0, numbers, one.spoke, one.counts)
        })
        .collect();
    assert_eq!(told, [(1, [2, 1, 0], true, false), (2, [2, 2, 0], false, true), (4, [0, 0, 1], false, true)]);
    assert_eq!(mostly_failed(&m, &agreement), None, "two of five");
    let mut half = m.clone();
    half.seats.pop();
    assert_eq!(mostly_failed(&half, &agreement), None, "two of four are half of them");
    turns(&mut m, 3, &[network]);
    assert_eq!(mostly_failed(&m, &agreement), Some((3, 5)));
}
