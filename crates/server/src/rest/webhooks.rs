//! Webhooks: turns and events that are pushed to an address, and the call-backs with answers.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use quorate_app::{
    WebhookCall, WebhookCallBack, WebhookCallError, WebhookChange, WebhookDeliveryView, WebhookTestResult,
    WebhookView,
};
use quorate_contract::Timestamp;
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::pagination::{ItemPage, limit};
use super::turns::{TurnReceipt, refused};
use crate::access::{AccessCredential, Client, Detail, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::nodes::{Forwarded, ForwardedRequest, Forwarding, not_here};
use crate::problem::Problem;
use crate::requests::content_language::preferred;
use crate::requests::extract::{Body, Path, Query, RawBody};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(one, change, delete))
        .routes(routes!(rotate))
        .routes(routes!(deliveries))
        .routes(routes!(redeliver))
        .routes(routes!(test))
        .routes(routes!(call_back))
}

/// A new webhook. Its secret is shown only in this response.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedWebhook {
    /// The secret that messages are signed with: `whsec_…`.
    secret: String,
    /// The webhook.
    #[serde(flatten)]
    view: WebhookView,
}

/// List webhooks
///
/// The caller's webhooks, the newest first; for the owner, those of all callers.
#[utoipa::path(
    get, path = "/api/v1/webhooks", tag = "webhooks", operation_id = "list_webhooks",
    responses((status = 200, body = ItemPage<WebhookView>)),
)]
async fn list(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
) -> Result<Json<ItemPage<WebhookView>>, Problem> {
    Ok(Json(ItemPage::whole(server.app().webhooks(&principal).await?)))
}

/// Create a webhook
///
/// Messages are signed as in Standard Webhooks; the secret is shown only in this response. With `agent`, the
/// agent's turns are sent to the webhook, and the receiver answers in the response or later with a callback.
#[utoipa::path(
    post, path = "/api/v1/webhooks", tag = "webhooks", operation_id = "create_webhook", request_body = WebhookChange,
    responses((status = 201, body = CreatedWebhook), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn create(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
    Body(request): Body<WebhookChange>,
) -> Result<Response, Problem> {
    let request = WebhookChange { allow_local: server.allows_local(&credential), ..request };
    let (view, made) = server.app().create_webhook(&principal, request).await?;
    if !server.access().identity().is_in(&credential) {
        // Its creator was removed in the meantime, so the new webhook must not stay.
        server.app().delete_webhook(&principal, &view.id).await?;
        return Err(server.access().who_are_you());
    }
    let location = format!("/api/v1/webhooks/{}", view.id);
    let place = HeaderValue::from_str(&location).unwrap_or(HeaderValue::from_static("/api/v1/webhooks"));
    let detail = Extension(Detail(json!({ "id": view.id, "agent": view.agent })));
    let body = Json(CreatedWebhook { secret: made.secret.expose().to_owned(), view });
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], detail, body).into_response())
}

/// Get a webhook
#[utoipa::path(
    get, path = "/api/v1/webhooks/{id}", tag = "webhooks", operation_id = "get_webhook",
    params(("id" = String, Path, description = "The webhook, by id")),
    responses((status = 200, body = WebhookView), (status = 404, body = Problem)),
)]
async fn one(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
) -> Result<Json<WebhookView>, Problem> {
    Ok(Json(server.app().webhook(&principal, &id).await?))
}

/// Update a webhook
///
/// Fields that are left out keep their value.
#[utoipa::path(
    patch, path = "/api/v1/webhooks/{id}", tag = "webhooks", operation_id = "update_webhook",
    request_body = WebhookChange, params(("id" = String, Path, description = "The webhook, by id")),
    responses((status = 200, body = WebhookView), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn change(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
    Path(id): Path<String>,
    Body(request): Body<WebhookChange>,
) -> Result<Json<WebhookView>, Problem> {
    let request = WebhookChange { allow_local: server.allows_local(&credential), ..request };
    Ok(Json(server.app().change_webhook(&principal, &id, request).await?))
}

/// Delete a webhook
///
/// Its delivery log is deleted, too, and nothing more is sent.
#[utoipa::path(
    delete, path = "/api/v1/webhooks/{id}", tag = "webhooks", operation_id = "delete_webhook",
    params(("id" = String, Path, description = "The webhook, by id")),
    responses((status = 204, description = "The webhook was deleted"), (status = 404, body = Problem)),
)]
async fn delete(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    server.app().delete_webhook(&principal, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A request to rotate a secret.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RotateSecretRequest {
    /// How long the previous secret stays valid, in hours; 24 when left out.
    #[schema(minimum = 0, maximum = 720)]
    #[serde(default)]
    grace_hours: Option<u32>,
}

/// A new secret. It is shown only in this response.
#[derive(Debug, Serialize, ToSchema)]
struct RotatedSecret {
    /// The secret: `whsec_…`.
    secret: String,
    /// When the previous secret expires. Until then, messages are signed with both secrets, and both
    /// are accepted in callbacks.
    previous_expires_at: Option<Timestamp>,
}

/// Rotate the secret of a webhook
///
/// The new secret is shown only in this response.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{id}/secret", tag = "webhooks", operation_id = "rotate_webhook_secret",
    request_body = RotateSecretRequest, params(("id" = String, Path, description = "The webhook, by id")),
    responses((status = 200, body = RotatedSecret), (status = 404, body = Problem), (status = 422, body = Problem)),
)]
async fn rotate(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    Body(request): Body<RotateSecretRequest>,
) -> Result<Json<RotatedSecret>, Problem> {
    let made = server.app().rotate_webhook_secret(&principal, &id, request.grace_hours).await?;
    Ok(Json(RotatedSecret {
        secret: made.secret.expose().to_owned(),
        previous_expires_at: made.previous_expires_at,
    }))
}

/// Which page of the attempts is listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DeliveriesQuery {
    /// The largest number of items on the page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// List webhook deliveries
///
/// The attempts to deliver messages, the newest first. The last 500 are kept.
#[utoipa::path(
    get, path = "/api/v1/webhooks/{id}/deliveries", tag = "webhooks", operation_id = "list_webhook_deliveries",
    params(("id" = String, Path, description = "The webhook, by id"), DeliveriesQuery),
    responses((status = 200, body = ItemPage<WebhookDeliveryView>), (status = 404, body = Problem),
        (status = 422, body = Problem)),
)]
async fn deliveries(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    Query(query): Query<DeliveriesQuery>,
    headers: HeaderMap,
) -> Result<Json<ItemPage<WebhookDeliveryView>>, Problem> {
    let limit = limit(query.limit, 50, 200)?;
    let (cursor, language) = (query.cursor.as_deref(), preferred(&headers));
    let page = server.app().webhook_deliveries(&principal, &id, cursor, limit, language).await?;
    Ok(Json(ItemPage { items: page.items, next_cursor: page.next }))
}

/// Redeliver a webhook message
///
/// The message is sent again with the same id.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{id}/deliveries/{message}/redeliver", tag = "webhooks",
    operation_id = "redeliver_webhook_message",
    params(("id" = String, Path, description = "The webhook, by id"),
        ("message" = String, Path, description = "The message, by the id in its header `webhook-id`")),
    responses((status = 202, description = "The message is queued for delivery"), (status = 404, body = Problem)),
)]
async fn redeliver(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path((id, message)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    server.app().redeliver_webhook_message(&principal, &id, &message).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Test a webhook
///
/// Sends a message of the type `webhook.test` and waits for the response. A failed delivery is reported in
/// the result; it is not a problem response.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{id}/test", tag = "webhooks", operation_id = "test_webhook",
    params(("id" = String, Path, description = "The webhook, by id")),
    responses((status = 200, body = WebhookTestResult), (status = 404, body = Problem)),
)]
async fn test(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<WebhookTestResult>, Problem> {
    Ok(Json(server.app().test_webhook(&principal, &id, preferred(&headers)).await?))
}

/// Answer a turn with a signed callback
///
/// The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks,
/// computed with the webhook's secret over the raw body. The timestamp may differ from the server's time by
/// five minutes. Each id is accepted once. No access token is needed.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{id}/callback", tag = "webhooks", operation_id = "answer_by_webhook",
    params(("id" = String, Path, description = "The webhook, by id"),
        ("webhook-id" = String, Header, description = "The id of the callback: any text that was not used before"),
        ("webhook-timestamp" = i64, Header, description = "The time in seconds since 1970 UTC"),
        ("webhook-signature" = String, Header, description = "`v1,` and the signature in base64")),
    request_body = WebhookCallBack,
    responses((status = 200, body = TurnReceipt),
        (status = 401, body = Problem, description = "The signature is not valid, or the timestamp differs by more than five minutes"),
        (status = 403, body = Problem, description = "The webhook is disabled, or may not answer in this meeting"),
        (status = 409, body = Problem, description = "The turn has ended, or the id was used before"),
        (status = 422, body = Problem)),
)]
async fn call_back(
    State(server): State<ServerState>,
    client: Client,
    Path(id): Path<String>,
    forwarded: Option<Extension<Forwarded>>,
    uri: Uri,
    headers: HeaderMap,
    RawBody(body): RawBody,
) -> Result<Response, Problem> {
    // Who sent it, the node finds out that runs the meeting.
    if let Some(forwarder) = server.forwarder()
        && let Some(meeting) = WebhookCallBack::meeting_of(&body)
        && let Some(owner) = server.app().owner_elsewhere(&meeting).await?
    {
        if forwarded.is_some() {
            return Ok(not_here(&owner));
        }
        let mut request =
            Request::post(uri).body(axum::body::Body::from(body.clone())).expect("made of its parts");
        request.headers_mut().clone_from(&headers);
        let request = ForwardedRequest::new(request, false);
        let sent = forwarder.forward(server.app(), &meeting, owner, &client, request).await;
        if let Forwarding::Answered(response) = sent {
            return Ok(response);
        }
    }
    // Where a header comes twice, another reader could take the other one.
    let header = |name| {
        let mut all = headers.get_all(name).iter();
        let first = all.next().filter(|_| all.next().is_none());
        first.and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let timestamp = header("webhook-timestamp").and_then(|text| text.trim().parse().ok());
    let call = match (header("webhook-id"), timestamp, header("webhook-signature")) {
        (Some(id), Some(timestamp), Some(signature)) => {
            let (id, signature) = (id.to_owned(), signature.to_owned());
            WebhookCall { id, timestamp, signature, body: body.to_vec() }
        }
        _ => return Err(bad_signature()),
    };
    let answered = server.app().receive_webhook_call(&id, call, Some(client.address)).await;
    answered.map(|answered| Json(TurnReceipt::of(answered)).into_response()).map_err(not_accepted)
}

fn bad_signature() -> Problem {
    let detail = message!("server-webhook-signature");
    Problem::new(StatusCode::UNAUTHORIZED, "bad-signature", detail)
        .hint(message!("server-webhook-signature-hint"))
}

fn not_accepted(error: WebhookCallError) -> Problem {
    match error {
        WebhookCallError::BadSignature => bad_signature(),
        WebhookCallError::OutOfTime => {
            let detail = message!("server-webhook-time");
            Problem::new(StatusCode::UNAUTHORIZED, "bad-signature", detail)
                .hint(message!("server-webhook-time-hint"))
        }
        WebhookCallError::Replayed => {
            let detail = message!("server-webhook-replayed");
            Problem::new(StatusCode::CONFLICT, "replayed", detail)
                .hint(message!("server-webhook-replayed-hint"))
        }
        WebhookCallError::Disabled => {
            let detail = message!("server-webhook-disabled");
            Problem::new(StatusCode::FORBIDDEN, "forbidden", detail)
                .hint(message!("server-webhook-disabled-hint"))
        }
        WebhookCallError::NoAnswer => Problem::invalid(
            "",
            message!("server-webhook-no-answer"),
            message!("server-webhook-no-answer-hint"),
        ),
        WebhookCallError::Turn(error) => refused(error),
    }
}
