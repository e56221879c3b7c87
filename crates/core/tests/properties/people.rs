//! People at the table, whatever they are called and in whatever order they come, speak, go and host.

use proptest::prelude::*;
use quorate_contract::*;

use super::cases;
use crate::support::*;

/// Names in scripts of all kinds, some of them those of participants, some alike but for case.
const NAMES: [&str; 10] = ["Lin", "lin", "林晚", "عمر", "🦊", "Ada", "Ben 2", "O'Neil (ops)", "owner", " "];
const IDS: [&str; 6] = ["lin", "guest:1", "guest:2", "mei", "owner", "o"];

/// What a person does.
#[derive(Debug, Clone, Copy)]
enum Act {
    Arrive,
    Depart,
    Say,
    Mention(usize),
    HandOver(usize, bool),
    RequestSpeaker,
    Answer,
    Recover,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => Just(Act::Arrive),
        2 => Just(Act::Depart),
        2 => Just(Act::Say),
        3 => (0..NAMES.len()).prop_map(Act::Mention),
        2 => (0..IDS.len(), any::<bool>()).prop_map(|(to, manages)| Act::HandOver(to, manages)),
        1 => Just(Act::RequestSpeaker),
        2 => Just(Act::Answer),
        1 => Just(Act::Recover),
    ]
}

fn people() -> impl Strategy<Value = Vec<Actor>> {
    prop::collection::vec((0..IDS.len(), 0..NAMES.len()), 1..6).prop_map(|picks| {
        let mut people: Vec<Actor> = Vec::new();
        for (id, name) in picks {
            if !people.iter().any(|known| known.is_the_person(IDS[id])) {
                people.push(Actor::person(IDS[id], NAMES[name]));
            }
        }
        people
    })
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn people_are_told_apart_and_only_the_host_gives_the_floor(
        people in people(),
        acts in prop::collection::vec((any::<prop::sample::Index>(), act()), 1..40),
        hosted in any::<bool>(),
        language in prop::sample::select(vec![Language::En, Language::Zh]),
    ) {
        let mut spec = discussion(&["Ada", "Ben"], 3);
        spec.language = language;
        if hosted {
            spec.rules.turns.floor = FloorMode::Host;
        }
        let mut table = Transaction::blank();
        table.execute(Command::Create { by: people[0].clone(), spec: Box::new(spec) });
        table.execute(Command::Start { by: people[0].clone() });
        for (who, act) in acts {
            let by = who.get(&people).clone();
            let id = by.as_person().expect("a person").id;
            let is_host = table.meeting.is_host(&by);
            let was_host = table.meeting.host_name();
            let (turns, asked) = (table.log.len(), table.calls().len());
            let content = |name: &str| format!("@\"{name}\" what do you say?");
            let done = match act {
                Act::Arrive => table.tries(Command::Arrive { by: by.clone() }),
                Act::Depart => table.tries(Command::Depart { by: by.clone(), person: id.clone() }),
                Act::Say => table.tries(Command::Say { by: by.clone(), content: "I think so.".into() }),
                Act::Mention(name) => {
                    table.tries(Command::Say { by: by.clone(), content: content(NAMES[name]) })
                }
                Act::HandOver(to, manages) => {
                    table.tries(Command::HandOver { by: by.clone(), to: IDS[to].into(), manages })
                }
                Act::RequestSpeaker => {
                    table.tries(Command::RequestSpeaker { by: by.clone(), participant: "Ada".into() })
                }
                Act::Answer => {
                    if let Some(call) = table.calls().into_iter().next() {
                        table.answers_well(&call, 40);
                    }
                    Ok(Vec::new())
                }
                Act::Recover => Ok(table.recovers()),
            };
            let happened = &table.log[turns..];
            let is_word = matches!(act, Act::Say | Act::Mention(_) | Act::RequestSpeaker);
            if hosted && is_word && !is_host {
                let gives = |event: &Event| {
                    matches!(event.body, EventBody::SpeakerSelected { .. } | EventBody::QueueChanged { .. }
                        | EventBody::RoundStarted { .. } | EventBody::Resume { .. })
                };
                prop_assert!(!happened.iter().any(gives), "{by:?} does not host: {happened:?}");
                prop_assert_eq!(table.calls().len(), asked);
            }
            if let (Act::HandOver(_, false), Err(refusal)) = (act, &done)
                && !is_host
                && !table.meeting.is_over()
            {
                let host = was_host.unwrap_or_default();
                let expected = Refusal::NotTheHost { host };
                prop_assert!(*refusal == expected || *refusal == Refusal::MeetingIsOver, "{refusal}");
            }
            for event in happened {
                if let EventBody::UserMessage { by, message, mentions, mentioned_people, .. } = &event.body {
                    let id = by.as_person().expect("a person").id;
                    let own = table.meeting.person(&id).expect("who speaks is there");
                    prop_assert_eq!(&own.name, &message.name);
                    prop_assert!(!message.name.trim().is_empty());
                    prop_assert!(!mentioned_people.iter().any(|person| person.id == id));
                    for person in mentioned_people {
                        let participant = table.names().iter().any(|name| is_same(name, &person.name));
                        prop_assert!(!participant, "{person:?} has the name of a participant");
                    }
                    prop_assert!(mentions.iter().all(|id| table.meeting.seat(*id).is_some()));
                }
            }
            let here: Vec<&Person> = table.meeting.people_present().collect();
            for (place, person) in here.iter().enumerate() {
                let alike = |other: &&&Person| is_same(&other.name, &person.name) || other.id == person.id;
                prop_assert!(!here[place + 1..].iter().any(|other| alike(&other)), "{here:?}");
            }
            prop_assert_eq!(table.replayed().state_hash(), table.meeting.state_hash());
        }
    }
}
