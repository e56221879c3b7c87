//! A line that stays open: counted until it closes, and closed when whoever holds it is out.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::{Frame, SizeHint};

use super::{Access, Credential};
use crate::limits::Line;

struct Held {
    inner: Body,
    access: Access,
    credential: Credential,
    _line: Arc<Line>,
}

/// Keeps the line counted for as long as the answer goes on. Whoever signs out, or whose token is taken
/// back, hears nothing more: the next piece, a heartbeat at the latest, finds the line closed.
pub(crate) fn hold(response: Response, line: Arc<Line>, access: Access, credential: Credential) -> Response {
    response.map(|inner| Body::new(Held { inner, access, credential, _line: line }))
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.inner).poll_frame(context);
        match frame {
            Poll::Ready(Some(Ok(_))) if !self.access.is_in(&self.credential) => Poll::Ready(None),
            frame => frame,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // It may end before its time.
        SizeHint::default()
    }
}
