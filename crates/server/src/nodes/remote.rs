//! A meeting that runs at another node, as it is heard here.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use quorate_app::{EngineError, FragmentKind, LiveFragment, Notice, OwnerElsewhere};
use quorate_contract::{EventBody, MeetingId, TaskId};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::forward::lost;
use super::notices::{NodeNotice, SIGN_OF_LIFE, target};
use crate::state::ServerState;

/// How often the log is read although nothing was heard of it: what is lost on the way costs this much time.
const READ_EVERY: Duration = Duration::from_secs(1);
/// How long to wait before a node that could not be heard is asked again: at first, and at most.
const AGAIN_AFTER: Duration = Duration::from_millis(250);
const AGAIN_WITHIN: Duration = Duration::from_secs(5);
/// How many calls that have ended are known, so that pieces which come late are left out.
const OVER_KEPT: usize = 256;
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
    /// A piece of an answer that comes after an event that was not given yet.
    held: Option<(u64, Arc<LiveFragment>)>,
    answers: AnswersHeard,
    heard: mpsc::Receiver<NodeNotice>,
    /// Asks for the answers under way from their beginning.
    anew: Arc<Notify>,
    /// When the log is read in any case.
    read_at: Instant,
    link: JoinHandle<()>,
}

impl RemoteSubscription {
    /// Begins after an event.
    pub(crate) fn open(server: &ServerState, meeting: &MeetingId, after: u64, fragments: bool) -> Self {
        let (sender, heard) = mpsc::channel(QUEUE);
        let anew = Arc::new(Notify::new());
        let link =
            tokio::spawn(follow(server.clone(), meeting.clone(), fragments, Arc::clone(&anew), sender));
        Self {
            server: server.clone(),
            meeting: meeting.clone(),
            seen: after,
            last: after,
            waiting: VecDeque::new(),
            held: None,
            answers: AnswersHeard::default(),
            heard,
            anew,
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
                    self.answers.note(&record.event.body);
                }
                return Ok(Some(notice));
            }
            if self.last > self.seen {
                self.read().await?;
                continue;
            }
            // What the last events hide is known now. A piece after an event that is not there was of an append that failed.
            if let Some((after, piece)) = self.held.take()
                && after <= self.seen
            {
                match self.answers.take(&piece) {
                    Taken::Follows => return Ok(Some(Notice::Fragment(piece))),
                    Taken::Known => {}
                    Taken::Gap => self.anew.notify_one(),
                }
            }
            tokio::select! {
                heard = self.heard.recv() => match heard {
                    Some(NodeNotice::Appended { seq }) => self.last = self.last.max(seq),
                    Some(NodeNotice::Fragment {
                        task, attempt, participant, reasoning, offset, text, after
                    }) => {
                        let kind = if reasoning { FragmentKind::Reasoning } else { FragmentKind::Answer };
                        let piece = LiveFragment { task, attempt, participant, kind, offset, text };
                        self.held = Some((after, Arc::new(piece)));
                        self.last = self.last.max(after);
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
        let records = self.server.app().records_after(&self.meeting, self.seen).await?;
        self.read_at = Instant::now() + READ_EVERY;
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

/// Which answers were heard, and how far. Events are read ahead of the pieces that were told before them, and a node that was
/// stopped goes on telling of an answer that was lost: what has ended is heard no more.
#[derive(Default)]
struct AnswersHeard {
    /// How far each answer under way was heard, in bytes.
    ends: HashMap<(TaskId, u32, bool), usize>,
    /// The last calls that have ended.
    over: VecDeque<(TaskId, u32)>,
}

/// What a piece is for those who heard the ones before.
#[derive(Debug, PartialEq, Eq)]
enum Taken {
    /// It comes next, or is the whole text so far.
    Follows,
    /// It was heard before, or its call has ended.
    Known,
    /// One before it is missing.
    Gap,
}

impl AnswersHeard {
    fn note(&mut self, event: &EventBody) {
        if let EventBody::CallEnded { task, attempt, .. } = event {
            self.ends.remove(&(*task, *attempt, false));
            self.ends.remove(&(*task, *attempt, true));
            self.over.push_back((*task, *attempt));
            if self.over.len() > OVER_KEPT {
                self.over.pop_front();
            }
        }
    }

    fn take(&mut self, piece: &LiveFragment) -> Taken {
        if self.over.contains(&(piece.task, piece.attempt)) {
            return Taken::Known;
        }
        let key = (piece.task, piece.attempt, piece.kind == FragmentKind::Reasoning);
        let end = self.ends.entry(key).or_insert(0);
        let (from, to) = (piece.offset, piece.offset + piece.text.len());
        match from {
            _ if from == *end || (from == 0 && to > *end) => {
                *end = to;
                Taken::Follows
            }
            _ if from < *end => Taken::Known,
            _ => Taken::Gap,
        }
    }
}

/// Passes on what the node tells that runs the meeting, whichever it is, for as long as it is another one.
async fn follow(
    server: ServerState,
    meeting: MeetingId,
    fragments: bool,
    anew: Arc<Notify>,
    to: mpsc::Sender<NodeNotice>,
) {
    let target = target(&meeting, fragments);
    let mut pause = AGAIN_AFTER;
    loop {
        match server.app().owner_elsewhere(&meeting).await {
            Ok(Some(owner)) => {
                let begun = Instant::now();
                tokio::select! {
                    () = hear(&server, &meeting, fragments, &owner, &target, &anew, &to) => {}
                    // A process that hangs still accepts connections.
                    () = lost(server.app(), &meeting, &owner) => {}
                }
                pause =
                    if begun.elapsed() > AGAIN_WITHIN { AGAIN_AFTER } else { (pause * 2).min(AGAIN_WITHIN) };
            }
            Ok(None) => return,
            Err(error) => tracing::debug!(%error, "which node runs a meeting cannot be read"),
        }
        if to.is_closed() {
            return;
        }
        sleep(pause).await;
    }
}

/// Hears the owner once: over NATS, and where that is silent over HTTP.
async fn hear(
    server: &ServerState,
    meeting: &MeetingId,
    fragments: bool,
    owner: &OwnerElsewhere,
    target: &str,
    anew: &Notify,
    to: &mpsc::Sender<NodeNotice>,
) {
    if let Some(bus) = server.bus().filter(|bus| bus.is_connected()) {
        super::bus::pass_on(bus, meeting, fragments, anew, to).await;
    }
    let (Some(address), Some(forwarder)) = (&owner.address, server.forwarder()) else { return };
    match forwarder.ask(address, target).await {
        Ok(answer) => pass_on(answer, anew, to).await,
        Err(error) => tracing::debug!(node = owner.node, %error, "a node could not be heard"),
    }
}

/// Passes notices on until the other node ends, is silent for too long, or is to begin anew.
async fn pass_on(answer: reqwest::Response, anew: &Notify, to: &mpsc::Sender<NodeNotice>) {
    let mut pieces = answer.bytes_stream();
    let mut line = Vec::new();
    loop {
        let piece = tokio::select! {
            piece = timeout(SIGN_OF_LIFE * 3, pieces.next()) => piece,
            () = anew.notified() => return,
        };
        let Ok(Some(Ok(piece))) = piece else { return };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(offset: usize, text: &str) -> LiveFragment {
        LiveFragment {
            task: "speak:r1t1".parse().expect("a task"),
            attempt: 1,
            participant: None,
            kind: FragmentKind::Answer,
            offset,
            text: text.to_owned(),
        }
    }

    #[test]
    fn pieces_are_given_on_once_and_in_order() {
        let mut heard = AnswersHeard::default();
        assert_eq!(heard.take(&piece(6, "later")), Taken::Gap, "its beginning is asked for");
        assert_eq!(heard.take(&piece(0, "so far")), Taken::Follows);
        assert_eq!(heard.take(&piece(0, "so")), Taken::Known, "another node asked for it");
        assert_eq!(heard.take(&piece(6, ", and on")), Taken::Follows);
        assert_eq!(heard.take(&piece(6, ", and on")), Taken::Known);
        assert_eq!(heard.take(&piece(0, "so far, and on and on")), Taken::Follows, "the whole text so far");
        assert_eq!(heard.take(&piece(90, "?")), Taken::Gap);
    }

    #[test]
    fn an_answer_that_has_ended_is_heard_no_more() {
        let mut heard = AnswersHeard::default();
        assert_eq!(heard.take(&piece(0, "a")), Taken::Follows);
        let line = include_str!("../../../../fixtures/events.jsonl")
            .lines()
            .find(|line| line.contains("call_ended"));
        let ended: EventBody = serde_json::from_str(line.expect("there is one")).expect("an event");
        let EventBody::CallEnded { task, attempt, .. } = &ended else { panic!("a call that ended") };
        let of_it =
            |offset, text: &str| LiveFragment { task: *task, attempt: *attempt, ..piece(offset, text) };
        assert_eq!(heard.take(&of_it(0, "x")), Taken::Follows);
        heard.note(&ended);
        assert_eq!(heard.take(&of_it(1, "y")), Taken::Known);
        assert_eq!(heard.take(&of_it(0, "x")), Taken::Known, "also from the beginning");
    }
}
