//! A brainstorm: a check-in, a team for the topic, hidden marks, joining and leaving.

use std::collections::BTreeMap;

use quorate_contract::*;
use quorate_core::*;
use serde_json::json;

use crate::support::*;

/// Without the check-in, where it is not what a test is about.
fn brainstorm(names: &[&str]) -> MeetingSpec {
    let mut spec = MeetingSpec { format: Format::Brainstorm, ..spec(names, Format::Brainstorm.rules()) };
    spec.rules.intake.when = IntakeTiming::Never;
    spec.rules.roster.newcomers = false;
    spec.rules.roster.approve = false;
    spec
}

fn replies(table: &mut Transaction, answers: &[(&str, &str)]) {
    let answers: BTreeMap<_, _> =
        answers.iter().map(|(key, answer)| ((*key).to_owned(), json!(answer))).collect();
    table.execute(Command::Resume { by: Actor::owner(), token: None, answers, take_defaults: false });
}

fn rests_for(table: &Transaction, reason: PauseReason) -> bool {
    matches!(&table.meeting.run_state, RunState::Paused { reason: why, .. } if *why == reason)
}

/// Goes on until the facilitator is to give marks.
fn goes_to_marks(table: &mut Transaction) {
    let evaluates =
        |table: &Transaction| table.calls().iter().any(|call| matches!(call.id, TaskId::Evaluate(_)));
    table.goes_until(|_, _| 60, evaluates);
    assert!(evaluates(table), "no marks are asked for");
}

fn marks(table: &mut Transaction, marks: &[(&str, u8)]) {
    let marks: Vec<_> = marks
        .iter()
        .map(|(name, score)| json!({ "name": name, "score": score, "reason": "by what was used" }))
        .collect();
    table.facilitator_answers(&json!({ "marks": marks }).to_string());
}

#[test]
fn a_check_in_changes_the_topic_and_is_answered() {
    let mut spec = brainstorm(&["Ada", "Ben"]);
    spec.rules.intake.when = IntakeTiming::EachRound;
    let mut table = Transaction::started(spec);
    let call = table.facilitator_call();
    table.answers_well(&call, 0);
    assert!(rests_for(&table, PauseReason::CheckIn));
    replies(&mut table, &[("topic", "Is a file enough?"), ("writers", "3"), ("more", "one disk")]);
    assert_eq!(table.meeting.settings.topic, "Is a file enough?");
    let answers: Vec<_> = table.meeting.answers[0].given.iter().map(|(_, answer)| answer.clone()).collect();
    assert_eq!(answers, [json!(3.0), json!("one disk")]);
    assert_eq!(table.speaker(), "Ada");
}

#[test]
fn without_a_facilitator_a_check_in_asks_for_the_topic_and_for_more() {
    let mut spec = MeetingSpec { facilitator: None, ..brainstorm(&["Ada", "Ben"]) };
    spec.rules.intake.when = IntakeTiming::EachRound;
    let table = Transaction::started(spec.clone());
    let RunState::Paused { reason, questions, .. } = &table.meeting.run_state else { panic!("{table:?}") };
    let asked: Vec<_> = questions.iter().map(|one| (one.key.as_str(), one.default.clone())).collect();
    let as_it_is = Some(json!("Is SQLite enough?"));
    assert_eq!((*reason, asked), (PauseReason::CheckIn, vec![("topic", as_it_is), ("more", None)]));
    spec.rules.intake.when = IntakeTiming::Start;
    assert_eq!(Transaction::started(spec).speaker(), "Ada", "where nothing is asked, it begins");
}

#[test]
fn a_default_does_not_take_back_a_topic_that_was_changed_meanwhile() {
    let mut spec = brainstorm(&["Ada", "Ben"]);
    spec.rules.intake.when = IntakeTiming::EachRound;
    let mut table = Transaction::started(spec);
    let call = table.facilitator_call();
    table.answers_well(&call, 0);
    table.execute(Command::ChangeTopic { by: Actor::owner(), topic: "Is a file enough?".into() });
    table.resumes();
    assert_eq!(table.meeting.settings.topic, "Is a file enough?");
}

fn team() -> Transaction {
    let mut spec = brainstorm(&[]);
    spec.rules.roster.approve = true;
    let mut table = Transaction::started(spec);
    let call = table.facilitator_call();
    table.answers_well(&call, 0);
    assert!(rests_for(&table, PauseReason::NeedApproval));
    table
}

#[test]
fn a_team_is_approved() {
    let mut table = team();
    assert_eq!(table.names(), Vec::<String>::new(), "nobody comes unasked");
    replies(&mut table, &[("team", "accept")]);
    assert_eq!(table.names(), ["Guest 00", "Guest 01", "Guest 02", "Guest 03"]);
    assert_eq!(table.speaker(), "Guest 00");
}

#[test]
fn a_team_is_rejected() {
    let mut table = team();
    replies(&mut table, &[("team", "reject")]);
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Aborted(AbortReason::NobodyLeft)));
}

#[test]
fn a_team_is_proposed_again_with_a_note_and_somebody_is_left_out() {
    let mut table = team();
    replies(&mut table, &[("team", "again"), ("note", "more who count money")]);
    let call = table.facilitator_call();
    assert!(format!("{:?}", context(&table.meeting, &call)).contains("more who count money"));
    table.answers_well(&call, 0);
    assert!(rests_for(&table, PauseReason::NeedApproval));
    replies(&mut table, &[("team", "accept"), ("leave_out", "Guest 01, Guest 03")]);
    assert_eq!(table.names(), ["Guest 00", "Guest 02"]);
}

#[test]
fn an_approved_team_comes_as_far_as_there_is_room_and_nobody_comes_twice() {
    let mut table = team();
    table.joins("Guest 01");
    for number in 1..PARTICIPANTS_MAX - 1 {
        table.joins(&format!("Member {number}"));
    }
    replies(&mut table, &[("team", "accept")]);
    let names = table.names();
    assert_eq!((names.len(), names.last().map(String::as_str)), (PARTICIPANTS_MAX, Some("Guest 00")));
    assert_eq!(names.iter().filter(|name| *name == "Guest 01").count(), 1);
}

#[test]
fn at_a_pause_somebody_comes_somebody_goes_and_a_word_is_said() {
    let mut table = Transaction::started(brainstorm(&["Ada", "Ben", "Cid"]));
    table.pauses();
    table.hears("Ada", "I was nearly done.");
    assert!(rests_for(&table, PauseReason::UserRequest), "after whoever had the floor");
    table.execute(Command::Invite { by: Actor::owner(), description: "somebody who counts".into() });
    let call = table.facilitator_call();
    table.answers_well(&call, 0);
    table.leaves("Ben");
    table.says("Think of the money.");
    assert!(table.meeting.is_paused() && table.calls().is_empty());
    assert_eq!(table.names(), ["Ada", "Cid", "Zoe"]);
    table.resumes();
    assert_eq!(table.speaker(), "Cid");
    table.goes_to_round(2);
    table.goes_until(|_, _| 60, |table| table.speakers() == ["Zoe"]);
    assert_eq!(table.speakers(), ["Zoe"], "a newcomer speaks from the next round on");
}

#[test]
fn whoever_is_marked_weakest_leaves_before_the_next_round() {
    let mut table = Transaction::started(brainstorm(&["Ada", "Ben", "Cid"]));
    goes_to_marks(&mut table);
    marks(&mut table, &[("Ada", 7), ("Ben", 2), ("Cid", 4)]);
    assert_eq!(table.names(), ["Ada", "Cid"], "one at a time");
    assert!(table.transcript().contains("— Ben leaves"));
    goes_to_marks(&mut table);
    marks(&mut table, &[("Ada", 1), ("Cid", 1)]);
    assert_eq!(table.names(), ["Ada", "Cid"], "a table of two stays");
    let read = format!("{:?}", table.prompt_of("Ada"));
    assert!(!read.contains("by what was used"), "no participant reads its marks");
}

#[test]
fn whoever_is_to_leave_stays_when_others_have_left_before_it_is_approved() {
    for (leaves, stay) in [(vec!["Cid", "Dan"], vec!["Ada", "Ben"]), (vec!["Ben"], vec!["Ada", "Cid", "Dan"])]
    {
        let mut spec = brainstorm(&["Ada", "Ben", "Cid", "Dan"]);
        spec.rules.roster.approve = true;
        let mut table = Transaction::started(spec);
        goes_to_marks(&mut table);
        marks(&mut table, &[("Ada", 7), ("Ben", 2), ("Cid", 7), ("Dan", 7)]);
        assert!(rests_for(&table, PauseReason::NeedApproval));
        leaves.iter().for_each(|name| table.leaves(name));
        replies(&mut table, &[("team", "accept")]);
        assert_eq!(table.names(), stay);
        let left = table.log.iter().filter(|event| event.body.kind() == "participant_left").count();
        assert_eq!(left, leaves.len(), "nobody leaves twice");
    }
}

#[test]
fn marks_that_nobody_wants_any_more_are_not_waited_for() {
    let mut table = Transaction::started(brainstorm(&["Ada", "Ben", "Cid"]));
    goes_to_marks(&mut table);
    let mut rules = Box::new(table.meeting.rules().clone());
    rules.roster.evaluate = false;
    let events = table.execute(Command::ChangeRules { by: Actor::owner(), rules });
    let ended = events.iter().find_map(|event| match &event.body {
        EventBody::CallEnded { task: TaskId::Evaluate(_), end, .. } => Some(end.clone()),
        _ => None,
    });
    assert_eq!(ended, Some(CallEnd::Cancelled));
    assert_eq!((table.meeting.round_number(), table.speakers().len()), (2, 1), "the next round has begun");
}

#[test]
fn the_last_to_hold_a_position_stays() {
    let mut table = Transaction::started(brainstorm(&["Ada", "Ben", "Cid"]));
    let sums_up =
        |table: &Transaction| table.calls().iter().any(|call| matches!(call.id, TaskId::Summarize(_)));
    table.goes_until(|_, _| 60, sums_up);
    let positions =
        json!([{ "text": "a file", "holders": ["Ada", "Ben"] }, { "text": "a server", "holders": ["Cid"] }]);
    table.facilitator_answers(&json!({ "summary": "two ways", "positions": positions }).to_string());
    marks(&mut table, &[("Ada", 4), ("Ben", 7), ("Cid", 1)]);
    assert_eq!(table.names(), ["Ben", "Cid"]);
}

#[test]
fn a_newcomer_joins_with_a_reason() {
    let mut spec = brainstorm(&["Ada", "Ben"]);
    spec.rules.roster.newcomers = true;
    let mut table = Transaction::started(spec);
    goes_to_marks(&mut table);
    marks(&mut table, &[("Ada", 7), ("Ben", 8)]);
    let call = table.facilitator_call();
    assert!(matches!(call.id, TaskId::Team(_)));
    table.answers_well(&call, 0);
    let joined = table.log.iter().rev().find_map(|event| match &event.body {
        EventBody::ParticipantJoined { reason, .. } => Some(reason.clone()),
        _ => None,
    });
    assert_eq!(joined.map(|reason| reason.to_string()).as_deref(), Some("nobody looks from outside"));
    assert_eq!(table.meeting.round_number(), 2);
}
