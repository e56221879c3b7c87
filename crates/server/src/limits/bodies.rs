//! Limits on request bodies: their size, the bytes in flight, and the time that they may take.
//!
//! A signed-in principal has a share of bytes for all its bodies in flight. Other clients may only send a
//! small body within a short time: a name and a password.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use http_body::{Frame, SizeHint};
use quorate_messages::message;
use tokio::time::{Sleep, sleep};

use crate::problem::Problem;

/// The largest body that is taken, in bytes; uploads have a limit of their own.
pub(crate) const BODY_MAX: usize = 1 << 20;
/// The largest file that is taken, in bytes.
pub const UPLOAD_MAX: usize = 20 << 20;
/// The most bytes of an import; no body of any request is larger.
pub(crate) const IMPORT_MAX: usize = 32 << 20;
/// The size limit of one body without a sign-in, in bytes.
const STRANGERS_BODY: u64 = 16 << 10;
/// The limit of all bodies of one address without a sign-in, in bytes.
const STRANGERS_SHARE: u64 = 256 << 10;
/// The longest call-back of a webhook.
const CALL_BACK_BODY: u64 = 1 << 20;
/// The most bytes in flight from an address that calls back for webhooks.
const WEBHOOKS_SHARE: u64 = 8 << 20;

/// The bytes of all bodies in flight, by their owners. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bodies(Arc<Mutex<HashMap<String, u64>>>);

/// The limits of one body, and the share that it counts towards.
pub(crate) struct Share {
    /// The owner of the share.
    whose: String,
    /// The limit of bytes in flight.
    most: u64,
    /// The most of this body alone, and how long it may take, where that is less than its route allows.
    within: Option<(u64, Duration)>,
}

impl Share {
    /// The share of a signed-in principal.
    pub(crate) fn of_somebody(name: &str, meeting: Option<&str>, most: u64) -> Self {
        Self { whose: format!("{}\n{name}", meeting.unwrap_or_default()), most, within: None }
    }

    /// The share of an address that calls back: its signature is known only when the body is read.
    pub(crate) fn of_webhooks(address: std::net::IpAddr, write_timeout: Duration) -> Self {
        Self {
            whose: address.to_string(),
            most: WEBHOOKS_SHARE,
            within: Some((CALL_BACK_BODY, write_timeout)),
        }
    }

    /// The share of an address without a sign-in.
    pub(crate) fn of_strangers(address: std::net::IpAddr, write_timeout: Duration) -> Self {
        Self {
            whose: address.to_string(),
            most: STRANGERS_SHARE,
            within: Some((STRANGERS_BODY, write_timeout)),
        }
    }
}

/// A body in flight. Its bytes count until this is dropped.
#[derive(Debug)]
pub(crate) struct Measure {
    bodies: Bodies,
    whose: String,
    most: u64,
    bytes: AtomicU64,
    /// The reason why the body was broken off, if it was.
    broken: AtomicU8,
}

const WHOLE: u8 = 0;
const TOO_LARGE: u8 = 1;
const TOO_SLOW: u8 = 2;
const TOO_MANY: u8 = 3;

impl Bodies {
    /// A body within its share.
    ///
    /// # Errors
    /// When it says itself that it is too much.
    pub(crate) fn measure(
        &self,
        share: Share,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<(Body, Arc<Measure>), Problem> {
        let Share { whose, most, within } = share;
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        let announced = announced.and_then(|value| value.parse::<u64>().ok()).unwrap_or(0);
        // What no route takes is not waited for.
        if announced > within.map_or(IMPORT_MAX as u64, |(most, _)| most) {
            return Err(problem(TOO_LARGE));
        }
        let taken = self.bytes().get(&whose).copied().unwrap_or(0);
        // One alone is for its route to refuse.
        if taken > 0 && taken.saturating_add(announced) > most {
            return Err(problem(TOO_MANY));
        }
        let measure = Arc::new(Measure {
            bodies: self.clone(),
            whose,
            most,
            bytes: AtomicU64::new(0),
            broken: AtomicU8::new(WHOLE),
        });
        let (most, write_timeout) =
            within.map_or((u64::MAX, None), |(most, write_timeout)| (most, Some(write_timeout)));
        // Most requests have no body, and need no clock.
        let write_timeout = write_timeout.filter(|_| !http_body::Body::is_end_stream(&body));
        let measured = Measured {
            body,
            measure: Arc::clone(&measure),
            left: most,
            late: write_timeout.map(|write_timeout| Box::pin(sleep(write_timeout))),
        };
        Ok((Body::new(measured), measure))
    }

    fn bytes(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Measure {
    /// The error for the sender of a body that was broken off.
    pub(crate) fn problem(&self) -> Option<Problem> {
        match self.broken.load(Ordering::Relaxed) {
            WHOLE => None,
            broken => Some(problem(broken)),
        }
    }

    fn add(&self, bytes: u64) -> Result<(), u8> {
        let mut all = self.bodies.bytes();
        let taken = all.entry(self.whose.clone()).or_default();
        // When no other body is in flight, the route's own limit holds.
        if *taken > self.bytes.load(Ordering::Relaxed) && taken.saturating_add(bytes) > self.most {
            return Err(TOO_MANY);
        }
        *taken += bytes;
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn broken(&self, why: u8) -> axum::Error {
        self.broken.store(why, Ordering::Relaxed);
        axum::Error::new(std::io::Error::other("the body was broken off"))
    }
}

impl Drop for Measure {
    fn drop(&mut self) {
        let bytes = self.bytes.load(Ordering::Relaxed);
        let mut all = self.bodies.bytes();
        if let Some(taken) = all.get_mut(&self.whose) {
            *taken = taken.saturating_sub(bytes);
            if *taken == 0 {
                all.remove(&self.whose);
            }
        }
    }
}

fn problem(why: u8) -> Problem {
    match why {
        TOO_LARGE => Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            message!("server-body-too-large-signed-out"),
        )
        .hint(message!("server-body-too-large-signed-out-hint")),
        TOO_SLOW => Problem::new(StatusCode::REQUEST_TIMEOUT, "too-slow", message!("server-body-too-slow"))
            .hint(message!("server-body-too-slow-hint")),
        _ => Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", message!("server-too-much-at-once"))
            .hint(message!("server-too-much-at-once-hint"))
            .retry_after(1),
    }
}

/// A body that is counted as it comes.
struct Measured {
    body: Body,
    measure: Arc<Measure>,
    left: u64,
    late: Option<Pin<Box<Sleep>>>,
}

impl http_body::Body for Measured {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Poll::Ready(piece) = Pin::new(&mut self.body).poll_frame(context) else {
            let late = self.late.as_mut().is_some_and(|late| late.as_mut().poll(context).is_ready());
            return if late { Poll::Ready(Some(Err(self.measure.broken(TOO_SLOW)))) } else { Poll::Pending };
        };
        let bytes = match &piece {
            Some(Ok(frame)) => frame.data_ref().map_or(0, |data| data.len() as u64),
            Some(Err(_)) | None => 0,
        };
        if bytes > self.left {
            return Poll::Ready(Some(Err(self.measure.broken(TOO_LARGE))));
        }
        self.left -= bytes;
        match self.measure.add(bytes) {
            Ok(()) => Poll::Ready(piece),
            Err(why) => Poll::Ready(Some(Err(self.measure.broken(why)))),
        }
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
    use futures::{StreamExt, stream};

    use super::*;

    const SOMEBODY: fn() -> Share = || Share::of_somebody("ada", None, 100);

    fn announced(bytes: usize) -> HeaderMap {
        HeaderMap::from_iter([(header::CONTENT_LENGTH, bytes.into())])
    }

    async fn read(body: Body) -> Result<usize, axum::Error> {
        axum::body::to_bytes(body, usize::MAX).await.map(|bytes| bytes.len())
    }

    #[tokio::test]
    async fn one_person_sends_only_so_much_at_once() {
        let bodies = Bodies::default();
        let body = |bytes: usize| Body::from(vec![7u8; bytes]);
        let (first, measure) = bodies.measure(SOMEBODY(), &announced(60), body(60)).expect("within");
        assert_eq!(read(first).await.expect("whole"), 60);
        let refused = bodies.measure(SOMEBODY(), &announced(60), body(60)).expect_err("too much");
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        // One that does not say how large it is.
        let (second, broken) = bodies.measure(SOMEBODY(), &HeaderMap::new(), body(60)).expect("who knows");
        assert!(read(second).await.is_err());
        assert_eq!(broken.problem().expect("a problem").status(), StatusCode::TOO_MANY_REQUESTS);
        let other = Share::of_somebody("ada", Some("m1"), 100);
        assert!(bodies.measure(other, &announced(60), body(60)).is_ok(), "a guest of that name is another");
        drop((measure, broken));
        assert!(bodies.bytes().is_empty());
        let (alone, _measure) = bodies.measure(SOMEBODY(), &announced(200), body(200)).expect("its route's");
        assert_eq!(read(alone).await.expect("whole"), 200);
        let huge =
            bodies.measure(SOMEBODY(), &announced(99_000_000_000), body(0)).expect_err("no route takes it");
        assert_eq!(huge.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[tokio::test]
    async fn a_stranger_says_little_and_at_once() {
        let bodies = Bodies::default();
        let stranger =
            || Share::of_strangers(std::net::IpAddr::from([203, 0, 113, 1]), Duration::from_millis(50));
        let large = Body::from(vec![7u8; STRANGERS_BODY as usize + 1]);
        let refused = bodies.measure(stranger(), &announced(STRANGERS_BODY as usize + 1), large).err();
        assert_eq!(refused.expect("too large").status(), StatusCode::PAYLOAD_TOO_LARGE);
        let pieces = stream::iter([1, 2].map(|_| Ok::<_, std::io::Error>(vec![7u8; 10_000])));
        let (body, measure) =
            bodies.measure(stranger(), &HeaderMap::new(), Body::from_stream(pieces)).expect("who knows");
        assert!(read(body).await.is_err());
        assert_eq!(measure.problem().expect("a problem").status(), StatusCode::PAYLOAD_TOO_LARGE);
        let endless = stream::iter([Ok::<_, std::io::Error>("{")]).chain(stream::pending());
        let (body, measure) =
            bodies.measure(stranger(), &HeaderMap::new(), Body::from_stream(endless)).expect("who knows");
        assert!(read(body).await.is_err());
        assert_eq!(measure.problem().expect("a problem").status(), StatusCode::REQUEST_TIMEOUT);
    }
}
