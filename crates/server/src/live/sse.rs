//! A meeting as a stream of server-sent events.

use std::collections::{BTreeSet, VecDeque};
use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use quorate_app::viewer_of;
use quorate_contract::{Event, EventBody, Language, MeetingId};
use quorate_messages::message;
use quorate_views::MeetingView;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep};
use utoipa::{IntoParams, ToSchema};

use super::data::{RecoveredFrame, ResyncFrame, ResyncReason};
use super::frame::TokenFrame;
use super::listener::{Listener, ListenerEvent};
use super::visible::Sight;
use crate::access::{AccessCredential, Principal, SignedIn};
use crate::api_router::{ApiRouter, routes};
use crate::ops::Connected;
use crate::problem::Problem;
use crate::requests::content_language::preferred;
use crate::requests::extract::{Path, Query};
use crate::rest::{look_to_compute, meeting_view};
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(events))
}

/// What is to be told.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventsQuery {
    /// The sequence number after which events are sent. The header `Last-Event-ID` takes precedence.
    #[serde(default)]
    #[param(maximum = 9223372036854775807u64)]
    after: u64,
    /// Whether to send answers while they are written, too.
    #[serde(default = "yes")]
    fragments: bool,
    /// The types of events to send, separated by commas; `finished` is always sent.
    #[param(value_type = Option<Vec<String>>, style = Form, explode = false)]
    types: Option<String>,
    /// Whether to send the meeting first, in a frame `snapshot` (as in `GET /api/v1/meetings/{id}`), and then
    /// the events after it; `after` is not needed then.
    #[serde(default)]
    snapshot: bool,
    /// The language of errors, for clients that cannot set `Accept-Language`.
    #[serde(default)]
    #[param(inline)]
    lang: Option<Language>,
}

/// What is told when a meeting gets a password, or loses it.
pub(super) const ACCESS: &str = "access_changed";

/// How many of the last messages a snapshot has.
const SNAPSHOT_MESSAGES: usize = 200;

/// What is told last to those who are out.
const OUT: &str = ": signed out\n\n";

fn yes() -> bool {
    true
}

/// The `data` of a frame of the event stream. The `event` of the frame says which alternative it is: `token`,
/// `resync`, `problem` (a problem or, when it is over, a frame with `over`), `snapshot` (a meeting), or the
/// type of an event.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, clippy::large_enum_variant, reason = "describes what is written by its parts")]
pub(crate) enum StreamFrame {
    /// An event of the meeting.
    Event(Event),
    /// A piece of an answer in progress.
    Token(TokenFrame),
    /// Pieces of answers were lost.
    Resync(ResyncFrame),
    /// The database cannot be read or written.
    MeetingProblem(Problem),
    /// The database can be read and written again.
    Recovered(RecoveredFrame),
    /// The meeting, as it is when the stream begins.
    Snapshot(MeetingView),
}

/// Stream the events of a meeting
///
/// Sends every event after a sequence number as `id: <seq>`, `event: <type>`, `data: <the line as stored>`,
/// without gaps or duplicates, and then each new event as it happens. The stream ends after `finished`.
/// Between events, the stream sends frames without an id:
///
/// - `token`: a piece of an answer in progress, with `task`, `turn`, `attempt`, `participant` (`null` for the
///   facilitator), `kind` (`answer` or `reasoning`) and `text`. `offset` and `end` give its position in the
///   answer, in bytes of UTF-8. A piece with the offset 0 replaces all earlier pieces of the same task,
///   attempt and kind; every other piece begins where the previous one ended. A client that connects in the
///   middle of an answer gets the text so far first.
/// - `resync`: pieces of answers were lost because the client read too slowly. The answers in progress are
///   sent again from their beginning. `last_seq` is the last event that was sent. Events are never lost.
/// - `problem`: the database cannot be read or written, as a problem with `type`, `detail` and `hint`. The
///   meeting waits and continues by itself; a second `problem` with `over` follows then.
///
/// During a blind round, a caller with a seat does not see the other answers: the payload of such an `agent_message` has
/// `"withheld": true` and `…` in place of the text, and its pieces are left out. Read the log again after `round_ended`.
///
/// Hidden evaluations, private memory, reasoning and the votes of an open ballot are withheld from callers
/// without the scope `manage`, and from those with a seat while a ballot is open: the event keeps its number and type,
/// and its payload has `"withheld": true` or lacks the field. Read the log again after `ballot_closed`.
#[utoipa::path(
    get, path = "/api/v1/meetings/{id}/events", tag = "live", operation_id = "stream_events",
    params(
        ("id" = String, Path, description = "The meeting, by id"),
        EventsQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The id of the last event that the client received; takes precedence over `after`"),
    ),
    responses(
        (status = 200, description = "The events, as server-sent events", content_type = "text/event-stream", body = StreamFrame),
        (status = 404, body = Problem),
        (status = 422, body = Problem),
    ),
)]
async fn events(
    State(server): State<ServerState>,
    SignedIn(principal): SignedIn,
    Extension(credential): Extension<AccessCredential>,
    Path(id): Path<String>,
    Query(asked): Query<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = last_event_id(&headers)?.unwrap_or(asked.after);
    let types = asked.types.as_deref().map(types).transpose()?;
    let id = MeetingId::new(id);
    let language = asked.lang.unwrap_or_else(|| preferred(&headers));
    let mut first = VecDeque::from([Bytes::from_static(b"retry: 2000\n\n")]);
    // Whoever comes back knows how it stood.
    let after = match asked.snapshot && !headers.contains_key("last-event-id") {
        true => {
            let (mut meeting, place) = look_to_compute(&server, &principal, &id, None).await?;
            let reader = viewer_of(&meeting, &principal);
            if reader.is_blind() {
                reader.redact(&mut meeting);
            }
            let (here, seq) = (server.clone(), meeting.seq);
            let view = place.run(move || {
                serde_json::to_string(&meeting_view(&here, &meeting, reader, SNAPSHOT_MESSAGES, language))
            });
            let view = view.await?.map_err(|error| Problem::bug(&error))?;
            first.push_back(format!("id: {seq}\nevent: snapshot\ndata: {view}\n\n").into());
            seq
        }
        false => after,
    };
    let sight = Sight::begin(&server, &principal, &id).await?;
    let listener = Listener::begin(&server, &id, Some(after), asked.fragments).await?;
    // A password that came since access was checked stands in the log before the place where this begins.
    if server.is_shut(&principal, &id).await? {
        return Err(Problem::not_found("meeting", id.as_str()));
    }
    let heartbeat = server.live().options().heartbeat;
    let stream = Stream {
        listener,
        server: server.clone(),
        meeting: id,
        sight,
        language,
        principal,
        credential,
        types,
        departures: server.access().identity().departures(),
        ask_at: Instant::now(),
        heartbeat,
        silence: Box::pin(sleep(heartbeat)),
        first,
        over: false,
        _counted: server.metrics().connected("sse"),
    };
    let body = Body::from_stream(futures::stream::unfold(Box::new(stream), Stream::next));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, body).into_response())
}

fn last_event_id(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    match text.parse() {
        Ok(seq) => Ok(Some(seq)),
        Err(_) if text.is_empty() => Ok(None),
        Err(_) => Err(Problem::invalid(
            "Last-Event-ID",
            message!("server-not-event-number"),
            message!("server-not-event-number-hint"),
        )),
    }
}

fn types(text: &str) -> Result<BTreeSet<Box<str>>, Problem> {
    let wanted = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    wanted
        .map(|name| match EventBody::KINDS.contains(&name) {
            true => Ok(name.into()),
            false => {
                let known = EventBody::KINDS.join(", ");
                let detail = message!("server-no-event-type", %name);
                Err(Problem::invalid("types", detail, message!("server-choose-from", %known)))
            }
        })
        .collect()
}

/// A stream to one client.
struct Stream {
    listener: Listener,
    server: ServerState,
    meeting: MeetingId,
    principal: Principal,
    /// What they were let in with.
    credential: AccessCredential,
    /// What this one sees of it.
    sight: Sight,
    /// In which it is told of problems.
    language: Language,
    /// The types that are wanted; all when `None`.
    types: Option<BTreeSet<Box<str>>>,
    /// Changes when a session or token ends.
    departures: watch::Receiver<()>,
    /// When to ask again whether this one still is in: a session can simply expire.
    ask_at: Instant,
    heartbeat: Duration,
    /// Ends when nothing was said for so long.
    silence: Pin<Box<Sleep>>,
    /// What goes before everything else.
    first: VecDeque<Bytes>,
    over: bool,
    _counted: Connected,
}

impl Stream {
    async fn next(mut self: Box<Self>) -> Option<(Result<Bytes, Infallible>, Box<Self>)> {
        if let Some(first) = self.first.pop_front() {
            return Some((Ok(first), self));
        }
        if self.over {
            return None;
        }
        let bytes = self.piece().await;
        Some((Ok(bytes), self))
    }

    async fn piece(&mut self) -> Bytes {
        let now = Instant::now();
        self.silence.as_mut().reset(now + self.heartbeat);
        if now >= self.ask_at && !self.is_in() {
            return self.last(OUT);
        }
        loop {
            let heard = tokio::select! {
                biased;
                _ = self.departures.changed() => match self.is_in() {
                    true => continue,
                    false => return self.last(OUT),
                },
                heard = self.listener.next() => heard,
                () = self.silence.as_mut() => match self.is_in() {
                    true => return Bytes::from_static(b": still here\n\n"),
                    false => return self.last(OUT),
                },
            };
            let heard = match heard {
                Ok(heard) => heard,
                Err(problem) => {
                    self.over = true;
                    let problem = problem.told_in(self.language);
                    let problem = serde_json::to_string(&problem).unwrap_or_default();
                    return format!("event: problem\ndata: {problem}\n\n").into();
                }
            };
            if let ListenerEvent::Event(frame) = &heard
                && frame.kind() == ACCESS
                && self.is_shut().await
            {
                return self.last(": the meeting asks for a password\n\n");
            }
            if let ListenerEvent::Event(frame) = &heard {
                self.sight.hear(frame, &self.principal);
            }
            match heard {
                ListenerEvent::Event(frame) if self.wants(frame.kind()) => return self.sight.sse(&frame),
                // Whoever comes back is not to be told of it again.
                ListenerEvent::Event(frame) if !self.listener.has_more() => {
                    return format!("id: {}\n\n", frame.seq).into();
                }
                ListenerEvent::Event(_) => {}
                ListenerEvent::Tokens(batch) => {
                    let bytes = self.sight.fragments(&batch);
                    if !bytes.is_empty() {
                        return bytes;
                    }
                }
                ListenerEvent::Resync(seq) => {
                    let resync = ResyncFrame { last_seq: seq, reason: ResyncReason::TooSlow };
                    let data = serde_json::to_string(&resync).expect("a frame is plain data");
                    return format!("event: resync\ndata: {data}\n\n").into();
                }
                ListenerEvent::MeetingProblem(problem) => {
                    let told = problem.told_in(self.language);
                    return format!("event: problem\ndata: {told}\n\n").into();
                }
                ListenerEvent::Over => return self.last(": the meeting is over\n\n"),
                ListenerEvent::Lost => {
                    return self.last(": the meeting does not run here any more\nretry: 2000\n\n");
                }
                ListenerEvent::Stopping => return self.last(": the service stops\nretry: 2000\n\n"),
            }
        }
    }

    fn is_in(&mut self) -> bool {
        self.ask_at = Instant::now() + self.heartbeat;
        let is_in = self.server.access().identity().is_in(&self.credential);
        if is_in {
            self.server.app().touch_presence(&self.principal);
        }
        is_in
    }

    /// Whether the meeting asks for a password by now that this listener has not given. Where that cannot be found
    /// out, it does.
    async fn is_shut(&self) -> bool {
        self.server.is_shut(&self.principal, &self.meeting).await.unwrap_or(true)
    }

    fn last(&mut self, text: &'static str) -> Bytes {
        self.over = true;
        Bytes::from_static(text.as_bytes())
    }

    fn wants(&self, kind: &str) -> bool {
        kind == "finished" || self.types.as_ref().is_none_or(|types| types.contains(kind))
    }
}
