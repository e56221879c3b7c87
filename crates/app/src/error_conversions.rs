//! Conversions from the errors of each layer to errors of the application.

use quorate_contract::{Failure, Refusal, RefusalKind, clean};
use quorate_engine::{EngineError, JournalError};
use quorate_messages::message;
use quorate_runners::{AcpConfigError, ProbeFailure, ProcessConfigError, RunnerConfigError, ToolConfigError};
use quorate_store::StoreError;
use quorate_views::folder_layouts::LayoutError;

use crate::error::{ErrorKind, ServiceError};
use crate::language::InBoth;

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        let (message, hint) = error.in_both();
        let this = match error.fault() {
            Some(fault) => Self::new(message, hint).by_storage(fault),
            None => Self::new(message, hint),
        };
        match error {
            StoreError::Journal(error) => error.into(),
            StoreError::Invalid(refusal) => refusal.into(),
            StoreError::NoMatch { prefix } => this.not_found("meeting", &prefix),
            StoreError::NoMeetings => this.not_found("meeting", "last"),
            StoreError::NoDatabase { path } => this.not_found("database", &path.display().to_string()),
            StoreError::NoSuchAgent { name } => this.not_found("agent", &name),
            StoreError::NoSuchCredential { provider } => this.not_found("credential", &provider),
            StoreError::BadCursor => this.by_input().of(ErrorKind::Validation).with("field", "cursor"),
            StoreError::BadIdempotencyKey { .. } => {
                this.by_input().of(ErrorKind::Validation).with("field", "idempotency_key")
            }
            StoreError::NoSuchUpload { id } => this.not_found("upload", &id),
            StoreError::UploadExists { .. }
            | StoreError::UploadTooLarge { .. }
            | StoreError::UploadsFull { .. } => {
                this.by_input().of(ErrorKind::Validation).with("field", "upload")
            }
            StoreError::NoSuchTemplate { name } => this.not_found("template", &name),
            StoreError::TemplateExists { .. } => {
                this.by_input().of(ErrorKind::Validation).with("field", "template.name")
            }
            StoreError::TemplateChanged { found, .. } => {
                this.of(ErrorKind::Validation).with("field", "template.version").with("version", found)
            }
            StoreError::WouldReplace { .. } => {
                this.by_input().of(ErrorKind::Validation).with("field", "force")
            }
            StoreError::Ambiguous { .. } => this.of(ErrorKind::Validation).with("field", "id"),
            StoreError::AgentExists { .. } => {
                this.by_input().of(ErrorKind::Validation).with("field", "agent.name")
            }
            StoreError::KeyOfAnotherAddress { .. } => {
                this.by_input().of(ErrorKind::Validation).with("field", "api_key")
            }
            StoreError::BadDatabaseUrl { .. } | StoreError::NotAServer { .. } => {
                this.by_input().of(ErrorKind::Validation).with("field", "db")
            }
            StoreError::Unreachable { .. }
            | StoreError::ServerUnreachable { .. }
            | StoreError::NotEmpty { .. }
            | StoreError::NotAFile { .. }
            | StoreError::LogWithoutDatabase { .. }
            | StoreError::NotOurs { .. }
            | StoreError::Newer { .. }
            | StoreError::Older { .. }
            | StoreError::BeforeContract { .. }
            | StoreError::NewerContract { .. }
            | StoreError::InUse { .. }
            | StoreError::Exists { .. }
            | StoreError::DamagedCatalogue { .. }
            | StoreError::DamagedAgent { .. }
            | StoreError::DamagedUpload { .. }
            | StoreError::DamagedCopy { .. }
            | StoreError::DamagedSetting { .. }
            | StoreError::VaultKeyMissing { .. }
            | StoreError::VaultKeyExposed { .. }
            | StoreError::VaultKeyUnusable { .. }
            | StoreError::SealedOtherwise { .. } => this,
        }
    }
}
impl From<JournalError> for ServiceError {
    fn from(error: JournalError) -> Self {
        let (message, hint) = error.in_both();
        let this = Self::new(message, hint);
        match error {
            JournalError::NoSuchMeeting(meeting) => this.not_found("meeting", meeting.as_str()),
            JournalError::Unavailable { fault, .. } => this.by_storage(fault),
            JournalError::Damaged { meeting, seq, .. } => this.damaged(&meeting, seq),
            JournalError::Conflict { .. } => this,
            JournalError::Elsewhere { node, .. } => {
                this.of(ErrorKind::MeetingState).with("current_state", "elsewhere").with("node", node)
            }
        }
    }
}
impl From<EngineError> for ServiceError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Refused(refusal) => refusal.into(),
            EngineError::Journal(error) => error.into(),
            EngineError::Gone => {
                let (message, hint) = error.in_both();
                Self::new(message, hint).with("current_state", "stopping")
            }
            EngineError::Quarantined(_) => {
                let (message, hint) = error.in_both();
                Self::new(message, hint).of(ErrorKind::MeetingState).with("current_state", "quarantined")
            }
            EngineError::Broken(..) => {
                let (message, hint) = error.in_both();
                Self::new(message, hint).of(ErrorKind::Internal).with("current_state", "broken_off")
            }
        }
    }
}
impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> Self {
        let kind = match refusal.kind() {
            RefusalKind::Validation => ErrorKind::Validation,
            RefusalKind::NotFound => ErrorKind::NotFound,
            RefusalKind::MeetingState => ErrorKind::MeetingState,
            RefusalKind::Permission => ErrorKind::Permission,
            RefusalKind::Agenda => ErrorKind::Agenda,
        };
        let (message, hint) = refusal.in_both();
        let error = Self::new(message, hint).of(kind);
        let error = error.because(&refusal);
        match refusal {
            Refusal::Invalid { field, .. } => error.by_input().with("field", field),
            Refusal::NameTaken { .. } => error.by_input().with("field", "name"),
            Refusal::NoSuchParticipant { name, .. } => error.not_found("participant", &name),
            Refusal::NotStarted => error.with("current_state", "draft"),
            Refusal::AlreadyStarted | Refusal::NotPaused => error.with("current_state", "active"),
            Refusal::IsPaused => error.with("current_state", "paused"),
            Refusal::MeetingIsOver | Refusal::ForkAfterEnd => error.with("current_state", "ended"),
            Refusal::NoSuchAgendaItem { item, .. } => error.with("agenda_id", item),
            Refusal::NoSuchFile { file, .. } => error.not_found("file", &file),
            Refusal::NoSuchPerson { person, .. } => error.not_found("person", &person),
            Refusal::NotTheHost { .. } => error.with("required_role", "host"),
            Refusal::PeopleMayNotSpeak => error.with("required_role", "moderator"),
            Refusal::AnswerMissing { key, .. }
            | Refusal::BadAnswer { key, .. }
            | Refusal::NotAsked { key, .. } => error.by_input().with("field", key),
            Refusal::WrongResumeToken => error.by_input().with("field", "token"),
            _ => error,
        }
    }
}
impl From<RunnerConfigError> for ServiceError {
    fn from(error: RunnerConfigError) -> Self {
        let (message, hint) = error.in_both();
        Self::usage(message, hint).with("field", "providers")
    }
}
impl From<ProbeFailure> for ServiceError {
    fn from(error: ProbeFailure) -> Self {
        Self::failed(&error.provider, error.status, error.failure)
    }
}
impl From<ProcessConfigError> for ServiceError {
    fn from(error: ProcessConfigError) -> Self {
        Self::usage(error.told(), error.hint)
    }
}
impl From<AcpConfigError> for ServiceError {
    fn from(error: AcpConfigError) -> Self {
        Self::usage(
            message!("app-acp-misconfigured", agent = error.agent, problem = error.problem),
            error.hint,
        )
    }
}

impl From<ToolConfigError> for ServiceError {
    fn from(error: ToolConfigError) -> Self {
        Self::usage(error.told(), error.hint)
    }
}
impl From<LayoutError> for ServiceError {
    fn from(error: LayoutError) -> Self {
        let this = Self::usage(error.placed(), error.hint).with("file", error.file.as_str());
        if error.field.is_empty() { this } else { this.with("field", error.field) }
    }
}
impl From<Failure> for ServiceError {
    fn from(failure: Failure) -> Self {
        let [detail, hint] = [failure.detail, failure.hint].map(|text| text.map(|text| clean(&text)));
        Self::new(detail, hint).of(ErrorKind::Api)
    }
}
