//! The handle of a meeting, for its callers.

use std::sync::Arc;

use quorate_contract::{Command, MeetingId, Refusal};
use quorate_core::Meeting;
use tokio::sync::oneshot;

use crate::engine::Shared;
use crate::error::EngineError;
use crate::loading::{Occupancy, enter};
use crate::meeting_loop::Request;
use crate::registry::Registered;
use crate::subscription::Subscription;

/// The limit of restarts during one command. A failing meeting is quarantined long before that.
const BEGUN_AGAIN_MAX: u32 = 16;

/// A meeting that runs in this process, or will as soon as it is spoken to. Cheap to clone; it keeps
/// nothing in memory.
#[derive(Clone)]
pub struct MeetingHandle {
    id: MeetingId,
    shared: Arc<Shared>,
}

impl MeetingHandle {
    pub(crate) fn new(id: MeetingId, shared: Arc<Shared>) -> Self {
        Self { id, shared }
    }

    /// The id of the meeting.
    pub fn id(&self) -> &MeetingId {
        &self.id
    }

    /// Carries out a command. The returned sequence number is durable.
    ///
    /// # Errors
    /// When the rules or the journal refuse it: then nothing has changed. [`Gone`](EngineError::Gone) says
    /// that the loop ended in the meantime, with the process or because another one writes; the log tells
    /// whether the command was stored.
    ///
    /// A quarantined meeting is loaded again by [`Resume`](Command::Resume), and for [`End`](Command::End)
    /// and [`Pause`](Command::Pause), which then takes effect at once. If it fails again, it is back in
    /// [`Quarantined`](EngineError::Quarantined), which says what else can be done.
    pub async fn execute(&self, command: Command) -> Result<u64, EngineError> {
        match command {
            Command::Resume { .. } if self.release().await? => {
                let meeting = self.look().await?;
                if !meeting.is_paused() {
                    return Ok(meeting.seq);
                }
                self.ask_for(command).await
            }
            Command::End { .. } if self.release().await? => self.insist(command).await,
            Command::Pause { by, .. } if self.shared.faults.of(&self.id).is_some() => {
                self.release().await?;
                self.insist(Command::Pause { by, at_once: true }).await
            }
            other => self.ask_for(other).await,
        }
    }

    async fn ask_for(&self, command: Command) -> Result<u64, EngineError> {
        let (reply, answer) = oneshot::channel();
        match self.post(Request::Command(Box::new(command), reply)).await? {
            Posted::Sent(_visit) => answer.await.unwrap_or(Err(EngineError::Gone)),
            Posted::Over(_) => Err(Refusal::MeetingIsOver.into()),
        }
    }

    /// Sends a command again while the meeting fails before it takes it, as long as it is restarted.
    async fn insist(&self, command: Command) -> Result<u64, EngineError> {
        let mut asked = self.ask_for(command.clone()).await;
        for _ in 0..BEGUN_AGAIN_MAX {
            match asked {
                Err(EngineError::Gone) if self.shared.closing.get().is_none() => {}
                other => return other,
            }
            asked = self.ask_for(command.clone()).await;
            if let Err(EngineError::Refused(_)) = asked {
                // The first one was kept, and its answer lost with the loop.
                return Ok(self.look().await?.seq);
            }
        }
        asked
    }

    /// Lets a meeting out of quarantine. Says whether it was there.
    async fn release(&self) -> Result<bool, EngineError> {
        let was_there = self.shared.faults.forgive(&self.id);
        if was_there {
            tracing::info!(meeting = %self.id, "a quarantined meeting is taken up again");
            self.shared.journal.keep_fault(self.id.clone(), None).await?;
        }
        Ok(was_there)
    }

    /// The present state of the meeting.
    pub async fn look(&self) -> Result<Meeting, EngineError> {
        let (reply, answer) = oneshot::channel();
        match self.post(Request::Look(reply)).await? {
            Posted::Sent(_visit) => answer.await.map(|meeting| *meeting).map_err(|_| EngineError::Gone),
            Posted::Over(meeting) => Ok(*meeting),
        }
    }

    /// Subscribes: every event after `after`, then live; with `fragments`, also answers while they are
    /// generated.
    pub async fn subscribe(&self, after: u64, fragments: bool) -> Result<Subscription, EngineError> {
        let visit = match self.arrive().await {
            Ok(visit) => visit,
            // A quarantined meeting can be followed: its log, and its restart.
            Err(EngineError::Quarantined(_)) => self.shared.registry.visit(&self.id),
            Err(error) => return Err(error),
        };
        Subscription::open(Arc::clone(&self.shared), Arc::clone(&visit.registration), after, fragments).await
    }

    /// Goes to the meeting's registration and sees to it that it runs, or is over.
    pub(crate) async fn arrive(&self) -> Result<Registered, EngineError> {
        loop {
            let visit = self.shared.registry.visit(&self.id);
            // A meeting with subscribers has not ended; it need not run for a new one.
            if visit.registration.subscribers.listeners() > 0 {
                return Ok(visit);
            }
            match enter(&self.shared, &visit).await? {
                Occupancy::MeetingLoop(_) | Occupancy::Over(_) => return Ok(visit),
                Occupancy::Nothing => {}
            }
        }
    }

    /// Puts a request into the meeting's mailbox. While the visit lasts, its loop stays.
    async fn post(&self, mut request: Request) -> Result<Posted, EngineError> {
        loop {
            let visit = self.shared.registry.visit(&self.id);
            match enter(&self.shared, &visit).await? {
                Occupancy::Over(meeting) => return Ok(Posted::Over(meeting)),
                Occupancy::Nothing => {}
                Occupancy::MeetingLoop(requests) => match requests.send(request).await {
                    Ok(()) => return Ok(Posted::Sent(visit)),
                    Err(returned) => {
                        // Its loop has ended, and took its registration along, or has failed; another one may be there.
                        request = returned.0;
                        visit.registration.forget_ended();
                    }
                },
            }
        }
    }
}

/// The result of posting a request.
enum Posted {
    /// The request is in the mailbox.
    Sent(Registered),
    /// The meeting is over and reads no requests.
    Over(Box<Meeting>),
}
