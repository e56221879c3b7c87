//! What is to be talked about.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quorate_contract::{AgendaChange, AgendaItem, Command, EventBody, MeetingId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::meeting_access::{Done, execute, find_event, look};
use crate::access::SignedIn;
use crate::body::{Body, Path};
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(complete, remove))
}

/// The agenda.
#[derive(Debug, Serialize, ToSchema)]
struct Agenda {
    /// Its items, in their order.
    items: Vec<Arc<AgendaItem>>,
    /// The last event of the meeting, by its sequence number.
    last_seq: u64,
}

/// What is to be talked about
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/agenda", tag = "agenda", operation_id = "get_agenda",
    params(("id" = String, Path, description = "The meeting")),
    responses((status = 200, body = Agenda), (status = 404, body = Problem)),
)]
async fn list(State(server): State<ServerState>, Path(id): Path<MeetingId>) -> Result<Json<Agenda>, Problem> {
    let meeting = look(&server, &id).await?;
    Ok(Json(Agenda { items: meeting.agenda, last_seq: meeting.seq }))
}

/// Something to be talked about.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewItem {
    /// 1-200 characters.
    title: String,
    /// What belongs to it, at most 2000 characters.
    #[serde(default)]
    description: String,
}

/// An item that was put on the agenda.
#[derive(Debug, Serialize, ToSchema)]
struct Added {
    /// The last event that followed, by its sequence number.
    seq: u64,
    /// The item.
    item: AgendaItem,
}

/// Put something on the agenda
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/agenda", tag = "agenda", operation_id = "add_agenda_item",
    params(("id" = String, Path, description = "The meeting")),
    request_body(content = NewItem, example = json!({"title": "Backups"})),
    responses((status = 201, body = Added), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn add(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(new): Body<NewItem>,
) -> Result<(StatusCode, Json<Added>), Problem> {
    let NewItem { title, description } = new;
    let command = Command::AddAgendaItem { by: principal.actor(), title, description };
    let seq = execute(&server, &principal, &id, command)
        .await
        .map_err(|problem| problem.placed(&[("/agenda", "")]))?;
    let item = find_event(&server, &id, seq, |body| match body {
        EventBody::AgendaChanged { change: AgendaChange::Added { item }, .. } => Some(item.clone()),
        _ => None,
    })
    .await?;
    Ok((StatusCode::CREATED, Json(Added { seq, item })))
}

/// How an item is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ItemChange {
    /// Whether it is done.
    completed: bool,
}

/// An item is done, or is not after all
#[utoipa::path(
    patch, path = "/api/v1/meetings/{id}/agenda/{item}", tag = "agenda", operation_id = "complete_agenda_item",
    params(("id" = String, Path, description = "The meeting"),
        ("item" = String, Path, description = "Its id, `a1`, or its title")),
    request_body(content = ItemChange, example = json!({"completed": true})),
    responses((status = 200, body = Done), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn complete(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, item)): Path<(MeetingId, String)>,
    Body(change): Body<ItemChange>,
) -> Result<Json<Done>, Problem> {
    let completed = change.completed;
    let command = Command::CompleteAgendaItem { by: principal.actor(), item, completed };
    Ok(Json(Done { seq: execute(&server, &principal, &id, command).await? }))
}

/// Take something off the agenda
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/agenda/{item}", tag = "agenda", operation_id = "remove_agenda_item",
    params(("id" = String, Path, description = "The meeting"),
        ("item" = String, Path, description = "Its id, `a1`, or its title")),
    responses((status = 200, body = Done), (status = 404, body = Problem), (status = 409, body = Problem)),
)]
async fn remove(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, item)): Path<(MeetingId, String)>,
) -> Result<Json<Done>, Problem> {
    let command = Command::RemoveAgendaItem { by: principal.actor(), item };
    Ok(Json(Done { seq: execute(&server, &principal, &id, command).await? }))
}
