//! Permissions that agents wait for: each waits until a person answers, or until its time is over.
//!
//! The meeting's log holds the question and the answer. A person answers through the app, which writes the answer to the
//! log and then tells the agent.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quorate_contract::{MeetingId, TaskId};
use tokio::sync::oneshot;

/// What an agent asks for: an action of a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PermissionKey {
    /// The meeting.
    pub meeting: MeetingId,
    /// The task of the call.
    pub task: TaskId,
    /// The attempt at the task.
    pub attempt: u32,
    /// The number of the action within the call.
    pub number: u32,
}

/// The way to an agent that waits for a permission.
#[derive(Debug)]
pub struct PermissionAnswer(oneshot::Sender<bool>);

impl PermissionAnswer {
    /// Tells the agent whether it may. Without this it is refused.
    pub fn give(self, allowed: bool) {
        // An agent whose call has ended needs no answer.
        _ = self.0.send(allowed);
    }
}

/// All permissions that agents of this process wait for.
#[derive(Debug, Default)]
pub struct PermissionBoard {
    waiting: Mutex<HashMap<PermissionKey, oneshot::Sender<bool>>>,
    /// Whether nobody is there to answer.
    unattended: AtomicBool,
}

impl PermissionBoard {
    /// Takes the way to the agent that waits for this: whoever has it gives the one answer.
    pub fn take(&self, key: &PermissionKey) -> Option<PermissionAnswer> {
        self.waiting().remove(key).map(PermissionAnswer)
    }

    /// Refuses from now on whatever a person would be asked: nobody is there to answer.
    pub fn refuse_all(&self) {
        self.unattended.store(true, Ordering::Relaxed);
    }

    /// Whether nobody is there to answer.
    pub(super) fn is_unattended(&self) -> bool {
        self.unattended.load(Ordering::Relaxed)
    }

    /// Waits for an answer for as long as the result lives.
    pub(super) fn ask(self: &Arc<Self>, key: PermissionKey) -> AskedPermission {
        let (tell, answer) = oneshot::channel();
        self.waiting().insert(key.clone(), tell);
        AskedPermission { board: Arc::clone(self), key, answer }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<PermissionKey, oneshot::Sender<bool>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A permission that is waited for; it leaves the board when it is dropped.
pub(super) struct AskedPermission {
    board: Arc<PermissionBoard>,
    key: PermissionKey,
    answer: oneshot::Receiver<bool>,
}

impl AskedPermission {
    /// The answer; `None` when whoever took the question gave none.
    pub(super) async fn answer(&mut self) -> Option<bool> {
        (&mut self.answer).await.ok()
    }

    /// Takes the question back; `false` when somebody is about to answer it.
    pub(super) fn withdraw(&self) -> bool {
        self.board.take(&self.key).is_some()
    }
}

impl Drop for AskedPermission {
    fn drop(&mut self) {
        self.withdraw();
    }
}
