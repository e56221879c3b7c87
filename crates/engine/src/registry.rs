//! The registry of meetings, whether or not they are in memory.
//!
//! Each meeting that runs, has callers or has subscribers has one registration. Behind it is the meeting's
//! loop, or nothing: then the next caller loads the meeting from its log. A loop unloads only while its
//! registration has no visitors. Both are decided under one lock, so that no command falls between a loop
//! that unloads and one that is not loaded yet.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quorate_contract::MeetingId;
use tokio::sync::{Notify, mpsc};

use crate::meeting_loop::Request;
use crate::stats::Counters;
use crate::subscribers::Subscribers;

/// The way to one meeting.
pub(crate) struct Registration {
    pub(crate) id: MeetingId,
    pub(crate) subscribers: Subscribers,
    /// Held while a caller loads the meeting into memory, so that this is done once.
    pub(crate) opening: tokio::sync::Mutex<()>,
    /// Notified when the loop has to check whether it may go on.
    pub(crate) bell: Notify,
    /// The way into the loop, while there is one.
    requests: Mutex<Option<mpsc::Sender<Request>>>,
    /// The number of visitors. It grows only under the lock of all registrations.
    visitors: AtomicUsize,
    /// Whether the registration is removed from the registry.
    removed: AtomicBool,
}

impl Registration {
    /// The way into the loop, when there is one.
    pub(crate) fn requests(&self) -> Option<mpsc::Sender<Request>> {
        self.way_in().clone()
    }

    /// Whether it was removed, so that its loop has to end.
    pub(crate) fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Acquire)
    }

    /// Removes the sender of a loop that has ended without notice.
    pub(crate) fn forget_ended(&self) {
        let mut way_in = self.way_in();
        if way_in.as_ref().is_some_and(mpsc::Sender::is_closed) {
            *way_in = None;
        }
    }

    fn way_in(&self) -> MutexGuard<'_, Option<mpsc::Sender<Request>>> {
        self.requests.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The registry of all meetings.
pub(crate) struct Registry {
    all: Mutex<HashMap<MeetingId, Arc<Registration>>>,
    counters: Arc<Counters>,
}

impl Registry {
    pub(crate) fn new(counters: Arc<Counters>) -> Self {
        Self { all: Mutex::default(), counters }
    }

    /// Goes to a meeting's registration; until the visit ends, a loop behind it stays.
    pub(crate) fn visit(self: &Arc<Self>, id: &MeetingId) -> Registered {
        let mut all = self.all();
        let registration = match all.get(id) {
            Some(registration) => Arc::clone(registration),
            None => {
                let registration = Arc::new(Registration {
                    id: id.clone(),
                    subscribers: Subscribers::new(Arc::clone(&self.counters)),
                    opening: tokio::sync::Mutex::default(),
                    bell: Notify::new(),
                    requests: Mutex::default(),
                    visitors: AtomicUsize::new(0),
                    removed: AtomicBool::new(false),
                });
                all.insert(id.clone(), Arc::clone(&registration));
                registration
            }
        };
        registration.visitors.fetch_add(1, Ordering::Relaxed);
        Registered { registry: Arc::clone(self), registration }
    }

    /// A loop moves in. Not when the registration was taken away meanwhile.
    pub(crate) fn load(&self, registration: &Registration, requests: mpsc::Sender<Request>) -> bool {
        let _all = self.all();
        let stands = !registration.is_removed();
        if stands {
            *registration.way_in() = Some(requests);
        }
        stands
    }

    /// Unloads an idle meeting, unless its registration has visitors. Subscribers stay subscribed.
    pub(crate) fn unload(&self, registration: &Arc<Registration>) -> bool {
        let mut all = self.all();
        if registration.visitors.load(Ordering::Acquire) > 0 || registration.is_removed() {
            return false;
        }
        *registration.way_in() = None;
        if registration.subscribers.listeners() == 0 {
            forget(&mut all, registration);
        }
        true
    }

    /// Removes a failed loop. Visitors and subscribers stay.
    pub(crate) fn vacate(&self, registration: &Registration) {
        let _all = self.all();
        *registration.way_in() = None;
    }

    /// Removes a registration, and with it the sender of its loop: the meeting has ended, stops, or is
    /// released.
    pub(crate) fn remove(&self, registration: &Arc<Registration>) {
        forget(&mut self.all(), registration);
    }

    /// The registration of a meeting, when there is one.
    pub(crate) fn find(&self, id: &MeetingId) -> Option<Arc<Registration>> {
        self.all().get(id).cloned()
    }

    /// Removes a registration without a loop and without visitors.
    pub(crate) fn sweep(&self, registration: &Arc<Registration>) {
        if registration.way_in().is_some() {
            return;
        }
        let mut all = self.all();
        let used =
            registration.visitors.load(Ordering::Acquire) > 0 || registration.subscribers.listeners() > 0;
        if !used && registration.way_in().is_none() {
            forget(&mut all, registration);
        }
    }

    /// The meetings that run, have callers or have subscribers.
    pub(crate) fn ids(&self) -> Vec<MeetingId> {
        self.all().keys().cloned().collect()
    }

    /// The registrations with a loop behind them.
    pub(crate) fn loops(&self) -> Vec<Arc<Registration>> {
        self.all().values().filter(|registration| registration.way_in().is_some()).cloned().collect()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<MeetingId, Arc<Registration>>> {
        self.all.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn forget(all: &mut HashMap<MeetingId, Arc<Registration>>, registration: &Arc<Registration>) {
    if all.get(&registration.id).is_some_and(|known| Arc::ptr_eq(known, registration)) {
        all.remove(&registration.id);
    }
    registration.removed.store(true, Ordering::Release);
    *registration.way_in() = None;
    registration.bell.notify_one();
}

/// A visitor of a registration; the meeting stays registered while it lives.
pub(crate) struct Registered {
    registry: Arc<Registry>,
    pub(crate) registration: Arc<Registration>,
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.registration.visitors.fetch_sub(1, Ordering::Release);
        self.registry.sweep(&self.registration);
    }
}
