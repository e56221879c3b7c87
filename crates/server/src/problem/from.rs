//! What each error of the application becomes as a problem.

use axum::http::StatusCode;
use quorate_app::{EngineError, ErrorKind, InBoth, JournalError, PasswordError, ServiceError, StoreError};
use quorate_contract::{Refusal, RefusalKind};
use quorate_messages::message;

use super::Problem;

/// The sort of a refusal, for the address of its explanation.
fn sort_of(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Invalid { .. } => "invalid",
        Refusal::NotCreated | Refusal::NotStarted => "not-started",
        Refusal::AlreadyCreated | Refusal::AlreadyStarted => "already-started",
        Refusal::MeetingIsOver | Refusal::ForkAfterEnd => "meeting-is-over",
        Refusal::IsPaused => "is-paused",
        Refusal::NotPaused => "not-paused",
        Refusal::WrongResumeToken => "wrong-resume-token",
        Refusal::NoSuchParticipant { .. } => "no-such-participant",
        Refusal::NameTaken { .. } => "name-taken",
        Refusal::TurnIsOver { .. } => "turn-is-over",
        Refusal::CannotSkip { .. } => "cannot-skip",
        Refusal::CannotCallUp { .. } => "cannot-call-up",
        Refusal::NoSuchAgendaItem { .. } => "no-such-agenda-item",
        Refusal::NoSuchFile { .. } => "no-such-file",
        Refusal::PeopleMayNotSpeak => "people-may-not-speak",
        Refusal::NotTheHost { .. } => "not-the-host",
        Refusal::NoSuchPerson { .. } => "no-such-person",
        Refusal::TooManyPeople { .. } => "too-many-people",
        Refusal::AnswerMissing { .. } => "answer-missing",
        Refusal::BadAnswer { .. } => "bad-answer",
        Refusal::NotAsked { .. } => "not-asked",
        Refusal::NothingToRecord => "nothing-to-record",
        Refusal::AlreadyRequested { .. } => "already-requested",
        Refusal::MinutesOutdated { .. } => "minutes-outdated",
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let status = match (&refusal, refusal.kind()) {
            // Another request came first.
            (Refusal::MinutesOutdated { .. } | Refusal::WrongResumeToken | Refusal::NameTaken { .. }, _) => {
                StatusCode::CONFLICT
            }
            (_, RefusalKind::Validation) => StatusCode::UNPROCESSABLE_ENTITY,
            (_, RefusalKind::NotFound | RefusalKind::Agenda) => StatusCode::NOT_FOUND,
            (_, RefusalKind::MeetingState) => StatusCode::CONFLICT,
            (_, RefusalKind::Permission) => StatusCode::FORBIDDEN,
        };
        let (detail, hint) = refusal.in_both();
        let this = Self::new(status, sort_of(&refusal), detail.clone()).hint(hint);
        let this = match &refusal {
            Refusal::NotCreated | Refusal::NotStarted => this.in_state("draft"),
            Refusal::MeetingIsOver | Refusal::ForkAfterEnd => this.in_state("ended"),
            Refusal::IsPaused => this.in_state("paused"),
            Refusal::NoSuchParticipant { name, .. } => this.about_resource("participant", name),
            Refusal::NoSuchAgendaItem { item, .. } => this.about_resource("agenda item", item),
            Refusal::NoSuchFile { file, .. } => this.about_resource("file", file),
            _ => this,
        };
        match &refusal {
            Refusal::Invalid { field, problem, .. } => this.field(field, problem.clone()),
            Refusal::NameTaken { .. } => this.field("name", detail),
            Refusal::AnswerMissing { key, .. }
            | Refusal::BadAnswer { key, .. }
            | Refusal::NotAsked { key, .. } => this.field(&format!("answers.{key}"), detail),
            Refusal::WrongResumeToken => this.field("token", detail),
            _ => this,
        }
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        let (status, sort) = match &error {
            JournalError::NoSuchMeeting(id) => return Self::not_found("meeting", id.as_str()),
            JournalError::Conflict { .. } => (StatusCode::CONFLICT, "somebody-was-faster"),
            // Where it cannot be forwarded, the node is about to be gone, or serves nobody.
            JournalError::Elsewhere { .. } => {
                let (detail, hint) = error.in_both();
                let status = StatusCode::SERVICE_UNAVAILABLE;
                return Self::new(status, "elsewhere", detail)
                    .hint(hint)
                    .retry_after(2)
                    .in_state("elsewhere");
            }
            JournalError::Unavailable { fault, .. } => return Self::of_storage(*fault, error.in_both()),
            JournalError::Damaged { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "damaged"),
        };
        let (detail, hint) = error.in_both();
        Self::new(status, sort, detail).hint(hint)
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        let (detail, hint) = error.in_both();
        match error {
            EngineError::Refused(refusal) => refusal.into(),
            EngineError::Journal(error) => error.into(),
            EngineError::Gone => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", detail).hint(hint).retry_after(1)
            }
            EngineError::Quarantined(_) => {
                Self::new(StatusCode::CONFLICT, "quarantined", detail).hint(hint).in_state("quarantined")
            }
            EngineError::Broken(..) => {
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken-off", detail).hint(hint)
            }
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let (detail, hint) = error.in_both();
        let told = |status, sort: &str| Self::new(status, sort, detail.clone()).hint(hint.clone());
        if let (false, Some(fault)) = (matches!(error, StoreError::Journal(_)), error.fault()) {
            return Self::of_storage(fault, (detail, hint));
        }
        match error {
            StoreError::Journal(error) => error.into(),
            StoreError::Invalid(refusal) => refusal.into(),
            StoreError::NoMatch { prefix } => Self::not_found("meeting", &prefix),
            StoreError::NoMeetings => Self::not_found("meeting", "last"),
            StoreError::NoSuchAgent { name } => Self::not_found("agent", &name),
            StoreError::NoSuchCredential { provider } => Self::not_found("provider", &provider),
            StoreError::AgentExists { .. } => told(StatusCode::CONFLICT, "name-taken")
                .hint(message!("server-agent-exists-hint"))
                .field("name", detail),
            StoreError::KeyOfAnotherAddress { .. } => Self::invalid("api_key", detail, hint),
            StoreError::BadCursor => Self::invalid("cursor", detail, hint),
            StoreError::Ambiguous { .. } => Self::invalid("id", detail, hint),
            StoreError::NoSuchUpload { id } => Self::not_found("upload", &id),
            StoreError::NoSuchTemplate { name } => Self::not_found("template", &name),
            StoreError::UploadExists { .. } | StoreError::TemplateExists { .. } => {
                told(StatusCode::CONFLICT, "name-taken").field("name", detail)
            }
            StoreError::TemplateChanged { .. } => told(StatusCode::PRECONDITION_FAILED, "changed-meanwhile"),
            StoreError::UploadTooLarge { .. } => told(StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
            StoreError::UploadsFull { .. } => told(StatusCode::INSUFFICIENT_STORAGE, "uploads-full"),
            StoreError::BadIdempotencyKey { .. } => Self::invalid("Idempotency-Key", detail, hint),
            _ => told(StatusCode::SERVICE_UNAVAILABLE, "storage").retry_after(5),
        }
    }
}

/// A password that is not taken.
impl From<PasswordError> for Problem {
    fn from(error: PasswordError) -> Self {
        let (detail, hint) = error.in_both();
        Self::invalid("password", detail, hint)
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        let detail = |name: &str| error.details().get(name).and_then(|value| value.as_str());
        if let Some(refusal) = error.refusal() {
            let this = Self::from(refusal.clone());
            return match (refusal, detail("field")) {
                // The place of the field in the request is known better here than in the core.
                (Refusal::Invalid { .. } | Refusal::NameTaken { .. }, Some(field)) => this.about(field),
                _ => this,
            };
        }
        if let Some(fault) = error.fault() {
            return Self::of_storage(fault, error.in_both());
        }
        let (status, sort) = match error.kind() {
            ErrorKind::Storage if error.is_damage() => (StatusCode::INTERNAL_SERVER_ERROR, "damaged"),
            ErrorKind::Validation => (StatusCode::UNPROCESSABLE_ENTITY, "invalid"),
            ErrorKind::NotFound => {
                let what = detail("resource_type").unwrap_or("thing");
                return Self::not_found(what, detail("resource_id").unwrap_or_default());
            }
            ErrorKind::Api if error.details().contains_key("key_refused") => {
                (StatusCode::BAD_GATEWAY, "key-refused")
            }
            ErrorKind::Api => (StatusCode::BAD_GATEWAY, "provider"),
            ErrorKind::MeetingState if detail("current_state") == Some("quarantined") => {
                (StatusCode::CONFLICT, "quarantined")
            }
            ErrorKind::MeetingState if detail("current_state") == Some("no_seat") => {
                (StatusCode::CONFLICT, "no-seat")
            }
            ErrorKind::MeetingState | ErrorKind::Agenda => (StatusCode::CONFLICT, "somebody-was-faster"),
            ErrorKind::Permission => (StatusCode::FORBIDDEN, "forbidden"),
            ErrorKind::Storage if detail("current_state") == Some("stopping") => {
                (StatusCode::SERVICE_UNAVAILABLE, "stopping")
            }
            ErrorKind::Storage => (StatusCode::SERVICE_UNAVAILABLE, "storage"),
            ErrorKind::Internal if detail("current_state") == Some("broken_off") => {
                (StatusCode::INTERNAL_SERVER_ERROR, "broken-off")
            }
            ErrorKind::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "bug"),
        };
        let (message, hint) = error.in_both();
        let mut this = Self::new(status, sort, message.clone()).hint(hint);
        this.provider = detail("provider").map(Into::into);
        let provider_status = error.details().get("status_code").and_then(serde_json::Value::as_u64);
        this.provider_status = provider_status.and_then(|status| u16::try_from(status).ok());
        this.current_state = detail("current_state").map(Into::into);
        let this = match detail("field") {
            Some(field) => this.field(field, message),
            None => this,
        };
        if status == StatusCode::SERVICE_UNAVAILABLE { this.retry_after(5) } else { this }
    }
}
