//! The interface as a document (OpenAPI 3.1, generated from the code) and as pages that need no network.

use std::sync::{Arc, LazyLock};

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use quorate_messages::message;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_swagger_ui::Config;

use crate::api_router::{ApiRouter, routes};
use crate::page::{accepts, unpacked};
use crate::problem::Problem;
use crate::router::openapi;

/// The introduction of the document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Quorate",
        description = "Let AI models deliberate: several participants, written rules, a decision that can be traced.\n\n\
            To hold a first meeting, with `TOKEN` set to the token in the URL that `quorate url` prints:\n\n\
            ```sh\n\
            ID=$(curl -s localhost:7420/api/v1/meetings -H \"authorization: Bearer $TOKEN\" \\\n  \
            -H 'content-type: application/json' \\\n  \
            -d '{\"topic\": \"SQLite or PostgreSQL?\", \"format\": \"consensus\", \"simulate\": true, \"seed\": 5}' | jq -r .id)\n\
            curl -s -X POST localhost:7420/api/v1/meetings/$ID/start -H \"authorization: Bearer $TOKEN\"\n\
            curl -sN \"localhost:7420/api/v1/meetings/$ID/events?after=0\" -H \"authorization: Bearer $TOKEN\"\n\
            ```\n\n\
            Send `Authorization: Bearer TOKEN` with each request: the local token on this machine, otherwise an access \
            token from `POST /api/v1/tokens`. Errors are problems (RFC 9457) with a hint; see the \
            [list of problem types](/api/v1/problems).",
        license(name = "MIT", identifier = "MIT")
    ),
    servers((url = "/", description = "This server")),
    tags(
        (name = "meetings", description = "Create, list, read, change and delete meetings and their rules"),
        (name = "lifecycle", description = "Start, pause, resume, advance, end and fork a meeting"),
        (name = "turns", description = "The turns of agents and people who answer themselves"),
        (name = "webhooks", description = "Webhooks: turns and events sent to a URL, and signed callbacks"),
        (name = "messages", description = "Messages and claims"),
        (name = "participants", description = "The participants of a meeting"),
        (name = "people", description = "The people at a meeting, their presence, and the host"),
        (name = "agenda", description = "The agenda of a meeting"),
        (name = "ballots", description = "Ballots and votes"),
        (name = "minutes", description = "Minutes and their versions"),
        (name = "artifacts", description = "Typed deliverables: decision record, tasks, risks"),
        (name = "results", description = "Report, usage, evaluations, deliberation health and the event log"),
        (name = "live", description = "Live events: server-sent events and WebSocket"),
        (name = "export", description = "Meetings as files"),
        (name = "files", description = "Files attached to a meeting"),
        (name = "search", description = "Full-text search over meetings"),
        (name = "agents", description = "Agents that can be added to meetings"),
        (name = "providers", description = "Providers of models, with their keys and models"),
        (name = "templates", description = "Templates for new meetings"),
        (name = "access", description = "Sign-in, accounts, access tokens, invitations, guests and the audit log"),
        (name = "settings", description = "Settings of the server, and of the caller"),
        (name = "operation", description = "Liveness, readiness and metrics for operators"),
        (name = "documentation", description = "This document and the problem types"),
    ),
    modifiers(&Signing),
    components(schemas(quorate_contract::Event, Problem))
)]
pub(crate) struct Description;

/// The security schemes.
struct Signing;

impl utoipa::Modify for Signing {
    fn modify(&self, document: &mut Document) {
        let components = document.components.get_or_insert_default();
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("An access token from POST /api/v1/tokens, or the access token of a session"))
            .build();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        let cookie = ApiKeyValue::with_description(
            "quorate_access",
            "The session of a browser. If the URL has a port, the name of the cookie includes it: `quorate_access_7420`",
        );
        components.add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    }
}

/// The document, complete: what holds for every operation and schema alike is added here.
pub(crate) fn complete(document: &Document) -> serde_json::Value {
    let mut document = serde_json::to_value(document).expect("the document is plain data");
    crate::document::complete(&mut document);
    document
}

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(document))
        .routes(routes!(async_document))
        .routes(routes!(front))
        .routes(routes!(page))
        .routes(routes!(problems))
}

/// Get the OpenAPI document
#[utoipa::path(
    get, path = "/api/v1/openapi.json", tag = "documentation", operation_id = "get_openapi",
    responses((status = 200, description = "The document", body = Object)),
)]
async fn document() -> ([(header::HeaderName, HeaderValue); 1], &'static [u8]) {
    // Written once: every client may ask for it, and it is large.
    static DOCUMENT: LazyLock<Vec<u8>> = LazyLock::new(|| serde_json::to_vec(&openapi()).unwrap_or_default());
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], &DOCUMENT)
}

/// Get the AsyncAPI document
///
/// An AsyncAPI 3 document that describes the messages of the WebSocket.
#[utoipa::path(
    get, path = "/api/v1/asyncapi.json", tag = "documentation", operation_id = "get_asyncapi",
    responses((status = 200, description = "The document", body = Object)),
)]
async fn async_document() -> ([(header::HeaderName, HeaderValue); 1], &'static [u8]) {
    static DOCUMENT: LazyLock<Vec<u8>> =
        LazyLock::new(|| serde_json::to_vec(&crate::document::asyncapi()).unwrap_or_default());
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], &DOCUMENT)
}

/// Open the API reference
#[utoipa::path(
    get, path = "/api/v1/docs", tag = "documentation", operation_id = "open_docs",
    responses((status = 307, description = "The address of the API reference")),
)]
async fn front() -> Redirect {
    Redirect::temporary("/api/v1/docs/index.html")
}

/// Get a file of the API reference
#[utoipa::path(
    get, path = "/api/v1/docs/{file}", tag = "documentation", operation_id = "get_docs_file",
    params(("file" = String, Path, description = "The name of the file")),
    responses((status = 200, content_type = "text/html", body = String), (status = 404, body = Problem)),
)]
async fn page(Path(file): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    static CONFIG: LazyLock<Arc<Config<'static>>> =
        LazyLock::new(|| Arc::new(Config::from("/api/v1/openapi.json").try_it_out_enabled(true)));
    let found = utoipa_swagger_ui::serve(&file, CONFIG.clone());
    let found = found.ok().flatten().ok_or_else(|| Problem::not_found("page", &file))?;
    let media = HeaderValue::from_str(&found.content_type)
        .unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let head = [
        (header::CONTENT_TYPE, media),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
        policy(),
    ];
    let gzip = [(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
    Ok(match (found.gzpipped, found.bytes) {
        (true, bytes) if accepts(&headers, "gzip") => (head, gzip, bytes.into_owned()).into_response(),
        // The binary holds it by gzip alone.
        (true, bytes) => {
            let plain = unpacked(&bytes).ok_or_else(|| Problem::our_fault(message!("server-bug")))?;
            (head, plain).into_response()
        }
        (false, bytes) => (head, bytes.into_owned()).into_response(),
    })
}

/// List problem types
///
/// A page that says what each type of problem means and how to resolve it.
#[utoipa::path(
    get, path = "/api/v1/problems", tag = "documentation", operation_id = "show_problem_types",
    responses((status = 200, content_type = "text/html", body = String)),
)]
async fn problems() -> Response {
    let media = (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    ([media, policy()], crate::problem::types::page()).into_response()
}

/// The content security policy of the documentation: scripts of this origin only.
fn policy() -> (HeaderName, HeaderValue) {
    let policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                  frame-ancestors 'none'; base-uri 'none'";
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy))
}
