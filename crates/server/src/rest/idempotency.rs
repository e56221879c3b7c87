//! A request that is sent twice is done once: `Idempotency-Key`.
//!
//! Whoever does not know whether a request arrived sends it again with the same key, and gets the answer of
//! the first. Answers are kept for a day, for each sender on their own. What was refused is not kept: it has
//! changed nothing, and may succeed next time.
//!
//! When the service dies over a request, nobody knows whether it was done. A message is then looked for in the log,
//! so that it is said once; all else is left to whoever asked. At a meeting of which nothing is kept, the answers go
//! with the process, as the meeting does.

use std::panic::AssertUnwindSafe;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use quorate_contract::{MeetingId, Timestamp};
use quorate_engine::{Clock, SystemClock};
use quorate_store::{Answer, Begun, IDEMPOTENCY_KEY_BYTES, Ticket};
use sha2::{Digest, Sha256};
use utoipa::openapi::path::{HttpMethod, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ObjectBuilder, OpenApi, Required};

use super::memory::Name;
use super::{memory, messages};
use crate::access::Principal;
use crate::problem::Problem;
use crate::state::{BODY_MAX, ServerState};

/// The requests that create something or speak. All are POST.
pub(crate) const ONCE: &[&str] = &[
    "/api/v1/meetings",
    "/api/v1/meetings/{id}/start",
    "/api/v1/meetings/{id}/pause",
    "/api/v1/meetings/{id}/resume",
    "/api/v1/meetings/{id}/end",
    "/api/v1/meetings/{id}/fork",
    "/api/v1/meetings/{id}/advance",
    "/api/v1/meetings/{id}/messages",
    "/api/v1/meetings/{id}/speaker",
    "/api/v1/meetings/{id}/participants",
    "/api/v1/meetings/{id}/agenda",
    "/api/v1/meetings/{id}/minutes",
    "/api/v1/meetings/{id}/artifacts",
    "/api/v1/agents",
    "/api/v1/templates",
];

/// The request of which is known afterwards whether it was done.
const SAY: &str = "/api/v1/meetings/{id}/messages";

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Headers that come again with the answer.
const KEPT: [HeaderName; 3] = [header::CONTENT_TYPE, header::LOCATION, header::ETAG];
/// The largest answer that is kept, in bytes.
const ANSWER_MAX: usize = 4 << 20;

/// Does a request with a key once.
pub(crate) async fn idempotent(
    State(server): State<ServerState>,
    path: MatchedPath,
    params: RawPathParams,
    request: Request,
    next: Next,
) -> Response {
    let wanted = *request.method() == Method::POST && ONCE.contains(&path.as_str());
    let principal = request.extensions().get::<Principal>().cloned();
    let (true, Some(principal), true) = (wanted, principal, request.headers().contains_key(KEY)) else {
        return next.run(request).await;
    };
    let meeting = params.iter().find(|(name, _)| *name == "id").map(|(_, id)| MeetingId::new(id));
    let (asked, request) = match asked(&principal, request).await {
        Ok(asked) => asked,
        Err(problem) => return problem.into_response(),
    };
    if let Some(id) = meeting.clone().filter(|id| server.app().is_off_record(id)) {
        return off_record(server, id, asked, next, request).await;
    }
    let ((who, key), checksum) = asked;
    match server.store().begin_request(&who, &key, checksum, SystemClock.now()).await {
        Err(error) => Problem::from(error).into_response(),
        Ok(Begun::Done(answer)) => replayed(answer),
        Ok(Begun::Mismatch) => reused().into_response(),
        Ok(Begun::Running(_)) => still_running().into_response(),
        Ok(Begun::Again(ticket, since)) if path.as_str() == SAY => {
            let Some(meeting) = meeting else { return bug() };
            let saying = tokio::spawn(async move {
                match said_before(&server, &meeting, &principal, since, request).await {
                    Ok((Some(response), _)) => kept(server, ticket, Some(meeting), response).await,
                    Ok((None, request)) => done(server, ticket, Some(meeting), next, request).await,
                    Err(problem) => {
                        _ = server.store().abandon_request(ticket).await;
                        problem.into_response()
                    }
                }
            });
            saying.await.unwrap_or_else(|_| bug())
        }
        Ok(Begun::Again(ticket, _)) => {
            let told = interrupted(path.as_str(), meeting.as_ref()).into_response();
            given_up(&server, ticket, told).await
        }
        Ok(Begun::Fresh(ticket)) => {
            // Done to the end even when whoever asked goes away.
            let doing = tokio::spawn(done(server, ticket, meeting, next, request));
            doing.await.unwrap_or_else(|_| bug())
        }
    }
}

/// The answer to a message that was said before the service stopped; nothing when it was not.
async fn said_before(
    server: &ServerState,
    meeting: &MeetingId,
    principal: &Principal,
    since: Timestamp,
    request: Request,
) -> Result<(Option<Response>, Request), Problem> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, BODY_MAX).await.map_err(|error| Problem::bug(&error))?;
    let said = messages::said_since(server, meeting, &principal.actor(), since, &body).await?;
    Ok((said, Request::from_parts(parts, Body::from(body))))
}

/// Does a request at a meeting of which nothing is kept once; its answer is not kept either, but in memory.
async fn off_record(
    server: ServerState,
    meeting: MeetingId,
    (name, checksum): Asked,
    next: Next,
    request: Request,
) -> Response {
    match server.memory().begin(&name, checksum) {
        memory::Begun::Done(answer) => replayed(answer),
        memory::Begun::Mismatch => reused().into_response(),
        memory::Begun::Running => still_running().into_response(),
        memory::Begun::Fresh => {
            let doing = tokio::spawn(async move {
                let response = run(next, request).await;
                let Ok((answer, response)) = answer_of(response, Some(meeting)).await else {
                    server.memory().end(name, None);
                    return bug();
                };
                server.memory().end(name, is_kept(&answer).then_some(answer));
                response
            });
            doing.await.unwrap_or_else(|_| bug())
        }
    }
}

/// Who asks under which key, and a checksum of what is asked for.
type Asked = (Name, [u8; 32]);

/// What a request with a key is known by.
async fn asked(principal: &Principal, request: Request) -> Result<(Asked, Request), Problem> {
    let key = key(request.headers())?;
    let (parts, body) = request.into_parts();
    let body: Bytes = to_bytes(body, BODY_MAX).await.map_err(|_| {
        let detail = ("the body is larger than is taken", "正文超过上限");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail).hint(("send less", "减少内容"))
    })?;
    let mut checksum = Sha256::new();
    checksum.update(parts.uri.path_and_query().map_or("", |path| path.as_str()));
    checksum.update([0]);
    checksum.update(&body);
    let who = match &principal.meeting {
        Some(meeting) => format!("{} at {meeting}", principal.actor()),
        None => principal.actor(),
    };
    Ok((((who, key), checksum.finalize().into()), Request::from_parts(parts, Body::from(body))))
}

fn reused() -> Problem {
    let detail = ("the key came with another request before", "这个键已用于另一请求");
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-key-reused", detail)
        .hint(("make a new key for each request", "每个请求用新的键"))
}

fn still_running() -> Problem {
    let detail = ("the first request with this key is not answered yet", "带此键的第一个请求尚未完成");
    Problem::new(StatusCode::CONFLICT, "still-running", detail)
        .hint(("ask again with the same key", "稍后用同一个键再问"))
        .retry_after(1)
}

fn key(headers: &HeaderMap) -> Result<String, Problem> {
    let mut keys = headers.get_all(KEY).iter();
    let key = keys.next().map(HeaderValue::as_bytes).unwrap_or_default();
    let sound = (1..=IDEMPOTENCY_KEY_BYTES).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
    match (sound, keys.next(), std::str::from_utf8(key)) {
        (true, None, Ok(key)) => Ok(key.to_owned()),
        _ => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "unreadable",
            ("the header idempotency-key holds no key", "头部 idempotency-key 里没有键"),
        )
        .hint((
            "send one key of 1 to 255 visible characters of ASCII, such as a UUID",
            "发送一个键：1 到 255 个可见的 ASCII 字符，如 UUID",
        ))),
    }
}

/// Does it once, and keeps the answer.
async fn done(
    server: ServerState,
    ticket: Ticket,
    meeting: Option<MeetingId>,
    next: Next,
    request: Request,
) -> Response {
    kept(server, ticket, meeting, run(next, request).await).await
}

/// Does it; what panics is a fault that is told.
async fn run(next: Next, request: Request) -> Response {
    AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(|_| bug())
}

/// Keeps an answer, and gives it.
async fn kept(
    server: ServerState,
    ticket: Ticket,
    meeting: Option<MeetingId>,
    response: Response,
) -> Response {
    let Ok((answer, response)) = answer_of(response, meeting).await else {
        return given_up(&server, ticket, bug()).await;
    };
    // A meeting of which nothing is kept may have been created just now.
    let off_record = answer.meeting.as_ref().is_some_and(|id| server.app().is_off_record(id));
    if off_record || !is_kept(&answer) {
        return given_up(&server, ticket, response).await;
    }
    if let Err(error) = server.store().finish_request(ticket, answer).await {
        tracing::error!(%error, "an answer could not be kept");
    }
    response
}

fn is_kept(answer: &Answer) -> bool {
    (200..300).contains(&answer.status) && answer.body.len() <= ANSWER_MAX
}

/// What to keep of a response about a meeting, or about the one that it has created; and the response.
async fn answer_of(
    response: Response,
    meeting: Option<MeetingId>,
) -> Result<(Answer, Response), axum::Error> {
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await?;
    let place = parts.headers.get(header::LOCATION).and_then(|place| place.to_str().ok());
    let created = place.and_then(|place| place.strip_prefix("/api/v1/meetings/"));
    let created = created.and_then(|rest| rest.split('/').next()).map(MeetingId::new);
    let answer = Answer {
        status: parts.status.as_u16(),
        headers: KEPT.iter().filter_map(|name| header_of(&parts.headers, name)).collect(),
        body: body.to_vec(),
        meeting: created.or(meeting),
    };
    Ok((answer, Response::from_parts(parts, Body::from(body))))
}

/// The service stopped in the midst of a request with a key: what may have come of it, and where that shows. The
/// key is as good as new afterwards.
fn interrupted(route: &str, meeting: Option<&MeetingId>) -> Problem {
    let here = meeting.map(|id| format!("/api/v1/meetings/{id}")).unwrap_or_default();
    let view = || (format!("GET {here} shows its state"), format!("GET {here} 显示它的状态"));
    let newest = (
        "GET /api/v1/meetings shows the newest meetings first".to_owned(),
        "GET /api/v1/meetings 先列出最新的会议".to_owned(),
    );
    let part = |name: &str| (format!("GET {here}/{name} shows it"), format!("GET {here}/{name} 可以看到"));
    let list =
        |name: &str| (format!("GET /api/v1/{name} lists them"), format!("GET /api/v1/{name} 列出全部"));
    let in_log = |kind: &str| {
        (
            format!("GET {here}/log shows `{kind}` among its last events"),
            format!("GET {here}/log 最后的事件里会有 `{kind}`"),
        )
    };
    let (what, look) = match route.rsplit('/').next().unwrap_or_default() {
        "speaker" => {
            (("the participant may have been called up", "可能已经请其发言"), in_log("speaker_requested"))
        }
        "participants" => (("somebody may have joined", "可能已有人加入"), part("participants")),
        "agenda" => (("the item may be on the agenda", "议题可能已在议程上"), part("agenda")),
        "minutes" => {
            (("the minutes may have been asked for", "可能已经请人写纪要"), in_log("minutes_requested"))
        }
        "artifacts" => {
            (("the artifact may have been asked for", "可能已经请人写工件"), in_log("artifact_requested"))
        }
        "agents" => (("the agent may have been created", "智能体可能已经创建"), list("agents")),
        "templates" => (("the template may have been created", "模板可能已经创建"), list("templates")),
        "fork" => (("there may be a fork", "可能已经分叉"), newest),
        "start" => (("the meeting may have begun", "会议可能已经开始"), view()),
        "pause" => (("the meeting may rest", "会议可能已经暂停"), view()),
        "resume" => (("the meeting may go on", "会议可能已经继续"), view()),
        "end" => (("the meeting may be ending", "会议可能正在结束"), view()),
        "advance" => (("the meeting may have gone on", "会议可能已经推进"), view()),
        _ => (("the meeting may have been created", "会议可能已经创建"), newest),
    };
    let detail = (
        format!(
            "the service stopped during the first request with this key: {}, or nothing happened",
            what.0
        ),
        format!("带此键的第一个请求进行中服务停止了：{}，也可能什么都没有发生", what.1),
    );
    let hint = (
        format!("{}; when it is not done, send the request once more, with the same key or another", look.0),
        format!("{}；没有完成就再发送一次，用原来的键或新的键都可以", look.1),
    );
    Problem::new(StatusCode::CONFLICT, "interrupted", detail).hint(hint)
}

async fn given_up(server: &ServerState, ticket: Ticket, response: Response) -> Response {
    if let Err(error) = server.store().forget_request(ticket).await {
        tracing::error!(%error, "a request could not be given up");
    }
    response
}

fn header_of(headers: &HeaderMap, name: &HeaderName) -> Option<(String, String)> {
    Some((name.as_str().to_owned(), headers.get(name)?.to_str().ok()?.to_owned()))
}

fn replayed(answer: Answer) -> Response {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let headers = response.headers_mut();
    for (name, value) in &answer.headers {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
            headers.insert(name, value);
        }
    }
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

fn bug() -> Response {
    Problem::our_fault(("this is a fault of Quorate", "这是众议自身的缺陷")).into_response()
}

/// Tells of the header at every request that knows it.
pub(crate) fn describe(document: &mut OpenApi) {
    for path in ONCE {
        let Some(item) = document.paths.paths.get_mut(*path) else { continue };
        let Some(post) = item.post.as_mut() else { continue };
        let text = ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .min_length(Some(1))
            .max_length(Some(IDEMPOTENCY_KEY_BYTES));
        let parameter = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(
                "1-255 visible characters of ASCII. The same request with the same key is done once; for a day \
                 its answer comes again, with the header `Idempotent-Replayed: true`",
            ))
            .schema(Some(text))
            .build();
        post.parameters.get_or_insert_default().push(parameter.into());
    }
    debug_assert!(
        ONCE.iter().all(|path| document.paths.get_path_operation(path, HttpMethod::Post).is_some())
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_that_is_done_once_says_what_may_have_come_of_it() {
        let id = MeetingId::new("m1");
        let mut told = std::collections::BTreeSet::new();
        // A message is looked for instead.
        for route in ONCE.iter().filter(|route| **route != SAY) {
            let problem = interrupted(route, route.contains("{id}").then_some(&id));
            let json = serde_json::to_value(&problem).expect("plain");
            let hint = json["hint"].as_str().expect("a hint");
            assert!(hint.starts_with("GET /api/v1/"), "{route}: {hint}");
            assert_eq!(
                hint.contains("/m1"),
                route.contains("{id}") && !route.ends_with("/fork"),
                "{route}: {hint}"
            );
            assert!(told.insert(json["detail"].to_string()), "{route}: {}", json["detail"]);
        }
    }
}
