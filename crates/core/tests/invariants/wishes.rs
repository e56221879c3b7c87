//! Any wish in any state: refused without a trace, or facts that keep the house rules.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quorate_core::*;

use super::{cases, house_rules};
use crate::support::{any, *};

/// Something that happens to a meeting, before anybody knows how it stands.
#[derive(Debug, Clone)]
enum Happening {
    /// A call that is owed is answered.
    Answer(Index, Manner),
    /// An answer of any form comes for any task: wrong, late, doubled, of another attempt.
    Stray {
        task: TaskId,
        attempt: u32,
        what: Delivered,
    },
    /// An answer of any form comes for a call that is owed.
    Misfit(Index, Delivered),
    /// The last answer comes again.
    Again,
    Create(Box<Founding>),
    Start,
    Say {
        words: String,
        called: Option<Index>,
    },
    Request(Index),
    Join(&'static str),
    Leave(Index),
    Pause {
        at_once: bool,
    },
    Resume(Option<&'static str>),
    End,
    Recover,
    Tick,
    /// The clock is moved, perhaps back.
    Clock(i64),
    Fork,
}

fn any_delivered() -> impl Strategy<Value = Delivered> {
    let words = any::words;
    prop_oneof![
        (words(), prop::option::of(words())).prop_map(|(content, position)| {
            let claims = vec![content.clone(); 9];
            let changed_by = Some(ClaimId(content.len() as u32));
            Delivered::Said(Speech { content, position, claims, changed_by, ..Speech::default() })
        }),
        Just(Delivered::Said(Speech::default())),
        Just(Delivered::Skipped),
        (any::<u8>(), any::<bool>(), words()).prop_map(|(score, pass, reason)| {
            Delivered::Voted(Vote { score, pass, missing: vec![reason.clone(); 9], reason })
        }),
        (any::<bool>(), words()).prop_map(|(malformed, detail)| Delivered::Abstained { malformed, detail }),
        (words(), prop::collection::vec(0u32..9, 0..5)).prop_map(|(text, holders)| {
            let holders: Vec<_> = holders.into_iter().map(ParticipantId).collect();
            let positions = vec![Position { text: text.clone(), holders }; 3];
            Delivered::Summarized(SummaryForm { summary: text, positions, ..SummaryForm::default() })
        }),
        words().prop_map(|text| Delivered::Facilitated(FacilitationForm {
            disagreements: vec![text; 9],
            ..FacilitationForm::default()
        })),
        words().prop_map(|conclusion| Delivered::Concluded(ConclusionForm {
            conclusion,
            ..ConclusionForm::default()
        })),
        words().prop_map(|text| Delivered::Malformed { problem: text.clone(), text }),
        prop::sample::select(TROUBLES.to_vec()).prop_map(|kind| Delivered::Failed {
            kind,
            detail: "broken".into(),
            hint: "mend it".into()
        }),
    ]
}

fn any_task() -> impl Strategy<Value = TaskId> {
    (0u8..5, 0u32..4, 0u32..8).prop_map(|(kind, round, place)| match kind {
        0 => TaskId::Speak(TurnId { round, place }),
        1 => TaskId::Vote(BallotId(round), ParticipantId(place)),
        2 => TaskId::Summarize(round),
        3 => TaskId::Facilitate(BallotId(round)),
        _ => TaskId::Conclude,
    })
}

fn any_happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        30 => (any::<Index>(), any_manner()).prop_map(|(call, manner)| Happening::Answer(call, manner)),
        10 => (any::<Index>(), 60u8..=100).prop_map(|(call, score)| Happening::Answer(call, Manner::Well(score))),
        2 => (any::<Index>(), any_delivered()).prop_map(|(call, what)| Happening::Misfit(call, what)),
        2 => (any_task(), 0u32..3, any_delivered())
            .prop_map(|(task, attempt, what)| Happening::Stray { task, attempt, what }),
        2 => Just(Happening::Again),
        1 => any::any_founding().prop_map(|founding| Happening::Create(Box::new(founding))),
        1 => Just(Happening::Start),
        4 => (any::words(), prop::option::of(any::<Index>()))
            .prop_map(|(words, called)| Happening::Say { words, called }),
        2 => any::<Index>().prop_map(Happening::Request),
        2 => prop::sample::select(any::NAMES.to_vec()).prop_map(Happening::Join),
        2 => any::<Index>().prop_map(Happening::Leave),
        3 => any::<bool>().prop_map(|at_once| Happening::Pause { at_once }),
        5 => prop_oneof![4 => Just(None), 1 => Just(Some("wrong")), 2 => Just(Some("right"))]
            .prop_map(Happening::Resume),
        1 => Just(Happening::End),
        2 => Just(Happening::Recover),
        2 => Just(Happening::Tick),
        2 => prop_oneof![-300i64..300, -1_000_000_000i64..1_000_000_000].prop_map(Happening::Clock),
        1 => Just(Happening::Fork),
    ]
}

/// Makes a happening a wish of this table; `None` when there is nothing it could mean.
fn wish(table: &mut Table, happening: &Happening, last: &Option<Command>) -> Option<Command> {
    let by = OWNER.to_owned();
    // Whoever is at the table, and now and then somebody who is not.
    let somebody = |index: &Index| {
        let mut names = table.names();
        names.push("Nobody".into());
        index.get(&names).clone()
    };
    Some(match happening {
        Happening::Answer(index, manner) => {
            let calls = table.calls();
            let call = (!calls.is_empty()).then(|| index.get(&calls).clone())?;
            settle(&table.meeting, &call, manner.outcome(&table.meeting, &call))
        }
        Happening::Misfit(index, what) => {
            let calls = table.calls();
            let call = (!calls.is_empty()).then(|| index.get(&calls).clone())?;
            delivery(call.id, call.attempt, what.clone())
        }
        Happening::Stray { task, attempt, what } => delivery(*task, *attempt, what.clone()),
        Happening::Again => last.clone()?,
        Happening::Create(founding) => Command::Create { by, founding: founding.clone() },
        Happening::Start => Command::Start { by },
        Happening::Say { words, called } => {
            let call = called.as_ref().map(|index| format!("@\"{}\" ", somebody(index)));
            Command::Say { by, content: call.unwrap_or_default() + words }
        }
        Happening::Request(index) => Command::RequestSpeaker { by, participant: somebody(index) },
        Happening::Join(name) => Command::Join { by, newcomer: Box::new(newcomer(name)) },
        Happening::Leave(index) => Command::Leave { by, participant: somebody(index) },
        Happening::Pause { at_once } => Command::Pause { by, at_once: *at_once },
        Happening::Resume(token) => {
            let token = match (token, &table.meeting.rest) {
                (Some("right"), Rest::Paused { token, .. }) => Some(token.clone()),
                (token, _) => token.map(str::to_owned),
            };
            let answers = BTreeMap::from([("why".to_owned(), serde_json::json!({ "n": 0.1 }))]);
            Command::Resume { by, token, answers, take_defaults: true }
        }
        Happening::End => Command::End { by, note: "enough".into() },
        Happening::Recover => Command::Recover,
        Happening::Tick => Command::Tick,
        Happening::Clock(ms) => {
            table.now = Moment(table.now.0 + ms);
            return None;
        }
        Happening::Fork => Command::Fork { from: MeetingId::new("another") },
    })
}

fn delivery(task: TaskId, attempt: u32, what: Delivered) -> Command {
    Command::Deliver(Box::new(Delivery { task, attempt, usage: None, latency_ms: 7, what }))
}

/// Tries a wish and holds the house rules for a single step.
fn step(table: &mut Table, command: Command) -> Result<(), TestCaseError> {
    let before = table.clone();
    let result = table.tries(command.clone());
    let again = before.clone().tries(command.clone());
    prop_assert_eq!(&result, &again, "the same wish at the same table came out differently");
    match result {
        Err(refusal) => {
            prop_assert_eq!(&table.meeting, &before.meeting, "{} left a trace", refusal);
            prop_assert!(!refusal.to_string().is_empty() && !refusal.hint().is_empty(), "{:?}", refusal);
        }
        Ok(events) => {
            if before.meeting.is_over() {
                prop_assert_eq!(events, Vec::new(), "{:?} after the end", command);
            }
            // The facts hold all that follows; asking again at the same moment adds nothing.
            let more = decide(&table.meeting, Command::Tick, table.now);
            prop_assert_eq!(more, Ok(Vec::new()), "more follows after {:?}", command);
        }
    }
    house_rules::of_pending(&table.meeting)
}

/// A founding, how far it is opened, and what happens then.
type Story = (Founding, u8, Vec<Happening>);

fn any_story() -> impl Strategy<Value = Story> {
    (any::any_founding(), 0u8..10, prop::collection::vec(any_happening(), 1..90))
}

/// Plays a story, most of the time at a meeting that was created and started.
fn play((founding, opened, happenings): Story) -> Result<Table, TestCaseError> {
    let mut table = Table::blank();
    if opened > 0 {
        step(&mut table, Command::Create { by: OWNER.into(), founding: Box::new(founding) })?;
    }
    if opened > 1 {
        step(&mut table, Command::Start { by: OWNER.into() })?;
    }
    let mut last = None;
    for happening in &happenings {
        let Some(command) = wish(&mut table, happening, &last) else { continue };
        if matches!(command, Command::Deliver(_)) {
            last = Some(command.clone());
        }
        step(&mut table, command)?;
    }
    Ok(table)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_wish_in_any_state_keeps_the_house_rules(story in any_story()) {
        house_rules::of_the_log(&play(story)?)?;
    }
}

/// The test above is worth as much as its stories: they lead to every kind of event.
#[test]
fn the_stories_lead_to_every_kind_of_event() -> Result<(), TestCaseError> {
    let mut dice = TestRunner::deterministic();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..300 {
        let story =
            any_story().new_tree(&mut dice).map_err(|reason| TestCaseError::fail(reason.to_string()))?;
        for event in play(story.current())?.log {
            *seen.entry(event.body.kind()).or_default() += 1;
        }
    }
    let missing: Vec<_> = EventBody::KINDS.iter().filter(|kind| !seen.contains_key(**kind)).collect();
    prop_assert!(missing.is_empty(), "never seen: {missing:?}; seen: {seen:?}");
    Ok(())
}
