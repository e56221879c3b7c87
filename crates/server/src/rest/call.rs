//! One request over HTTP, as the application carries it out: [`Invocation`] in the words of HTTP.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use quorate_app::{Denial, InterruptedRequest, Invocation, Principal, RequestKey, StoredResponse, UseCase};
use quorate_contract::{MeetingId, Timestamp};
use quorate_messages::message;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::idempotency::{KEY, REPLAYED, key};
use super::messages;
use crate::access::{AccessCredential, Detail, hold};
use crate::limits::bodies::{BODY_MAX, IMPORT_MAX};
use crate::limits::bodies::{Measure, Share};
use crate::limits::rates::{LimitSlot, is_live};
use crate::problem::Problem;
use crate::state::ServerState;

/// Headers that come again with an answer that is kept.
const KEPT: [HeaderName; 3] = [header::CONTENT_TYPE, header::LOCATION, header::ETAG];

/// One request.
pub(crate) struct RestCall {
    server: ServerState,
    use_case: UseCase,
    meeting: Option<MeetingId>,
    address: IpAddr,
    credential: Option<AccessCredential>,
    /// What the path names beside the meeting, for the audit log.
    named: Map<String, Value>,
    request: Request,
    next: Next,
    /// Counts a stream that stays open.
    line: Option<Arc<LimitSlot>>,
    /// Counts the bytes of the body while they come.
    measure: Option<Arc<Measure>>,
    /// What is wrong with it before it is carried out; said to whoever may make it.
    problem: Option<Problem>,
}

impl RestCall {
    pub(crate) fn new(
        server: ServerState,
        use_case: UseCase,
        meeting: Option<MeetingId>,
        address: IpAddr,
        credential: Option<AccessCredential>,
        request: Request,
        next: Next,
    ) -> Self {
        let named = Map::new();
        Self {
            server,
            use_case,
            meeting,
            address,
            credential,
            named,
            request,
            next,
            line: None,
            measure: None,
            problem: None,
        }
    }

    /// The same, with what its path names beside the meeting.
    pub(crate) fn naming(self, named: Map<String, Value>) -> Self {
        Self { named, ..self }
    }

    /// The same, which is refused with this problem once it is permitted.
    pub(crate) fn refused_with(self, problem: Option<Problem>) -> Self {
        Self { problem, ..self }
    }

    /// A problem as an answer; without a credential also with the way to authenticate.
    pub(crate) fn refused(problem: Problem) -> Response {
        let unknown = problem.status() == StatusCode::UNAUTHORIZED;
        let mut response = problem.into_response();
        if unknown {
            let how = HeaderValue::from_static("Bearer realm=\"quorate\"");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
        }
        response
    }

    fn principal(&self) -> Option<&Principal> {
        self.request.extensions().get()
    }

    /// Counts a stream among the open ones of its credential, and the bytes of the body among those of its sender.
    fn measure(&mut self) -> Result<(), Problem> {
        let limits = self.server.access().limits();
        let live = is_live(self.request.uri().path()) && *self.request.method() == Method::GET;
        if let Some(credential) = self.credential.as_ref().filter(|_| live) {
            let line = Arc::new(limits.line(credential.key(), credential.is_here())?);
            // Whoever goes on to speak a WebSocket keeps it for as long.
            self.request.extensions_mut().insert(Arc::clone(&line));
            self.line = Some(line);
        }
        let share = match self.principal() {
            Some(principal) => {
                let meeting = principal.meeting.as_ref().map(MeetingId::as_str);
                Share::of_somebody(&principal.name, meeting, limits.options().body_bytes)
            }
            None if self.use_case == UseCase::CallBack => {
                let write_timeout = Duration::from_secs(limits.options().head_seconds.max(1).into());
                Share::of_webhooks(self.address, write_timeout)
            }
            None => {
                let write_timeout = Duration::from_secs(limits.options().head_seconds.max(1).into());
                Share::of_strangers(self.address, write_timeout)
            }
        };
        let body = std::mem::take(self.request.body_mut());
        let (body, measure) = limits.bodies().measure(share, self.request.headers(), body)?;
        *self.request.body_mut() = body;
        self.measure = Some(measure);
        Ok(())
    }

    /// Reads the body to its end, and leaves it there for the next reader.
    async fn body(&mut self) -> Result<Bytes, Problem> {
        let body = std::mem::take(self.request.body_mut());
        let max = if self.use_case == UseCase::Import { IMPORT_MAX } else { BODY_MAX };
        let read = to_bytes(body, max).await;
        let bytes = read.map_err(|_| {
            let broken = self.measure.as_ref().and_then(|measure| measure.problem());
            broken.unwrap_or_else(|| {
                let detail = message!("server-body-too-large");
                Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
                    .hint(message!("server-body-too-large-hint"))
            })
        })?;
        *self.request.body_mut() = Body::from(bytes.clone());
        Ok(bytes)
    }

    async fn read_key(&mut self) -> Result<Option<RequestKey>, Problem> {
        if !self.request.headers().contains_key(KEY) {
            return Ok(None);
        }
        let key = key(self.request.headers())?;
        let body = self.body().await?;
        let mut checksum = Sha256::new();
        checksum.update(self.request.uri().path_and_query().map_or("", |path| path.as_str()));
        checksum.update([0]);
        checksum.update(&body);
        Ok(Some(RequestKey { key, checksum: checksum.finalize().into() }))
    }

    async fn said_before(&mut self, since: Timestamp) -> Result<InterruptedRequest<Response>, Problem> {
        let (UseCase::Say, Some(meeting)) = (self.use_case, self.meeting.clone()) else {
            return Ok(InterruptedRequest::Unknown);
        };
        let Some(principal) = self.principal().cloned() else { return Ok(InterruptedRequest::Unknown) };
        let body = self.body().await?;
        let said = messages::said_since(&self.server, &meeting, &principal, since, &body).await?;
        Ok(said.map_or(InterruptedRequest::NotDone, InterruptedRequest::Done))
    }
}

impl Invocation for RestCall {
    type Outcome = Response;

    fn limit(&mut self) -> Result<(), Response> {
        match self.problem.take() {
            Some(problem) => Err(Self::refused(problem)),
            None => self.measure().map_err(Self::refused),
        }
    }

    async fn key(&mut self) -> Result<Option<RequestKey>, Response> {
        self.read_key().await.map_err(Self::refused)
    }

    async fn execute(self) -> Response {
        let Self { request, next, line, measure, named, .. } = self;
        let response = next.run(request).await;
        let mut response = match measure.and_then(|measure| measure.problem()) {
            Some(problem) => problem.into_response(),
            None => response,
        };
        if !named.is_empty() && response.extensions().get::<Detail>().is_none() {
            response.extensions_mut().insert(Detail(named.into()));
        }
        match line {
            Some(line) => hold(response, line),
            None => response,
        }
    }

    async fn recall(&mut self, since: Timestamp) -> Result<InterruptedRequest<Response>, Response> {
        self.said_before(since).await.map_err(Self::refused)
    }

    fn denied(&self, denial: Denial) -> Response {
        Self::refused(match denial {
            Denial::NotSignedIn => self.server.access().who_are_you(),
            other => other.into(),
        })
    }

    fn broken() -> Response {
        Problem::our_fault(message!("server-bug")).into_response()
    }

    fn status(response: &Response) -> u16 {
        response.status().as_u16()
    }

    fn is_unknown(response: &Response) -> bool {
        response.extensions().get::<Problem>().is_some_and(Problem::is_unknown)
    }

    fn detail(response: &Response) -> Option<Value> {
        response.extensions().get::<Detail>().map(|Detail(detail)| detail.clone())
    }

    async fn answer(response: Response) -> Result<(StoredResponse, Response), Response> {
        let (parts, body) = response.into_parts();
        let Ok(body) = to_bytes(body, usize::MAX).await else { return Err(Self::broken()) };
        let place = parts.headers.get(header::LOCATION).and_then(|place| place.to_str().ok());
        let created = place.and_then(|place| place.strip_prefix("/api/v1/meetings/"));
        let answer = StoredResponse {
            status: parts.status.as_u16(),
            headers: KEPT.iter().filter_map(|name| header_of(&parts.headers, name)).collect(),
            body: body.to_vec(),
            meeting: created.and_then(|rest| rest.split('/').next()).map(MeetingId::new),
        };
        Ok((answer, Response::from_parts(parts, Body::from(body))))
    }

    fn replay(answer: StoredResponse) -> Response {
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
}

fn header_of(headers: &HeaderMap, name: &HeaderName) -> Option<(String, String)> {
    Some((name.as_str().to_owned(), headers.get(name)?.to_str().ok()?.to_owned()))
}
