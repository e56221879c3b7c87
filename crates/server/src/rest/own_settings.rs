//! The settings of the person who calls.

use axum::Json;
use axum::extract::State;
use quorate_app::{PersonSettings, PersonSettingsChange};

use crate::access::SignedIn;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::Body;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(show, change))
}

/// Get the caller's settings
///
/// They are kept for accounts and for the person at this machine. Guests keep theirs in the browser, and programs have
/// none: both are refused.
#[utoipa::path(
    get, path = "/api/v1/me/settings", tag = "settings", operation_id = "get_own_settings",
    responses((status = 200, body = PersonSettings), (status = 401, body = Problem),
        (status = 403, body = Problem, description = "The caller is a guest or a program")),
)]
async fn show(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
) -> Result<Json<PersonSettings>, Problem> {
    Ok(Json(server.app().person_settings(&principal).await?))
}

/// Change the caller's settings
///
/// Fields that are left out keep their value; `null` removes a choice.
#[utoipa::path(
    patch, path = "/api/v1/me/settings", tag = "settings", operation_id = "update_own_settings",
    request_body(content = PersonSettingsChange, example = json!({"time_zone": "Europe/Berlin", "theme": null})),
    responses((status = 200, body = PersonSettings), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem, description = "The caller is a guest or a program"),
        (status = 415, body = Problem), (status = 422, body = Problem)),
)]
async fn change(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Body(change): Body<PersonSettingsChange>,
) -> Result<Json<PersonSettings>, Problem> {
    Ok(Json(server.app().change_person_settings(&principal, change).await?))
}
