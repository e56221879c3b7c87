//! The loop of one meeting: everything that happens to it happens here, one thing at a time.

use std::sync::Arc;
use std::time::Duration;

use quorate_core::{Command, Event, EventBody, Meeting, RunId, actor_of, apply, decide, settle};
use tokio::sync::{mpsc, oneshot};

use crate::audience::{Audience, Notice};
use crate::error::EngineError;
use crate::ports::{Clock, Journal, JournalError, Record, RunnerDirectory};
use crate::under_way::{Happened, UnderWay};

/// How long to wait before a journal that could not be written is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// What reaches a meeting from outside.
pub(crate) enum Letter {
    /// A wish, and where the answer goes: the sequence number after it.
    Wish(Command, oneshot::Sender<Result<u64, EngineError>>),
    /// Somebody wants to see how it stands.
    Look(oneshot::Sender<Meeting>),
}

/// One meeting and all that belongs to running it.
pub(crate) struct Room {
    meeting: Meeting,
    run: RunId,
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    audience: Arc<Audience>,
    under_way: UnderWay,
    mailbox: mpsc::Receiver<Letter>,
}

impl Room {
    pub(crate) fn new(
        meeting: Meeting,
        run: RunId,
        journal: Arc<dyn Journal>,
        runners: Arc<dyn RunnerDirectory>,
        clock: Arc<dyn Clock>,
        audience: Arc<Audience>,
        mailbox: mpsc::Receiver<Letter>,
    ) -> Self {
        let under_way = UnderWay::new(runners, Arc::clone(&audience));
        Self { meeting, run, journal, clock, audience, under_way, mailbox }
    }

    /// Runs until the meeting is over, or nobody holds a handle to it any more.
    pub(crate) async fn run(mut self) {
        // Whatever was under way when the last process ended is asked for again.
        if self.own(Command::Recover).await.is_err() {
            return;
        }
        while !self.meeting.is_over() {
            let wake = self.under_way.wake();
            let done = tokio::select! {
                letter = self.mailbox.recv() => match letter {
                    Some(Letter::Wish(command, reply)) => {
                        let result = self.wish(command).await;
                        let lost = matches!(&result, Err(EngineError::Journal(JournalError::Conflict { .. })));
                        // Whoever asked may have gone; the fact stands all the same.
                        _ = reply.send(result);
                        if lost { Err(()) } else { Ok(()) }
                    }
                    Some(Letter::Look(reply)) => {
                        _ = reply.send(self.meeting.clone());
                        Ok(())
                    }
                    None => return,
                },
                happened = self.under_way.next() => {
                    let command = match happened {
                        Happened::Ended(ended) => {
                            let (call, outcome) = *ended;
                            settle(&self.meeting, &call, outcome)
                        }
                        Happened::Retried(task, attempt, retry) => {
                            Command::NoteRetry { task, attempt, retry: Box::new(retry) }
                        }
                    };
                    self.own(command).await
                }
                () = wake => self.own(Command::Tick).await,
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// A wish from outside: its facts are durable, or it is refused and nothing has happened.
    async fn wish(&mut self, command: Command) -> Result<u64, EngineError> {
        let records = self.decide(command)?;
        if !records.is_empty() {
            self.journal.append(self.meeting.id.clone(), self.meeting.seq, records.clone()).await?;
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
            let (id, seq) = (self.meeting.id.clone(), self.meeting.seq);
            let appended = match records.is_empty() {
                true => Ok(()),
                false => self.journal.append(id, seq, records.clone()).await,
            };
            match appended {
                Ok(()) => break,
                // The attempt before had been written after all.
                Err(JournalError::Conflict { .. }) if tried && self.holds(&records).await => break,
                Err(error @ JournalError::Unavailable { .. }) => {
                    tracing::error!(%error, "the journal cannot be written; trying again");
                    self.audience.tell(Notice::Trouble(error.into()));
                    tried = true;
                    tokio::time::sleep(RETRY_AFTER).await;
                }
                Err(error) => {
                    tracing::error!(%error, "the meeting stops here");
                    self.audience.tell(Notice::Trouble(error.into()));
                    return Err(());
                }
            }
        }
        self.make_true(records);
        Ok(())
    }

    fn decide(&self, command: Command) -> Result<Vec<Record>, EngineError> {
        let cause = command.cause();
        let now = self.clock.now();
        let facts = decide(&self.meeting, command, now)?;
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
            self.audience.tell(Notice::Event(record));
        }
        self.under_way.reconcile(&self.meeting, self.clock.now());
    }

    /// Whether the journal ends in exactly these records.
    async fn holds(&self, records: &[Record]) -> bool {
        match self.journal.read(self.meeting.id.clone(), self.meeting.seq).await {
            Ok(found) => {
                found.iter().map(|record| &record.line).eq(records.iter().map(|record| &record.line))
            }
            Err(_) => false,
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.audience.close();
    }
}
