//! A room: its agents are polled, or a host says who speaks.

use std::collections::BTreeMap;

use quorate_contract::*;
use quorate_core::*;

use crate::support::*;

fn room(names: &[&str]) -> MeetingSpec {
    MeetingSpec { format: Format::Room, ..spec(names, Format::Room.rules()) }
}

fn hosted(names: &[&str], moderator: Option<&str>) -> MeetingSpec {
    let mut spec = room(names);
    spec.rules.turns.floor = FloorMode::Host;
    spec.moderator = moderator.map(str::to_owned);
    spec
}

fn times_out(table: &mut Transaction, name: &str) {
    let call = table.call_of(name);
    table.fails(&call, FailureKind::TimedOut);
}

fn rests_for(table: &Transaction, reason: PauseReason) -> bool {
    matches!(&table.meeting.run_state, RunState::Paused { reason: why, .. } if *why == reason)
}

fn be(table: &mut Transaction, name: &str, presence: Presence) {
    table.execute(Command::SetPresence { by: Actor::owner(), participant: name.into(), presence });
}

#[test]
fn each_is_asked_in_turn_and_may_pass() {
    let mut table = Transaction::started(room(&["Ada", "Ben", "Cid"]));
    table.hears("Ada", "[SKIP]");
    table.hears("Ben", "One file is enough.");
    table.hears("Cid", "[SKIP]");
    assert_eq!((table.meeting.round_number(), table.speaker()), (2, "Ada".into()));
    assert_eq!(
        table.transcript(),
        "— round 1, Serial\nAda skips\nBen: One file is enough.\nCid skips\n— round 2, Serial"
    );
}

#[test]
fn whoever_is_mentioned_is_next_has_to_answer_and_ends_the_round() {
    let mut table = Transaction::started(room(&["Ada", "Ben", "Cid"]));
    table.hears("Ada", "@Cid have you run it?");
    let Call { id: TaskId::Speak(turn), attempt, participant, .. } = table.call_of("Cid") else {
        panic!("Cid has the floor")
    };
    let what = Delivered::Skipped(turn);
    let pass = Command::Deliver(Box::new(Delivery {
        attempt,
        usage: None,
        latency_ms: 1,
        what,
        web: WebFindings::default(),
        mended: Vec::new(),
        window: None,
        retry_after_ms: None,
        request_id: None,
    }));
    let (participant, by) = (participant.expect("Cid is asked"), Some(MessageId(1)));
    assert_eq!(table.is_refused(pass), Refusal::CannotSkip { participant, by });
    table.hears("Cid", "For years.");
    assert_eq!(table.meeting.round_number(), 2, "Ben is not asked in this round any more");
    assert_eq!(table.speaker(), "Ben", "and is the first in the next");
}

#[test]
fn several_who_are_mentioned_all_answer_before_the_next_round() {
    let mut table = Transaction::started(room(&["Ada", "Ben", "Cid", "Dan"]));
    table.hears("Ada", "@Dan and @Cid, have you run it?");
    table.hears("Dan", "I have.");
    assert_eq!((table.meeting.round_number(), table.speaker()), (1, "Cid".into()));
    table.hears("Cid", "I have not.");
    assert_eq!((table.meeting.round_number(), table.speaker()), (2, "Ben".into()));
}

#[test]
fn the_passed_over_are_first_in_every_order_of_speaking() {
    for order in [SpeakingOrder::Random, SpeakingOrder::Rotating] {
        let mut spec = room(&["Ada", "Ben", "Cid", "Dan"]);
        spec.rules.turns.order = order;
        let mut table = Transaction::started(spec);
        let order = table.meeting.rounds[0].order.clone();
        let name = |place: usize| table.meeting.name_of(order[place]);
        let (first, second, third, last) = (name(0), name(1), name(2), name(3));
        table.hears(&first, &format!("@{last} have you run it?"));
        table.hears(&last, "For years.");
        let next: Vec<_> = table.meeting.rounds[1].order[..2].to_vec();
        let mut next: Vec<_> = next.iter().map(|id| table.meeting.name_of(*id)).collect();
        next.sort();
        let mut passed_over = vec![second, third];
        passed_over.sort();
        assert_eq!(next, passed_over);
    }
}

#[test]
fn no_answer_in_time_counts_as_a_pass_and_passes_nobody_over() {
    let mut table = Transaction::started(room(&["Ada", "Ben", "Cid"]));
    table.hears("Ada", "@Cid have you run it?");
    times_out(&mut table, "Cid");
    assert_eq!((table.meeting.round_number(), table.speaker()), (1, "Ben".into()));
    times_out(&mut table, "Ben");
    assert!(table.transcript().contains("Cid skips\nBen skips"));
    assert!(!table.meeting.is_paused(), "nobody has failed");
}

#[test]
fn a_room_counts_who_cannot_be_reached_as_failed_and_not_as_passing() {
    let mut table = Transaction::started(room(&["Ada", "Ben"]));
    let call = table.call_of("Ada");
    table.fails(&call, FailureKind::Quota);
    assert_eq!(table.transcript(), "— round 1, Serial\nAda fails: Quota");
}

#[test]
fn a_room_that_says_nothing_new_rests_and_a_word_of_a_person_lets_it_talk() {
    let mut table = Transaction::started(room(&["Ada", "Ben"]));
    for _ in 0..3 {
        table.hears("Ada", "SQLite is enough for a single writer on one machine.");
        table.hears("Ben", "A server is better once several writers have to meet.");
    }
    assert!(rests_for(&table, PauseReason::NothingNew), "two rounds in a row brought nothing");
    let answers = BTreeMap::from([("next".to_owned(), serde_json::json!("continue"))]);
    table.execute(Command::Resume { by: Actor::owner(), token: None, answers, take_defaults: false });
    assert_eq!((table.meeting.round_number(), table.speaker()), (4, "Ada".into()));
    table.hears("Ada", "SQLite is enough for a single writer on one machine.");
    table.says("and what of backups?");
    table.hears("Ben", "A server is better once several writers have to meet.");
    assert_eq!(table.meeting.round_number(), 5, "a person has spoken");
    table.goes_until(|_, _| 60, |table| table.meeting.is_paused());
    let round = table.meeting.round_number();
    table.resumes();
    assert_eq!(table.meeting.round_number(), round + 1, "by default the room goes on");
    table.goes_until(|_, _| 60, |table| table.meeting.is_paused());
    let answers = PauseReason::NothingNew.unattended_answers();
    table.execute(Command::Resume { by: Actor::owner(), token: None, answers, take_defaults: true });
    table.goes_on(|_, _| 60);
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Completed), "nobody is there to end it");
}

#[test]
fn a_round_that_all_skip_waits_for_words_and_calls_nobody() {
    let mut table = Transaction::started(room(&["Ada", "Ben"]));
    let all_skip = |table: &mut Transaction| {
        table.hears("Ada", "[SKIP]");
        table.hears("Ben", "[SKIP]");
    };
    all_skip(&mut table);
    assert!(rests_for(&table, PauseReason::NothingNew) && table.meeting.awaits_words());
    assert!(table.calls().is_empty(), "nobody is called while it waits");
    table.says("What of backups?");
    assert_eq!((table.meeting.round_number(), table.speaker()), (2, "Ada".into()));
    table.hears("Ada", "[SKIP]");
    table.says("And of restores?");
    table.hears("Ben", "[SKIP]");
    assert_eq!(table.meeting.round_number(), 3, "a person has spoken in the round");
    all_skip(&mut table);
    table.resumes();
    assert_eq!((table.meeting.round_number(), table.speaker()), (4, "Ada".into()), "asked once more");
    table.hears("Ada", "Backups run at night.");
    table.hears("Ben", "[SKIP]");
    assert_eq!(table.meeting.round_number(), 5);
}

#[test]
fn an_agent_that_speaks_outside_of_its_turn_lets_a_waiting_room_go_on() {
    let mut table = Transaction::started(room(&["Ada", "Ben"]));
    table.hears("Ada", "[SKIP]");
    table.hears("Ben", "[SKIP]");
    assert!(rests_for(&table, PauseReason::NothingNew) && table.meeting.awaits_words());
    let ben = Actor::participant(ParticipantId(2));
    table.execute(Command::Say { by: ben.clone(), content: "The tests have run: two fail. @Ada".into() });
    assert_eq!((table.meeting.round_number(), table.speaker()), (2, "Ada".into()));
    let said = table.meeting.said.last().expect("a message");
    assert_eq!((said.name.as_str(), &said.speaker), ("Ben", &ben));
    table.hears("Ada", "I look into it.");
    table.hears("Ben", "[SKIP]");
    assert_eq!(table.meeting.round_number(), 3);
    table.leaves("Ben");
    let gone = table.is_refused(Command::Say { by: ben, content: "Still here.".into() });
    assert!(matches!(gone, Refusal::NoSuchParticipant { .. }), "{gone:?}");
}

#[test]
fn agents_that_wake_each_other_do_not_count_as_people() {
    let mut spec = room(&["Ada", "Ben"]);
    (spec.rules.limits.rounds_stale, spec.rules.limits.rounds_alone) = (1, 3);
    let mut table = Transaction::started(spec);
    let news =
        ["The tests have run: two fail.", "Disk usage went beyond ninety percent.", "一个新版本发布了。"];
    for content in news.map(str::to_owned) {
        table.hears("Ada", "[SKIP]");
        table.hears("Ben", "[SKIP]");
        table.execute(Command::Say { by: Actor::participant(ParticipantId(1)), content });
    }
    assert!(rests_for(&table, PauseReason::NothingNew) && !table.meeting.awaits_words());
    table.resumes();
    assert_eq!(table.meeting.round_number(), 4);
}

#[test]
fn an_agent_may_speak_where_people_may_not() {
    let mut spec = room(&["Ada", "Ben"]);
    spec.rules.turns.people_may_speak = false;
    let mut table = Transaction::started(spec);
    table.execute(Command::Say {
        by: Actor::participant(ParticipantId(1)),
        content: "One more thing.".into(),
    });
    let say = Command::Say { by: Actor::owner(), content: "And one of mine.".into() };
    assert_eq!(table.is_refused(say), Refusal::PeopleMayNotSpeak, "an agent is no person");
}

#[test]
fn a_room_without_a_limit_asks_after_a_thousand_rounds_and_goes_on() {
    let mut spec = room(&["Ada"]);
    (spec.rules.limits.rounds_stale, spec.rules.limits.rounds_alone) = (0, 0);
    let mut table = Transaction::started(spec);
    while !table.meeting.is_paused() {
        table.hears("Ada", "[SKIP]");
    }
    assert_eq!(table.meeting.round_number(), ROUNDS_MAX);
    let RunState::Paused { reason, questions, .. } = &table.meeting.run_state else { panic!("it rests") };
    assert_eq!((*reason, questions[0].default.clone()), (PauseReason::NothingNew, Some("continue".into())));
    assert!(questions[0].why.in_language(Language::En).contains("1000 rounds"), "{questions:?}");
    table.resumes();
    table.hears("Ada", "[SKIP]");
    assert_eq!(table.meeting.round_number(), ROUNDS_MAX + 2, "and does not ask again at once");
}

#[test]
fn a_word_that_is_no_answer_to_silence_leaves_the_pause_alone() {
    let mut spec = room(&["Ada", "Ben"]);
    spec.rules.limits.rounds_alone = 1;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "One file is enough.");
    table.hears("Ben", "[SKIP]");
    assert!(rests_for(&table, PauseReason::NothingNew) && !table.meeting.awaits_words());
    table.says("I am listening.");
    assert!(table.meeting.is_paused(), "a person says when agents go on by themselves");
}

#[test]
fn a_limit_of_rounds_ends_a_room_in_which_all_skip() {
    let mut spec = room(&["Ada", "Ben"]);
    spec.rules.limits.max_rounds = 1;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "[SKIP]");
    table.hears("Ben", "[SKIP]");
    table.goes_on(|_, _| 60);
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Completed));
}

#[test]
fn agents_talk_among_themselves_for_so_many_rounds() {
    let mut spec = room(&["Ada", "Ben"]);
    spec.rules.limits.rounds_stale = 0;
    spec.rules.limits.rounds_alone = 2;
    let mut table = Transaction::started(spec);
    let round = |table: &mut Transaction| {
        table.hears("Ada", "[SKIP]");
        table.hears("Ben", "[SKIP]");
    };
    round(&mut table);
    table.says("I am listening.");
    round(&mut table);
    round(&mut table);
    assert!(!table.meeting.is_paused(), "one round began after a person's last word");
    round(&mut table);
    assert!(rests_for(&table, PauseReason::NothingNew));
}

#[test]
fn a_person_hosts_and_only_those_who_are_mentioned_speak() {
    let mut table = Transaction::started(hosted(&["Ada", "Ben", "Cid"], None));
    assert!(rests_for(&table, PauseReason::AwaitingHost));
    let waits = table.meeting.run_state.clone();
    table.says("Welcome to all of you.");
    assert_eq!(table.meeting.run_state, waits, "nobody was asked anything");
    let answers = BTreeMap::from([("message".to_owned(), serde_json::json!("Who begins?"))]);
    let resume = Command::Resume { by: Actor::owner(), token: None, answers, take_defaults: false };
    assert!(matches!(table.is_refused(resume), Refusal::BadAnswer { .. }));
    table.says("@Ben what would it cost?");
    assert_eq!(table.speaker(), "Ben");
    table.hears("Ben", "Little. @Cid knows more.");
    assert!(rests_for(&table, PauseReason::AwaitingHost), "Ben does not give the floor");
    table.says("@Ben and @Ada, go on.");
    assert_eq!((table.meeting.round_number(), table.speaker()), (2, "Ben".into()));
    table.says("Stop: @Cid first.");
    table.hears("Ben", "I was asked before that.");
    assert_eq!((table.meeting.round_number(), table.speaker()), (3, "Cid".into()));
    table.hears("Cid", "Here I am.");
    table.resumes();
    assert_eq!(table.speaker(), "Ada", "unattended, everybody is asked");
}

#[test]
fn where_a_person_hosts_all_give_their_first_answers_unasked() {
    let mut spec = hosted(&["Ada", "Ben"], None);
    spec.rules.turns.blind_round = true;
    let mut table = Transaction::started(spec);
    assert_eq!((table.meeting.round_number(), table.speakers().len()), (0, 2));
    table.goes_on(|_, _| 60);
    assert!(rests_for(&table, PauseReason::AwaitingHost), "from then on the host says who speaks");
}

#[test]
fn a_host_is_not_waited_for_while_nobody_can_be_asked() {
    let mut table = Transaction::draft(hosted(&["Ada"], None));
    be(&mut table, "Ada", Presence::Offline);
    table.starts();
    assert!(rests_for(&table, PauseReason::NobodyAnswered));
    be(&mut table, "Ada", Presence::Online);
    table.resumes();
    assert!(rests_for(&table, PauseReason::AwaitingHost));
}

#[test]
fn only_the_host_calls_speakers_and_only_those_who_can_be_asked() {
    let mut table = Transaction::started(hosted(&["Ada", "Ben", "Cid"], None));
    table.says("@Ben what would it cost?");
    table.execute(Command::Say { by: Actor::person("guest", "Guest"), content: "@Cid and you?".into() });
    table.hears("Ben", "Little.");
    assert!(rests_for(&table, PauseReason::AwaitingHost), "a guest does not give the floor");
    be(&mut table, "Cid", Presence::Offline);
    table.says("@Cid and you?");
    assert!(rests_for(&table, PauseReason::AwaitingHost), "Cid cannot be asked");
    assert_eq!(table.meeting.round_number(), 1, "and no round is held for it");
    table.says("@Cid or @Ada?");
    assert_eq!((table.meeting.round_number(), table.speaker()), (2, "Ada".into()));
    assert_eq!(table.meeting.round().map(|round| round.order.len()), Some(1));
}

#[test]
fn an_agent_hosts_until_it_leaves() {
    let mut spec = hosted(&["Ada", "Ben", "Cid"], Some("Ada"));
    spec.rules.turns.people_may_speak = false;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "@Cid what would it cost?");
    table.hears("Cid", "Little. @Ben knows more.");
    assert_eq!((table.meeting.round_number(), table.speaker()), (2, "Ada".into()), "Cid gives no floor");
    let say = Command::Say { by: Actor::owner(), content: "@Ben speak".into() };
    assert_eq!(table.is_refused(say), Refusal::PeopleMayNotSpeak);
    table.leaves("Ada");
    assert!(rests_for(&table, PauseReason::AwaitingHost), "a person has to host");
    table.resumes();
    assert_eq!(table.speaker(), "Ben", "and may speak to do so");
}

#[test]
fn whoever_is_offline_is_not_asked_and_can_come_back() {
    let mut table = Transaction::started(room(&["Ada", "Ben"]));
    be(&mut table, "Ada", Presence::Offline);
    assert_eq!(table.speaker(), "Ben");
    let call_up = Command::RequestSpeaker { by: Actor::owner(), participant: "Ada".into() };
    let offline = Refusal::CannotCallUp { because: CannotCallUp::Offline };
    assert_eq!(table.is_refused(call_up), offline);
    table.hears("Ben", "I am alone.");
    assert_eq!((table.meeting.round_number(), table.speaker()), (2, "Ben".into()));
    be(&mut table, "Ada", Presence::Online);
    table.hears("Ben", "Not any more.");
    assert_eq!((table.meeting.round_number(), table.speaker()), (3, "Ada".into()));
    be(&mut table, "Ben", Presence::Offline);
    be(&mut table, "Ada", Presence::Offline);
    assert!(rests_for(&table, PauseReason::NobodyAnswered), "{table:?}");
    be(&mut table, "Ben", Presence::Online);
    table.resumes();
    assert_eq!(table.speaker(), "Ben");
}

#[test]
fn a_mention_of_somebody_who_is_offline_changes_no_order() {
    let mut table = Transaction::started(room(&["Ada", "Ben", "Cid"]));
    be(&mut table, "Cid", Presence::Offline);
    let call = table.call_of("Ada");
    let events = table.answers(&call, "@Cid have you run it?");
    assert!(events.iter().all(|event| event.body.kind() != "queue_changed"), "{events:?}");
    assert_eq!(table.speaker(), "Ben");
}

#[test]
fn the_agent_who_hosts_says_which_items_of_the_agenda_are_done() {
    let mut table = Transaction::started(hosted(&["Ada", "Ben"], Some("Ada")));
    for title in ["costs", "risks"] {
        let (by, title, description) = (Actor::owner(), title.into(), String::new());
        table.execute(Command::AddAgendaItem { by, title, description });
    }
    let done = |table: &Transaction| -> Vec<bool> {
        table.meeting.agenda.iter().map(|item| item.completed).collect()
    };
    table.hears("Ada", "@Ben what are the risks?\n```json\n{\"agenda_done\": [\"a1\", \"a9\"]}\n```");
    assert_eq!(done(&table), [true, false]);
    table.hears("Ben", "There are none.\n```json\n{\"agenda_done\": [\"a2\"]}\n```");
    assert_eq!(done(&table), [true, false], "only who hosts says so");
    let call = table.call_of("Ada");
    let events = table.answers(&call, "So we have the costs.\n```json\n{\"agenda_done\": [\"a1\"]}\n```");
    assert!(events.iter().all(|event| event.body.kind() != "agenda_changed"), "it is done already");
}

#[test]
fn the_last_announcement_holds() {
    let mut table = Transaction::started(room(&["Ada", "Ben"]));
    for text in ["We end at noon.", "We end at one."] {
        table.execute(Command::Announce { by: Actor::owner(), text: text.into() });
    }
    assert_eq!(table.speaker(), "Ada", "nobody is interrupted");
    assert_eq!(table.meeting.announcements.last().map(|last| last.text.as_str()), Some("We end at one."));
    let nothing = Command::Announce { by: Actor::owner(), text: " \u{7}".into() };
    assert!(matches!(table.is_refused(nothing), Refusal::Invalid { .. }));
}

fn with_skip_list(mut spec: MeetingSpec, name: &str, phrases: &[&str]) -> MeetingSpec {
    let newcomer = spec.participants.iter_mut().find(|one| one.name == name).expect("a participant");
    newcomer.skip_list = phrases.iter().map(|phrase| (*phrase).to_owned()).collect();
    spec
}

fn skipped_for(table: &Transaction) -> Vec<(String, Vec<String>)> {
    let skip = |event: &Event| match &event.body {
        EventBody::TurnSkipped { participant, reason: SkipReason::SkipList, phrases, .. } => {
            Some((table.meeting.name_of(*participant), phrases.clone()))
        }
        _ => None,
    };
    table.log.iter().filter_map(skip).collect()
}

#[test]
fn a_participant_is_not_asked_while_only_phrases_of_its_skip_list_are_said() {
    let spec = with_skip_list(room(&["Ada", "Ben"]), "Ben", &["收到", "OK", "/status"]);
    let mut table = Transaction::started(spec);
    table.hears("Ada", "Where do we begin?");
    assert_eq!(table.speaker(), "Ben", "a question is no phrase of the list");
    table.hears("Ben", "With the budget.");
    table.hears("Ada", "ok!");
    assert_eq!(table.speaker(), "Ada", "Ben is not asked");
    assert_eq!(skipped_for(&table), [("Ben".to_owned(), vec!["OK".to_owned()])]);
    let calls = table.meeting.calls.len();
    table.says("/status of the budget");
    table.hears("Ada", "收到。");
    assert_eq!((table.speaker(), table.meeting.calls.len()), ("Ada".into(), calls));
    assert_eq!(skipped_for(&table).last().expect("a skip").1, ["收到", "OK", "/status"]);
    table.hears("Ada", "ok. @Ben, agreed?");
    assert_eq!(table.speaker(), "Ben", "whoever is mentioned is asked");
    table.hears("Ben", "Agreed.");
    table.hears("Ada", "OK, and the date?");
    assert_eq!(table.speaker(), "Ben");
}

#[test]
fn whoever_joins_late_is_not_asked_about_what_was_said_before() {
    let mut table = Transaction::started(room(&["Ada", "Ben"]));
    table.hears("Ada", "Where do we begin?");
    let late = Newcomer { skip_list: vec!["ok".into()], ..newcomer("Cid") };
    table.execute(Command::Join { by: Actor::owner(), newcomer: Box::new(late) });
    table.hears("Ben", "ok");
    table.hears("Ada", "OK");
    table.hears("Ben", "ok");
    assert_eq!(table.speaker(), "Ada", "Cid is not asked");
    assert_eq!(skipped_for(&table).first().expect("a skip").0, "Cid");
}

#[test]
fn a_room_in_which_nobody_need_be_asked_waits_whatever_its_limits() {
    let mut spec = room(&["Ada", "Ben"]);
    (spec.rules.limits.rounds_stale, spec.rules.limits.rounds_alone) = (0, 0);
    let spec = with_skip_list(with_skip_list(spec, "Ada", &["ok"]), "Ben", &["ok", "fine"]);
    let mut table = Transaction::started(spec);
    table.hears("Ada", "fine");
    assert_eq!(table.speaker(), "Ada", "Ada heard nothing since");
    table.hears("Ada", "[SKIP]");
    assert_eq!(table.speaker(), "Ada", "and is asked again, as the limits are");
    table.says("ok");
    table.hears("Ada", "[SKIP]");
    assert!(rests_for(&table, PauseReason::NothingNew), "nobody need be asked about that: {table:?}");
    table.says("What about the date?");
    assert_eq!(table.speaker(), "Ada");
}

#[test]
fn a_skip_list_says_nothing_where_turns_cannot_be_skipped() {
    let mut spec = with_skip_list(room(&["Ada", "Ben"]), "Ben", &["ok"]);
    spec.rules.turns.may_skip = false;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "ok");
    assert_eq!(table.speaker(), "Ben");
    assert_eq!(skipped_for(&table), []);
}

#[test]
fn a_skip_list_changes_while_its_participant_is_at_the_table() {
    let mut table = Transaction::started(room(&["Ada", "Ben"]));
    let change = |skip_list: &[&str]| Command::ChangeParticipant {
        by: Actor::owner(),
        participant: "Ben".into(),
        presence: None,
        skip_list: Some(skip_list.iter().map(|phrase| (*phrase).to_owned()).collect()),
    };
    table.execute(change(&[" ok "]));
    let seq = table.meeting.seq;
    table.execute(change(&["ok"]));
    assert_eq!(table.meeting.seq, seq, "nothing has changed");
    table.hears("Ada", "OK!");
    assert_eq!((table.speaker(), skipped_for(&table).len()), ("Ada".into(), 1), "Ben is not asked");
    table.execute(change(&[]));
    table.hears("Ada", "ok");
    assert_eq!(table.speaker(), "Ben", "and is asked again");
    let both = Command::ChangeParticipant {
        by: Actor::owner(),
        participant: "p2".into(),
        presence: Some(Presence::Offline),
        skip_list: Some(vec![String::new()]),
    };
    let refused = table.is_refused(both);
    assert!(
        matches!(&refused, Refusal::Invalid { field, .. } if field == "skip_list[0]"),
        "nothing of it holds: {refused:?}"
    );
    assert_eq!(table.speaker(), "Ben");
}

#[test]
fn a_skip_list_is_bounded() {
    for list in [vec!["ok".to_owned(); 51], vec!["x".repeat(201)], vec![" \u{7}".to_owned()]] {
        let mut table = Transaction::started(room(&["Ada", "Ben"]));
        let newcomer = Box::new(Newcomer { skip_list: list, ..newcomer("Cid") });
        let refused = table.is_refused(Command::Join { by: Actor::owner(), newcomer });
        assert!(
            matches!(&refused, Refusal::Invalid { field, .. } if field.contains("skip_list")),
            "{refused:?}"
        );
    }
}
