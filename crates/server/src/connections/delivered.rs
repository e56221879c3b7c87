//! What is done when a response has been handed to the connection: not when it was made, since whoever asked may be gone
//! by then.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};

/// Done when a response has been handed to the connection. In a response to a request of this process it stands among the
/// extensions: whoever hands the contents on is to call it.
#[derive(Clone)]
pub struct OnDelivered(Arc<dyn Fn() + Send + Sync>);

impl OnDelivered {
    /// This is done.
    pub fn new(done: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(done))
    }

    /// Says that the response has been handed to the connection.
    pub fn delivered(&self) {
        (self.0)();
    }
}

/// A body that says when all of it has been taken.
pub fn watched(body: Body, on_delivered: OnDelivered) -> Body {
    Body::new(Watched { body, on_delivered: Some(on_delivered) })
}

struct Watched {
    body: Body,
    on_delivered: Option<OnDelivered>,
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let has_all = match &polled {
            Poll::Ready(None) => true,
            Poll::Ready(Some(frame)) => frame.is_ok() && self.body.is_end_stream(),
            Poll::Pending => false,
        };
        if has_all && let Some(on_delivered) = self.on_delivered.take() {
            on_delivered.delivered();
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn a_body_that_is_taken_is_delivered_once_and_one_that_is_dropped_never() {
        let times = Arc::new(AtomicU32::new(0));
        let count = || {
            let times = Arc::clone(&times);
            OnDelivered::new(move || {
                times.fetch_add(1, Ordering::Relaxed);
            })
        };
        drop(watched(Body::from("a page"), count()));
        assert_eq!(times.load(Ordering::Relaxed), 0);
        let read = to_bytes(watched(Body::from("a page"), count()), 100).await.expect("a body");
        assert_eq!((&read[..], times.load(Ordering::Relaxed)), (&b"a page"[..], 1));
    }
}
