//! What waits to be sent over one WebSocket: a bounded number of bytes.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// How many messages may wait.
const MESSAGES: usize = 256;

/// Something to be sent.
pub(super) enum Outgoing {
    /// A message, and its share of the bytes that may wait.
    Text(Utf8Bytes, OwnedSemaphorePermit),
    /// The end, with a code of RFC 6455 and the reason.
    Close(u16, String),
}

/// Where messages are put that are to be sent. Cheap to clone.
#[derive(Clone)]
pub(super) struct Outbox {
    outgoing: mpsc::Sender<Outgoing>,
    bytes: Arc<Semaphore>,
    most: usize,
}

/// The connection is gone.
pub(super) struct Disconnected;

impl Outbox {
    /// An outbox for so many bytes, and its other end.
    pub(super) fn new(most: usize) -> (Self, mpsc::Receiver<Outgoing>) {
        let (outgoing, waiting) = mpsc::channel(MESSAGES);
        (Self { outgoing, bytes: Arc::new(Semaphore::new(most)), most }, waiting)
    }

    /// Puts a message as soon as there is room for it.
    pub(super) async fn put(&self, text: impl Into<Utf8Bytes>) -> Result<(), Disconnected> {
        let text = text.into();
        let share = u32::try_from(text.as_str().len().clamp(1, self.most)).unwrap_or(u32::MAX);
        let permit = Arc::clone(&self.bytes).acquire_many_owned(share).await.map_err(|_| Disconnected)?;
        self.outgoing.send(Outgoing::Text(text, permit)).await.map_err(|_| Disconnected)
    }

    /// Ends the connection once everything before is sent.
    pub(super) async fn close(&self, code: u16, reason: String) {
        _ = self.outgoing.send(Outgoing::Close(code, reason)).await;
    }
}
