//! What is told, written once for all who hear it.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use quorate_app::{FragmentKind, Record};
use quorate_contract::{Event, MeetingId, ParticipantId, TaskId};
use quorate_views::{Moment, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// A durable event, as it is told.
pub(crate) struct EventFrame {
    meeting: MeetingId,
    pub(crate) seq: u64,
    kind: Box<str>,
    line: Arc<str>,
    event: OnceLock<Option<Arc<Event>>>,
    /// What hid something when this was told.
    moment: Moment,
    /// The line for those who may not see everything; `None` when it is the same.
    redacted: OnceLock<Option<Box<str>>>,
    /// For those who may see everything, and for all others.
    sse: [OnceLock<Bytes>; 2],
    messages: [OnceLock<Utf8Bytes>; 2],
}

/// What is read of a line without decoding all of it.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: Box<str>,
}

impl EventFrame {
    /// An event that has just become true.
    pub(super) fn of(meeting: &MeetingId, record: Record, moment: Moment) -> Self {
        let (seq, kind) = (record.event.seq, record.event.body.kind().into());
        let event = OnceLock::from(Some(record.event));
        Self { event, ..Self::blank(meeting, seq, kind, record.line, moment) }
    }

    /// An event as it stands in the log.
    pub(super) fn read(meeting: &MeetingId, seq: u64, line: String, moment: Moment) -> Self {
        let kind = serde_json::from_str::<Head>(&line).map(|head| head.kind).unwrap_or_default();
        Self::blank(meeting, seq, kind, line.into(), moment)
    }

    fn blank(meeting: &MeetingId, seq: u64, kind: Box<str>, line: Arc<str>, moment: Moment) -> Self {
        Self {
            meeting: meeting.clone(),
            seq,
            kind,
            line,
            event: OnceLock::new(),
            moment,
            redacted: OnceLock::new(),
            sse: Default::default(),
            messages: Default::default(),
        }
    }

    /// Its `type`.
    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    /// The event itself; `None` for one that this version does not know.
    pub(crate) fn event(&self) -> Option<&Arc<Event>> {
        self.event.get_or_init(|| Event::from_json(&self.line).ok().map(Arc::new)).as_ref()
    }

    /// What hid something when this was told.
    pub(crate) fn moment(&self) -> Moment {
        self.moment
    }

    /// Its line: as stored for those who may see everything, without what is hidden for others.
    pub(crate) fn line(&self, sees_all: bool) -> &str {
        let redacted = if sees_all { None } else { self.redacted() };
        redacted.unwrap_or(&self.line)
    }

    fn redacted(&self) -> Option<&str> {
        let redact = || match self.event() {
            Some(event) => Viewer::public(self.moment).line(event).map(Box::from),
            // What cannot be read cannot be looked through.
            None => {
                let payload = json!({ "withheld": true });
                Some(json!({ "seq": self.seq, "type": self.kind, "payload": payload }).to_string().into())
            }
        };
        self.redacted.get_or_init(redact).as_deref()
    }

    /// As a server-sent event.
    pub(crate) fn sse(&self, sees_all: bool) -> Bytes {
        let open = sees_all || self.redacted().is_none();
        let write = || self.sse_with(self.line(sees_all));
        self.sse[usize::from(open)].get_or_init(write).clone()
    }

    /// As a message over a WebSocket.
    pub(crate) fn message(&self, sees_all: bool) -> Utf8Bytes {
        let open = sees_all || self.redacted().is_none();
        let write = || self.message_with(self.line(sees_all));
        self.messages[usize::from(open)].get_or_init(write).clone()
    }

    /// As a server-sent event with another line in the place of its own.
    pub(super) fn sse_with(&self, line: &str) -> Bytes {
        format!("id: {}\nevent: {}\ndata: {line}\n\n", self.seq, self.kind).into()
    }

    /// As a message over a WebSocket with another line in the place of its own.
    pub(super) fn message_with(&self, line: &str) -> Utf8Bytes {
        let meeting = json!(self.meeting);
        format!(r#"{{"type":"event","meeting":{meeting},"event":{line}}}"#).into()
    }

    /// About how many bytes it keeps alive.
    pub(super) fn weight(&self) -> usize {
        self.line.len() * 2 + 200
    }
}

/// A piece of an answer in progress.
///
/// A piece with the offset 0 replaces all earlier pieces of the same task, attempt and kind; every other
/// piece begins where the previous one ended.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenFrame {
    /// The call that the answer belongs to: `speak:r1t2`.
    #[schema(value_type = String)]
    pub(crate) task: TaskId,
    /// The turn that is answered: `r1t2`; absent for other tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn: Option<String>,
    /// The attempt, counted from 1.
    pub(crate) attempt: u32,
    /// The participant who answers; `null` for the facilitator.
    pub(crate) participant: Option<ParticipantId>,
    /// `answer`, or `reasoning` for callers who may see it.
    pub(crate) kind: &'static str,
    /// The position in the answer at which the piece begins, in bytes of UTF-8.
    pub(crate) offset: usize,
    /// The position in the answer at which the piece ends, in bytes of UTF-8.
    pub(crate) end: usize,
    /// The text of the piece.
    pub(crate) text: String,
    #[serde(skip)]
    #[schema(ignore)]
    message: OnceLock<Utf8Bytes>,
}

/// The kind of a piece of what a model thinks before it answers.
const REASONING: &str = "reasoning";

impl TokenFrame {
    /// The turn that a piece of an answer belongs to, and the bytes of the answer that it holds; nothing for thoughts
    /// and for other tasks.
    pub(super) fn of_turn(&self) -> Option<(&str, Range<usize>)> {
        let turn = self.turn.as_deref().filter(|_| self.kind != REASONING)?;
        Some((turn, self.offset..self.end))
    }

    pub(super) fn new(
        task: TaskId,
        attempt: u32,
        participant: Option<ParticipantId>,
        kind: FragmentKind,
        offset: usize,
        text: &str,
    ) -> Self {
        let turn = match task {
            TaskId::Speak(turn) => Some(turn.to_string()),
            _ => None,
        };
        let kind = match kind {
            FragmentKind::Answer => "answer",
            FragmentKind::Reasoning => REASONING,
        };
        let (end, text, message) = (offset + text.len(), text.to_owned(), OnceLock::new());
        Self { task, turn, attempt, participant, kind, offset, end, text, message }
    }

    pub(super) fn is_reasoning(&self) -> bool {
        self.kind == REASONING
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("a piece of text is plain")
    }

    /// As a message over a WebSocket.
    pub(crate) fn message(&self, meeting: &MeetingId) -> Utf8Bytes {
        let write = || {
            let meeting = json!(meeting);
            format!(r#"{{"type":"token","meeting":{meeting},{}"#, &self.json()[1..]).into()
        };
        self.message.get_or_init(write).clone()
    }
}

/// The pieces that are told at one time.
#[derive(Default)]
pub(crate) struct TokenBatch {
    /// For those who may see everything.
    pub(super) all: Vec<Arc<TokenFrame>>,
    /// For all others: no thoughts, no votes, nothing of what is for the record alone.
    pub(super) plain: Vec<Arc<TokenFrame>>,
    sse: [OnceLock<Bytes>; 2],
}

impl TokenBatch {
    /// The pieces that a listener may see; may be none.
    pub(crate) fn frames(&self, sees_all: bool) -> &[Arc<TokenFrame>] {
        if sees_all { &self.all } else { &self.plain }
    }

    /// As server-sent events; empty when there is nothing for this viewer.
    pub(crate) fn sse(&self, sees_all: bool) -> Bytes {
        let write = || Self::sse_of(self.frames(sees_all).iter());
        self.sse[usize::from(sees_all)].get_or_init(write).clone()
    }

    /// Some pieces as server-sent events.
    pub(super) fn sse_of<'b>(frames: impl Iterator<Item = &'b Arc<TokenFrame>>) -> Bytes {
        frames.map(|frame| format!("event: token\ndata: {}\n\n", frame.json())).collect::<String>().into()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.plain.is_empty()
    }

    /// About how many bytes it keeps alive.
    pub(super) fn weight(&self) -> usize {
        let own = self.plain.iter().filter(|frame| !self.all.iter().any(|one| Arc::ptr_eq(one, frame)));
        let texts = self.all.iter().chain(own).map(|frame| frame.text.len() + 100);
        texts.sum::<usize>() * 2 + 200
    }
}
