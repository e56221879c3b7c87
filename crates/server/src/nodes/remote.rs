//! A meeting that runs at another node, as it is heard here.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use quorate_app::{EngineError, FragmentKind, LiveFragment, Notice};
use quorate_bus::Bus;
use quorate_contract::MeetingId;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::notices::{NodeNotice, SIGN_OF_LIFE, target};
use crate::state::ServerState;

/// How often the log is read although nothing was heard of it: what is lost on the way costs this much time.
const READ_EVERY: Duration = Duration::from_secs(1);
/// How long to wait before a node that could not be heard is asked again.
const AGAIN_AFTER: Duration = Duration::from_millis(500);
/// How many notices wait here; a sender that is quicker is held up, and its own queue tells it what it missed.
const QUEUE: usize = 256;

/// Hears a meeting that runs at another node: every event after a number, out of the database, and pieces of answers as that
/// node tells them.
pub(crate) struct RemoteSubscription {
    server: ServerState,
    meeting: MeetingId,
    /// The last event that was given.
    seen: u64,
    /// The last event that there is, as far as was heard.
    last: u64,
    waiting: VecDeque<Notice>,
    heard: mpsc::Receiver<NodeNotice>,
    /// When the log is read in any case.
    read_at: Instant,
    link: JoinHandle<()>,
}

impl RemoteSubscription {
    /// Begins after an event.
    pub(crate) fn open(server: &ServerState, meeting: &MeetingId, after: u64, fragments: bool) -> Self {
        let (sender, heard) = mpsc::channel(QUEUE);
        let link = tokio::spawn(follow(server.clone(), meeting.clone(), fragments, sender));
        Self {
            server: server.clone(),
            meeting: meeting.clone(),
            seen: after,
            last: after,
            waiting: VecDeque::new(),
            heard,
            read_at: Instant::now(),
            link,
        }
    }

    /// What comes next; `None` when no other node runs the meeting any more. Dropping the future loses nothing.
    ///
    /// # Errors
    /// When the database cannot be read; it may be asked again.
    pub(crate) async fn next(&mut self) -> Result<Option<Notice>, EngineError> {
        loop {
            if let Some(notice) = self.waiting.pop_front() {
                if let Notice::Event(record) = &notice {
                    self.seen = record.event.seq;
                }
                return Ok(Some(notice));
            }
            if self.last > self.seen {
                self.read().await?;
                continue;
            }
            tokio::select! {
                heard = self.heard.recv() => match heard {
                    Some(NodeNotice::Appended { seq }) => self.last = self.last.max(seq),
                    Some(NodeNotice::Fragment { task, attempt, participant, reasoning, offset, text }) => {
                        let kind = if reasoning { FragmentKind::Reasoning } else { FragmentKind::Answer };
                        let piece = LiveFragment { task, attempt, participant, kind, offset, text };
                        return Ok(Some(Notice::Fragment(Arc::new(piece))));
                    }
                    Some(NodeNotice::Idle) => {}
                    None => {
                        self.read().await?;
                        if self.waiting.is_empty() {
                            return Ok(None);
                        }
                    }
                },
                () = sleep_until(self.read_at) => self.read().await?,
            }
        }
    }

    async fn read(&mut self) -> Result<(), EngineError> {
        self.read_at = Instant::now() + READ_EVERY;
        let records = self.server.app().records_after(&self.meeting, self.seen).await?;
        // A number that cannot be read was of an append that failed after all.
        self.last = records.last().map_or(self.seen, |record| record.event.seq);
        self.waiting.extend(records.into_iter().map(Notice::Event));
        Ok(())
    }
}

impl Drop for RemoteSubscription {
    fn drop(&mut self) {
        self.link.abort();
    }
}

/// Passes on what the node tells that runs the meeting, whichever it is, for as long as it is another one.
async fn follow(server: ServerState, meeting: MeetingId, fragments: bool, to: mpsc::Sender<NodeNotice>) {
    let target = target(&meeting, fragments);
    loop {
        match server.app().owner_elsewhere(&meeting).await {
            Ok(Some(_)) if server.bus().is_some_and(Bus::is_connected) => {
                let bus = server.bus().expect("it is there");
                super::bus::pass_on(&server, bus, &meeting, fragments, &to).await;
            }
            Ok(Some(owner)) => {
                if let (Some(address), Some(forwarder)) = (&owner.address, server.forwarder()) {
                    match forwarder.ask(address, &target).await {
                        Ok(answer) => pass_on(answer, &to).await,
                        Err(error) => tracing::debug!(node = owner.node, %error, "a node could not be heard"),
                    }
                }
            }
            Ok(None) => return,
            Err(error) => tracing::debug!(%error, "which node runs a meeting cannot be read"),
        }
        if to.is_closed() {
            return;
        }
        sleep(AGAIN_AFTER).await;
    }
}

/// Passes notices on until the other node ends, or is silent for too long.
async fn pass_on(answer: reqwest::Response, to: &mpsc::Sender<NodeNotice>) {
    let mut pieces = answer.bytes_stream();
    let mut line = Vec::new();
    while let Ok(Some(Ok(piece))) = timeout(SIGN_OF_LIFE * 3, pieces.next()).await {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            line.extend_from_slice(part);
            if line.last() != Some(&b'\n') {
                continue;
            }
            // A newer node may tell something that this one does not know.
            if let Ok(notice) = serde_json::from_slice(&line)
                && to.send(notice).await.is_err()
            {
                return;
            }
            line.clear();
        }
    }
}
