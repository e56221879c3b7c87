//! All meetings that run in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use quorate_core::{Command, Event, EventBody, Founding, Meeting, MeetingId, Moment, RunId, apply, decide};
use tokio::sync::{mpsc, oneshot};

use crate::audience::{Audience, Subscription};
use crate::error::EngineError;
use crate::ports::{Clock, Journal, JournalError, Record, RunnerDirectory};
use crate::room::{Letter, Room};

/// How many wishes may wait for one meeting.
const MAILBOX: usize = 64;

/// Runs meetings. Cheap to clone; all clones are the same engine.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    journal: Arc<dyn Journal>,
    runners: Arc<dyn RunnerDirectory>,
    clock: Arc<dyn Clock>,
    live: Mutex<HashMap<MeetingId, MeetingHandle>>,
}

impl Shared {
    fn live(&self) -> MutexGuard<'_, HashMap<MeetingId, MeetingHandle>> {
        self.live.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A meeting that runs in this process. Cheap to clone.
#[derive(Clone)]
pub struct MeetingHandle {
    id: MeetingId,
    journal: Arc<dyn Journal>,
    audience: Arc<Audience>,
    letters: mpsc::Sender<Letter>,
}

impl Engine {
    /// An engine over a journal, runners and a clock.
    pub fn new(journal: Arc<dyn Journal>, runners: Arc<dyn RunnerDirectory>, clock: Arc<dyn Clock>) -> Self {
        Self { shared: Arc::new(Shared { journal, runners, clock, live: Mutex::default() }) }
    }

    /// Creates a meeting, as a draft. Its ids are made by the caller and must be new.
    pub async fn create(
        &self,
        id: MeetingId,
        run: RunId,
        by: String,
        founding: Founding,
    ) -> Result<MeetingHandle, EngineError> {
        let blank = Meeting::blank(id, run.clone());
        let handle = self.settle_in(blank, run);
        match handle.wish(Command::Create { by, founding: Box::new(founding) }).await {
            Ok(_) => Ok(handle),
            Err(error) => {
                self.shared.live().remove(handle.id());
                Err(error)
            }
        }
    }

    /// Takes a meeting up from its log. Calls that were under way in a process that is gone are
    /// made again. A meeting that already runs here is handed out as it is.
    pub async fn open(&self, id: &MeetingId) -> Result<MeetingHandle, EngineError> {
        if let Some(handle) = self.shared.live().get(id) {
            return Ok(handle.clone());
        }
        let meeting = self.load(id).await?;
        let run = meeting.run.clone();
        Ok(self.settle_in(meeting, run))
    }

    /// Folds a meeting's log, without running it.
    pub async fn load(&self, id: &MeetingId) -> Result<Meeting, EngineError> {
        let records = self.shared.journal.read(id.clone(), 0).await?;
        let Some(first) = records.first() else {
            return Err(JournalError::NoSuchMeeting(id.clone()).into());
        };
        let mut meeting = Meeting::blank(id.clone(), first.event.run_id.clone());
        for record in &records {
            apply(&mut meeting, &record.event);
        }
        Ok(meeting)
    }

    /// Makes a new meeting, `id`, from the events of `from` up to and including number `at`.
    pub async fn fork(
        &self,
        from: &MeetingId,
        at: u64,
        id: MeetingId,
        run: RunId,
    ) -> Result<MeetingHandle, EngineError> {
        let mut records = self.shared.journal.read(from.clone(), 0).await?;
        let length = records.len() as u64;
        if !(1..=length).contains(&at) {
            return Err(EngineError::Refused(quorate_core::Refusal::Invalid {
                field: "at".to_owned(),
                problem: format!("event {at} is not in the log"),
                hint: format!("choose a number from 1 to {length}"),
            }));
        }
        records.truncate(at as usize);
        let mut fork = Meeting::blank(id.clone(), run.clone());
        let mut copies: Vec<Record> = Vec::with_capacity(records.len() + 4);
        for record in records {
            let event = Event { meeting_id: id.clone(), ..Event::clone(&record.event) };
            apply(&mut fork, &event);
            copies.push(Record::of(event));
        }
        let command = Command::Fork { from: from.clone() };
        let cause = command.cause();
        let now = self.shared.clock.now().max(fork.updated_at);
        for body in decide(&fork, command, now)? {
            let event = Event {
                seq: fork.seq + 1,
                meeting_id: id.clone(),
                run_id: run.clone(),
                ts_ms: now,
                actor: quorate_core::actor_of(&fork, &body),
                cause: cause.clone(),
                body,
            };
            apply(&mut fork, &event);
            copies.push(Record::of(event));
        }
        self.shared.journal.append(id, 0, copies).await?;
        Ok(self.settle_in(fork, run))
    }

    /// Writes a meeting that was held elsewhere as a new one, `id`, in one append. Its events keep
    /// their moments. It does not run: what is not over rests until it is opened and resumed.
    ///
    /// # Errors
    /// When the journal cannot take it; then nothing of it is there.
    pub async fn import(
        &self,
        facts: Vec<(Moment, EventBody)>,
        id: MeetingId,
        run: RunId,
    ) -> Result<Meeting, EngineError> {
        let mut meeting = Meeting::blank(id.clone(), run.clone());
        let mut records: Vec<Record> = Vec::with_capacity(facts.len());
        for (at, body) in facts {
            let event = Event {
                seq: meeting.seq + 1,
                meeting_id: id.clone(),
                run_id: run.clone(),
                ts_ms: at.max(meeting.updated_at),
                actor: quorate_core::actor_of(&meeting, &body),
                cause: "import".to_owned(),
                body,
            };
            apply(&mut meeting, &event);
            records.push(Record::of(event));
        }
        self.shared.journal.append(id, 0, records).await?;
        Ok(meeting)
    }

    /// Lets go of a meeting: what is under way is dropped, and can be taken up again from the log.
    pub fn let_go(&self, id: &MeetingId) {
        self.shared.live().remove(id);
    }

    /// The meetings that run here.
    pub fn live(&self) -> Vec<MeetingId> {
        self.shared.live().keys().cloned().collect()
    }

    fn settle_in(&self, meeting: Meeting, run: RunId) -> MeetingHandle {
        let mut live = self.shared.live();
        if let Some(handle) = live.get(&meeting.id) {
            return handle.clone(); // somebody was faster
        }
        let (letters, mailbox) = mpsc::channel(MAILBOX);
        let id = meeting.id.clone();
        let audience = Arc::new(Audience::new());
        let journal = Arc::clone(&self.shared.journal);
        let handle = MeetingHandle { id: id.clone(), journal, audience: Arc::clone(&audience), letters };
        live.insert(id.clone(), handle.clone());
        let own = Arc::clone(&audience);
        let Shared { journal, runners, clock, .. } = &*self.shared;
        let room =
            Room::new(meeting, run, journal.clone(), runners.clone(), clock.clone(), audience, mailbox);
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            room.run().await;
            // After `let_go` the meeting may run here again already, in another loop.
            let mut live = shared.live();
            if live.get(&id).is_some_and(|handle| Arc::ptr_eq(&handle.audience, &own)) {
                live.remove(&id);
            }
        });
        handle
    }
}

impl MeetingHandle {
    /// Which meeting.
    pub fn id(&self) -> &MeetingId {
        &self.id
    }

    /// Wishes something of the meeting. The sequence number that comes back is durable.
    pub async fn wish(&self, command: Command) -> Result<u64, EngineError> {
        let (reply, answer) = oneshot::channel();
        let letter = Letter::Wish(command, reply);
        if self.letters.send(letter).await.is_err() {
            return Err(self.why_closed().await);
        }
        match answer.await {
            Ok(result) => result,
            Err(_) => Err(self.why_closed().await),
        }
    }

    /// The meeting as it stands.
    pub async fn look(&self) -> Result<Meeting, EngineError> {
        let (reply, answer) = oneshot::channel();
        self.letters.send(Letter::Look(reply)).await.map_err(|_| EngineError::Gone)?;
        answer.await.map_err(|_| EngineError::Gone)
    }

    /// Listens: every event after `after`, then live; with `fragments`, answers while they are
    /// written, too.
    pub async fn subscribe(&self, after: u64, fragments: bool) -> Result<Subscription, EngineError> {
        let (journal, audience) = (Arc::clone(&self.journal), Arc::clone(&self.audience));
        Subscription::open(self.id.clone(), journal, audience, after, fragments).await
    }

    /// A loop ends because its meeting is over, or with the engine.
    async fn why_closed(&self) -> EngineError {
        let last =
            self.journal.read(self.id.clone(), 0).await.ok().and_then(|records| records.last().cloned());
        match last.map(|record| matches!(record.event.body, quorate_core::EventBody::Finished { .. })) {
            Some(true) => EngineError::Refused(quorate_core::Refusal::MeetingIsOver),
            Some(false) | None => EngineError::Gone,
        }
    }
}
