//! What a node tells the others of a meeting that it runs, while somebody listens to it there.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, extract::Request};
use futures::FutureExt;
use quorate_app::{FragmentKind, LiveFragment, Notice, Subscription};
use quorate_contract::{MeetingId, ParticipantId, TaskId};
use serde::{Deserialize, Serialize};

use super::Forwarded;
use crate::problem::Problem;
use crate::state::ServerState;

/// How long a stream of notices is silent at most.
pub(super) const SIGN_OF_LIFE: Duration = Duration::from_secs(5);
/// The most notices that are written at once.
const AT_ONCE: usize = 64;

/// What one node tells another of a meeting. Losing one costs time and nothing else: events are read from the database, and
/// a piece of an answer says where it begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum NodeNotice {
    /// Events up to this one can be read.
    Appended {
        /// The number of the last one.
        seq: u64,
    },
    /// A piece of an answer while it is written. One at 0 is the whole text so far.
    Fragment {
        /// The call that it belongs to.
        task: TaskId,
        /// The attempt, counted from 1.
        attempt: u32,
        /// Who answers; `None` is the facilitator.
        participant: Option<ParticipantId>,
        /// Whether it is what the model thinks before it answers.
        reasoning: bool,
        /// Where it begins, in bytes of UTF-8.
        offset: usize,
        /// The text.
        text: String,
    },
    /// There was nothing to tell for a while.
    Idle,
}

impl NodeNotice {
    fn of(piece: &LiveFragment) -> Self {
        let LiveFragment { task, attempt, participant, kind, offset, text } = piece.clone();
        let reasoning = kind == FragmentKind::Reasoning;
        Self::Fragment { task, attempt, participant, reasoning, offset, text }
    }

    /// As one line.
    fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("a notice is plain data");
        line.push('\n');
        line
    }
}

/// What is told of a meeting that runs here, from now on.
pub(super) struct Notices {
    subscription: Subscription,
    /// What goes before everything else.
    first: Option<NodeNotice>,
}

impl Notices {
    /// Begins with what has been written so far; `None` when the meeting does not run here.
    pub(super) async fn open(server: &ServerState, meeting: &MeetingId, fragments: bool) -> Option<Self> {
        let handle = server.app().meeting(meeting).await.ok()?;
        let seq = handle.look().await.ok()?.seq;
        let subscription = handle.subscribe(seq, fragments).await.ok()?;
        Some(Self { subscription, first: Some(NodeNotice::Appended { seq }) })
    }

    /// What comes next; `None` when the meeting is over, or does not run here any more.
    pub(super) async fn next(&mut self) -> Option<NodeNotice> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            match self.subscription.next().await {
                Ok(Some(Notice::Event(record))) => {
                    return Some(NodeNotice::Appended { seq: record.event.seq });
                }
                Ok(Some(Notice::Fragment(piece))) => return Some(NodeNotice::of(&piece)),
                // Each answer under way comes again from its beginning. What is wrong with the database, the other node
                // sees itself.
                Ok(Some(Notice::Lagged | Notice::Problem(_))) => {}
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// A line for each notice that comes next and is there already; at least one. Dropping the future loses nothing.
    pub(super) async fn lines(&mut self) -> Option<String> {
        let first = match tokio::time::timeout(SIGN_OF_LIFE, self.next()).await {
            Ok(notice) => notice?,
            Err(_) => NodeNotice::Idle,
        };
        let mut lines = first.line();
        for _ in 1..AT_ONCE {
            match self.next().now_or_never() {
                Some(Some(notice)) => lines.push_str(&notice.line()),
                Some(None) | None => break,
            }
        }
        Some(lines)
    }

    async fn unfold(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let lines = self.lines().await?;
        Some((Ok(lines.into()), self))
    }
}

/// Where a node asks for notices.
pub(super) fn target(meeting: &MeetingId, fragments: bool) -> String {
    let mut url = url::Url::parse("http://node/").expect("an address");
    if let Ok(mut path) = url.path_segments_mut() {
        path.extend(["internal", "meetings", meeting.as_str(), "notices"]);
    }
    format!("{}?fragments={fragments}", url.path())
}

/// What only other nodes may ask for; no part of the public interface.
pub(crate) fn routes() -> Router<ServerState> {
    Router::new().route("/internal/meetings/{id}/notices", get(notices))
}

#[derive(Debug, Deserialize)]
struct NoticesQuery {
    fragments: bool,
}

/// A line for each notice, until the meeting does not run here any more.
async fn notices(
    State(server): State<ServerState>,
    node: Option<Extension<Forwarded>>,
    Path(id): Path<String>,
    Query(query): Query<NoticesQuery>,
    request: Request,
) -> Response {
    if node.is_none() {
        return Problem::not_found("page", request.uri().path()).into_response();
    }
    let meeting = MeetingId::new(id);
    match Notices::open(&server, &meeting, query.fragments).await {
        Some(notices) => {
            let lines = Body::from_stream(futures::stream::unfold(notices, Notices::unfold));
            ([(header::CONTENT_TYPE, "application/x-ndjson")], lines).into_response()
        }
        None => StatusCode::CONFLICT.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_read_as_it_was_written() {
        let piece = LiveFragment {
            task: "speak:r1t1".parse().expect("a task"),
            attempt: 2,
            participant: None,
            kind: FragmentKind::Reasoning,
            offset: 6,
            text: "先说\n结论".to_owned(),
        };
        for notice in [NodeNotice::of(&piece), NodeNotice::Appended { seq: 9 }, NodeNotice::Idle] {
            let line = notice.line();
            assert_eq!(line.matches('\n').count(), 1, "one line");
            assert_eq!(serde_json::from_str::<NodeNotice>(&line).expect("a notice"), notice);
        }
    }

    #[test]
    fn a_meeting_is_named_whatever_its_id_is() {
        let meeting = MeetingId::new("会 议/x?y".to_owned());
        let target = target(&meeting, true);
        assert_eq!(target, "/internal/meetings/%E4%BC%9A%20%E8%AE%AE%2Fx%3Fy/notices?fragments=true");
    }
}
