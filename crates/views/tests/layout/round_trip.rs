//! An exported and imported meeting is the same; what the files cannot hold is named here.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::Config;
use quorate_contract::*;
use quorate_core::*;
use quorate_views::folder_layouts::{Layout, export, files, read};

use super::{fails, folded, imported, log};
use crate::support::any;
use crate::support::*;

#[derive(Debug, Clone)]
enum Step {
    Answer(Manner),
    Say(String),
    Call(String),
    Reply(String, usize),
    Minutes(String),
    Agenda(String, bool),
    Announce(String),
    Wait(u16),
    Offline(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => any_manner().prop_map(Step::Answer),
        2 => any::words().prop_map(Step::Say),
        2 => any::plain_words(30).prop_map(Step::Call),
        1 => (any::words(), any::<usize>()).prop_map(|(words, place)| Step::Reply(words, place)),
        1 => any::plain_words(60).prop_map(Step::Minutes),
        1 => (any::plain_words(30), any::<bool>()).prop_map(|(title, done)| Step::Agenda(title, done)),
        1 => any::plain_words(30).prop_map(Step::Announce),
        2 => any::<u16>().prop_map(Step::Wait),
        1 => (0usize..8).prop_map(Step::Offline),
    ]
}

fn format() -> impl Strategy<Value = Format> {
    prop::sample::select(vec![Format::Discussion, Format::Room, Format::Consensus])
}

/// A title, a description and a display of times, each of them or none.
fn details() -> impl Strategy<Value = MeetingDetails> {
    let of = prop::option::of::<BoxedStrategy<String>>;
    let text =
        || of(any::words().boxed()).prop_map(|text| text.unwrap_or_default().chars().take(200).collect());
    let chosen =
        |texts: &'static [&'static str]| of(prop::sample::select(texts).prop_map(str::to_owned).boxed());
    let zone = chosen(&["Asia/Shanghai", "Europe/Berlin", "UTC"]);
    let (time, date) = (chosen(&["12h", "24h"]), chosen(&["yyyy-MM-dd", "d.M.yyyy", "yyyy年M月d日"]));
    (text(), text(), zone, time, date).prop_map(|(title, description, zone, time, date)| MeetingDetails {
        title,
        description,
        display: TimeDisplay {
            time_zone: zone.map(|text| TimeZoneName::read("", &text).expect("a zone")),
            time_format: time.map(|text| TimeFormat::read("", &text).expect("a format")),
            date_format: date.map(|text| DateFormat::read("", &text).expect("a pattern")),
        },
    })
}

/// Any meeting in any state: rooms with skips, ballots with facilitations, words between the rounds.
pub fn any_meeting() -> impl Strategy<Value = Transaction> {
    let talk = prop::collection::vec(step(), 0..40);
    (any::sound_founding(), format(), any::<bool>(), any::words(), talk, details()).prop_map(
        |(mut spec, format, hosted, topic, talk, details)| {
            spec.details = details;
            if format != Format::Consensus {
                let max_rounds = spec.rules.limits.max_rounds;
                spec.rules = format.rules();
                spec.rules.limits.max_rounds = max_rounds;
                if hosted && format == Format::Room {
                    spec.rules.turns.floor = FloorMode::Host;
                }
            }
            spec.format = format;
            spec.topic = topic.chars().take(200).collect();
            if hosted {
                spec.moderator = Some(spec.participants[0].name.clone());
            }
            let mut table = Transaction::started(spec);
            talk.into_iter().for_each(|step| perform(&mut table, step));
            table
        },
    )
}

/// Ignores refused commands.
fn perform(table: &mut Transaction, step: Step) {
    let by = || Actor::owner();
    let names: Vec<String> = table.names();
    _ = match step {
        Step::Answer(manner) => {
            let Some(call) = table.calls().into_iter().next() else { return };
            let outcome = manner.outcome(&table.meeting, &call);
            let command = interpret(&table.meeting, &call, outcome);
            table.tries(command)
        }
        Step::Say(content) => table.tries(Command::Say { by: by(), content }),
        Step::Call(words) => {
            let content = format!("@\"{}\" {words}", names[words.len() % names.len()]);
            table.tries(Command::Say { by: by(), content })
        }
        Step::Reply(content, place) => {
            let Some(to) = table.meeting.said.iter().map(|said| said.id).cycle().nth(place % 40) else {
                return;
            };
            table.tries(Command::Reply { by: by(), to, content })
        }
        Step::Minutes(content) => {
            let minutes = Minutes { content, summary: "so far".into(), ..Minutes::default() };
            table.tries(Command::EditMinutes { by: by(), based_on: None, minutes: Box::new(minutes) })
        }
        Step::Agenda(title, done) => {
            _ = table.tries(Command::AddAgendaItem { by: by(), title, description: "why".into() });
            let Some(item) = table.meeting.agenda.last().map(|item| item.id).filter(|_| done) else { return };
            table.tries(Command::CompleteAgendaItem { by: by(), item: item.to_string(), completed: true })
        }
        Step::Announce(text) => table.tries(Command::Announce { by: by(), text }),
        Step::Wait(ms) => {
            table.now = table.now.plus_ms(ms.into());
            return;
        }
        Step::Offline(place) => {
            let participant = names[place % names.len()].clone();
            table.tries(Command::SetPresence { by: by(), participant, presence: Presence::Offline })
        }
    };
}

/// One of the two layouts.
fn only(layout: &Layout, rooms: bool) -> Layout {
    let mut one = layout.clone();
    match rooms {
        true => (one.agents.clear(), one.meetings.clear()),
        false => {
            (one.room_agents, one.messages) = Default::default();
            (one.rooms.clear(), ())
        }
    };
    one
}

/// The parts of a message that both layouts hold.
fn said(m: &Meeting) -> Vec<(String, u32, Timestamp, String, String, Vec<ParticipantId>)> {
    let speaker = |said: &MeetingMessage| match &said.speaker {
        Actor::Participant { id } => id.to_string(),
        Actor::Person { .. } => "person".to_owned(),
        Actor::Facilitator | Actor::System => "facilitator".to_owned(),
    };
    let of = |s: &std::sync::Arc<MeetingMessage>| {
        let text = s.text(m.language()).into_owned();
        (speaker(s), s.round, s.at, s.name.clone(), text, s.mentions.clone())
    };
    m.said.iter().map(of).collect()
}

fn skips(log: &[Event]) -> Vec<(Timestamp, ParticipantId, SkipReason)> {
    let skip = |event: &Event| match &event.body {
        EventBody::TurnSkipped { participant, reason, .. } => Some((event.ts_ms, *participant, *reason)),
        EventBody::TurnFailed { participant, kind: FailureKind::TimedOut, .. } => {
            Some((event.ts_ms, *participant, SkipReason::TimedOut))
        }
        _ => None,
    };
    log.iter().filter_map(skip).collect()
}

/// Checks the invariants of the log, and that a meeting that has not ended can go on.
pub fn keeps_the_invariants(log: &[Event]) -> Result<(), TestCaseError> {
    let (mut given, mut ended, mut messages) = (BTreeSet::new(), BTreeSet::new(), 0);
    for (place, event) in log.iter().enumerate() {
        prop_assert_eq!(event.seq, place as u64 + 1);
        prop_assert!(place == 0 || log[place - 1].ts_ms <= event.ts_ms, "time runs back");
        match &event.body {
            EventBody::SpeakerSelected { turn, .. } => prop_assert!(given.insert(*turn)),
            EventBody::TurnSkipped { turn, .. } => prop_assert!(given.contains(turn) && ended.insert(*turn)),
            EventBody::AgentMessage { turn, message_id, .. } => {
                prop_assert!(given.contains(turn) && ended.insert(*turn));
                messages += 1;
                prop_assert_eq!(message_id.0, messages);
            }
            EventBody::UserMessage { message_id, .. } | EventBody::FacilitationWritten { message_id, .. } => {
                messages += 1;
                prop_assert_eq!(message_id.0, messages);
            }
            _ => {}
        }
    }
    let meeting = folded(log);
    prop_assert!(pending(&meeting).is_empty(), "it rests or is over");
    if !meeting.is_over() {
        let mut table = Transaction { now: meeting.updated_at, meeting, log: log.to_vec() };
        table.resumes();
        for _ in 0..30 {
            let Some(call) = table.calls().into_iter().next() else { break };
            table.answers_well(&call, 50);
        }
        let stuck = table.calls().is_empty() && !table.meeting.is_over() && !table.meeting.is_paused();
        prop_assert!(!stuck, "it waits for nothing: {:?}", table);
    }
    Ok(())
}

proptest! {
    #![proptest_config(Config { cases: 192, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_meeting_that_is_exported_and_imported_is_the_same(table in any_meeting(), rooms in any::<bool>()) {
        let before = table.replayed();
        let both = read(&files(&export(&table.log))).map_err(fails)?;
        let from_both = log(&imported(&both).map_err(fails)?[0], "both");
        prop_assert_eq!(&folded(&from_both).settings.details, &before.settings.details);
        let written = files(&only(&export(&table.log), rooms));
        let layout = read(&written).map_err(fails)?;
        let mut all = imported(&layout).map_err(fails)?;
        prop_assert_eq!(all.len(), 1);
        let events = log(&all.remove(0), "another");
        let after = folded(&events);
        prop_assert_eq!(&after.settings.topic, &before.settings.topic);
        prop_assert_eq!(said(&after), said(&before));
        let newcomers = |m: &Meeting| -> Vec<(String, String, String, RunnerSpec)> {
            let seats = m.seats.iter().map(|seat| &seat.participant);
            let of = |p: &Participant| {
                (p.name.clone(), p.role.name.clone(), p.role.description.clone(), p.runner.clone())
            };
            seats.map(of).collect()
        };
        prop_assert_eq!(newcomers(&after), newcomers(&before));
        prop_assert!(after.is_over() || after.is_paused());
        if rooms {
            // A room has no agenda, no minutes, and no end.
            prop_assert_eq!(&after.settings.details, &before.settings.details);
            prop_assert_eq!(skips(&events), skips(&table.log));
            let replies = |m: &Meeting| m.said.iter().map(|said| said.reply_to).collect::<Vec<_>>();
            prop_assert_eq!(replies(&after), replies(&before));
            let announced = |m: &Meeting| m.announcements.last().map(|one| one.text.clone());
            prop_assert_eq!(announced(&after), announced(&before));
            let offline = |m: &Meeting| m.online().map(|seat| seat.participant.id).collect::<Vec<_>>();
            prop_assert_eq!(offline(&after), offline(&before));
        } else {
            let speakers = |m: &Meeting| m.said.iter().map(|said| said.speaker.clone()).collect::<Vec<_>>();
            prop_assert_eq!(speakers(&after), speakers(&before));
            let agenda = |m: &Meeting| -> Vec<(String, String, bool)> {
                let of = |item: &AgendaItem| (item.title.clone(), item.description.clone(), item.completed);
                m.agenda.iter().map(|item| of(item)).collect()
            };
            prop_assert_eq!(agenda(&after), agenda(&before));
            let minutes = |m: &Meeting| -> Vec<(u32, Timestamp, Actor, String, Vec<String>)> {
                let lines = |minutes: &Minutes| minutes.decisions.iter().map(|one| one.text.clone()).collect();
                let of = |one: &MinutesVersion| {
                    (one.version, one.at, one.author.clone(), one.minutes.content.clone(), lines(&one.minutes))
                };
                m.minutes.iter().map(|one| of(one)).collect()
            };
            prop_assert_eq!(minutes(&after), minutes(&before));
            prop_assert_eq!(after.is_over(), before.is_over());
            prop_assert_eq!(after.settings.moderator, before.settings.moderator);
        }
        keeps_the_invariants(&events)?;
    }
}

/// The test above is worth as much as its meetings: they hold everything that a layout has a place for.
#[test]
fn the_meetings_hold_everything_that_is_compared() {
    use proptest::strategy::ValueTree;
    let mut dice = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeMap::<&str, u32>::new();
    for _ in 0..400 {
        let table = any_meeting().new_tree(&mut dice).expect("a meeting").current();
        let mut saw = |what, there: bool| *seen.entry(what).or_default() += u32::from(there);
        for event in &table.log {
            saw(event.body.kind(), true);
        }
        let m = &table.meeting;
        saw("blind", m.rounds.iter().any(|round| round.kind == RoundKind::Blind));
        saw("second round", m.round_number() > 1);
        saw("timed out", skips(&table.log).iter().any(|(_, _, because)| *because == SkipReason::TimedOut));
        saw("mentions", m.said.iter().any(|said| !said.mentions.is_empty()));
        saw("replies", m.said.iter().any(|said| said.reply_to.is_some()));
        saw("open round", m.round().is_some_and(|round| round.ended_seq.is_none() && !m.is_over()));
        saw("host", m.rules().turns.floor == FloorMode::Host);
        saw("title", !m.settings.details.title.is_empty());
        saw("description", m.settings.details.description.chars().count() > 30);
        saw("time zone", m.settings.details.display.time_zone.is_some());
        saw("long topic", m.settings.topic.chars().count() > 30);
    }
    for what in [
        "agent_message",
        "user_message",
        "turn_skipped",
        "turn_failed",
        "facilitation_written",
        "minutes_written",
        "agenda_changed",
        "announcement_published",
        "presence_changed",
        "finished",
        "blind",
        "second round",
        "timed out",
        "mentions",
        "replies",
        "open round",
        "host",
        "title",
        "description",
        "time zone",
        "long topic",
    ] {
        assert!(seen.get(what).is_some_and(|count| *count > 0), "no {what} in any meeting: {seen:?}");
    }
}
