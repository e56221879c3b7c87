//! Properties of meetings: moderator, agenda, style, minutes and artifacts.

use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;

use super::cases;
use crate::support::any;
use crate::support::*;

fn by() -> Actor {
    Actor::owner()
}

/// A meeting after this many good answers and at least one message, not near its end.
fn comes_some_way(spec: MeetingSpec, answers: usize) -> Transaction {
    let mut table = Transaction::started(spec);
    for step in 0..answers + 20 {
        if step >= answers && !table.meeting.said.is_empty() {
            break;
        }
        let before = table.clone();
        let Some(call) = table.calls().into_iter().next() else { break };
        table.answers_well(&call, 60);
        if matches!(table.meeting.phase, Phase::Closing { .. } | Phase::Ended { .. }) {
            return before;
        }
    }
    table
}

fn under_way() -> impl Strategy<Value = Transaction> {
    (any::sound_founding(), 0usize..12).prop_map(|(spec, answers)| comes_some_way(spec, answers))
}

/// A meeting with serial turns, so that every message is visible at once.
fn in_turn() -> impl Strategy<Value = Transaction> {
    let spec = (any::names(1..=4), any::language(), any::<u64>(), any::<bool>());
    (spec, 1usize..6).prop_map(|((names, language, seed, facilitated), answers)| {
        let spec = discussion(&names, 9);
        let facilitator = spec.facilitator.clone().filter(|_| facilitated);
        comes_some_way(MeetingSpec { language, seed, facilitator, ..spec }, answers)
    })
}

fn writes_minutes(table: &mut Transaction, writer: Option<String>) {
    table.execute(Command::WriteMinutes { by: by(), writer, note: String::new() });
    let minutes = |call: &Call| matches!(call.id, TaskId::Minutes(_));
    if let Some(call) = table.calls().into_iter().find(minutes) {
        table.answers_well(&call, 60);
    }
}

fn edits(table: &mut Transaction, content: &str) {
    let based_on = table.meeting.current_minutes().map(|one| one.version);
    let minutes = Minutes { content: content.into(), ..Minutes::default() };
    table.execute(Command::EditMinutes { by: by(), based_on, minutes: Box::new(minutes) });
}

fn style() -> impl Strategy<Value = Option<Style>> {
    let known = vec![Style::Formal, Style::Casual, Style::Debate];
    prop::option::of(prop::sample::select(known))
}

fn length() -> impl Strategy<Value = SpeakingLength> {
    use SpeakingLength::{Brief, Detailed, Moderate};
    prop::sample::select(vec![Brief, Moderate, Detailed])
}

/// Claims, risks, open questions and words of every kind, in the trailer of a turn.
fn any_turn() -> impl Strategy<Value = String> {
    let texts = || prop::collection::vec(any::words(), 0..4);
    (any::words(), any::words(), texts(), texts(), texts()).prop_map(
        |(said, position, claims, risks, open)| {
            let trailer = serde_json::json!({
                "position": position, "claims": claims, "risks": risks, "open_questions": open,
            });
            format!("{said}\n{trailer}")
        },
    )
}

proptest! {
    #![proptest_config(cases())]

    /// Feature: ai-agent-meeting, Property 31: who leads is kept with type and id.
    #[test]
    fn p31_the_moderator_is_who_was_named(spec in any::sound_founding(), pick in any::<prop::sample::Index>(), led in any::<bool>()) {
        let place = pick.index(spec.participants.len());
        let moderator = led.then(|| spec.participants[place].name.clone());
        let table = Transaction::draft(MeetingSpec { moderator, ..spec.clone() });
        let wanted = match led {
            true => Moderator::Agent { id: ParticipantId(place as u32 + 1) },
            false => Moderator::User,
        };
        prop_assert_eq!(table.meeting.settings.moderator, wanted);
        let create = MeetingSpec { moderator: Some("Nobody at all".into()), ..spec };
        Transaction::blank().is_refused(Command::Create { by: by(), spec: Box::new(create) });
    }

    /// Feature: ai-agent-meeting, Property 33: the meeting says who leads it, by type and id.
    #[test]
    fn p33_the_meeting_tells_who_leads(spec in any::sound_founding(), pick in any::<prop::sample::Index>(), led in any::<bool>()) {
        let name = pick.get(&spec.participants).name.clone();
        let table = Transaction::started(MeetingSpec { moderator: led.then(|| name.clone()), ..spec });
        let told = serde_json::to_value(table.replayed()).expect("a meeting is plain");
        let moderator = &told["settings"]["moderator"];
        let wanted = if led { "agent" } else { "user" };
        prop_assert_eq!(moderator["type"].as_str(), Some(wanted));
        if led {
            let id: ParticipantId = moderator["id"].as_str().unwrap_or_default().parse().expect("an id");
            prop_assert_eq!(table.meeting.name_of(id), name);
        }
    }

    /// Feature: ai-agent-meeting, Property 34: the agenda that a meeting is created with is there.
    #[test]
    fn p34_the_first_agenda_is_taken_over(
        spec in any::sound_founding(),
        agenda in prop::collection::vec((any::plain_words(200), any::plain_words(300)), 0..8),
    ) {
        let table = Transaction::draft(MeetingSpec { agenda: agenda.clone(), ..spec });
        let kept = table.replayed().agenda;
        prop_assert!(kept.iter().all(|item| !item.completed));
        let kept: Vec<_> = kept.iter().map(|item| (item.title.clone(), item.description.clone())).collect();
        prop_assert_eq!(kept, agenda);
    }

    /// Feature: ai-agent-meeting, Property 35: an item more makes the agenda longer by one.
    #[test]
    fn p35_an_item_more_is_one_more(mut table in under_way(), titles in prop::collection::vec(any::plain_words(200), 1..5)) {
        for title in titles {
            let before = table.meeting.agenda.len();
            table.execute(Command::AddAgendaItem { by: by(), title: title.clone(), description: String::new() });
            prop_assert_eq!(table.meeting.agenda.len(), before + 1);
            prop_assert_eq!(&table.meeting.agenda[before].title, &title);
        }
        table.is_refused(Command::AddAgendaItem { by: by(), title: " \n".into(), description: String::new() });
    }

    /// Feature: ai-agent-meeting, Property 36: a completed item is completed, a removed one is gone.
    #[test]
    fn p36_items_are_completed_and_removed(
        mut table in under_way(),
        count in 1usize..6,
        pick in any::<prop::sample::Index>(),
        remove in any::<prop::sample::Index>(),
    ) {
        for place in 0..count {
            let (title, description) = (format!("Item {place}"), String::new());
            table.execute(Command::AddAgendaItem { by: by(), title, description });
        }
        let done = table.meeting.agenda[pick.index(count)].id;
        let find = |table: &Transaction| table.meeting.agenda.iter().find(|item| item.id == done).cloned();
        let item = done.to_string();
        table.execute(Command::CompleteAgendaItem { by: by(), item: item.clone(), completed: true });
        prop_assert_eq!(find(&table).map(|item| item.completed), Some(true));
        prop_assert_eq!(table.meeting.agenda.iter().filter(|item| item.completed).count(), 1);
        table.execute(Command::CompleteAgendaItem { by: by(), item, completed: false });
        prop_assert_eq!(find(&table).map(|item| item.completed), Some(false));
        let gone = table.meeting.agenda[remove.index(count)].clone();
        table.execute(Command::RemoveAgendaItem { by: by(), item: gone.title.clone() });
        prop_assert!(table.replayed().agenda.iter().all(|item| item.id != gone.id));
        prop_assert_eq!(table.meeting.agenda.len(), count - 1);
        // The number of an item that is gone is never given again.
        table.execute(Command::AddAgendaItem { by: by(), title: "x".into(), description: String::new() });
        prop_assert!(table.meeting.agenda.last().is_some_and(|item| item.id.0 as usize == count + 1));
    }

    /// Feature: ai-agent-meeting, Property 38: the style of talking is kept, and can be changed.
    #[test]
    fn p38_the_style_is_kept(spec in any::sound_founding(), first in style(), then in style()) {
        let mut rules = spec.rules.clone();
        rules.talk.style = first;
        let mut table = Transaction::started(MeetingSpec { rules: rules.clone(), ..spec });
        prop_assert_eq!(table.replayed().rules().talk.style, first);
        rules.talk.style = then;
        table.execute(Command::ChangeRules { by: by(), rules: Box::new(rules) });
        prop_assert_eq!(table.replayed().rules().talk.style, then);
    }

    /// Feature: ai-agent-meeting, Property 39: how long each is to speak is kept for each.
    #[test]
    fn p39_each_length_is_kept(
        spec in any::sound_founding(),
        lengths in prop::collection::vec(prop::option::of(length()), 7),
        changed in length(),
    ) {
        let names = spec.participants.iter().map(|one| one.name.clone());
        let wanted = names.zip(lengths).filter_map(|(name, length)| Some((name, length?)));
        let wanted: std::collections::BTreeMap<_, _> = wanted.collect();
        let mut rules = spec.rules.clone();
        rules.talk.lengths = wanted.clone();
        let last = spec.participants[spec.participants.len() - 1].name.clone();
        let mut table = Transaction::started(MeetingSpec { rules: rules.clone(), ..spec });
        prop_assert_eq!(&table.meeting.rules().talk.lengths, &wanted);
        rules.talk.lengths.insert(last.clone(), changed);
        table.execute(Command::ChangeRules { by: by(), rules: Box::new(rules.clone()) });
        let replayed = table.replayed();
        prop_assert_eq!(replayed.rules().talk.lengths.get(&last), Some(&changed));
        rules.talk.lengths.insert("Nobody at all".into(), changed);
        table.is_refused(Command::ChangeRules { by: by(), rules: Box::new(rules) });
    }

    /// Feature: ai-agent-meeting, Property 47: minutes that are asked for come, and are not empty.
    #[test]
    fn p47_minutes_that_are_asked_for_are_not_empty(mut table in in_turn(), by_participant in any::<bool>()) {
        let writer = by_participant.then(|| table.names()[0].clone());
        writes_minutes(&mut table, writer);
        let minutes = table.meeting.current_minutes().expect("they are written");
        prop_assert!(!minutes.minutes.content.trim().is_empty());
        prop_assert_eq!(minutes.covers, table.meeting.said.len());
    }

    /// Feature: ai-agent-meeting, Property 48: minutes that were written are kept in the log.
    #[test]
    fn p48_minutes_are_kept(mut table in in_turn(), edit in any::plain_words(200)) {
        writes_minutes(&mut table, None);
        edits(&mut table, &edit);
        let replayed = table.replayed();
        prop_assert_eq!(&replayed.minutes, &table.meeting.minutes);
        prop_assert_eq!(replayed.minutes.len(), 2);
    }

    /// Feature: ai-agent-meeting, Property 51: minutes edited by hand read as they were edited.
    #[test]
    fn p51_edited_minutes_read_as_edited(mut table in in_turn(), written in any::<bool>(), edit in any::plain_words(900)) {
        if written {
            writes_minutes(&mut table, None);
        }
        edits(&mut table, &edit);
        let minutes = table.meeting.current_minutes().expect("they are written");
        prop_assert_eq!(&minutes.minutes.content, &edit);
        prop_assert_eq!(&minutes.author, &Actor::owner());
    }

    /// Feature: ai-agent-meeting, Property 52: a participant that updates the minutes makes a version.
    #[test]
    fn p52_a_participant_brings_minutes_up_to_date(mut table in in_turn(), pick in any::<prop::sample::Index>()) {
        writes_minutes(&mut table, None);
        let names = table.names();
        let place = pick.index(names.len());
        writes_minutes(&mut table, Some(names[place].clone()));
        let minutes = table.meeting.current_minutes().expect("they are written");
        prop_assert_eq!(minutes.version, 2);
        prop_assert_eq!(&minutes.author, &Actor::Participant { id: ParticipantId(place as u32 + 1) });
    }

    /// Feature: ai-agent-meeting, Property 53: with each update there is one version more.
    #[test]
    fn p53_each_update_is_one_version_more(mut table in in_turn(), steps in prop::collection::vec(0u8..4, 1..8)) {
        for (count, step) in steps.into_iter().enumerate() {
            match step {
                0 => writes_minutes(&mut table, None),
                1 => {
                    let writer = Some(table.names()[0].clone());
                    writes_minutes(&mut table, writer);
                }
                2 => edits(&mut table, &format!("edited {count} times")),
                _ => {
                    table.says("and one thing more");
                    edits(&mut table, "edited after a word");
                }
            }
            prop_assert_eq!(table.meeting.minutes.len(), count + 1);
            let versions: Vec<u32> = table.meeting.minutes.iter().map(|one| one.version).collect();
            prop_assert_eq!(versions, (1..=count as u32 + 1).collect::<Vec<_>>());
        }
    }

    /// Feature: ai-agent-meeting, Property 54: the meeting shows the minutes that hold now.
    #[test]
    fn p54_the_current_minutes_are_the_last(mut table in in_turn(), edits_made in 0usize..4) {
        prop_assert_eq!(table.meeting.current_minutes(), None);
        writes_minutes(&mut table, None);
        for count in 0..edits_made {
            edits(&mut table, &format!("edit {count}"));
        }
        let replayed = table.replayed();
        let current = replayed.current_minutes().expect("there are some");
        prop_assert_eq!(current.version as usize, edits_made + 1);
        prop_assert_eq!(Report::of(&replayed).minutes.map(|row| row.version), Some(current.version));
    }

    /// Records written by the rules pass the gate that models have to pass, for any messages.
    #[test]
    fn what_the_rules_draw_passes_the_gate(
        names in any::names(1..=4),
        language in any::language(),
        parallel in any::<bool>(),
        turns in prop::collection::vec(any_turn(), 1..8),
        ends in any::<bool>(),
    ) {
        let mut spec = discussion(&names, 9);
        spec.facilitator = None;
        spec.rules.turns.mode = if parallel { TurnMode::ParallelRound } else { TurnMode::SerialTurn };
        let mut table = Transaction::started(MeetingSpec { language, ..spec });
        for turn in &turns {
            let call = table.calls().remove(0);
            table.answers(&call, turn);
        }
        if ends {
            let mut rules = table.meeting.rules().clone();
            rules.closing.artifacts = ArtifactKind::ALL.to_vec();
            table.execute(Command::ChangeRules { by: by(), rules: Box::new(rules) });
            table.ends("");
            prop_assert!(table.meeting.is_over(), "{:?}", table);
        } else {
            for kind in ArtifactKind::ALL {
                match table.tries(Command::WriteArtifact { by: by(), kind }) {
                    Ok(_) => {}
                    Err(refusal) => prop_assert_eq!(refusal, Refusal::NothingToRecord),
                }
            }
        }
        // A model that wrote the very same would be let through, word for word.
        let drawn = table.meeting.artifacts.iter().map(|one| (one.kind, one.content.clone()));
        for (kind, content) in drawn.collect::<Vec<_>>() {
            let task = TaskId::Artifact(kind, ArtifactVersion(1));
            prop_assert_eq!(read(&table, task, &content)?, Delivered::Drawn(kind, ArtifactVersion(1), content));
            prop_assert!(ArtifactContent::of(kind, &table.meeting.artifact(kind).expect("it is there").content).is_some());
        }
        if let Some(version) = table.meeting.current_minutes() {
            let content = serde_json::to_value(&version.minutes).expect("minutes are plain");
            let minuted = Delivered::Minuted(1, Box::new(version.minutes.clone()));
            prop_assert_eq!(read(&table, TaskId::Minutes(1), &content)?, minuted);
        }
        let wanted = if ends { 4 } else { table.meeting.artifacts.len() };
        prop_assert_eq!(table.meeting.artifacts.len(), wanted);
    }
}

/// The delivery that this answer is read as.
fn read(table: &Transaction, id: TaskId, content: &serde_json::Value) -> Result<Delivered, TestCaseError> {
    let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
    let call = Call { id, attempt: 1, participant: None, runner, timeout_ms: 1 };
    match interpret(&table.meeting, &call, Outcome::Answered(answer(&content.to_string()))) {
        Command::Deliver(delivery) => Ok(delivery.what),
        other => Err(TestCaseError::fail(format!("{other:?}"))),
    }
}
