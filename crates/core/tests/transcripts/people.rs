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
fn who_waits_already_is_brought_forward_however_often_it_has_spoken() {
    let mut spec = discussion(&["Ada", "Ben", "Cid"], 2);
    spec.rules.turns.extra_turns = 0;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "SQLite is enough.");
    table.says("@Ada for how many writers?");
    table.says("@Cid and what do you say?");
    table.hears("Ben", "@Ada knows that best.");
    assert_eq!(table.speaker(), "Ada");
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
fn who_is_mentioned_between_two_rounds_begins_in_the_order_of_the_mentions() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(2)));
    table.goes_until(|_, _| 60, |table| table.meeting.phase == Phase::Summary);
    table.says("@Cid and @Ben, what of backups?");
    table.goes_to_round(1);
    let order = table.meeting.round().map(|round| round.order.clone()).unwrap_or_default();
    let names: Vec<_> = order.iter().map(|id| table.meeting.name_of(*id)).collect();
    assert_eq!(names, ["Cid", "Ben", "Ada"]);
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
fn a_word_of_an_agent_outside_of_its_turn_interrupts_no_ballot() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(3)));
    table.goes_to_ballot();
    let (by, content) = (Actor::participant(ParticipantId(1)), "The tests have run.".to_owned());
    table.execute(Command::Say { by, content });
    assert_eq!((&table.meeting.phase, table.calls().len()), (&Phase::Ballot, 2));
}

#[test]
fn a_message_resumes_only_what_waited_for_it() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    let resumes = |events: &[Event]| events.iter().any(|event| event.body.kind() == "resume");
    let (by, content) = (Actor::owner(), "@Ben is it?".to_owned());
    assert!(!resumes(&table.execute(Command::Say { by, content })), "it runs");
    table.pauses_at_once();
    let (by, content) = (Actor::owner(), "@Ben is it?".to_owned());
    assert!(!resumes(&table.execute(Command::Say { by, content })), "somebody wanted to pause");
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
fn who_owes_no_vote_leaves_without_one() {
    let abstains =
        |table: &Transaction| table.log.iter().filter(|event| event.body.kind() == "vote_abstained").count();
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(3)));
    table.goes_to_ballot();
    table.joins("Dan");
    table.leaves("Dan");
    assert_eq!(abstains(&table), 0, "Dan came after it was opened");
    table.hears("Ben", r#"{"score": 85, "pass": true, "reason": "fine"}"#);
    table.leaves("Ben");
    assert_eq!(abstains(&table), 0, "Ben has voted");
    table.says("Think of backups, too.");
    table.goes_to_round(2);
    table.leaves("Cid");
    assert_eq!(abstains(&table), 0, "the ballot was interrupted");
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

#[test]
fn who_leaves_or_goes_offline_leaves_the_queue_and_an_event_says_so() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben", "Cid"], 1));
    let id = |table: &Transaction, name: &str| table.meeting.find(name).expect("a seat").participant.id;
    let (ada, ben, cid) = (id(&table, "Ada"), id(&table, "Ben"), id(&table, "Cid"));
    let changed = |table: &Transaction, from: usize| -> Vec<(Vec<ParticipantId>, QueueReason)> {
        let bodies = table.log[from..].iter().map(|event| &event.body);
        let changed = bodies.filter_map(|body| match body {
            EventBody::QueueChanged { queue, reason } => {
                Some((queue.iter().map(|one| one.participant).collect(), *reason))
            }
            _ => None,
        });
        changed.collect()
    };
    let waits = |table: &Transaction| -> Vec<ParticipantId> {
        table.meeting.round().expect("a round").queue.iter().map(|(id, _)| *id).collect()
    };
    assert_eq!(waits(&table), [ben, cid]);
    let from = table.log.len();
    table.leaves("Cid");
    assert_eq!(changed(&table, from), [(vec![ben], QueueReason::Left)]);
    let from = table.log.len();
    let by = Actor::owner();
    table.execute(Command::SetPresence { by, participant: "Ben".into(), presence: Presence::Offline });
    assert_eq!(changed(&table, from), [(Vec::new(), QueueReason::WentOffline)]);
    // Who has the floor waits for nothing.
    let from = table.log.len();
    table.leaves("Ada");
    assert_eq!((changed(&table, from), waits(&table)), (Vec::new(), Vec::new()));
    assert_eq!(table.meeting.turn(TurnId { round: 1, place: 1 }).map(|turn| turn.participant), Some(ada));
    assert_eq!(table.replayed(), table.meeting);
}

/// A log as it was written before version 5: whoever left or went offline left the queue with that event.
fn before_version_5(log: &[Event]) -> Vec<Event> {
    let mut older = log.to_vec();
    older.retain_mut(|event| match &mut event.body {
        EventBody::QueueChanged { reason: QueueReason::Left | QueueReason::WentOffline, .. } => false,
        EventBody::ParticipantLeft { leaves_queue, .. }
        | EventBody::PresenceChanged { leaves_queue, presence: Presence::Offline, .. } => {
            *leaves_queue = true;
            true
        }
        EventBody::PauseRequested { completed, .. } => {
            *completed = None;
            true
        }
        _ => true,
    });
    older
}

#[test]
fn a_log_from_before_version_5_comes_to_the_same_queue_and_the_same_pause() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben", "Cid", "Dan"], 2));
    let by = Actor::owner();
    table.hears("Ada", "One file is enough.");
    table.execute(Command::Advance {
        by: by.clone(),
        until: Some(Stride::Turn),
        token: None,
        answers: Default::default(),
        take_defaults: false,
    });
    table.leaves("Dan");
    table.execute(Command::SetPresence { by, participant: "Cid".into(), presence: Presence::Offline });
    let folded = |log: &[Event]| {
        let mut meeting = Meeting::blank(table.meeting.id.clone(), table.meeting.run.clone());
        log.iter().for_each(|event| apply(&mut meeting, event));
        (meeting.round().map(|round| round.queue.clone()), meeting.planned_pause)
    };
    let older = before_version_5(&table.log);
    assert_eq!(older.len() + 2, table.log.len(), "two events state who left the queue");
    assert_eq!(folded(&older), folded(&table.log));
    assert_eq!(table.meeting.planned_pause.as_ref().map(|planned| planned.completed), Some(1));
}

#[test]
fn what_is_as_somebody_wants_it_already_is_not_told_again() {
    let by = Actor::owner;
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    table.execute(Command::AddAgendaItem { by: by(), title: "costs".into(), description: String::new() });
    table.execute(Command::AddAgendaItem { by: by(), title: "risks".into(), description: String::new() });
    let completes =
        |item: &str, completed| Command::CompleteAgendaItem { by: by(), item: item.into(), completed };
    table.execute(completes("risks", true));
    let done: Vec<bool> = table.meeting.agenda.iter().map(|item| item.completed).collect();
    assert_eq!(done, [false, true]);
    let (topic, rules) = (table.meeting.settings.topic.clone(), Box::new(table.meeting.rules().clone()));
    let other =
        Box::new(Rules { limits: LimitRules { max_rounds: 5, ..rules.limits.clone() }, ..*rules.clone() });
    let called = |title: &str| Command::ChangeMeeting {
        by: by(),
        topic: None,
        details: Some(MeetingDetails { title: title.into(), ..MeetingDetails::default() }),
        rules: None,
        announcement: None,
        locked: None,
    };
    for command in [
        called(""),
        Command::ChangeTopic { by: by(), topic },
        Command::ChangeRules { by: by(), rules },
        Command::SetAccess { by: by(), locked: false },
        completes("costs", false),
        completes("risks", true),
    ] {
        assert_eq!(table.execute(command), []);
    }
    for command in [
        called("Storage"),
        Command::ChangeTopic { by: by(), topic: "Is a file enough?".into() },
        Command::ChangeRules { by: by(), rules: other },
        Command::SetAccess { by: by(), locked: true },
        completes("risks", false),
    ] {
        assert_eq!(table.execute(command).len(), 1);
    }
    assert_eq!(table.meeting.title(), "Storage", "its own title goes before its topic");
    let locks = || Command::SetAccess { by: by(), locked: false };
    assert_eq!(Transaction::blank().is_refused(locks()), Refusal::NotCreated);
    table.execute(completes("a1", true));
    assert!(table.meeting.agenda[0].completed, "an item has a number, too");
    table.ends("");
    table.goes_on(|_, _| 60);
    assert_eq!(table.is_refused(locks()), Refusal::MeetingIsOver);
}
