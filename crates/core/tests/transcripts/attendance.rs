//! People at the table: they come and go, are told apart, are mentioned, and hand over as host.

use quorate_contract::*;
use quorate_core::*;

use crate::support::*;

fn lin() -> Actor {
    Actor::person("lin", "Lin")
}

fn says(table: &mut Transaction, by: Actor, content: &str) -> Vec<Event> {
    table.execute(Command::Say { by, content: content.into() })
}

fn arrives(table: &mut Transaction, by: &Actor) -> String {
    table.execute(Command::Arrive { by: by.clone() });
    let id = by.as_person().expect("a person").id;
    table.meeting.person(&id).expect("at the table").name.clone()
}

fn hands_over(by: Actor, to: &str, manages: bool) -> Command {
    Command::HandOver { by, to: to.into(), manages }
}

fn hosted(names: &[&str], moderator: Option<&str>) -> MeetingSpec {
    let mut spec = MeetingSpec { format: Format::Room, ..spec(names, Format::Room.rules()) };
    spec.rules.turns.floor = FloorMode::Host;
    spec.moderator = moderator.map(str::to_owned);
    spec
}

/// A meeting that Lin created and started, and hosts.
fn hosted_by_lin(names: &[&str]) -> Transaction {
    let mut table = Transaction::blank();
    table.execute(Command::Create { by: lin(), spec: Box::new(hosted(names, None)) });
    table.execute(Command::Start { by: lin() });
    table
}

fn read(table: &Transaction, name: &str) -> String {
    table.prompt_of(name).messages.iter().map(|message| message.content.as_str()).collect()
}

fn last_said(table: &Transaction) -> &MeetingMessage {
    table.meeting.said.last().expect("something was said")
}

fn is_at_table(table: &Transaction, id: &str) -> bool {
    table.replayed().person(id).is_some()
}

#[test]
fn whoever_speaks_is_at_the_table_by_the_name_that_others_see() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    let events = says(&mut table, lin(), "Think of backups.");
    let joined = EventBody::PersonJoined { person: Person { id: "lin".into(), name: "Lin".into() } };
    assert_eq!((&events[0].body, &events[0].actor), (&joined, &lin()));
    assert!(matches!(events[1].body, EventBody::UserMessage { .. }), "{:?}", events[1].body);
    let again = says(&mut table, lin(), "And of costs.");
    assert!(matches!(again[0].body, EventBody::UserMessage { .. }), "Lin is there: {:?}", again[0].body);
    table.says("I ask.");
    assert_eq!(last_said(&table).name, "User", "who needs no account has no name of their own");
    let named = Actor::person(Actor::OWNER, "Mei");
    assert_eq!(table.meeting.display_name(Actor::OWNER, "Mei"), "Mei", "unless they gave one: {named:?}");
    table.hears("Ada", "One file.");
    let read = read(&table, "Ben");
    assert!(read.contains(r#"from="Lin (person)" kind="person""#), "{read}");
    assert!(read.contains(r#"from="User (person)" kind="person""#), "{read}");
    assert_eq!(table.replayed(), table.meeting);
}

#[test]
fn two_people_of_one_name_are_told_apart() {
    let mut table =
        Transaction::started(MeetingSpec { language: Language::Zh, ..discussion(&["Ada", "Ben"], 2) });
    let people = ["a1", "guest:a2", "guest:a3"].map(|id| Actor::person(id, "林晚"));
    let names = people.clone().map(|person| arrives(&mut table, &person));
    assert_eq!(names, ["林晚", "林晚 2", "林晚 3"]);
    says(&mut table, people[1].clone(), "我是另一位。");
    table.hears("Ada", "@林晚 2 请问成本？@林晚 呢？");
    let mentioned: Vec<&str> = last_said(&table).mentioned_people.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(mentioned, ["guest:a2", "a1"]);
    let read = read(&table, "Ben");
    assert!(read.contains(r#"from="林晚 2（真人）" kind="person""#), "{read}");
    // Who spoke keeps the name, also when the first of it has gone; who comes then does not get it.
    table.execute(Command::Depart { by: people[0].clone(), person: "a1".into() });
    table.execute(Command::Depart { by: people[1].clone(), person: "guest:a2".into() });
    assert_eq!(arrives(&mut table, &people[1]), "林晚 2");
    assert_eq!(arrives(&mut table, &Actor::person("guest:a4", "林晚")), "林晚");
    assert_eq!(arrives(&mut table, &people[0]), "林晚 4");
}

#[test]
fn nobody_takes_the_name_of_somebody_who_has_spoken_and_gone() {
    let mut table = Transaction::started(discussion(&["Ada"], 2));
    let (first, second) = (Actor::person("a1", "Lin"), Actor::person("a2", "Lin"));
    says(&mut table, first.clone(), "Think of backups.");
    table.execute(Command::Depart { by: first.clone(), person: "a1".into() });
    assert_eq!(arrives(&mut table, &second), "Lin 2");
    assert_eq!(arrives(&mut table, &Actor::person("a1", "Mei")), "Mei", "who is called otherwise now");
    table.execute(Command::Depart { by: first.clone(), person: "a1".into() });
    assert_eq!(arrives(&mut table, &first), "Lin", "who spoke under it comes back under it");
}

#[test]
fn a_person_is_mentioned_and_has_no_turn_by_it() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben", "Cid"], 3));
    for (id, name) in [("mei", "梅"), ("o", "عمر"), ("fox", "🦊"), ("cid", "Cid")] {
        arrives(&mut table, &Actor::person(id, name));
    }
    table.hears("Ada", "@梅 @عمر，@🦊 and @Cid, what do you say? `@梅`");
    let said = last_said(&table).clone();
    let people: Vec<&str> = said.mentioned_people.iter().map(|person| person.id.as_str()).collect();
    assert_eq!(people, ["mei", "o", "fox"]);
    assert_eq!(said.mentions, [ParticipantId(3)], "the participant goes before the person of its name");
    let names: Vec<_> = table.meeting.names_mentioned(&said).collect();
    assert_eq!(names, ["Cid", "梅", "عمر", "🦊"]);
    assert_eq!(table.speaker(), "Cid");
    let mentions_self = says(&mut table, Actor::person("mei", "梅"), "@梅 (that is me) and @🦊");
    let EventBody::UserMessage { mentioned_people, .. } = &mentions_self[0].body else {
        panic!("{mentions_self:?}")
    };
    let people: Vec<&str> = mentioned_people.iter().map(|person| person.id.as_str()).collect();
    assert_eq!(people, ["fox"], "nobody mentions themselves");
    table.execute(Command::Depart { by: Actor::person("fox", "🦊"), person: "fox".into() });
    table.hears("Cid", "@🦊 has gone.");
    assert_eq!(last_said(&table).mentioned_people, [], "who has gone is not called");
}

#[test]
fn a_person_who_holds_a_seat_has_a_turn_by_a_mention() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben", "Cid"], 3));
    let runner = RunnerSpec::External { via: TurnDelivery::Person, name: "lin".into() };
    let newcomer = Newcomer { runner, ..newcomer("Dr. Lin") };
    table.execute(Command::Join { by: lin(), newcomer: Box::new(newcomer) });
    arrives(&mut table, &lin());
    table.hears("Ada", "@Lin have you run it?");
    let said = last_said(&table);
    assert_eq!(said.mentions, [ParticipantId(4)]);
    assert_eq!(said.mentioned_people, [Person { id: "lin".into(), name: "Lin".into() }]);
    assert_eq!(table.speaker(), "Dr. Lin");
    table.hears("Dr. Lin", "I have. @Lin speaks for herself.");
    let prompt = table.prompt_of(&table.speaker());
    let read: String = prompt.messages.iter().map(|message| message.content.as_str()).collect();
    assert!(
        read.contains("- Dr. Lin (person)") && read.contains("from=\"Dr. Lin (person)\" kind=\"person\""),
        "{read}"
    );
    assert_eq!(last_said(&table).mentioned_people, [], "nobody mentions themselves");
}

#[test]
fn a_guest_who_leaves_gives_up_the_seat_and_an_account_keeps_it() {
    for (id, keeps) in [("guest:k", false), ("lin", true)] {
        let mut table = Transaction::started(discussion(&["Ada", "Ben"], 3));
        let by = Actor::person(id, "Lin");
        let runner = RunnerSpec::External { via: TurnDelivery::Person, name: id.into() };
        let newcomer = Newcomer { runner, ..newcomer("Lin") };
        table.execute(Command::Join { by: by.clone(), newcomer: Box::new(newcomer) });
        arrives(&mut table, &by);
        table.execute(Command::Depart { by: by.clone(), person: id.into() });
        assert!(!is_at_table(&table, id));
        assert_eq!(table.meeting.seat_of_person(id).is_some(), keeps, "{id}");
        assert_eq!(table.execute(Command::Depart { by, person: id.into() }), [], "once is enough");
    }
}

#[test]
fn only_the_word_of_the_person_who_hosts_gives_the_floor() {
    let mut table = hosted_by_lin(&["Ada", "Ben"]);
    assert!(table.meeting.awaits_host(), "nobody speaks before the host does");
    let mei = Actor::person("mei", "Mei");
    says(&mut table, mei.clone(), "@Ada what about backups?");
    assert_eq!(last_said(&table).mentions, [ParticipantId(1)], "it is recorded");
    assert!(table.calls().is_empty() && table.meeting.awaits_host(), "and calls nobody");
    let resume = |by: &Actor| Command::Resume {
        by: by.clone(),
        token: None,
        answers: Default::default(),
        take_defaults: true,
    };
    let not_the_host = Refusal::NotTheHost { host: "Lin".into() };
    assert_eq!(table.is_refused(resume(&mei)), not_the_host);
    let empty =
        Command::Resume { by: mei.clone(), token: None, answers: Default::default(), take_defaults: false };
    assert_eq!(table.is_refused(empty), not_the_host, "who may answer comes before what is missing");
    says(&mut table, lin(), "@Ben please");
    assert_eq!(table.speaker(), "Ben");
    let asks = |by: &Actor| Command::RequestSpeaker { by: by.clone(), participant: "Ada".into() };
    assert_eq!(table.is_refused(asks(&mei)), not_the_host);
    says(&mut table, mei.clone(), "@Ada you, too");
    let queue = table.meeting.round().expect("a round").queue.clone();
    assert_eq!(queue, [], "the word of somebody else calls nobody");
    table.execute(asks(&lin()));
    table.hears("Ben", "One file.");
    assert_eq!(table.speaker(), "Ada", "the host asked for her");
    let read = read(&table, "Ada");
    assert!(read.contains("@Ada what about backups?"), "what others said is read all the same: {read}");
    assert_eq!(table.replayed(), table.meeting);
}

#[test]
fn a_person_who_hosts_from_a_seat_gives_the_floor_also_outside_of_their_turn() {
    let mut spec = hosted(&["Dr. Lin", "Ben"], Some("Dr. Lin"));
    spec.participants[0].runner = RunnerSpec::External { via: TurnDelivery::Person, name: "lin".into() };
    let mut table = Transaction::started(spec);
    says(&mut table, lin(), "@Ben what would it cost?");
    table.hears("Dr. Lin", "I begin.");
    assert_eq!((table.meeting.round_number(), table.speaker()), (1, "Ben".into()));
}

#[test]
fn where_people_may_not_speak_the_host_may() {
    let mut spec = hosted(&["Ada", "Ben"], None);
    spec.rules.turns.people_may_speak = false;
    let mut table = Transaction::blank();
    table.execute(Command::Create { by: lin(), spec: Box::new(spec) });
    table.execute(Command::Start { by: lin() });
    let say = |by: Actor| Command::Say { by, content: "@Ada please".into() };
    let refusal = table.is_refused(say(Actor::person("mei", "Mei")));
    assert_eq!(refusal, Refusal::NotTheHost { host: "Lin".into() });
    assert!(refusal.hint().english().contains("Lin"), "{}", refusal.hint());
    assert!(!is_at_table(&table, "mei"), "who is refused has not come");
    table.execute(say(lin()));
    assert_eq!(table.speaker(), "Ada");
    table.execute(say(lin()));
    table.hears("Ada", "One file.");
    table.hears("Ada", "One file it is.");
    assert!(table.meeting.awaits_host());
    let mut rules = Box::new(table.meeting.rules().clone());
    rules.turns.floor = FloorMode::Rotation;
    table.execute(Command::ChangeRules { by: lin(), rules });
    table.execute(say(lin()));
    assert!(!table.meeting.is_paused(), "what is waited for may be said under other rules, too");
}

#[test]
fn the_host_hands_over_to_somebody_at_the_table_and_it_holds_after_a_restart() {
    let mut table = hosted_by_lin(&["Ada", "Ben"]);
    let mei = Actor::person("mei", "Mei");
    let absent = table.is_refused(hands_over(lin(), "mei", false));
    assert!(matches!(absent, Refusal::NoSuchPerson { .. }), "{absent}");
    arrives(&mut table, &mei);
    arrives(&mut table, &lin());
    for manages in [false, true] {
        let refused = table.is_refused(hands_over(mei.clone(), "mei", manages));
        assert_eq!(refused, Refusal::NotTheHost { host: "Lin".into() }, "the host is here");
    }
    table.execute(hands_over(lin(), "mei", false));
    assert_eq!(table.execute(hands_over(mei.clone(), "mei", false)), [], "she hosts already");
    let mut after = Transaction { meeting: table.replayed(), ..table.clone() };
    after.recovers();
    for table in [&mut table, &mut after] {
        assert!(table.meeting.is_host(&mei) && !table.meeting.is_host(&lin()));
        says(table, lin(), "@Ada");
        assert!(table.calls().is_empty(), "Lin does not host any more");
        says(table, mei.clone(), "@Ben");
        assert_eq!(table.speaker(), "Ben");
    }
    assert_eq!(table.meeting.host_name().as_deref(), Some("Mei"));
    table.execute(Command::Depart { by: mei.clone(), person: "mei".into() });
    let tao = Actor::person("tao", "Tao");
    arrives(&mut table, &tao);
    let refused = table.is_refused(hands_over(tao.clone(), "tao", false));
    assert_eq!(refused, Refusal::NotTheHost { host: "Mei".into() });
    table.execute(hands_over(tao.clone(), "tao", true));
    assert!(table.meeting.is_host(&tao), "who manages appoints another in the place of an absent host");
    assert_eq!(table.replayed(), table.meeting);
}

#[test]
fn a_person_takes_over_from_a_participant_who_hosts() {
    let mut table = Transaction::started(hosted(&["Ada", "Ben"], Some("Ada")));
    let mei = Actor::person("mei", "Mei");
    arrives(&mut table, &mei);
    assert_eq!(table.meeting.host_name().as_deref(), Some("Ada"));
    let request = Command::RequestSpeaker { by: mei.clone(), participant: "Ben".into() };
    assert_eq!(table.is_refused(request), Refusal::NotTheHost { host: "Ada".into() });
    table.execute(hands_over(mei.clone(), "mei", true));
    table.hears("Ada", "@Ben you are next.");
    assert!(table.meeting.awaits_host(), "her word gives the floor no longer");
    says(&mut table, mei, "@Ben");
    assert_eq!(table.speaker(), "Ben");
}

#[test]
fn at_a_fork_is_who_forked_it() {
    let mut table = hosted_by_lin(&["Ada", "Ben"]);
    says(&mut table, lin(), "@Ada please");
    table.hears("Ada", "One file.");
    let fork = table.forked(None, LimitChanges::default());
    assert_eq!(fork.meeting.people_present().count(), 0, "Lin is at the other table");
    assert!(fork.meeting.is_host(&Actor::owner()) && !fork.meeting.is_host(&lin()));
    assert_eq!(fork.replayed(), fork.meeting);
    assert!(table.meeting.is_host(&lin()) && is_at_table(&table, "lin"));
}

#[test]
fn a_table_has_room_for_so_many_people() {
    let mut table = Transaction::started(discussion(&["Ada"], 2));
    for number in 0..PEOPLE_MAX {
        table.execute(Command::Arrive { by: Actor::person(format!("guest:{number}"), "Lin") });
    }
    let names: std::collections::BTreeSet<&str> =
        table.meeting.people_present().map(|person| person.name.as_str()).collect();
    assert_eq!(names.len(), PEOPLE_MAX, "each has a name of their own");
    let full = Refusal::TooManyPeople { most: PEOPLE_MAX };
    assert_eq!(table.is_refused(Command::Arrive { by: lin() }), full);
    assert_eq!(table.is_refused(Command::Say { by: lin(), content: "hello".into() }), full);
    assert_eq!(table.execute(Command::Arrive { by: Actor::person("guest:7", "Lin") }), []);
    table.execute(Command::Depart { by: Actor::owner(), person: "guest:7".into() });
    table.execute(Command::Arrive { by: lin() });
}

#[test]
fn nobody_comes_to_a_meeting_that_is_over() {
    let mut table = Transaction::started(discussion(&["Ada"], 1));
    arrives(&mut table, &lin());
    table.goes_on(|_, _| 60);
    assert_eq!(table.is_refused(Command::Arrive { by: Actor::owner() }), Refusal::MeetingIsOver);
    let depart = Command::Depart { by: lin(), person: "lin".into() };
    assert_eq!(table.is_refused(depart), Refusal::MeetingIsOver);
    assert_eq!(table.is_refused(hands_over(lin(), "lin", true)), Refusal::MeetingIsOver);
}
