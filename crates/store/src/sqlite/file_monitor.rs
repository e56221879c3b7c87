//! The thread that looks after the file of a database.
//!
//! It checks once a second whether the file is still the one that was opened, which SQLite does not do, and has the
//! writer retry while there is a fault and take over what other processes have left for the audit log. So the end of a
//! fault is noticed also when there are no requests.

use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use quorate_engine::Recovery;
use tokio::sync::mpsc as queue;

use super::writer::Job;
use crate::audit_spool;
use crate::health::Health;

/// The interval of the check, and of retries while there is a fault.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The thread that looks. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct FileMonitor {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl FileMonitor {
    /// Starts the thread.
    pub(crate) fn start(health: Health, jobs: queue::WeakSender<Job>) -> std::io::Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::Builder::new().name("quorate-storage".to_owned()).spawn(move || {
            let mut seen = 0;
            while let Err(mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(LOOK_EVERY) {
                if let Err(error) = health.still_there() {
                    health.failed(&error);
                    continue;
                }
                // What could not be taken over is tried again when there is more of it, or the database is well again.
                let waiting = audit_spool::waiting(health.path());
                if waiting > 0 && waiting != seen && health.trouble().is_none() {
                    let Some(jobs) = jobs.upgrade() else { return };
                    let _ = jobs.try_send(Job::Audit);
                }
                seen = if health.trouble().is_none() { waiting } else { 0 };
                let mends = |error: quorate_engine::JournalError| error.recovery() != Recovery::Never;
                if health.trouble().is_some_and(mends) {
                    let Some(jobs) = jobs.upgrade() else { return };
                    // A queue that is full has others who find out.
                    let _ = jobs.try_send(Job::Probe);
                }
            }
        })?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for FileMonitor {
    fn drop(&mut self) {
        self.stop = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
