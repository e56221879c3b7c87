//! The library of agents: described once, seated at many meetings.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{Agent, AgentEntry, AgentRequest, ServiceError};
use quorate_messages::message;
use serde::Serialize;
use serde_json::json;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use super::etag::{Versions, outdated, tagged};
use super::pagination::ItemPage;
use crate::access::{AccessCredential, Detail, Principal, Scope, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::{Body, Path};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list, create)).routes(routes!(one, change, delete)).routes(routes!(test))
}

/// Editors wait here for one another.
static EDITS: Mutex<()> = Mutex::const_new(());

/// The saved agent.
#[derive(Debug, Serialize, ToSchema)]
struct SavedAgent {
    /// The agent.
    #[serde(flatten)]
    agent: Agent,
    /// Other agents and meetings that use the provider whose key or address was changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shared_with: Vec<String>,
}

/// The result of testing an agent.
#[derive(Debug, Serialize, ToSchema)]
struct AgentTestResult {
    /// The agent's name.
    agent: String,
    /// Whether the agent answered.
    ok: bool,
    /// Whether the agent is simulated, so that no provider was called.
    simulated: bool,
    /// The response time of the model in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    latency_ms: Option<u64>,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<String>,
}

/// List agents
///
/// Agents that connect themselves have `presence` and `last_seen_at`.
#[utoipa::path(get, path = "/api/v1/agents", tag = "agents", operation_id = "list_agents", responses((status = 200, body = ItemPage<AgentEntry>)))]
async fn list(State(server): State<ServerState>) -> Result<Json<ItemPage<AgentEntry>>, Problem> {
    let agents = server.app().agents().await?;
    Ok(Json(ItemPage::whole(agents.into_iter().map(|agent| server.app().agent_entry(agent)))))
}

/// Create an agent
///
/// Set `model` (`provider/name`) for an agent that a model answers for, `process/name` or `acp/name` for one that a
/// program answers for, or `temperament` for a simulated one.
/// A key in the request is stored encrypted and is never returned.
#[utoipa::path(
    post, path = "/api/v1/agents", tag = "agents", operation_id = "create_agent", request_body = AgentRequest,
    responses((status = 201, body = SavedAgent), (status = 409, body = Problem), (status = 422, body = Problem)),
)]
async fn create(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
    Body(request): Body<AgentRequest>,
) -> Result<Response, Problem> {
    check_keys(&principal, &request)?;
    let request = AgentRequest { allow_local: server.allows_local(&credential), ..request };
    let saved = server.app().create_agent(&request).await.map_err(refused)?;
    let location = format!("/api/v1/agents/{}", saved.agent.id);
    let place = HeaderValue::from_str(&location).unwrap_or(HeaderValue::from_static("/api/v1/agents"));
    let body = Json(SavedAgent { agent: saved.agent, shared_with: saved.shared_with });
    let detail = Extension(Detail(json!({ "name": body.agent.name })));
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], detail, body).into_response())
}

/// Get an agent
///
/// An agent that connects itself has `presence` and `last_seen_at`. They change without its `ETag`, so it is returned whole
/// each time.
#[utoipa::path(
    get, path = "/api/v1/agents/{name}", tag = "agents", operation_id = "get_agent",
    params(("name" = String, Path, description = "The agent, by name or id")),
    responses((status = 200, body = AgentEntry), (status = 304), (status = 404, body = Problem)),
)]
async fn one(
    State(server): State<ServerState>,
    versions: Versions,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let agent = server.app().agent(&name).await?;
    let number = version(&agent);
    let entry = server.app().agent_entry(agent);
    let versions = if entry.presence.is_some() { Versions::none() } else { versions };
    Ok(tagged(&versions, number, Json(entry)))
}

/// Update an agent
///
/// Fields that are left out keep their value. Meetings that the agent already takes part in do not change.
#[utoipa::path(
    patch, path = "/api/v1/agents/{name}", tag = "agents", operation_id = "update_agent", request_body = AgentRequest,
    params(
        ("name" = String, Path, description = "The agent, by name or id"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of the agent; the request is refused when the agent has changed since"),
    ),
    responses(
        (status = 200, body = SavedAgent), (status = 404, body = Problem), (status = 412, body = Problem),
        (status = 422, body = Problem),
    ),
)]
async fn change(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
    versions: Versions,
    Path(name): Path<String>,
    Body(request): Body<AgentRequest>,
) -> Result<Response, Problem> {
    check_keys(&principal, &request)?;
    let _turn = EDITS.lock().await;
    check(&server, &versions, &name).await?;
    let request = AgentRequest { allow_local: server.allows_local(&credential), ..request };
    let saved = server.app().update_agent(&name, &request).await.map_err(refused)?;
    let number = version(&saved.agent);
    let body = Json(SavedAgent { agent: saved.agent, shared_with: saved.shared_with });
    Ok(([(header::ETAG, super::etag::etag(number))], body).into_response())
}

/// Delete an agent
///
/// Meetings that the agent already takes part in do not change.
#[utoipa::path(
    delete, path = "/api/v1/agents/{name}", tag = "agents", operation_id = "delete_agent",
    params(("name" = String, Path, description = "The agent, by name or id")),
    responses((status = 204), (status = 404, body = Problem), (status = 412, body = Problem)),
)]
async fn delete(
    State(server): State<ServerState>,
    versions: Versions,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    let _turn = EDITS.lock().await;
    check(&server, &versions, &name).await?;
    server.app().delete_agent(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Test an agent
///
/// Asks the agent's model for one word, which costs a few tokens.
#[utoipa::path(
    post, path = "/api/v1/agents/{name}/test", tag = "agents", operation_id = "test_agent",
    params(("name" = String, Path, description = "The agent, by name or id")),
    responses((status = 200, body = AgentTestResult), (status = 404, body = Problem), (status = 502, body = Problem)),
)]
async fn test(
    State(server): State<ServerState>,
    Path(name): Path<String>,
) -> Result<Json<AgentTestResult>, Problem> {
    let agent = server.app().agent(&name).await?.name;
    Ok(Json(match server.app().test_agent(&name).await? {
        Some(probe) => AgentTestResult {
            agent,
            ok: true,
            simulated: false,
            latency_ms: Some(probe.latency_ms),
            said: Some(probe.said),
        },
        None => AgentTestResult { agent, ok: true, simulated: true, latency_ms: None, said: None },
    }))
}

/// All agents of a provider share its key and its address: only the owner changes them
/// (`PATCH /api/v1/providers/{name}`), also by way of an agent.
fn check_keys(principal: &Principal, request: &AgentRequest) -> Result<(), Problem> {
    if principal.scope >= Scope::Owner || (request.api_key.is_none() && request.base_url.is_none()) {
        return Ok(());
    }
    let detail = message!("server-provider-is-owners");
    Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", detail)
        .hint(message!("server-provider-is-owners-hint")))
}

/// What is wrong with an agent, with its fields as they stand in the body; another agent of its name is a conflict.
fn refused(error: ServiceError) -> Problem {
    let about_name = error.details().get("field").is_some_and(|field| field == "agent.name");
    if about_name && error.refusal().is_none() {
        let (detail, hint) = error.in_both();
        return Problem::new(StatusCode::CONFLICT, "name-taken", detail.clone())
            .hint(hint)
            .field("name", detail);
    }
    Problem::from(error).placed(&[
        ("/agent/role/name", "/role"),
        ("/agent/role/description", "/description"),
        ("/agent/role/system_prompt", "/system_prompt"),
        ("/agent/parameters", "/temperament"),
        ("/agent", ""),
    ])
}

/// The moment of its last change is its version.
fn version(agent: &Agent) -> u64 {
    u64::try_from(agent.updated_ms.0).unwrap_or(0)
}

async fn check(server: &ServerState, versions: &Versions, name: &str) -> Result<(), Problem> {
    let now = version(&server.app().agent(name).await?);
    match versions.goes_by() {
        Some(looked_at) if looked_at != now => Err(outdated(message!("server-agent-changed"), now)),
        _ => Ok(()),
    }
}
