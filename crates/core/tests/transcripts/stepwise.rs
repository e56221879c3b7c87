//! A meeting that goes on by strides: a turn, a round, a ballot, and then it rests.

use quorate_contract::*;
use quorate_core::*;

use crate::support::*;

fn advance(until: impl Into<Option<Stride>>) -> Command {
    let (token, answers) = (None, Default::default());
    Command::Advance { by: Actor::owner(), until: until.into(), token, answers, take_defaults: false }
}

/// Asks for a stride and answers everything until the meeting owes nothing more.
fn strides(table: &mut Transaction, stride: Stride) {
    table.execute(advance(stride));
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_paused() || table.meeting.is_over(), "{table:?}");
}

fn turns(table: &Transaction) -> usize {
    table.meeting.rounds.iter().flat_map(|round| &round.turns).count()
}

#[test]
fn a_turn_is_a_turn() {
    let mut table = Transaction::draft(discussion(&["Ada", "Ben", "Cid"], 2));
    for told in 1..=6 {
        strides(&mut table, Stride::Turn);
        assert_eq!((table.meeting.said.len(), turns(&table)), (told, told));
    }
    strides(&mut table, Stride::Turn);
    assert!(table.meeting.is_over(), "nobody was left to speak");
}

#[test]
fn a_round_ends_with_its_summary_and_before_its_ballot() {
    let mut table = Transaction::draft(spec(&["Ada", "Ben"], consensus(2)));
    for round in 0..=2 {
        strides(&mut table, Stride::Round);
        let m = &table.meeting;
        assert_eq!((m.round_number(), m.phase.clone()), (round, Phase::Summary));
        assert!(m.round().is_some_and(|round| round.ended_seq.is_some()));
        assert_eq!(m.summaries.last().map(|summary| summary.round), Some(round));
        let votes = m.ballots.iter().filter(|ballot| ballot.round == round).count();
        assert_eq!(votes, 0, "what comes after the round comes with the next stride");
    }
    assert_eq!(table.meeting, table.replayed());
}

#[test]
fn a_ballot_is_counted_and_what_follows_waits() {
    let mut table = Transaction::draft(spec(&["Ada", "Ben"], consensus(3)));
    strides(&mut table, Stride::Ballot);
    assert_eq!((table.meeting.ballots.len(), table.meeting.facilitations.len()), (1, 0));
    strides(&mut table, Stride::Ballot);
    assert_eq!((table.meeting.ballots.len(), table.meeting.facilitations.len()), (2, 1));
}

#[test]
fn whoever_resumes_takes_the_stride_back() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    table.execute(advance(Stride::Turn));
    assert!(table.meeting.planned_pause.is_some());
    table.resumes();
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over());
    assert_eq!(table.is_refused(advance(None)), Refusal::MeetingIsOver);
    assert_eq!(Transaction::blank().is_refused(advance(None)), Refusal::NotCreated);
}

#[test]
fn what_a_pause_asks_has_to_be_answered_first() {
    let mut spec = discussion(&["Ada", "Ben"], 2);
    spec.rules.intake.when = IntakeTiming::EachRound;
    let mut table = Transaction::draft(spec);
    strides(&mut table, Stride::Round);
    let RunState::Paused { reason, questions, .. } = &table.meeting.run_state else { panic!("{table:?}") };
    assert_eq!(*reason, PauseReason::CheckIn);
    assert!(!questions.is_empty() && table.meeting.planned_pause.is_none());
    let (token, answers) = (None, Default::default());
    let unattended = Command::Advance {
        by: Actor::owner(),
        until: Some(Stride::Round),
        token,
        answers,
        take_defaults: true,
    };
    table.execute(unattended);
    table.goes_on(|_, _| 60);
    assert_eq!((table.meeting.round_number(), table.meeting.said.len()), (1, 2));
}

#[test]
fn who_lets_it_go_on_without_a_stride_takes_the_last_one_back() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    assert_eq!(table.execute(advance(None)), [], "it runs");
    table.execute(advance(Stride::Turn));
    table.execute(advance(None));
    assert!(table.meeting.planned_pause.is_none());
}

#[test]
fn one_request_for_a_pause_is_enough_also_while_the_meeting_closes() {
    let pause = || Command::Pause { by: Actor::owner(), at_once: false };
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    table.pauses();
    assert_eq!(table.execute(pause()), []);
    table.hears("Ada", "One file is enough.");
    assert_eq!(table.is_refused(pause()), Refusal::IsPaused);
    table.resumes();
    table.hears("Ben", "I think so, too.");
    assert!(matches!(table.meeting.phase, Phase::Closing { .. }));
    table.pauses_at_once();
    assert!(table.calls().is_empty());
    table.resumes();
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over());
    assert_eq!(table.is_refused(pause()), Refusal::MeetingIsOver);
}

#[test]
fn a_ballot_counts_as_one_more_turn() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(3)));
    for ballots in 1..=2 {
        table.goes_until(|_, _| 60, |table| table.meeting.phase == Phase::Ballot);
        strides(&mut table, Stride::Turn);
        let m = &table.meeting;
        assert_eq!(
            (m.ballots.len(), m.facilitations.len()),
            (ballots, ballots - 1),
            "it rests before what follows"
        );
        table.resumes();
    }
}
