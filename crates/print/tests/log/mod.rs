//! Meetings to print: golden ones, and one with hostile text.

#![allow(dead_code, reason = "each of the tests uses a part of it")]

use quorate_contract::hex::to_hex;
use quorate_contract::signature::{LogChain, LogSignature, Sealing, SignatureAlgorithm, key_id};
use quorate_contract::{Event, EventBody, RunId, Timestamp};
use quorate_core::{Meeting, apply};
use quorate_print::{Options, record};
use quorate_views::Viewer;
use ring::signature::{Ed25519KeyPair, KeyPair};

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

    /// Options with the record of what happened, as an export has them.
    pub fn options(&self) -> Options {
        let meeting = self.meeting();
        let reader = Viewer::of_export(&meeting, false);
        let record = record(&meeting, &self.events, reader, meeting.language());
        Options { record, ..Options::default() }
    }

    pub fn page(&self, options: &Options) -> String {
        let log = self.lines.iter().map(String::as_str).zip(&self.events);
        quorate_print::html(&self.meeting(), log, options)
    }

    /// The page with a signature of this log.
    pub fn signed_page(&self, with_marks: bool) -> String {
        let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).expect("a seed");
        let public_key: [u8; 32] = pair.public_key().as_ref().try_into().expect("32 bytes");
        let meeting = self.events[0].meeting_id.clone();
        let mut chain = LogChain::of(&meeting);
        self.lines.iter().for_each(|line| _ = chain.push(line));
        let mut signature = LogSignature {
            algorithm: SignatureAlgorithm::Ed25519,
            key_id: key_id(&public_key),
            public_key: to_hex(&public_key),
            meeting_id: meeting,
            seq: chain.seq(),
            hash: to_hex(&chain.hash()),
            checksums: to_hex(&chain.checksums()),
            signed_at: Timestamp(1_772_353_800_000),
            signature: String::new(),
        };
        let text = signature.canonical().expect("a plain id");
        signature.signature = to_hex(pair.sign(text.as_bytes()).as_ref());
        let sealing = Some(Sealing::Signed(signature));
        self.page(&Options { with_marks, sealing, ..Options::default() })
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
