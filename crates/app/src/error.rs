//! Errors of the application, for people and for programs: what happened, and what to do.

use quorate_contract::{Failure, FailureKind, MeetingId, Refusal, Wording, clean};
use quorate_engine::StorageFault;
use quorate_messages::text;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::language::Speech;

/// The category of an error, for programs that act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// An input is invalid; `field` names it, where possible.
    Validation,
    /// A resource does not exist: `resource_type`, `resource_id`.
    NotFound,
    /// A provider did not do its part: `provider`, `status_code`; `key_refused` when its key is missing, wrong or expired.
    Api,
    /// The present state does not allow it: `current_state`.
    MeetingState,
    /// The caller lacks a permission: `required_role`.
    Permission,
    /// An item of the agenda prevents it: `agenda_id`.
    Agenda,
    /// The database or another file did not do its part.
    Storage,
    /// A fault of Quorate itself.
    Internal,
}

/// What stands behind a place until the reader's language is known.
const COLON: &str = ": ";

/// An error of the application.
#[derive(Debug, Clone)]
pub struct ServiceError {
    message: Wording,
    hint: Wording,
    /// Whether the input alone is at fault.
    is_usage: bool,
    kind: ErrorKind,
    /// Details for programs, by name.
    details: Map<String, Value>,
    /// The place of the error, such as a line of a file, with the colon behind it.
    place: Option<Box<str>>,
    /// The core's own words for it, when it was the core that refused.
    refusal: Option<Box<Refusal>>,
    /// The storage fault, when the error is about the storage.
    fault: Option<StorageFault>,
    /// Whether the stored log of one meeting is damaged.
    is_damage: bool,
}

impl ServiceError {
    /// An error with a file; [`ServiceError::of`] sets another kind.
    pub fn new(message: impl Into<Wording>, hint: impl Into<Wording>) -> Self {
        let (message, hint) = (message.into(), hint.into());
        let (kind, details) = (ErrorKind::Storage, Map::new());
        Self {
            message,
            hint,
            is_usage: false,
            kind,
            details,
            place: None,
            refusal: None,
            fault: None,
            is_damage: false,
        }
    }

    /// An error in the input: a request, a command line, or a file that belongs to it.
    pub fn usage(message: impl Into<Wording>, hint: impl Into<Wording>) -> Self {
        Self::new(message, hint).of(ErrorKind::Validation).by_input()
    }

    /// The same, for what was given and nothing else.
    pub(crate) fn by_input(self) -> Self {
        Self { is_usage: true, ..self }
    }

    /// The same, by a refusal of the core.
    pub(crate) fn because(self, refusal: &Refusal) -> Self {
        Self { refusal: Some(Box::new(refusal.clone())), ..self }
    }

    /// The same, because of the storage.
    pub(crate) fn by_storage(self, fault: StorageFault) -> Self {
        Self { fault: Some(fault), ..self }.with("fault", fault.as_str())
    }

    /// The same, because an event of a meeting cannot be read.
    pub(crate) fn damaged(self, meeting: &MeetingId, seq: u64) -> Self {
        Self { is_damage: true, ..self }.with("meeting_id", meeting.as_str()).with("damaged_event", seq)
    }

    /// The same, of another sort.
    pub fn of(self, kind: ErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// The same, with a detail for programs.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// The same, seen from somewhere.
    pub fn at(mut self, place: &str) -> Self {
        self.place = Some(format!("{place}{COLON}").into());
        self
    }

    /// The sort of error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Whether the input alone is at fault, so that repeating it can only fail again.
    pub fn is_usage(&self) -> bool {
        self.is_usage
    }

    /// What to do about it; may be empty.
    pub fn hint(&self) -> &str {
        self.hint.english()
    }

    /// Details for programs, by name: `field`, `resource_id`, `current_state`, …
    pub fn details(&self) -> &Map<String, Value> {
        &self.details
    }

    /// The refusal behind it, when it was the core that refused.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_deref()
    }

    /// The storage fault, when the error is about the storage.
    pub fn fault(&self) -> Option<StorageFault> {
        self.fault
    }

    /// Whether the stored log of one meeting is damaged.
    pub fn is_damage(&self) -> bool {
        self.is_damage
    }

    /// A provider did not do its part; `status` is what it answered, when it answered.
    pub fn api(
        provider: &str,
        status: Option<u16>,
        message: impl Into<Wording>,
        hint: impl Into<Wording>,
    ) -> Self {
        // A server's text is cleaned of control characters before it is shown.
        let (message, hint) = (cleaned(&message.into()), cleaned(&hint.into()));
        Self::new(message, hint).of(ErrorKind::Api).with("provider", provider).with("status_code", status)
    }

    /// The failure of a provider; a refused key has a kind of its own.
    pub(crate) fn failed(provider: &str, status: Option<u16>, failure: Failure) -> Self {
        let is_key = failure.kind == FailureKind::Authentication;
        let this = Self::api(provider, status, failure.detail, failure.hint);
        if is_key { this.with("key_refused", true) } else { this }
    }

    pub(crate) fn not_found(self, resource: &str, id: &str) -> Self {
        self.of(ErrorKind::NotFound).with("resource_type", resource).with("resource_id", id)
    }

    /// The same error for a reader at a terminal, where commands help. A text with one form only stays in it.
    pub fn at_terminal(self, speech: Speech) -> Self {
        let message = self.message.for_terminal().for_reader(speech.0).into();
        let hint = self.hint.for_terminal().for_reader(speech.0).into();
        let place = self.place.map(|place| match place.strip_suffix(COLON) {
            Some(place) => format!("{place}{}", text!(speech, "common-colon")).into_boxed_str(),
            None => place,
        });
        Self { message, hint, place, ..self }
    }

    /// The message, with the place of the error, and the hint; in both languages.
    pub fn in_both(&self) -> (Wording, Wording) {
        let placed = |text: &str| match &self.place {
            Some(place) => format!("{place}{text}"),
            None => text.to_owned(),
        };
        (self.message.map(placed), self.hint.clone())
    }

    /// The message, with the place of the error.
    pub fn message(&self) -> String {
        match &self.place {
            Some(place) => format!("{place}{}", self.message),
            None => self.message.to_string(),
        }
    }

    /// Both in one line, for the middle of a meeting.
    pub fn line(&self) -> String {
        match self.hint.is_empty() {
            true => self.message(),
            false => format!("{} — {}", self.message(), self.hint),
        }
    }

    /// `{"error": {"kind", "message", "hint", …}}`, one line.
    pub fn to_json(&self) -> Value {
        let mut error = self.details.clone();
        error.insert("kind".to_owned(), serde_json::to_value(self.kind).unwrap_or_default());
        error.insert("message".to_owned(), self.message.english().into());
        error.insert("hint".to_owned(), self.hint.english().into());
        serde_json::json!({ "error": error })
    }
}

fn cleaned(text: &Wording) -> Wording {
    text.map(clean)
}

impl std::fmt::Display for ServiceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for ServiceError {}
