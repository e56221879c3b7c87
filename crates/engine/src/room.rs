//! The loop of one meeting: everything that happens to it happens here, one thing at a time.

use std::sync::Arc;
use std::time::Duration;

use quorate_core::{Command, Event, EventBody, Meeting, Refusal, RunId, actor_of, apply, decide, settle};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use crate::doors::Door;
use crate::engine::{Left, Shared};
use crate::error::EngineError;
use crate::ports::{JournalError, Record, Snapshot};
use crate::under_way::{Happened, UnderWay};

/// How long to wait before a journal that could not be written is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Whoever leaves keeps a snapshot after a quarter of the events that it takes otherwise.
const LEAVING: u64 = 4;

/// What reaches a meeting from outside.
pub(crate) enum Letter {
    /// A wish, and where the answer goes: the sequence number after it.
    Wish(Box<Command>, oneshot::Sender<Result<u64, EngineError>>),
    /// Somebody wants to see how it stands.
    Look(oneshot::Sender<Box<Meeting>>),
}

/// One meeting and all that belongs to running it.
pub(crate) struct Room {
    meeting: Meeting,
    run: RunId,
    shared: Arc<Shared>,
    door: Arc<Door>,
    under_way: UnderWay,
    mailbox: mpsc::Receiver<Letter>,
    /// When somebody last spoke to it, or something happened.
    stirred: Instant,
    /// Up to which event there is a snapshot, or was one asked for.
    kept: u64,
    /// It has left memory in good order, and its audience stays.
    moved_out: bool,
}

/// Why a loop ends.
enum End {
    /// Nothing is under way; the next who speaks to the meeting brings it back.
    MovedOut,
    /// The meeting is over.
    Over,
    /// It was let go, or the engine ends, or another process writes this meeting.
    Stopped,
}

impl Room {
    pub(crate) fn new(
        meeting: Meeting,
        kept: u64,
        shared: Arc<Shared>,
        door: Arc<Door>,
        mailbox: mpsc::Receiver<Letter>,
    ) -> Self {
        shared.rooms.send_modify(|rooms| *rooms += 1);
        let under_way = UnderWay::new(Arc::clone(&shared), Arc::clone(&door));
        let (run, stirred) = (meeting.run.clone(), Instant::now());
        Self { meeting, run, shared, door, under_way, mailbox, stirred, kept, moved_out: false }
    }

    /// Runs until the meeting is over, leaves memory, or has to stop.
    pub(crate) async fn run(mut self) {
        match self.go_on().await {
            End::MovedOut => {
                self.moved_out = true;
                self.shared.counters.folded_away();
            }
            End::Over => self.say_goodbye().await,
            End::Stopped => {}
        }
    }

    async fn go_on(&mut self) -> End {
        let door = Arc::clone(&self.door);
        if self.shared.closing.get().is_some() {
            return End::Stopped; // it came just before the end
        }
        // Whatever was under way when the last process ended is asked for again.
        if self.own(Command::Recover).await.is_err() {
            return End::Stopped;
        }
        while !self.meeting.is_over() {
            if self.is_to_stop() {
                self.keep_snapshot(LEAVING).await;
                return End::Stopped;
            }
            let (wake, idle) = (self.under_way.wake(), self.idle_from());
            let closes = self.shared.closing.get().copied();
            let done = tokio::select! {
                letter = self.mailbox.recv() => {
                    self.stirred = Instant::now();
                    match letter {
                        Some(letter) => self.read(letter).await,
                        None => return End::Stopped,
                    }
                },
                happened = self.under_way.next() => {
                    self.stirred = Instant::now();
                    let command = match happened {
                        Happened::Ended(ended) => {
                            let (call, outcome) = *ended;
                            settle(&self.meeting, &call, outcome)
                        }
                        Happened::Retried(task, attempt, retry) => Command::NoteRetry { task, attempt, retry },
                    };
                    self.own(command).await
                }
                () = wake => self.own(Command::Tick).await,
                // Seen to at the head of the loop.
                () = door.bell.notified() => Ok(()),
                () = at(closes) => Ok(()),
                () = at(idle) => {
                    self.keep_snapshot(LEAVING).await;
                    if self.shared.doors.move_out(&door) {
                        return End::MovedOut;
                    }
                    self.stirred = Instant::now();
                    Ok(())
                }
            };
            if done.is_err() {
                return End::Stopped;
            }
        }
        End::Over
    }

    /// Whether the loop has to end before the meeting does.
    fn is_to_stop(&mut self) -> bool {
        if let Some(until) = self.shared.closing.get() {
            self.under_way.close();
            let calls = self.under_way.count();
            if calls > 0 && Instant::now() >= *until {
                let left = Left { meeting: self.meeting.id.clone(), calls };
                self.shared.left.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(left);
                return true;
            }
            if calls == 0 {
                return true;
            }
        }
        self.door.is_removed()
    }

    /// From when on it may leave memory; never while something is under way.
    fn idle_from(&self) -> Option<Instant> {
        self.under_way.is_idle().then(|| self.stirred + self.shared.options.idle_after)
    }

    async fn read(&mut self, letter: Letter) -> Result<(), ()> {
        match letter {
            Letter::Wish(command, reply) => {
                let result = self.wish(*command).await;
                let lost = matches!(&result, Err(EngineError::Journal(JournalError::Conflict { .. })));
                // Whoever asked may have gone; the fact stands all the same.
                _ = reply.send(result);
                if lost { Err(()) } else { Ok(()) }
            }
            Letter::Look(reply) => {
                _ = reply.send(Box::new(self.meeting.clone()));
                Ok(())
            }
        }
    }

    /// The meeting is over: whoever has written by now is still answered.
    async fn say_goodbye(&mut self) {
        self.shared.doors.remove(&self.door);
        // It is read again and again when it is over.
        tokio::spawn(self.keep_snapshot(LEAVING));
        self.mailbox.close();
        while let Some(letter) = self.mailbox.recv().await {
            match letter {
                Letter::Wish(_, reply) => _ = reply.send(Err(Refusal::MeetingIsOver.into())),
                Letter::Look(reply) => _ = reply.send(Box::new(self.meeting.clone())),
            }
        }
    }

    /// A wish from outside: its facts are durable, or it is refused and nothing has happened.
    async fn wish(&mut self, command: Command) -> Result<u64, EngineError> {
        let records = self.decide(command)?;
        if !records.is_empty() {
            self.append(&records).await?;
            self.make_true(records);
        }
        Ok(self.meeting.seq)
    }

    /// A wish of the meeting's own, such as an answer that came back. It was paid for, so that it
    /// is kept until the journal takes it.
    async fn own(&mut self, command: Command) -> Result<(), ()> {
        let records = match self.decide(command) {
            Ok(records) => records,
            Err(refusal) => {
                tracing::debug!(%refusal, "an answer came too late");
                return Ok(());
            }
        };
        let mut tried = false;
        loop {
            let appended = match records.is_empty() {
                true => Ok(()),
                false => self.append(&records).await,
            };
            match appended {
                Ok(()) => break,
                // The attempt before had been written after all.
                Err(JournalError::Conflict { .. }) if tried && self.holds(&records).await => break,
                Err(error @ JournalError::Unavailable { .. }) => {
                    tracing::error!(%error, "the journal cannot be written; trying again");
                    self.door.audience.warn(error.into());
                    if self.shared.closing.get().is_some_and(|until| Instant::now() >= *until) {
                        return Err(());
                    }
                    tried = true;
                    tokio::time::sleep(RETRY_AFTER).await;
                }
                Err(error) => {
                    tracing::error!(%error, "the meeting stops here");
                    self.door.audience.warn(error.into());
                    return Err(());
                }
            }
        }
        self.make_true(records);
        Ok(())
    }

    async fn append(&self, records: &[Record]) -> Result<(), JournalError> {
        let begun = Instant::now();
        let (id, seq) = (self.meeting.id.clone(), self.meeting.seq);
        let appended = self.shared.journal.append(id, seq, records.to_vec()).await;
        self.shared.counters.append(begun.elapsed(), records.len() as u64, appended.is_ok());
        appended
    }

    fn decide(&self, command: Command) -> Result<Vec<Record>, EngineError> {
        let cause = command.cause();
        let now = self.shared.clock.now();
        let mut facts = decide(&self.meeting, command, now)?;
        if self.shared.closing.get().is_some() {
            // A call that will not be made is no fact; the next start asks for it.
            while let Some(EventBody::CallStarted { .. }) = facts.last() {
                facts.pop();
            }
        }
        Ok(self.as_events(facts, cause, now.max(self.meeting.updated_at)))
    }

    /// Puts facts into envelopes.
    fn as_events(&self, facts: Vec<EventBody>, cause: String, now: quorate_core::Moment) -> Vec<Record> {
        let numbered = facts.into_iter().zip(self.meeting.seq + 1..);
        let event = |(body, seq): (EventBody, u64)| Event {
            seq,
            meeting_id: self.meeting.id.clone(),
            run_id: self.run.clone(),
            ts_ms: now,
            actor: actor_of(&self.meeting, &body),
            cause: cause.clone(),
            body,
        };
        numbered.map(event).map(Record::of).collect()
    }

    fn make_true(&mut self, records: Vec<Record>) {
        for record in &records {
            apply(&mut self.meeting, &record.event);
        }
        for record in records {
            self.door.audience.tell(record);
        }
        self.under_way.reconcile(&self.meeting, self.shared.clock.now());
        if self.meeting.seq.saturating_sub(self.kept) >= self.shared.options.snapshot_every {
            tokio::spawn(self.keep_snapshot(1));
        }
    }

    /// Keeps a snapshot when enough has happened since the last one: so many events divided by
    /// `haste`. It grows with the meeting, so that all snapshots together cost as much as a few logs.
    fn keep_snapshot(&mut self, haste: u64) -> impl Future<Output = ()> + Send + 'static {
        let enough = self.shared.options.snapshot_every.max(self.kept / 4) / haste;
        let new = self.meeting.seq.saturating_sub(self.kept);
        let journal = Arc::clone(&self.shared.journal);
        let wanted = new >= enough.max(1) && journal.keeps_snapshots(&self.meeting.id);
        // A copy is cheap; writing it is not, and holds the meeting up in no case.
        let meeting = wanted.then(|| self.meeting.clone());
        if wanted {
            self.kept = self.meeting.seq;
        }
        async move {
            let Some(meeting) = meeting else { return };
            let id = meeting.id.clone();
            let taken = tokio::task::spawn_blocking(move || Snapshot::of(&meeting)).await;
            let Ok(snapshot) = taken else { return };
            if let Err(error) = journal.keep_snapshot(id, snapshot).await {
                tracing::warn!(%error, "a snapshot could not be kept; the log is whole");
            }
        }
    }

    /// Whether the journal ends in exactly these records.
    async fn holds(&self, records: &[Record]) -> bool {
        match self.shared.journal.read(self.meeting.id.clone(), self.meeting.seq).await {
            Ok(found) => {
                found.iter().map(|record| &record.line).eq(records.iter().map(|record| &record.line))
            }
            Err(_) => false,
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if !self.moved_out {
            self.shared.doors.remove(&self.door);
            self.door.audience.close();
        }
        self.shared.rooms.send_modify(|rooms| *rooms -= 1);
    }
}

/// Waits until then; for ever when there is no such moment.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
