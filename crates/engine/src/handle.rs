//! A meeting as whoever speaks to it holds it.

use std::sync::Arc;

use quorate_core::{Command, Meeting, MeetingId, Refusal};
use tokio::sync::oneshot;

use crate::doors::Visit;
use crate::engine::Shared;
use crate::error::EngineError;
use crate::opening::{Behind, enter};
use crate::room::Letter;
use crate::subscription::Subscription;

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

    /// Which meeting.
    pub fn id(&self) -> &MeetingId {
        &self.id
    }

    /// Wishes something of the meeting. The sequence number that comes back is durable.
    ///
    /// # Errors
    /// When the rules do not allow it or the journal does not take it: then nothing has happened.
    /// [`Gone`](EngineError::Gone) says that the loop ended meanwhile, with the process or because
    /// another one writes; whether the wish was kept, the log tells.
    pub async fn wish(&self, command: Command) -> Result<u64, EngineError> {
        let (reply, answer) = oneshot::channel();
        match self.post(Letter::Wish(Box::new(command), reply)).await? {
            Posted::Sent(_visit) => answer.await.unwrap_or(Err(EngineError::Gone)),
            Posted::Over(_) => Err(Refusal::MeetingIsOver.into()),
        }
    }

    /// The meeting as it stands.
    pub async fn look(&self) -> Result<Meeting, EngineError> {
        let (reply, answer) = oneshot::channel();
        match self.post(Letter::Look(reply)).await? {
            Posted::Sent(_visit) => answer.await.map(|meeting| *meeting).map_err(|_| EngineError::Gone),
            Posted::Over(meeting) => Ok(*meeting),
        }
    }

    /// Listens: every event after `after`, then live; with `fragments`, answers while they are
    /// written, too.
    pub async fn subscribe(&self, after: u64, fragments: bool) -> Result<Subscription, EngineError> {
        let visit = self.arrive().await?;
        Subscription::open(Arc::clone(&self.shared), Arc::clone(&visit.door), after, fragments).await
    }

    /// Goes to the meeting's door and sees to it that it runs, or is over.
    pub(crate) async fn arrive(&self) -> Result<Visit, EngineError> {
        loop {
            let visit = self.shared.doors.visit(&self.id);
            // Where somebody listens there is a meeting that is not over; it need not run for that.
            if visit.door.audience.listeners() > 0 {
                return Ok(visit);
            }
            match enter(&self.shared, &visit).await? {
                Behind::Room(_) | Behind::Over(_) => return Ok(visit),
                Behind::Nothing => {}
            }
        }
    }

    /// Puts a letter into the meeting's mailbox. While the visit lasts, its loop stays.
    async fn post(&self, mut letter: Letter) -> Result<Posted, EngineError> {
        loop {
            let visit = self.shared.doors.visit(&self.id);
            match enter(&self.shared, &visit).await? {
                Behind::Over(meeting) => return Ok(Posted::Over(meeting)),
                Behind::Nothing => {}
                Behind::Room(letters) => match letters.send(letter).await {
                    Ok(()) => return Ok(Posted::Sent(visit)),
                    Err(returned) => {
                        // Its loop has ended, and takes its door along; another one may be there.
                        letter = returned.0;
                        self.shared.doors.remove(&visit.door);
                    }
                },
            }
        }
    }
}

/// What became of a letter.
enum Posted {
    /// It lies in the mailbox.
    Sent(Visit),
    /// The meeting is over and reads no letters.
    Over(Box<Meeting>),
}
