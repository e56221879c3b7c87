//! A line that stays open is counted until it closes.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::{Frame, SizeHint};

use crate::limits::rates::LimitSlot;

struct HeldBody {
    inner: Body,
    _line: Arc<LimitSlot>,
}

/// Keeps the stream counted until the response ends.
pub(crate) fn hold(response: Response, line: Arc<LimitSlot>) -> Response {
    response.map(|inner| Body::new(HeldBody { inner, _line: line }))
}

impl http_body::Body for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
