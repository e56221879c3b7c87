//! A request whose meeting nobody runs for a moment: what is kept of it, and who runs the meeting next.

use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::response::Response;
use quorate_app::{App, OwnerElsewhere, Principal};
use quorate_contract::MeetingId;
use quorate_messages::as_said;

use crate::problem::Problem;

/// How long a request waits for another node to take its meeting over: a lease lasts 10 s.
const TAKEN_OVER_WITHIN: Duration = Duration::from_secs(12);
/// After how long a node is tried again, and it is looked who runs the meeting; then twice as long, up to the most.
const AGAIN_AFTER: Duration = Duration::from_millis(300);
/// The most.
const AGAIN_WITHIN: Duration = Duration::from_secs(1);
/// The largest body that is kept, so that it can be sent again: all but uploads.
const KEPT_BYTES: u64 = 256 << 10;
/// Where the sender is not known.
const KEPT_BYTES_OF_UNKNOWN: u64 = 16 << 10;

/// A request that is to be sent on.
pub(crate) struct ForwardedRequest {
    pub(super) parts: Parts,
    pub(super) body: Body,
    /// Whether it may be carried out twice: it only reads, or carries a key with which it is carried out once.
    pub(super) repeatable: bool,
}

impl ForwardedRequest {
    /// A request that may be carried out twice, or not.
    pub(crate) fn new(request: Request, repeatable: bool) -> Self {
        let (parts, body) = request.into_parts();
        Self { parts, body, repeatable }
    }
}

/// What became of a request that was to be sent on.
pub(crate) enum Forwarding {
    /// It has its answer.
    Answered(Response),
    /// Nobody else runs the meeting any more: it is carried out here.
    Here(Request),
}

/// Whether a request without an answer was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undone {
    /// It was not: the node was not reached, or does not run the meeting.
    Certainly,
    /// It may have been.
    Perhaps,
}

impl Undone {
    pub(super) fn of(error: &reqwest::Error) -> Self {
        match error.is_connect() {
            true => Self::Certainly,
            false => Self::Perhaps,
        }
    }
}

/// The body of a request that is sent on.
pub(super) enum RequestBody {
    /// It can be sent again.
    Whole(Bytes),
    /// It is passed on as it comes.
    Stream(Body),
}

/// Reads a body that says that it is small.
pub(super) async fn keep(parts: &Parts, body: Body) -> Result<RequestBody, Problem> {
    let is_known = parts.extensions.get::<Principal>().is_some();
    let most = if is_known { KEPT_BYTES } else { KEPT_BYTES_OF_UNKNOWN };
    if body.size_hint().upper().is_none_or(|size| size > most) {
        return Ok(RequestBody::Stream(body));
    }
    let read = axum::body::to_bytes(body, KEPT_BYTES as usize).await;
    read.map(RequestBody::Whole).map_err(|error| Problem::unreadable(as_said(error)))
}

/// Who runs a meeting, asked again and again after its node was not reached.
pub(super) struct NextOwner {
    /// The node that ran it last.
    pub(super) last: OwnerElsewhere,
    begun: Instant,
    pause: Duration,
}

/// Where a meeting runs next.
pub(super) enum Runs {
    /// At the node that ran it last, or at another one, which is the last one now.
    There,
    /// At no other node: this process may run it.
    Here,
    /// It has been waited for long enough.
    Unknown,
}

impl NextOwner {
    pub(super) fn after(last: OwnerElsewhere) -> Self {
        Self { last, begun: Instant::now(), pause: AGAIN_AFTER }
    }

    /// Waits for a moment, and says where the meeting runs.
    pub(super) async fn next(&mut self, app: &App, meeting: &MeetingId) -> Runs {
        while self.begun.elapsed() < TAKEN_OVER_WITHIN {
            tokio::time::sleep(self.pause).await;
            self.pause = (self.pause * 2).min(AGAIN_WITHIN);
            match app.owner_elsewhere(meeting).await {
                Ok(None) => return Runs::Here,
                Ok(Some(next)) if next.address.is_some() => {
                    self.last = next;
                    return Runs::There;
                }
                // A command serves nobody: its meeting is free when it ends.
                Ok(Some(_)) => {}
                Err(error) => {
                    tracing::debug!(node = self.last.node, %error, "who runs a meeting cannot be read")
                }
            }
        }
        Runs::Unknown
    }
}
