//! How an answer of a vendor arrives: as the bytes of an HTTP response, whole or in pieces, or not as it was sent.

use std::io::ErrorKind;
use std::time::Duration;

use futures::stream;
use quorate_contract::FailureKind;
use quorate_runners::SendError;
use quorate_vendor_emulators::VendorReply;
use reqwest::Response;
use tokio::time::sleep;

use crate::rng::Rng;

/// What happens to an answer on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Whole,
    /// The connection breaks in the middle.
    Cut,
    /// Nothing more comes after the middle.
    Stalls,
    /// The bytes are not those that were sent.
    Garbled,
    /// The usage comes twice.
    Twice,
    /// Something follows the whole answer that does not belong there.
    Trails,
    /// The connection breaks after the whole answer.
    Resets,
    /// A gateway says that it got no answer.
    Gateway,
    /// The connection breaks before anything has come.
    Lost,
    /// Nothing comes.
    Silent,
}

/// The ways, by how often they are taken, with their names in the report.
pub(super) const WAYS: [(u64, Way, &str); 10] = [
    (40, Way::Whole, "answers"),
    (6, Way::Cut, "cuts the answer"),
    (6, Way::Stalls, "stalls within the answer"),
    (6, Way::Garbled, "garbles the answer"),
    (4, Way::Twice, "bills twice"),
    (6, Way::Trails, "sends more after the answer"),
    (4, Way::Resets, "breaks off after the answer"),
    (4, Way::Gateway, "a gateway gives up"),
    (5, Way::Lost, "loses the answer"),
    (4, Way::Silent, "falls silent"),
];

/// A response in one piece.
pub(super) fn whole(status: u16, kind: &str, body: &str) -> Response {
    let headers = vec![("content-type".to_owned(), kind.to_owned())];
    in_one(VendorReply { status, headers, pieces: vec![body.to_owned()], is_streamed: false })
}

/// The same, from what a vendor sends.
pub(super) fn in_one(reply: VendorReply) -> Response {
    let body = reply.pieces.concat();
    response(reply.status, &reply.headers, reqwest::Body::from(body))
}

fn response(status: u16, headers: &[(String, String)], body: reqwest::Body) -> Response {
    let mut response = http::Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    Response::from(response.body(body).expect("a response of the emulators is one"))
}

/// The response to a request that was refused for this reason.
pub(super) fn refused(rng: &mut Rng, kind: FailureKind) -> Result<Response, SendError> {
    let error = |status, message: &str| {
        let body = serde_json::json!({ "error": { "message": message, "type": "error" } });
        whole(status, "application/json", &body.to_string())
    };
    Ok(match kind {
        FailureKind::Authentication => error(401, "invalid key"),
        FailureKind::RateLimit => {
            let mut response = error(429, "too many requests");
            if let Some(seconds) = rng.maybe(500, |rng| rng.pick(&[0u16, 1, 7, 90])) {
                response.headers_mut().insert("retry-after", seconds.into());
            }
            response
        }
        FailureKind::Quota => error(402, "insufficient balance"),
        FailureKind::Overloaded => error(rng.pick(&[503, 529]), "overloaded"),
        FailureKind::ContextTooLong => error(400, "the prompt is longer than the context window"),
        FailureKind::ContentRefused => error(400, "content_filter: the prompt was refused"),
        FailureKind::ModelUnknown => error(404, "model not found"),
        FailureKind::BadRequest => error(400, "bad request"),
        FailureKind::Network => return Err(SendError::NoConnection(ErrorKind::ConnectionReset)),
        FailureKind::TimedOut => error(500, "timed out"),
        FailureKind::Malformed => whole(200, "application/json", "{\"choi"),
        FailureKind::Empty => whole(200, "application/json", ""),
        FailureKind::Budget => error(403, "spending limit reached"),
        _ => error(500, "internal error"),
    })
}

/// Whether the last piece of a stream only says that it is the last.
fn ends_in_mark(pieces: &[String]) -> bool {
    pieces.last().is_some_and(|last| last.contains("[DONE]") || last.contains("message_stop"))
}

/// An answer that was given, as it arrives.
pub(super) fn on_the_way(rng: &mut Rng, reply: VendorReply, way: Way, wait_ms: u64) -> Response {
    let VendorReply { status, headers, mut pieces, is_streamed } = reply;
    if !is_streamed {
        // A whole body comes in several pieces, too.
        let body = pieces.concat();
        let middle = (body.len() / 2..body.len()).find(|at| body.is_char_boundary(*at)).unwrap_or(0);
        pieces = vec![body[..middle].to_owned(), body[middle..].to_owned()];
    }
    let middle = rng.place(pieces.len().max(1));
    match way {
        Way::Garbled => {
            let piece = pieces.get_mut(middle);
            let garbage = rng.pick(&["%$\u{fffd}", "}{", "data: {\"choi", "<html>"]);
            piece.into_iter().for_each(|piece| piece.insert_str(0, garbage));
        }
        Way::Twice if is_streamed => {
            let usage =
                pieces.iter().rev().find(|piece| piece.contains("sage") && piece.contains("oken")).cloned();
            let last = pieces.len().saturating_sub(1);
            usage.into_iter().for_each(|usage| pieces.insert(last, usage));
        }
        Way::Trails => {
            let more = ["data: [DONE]\n\n", "data: {\"choi\n\n", "%$\u{fffd}\n", "<html>\n"];
            // Before the mark with which some formats end a stream, the answer is whole, too.
            let place =
                pieces.len() - usize::from(is_streamed && ends_in_mark(&pieces) && rng.per_mille(600));
            pieces.insert(place, rng.pick(&more).to_owned());
        }
        Way::Resets if is_streamed && ends_in_mark(&pieces) => _ = pieces.pop(),
        _ => {}
    }
    let breaks = matches!(way, Way::Cut | Way::Stalls);
    if breaks {
        pieces.truncate(middle);
    }
    // The first piece takes most of the time.
    let each_ms = if pieces.len() > 1 { (wait_ms / 10 / pieces.len() as u64).min(200) } else { 0 };
    let first_ms = wait_ms.saturating_sub(each_ms * pieces.len() as u64);
    let body = stream::unfold((pieces.into_iter(), true), move |(mut pieces, is_first)| async move {
        sleep(Duration::from_millis(if is_first { first_ms } else { each_ms })).await;
        match pieces.next() {
            Some(piece) => Some((Ok(piece), (pieces, false))),
            None if way == Way::Stalls => std::future::pending().await,
            None if matches!(way, Way::Cut | Way::Resets) && !is_first => {
                // The error ends the stream.
                Some((Err(std::io::Error::from(ErrorKind::ConnectionReset)), (pieces, true)))
            }
            None => None,
        }
    });
    response(status, &headers, reqwest::Body::wrap_stream(body))
}
