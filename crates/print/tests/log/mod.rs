//! Meetings to print: golden ones, and one with hostile text.

#![allow(dead_code, reason = "each of the tests uses a part of it")]

use quorate_contract::{Event, EventBody, RunId};
use quorate_core::{Meeting, apply};
use quorate_print::Options;

/// A whole log, each line with its event.
pub struct Log {
    pub lines: Vec<String>,
    pub events: Vec<Event>,
}

impl Log {
    /// One of `fixtures/meetings`.
    pub fn golden(name: &str) -> Self {
        let path = format!("{}/../../fixtures/meetings/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let events = text.lines().map(|line| Event::from_json(line).expect("a golden event"));
        Self::of(events.collect())
    }

    pub fn of(events: Vec<Event>) -> Self {
        Self { lines: events.iter().map(Event::to_json).collect(), events }
    }

    pub fn meeting(&self) -> Meeting {
        let mut meeting = Meeting::blank(self.events[0].meeting_id.clone(), RunId::new(""));
        self.events.iter().for_each(|event| apply(&mut meeting, event));
        meeting
    }

    pub fn page(&self, options: &Options) -> String {
        let log = self.lines.iter().map(String::as_str).zip(&self.events);
        quorate_print::html(&self.meeting(), log, options)
    }

    /// The reason of a hidden mark.
    #[allow(dead_code, reason = "not every test is about marks")]
    pub fn mark_reason(&self) -> String {
        let marks = self.events.iter().filter_map(|event| match &event.body {
            EventBody::EvaluationWritten { marks, .. } => marks.first(),
            _ => None,
        });
        marks.into_iter().next().expect("there are marks").reason.to_string()
    }
}

/// A meeting in which every message, the topic and the conclusion are this text.
pub fn hostile(text: &str) -> Log {
    let mut events = Log::golden("zh/consensus").events;
    for event in &mut events {
        match &mut event.body {
            EventBody::MeetingCreated { topic, .. } => *topic = text.chars().take(200).collect(),
            EventBody::AgentMessage { message, .. } => message.content = text.to_owned(),
            EventBody::ConclusionWritten { conclusion, .. } => *conclusion = text.to_owned(),
            _ => {}
        }
    }
    Log::of(events)
}

/// A short meeting in English in which one message is this text.
pub fn hostile_once(text: &str) -> Log {
    let mut events = Log::golden("en/consensus").events;
    let end = events.iter().position(|event| matches!(event.body, EventBody::AgentMessage { .. }));
    events.truncate(end.expect("somebody speaks") + 1);
    if let Some(Event { body: EventBody::AgentMessage { message, .. }, .. }) = events.last_mut() {
        message.content = text.to_owned();
    }
    Log::of(events)
}
