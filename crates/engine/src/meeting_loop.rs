//! The loop of one meeting: everything that happens to it happens here, one thing at a time.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{Either, select};
use quorate_contract::{Call, Command, PauseReason, Prompt, Refusal, RunId, TaskId};
use quorate_core::{BrokenInvariant, Invariant, Meeting, ProviderWait, RunState, apply, context};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use crate::compute::{Compute, weight};
use crate::engine::{InterruptedMeeting, Shared};
use crate::error::EngineError;
use crate::failing_loops::Failure;
use crate::in_flight::{CallUpdate, InFlight};
use crate::loop_input::{Decision, LoopInput, next_records};
use crate::meeting_clock::SteadyTime;
use crate::ports::{JournalError, Record, Recovery, Snapshot};
use crate::registry::Registration;
use crate::{loading, supervisor};

/// The wait before a failed append is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// A loop that unloads writes a snapshot after a quarter of the usual number of events.
const SNAPSHOT_SHARE_ON_UNLOAD: u64 = 4;

/// A request to a meeting.
pub(crate) enum Request {
    /// A command, and where the answer goes: the sequence number after it.
    Command(Box<Command>, oneshot::Sender<Result<u64, EngineError>>),
    /// Returns a copy of the present state.
    Look(oneshot::Sender<Box<Meeting>>),
}

/// One meeting and everything that runs it.
pub(crate) struct MeetingLoop {
    meeting: Meeting,
    run: RunId,
    shared: Arc<Shared>,
    registration: Arc<Registration>,
    in_flight: InFlight,
    mailbox: mpsc::Receiver<Request>,
    /// The time of the last request or event.
    last_activity: Instant,
    /// The clock of this meeting.
    time: SteadyTime,
    /// Up to which event there is a snapshot, or was one asked for.
    kept: u64,
    /// When to look whether events are stored of which the journal said that they are not; `None` when that is known.
    look_again_at: Option<Instant>,
    /// Whether it was taken up from a snapshot.
    is_from_snapshot: bool,
    /// The task that writes the last snapshot, while it runs.
    snapshot: Option<JoinHandle<()>>,
    /// The loop has unloaded the meeting; its subscribers stay.
    unloaded: bool,
    /// The loop has failed; its subscribers stay.
    failed: bool,
    /// The wait for providers, as lists show it.
    waits: Option<Arc<ProviderWait>>,
    /// Whether requests, and not calls, are looked at first. They take turns, so that neither can keep the other waiting.
    requests_first: bool,
}

/// The reason why a loop ends.
enum LoopEnd {
    /// The meeting is idle; the next request loads it again.
    Unloaded,
    /// The meeting is over.
    Over,
    /// The meeting was released, or the engine stops.
    Stopped,
    /// The loop has failed.
    Failed(Failure),
}

impl MeetingLoop {
    pub(crate) fn new(
        meeting: Meeting,
        kept: u64,
        shared: Arc<Shared>,
        registration: Arc<Registration>,
        mailbox: mpsc::Receiver<Request>,
    ) -> Self {
        shared.loops.send_modify(|loops| *loops += 1);
        let in_flight = InFlight::new(Arc::clone(&shared), Arc::clone(&registration));
        let (run, last_activity) = (meeting.run.clone(), Instant::now());
        let time = SteadyTime::default();
        Self {
            meeting,
            run,
            shared,
            registration,
            in_flight,
            mailbox,
            last_activity,
            time,
            kept,
            look_again_at: None,
            is_from_snapshot: kept > 0,
            snapshot: None,
            unloaded: false,
            failed: false,
            waits: None,
            requests_first: false,
        }
    }

    /// Runs until the meeting ends, is unloaded, or has to stop. After a failure it is restarted or
    /// quarantined.
    pub(crate) async fn run(self) {
        let (shared, registration) = (Arc::clone(&self.shared), Arc::clone(&self.registration));
        let ended = AssertUnwindSafe(self.run_once()).catch_unwind().await;
        let failure = match ended {
            Ok(None) => return,
            Ok(Some(failure)) => failure,
            Err(payload) => Failure::panic(&*payload),
        };
        if registration.is_removed() || shared.closing.get().is_some() {
            return tracing::error!(meeting = %registration.id, ?failure, "a meeting's loop has failed at its end");
        }
        let visit = shared.registry.visit(&registration.id);
        supervisor::failed(shared, visit, failure).await;
    }

    async fn run_once(mut self) -> Option<Failure> {
        match self.go_on().await {
            LoopEnd::Unloaded => {
                self.unloaded = true;
                self.shared.counters.unloaded();
            }
            LoopEnd::Over => self.say_goodbye().await,
            LoopEnd::Stopped => {}
            LoopEnd::Failed(failure) => {
                self.failed = true;
                return Some(failure);
            }
        }
        None
    }

    async fn go_on(&mut self) -> LoopEnd {
        let registration = Arc::clone(&self.registration);
        if self.shared.closing.get().is_some() {
            return LoopEnd::Stopped; // it came just before the end
        }
        // Calls that were in flight when the last process ended are made again.
        if let Err(end) = self.carry_out(LoopInput::Recovered).await {
            return end;
        }
        while !self.meeting.is_over() {
            if self.is_to_stop() {
                self.keep_snapshot(SNAPSHOT_SHARE_ON_UNLOAD);
                self.snapshot_is_kept().await;
                return LoopEnd::Stopped;
            }
            let (wake, idle) = (self.in_flight.wake(), self.idle_from());
            let (closes, look_again) = (self.shared.closing.get().copied(), self.look_again_at);
            self.requests_first = !self.requests_first;
            let happened = either(self.mailbox.recv(), self.in_flight.next(), self.requests_first);
            // What is ready at once is taken in this order, and not in a random one: the log then follows from
            // what happened. Nothing above the last but one can be ready again and again.
            let done = tokio::select! {
                biased;
                // Seen to at the head of the loop.
                () = registration.bell.notified() => Ok(()),
                () = at(closes) => Ok(()),
                () = wake => self.tick().await,
                () = at(look_again) => self.look_for_kept().await.map_err(|error| LoopEnd::Failed(Failure::Error(error))),
                happened = happened => {
                    self.last_activity = Instant::now();
                    match happened {
                        Either::Left(Some(request)) => self.read(request).await,
                        Either::Left(None) => return LoopEnd::Stopped,
                        Either::Right(update) => self.update(update).await,
                    }
                }
                // Whether the last events are stored is to be known first.
                () = at(idle.filter(|_| look_again.is_none())) => {
                    self.keep_snapshot(SNAPSHOT_SHARE_ON_UNLOAD);
                    self.snapshot_is_kept().await;
                    if self.shared.registry.unload(&registration) {
                        return LoopEnd::Unloaded;
                    }
                    self.last_activity = Instant::now();
                    Ok(())
                }
            };
            if let Err(end) = done {
                return end;
            }
        }
        LoopEnd::Over
    }

    /// Whether the loop has to end before the meeting does.
    fn is_to_stop(&mut self) -> bool {
        if let Some(until) = self.shared.closing.get() {
            self.in_flight.close();
            let calls = self.in_flight.count();
            if calls > 0 && Instant::now() >= *until {
                let left = InterruptedMeeting { meeting: self.meeting.id.clone(), calls };
                self.shared.left.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(left);
                return true;
            }
            if calls == 0 {
                return true;
            }
        }
        self.registration.is_removed()
    }

    /// The time from which on the meeting may be unloaded; `None` while a call is in flight.
    fn idle_from(&self) -> Option<Instant> {
        self.in_flight.is_idle().then(|| self.last_activity + self.shared.options.idle_after)
    }

    /// Handles what happened to a call.
    async fn update(&mut self, update: CallUpdate) -> Result<(), LoopEnd> {
        match update {
            CallUpdate::Ended(ended) => self.carry_out(LoopInput::Answer(ended)).await,
            CallUpdate::Retried(task, attempt, retry, recorded) => {
                let noted = self.carry_out(Command::NoteRetry { task, attempt, retry }).await;
                // A call that was ended by it has been dropped by now, and does not go on.
                _ = recorded.send(());
                noted
            }
            CallUpdate::Acted(task, attempt, action) => {
                self.carry_out(Command::NoteAction { task, attempt, action }).await
            }
            CallUpdate::ToolEnded(run, outcome, latency_ms) => {
                let (turn, call) = (run.turn, run.call);
                self.carry_out(Command::ReturnTool { turn, call, outcome, latency_ms }).await
            }
        }
    }

    /// Handles a deadline of the meeting.
    async fn tick(&mut self) -> Result<(), LoopEnd> {
        // A deadline without an effect is not used again.
        self.in_flight.woke(self.shared.clock.now());
        self.carry_out(Command::Tick).await
    }

    async fn read(&mut self, request: Request) -> Result<(), LoopEnd> {
        match request {
            Request::Command(command, reply) => {
                let result = self.execute(*command).await;
                // What another process wrote is in the log alone.
                let lost = match &result {
                    Err(
                        error @ (EngineError::Journal(
                            JournalError::Conflict { .. } | JournalError::Elsewhere { .. },
                        )
                        | EngineError::Broken(..)),
                    ) => Err(LoopEnd::Failed(Failure::Error(error.clone()))),
                    _ => Ok(()),
                };
                // The caller may be gone; the event is stored all the same.
                _ = reply.send(result);
                lost
            }
            Request::Look(reply) => {
                _ = reply.send(Box::new(self.meeting.clone()));
                Ok(())
            }
        }
    }

    /// Answers the requests that arrived before the meeting ended.
    async fn say_goodbye(&mut self) {
        self.shared.registry.remove(&self.registration);
        self.check_fold().await;
        // It is read again and again when it is over.
        self.keep_snapshot(SNAPSHOT_SHARE_ON_UNLOAD);
        self.mailbox.close();
        while let Some(request) = self.mailbox.recv().await {
            match request {
                Request::Command(_, reply) => _ = reply.send(Err(Refusal::MeetingIsOver.into())),
                Request::Look(reply) => _ = reply.send(Box::new(self.meeting.clone())),
            }
        }
    }

    /// A command from outside: its events are durable, or it is refused and nothing has happened.
    async fn execute(&mut self, command: Command) -> Result<u64, EngineError> {
        self.look_for_kept().await?;
        self.note_idle().await?;
        let goes_on = matches!(command, Command::Resume { .. } | Command::Advance { .. });
        let has_them_tried = goes_on && self.waits_for_providers();
        let decision = self.decide(command.into()).await?;
        if !decision.records.is_empty() {
            if let Err(error) = self.append(&decision.records).await {
                if let JournalError::Unavailable { .. } = error {
                    self.look_again_at = Some(Instant::now() + RETRY_AFTER);
                }
                return Err(error.into());
            }
            if has_them_tried {
                self.try_providers();
            }
            self.apply_and_publish(decision).await?;
        }
        Ok(self.meeting.seq)
    }

    /// Whether the meeting does not go on because its providers could not be reached.
    fn waits_for_providers(&self) -> bool {
        let paused =
            matches!(&self.meeting.run_state, RunState::Paused { reason: PauseReason::NobodyAnswered, .. });
        paused || self.meeting.provider_wait.is_some()
    }

    /// Whoever has such a meeting go on has its providers tried at once.
    fn try_providers(&self) {
        let seats = self.meeting.present().map(|seat| &seat.participant.runner);
        let facilitator = self.meeting.settings.facilitator.as_ref().map(|facilitator| &facilitator.runner);
        let asked = seats.chain(facilitator);
        for runner in asked.flat_map(|runner| [Some(runner), runner.fallback()]).flatten() {
            self.shared.runners.find(runner).try_now();
        }
    }

    /// What a failing disk reports as not written may be stored all the same. The meeting goes on from what is stored, whether
    /// or not anybody asks for it again.
    async fn look_for_kept(&mut self) -> Result<(), EngineError> {
        if self.look_again_at.is_none() {
            return Ok(());
        }
        match self.shared.journal.read(self.meeting.id.clone(), self.meeting.seq).await {
            Ok(kept) => {
                self.look_again_at = None;
                self.apply_and_publish(Decision { records: kept, ..Decision::default() }).await
            }
            Err(_) => {
                self.look_again_at = Some(Instant::now() + RETRY_AFTER);
                Ok(())
            }
        }
    }

    /// Carries out a command of the meeting's own, such as the answer of a call. The answer was paid for, so
    /// it is kept until the journal accepts it. Requests that arrive in the meantime are answered at once.
    async fn carry_out(&mut self, input: impl Into<LoopInput>) -> Result<(), LoopEnd> {
        self.look_for_kept().await.map_err(|error| LoopEnd::Failed(Failure::Error(error)))?;
        self.note_idle().await.map_err(|error| LoopEnd::Failed(Failure::Error(error)))?;
        let decision = match self.decide(input.into()).await {
            Ok(decision) => decision,
            Err(EngineError::Refused(refusal)) => {
                tracing::debug!(%refusal, "an answer came too late");
                return Ok(());
            }
            Err(error) => return Err(LoopEnd::Failed(Failure::Error(error))),
        };
        let mut tried = false;
        let mut told = None;
        loop {
            let appended = match decision.records.is_empty() {
                true => Ok(()),
                false => self.append(&decision.records).await,
            };
            match appended {
                Ok(()) => break,
                // The attempt before had been written after all.
                Err(JournalError::Conflict { .. }) if tried && self.holds(&decision.records).await => break,
                Err(JournalError::Unavailable { fault, detail }) if fault.recovery() != Recovery::Never => {
                    let error = JournalError::Unavailable { fault, detail };
                    // Logged once for each kind of fault, and not each second.
                    if told.replace(fault) != Some(fault) {
                        tracing::error!(%error, "the journal cannot be written; trying again");
                        self.registration.subscribers.warn(error.clone().into());
                    }
                    if self.shared.closing.get().is_some_and(|until| Instant::now() >= *until) {
                        return Err(LoopEnd::Stopped);
                    }
                    tried = true;
                    self.wait_for_journal(&error).await?;
                }
                Err(error) => return Err(LoopEnd::Failed(Failure::Error(error.into()))),
            }
        }
        if told.is_some() {
            tracing::info!(meeting = %self.meeting.id, "the journal can be written again");
        }
        self.apply_and_publish(decision).await.map_err(|error| LoopEnd::Failed(Failure::Error(error)))
    }

    /// Waits until the journal is to be tried again. Until then commands get the error, and readers get the
    /// durable state.
    async fn wait_for_journal(&mut self, error: &JournalError) -> Result<(), LoopEnd> {
        let registration = Arc::clone(&self.registration);
        let until = Instant::now() + RETRY_AFTER;
        loop {
            tokio::select! {
                biased;
                () = sleep_until(until) => return Ok(()),
                () = registration.bell.notified() => {
                    if registration.is_removed() {
                        return Err(LoopEnd::Stopped);
                    }
                }
                request = self.mailbox.recv() => match request {
                    Some(Request::Command(_, reply)) => _ = reply.send(Err(error.clone().into())),
                    Some(Request::Look(reply)) => _ = reply.send(Box::new(self.meeting.clone())),
                    None => return Err(LoopEnd::Stopped),
                },
            }
        }
    }

    /// States that the clock was set or the machine slept, before anything else is counted by the clock. Where
    /// it cannot be written, the time counts as far as a meeting can be silent.
    async fn note_idle(&mut self) -> Result<(), EngineError> {
        self.time.now(&*self.shared.clock);
        let idle_ms = self.time.take_idle_ms();
        if idle_ms == 0 {
            return Ok(());
        }
        let decision = self.decide(Command::NoteIdle { idle_ms }.into()).await.unwrap_or_default();
        if decision.records.is_empty() {
            return Ok(());
        }
        match self.append(&decision.records).await {
            Ok(()) => self.apply_and_publish(decision).await,
            Err(_) => {
                self.look_again_at = Some(Instant::now() + RETRY_AFTER);
                Ok(())
            }
        }
    }

    async fn append(&self, records: &[Record]) -> Result<(), JournalError> {
        let begun = Instant::now();
        let (id, seq) = (self.meeting.id.clone(), self.meeting.seq);
        let appended = self.shared.journal.append(id, seq, records.to_vec()).await;
        self.shared.counters.append(begun.elapsed(), records.len() as u64, appended.is_ok());
        appended
    }

    /// The events that follow. A long decision is computed on another thread, on a copy.
    async fn decide(&mut self, input: LoopInput) -> Result<Decision, EngineError> {
        let (now, closing) = (self.time.now(&*self.shared.clock), self.shared.closing.get().is_some());
        let weight = weight(self.meeting.seq, input.bytes());
        if Compute::is_small(weight) {
            return Ok(next_records(&self.meeting, &self.run, input, now, closing)?);
        }
        let (meeting, run) = (self.meeting.clone(), self.run.clone());
        Ok(self.shared.compute.run(move || next_records(&meeting, &run, input, now, closing)).await??)
    }

    /// The prompt of a call: one of those that were made when it was decided on, or it is computed.
    async fn prompt(&self, call: &Call, made: &mut Vec<(TaskId, Prompt)>) -> Result<Prompt, EngineError> {
        // A call that was begun, ended and begun again has the last one.
        let known =
            made.iter().rposition(|(task, _)| *task == call.id).map(|place| made.swap_remove(place).1);
        let prompt = match known {
            Some(prompt) => {
                debug_assert_eq!(prompt, context(&self.meeting, call), "an event changes what it reads");
                prompt
            }
            None if Compute::is_small(weight(self.meeting.seq, 0)) => context(&self.meeting, call),
            None => {
                let (meeting, call) = (self.meeting.clone(), call.clone());
                self.shared.compute.run(move || context(&meeting, &call)).await?
            }
        };
        match prompt.is_well_formed() {
            true => Ok(prompt),
            false => Err(self.broken(Invariant::PromptShape)),
        }
    }

    fn broken(&self, invariant: Invariant) -> EngineError {
        BrokenInvariant { invariant, seq: self.meeting.seq, event: "" }.into()
    }

    /// Compares the state with what its stored events fold to, when it was taken up from a snapshot: a state that was
    /// folded here from the first event on needs no proof. The log is right; a state that differs is replaced.
    async fn check_fold(&mut self) {
        if !self.is_from_snapshot {
            return;
        }
        let id = self.meeting.id.clone();
        let Ok(records) = self.shared.journal.read(id, 0).await else { return };
        let folding = self.shared.compute.aside(move || loading::folded(&records));
        let Ok(Some(folded)) = folding.await else { return };
        if folded != self.meeting {
            let error = self.broken(Invariant::LiveIsFolded);
            tracing::error!(meeting = %self.meeting.id, %error, "a state from a snapshot is replaced by its log's");
            (self.meeting, self.kept) = (folded, 0);
        }
    }

    /// # Errors
    /// When the prompt of a call cannot be computed; the records are durable and applied all the same.
    async fn apply_and_publish(&mut self, decision: Decision) -> Result<(), EngineError> {
        let Decision { records, mut prompts } = decision;
        for record in &records {
            apply(&mut self.meeting, &record.event);
        }
        for record in records {
            self.registration.subscribers.tell(record);
        }
        self.tell_of_wait();
        let now = self.time.now(&*self.shared.clock);
        for call in self.in_flight.reconcile(&self.meeting, now) {
            let prompt = self.prompt(&call, &mut prompts).await?;
            self.in_flight.start(&self.meeting, call, prompt);
        }
        if self.meeting.seq.saturating_sub(self.kept) >= self.shared.options.snapshot_every {
            self.keep_snapshot(1);
        }
        Ok(())
    }

    /// Lets lists know that the meeting waits for providers, or does no longer.
    fn tell_of_wait(&mut self) {
        let waits = self.meeting.provider_wait.clone();
        if self.waits == waits {
            return;
        }
        let mut all = self.shared.waits.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match &waits {
            Some(wait) => _ = all.insert(self.meeting.id.clone(), Arc::clone(wait)),
            None => _ = all.remove(&self.meeting.id),
        }
        drop(all);
        self.waits = waits;
    }

    /// Writes a snapshot when enough has happened since the last one: the number of events divided by
    /// `haste`. The interval grows with the meeting, so that all snapshots together cost as much as a few
    /// logs. They are written one after the other, so that an older one never replaces a newer one.
    fn keep_snapshot(&mut self, haste: u64) {
        let enough = self.shared.options.snapshot_every.max(self.kept / 4) / haste;
        let new = self.meeting.seq.saturating_sub(self.kept);
        let journal = Arc::clone(&self.shared.journal);
        if new < enough.max(1) || !journal.keeps_snapshots(&self.meeting.id) {
            return;
        }
        self.kept = self.meeting.seq;
        // A copy is cheap; writing it is not, and holds the meeting up in no case.
        let (meeting, compute) = (self.meeting.clone(), self.shared.compute.clone());
        let earlier = self.snapshot.take();
        self.snapshot = Some(tokio::spawn(async move {
            if let Some(earlier) = earlier {
                _ = earlier.await;
            }
            let id = meeting.id.clone();
            let Ok(snapshot) = compute.aside(move || Snapshot::of(&meeting)).await else { return };
            if let Err(error) = journal.keep_snapshot(id, snapshot).await {
                tracing::warn!(%error, "a snapshot could not be kept; the log is whole");
            }
        }));
    }

    /// Waits until the last snapshot is written, or has failed.
    async fn snapshot_is_kept(&mut self) {
        if let Some(writing) = self.snapshot.take() {
            _ = writing.await;
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

impl Drop for MeetingLoop {
    fn drop(&mut self) {
        if self.waits.take().is_some() {
            let mut all = self.shared.waits.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            all.remove(&self.meeting.id);
        }
        if std::thread::panicking() || self.failed {
            self.registration.subscribers.break_off();
            self.shared.registry.vacate(&self.registration);
        } else if !self.unloaded {
            self.shared.registry.remove(&self.registration);
            self.registration.subscribers.close();
        }
        self.shared.loops.send_modify(|loops| *loops -= 1);
    }
}

/// The one of two that is ready; where both are, `first` when that is asked for and else `second`.
async fn either<A: Future, B: Future>(
    first: A,
    second: B,
    prefers_first: bool,
) -> Either<A::Output, B::Output> {
    let (first, second) = (pin!(first), pin!(second));
    match prefers_first {
        true => match select(first, second).await {
            Either::Left((output, _)) => Either::Left(output),
            Either::Right((output, _)) => Either::Right(output),
        },
        false => match select(second, first).await {
            Either::Left((output, _)) => Either::Right(output),
            Either::Right((output, _)) => Either::Left(output),
        },
    }
}

/// Waits until a moment; for ever when there is none.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
