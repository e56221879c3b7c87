//! What is to be talked about.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quorate_contract::{AgendaChange, AgendaItem, Command, EventBody, MeetingId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::meeting_access::{ChangeReceipt, execute, find_event, look};
use super::pagination::MeetingItems;
use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list, add)).routes(routes!(complete, remove))
}

/// List agenda items
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/agenda", tag = "agenda", operation_id = "list_agenda_items",
    params(("id" = String, Path, description = "The meeting, by id")),
    responses((status = 200, body = MeetingItems<AgendaItem>), (status = 404, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingItems<Arc<AgendaItem>>>, Problem> {
    let meeting = look(&server, &id).await?;
    Ok(Json(MeetingItems::whole(meeting.agenda, meeting.seq)))
}

/// A new agenda item.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAgendaItem {
    /// The title.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    /// The description; may be empty.
    #[serde(default)]
    #[schema(max_length = 2000)]
    description: String,
}

/// An item that was added to the agenda.
#[derive(Debug, Serialize, ToSchema)]
struct AddedAgendaItem {
    /// The sequence number of the last event that the request caused.
    seq: u64,
    /// The item.
    item: AgendaItem,
}

/// Add an agenda item
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/agenda", tag = "agenda", operation_id = "add_agenda_item",
    params(("id" = String, Path, description = "The meeting, by id")),
    request_body(content = NewAgendaItem, example = json!({"title": "Backups"})),
    responses((status = 201, body = AddedAgendaItem), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn add(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<MeetingId>,
    Body(new): Body<NewAgendaItem>,
) -> Result<(StatusCode, Json<AddedAgendaItem>), Problem> {
    let NewAgendaItem { title, description } = new;
    let command = Command::AddAgendaItem { by: principal.actor(), title, description };
    let seq = execute(&server, &principal, &id, command)
        .await
        .map_err(|problem| problem.placed(&[("/agenda", "")]))?;
    let item = find_event(&server, &id, seq, |body| match body {
        EventBody::AgendaChanged { change: AgendaChange::Added { item }, .. } => Some(item.clone()),
        _ => None,
    })
    .await?;
    Ok((StatusCode::CREATED, Json(AddedAgendaItem { seq, item })))
}

/// A change of an agenda item.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AgendaItemChange {
    /// Whether the item is completed.
    completed: bool,
}

/// Mark an agenda item as completed or open
#[utoipa::path(
    patch, path = "/api/v1/meetings/{id}/agenda/{item}", tag = "agenda", operation_id = "update_agenda_item",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("item" = String, Path, description = "The item, by id (`a1`) or title")),
    request_body(content = AgendaItemChange, example = json!({"completed": true})),
    responses((status = 200, body = ChangeReceipt), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn complete(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, item)): Path<(MeetingId, String)>,
    Body(change): Body<AgendaItemChange>,
) -> Result<Json<ChangeReceipt>, Problem> {
    let completed = change.completed;
    let command = Command::CompleteAgendaItem { by: principal.actor(), item, completed };
    Ok(Json(ChangeReceipt { seq: execute(&server, &principal, &id, command).await? }))
}

/// Remove an agenda item
#[utoipa::path(
    delete, path = "/api/v1/meetings/{id}/agenda/{item}", tag = "agenda", operation_id = "remove_agenda_item",
    params(("id" = String, Path, description = "The meeting, by id"),
        ("item" = String, Path, description = "The item, by id (`a1`) or title")),
    responses((status = 200, body = ChangeReceipt), (status = 404, body = Problem), (status = 409, body = Problem)),
)]
async fn remove(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, item)): Path<(MeetingId, String)>,
) -> Result<Json<ChangeReceipt>, Problem> {
    let command = Command::RemoveAgendaItem { by: principal.actor(), item };
    Ok(Json(ChangeReceipt { seq: execute(&server, &principal, &id, command).await? }))
}
