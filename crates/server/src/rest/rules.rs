//! What a meeting is held by: its topic and title, its rules, what everybody is to know, its password.
//!
//! Two editors can meet here. Whoever sends `If-Match` is refused when what they edit has changed since they
//! looked; the check and the edit are one thing at a time for each meeting.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use quorate_app::DisplayEntry;
use quorate_contract::{Command, EventBody, MeetingDetails, MeetingId, Rules, Timestamp};
use quorate_core::{Meeting, decide};
use quorate_messages::{Message, message};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use tokio::sync::{Mutex, MutexGuard};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::meeting_access::{MeetingStanding, execute, look};
use super::tag::{Versions, outdated, tagged};
use crate::access::SignedIn;
use crate::body::{Body, Path};
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(change)).routes(routes!(rules, set_rules))
}

/// Editors wait here for one another; two meetings rarely share a place.
static EDITS: [Mutex<()>; 64] = [const { Mutex::const_new(()) }; 64];

async fn one_at_a_time(id: &MeetingId) -> MutexGuard<'static, ()> {
    let mut hasher = DefaultHasher::new();
    id.as_str().hash(&mut hasher);
    let place = hasher.finish() as usize % EDITS.len();
    EDITS[place].lock().await
}

/// Changes of a meeting. Fields that are left out keep their value.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct MeetingChange {
    /// The question.
    #[schema(min_length = 1, max_length = 200)]
    topic: Option<String>,
    /// The title; `null` shows the topic instead.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<String>, max_length = 200)]
    title: Option<Option<String>>,
    /// The purpose of the meeting in one line; `null` removes it.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<String>, max_length = 200)]
    description: Option<Option<String>>,
    /// How times of the meeting are displayed: fields that are left out keep their value, and `null` leaves it to each reader.
    #[schema(value_type = Option<DisplayEntry>)]
    display: Option<Map<String, Value>>,
    /// Changes of the rules: fields that are left out keep their value, and `null` removes an optional rule.
    #[schema(value_type = Option<Object>)]
    rules: Option<Map<String, Value>>,
    /// An announcement for all participants.
    #[schema(min_length = 1, max_length = 2000)]
    announcement: Option<String>,
    /// A password for the meeting; `null` removes it.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    password: Option<Option<String>>,
}

impl MeetingChange {
    fn touches_details(&self) -> bool {
        self.title.is_some() || self.description.is_some() || self.display.is_some()
    }

    /// The details with these changes; `None` when there is none.
    fn details(&self, meeting: &Meeting) -> Result<Option<MeetingDetails>, Problem> {
        if !self.touches_details() {
            return Ok(None);
        }
        let mut details = meeting.details();
        if let Some(title) = &self.title {
            details.title = title.clone().unwrap_or_default();
        }
        if let Some(description) = &self.description {
            details.description = description.clone().unwrap_or_default();
        }
        if let Some(given) = &self.display {
            let mut all = serde_json::to_value(&details.display).unwrap_or_default();
            if let Some(all) = all.as_object_mut() {
                lay_over(all, given);
            }
            let entry: DisplayEntry = serde_path_to_error::deserialize(all).map_err(|error| {
                let field = match error.path().to_string() {
                    path if path == "." => "display".to_owned(),
                    path => format!("display.{path}"),
                };
                Problem::invalid(&field, error.inner().to_string(), message!("server-display-hint"))
            })?;
            details.display = entry.checked()?;
        }
        Ok(Some(details))
    }
}

/// Tells what is null from what is not there.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// What an edit touches, by the events that change it.
fn touches(change: &MeetingChange) -> impl Fn(&EventBody) -> bool + use<> {
    let (topic, rules, password) =
        (change.topic.is_some(), change.rules.is_some(), change.password.is_some());
    let details = change.touches_details();
    move |body| match body {
        EventBody::TopicChanged { .. } => topic,
        EventBody::DetailsChanged { .. } => details,
        EventBody::RulesChanged { .. } => rules,
        EventBody::AccessChanged { .. } => password,
        _ => false,
    }
}

/// Update a meeting
///
/// Applies all changes of the request or none. Changes take effect with the next turn.
#[utoipa::path(
    patch, path = "/api/v1/meetings/{id}", tag = "meetings", operation_id = "update_meeting",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("If-Match" = Option<String>, Header, description = "The ETag of what was looked at: refused when what is \
            changed here was changed after it")),
    request_body(content = MeetingChange, example = json!({"rules": {"limits": {"max_rounds": 3}}})),
    responses((status = 200, body = MeetingStanding), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 412, body = Problem, description = "It changed meanwhile"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn change(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    versions: Versions,
    Path(id): Path<MeetingId>,
    Body(change): Body<MeetingChange>,
) -> Result<Json<MeetingStanding>, Problem> {
    let _turn = one_at_a_time(&id).await;
    let meeting = look(&server, &id).await?;
    is_as_seen(&server, &meeting, &versions, message!("server-meeting-changed"), touches(&change)).await?;
    let details = change.details(&meeting)?;
    let MeetingChange { topic, rules, announcement, password, .. } = change;
    let rules = rules.map(|given| laid_over(meeting.rules(), &given)).transpose()?.map(Box::new);
    let locked = password.as_ref().map(Option::is_some);
    let by = principal.actor();
    let command = Command::ChangeMeeting { by, topic, details, rules, announcement, locked };
    // What would be refused is refused before a password is thought of.
    decide(&meeting, command.clone(), now(&meeting))?;
    let _hashing = match &password {
        Some(Some(_)) => Some(server.access().hashing_turn().await?),
        Some(None) | None => None,
    };
    server.app().change(&id, command, password.as_ref().map(Option::as_deref)).await?;
    Ok(Json(MeetingStanding::of(&look(&server, &id).await?)))
}

/// The moment that a question to the core is asked at: nothing is stated at it.
fn now(meeting: &Meeting) -> Timestamp {
    meeting.updated_at
}

/// Get the rules of a meeting
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/rules", tag = "meetings", operation_id = "get_rules",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = Rules, headers(("ETag" = String, description = "The version of the rules, for `If-Match`"))),
        (status = 304, description = "Not modified since the version in `If-None-Match`"), (status = 404, body = Problem)),
)]
async fn rules(
    State(server): State<ServerState>,
    versions: Versions,
    Path(id): Path<MeetingId>,
) -> Result<Response, Problem> {
    let meeting = look(&server, &id).await?;
    Ok(tagged(&versions, meeting.seq, Json(meeting.rules().clone())))
}

/// The new rules of a meeting.
#[derive(Debug, Serialize, ToSchema)]
struct ReplacedRules {
    /// The sequence number of the last event that the request caused; also the `ETag`.
    seq: u64,
    /// The complete rules.
    rules: Rules,
}

/// Replace the rules of a meeting
///
/// The new rules take effect with the next turn. Rules that are left out take the default of the format. To
/// change single rules, use `PATCH /api/v1/meetings/{id}`.
#[utoipa::path(
    put, path = "/api/v1/meetings/{id}/rules", tag = "meetings", operation_id = "replace_rules",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("If-Match" = Option<String>, Header, description = "The ETag of what was looked at: refused when the rules \
            were changed after it")),
    request_body = Rules,
    responses((status = 200, body = ReplacedRules, headers(("ETag" = String, description = "The new version of the rules, for `If-Match`"))),
        (status = 400, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 412, body = Problem, description = "The rules were changed since the version in `If-Match`"), (status = 415, body = Problem),
        (status = 422, body = Problem)),
)]
async fn set_rules(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    versions: Versions,
    Path(id): Path<MeetingId>,
    Body(rules): Body<Rules>,
) -> Result<Response, Problem> {
    let _turn = one_at_a_time(&id).await;
    let meeting = look(&server, &id).await?;
    let touched = |body: &EventBody| matches!(body, EventBody::RulesChanged { .. });
    is_as_seen(&server, &meeting, &versions, message!("server-rules-changed"), touched).await?;
    let seq = execute(
        &server,
        &principal,
        &id,
        Command::ChangeRules { by: principal.actor(), rules: Box::new(rules) },
    )
    .await?;
    let rules = look(&server, &id).await?.rules().clone();
    let none = Versions::none();
    Ok(tagged(&none, seq, Json(ReplacedRules { seq, rules })))
}

/// Refuses an edit when what it touches was changed after its editor looked.
async fn is_as_seen(
    server: &ServerState,
    meeting: &Meeting,
    versions: &Versions,
    outdated_by: Message,
    touched: impl Fn(&EventBody) -> bool,
) -> Result<(), Problem> {
    let Some(seen) = versions.goes_by() else { return Ok(()) };
    if seen == 0 || seen > meeting.seq {
        return Err(outdated(outdated_by, meeting.seq));
    }
    let since = server.app().records(&meeting.id, seen).await?;
    match since.iter().any(|record| touched(&record.event.body)) {
        true => Err(outdated(outdated_by, meeting.seq)),
        false => Ok(()),
    }
}

/// The rules with these over them.
fn laid_over(rules: &Rules, given: &Map<String, Value>) -> Result<Rules, Problem> {
    let mut all = serde_json::to_value(rules).map_err(|error| Problem::unreadable(error.to_string()))?;
    if let Some(all) = all.as_object_mut() {
        lay_over(all, given);
    }
    serde_path_to_error::deserialize(all).map_err(|error| {
        let path = match error.path().to_string() {
            path if path == "." => "rules".to_owned(),
            path => format!("rules.{path}"),
        };
        Problem::invalid(&path, error.inner().to_string(), message!("server-rules-hint"))
    })
}

/// Puts every value of `over` in place of the one below it.
fn lay_over(below: &mut Map<String, Value>, over: &Map<String, Value>) {
    for (key, value) in over {
        match (below.get_mut(key), value) {
            (Some(Value::Object(below)), Value::Object(over)) => lay_over(below, over),
            _ => _ = below.insert(key.clone(), value.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn over(given: Value) -> Result<Rules, Problem> {
        laid_over(&Rules::default(), given.as_object().expect("an object"))
    }

    #[test]
    fn what_is_not_given_stays() {
        let rules = over(json!({"limits": {"max_rounds": 2, "tokens": null}})).expect("sound");
        let mut expected = Rules::default();
        (expected.limits.max_rounds, expected.limits.tokens) = (2, None);
        assert_eq!(rules, expected);
    }

    #[test]
    fn what_is_wrong_is_named_by_its_pointer() {
        let problem = over(json!({"turns": {"timeout_ms": "soon"}})).expect_err("no number");
        let json = serde_json::to_value(&problem).expect("plain");
        assert_eq!(json["errors"][0]["pointer"], "/rules/turns/timeout_ms");
    }
}
