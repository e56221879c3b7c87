//! What a node tells the others of a meeting that it runs, while somebody listens to it there.

use std::collections::VecDeque;
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
/// The most bytes after which nothing more is written at once. With one piece more it is far below what NATS takes, 1 MB.
const BATCH_MAX: usize = 128 << 10;
/// The longest text of one notice, in bytes. As JSON it can be six times as long.
const PIECE_MAX: usize = 64 << 10;

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
        /// The last event before it.
        after: u64,
    },
    /// There was nothing to tell for a while.
    Idle,
}

impl NodeNotice {
    /// A piece of an answer after an event, as one notice or several.
    fn of(piece: &LiveFragment, after: u64) -> Vec<Self> {
        let LiveFragment { task, attempt, participant, kind, offset, text } = piece;
        let (task, attempt, participant) = (*task, *attempt, *participant);
        let reasoning = *kind == FragmentKind::Reasoning;
        let (mut offset, mut rest, mut notices) = (*offset, text.as_str(), Vec::new());
        loop {
            let (text, left) = rest.split_at(rest.floor_char_boundary(PIECE_MAX));
            let text = text.to_owned();
            notices.push(Self::Fragment { task, attempt, participant, reasoning, offset, text, after });
            offset += rest.len() - left.len();
            if left.is_empty() {
                return notices;
            }
            rest = left;
        }
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
    /// The last event that was told.
    seq: u64,
    /// What comes next.
    waiting: VecDeque<NodeNotice>,
}

impl Notices {
    /// Begins with what has been written so far; `None` when the meeting does not run here.
    pub(super) async fn open(server: &ServerState, meeting: &MeetingId, fragments: bool) -> Option<Self> {
        let handle = server.app().meeting(meeting).await.ok()?;
        let seq = handle.look().await.ok()?.seq;
        let subscription = handle.subscribe(seq, fragments).await.ok()?;
        Some(Self { subscription, seq, waiting: VecDeque::from([NodeNotice::Appended { seq }]) })
    }

    /// What comes next; `None` when the meeting is over, or does not run here any more.
    pub(super) async fn next(&mut self) -> Option<NodeNotice> {
        loop {
            if let Some(next) = self.waiting.pop_front() {
                return Some(next);
            }
            match self.subscription.next().await {
                Ok(Some(Notice::Event(record))) => {
                    self.seq = record.event.seq;
                    return Some(NodeNotice::Appended { seq: self.seq });
                }
                Ok(Some(Notice::Fragment(piece))) => self.waiting.extend(NodeNotice::of(&piece, self.seq)),
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
            if lines.len() > BATCH_MAX {
                break;
            }
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
pub(super) fn routes() -> Router<ServerState> {
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
        return Problem::no_route(request.uri().path()).into_response();
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
        let notices = NodeNotice::of(&piece, 8).into_iter();
        for notice in notices.chain([NodeNotice::Appended { seq: 9 }, NodeNotice::Idle]) {
            let line = notice.line();
            assert_eq!(line.matches('\n').count(), 1, "one line");
            assert_eq!(serde_json::from_str::<NodeNotice>(&line).expect("a notice"), notice);
        }
    }

    #[test]
    fn a_long_text_comes_in_pieces_that_follow_each_other() {
        let text = "结论。".repeat(40_000);
        let piece = LiveFragment {
            task: "speak:r1t1".parse().expect("a task"),
            attempt: 1,
            participant: None,
            kind: FragmentKind::Answer,
            offset: 3,
            text: text.clone(),
        };
        let (mut whole, mut at) = (String::new(), 3);
        let notices = NodeNotice::of(&piece, 8);
        assert!(notices.len() > 5);
        for notice in notices {
            let NodeNotice::Fragment { offset, text, .. } = notice else { panic!("a piece") };
            assert_eq!(offset, at);
            assert!(text.len() <= PIECE_MAX);
            at += text.len();
            whole.push_str(&text);
        }
        assert_eq!(whole, text);
    }

    #[test]
    fn a_meeting_is_named_whatever_its_id_is() {
        let meeting = MeetingId::new("会 议/x?y".to_owned());
        let target = target(&meeting, true);
        assert_eq!(target, "/internal/meetings/%E4%BC%9A%20%E8%AE%AE%2Fx%3Fy/notices?fragments=true");
    }
}
