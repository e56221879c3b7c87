//! Stands at the admission: finds out who asks, and holds it against the table.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use quorate_contract::MeetingId;
use quorate_store::MeetingState;

use super::client::Client;
use super::matrix::need;
use super::{Credential, Need, Principal, audit, held, origin};
use crate::bodies::Share;
use crate::connections::Activity;
use crate::limits::{Line, Who, is_live};
use crate::problem::Problem;
use crate::state::ServerState;

/// What makes a meeting run that did not.
const SETS_GOING: &[&str] =
    &["/api/v1/meetings/{id}/start", "/api/v1/meetings/{id}/resume", "/api/v1/meetings/{id}/advance"];

/// Lets a request through whose sender may make it.
pub(crate) async fn guard(
    State(server): State<ServerState>,
    path: MatchedPath,
    params: RawPathParams,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let meeting = meeting_of(path.as_str(), &params);
    let entered = enter(&server, path.as_str(), meeting.as_deref(), &client, &parts).await;
    let Entered { who, line } = match entered {
        Ok(entered) => entered,
        Err(problem) => return refused(problem),
    };
    let limits = server.access().limits();
    let share = match &who {
        Some((principal, _)) => {
            let meeting = principal.meeting.as_ref().map(MeetingId::as_str);
            Share::of_somebody(&principal.name, meeting, limits.options().body_bytes)
        }
        None => {
            let write_timeout = Duration::from_secs(limits.options().head_seconds.max(1).into());
            Share::of_strangers(client.address, write_timeout)
        }
    };
    let (body, measure) = match limits.bodies().measure(share, &parts.headers, body) {
        Ok(measured) => measured,
        Err(problem) => return refused(problem),
    };
    if let Some((principal, credential)) = &who {
        if let Some(activity) = parts.extensions.get::<Arc<Activity>>() {
            activity.mark_known();
        }
        parts.extensions.insert(principal.clone());
        parts.extensions.insert(credential.clone());
    }
    if let Some(line) = &line {
        // Whoever goes on to speak a WebSocket keeps it for as long.
        parts.extensions.insert(Arc::clone(line));
    }
    let method = parts.method.clone();
    let response = next.run(Request::from_parts(parts, body)).await;
    let response = match measure.problem() {
        Some(problem) => problem.into_response(),
        None => response,
    };
    drop(measure);
    if audit::is_noted(&method, path.as_str()) {
        let note = audit::Note {
            who: who.as_ref().map(|(principal, _)| principal.actor()).unwrap_or_default(),
            action: audit::action(&method, path.as_str()),
            meeting,
            address: client.address,
            status: response.status(),
            detail: response.extensions().get::<audit::Detail>().cloned(),
        };
        audit::note(&server, note);
    }
    match line {
        Some(line) => held::hold(response, line),
        None => response,
    }
}

struct Entered {
    who: Option<(Principal, Credential)>,
    /// What counts a line that stays open.
    line: Option<Arc<Line>>,
}

async fn enter(
    server: &ServerState,
    path: &str,
    meeting: Option<&str>,
    client: &Client,
    parts: &Parts,
) -> Result<Entered, Problem> {
    let (method, headers, asked) = (&parts.method, &parts.headers, parts.uri.path());
    let need = need(method.as_str(), path).ok_or_else(|| Problem::not_found("page", asked))?;
    let access = server.access();
    // A browser sends cookies, and nothing at all to this machine, without the page knowing them; a token
    // only a program sends that has it.
    let by_itself = !headers.contains_key(header::AUTHORIZATION);
    if by_itself && origin::needs_own_page(method, asked, headers) {
        access.origins().check(headers, client)?;
    }
    let who = access.identify(headers, client)?;
    let Some((principal, credential)) = who else {
        return match need {
            Need::Open => Ok(Entered { who: None, line: None }),
            _ => Err(access.who_are_you()),
        };
    };
    if !credential.is_here() {
        access.limits().request(Who::Credential(credential.key().to_owned()), false)?;
    }
    if !principal.may(need, meeting) {
        return Err(may_not(&principal, meeting));
    }
    if need != Need::Open
        && let Some(meeting) = meeting
        && server.is_shut(&principal, &MeetingId::new(meeting)).await?
    {
        return Err(locked());
    }
    may_set_going(server, method, path).await?;
    let alone = credential.is_here();
    let live = is_live(asked) && *method == Method::GET;
    let line = live.then(|| access.limits().line(credential.key(), alone)).transpose()?.map(Arc::new);
    Ok(Entered { who: Some((principal, credential)), line })
}

/// Whether one more meeting may run, where a request makes one run.
pub(crate) async fn may_set_going(server: &ServerState, method: &Method, path: &str) -> Result<(), Problem> {
    if *method != Method::POST || !SETS_GOING.contains(&path) {
        return Ok(());
    }
    let counts = server.store().meeting_counts().await?;
    let runs =
        |state| matches!(state, MeetingState::Discussion | MeetingState::Ballot | MeetingState::Closing);
    let running = counts.iter().filter(|(state, _)| runs(*state)).map(|(_, count)| count).sum();
    server.access().limits().meeting(running)
}

/// What may not be seen is not there.
fn may_not(principal: &Principal, meeting: Option<&str>) -> Problem {
    match meeting {
        Some(meeting) if !principal.may(Need::Read, Some(meeting)) => Problem::not_found("meeting", meeting),
        _ => forbidden(),
    }
}

/// The meeting asks for a password that whoever asks has not given.
fn locked() -> Problem {
    let detail = ("this meeting asks for its password", "进入这个会议需要密码");
    Problem::new(StatusCode::FORBIDDEN, "locked", detail)
        .hint(("give it at /api/v1/meetings/{id}/enter", "在 /api/v1/meetings/{id}/enter 提供密码"))
}

/// Whoever asks is known, and may not do it.
pub(crate) fn forbidden() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "forbidden", ("you may not do this", "你没有权限做这件事")).hint((
        "ask the owner of this server for a token with a wider scope",
        "请服务的所有者发放权限更大的令牌",
    ))
}

fn refused(problem: Problem) -> Response {
    let unknown = problem.status() == StatusCode::UNAUTHORIZED;
    let mut response = problem.into_response();
    if unknown {
        let how = HeaderValue::from_static("Bearer realm=\"quorate\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
    }
    response
}

/// The meeting that a path names.
fn meeting_of(path: &str, params: &RawPathParams) -> Option<String> {
    let under = path.strip_prefix("/api/v1/meetings/{id}")?;
    if !under.is_empty() && !under.starts_with('/') {
        return None;
    }
    params.iter().find(|(name, _)| *name == "id").map(|(_, value)| value.to_owned())
}
