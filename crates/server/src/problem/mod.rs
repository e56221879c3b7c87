//! Errors for programs and people: problem details (RFC 9457).
//!
//! Every error that leaves the server passes through here, so that a status is chosen once. It is made in
//! both languages and leaves in the client's (`requests/content_language.rs`).

mod denied;
mod from;
pub(crate) mod types;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{Recovery, StorageFault};
use quorate_contract::{Language, Wording};
use quorate_messages::{message, text};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// An error response, as `application/problem+json` (RFC 9457).
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// The type of problem, as a link to its documentation: `/api/v1/problems#is-paused`.
    #[serde(rename = "type")]
    #[schema(rename = "type", value_type = String)]
    kind: Box<str>,
    /// The type of problem, in a few words.
    #[schema(value_type = String)]
    title: Box<str>,
    /// The HTTP status.
    status: u16,
    /// What happened in this request.
    #[serde(serialize_with = "english")]
    #[schema(value_type = String)]
    detail: Wording,
    /// How to resolve the problem.
    #[serde(serialize_with = "english", skip_serializing_if = "Wording::is_empty")]
    #[schema(value_type = String)]
    hint: Box<Wording>,
    /// The fields with errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FieldProblem>,
    /// The time to wait before a retry, in seconds; also in the header `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u32>,
    /// The type of the resource that was not found: `meeting`, `agent`, `participant`.
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_type: Option<Box<str>>,
    /// The id or name of the resource, as it was in the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_id: Option<Box<str>>,
    /// The state that does not allow the request: `draft`, `paused`, `ended` or `quarantined`.
    #[serde(skip_serializing_if = "Option::is_none")]
    current_state: Option<Box<str>>,
    /// The scope that the request needs: `read`, `speak`, `manage` or `owner`.
    #[serde(skip_serializing_if = "Option::is_none")]
    required_role: Option<Box<str>>,
    /// The provider of models that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<Box<str>>,
    /// The HTTP status of the provider's response.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_status: Option<u16>,
    /// The tickets of the caller's open turns, oldest first; present when the answered turn has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    open_turns: Option<Box<[String]>>,
}

/// An error in one field of the request.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FieldProblem {
    /// The field, as a JSON pointer into the body (RFC 6901): `/participants/1/name`.
    pub pointer: String,
    /// What is wrong with the field.
    #[serde(serialize_with = "english")]
    #[schema(value_type = String)]
    pub detail: Wording,
}

fn english<S: Serializer>(text: &Wording, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text.english())
}

impl Problem {
    /// A problem of a sort (`is-paused`) with its status.
    pub(crate) fn new(status: StatusCode, sort: &str, detail: impl Into<Wording>) -> Self {
        Self {
            kind: format!("/api/v1/problems#{sort}").into(),
            title: types::title(Language::En, sort).into(),
            status: status.as_u16(),
            detail: detail.into(),
            hint: Box::new("".into()),
            errors: Vec::new(),
            retry_after: None,
            resource_type: None,
            resource_id: None,
            current_state: None,
            required_role: None,
            provider: None,
            provider_status: None,
            open_turns: None,
        }
    }

    /// Whether it leaves open if the request was carried out: the database or the meeting was lost before it had answered.
    pub(crate) fn is_unknown(&self) -> bool {
        let sort = self.kind.rsplit_once('#').map_or("", |(_, sort)| sort);
        matches!(sort, "storage" | "stopping" | "broken-off" | "bug")
    }

    /// The same, with what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<Wording>) -> Self {
        self.hint = Box::new(hint.into());
        self
    }

    /// The same, about a field of the body, as the core names it: `participants[1].name`.
    pub(crate) fn field(mut self, field: &str, detail: impl Into<Wording>) -> Self {
        self.errors.push(FieldProblem { pointer: pointer(field), detail: detail.into() });
        self
    }

    /// The same, with its fields where they stand in this body. The core and the store name a field as they
    /// know it; of the pairs of pointers, the first that a field begins with is put in its place.
    pub(crate) fn placed(mut self, places: &[(&str, &str)]) -> Self {
        for error in &mut self.errors {
            let rest = |known: &str| {
                let rest = error.pointer.strip_prefix(known)?;
                (rest.is_empty() || rest.starts_with('/')).then(|| rest.to_owned())
            };
            let found = places.iter().find_map(|(known, here)| Some(format!("{here}{}", rest(known)?)));
            if let Some(found) = found {
                error.pointer = found;
            }
        }
        self
    }

    /// The same, about this field alone.
    fn about(mut self, field: &str) -> Self {
        for error in &mut self.errors {
            error.pointer = pointer(field);
        }
        self
    }

    /// The same, with another status.
    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status: status.as_u16(), ..self }
    }

    /// The same, about the state that does not allow it.
    pub(crate) fn in_state(mut self, state: &str) -> Self {
        self.current_state = Some(state.into());
        self
    }

    /// The same, with the turns that are open instead.
    pub(crate) fn open_turns(mut self, tickets: Vec<String>) -> Self {
        self.open_turns = Some(tickets.into());
        self
    }

    /// The same, with the scope that would be needed.
    pub(crate) fn needs_role(mut self, role: &str) -> Self {
        self.required_role = Some(role.into());
        self
    }

    /// The same, about a resource that is not there.
    fn about_resource(mut self, kind: &str, id: &str) -> Self {
        (self.resource_type, self.resource_id) = (Some(kind.into()), Some(id.into()));
        self
    }

    /// Adds a retry delay in seconds.
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(u32::try_from(seconds.max(1)).unwrap_or(u32::MAX));
        self
    }

    /// The error for a request that is not JSON, or not the expected JSON.
    pub(crate) fn unreadable(detail: impl Into<Wording>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unreadable", detail).hint(message!("server-send-json"))
    }

    /// A part of the request that can be read and is not right.
    pub(crate) fn invalid(field: &str, detail: impl Into<Wording>, hint: impl Into<Wording>) -> Self {
        let detail = detail.into();
        let whole = named(field, &detail);
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", whole).hint(hint).field(field, detail)
    }

    /// The error for a resource that does not exist, or that the caller may not see.
    pub(crate) fn not_found(what: &str, id: &str) -> Self {
        let detail = Wording::in_each(|language| {
            text!(language, "server-not-found", what = types::thing(language, what), id)
        });
        Self::new(StatusCode::NOT_FOUND, "not-found", detail)
            .hint(message!("server-not-found-hint"))
            .about_resource(what, id)
    }

    /// The error for a path that no route matches.
    pub(crate) fn no_route(path: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", message!("server-no-route", path))
            .hint(message!("server-see-docs"))
            .about_resource("route", path)
    }

    /// The storage did not do its part; nothing was acknowledged.
    fn of_storage(fault: StorageFault, (detail, hint): (Wording, Wording)) -> Self {
        let unavailable = StatusCode::SERVICE_UNAVAILABLE;
        let (status, sort) = match fault {
            StorageFault::Full => (StatusCode::INSUFFICIENT_STORAGE, "disk-full"),
            StorageFault::ReadOnly => (unavailable, "database-read-only"),
            StorageFault::Gone => (unavailable, "database-gone"),
            StorageFault::Busy => (unavailable, "database-busy"),
            StorageFault::Inaccessible
            | StorageFault::Unreachable
            | StorageFault::Disk
            | StorageFault::Corrupt
            | StorageFault::OutOfMemory
            | StorageFault::Stopped
            | StorageFault::Bug => (unavailable, "storage"),
        };
        let this = Self::new(status, sort, detail).hint(hint);
        match fault.recovery() {
            Recovery::Soon => this.retry_after(1),
            Recovery::WhenMended | Recovery::Never => this.retry_after(5),
        }
    }

    /// Something of ours is broken.
    pub(crate) fn bug(what: &dyn std::fmt::Display) -> Self {
        Self::our_fault(message!("server-bug-because", %what))
    }

    /// The error for a fault of ours whose cause is unknown.
    pub(crate) fn our_fault(detail: impl Into<Wording>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "bug", detail).hint(message!("server-bug-hint"))
    }

    /// The problem as it is told to an agent that calls tools.
    pub(crate) fn for_tools(mut self) -> Self {
        self.detail = self.detail.for_tools();
        self.hint = Box::new(self.hint.for_tools());
        for error in &mut self.errors {
            error.detail = error.detail.clone().for_tools();
        }
        self
    }

    /// The problem in the reader's language. A text that exists in one language only stands behind the
    /// meaning of its type.
    pub(crate) fn told_in(mut self, language: Language) -> Self {
        if language == Language::En {
            return self;
        }
        let sort = self.kind.rsplit('#').next().unwrap_or_default();
        let [title, means, helps] =
            [types::title(language, sort), types::meaning(language, sort), types::hint(language, sort)];
        let told = |text: &Wording, general: &str| match text.in_language(language) {
            Some(text) => text.to_owned(),
            None => text!(language, "server-told-elsewhere", general, said = text.english()),
        };
        self.detail = told(&self.detail, means.trim_end_matches('。')).into();
        if !self.hint.is_empty() {
            self.hint = Box::new(told(&self.hint, helps.trim_end_matches('。')).into());
        }
        for error in &mut self.errors {
            error.detail = error.detail.for_reader(language).into();
        }
        self.title = title.into();
        self
    }

    /// What happened, and how to resolve it.
    pub(crate) fn in_both(&self) -> (Wording, Wording) {
        (self.detail.clone(), (*self.hint).clone())
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.detail.english())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        // The last check on access knows the reader.
        let told = axum::Extension(self.clone());
        (self.status(), headers, told, Json(self)).into_response()
    }
}

/// The detail, with the name of the field before it.
fn named(field: &str, detail: &Wording) -> Wording {
    if field.is_empty() {
        return detail.clone();
    }
    match detail.in_language(Language::En) {
        Some(_) => Wording::in_each(|language| {
            text!(language, "refusal-is-invalid", field, problem = detail.for_reader(language))
        }),
        None => format!("{field}: {detail}").into(),
    }
}

/// `participants[1].name` as a JSON pointer.
fn pointer(field: &str) -> String {
    let mut pointer = String::new();
    for part in field.split('.').filter(|part| !part.is_empty()) {
        for piece in part.split('[') {
            pointer.push('/');
            pointer.push_str(&piece.trim_end_matches(']').replace('~', "~0").replace('/', "~1"));
        }
    }
    pointer
}

#[cfg(test)]
mod tests {
    use quorate_app::{ServiceError, StoreError};
    use quorate_contract::Refusal;
    use quorate_engine::JournalError;

    use super::*;

    #[test]
    fn a_database_that_was_lost_leaves_open_what_was_done_and_one_that_refused_does_not() {
        let lost = |fault| {
            let detail = quorate_messages::as_said("");
            Problem::from(JournalError::Unavailable { fault, detail }).is_unknown()
        };
        assert!(lost(StorageFault::Unreachable) && lost(StorageFault::Stopped));
        assert!(!lost(StorageFault::Full) && !lost(StorageFault::ReadOnly) && !lost(StorageFault::Busy));
        assert!(!Problem::from(Refusal::MeetingIsOver).is_unknown());
    }

    #[test]
    fn a_field_is_named_as_a_pointer() {
        assert_eq!(pointer("participants[1].role.name"), "/participants/1/role/name");
        assert_eq!(pointer("rules.talk.lengths.a/b"), "/rules/talk/lengths/a~1b");
        assert_eq!(pointer(""), "");
    }

    #[test]
    fn a_field_of_the_core_is_placed_in_the_body() {
        let at = |field: &str, places: &[(&str, &str)]| {
            let problem = Problem::invalid(field, "is empty", "write something").placed(places);
            problem.errors[0].pointer.clone()
        };
        assert_eq!(at("agenda.title", &[("/agenda", "")]), "/title");
        assert_eq!(at("agendas.title", &[("/agenda", "")]), "/agendas/title");
        assert_eq!(at("agent.role.name", &[("/agent/role/name", "/role"), ("/agent", "")]), "/role");
        assert_eq!(at("agent.name", &[("/agent/role/name", "/role"), ("/agent", "")]), "/name");
        assert_eq!(at("prices", &[("", "/body")]), "/body/prices");
    }

    #[test]
    fn what_whoever_asks_can_mend_is_no_trouble_with_the_storage() {
        let missing = || "x".to_owned();
        for (error, status) in [
            (StoreError::NoSuchUpload { id: missing() }, 404),
            (StoreError::NoSuchTemplate { name: missing() }, 404),
            (StoreError::TemplateExists { name: missing() }, 409),
            (StoreError::UploadTooLarge { most: 1 }, 413),
            (StoreError::UploadsFull { files: 1, bytes: 1 }, 507),
            (StoreError::BadCursor, 422),
        ] {
            assert_eq!(Problem::from(error).status(), status);
        }
    }

    #[test]
    fn a_problem_carries_the_fields_of_its_error_type() {
        let json = |problem: Problem| serde_json::to_value(&problem).expect("plain");
        let missing = json(Problem::not_found("agent", "Ada"));
        assert_eq!((&missing["resource_type"], &missing["resource_id"]), (&"agent".into(), &"Ada".into()));
        assert_eq!(json(Refusal::IsPaused.into())["current_state"], "paused");
        assert_eq!(json(Problem::our_fault("x").needs_role("manage"))["required_role"], "manage");
        let provider: ServiceError = ServiceError::api("openai", Some(401), "refused", "mend it");
        let failed = json(provider.into());
        assert_eq!((&failed["provider"], &failed["provider_status"]), (&"openai".into(), &401.into()));
        assert!(json(Problem::our_fault("x")).get("provider").is_none());
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let problem = Problem::from(Refusal::IsPaused);
        assert_eq!(problem.status(), StatusCode::CONFLICT);
        let json = serde_json::to_value(&problem).expect("plain");
        assert_eq!(json["type"], "/api/v1/problems#is-paused");
        assert_eq!(json["hint"], "resume it first");
    }

    #[test]
    fn a_problem_is_told_in_chinese_as_well() {
        let told = |problem: Problem| serde_json::to_value(problem.told_in(Language::Zh)).expect("plain");
        let json = told(Refusal::IsPaused.into());
        assert_eq!((&json["title"], &json["detail"]), (&"会议已暂停".into(), &"会议已暂停".into()));
        assert_eq!(
            (&json["hint"], &json["type"]),
            (&"先继续会议".into(), &"/api/v1/problems#is-paused".into())
        );
        let out_of_range = message!("contract-check-choose-number-from", min = "1", max = "9");
        let json = told(Problem::invalid("limit", message!("contract-check-empty"), out_of_range));
        assert_eq!(
            (&json["detail"], &json["errors"][0]["detail"]),
            (&"limit：不能为空".into(), &"不能为空".into())
        );
        // What others say has one form; what its sort means goes before it.
        let json = told(Problem::unreadable("expected `,`"));
        assert_eq!(json["detail"], "请求的形式不对：不是 JSON，或头部不合要求（expected `,`）");
        let same =
            serde_json::to_value(Problem::from(Refusal::IsPaused).told_in(Language::En)).expect("plain");
        assert_eq!(same, serde_json::to_value(Problem::from(Refusal::IsPaused)).expect("plain"));
    }
}
