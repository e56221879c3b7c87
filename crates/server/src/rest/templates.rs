//! Templates of meetings: what is asked for again and again, under a name.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_app::{CreateMeetingRequest, ServiceError, StoreError, Template};
use quorate_messages::{decoding_problem, message};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::etag::{Versions, etag, tagged};
use super::pagination::ItemPage;
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list, create)).routes(routes!(one, change, delete))
}

/// A request to create or replace a template.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TemplateRequest {
    /// The name, unique among templates.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The meeting, as in the body of `POST /api/v1/meetings`; `topic` may be left out.
    #[schema(value_type = CreateMeetingRequest)]
    body: Value,
}

/// List templates
#[utoipa::path(get, path = "/api/v1/templates", tag = "templates", operation_id = "list_templates", responses((status = 200, body = ItemPage<Template>)))]
async fn list(State(server): State<ServerState>) -> Result<Json<ItemPage<Template>>, Problem> {
    Ok(Json(ItemPage::whole(server.app().templates().await?)))
}

/// Create a template
#[utoipa::path(
    post, path = "/api/v1/templates", tag = "templates", operation_id = "create_template", request_body = TemplateRequest,
    responses((status = 201, body = Template), (status = 409, body = Problem), (status = 422, body = Problem)),
)]
async fn create(
    State(server): State<ServerState>,
    Body(TemplateRequest { name, body }): Body<TemplateRequest>,
) -> Result<Response, Problem> {
    check(&body)?;
    let template = server.app().create_template(&name, body, quorate_app::now()).await.map_err(in_body)?;
    let place = HeaderValue::from_str(&format!("/api/v1/templates/{}", template.id))
        .unwrap_or(HeaderValue::from_static("/api/v1/templates"));
    let headers = [(header::LOCATION, place), (header::ETAG, etag(template.version))];
    Ok((StatusCode::CREATED, headers, Json(template)).into_response())
}

/// Get a template
#[utoipa::path(
    get, path = "/api/v1/templates/{id}", tag = "templates", operation_id = "get_template",
    params(("id" = String, Path, description = "The template, by id or name")),
    responses((status = 200, body = Template), (status = 304), (status = 404, body = Problem)),
)]
async fn one(
    State(server): State<ServerState>,
    versions: Versions,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let template = server.app().template(&id).await?;
    Ok(tagged(&versions, template.version, Json(template)))
}

/// Replace a template
#[utoipa::path(
    put, path = "/api/v1/templates/{id}", tag = "templates", operation_id = "replace_template", request_body = TemplateRequest,
    params(
        ("id" = String, Path, description = "The template, by id"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of the template; the request is refused when the template has changed since"),
    ),
    responses((status = 200, body = Template), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 412, body = Problem)),
)]
async fn change(
    State(server): State<ServerState>,
    versions: Versions,
    Path(id): Path<String>,
    Body(TemplateRequest { name, body }): Body<TemplateRequest>,
) -> Result<Response, Problem> {
    check(&body)?;
    let now = quorate_app::now();
    let template =
        server.app().update_template(&id, &name, body, versions.goes_by(), now).await.map_err(in_body)?;
    Ok(([(header::ETAG, etag(template.version))], Json(template)).into_response())
}

/// Delete a template
#[utoipa::path(
    delete, path = "/api/v1/templates/{id}", tag = "templates", operation_id = "delete_template",
    params(("id" = String, Path, description = "The template, by id")),
    responses((status = 204), (status = 404, body = Problem), (status = 412, body = Problem)),
)]
async fn delete(
    State(server): State<ServerState>,
    versions: Versions,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    server.app().delete_template(&id, versions.goes_by()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A template is a meeting that could be asked for, but for its topic.
fn check(body: &Value) -> Result<(), Problem> {
    let new: CreateMeetingRequest = serde_path_to_error::deserialize(body).map_err(|error| {
        let field = format!("body.{}", error.path());
        let detail = decoding_problem(&error.inner().to_string());
        Problem::invalid(&field, detail, message!("server-see-docs-meeting"))
    })?;
    let at_body = |error: ServiceError| Problem::from(error).placed(&[("", "/body")]);
    new.check_remote().map_err(at_body)?;
    new.rules().map(drop).map_err(at_body)
}

/// What is wrong with a template, with its fields as they stand in the body.
fn in_body(error: StoreError) -> Problem {
    Problem::from(error).placed(&[("/template", "")])
}
