//! Actions of people: requesting a speaker, steering, pausing, joining and leaving.

use quorate_contract::*;
use quorate_core::*;

use crate::support::*;

#[test]
fn a_mention_brings_a_speaker_forward_and_gives_one_more_turn() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben", "Cid"], 2));
    table.hears("Ada", "@Cid is SQLite enough?");
    table.hears("Cid", "Yes, until two writers meet. @Ada how many are there?");
    table.hears("Ada", "One. @Cid and with two?");
    table.hears("Cid", "Then no. @Ada I ask once more.");
    // Each has had its one turn more; from here on the order of the table counts.
    table.hears("Ben", "I was next all the while.");
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_person_answers_a_message_and_every_reader_sees_which() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    table.hears("Ada", "SQLite is enough.");
    let to = table.meeting.said[0].id;
    let reply = |to| Command::Reply { by: Actor::owner(), to, content: "@Ben is it?".into() };
    table.execute(reply(to));
    assert_eq!(table.replayed().said[1].reply_to, Some(to));
    let read =
        |name: &str| table.prompt_of(name).messages.iter().map(|m| m.content.clone()).collect::<String>();
    assert!(read("Ben").contains(r#"kind="person" round="1" reply_to="m1">"#), "{}", read("Ben"));
    let refusal = table.is_refused(reply(MessageId(9)));
    assert!(matches!(&refusal, Refusal::Invalid { field, .. } if field == "reply_to"), "{refusal}");
    assert_eq!(refusal.hint().english(), "name a message up to m2");
}

#[test]
fn a_steering_message_interrupts_the_ballot() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(3)));
    table.goes_to_ballot();
    table.hears("Ada", r#"{"score": 90, "pass": true, "reason": "fine"}"#);
    table.says("@Cid think of backups, too");
    table.goes_to_round(2);
    table.goes_on(|_, _| 85);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_steering_message_waits_for_the_next_round_where_the_rules_say_so() {
    let mut rules = consensus(3);
    rules.decision.on_steering = SteeringRule::Queue;
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    table.goes_to_ballot();
    table.hears("Ada", r#"{"score": 70, "pass": false, "reason": "not yet"}"#);
    table.says("think of backups, too");
    table.goes_on(|table, _| if table.meeting.round_number() < 2 { 70 } else { 85 });
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_steering_message_in_the_last_round_opens_a_new_ballot() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
    table.goes_to_ballot();
    table.hears("Ada", r#"{"score": 90, "pass": true, "reason": "fine"}"#);
    table.says("it must run on a phone");
    table.goes_on(|_, _| 30);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_pause_waits_for_whoever_has_the_floor() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    table.pauses();
    table.hears("Ada", "I was nearly done.");
    assert!(table.calls().is_empty());
    table.says("I have read it.");
    table.resumes();
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_pause_at_once_cancels_and_asks_again_later() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
    table.hears("Ada", r#"{"position": "SQLite", "claims": ["one file"]}"#);
    let late = table.call_of("Ben");
    table.pauses_at_once();
    let answered = interpret(&table.meeting, &late, Outcome::Answered(answer("too late")));
    assert_eq!(table.is_refused(answered), Refusal::TurnIsOver { task: late.id });
    table.resumes();
    assert_eq!(table.call_of("Ben").attempt, 2);
    table.goes_on(|_, _| 85);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn somebody_leaves_with_the_floor_and_somebody_with_a_vote_to_cast() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid", "Dan"], consensus(1)));
    table.goes_to_round(1);
    table.leaves("Ada");
    table.goes_to_ballot();
    table.hears("Ben", r#"{"score": 85, "pass": true, "reason": "fine"}"#);
    table.leaves("Dan");
    table.goes_on(|_, _| 85);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_newcomer_speaks_from_the_next_round_on() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(2)));
    table.goes_to_round(1);
    table.joins("Cid");
    table.goes_on(|table, _| if table.meeting.round_number() < 2 { 60 } else { 85 });
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn everybody_leaves() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(2)));
    table.goes_to_round(1);
    table.leaves("Ada");
    table.leaves("Ben");
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_person_ends_it_in_the_middle_of_a_ballot() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(2)));
    table.goes_to_ballot();
    table.hears("Ada", r#"{"score": 85, "pass": true, "reason": "fine"}"#);
    table.ends("I have heard enough");
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(table.transcript());
}
