//! A thread that wakes the writer to index new events.
//!
//! It lets appends gather for a moment, then queues one indexing step behind all other requests to the
//! writer. While others wait for the writer it asks more rarely, so that indexing takes at most a fifth of
//! the writer's time.

use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How long appends gather before they are indexed.
const GATHER: Duration = Duration::from_millis(200);
/// How many times as long as a step the other requests have, when there are any.
const OTHERS: u32 = 4;
/// The longest time between two steps, however slow the disk is.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The writer's end: says when there is something to index. The thread ends when it is dropped.
pub(crate) struct Follower {
    wake: mpsc::Sender<Duration>,
    /// Whether a step is already queued.
    asked: bool,
}

impl Follower {
    /// Starts the thread, which asks for the first step at once. `ask` says whether there is still a writer to do it.
    pub(crate) fn start(ask: impl Fn() -> bool + Send + 'static) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (wake, woken) = mpsc::channel::<Duration>();
        let thread = std::thread::Builder::new().name("quorate-search".to_owned()).spawn(move || {
            while let Ok(pause) = woken.recv() {
                // The wait ends early when the writer is gone; no other message is sent while a step is
                // queued.
                if let Err(mpsc::RecvTimeoutError::Disconnected) = woken.recv_timeout(pause) {
                    return;
                }
                if !ask() {
                    return;
                }
            }
        })?;
        let mut follower = Self { wake, asked: false };
        follower.ask(Duration::ZERO);
        Ok((follower, thread))
    }

    /// Notes that an event was appended.
    pub(crate) fn appended(&mut self) {
        self.ask(GATHER);
    }

    /// A step was made that took so long; there may be `more`, and others may wait.
    pub(crate) fn stepped(&mut self, took: Duration, more: bool, others_wait: bool) {
        self.asked = false;
        if more {
            self.ask(if others_wait { (took * OTHERS).min(TIMEOUT) } else { Duration::ZERO });
        }
    }

    fn ask(&mut self, pause: Duration) {
        if !std::mem::replace(&mut self.asked, true) {
            // A thread that is gone leaves the index behind; the next start makes up for it.
            let _ = self.wake.send(pause);
        }
    }
}
