//! Every request on its way in: finds out who asks and which use case it is, and hands it to the application.

use std::sync::Arc;

use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use quorate_app::{Caller, Transport, UseCase, meeting_of_ticket};
use quorate_contract::MeetingId;
use quorate_messages::message;
use serde_json::{Map, Value};

use super::client::Client;
use super::origin;
use super::routes::{takes_query, use_case};
use crate::connections::slots::Activity;
use crate::nodes::{Forwarded, ForwardedRequest, Forwarding, not_here};
use crate::problem::Problem;
use crate::rest::{KEY, RestCall};
use crate::state::ServerState;

/// Forwards a request if its sender is permitted to make it.
pub(crate) async fn guard(
    State(server): State<ServerState>,
    path: MatchedPath,
    params: RawPathParams,
    client: Client,
    mut request: Request,
    next: Next,
) -> Response {
    let asked = request.uri().path();
    let Some(use_case) = use_case(request.method().as_str(), path.as_str()) else {
        return Problem::no_route(asked).into_response();
    };
    if let Err(problem) = check_origin(&server, &client, &request) {
        return RestCall::refused(problem);
    }
    let problem = unknown_parameter(&request, path.as_str());
    let known = server.access().identify(request.headers(), &client);
    let who = match known {
        Ok(Some(who)) => Ok(Some(who)),
        // Another node may have let them in just now.
        known if server.forwarder().is_none() => known,
        _ => {
            let headers = request.headers().clone();
            server.identify(&headers, &client).await
        }
    };
    let who = match who {
        Ok(who) => who,
        Err(problem) => return RestCall::refused(problem),
    };
    if let Some((principal, credential)) = &who {
        if let Some(activity) = request.extensions().get::<Arc<Activity>>() {
            activity.mark_known();
        }
        let (principal, credential) = (principal.clone(), credential.clone());
        request.extensions_mut().insert(principal);
        request.extensions_mut().insert(credential);
    }
    let meeting = meeting_of(path.as_str(), &params).map(MeetingId::new);
    let concerned =
        meeting.clone().or_else(|| meeting_concerned(path.as_str(), &params, request.uri().query()));
    if let Some(meeting) = &concerned
        && !is_heard_here(use_case, &request)
        && let Some(forwarder) = server.forwarder()
    {
        let is_forwarded = request.extensions().get::<Forwarded>().is_some();
        match server.app().owner_elsewhere(meeting).await {
            Ok(Some(owner)) if is_forwarded && !server.app().is_running(meeting) => return not_here(&owner),
            // A command serves nobody: what can be read of its meeting is in the database.
            Ok(Some(owner)) if owner.address.is_some() && !is_forwarded => {
                let repeatable = is_repeatable(use_case, &request);
                let sent = ForwardedRequest::new(request, repeatable);
                match forwarder.forward(server.app(), meeting, owner, &client, sent).await {
                    Forwarding::Answered(response) => return response,
                    Forwarding::Here(back) => request = back,
                }
            }
            Ok(_) => {}
            Err(error) => return RestCall::refused(error.into()),
        }
    }
    let (principal, credential) = who.unzip();
    // Only a call of a tool within this process brings another one along.
    let transport = request.extensions().get::<Transport>().copied().unwrap_or(Transport::Rest);
    let caller = Caller { principal, address: Some(client.address), transport };
    let app = server.app().clone();
    let named = named(&params, meeting.is_some());
    let call = RestCall::new(server, use_case, meeting.clone(), client.address, credential, request, next);
    let call = call.naming(named).refused_with(problem);
    // A turn is one of a meeting, also where the path does not name it.
    app.perform(use_case, caller, meeting.or(concerned), call).await
}

/// The problem of a request with a query to a route that takes none; what the others take, they check themselves.
fn unknown_parameter(request: &Request, path: &str) -> Option<Problem> {
    let query = request.uri().query().filter(|query| !query.is_empty())?;
    // Caches and readers put parameters of their own behind documents.
    let is_document = path.starts_with("/api/v1/docs") || path.ends_with(".json");
    if !path.starts_with("/api/v1/") || is_document || takes_query(request.method().as_str(), path) {
        return None;
    }
    let (name, _) = url::form_urlencoded::parse(query.as_bytes()).next()?;
    let name: String = name.chars().take(NAMED_MAX).collect();
    Some(Problem::invalid(&name, message!("server-no-parameters", %name), message!("server-see-docs-query")))
}

/// Whether a meeting can be listened to at any node. How it stands at first, only the one says that runs it.
fn is_heard_here(use_case: UseCase, request: &Request) -> bool {
    let query = request.uri().query().unwrap_or_default();
    use_case == UseCase::FollowEvents && !query.split('&').any(|part| part == "snapshot=true")
}

/// Whether a request may be carried out twice: it only reads, or carries a key with which it is carried out once.
fn is_repeatable(use_case: UseCase, request: &Request) -> bool {
    let has_key = use_case.definition().idempotent && request.headers().contains_key(KEY);
    request.method().is_safe() || has_key
}

/// Lets no page of another origin use what a browser sends by itself.
fn check_origin(server: &ServerState, client: &Client, request: &Request) -> Result<(), Problem> {
    let (method, headers) = (request.method(), request.headers());
    // A browser sends cookies, and nothing at all to this machine, without the page knowing them; a token
    // only a program sends that has it.
    let by_itself = !headers.contains_key(header::AUTHORIZATION);
    if by_itself && origin::needs_own_page(method, request.uri().path(), headers) {
        server.access().origins().check(headers, client)?;
    }
    Ok(())
}

/// The most characters of a name in a path that the audit log keeps.
const NAMED_MAX: usize = 100;

/// What a path names beside the meeting: an account, an agent, a participant.
fn named(params: &RawPathParams, has_meeting: bool) -> Map<String, Value> {
    let others = params.iter().filter(|(name, _)| !(has_meeting && *name == "id"));
    let short = |value: &str| Value::from(value.chars().take(NAMED_MAX).collect::<String>());
    others.map(|(name, value)| (name.to_owned(), short(value))).collect()
}

/// The meeting that a request is about whose path does not name it: that of a turn, or of the turns asked for.
fn meeting_concerned(path: &str, params: &RawPathParams, query: Option<&str>) -> Option<MeetingId> {
    match path.strip_prefix("/api/v1/turns")? {
        "" => {
            let mut pairs = url::form_urlencoded::parse(query?.as_bytes());
            pairs.find(|(name, _)| name == "meeting").map(|(_, id)| MeetingId::new(id.into_owned()))
        }
        _ => params
            .iter()
            .find(|(name, _)| *name == "ticket")
            .and_then(|(_, ticket)| meeting_of_ticket(ticket)),
    }
}

/// The meeting that a path names.
fn meeting_of(path: &str, params: &RawPathParams) -> Option<String> {
    let under = path.strip_prefix("/api/v1/meetings/{id}")?;
    if !under.is_empty() && !under.starts_with('/') {
        return None;
    }
    params.iter().find(|(name, _)| *name == "id").map(|(_, value)| value.to_owned())
}
