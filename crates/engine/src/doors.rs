//! How a meeting is reached, whether or not it is in memory.
//!
//! Each meeting that runs, is spoken to or listened to has one door. Behind it is a room (the
//! meeting's loop), or nothing: then whoever comes brings the meeting back from its log. A room
//! leaves only while nobody is at its door, and both are decided under one lock, so that no wish
//! falls between a room that has left and one that has not come yet.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quorate_core::MeetingId;
use tokio::sync::{Notify, mpsc};

use crate::audience::Audience;
use crate::room::Letter;
use crate::stats::Counters;

/// The way to one meeting.
pub(crate) struct Door {
    pub(crate) id: MeetingId,
    pub(crate) audience: Audience,
    /// Held by whoever brings the meeting into memory, so that this is done once.
    pub(crate) opening: tokio::sync::Mutex<()>,
    /// Rung when the room is to see whether it may go on.
    pub(crate) bell: Notify,
    /// The way into the room, while there is one.
    letters: Mutex<Option<mpsc::Sender<Letter>>>,
    /// How many are at the door. It grows only under the lock of all doors.
    visitors: AtomicUsize,
    /// Nobody finds this door any more.
    removed: AtomicBool,
}

impl Door {
    /// The way into the room, when there is one.
    pub(crate) fn letters(&self) -> Option<mpsc::Sender<Letter>> {
        self.way_in().clone()
    }

    /// Whether it was taken away, so that its room is to end.
    pub(crate) fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Acquire)
    }

    /// Forgets the way into a room that has ended without a word.
    pub(crate) fn forget_ended(&self) {
        let mut way_in = self.way_in();
        if way_in.as_ref().is_some_and(mpsc::Sender::is_closed) {
            *way_in = None;
        }
    }

    fn way_in(&self) -> MutexGuard<'_, Option<mpsc::Sender<Letter>>> {
        self.letters.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The doors of all meetings.
pub(crate) struct Doors {
    all: Mutex<HashMap<MeetingId, Arc<Door>>>,
    counters: Arc<Counters>,
}

impl Doors {
    pub(crate) fn new(counters: Arc<Counters>) -> Self {
        Self { all: Mutex::default(), counters }
    }

    /// Goes to a meeting's door; until the visit ends, a room behind it stays.
    pub(crate) fn visit(self: &Arc<Self>, id: &MeetingId) -> Visit {
        let mut all = self.all();
        let door = match all.get(id) {
            Some(door) => Arc::clone(door),
            None => {
                let door = Arc::new(Door {
                    id: id.clone(),
                    audience: Audience::new(Arc::clone(&self.counters)),
                    opening: tokio::sync::Mutex::default(),
                    bell: Notify::new(),
                    letters: Mutex::default(),
                    visitors: AtomicUsize::new(0),
                    removed: AtomicBool::new(false),
                });
                all.insert(id.clone(), Arc::clone(&door));
                door
            }
        };
        door.visitors.fetch_add(1, Ordering::Relaxed);
        Visit { doors: Arc::clone(self), door }
    }

    /// A room moves in. Not when the door was taken away meanwhile.
    pub(crate) fn move_in(&self, door: &Door, letters: mpsc::Sender<Letter>) -> bool {
        let _all = self.all();
        let stands = !door.is_removed();
        if stands {
            *door.way_in() = Some(letters);
        }
        stands
    }

    /// A room wants to leave, because nothing happens there. Not while somebody is at the door.
    /// Those who listen go on listening.
    pub(crate) fn move_out(&self, door: &Arc<Door>) -> bool {
        let mut all = self.all();
        if door.visitors.load(Ordering::Acquire) > 0 || door.is_removed() {
            return false;
        }
        *door.way_in() = None;
        if door.audience.listeners() == 0 {
            forget(&mut all, door);
        }
        true
    }

    /// A room has failed. Those at its door, and those who listen, stay.
    pub(crate) fn vacate(&self, door: &Door) {
        let _all = self.all();
        *door.way_in() = None;
    }

    /// Takes a door away, and with it the way to its room: the meeting is over, stops, or is let go.
    pub(crate) fn remove(&self, door: &Arc<Door>) {
        forget(&mut self.all(), door);
    }

    /// The door of a meeting, when there is one.
    pub(crate) fn find(&self, id: &MeetingId) -> Option<Arc<Door>> {
        self.all().get(id).cloned()
    }

    /// Forgets a door that leads nowhere and at which nobody is.
    pub(crate) fn sweep(&self, door: &Arc<Door>) {
        if door.way_in().is_some() {
            return;
        }
        let mut all = self.all();
        let used = door.visitors.load(Ordering::Acquire) > 0 || door.audience.listeners() > 0;
        if !used && door.way_in().is_none() {
            forget(&mut all, door);
        }
    }

    /// The doors with a room behind them.
    pub(crate) fn rooms(&self) -> Vec<Arc<Door>> {
        self.all().values().filter(|door| door.way_in().is_some()).cloned().collect()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<MeetingId, Arc<Door>>> {
        self.all.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn forget(all: &mut HashMap<MeetingId, Arc<Door>>, door: &Arc<Door>) {
    if all.get(&door.id).is_some_and(|known| Arc::ptr_eq(known, door)) {
        all.remove(&door.id);
    }
    door.removed.store(true, Ordering::Release);
    *door.way_in() = None;
    door.bell.notify_one();
}

/// Somebody at a door.
pub(crate) struct Visit {
    doors: Arc<Doors>,
    pub(crate) door: Arc<Door>,
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.door.visitors.fetch_sub(1, Ordering::Release);
        self.doors.sweep(&self.door);
    }
}
