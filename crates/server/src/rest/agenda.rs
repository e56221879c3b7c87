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
use super::pagination::MeetingItems;
use crate::access::SignedIn;
use crate::body::{Body, Path};
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(complete, remove))
}

/// What is to be talked about
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/agenda", tag = "agenda", operation_id = "list_agenda_items",
    params(("id" = String, Path, description = "The meeting")),
    responses((status = 200, body = MeetingItems<AgendaItem>), (status = 404, body = Problem)),
)]
async fn list(
    State(server): State<ServerState>,
    Path(id): Path<MeetingId>,
) -> Result<Json<MeetingItems<Arc<AgendaItem>>>, Problem> {
    let meeting = look(&server, &id).await?;
    Ok(Json(MeetingItems::whole(meeting.agenda, meeting.seq)))
}

/// Something to be talked about.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAgendaItem {
    /// What is to be discussed.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    /// What belongs to it.
    #[serde(default)]
    #[schema(max_length = 2000)]
    description: String,
}

/// An item that was put on the agenda.
#[derive(Debug, Serialize, ToSchema)]
struct AddedAgendaItem {
    /// The last event that followed, by its sequence number.
    seq: u64,
    /// The item.
    item: AgendaItem,
}

/// Put something on the agenda
#[utoipa::path(
    post, path = "/api/v1/meetings/{id}/agenda", tag = "agenda", operation_id = "add_agenda_item",
    params(("id" = String, Path, description = "The meeting")),
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

/// How an item is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AgendaItemChange {
    /// Whether it is done.
    completed: bool,
}

/// An item is done, or is not after all
#[utoipa::path(
    patch, path = "/api/v1/meetings/{id}/agenda/{item}", tag = "agenda", operation_id = "update_agenda_item",
    params(("id" = String, Path, description = "The meeting"),
        ("item" = String, Path, description = "Its id, `a1`, or its title")),
    request_body(content = AgendaItemChange, example = json!({"completed": true})),
    responses((status = 200, body = Done), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn complete(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, item)): Path<(MeetingId, String)>,
    Body(change): Body<AgendaItemChange>,
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
