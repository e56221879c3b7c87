//! Queues for work: a bounded number at once, a short queue, and a turn for each person, so that no person
//! waits behind everything that another has asked for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quorate_app::Principal;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The limits of a queue; each at least 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueueLimits {
    /// Jobs that are done at once.
    pub(crate) at_once: u32,
    /// Jobs that wait for their turn; for those who manage all meetings, twice as many.
    pub(crate) waiting: u32,
    /// Jobs of one person, the waiting ones included.
    pub(crate) per_person: u32,
    /// Jobs of one person that are done at once.
    pub(crate) person_at_once: u32,
    /// The longest wait for a turn.
    pub(crate) wait: Duration,
}

/// The requester of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Requester {
    /// A name that is theirs alone.
    pub(crate) person: String,
    /// Whether the requester manages all meetings, and therefore has more room.
    pub(crate) manages: bool,
}

impl Requester {
    /// The requester for a principal.
    pub(crate) fn of(principal: &Principal) -> Self {
        let meeting = principal.meeting.as_ref().map_or("", |meeting| meeting.as_str());
        Self { person: format!("{meeting}/{}", principal.name), manages: principal.sees_all() }
    }
}

/// The reason why there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueueFull {
    /// The queue is full, or the turn did not come in time.
    Others,
    /// The person already has this many unfinished jobs.
    Own(u32),
}

/// The running and the waiting jobs. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Queue {
    limits: Arc<QueueLimits>,
    running: Arc<Semaphore>,
    jobs: Arc<Mutex<Jobs>>,
}

/// All jobs, waiting or running.
#[derive(Default)]
struct Jobs {
    all: u32,
    by_person: HashMap<String, Person>,
}

struct Person {
    jobs: u32,
    /// Limits the person's running jobs; a permit is held while a job runs.
    turn: Arc<Semaphore>,
}

/// The right to do one job, until it is dropped.
pub(crate) struct Permit {
    _running: OwnedSemaphorePermit,
    _turn: OwnedSemaphorePermit,
    _job: Job,
}

/// A place in the queue, waiting or running.
struct Job {
    person: String,
    jobs: Arc<Mutex<Jobs>>,
}

impl Queue {
    pub(crate) fn new(limits: QueueLimits) -> Self {
        Self { running: semaphore(limits.at_once), limits: Arc::new(limits), jobs: Arc::default() }
    }

    /// Waits for the turn of a job of this person. Dropping the future gives the place up.
    ///
    /// # Errors
    /// When too many wait already, or the turn does not come in time.
    pub(crate) async fn enter(&self, requester: &Requester) -> Result<Permit, QueueFull> {
        let (job, turn) = self.wait(requester.person.clone(), requester.manages)?;
        let both = async {
            let turn = turn.acquire_owned().await.ok()?;
            let running = Arc::clone(&self.running).acquire_owned().await.ok()?;
            Some(Permit { _running: running, _turn: turn, _job: job })
        };
        match tokio::time::timeout(self.limits.wait, both).await {
            Ok(Some(permit)) => Ok(permit),
            Ok(None) | Err(_) => Err(QueueFull::Others),
        }
    }

    fn wait(&self, person: String, manages: bool) -> Result<(Job, Arc<Semaphore>), QueueFull> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let own = jobs.by_person.get(&person).map_or(0, |person| person.jobs);
        if own >= self.limits.per_person.max(1) {
            return Err(QueueFull::Own(own));
        }
        // Guests, however many, leave room for those who lead.
        let waiting = self.limits.waiting.saturating_mul(if manages { 2 } else { 1 });
        if jobs.all >= self.limits.at_once.max(1).saturating_add(waiting) {
            return Err(QueueFull::Others);
        }
        jobs.all += 1;
        let turns = self.limits.person_at_once;
        let entry = jobs
            .by_person
            .entry(person.clone())
            .or_insert_with(|| Person { jobs: 0, turn: semaphore(turns) });
        entry.jobs += 1;
        let turn = Arc::clone(&entry.turn);
        Ok((Job { person, jobs: Arc::clone(&self.jobs) }, turn))
    }

    /// The number of jobs, waiting or running.
    #[cfg(test)]
    pub(crate) fn jobs(&self) -> u32 {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// The number of people with jobs.
    #[cfg(test)]
    pub(crate) fn people(&self) -> usize {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).by_person.len()
    }
}

fn semaphore(places: u32) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(usize::try_from(places.max(1)).unwrap_or(1)))
}

impl Drop for Job {
    fn drop(&mut self) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.all = jobs.all.saturating_sub(1);
        if let Some(person) = jobs.by_person.get_mut(&self.person) {
            person.jobs = person.jobs.saturating_sub(1);
            if person.jobs == 0 {
                jobs.by_person.remove(&self.person);
            }
        }
    }
}
