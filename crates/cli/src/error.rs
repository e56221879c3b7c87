//! What the command says when it cannot do its work: what happened, and what to do.

use std::process::ExitCode;

use quorate_core::layout::LayoutError;
use quorate_core::{Failure, Refusal, RefusalKind, clean};
use quorate_engine::{EngineError, JournalError};
use quorate_runners::{ProbeFailure, ProcessConfigError, RunnerConfigError};
use quorate_store::StoreError;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::speech::Speech;

/// The sort of error, for programs that act on it (000, types of errors).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ErrorKind {
    /// What was given is not right; `field` says which part of it, where that can be said.
    Validation,
    /// What was named is not there: `resource_type`, `resource_id`.
    NotFound,
    /// A provider did not do its part: `provider`, `status_code`.
    Api,
    /// Not now: `current_state`.
    MeetingState,
    /// Somebody else may do it: `required_role`.
    Permission,
    /// An item of the agenda stands in the way: `agenda_id`.
    Agenda,
    /// The database or another file did not do its part.
    Storage,
    /// A fault of Quorate itself.
    Internal,
}

/// Why the command did not do its work.
#[derive(Debug)]
pub(crate) struct CliError {
    message: String,
    hint: String,
    code: u8,
    kind: ErrorKind,
    /// What else a program may want to know, by name.
    details: Map<String, Value>,
    /// Where it was seen, such as a line of a file.
    place: Option<Box<str>>,
    /// The core's own words for it, when it was the core that refused.
    refusal: Option<Box<Refusal>>,
}

impl CliError {
    /// Trouble with a file; [`CliError::of`] says so when it is something else.
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        let (message, hint) = (message.into(), hint.into());
        let (kind, details) = (ErrorKind::Storage, Map::new());
        Self { message, hint, code: 1, kind, details, place: None, refusal: None }
    }

    /// The command line, or a file that belongs to it, is wrong.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code: 2, ..Self::new(message, hint) }.of(ErrorKind::Validation)
    }

    /// The same, of another sort.
    pub(crate) fn of(self, kind: ErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// The same, with a detail for programs.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// The same, seen from somewhere.
    pub(crate) fn at(mut self, place: &str) -> Self {
        self.place = Some(place.into());
        self
    }

    pub(crate) fn hint(&self) -> &str {
        &self.hint
    }

    /// A provider did not do its part; `status` is what it answered, when it answered.
    pub(crate) fn api(
        provider: &str,
        status: Option<u16>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        // A server's words are shown as words, whatever they hold.
        let (message, hint) = (clean(&message.into()), clean(&hint.into()));
        Self::new(message, hint).of(ErrorKind::Api).with("provider", provider).with("status_code", status)
    }

    fn not_found(self, resource: &str, id: &str) -> Self {
        self.of(ErrorKind::NotFound).with("resource_type", resource).with("resource_id", id)
    }

    /// The same, where a refusal of the core can be said in another language.
    pub(crate) fn in_words(self, speech: Speech) -> Self {
        match &self.refusal {
            Some(refusal) => {
                let (message, hint) = crate::speech::refusal(refusal, speech);
                Self { message, hint, ..self }
            }
            None => self,
        }
    }

    pub(crate) fn message(&self) -> String {
        match &self.place {
            Some(place) => format!("{place}: {}", self.message),
            None => self.message.clone(),
        }
    }

    /// Both in one line, for the middle of a meeting.
    pub(crate) fn line(&self) -> String {
        match self.hint.is_empty() {
            true => self.message(),
            false => format!("{} — {}", self.message(), self.hint),
        }
    }

    /// Says it on stderr: to people, or with `json` as a line for programs.
    pub(crate) fn report(&self, speech: Speech, json: bool) -> ExitCode {
        if json {
            anstream::eprintln!("{}", self.to_json());
            return ExitCode::from(self.code);
        }
        let error = anstyle::AnsiColor::Red.on_default().bold();
        let hint = anstyle::AnsiColor::Cyan.on_default();
        anstream::eprintln!("{error}{}{error:#} {}", speech.pick("错误：", "error:"), self.message());
        if !self.hint.is_empty() {
            anstream::eprintln!("{hint}{}{hint:#} {}", speech.pick("建议：", " hint:"), self.hint);
        }
        ExitCode::from(self.code)
    }

    /// `{"error": {"kind", "message", "hint", …}}`, one line.
    fn to_json(&self) -> Value {
        let mut error = self.details.clone();
        error.insert("kind".to_owned(), serde_json::to_value(self.kind).unwrap_or_default());
        error.insert("message".to_owned(), self.message.as_str().into());
        error.insert("hint".to_owned(), self.hint.as_str().into());
        serde_json::json!({ "error": error })
    }
}

/// What is wrong with the command line, as clap found it. Asked for help or the version, it says that.
impl From<&clap::Error> for CliError {
    fn from(error: &clap::Error) -> Self {
        use clap::error::{ContextKind, ContextValue};
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default();
        let message = message.split_once(": ").map_or(message, |(_, message)| message);
        let this = Self::usage(message, "see --help");
        match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(field)) => this.with("field", field.as_str()),
            Some(ContextValue::Strings(fields)) => this.with("field", fields.join(" ")),
            Some(_) | None => this,
        }
    }
}

/// The error with its causes, each once.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        let this = Self::new(chain(&error), error.hint());
        match error {
            StoreError::Journal(error) => error.into(),
            StoreError::Invalid(refusal) => refusal.into(),
            StoreError::NoMatch { prefix } => this.not_found("meeting", &prefix),
            StoreError::NoMeetings => this.not_found("meeting", "last"),
            StoreError::NoDatabase { path } => this.not_found("database", &path.display().to_string()),
            StoreError::NoSuchAgent { name } => this.not_found("agent", &name),
            StoreError::NoSuchCredential { provider } => this.not_found("credential", &provider),
            StoreError::BadCursor => {
                Self { code: 2, ..this }.of(ErrorKind::Validation).with("field", "cursor")
            }
            StoreError::BadIdempotencyKey { .. } => {
                Self { code: 2, ..this }.of(ErrorKind::Validation).with("field", "idempotency_key")
            }
            StoreError::NoSuchUpload { id } => this.not_found("upload", &id),
            StoreError::UploadExists { .. } | StoreError::UploadTooLarge { .. } => {
                Self { code: 2, ..this }.of(ErrorKind::Validation).with("field", "upload")
            }
            StoreError::NoSuchTemplate { name } => this.not_found("template", &name),
            StoreError::TemplateExists { .. } => {
                Self { code: 2, ..this }.of(ErrorKind::Validation).with("field", "template.name")
            }
            StoreError::TemplateChanged { found, .. } => {
                this.of(ErrorKind::Validation).with("field", "template.version").with("version", found)
            }
            StoreError::Ambiguous { .. } => this.of(ErrorKind::Validation).with("field", "id"),
            StoreError::AgentExists { .. } => {
                Self { code: 2, ..this }.of(ErrorKind::Validation).with("field", "agent.name")
            }
            StoreError::KeyOfAnotherAddress { .. } => {
                Self { code: 2, ..this }.of(ErrorKind::Validation).with("field", "api_key")
            }
            StoreError::Unreachable { .. }
            | StoreError::NotOurs { .. }
            | StoreError::Newer { .. }
            | StoreError::Older { .. }
            | StoreError::InUse { .. }
            | StoreError::Exists { .. }
            | StoreError::DamagedCatalogue { .. }
            | StoreError::DamagedAgent { .. }
            | StoreError::DamagedUpload { .. }
            | StoreError::DamagedSetting { .. }
            | StoreError::VaultKeyMissing { .. }
            | StoreError::VaultKeyExposed { .. }
            | StoreError::VaultKeyUnusable { .. }
            | StoreError::SealedOtherwise { .. } => this,
        }
    }
}
impl From<JournalError> for CliError {
    fn from(error: JournalError) -> Self {
        let this = Self::new(chain(&error), error.hint());
        match error {
            JournalError::NoSuchMeeting(meeting) => this.not_found("meeting", meeting.as_str()),
            JournalError::Conflict { .. }
            | JournalError::Unavailable { .. }
            | JournalError::Damaged { .. } => this,
        }
    }
}
impl From<EngineError> for CliError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Refused(refusal) => refusal.into(),
            EngineError::Journal(error) => error.into(),
            EngineError::Gone => Self::new(error.to_string(), error.hint()),
        }
    }
}
impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> Self {
        let kind = match refusal.kind() {
            RefusalKind::Validation => ErrorKind::Validation,
            RefusalKind::NotFound => ErrorKind::NotFound,
            RefusalKind::MeetingState => ErrorKind::MeetingState,
            RefusalKind::Permission => ErrorKind::Permission,
            RefusalKind::Agenda => ErrorKind::Agenda,
        };
        let error = Self::new(refusal.to_string(), refusal.hint()).of(kind);
        let error = Self { refusal: Some(Box::new(refusal.clone())), ..error };
        match refusal {
            Refusal::Invalid { field, .. } => Self { code: 2, ..error }.with("field", field),
            Refusal::NameTaken { .. } => Self { code: 2, ..error }.with("field", "name"),
            Refusal::NoSuchParticipant { name, .. } => error.not_found("participant", &name),
            Refusal::NotStarted => error.with("current_state", "draft"),
            Refusal::AlreadyStarted | Refusal::NotPaused => error.with("current_state", "active"),
            Refusal::IsPaused => error.with("current_state", "paused"),
            Refusal::MeetingIsOver | Refusal::ForkAfterEnd => error.with("current_state", "ended"),
            Refusal::NoSuchAgendaItem { item, .. } => error.with("agenda_id", item),
            Refusal::PeopleMayNotSpeak => error.with("required_role", "moderator"),
            Refusal::AnswerMissing { key, .. }
            | Refusal::BadAnswer { key, .. }
            | Refusal::NotAsked { key, .. } => Self { code: 2, ..error }.with("field", key),
            Refusal::WrongResumeToken => Self { code: 2, ..error }.with("field", "token"),
            _ => error,
        }
    }
}
impl From<RunnerConfigError> for CliError {
    fn from(error: RunnerConfigError) -> Self {
        Self::usage(chain(&error), error.hint()).with("field", "providers")
    }
}
impl From<ProbeFailure> for CliError {
    fn from(error: ProbeFailure) -> Self {
        Self::api(&error.provider, error.status, error.failure.detail, error.failure.hint)
    }
}
impl From<ProcessConfigError> for CliError {
    fn from(error: ProcessConfigError) -> Self {
        Self::usage(error.to_string(), error.hint())
    }
}
impl From<LayoutError> for CliError {
    fn from(error: LayoutError) -> Self {
        let this = Self::usage(error.to_string(), error.hint.as_str()).with("file", error.file.as_str());
        if error.field.is_empty() { this } else { this.with("field", error.field) }
    }
}
impl From<Failure> for CliError {
    fn from(failure: Failure) -> Self {
        Self::new(clean(&failure.detail), clean(&failure.hint)).of(ErrorKind::Api)
    }
}
