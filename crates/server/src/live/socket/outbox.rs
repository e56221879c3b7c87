//! What waits to be sent over one WebSocket: a bounded number of bytes.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::connections::delivered::OnDelivered;

/// How many messages may wait.
const MESSAGES: usize = 256;

/// Something to be sent.
pub(super) enum Outgoing {
    /// A message, and what it holds until it has been written.
    Text(Utf8Bytes, InOutbox),
    /// The end, with a code of RFC 6455 and the reason.
    Close(u16, String),
}

/// What a message holds while it is in an outbox: its share of the bytes that may wait, and what is done once it has been
/// written.
pub(super) struct InOutbox {
    _share: OwnedSemaphorePermit,
    on_delivered: Option<OnDelivered>,
}

impl InOutbox {
    /// The message has been written.
    pub(super) fn written(self) {
        if let Some(on_delivered) = &self.on_delivered {
            on_delivered.delivered();
        }
    }
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
        self.put_watched(text.into(), None).await
    }

    /// Puts a message, with what is done once it has been written.
    pub(super) async fn put_watched(
        &self,
        text: Utf8Bytes,
        on_delivered: Option<OnDelivered>,
    ) -> Result<(), Disconnected> {
        let share = u32::try_from(text.as_str().len().clamp(1, self.most)).unwrap_or(u32::MAX);
        let permit = Arc::clone(&self.bytes).acquire_many_owned(share).await.map_err(|_| Disconnected)?;
        let held = InOutbox { _share: permit, on_delivered };
        self.outgoing.send(Outgoing::Text(text, held)).await.map_err(|_| Disconnected)
    }

    /// Ends the connection once everything before is sent.
    pub(super) async fn close(&self, code: u16, reason: String) {
        _ = self.outgoing.send(Outgoing::Close(code, reason)).await;
    }
}
