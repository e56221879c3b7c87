//! The supervisor: restarts a failed loop from the log after a backoff, or quarantines its meeting.

use std::sync::Arc;

use tokio::time::sleep;

use crate::engine::Shared;
use crate::error::EngineError;
use crate::failing_loops::{AfterFailure, Failure};
use crate::loading::enter;
use crate::registry::Registered;
use crate::stored_fault::Fault;

/// Handles the failure of a meeting's loop. Restarts it until it runs, there is nothing to run, or it is
/// quarantined. Subscribers stay subscribed while the visit lasts.
pub(crate) async fn failed(shared: Arc<Shared>, visit: Registered, mut failure: Failure) {
    let registration = Arc::clone(&visit.registration);
    loop {
        let pause = match shared.faults.note(&registration.id, &failure, shared.clock.now()) {
            AfterFailure::Again(pause) => pause,
            AfterFailure::Quarantined(fault) => return quarantine(&shared, &visit, fault).await,
            AfterFailure::Ended => {
                shared.registry.remove(&registration);
                return registration.subscribers.close();
            }
        };
        let again_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        tracing::error!(meeting = %registration.id, ?failure, again_ms, "a meeting's loop has failed; it is begun again");
        if let Failure::Error(error) = &failure {
            registration.subscribers.warn(error.clone());
        }
        sleep(pause).await;
        if registration.is_removed() || shared.closing.get().is_some() {
            return; // it was let go meanwhile, or the engine ends
        }
        shared.counters.restarted();
        match enter(&shared, &visit).await {
            Ok(_) => return,
            // It was quarantined by another attempt at the same time, or just now.
            Err(_) if shared.faults.of(&registration.id).is_some() => return,
            Err(error) => failure = Failure::Error(error),
        }
    }
}

/// Quarantines a meeting: notifies subscribers and the log, and stores the fault beside the meeting's own
/// log, so that other processes and the next start know.
pub(crate) async fn quarantine(shared: &Shared, visit: &Registered, fault: Box<Fault>) {
    let id = &visit.registration.id;
    let (kind, failures) = (fault.kind.as_str(), fault.failures);
    tracing::error!(
        meeting = %id, kind, failures, detail = fault.detail.text(quorate_messages::Language::En), hint = fault.kind.hint(),
        "a meeting is quarantined; the others go on"
    );
    visit.registration.subscribers.warn(EngineError::Quarantined(fault.clone()));
    if let Err(error) = shared.journal.keep_fault(id.clone(), Some(*fault)).await {
        tracing::warn!(meeting = %id, %error, "that a meeting is quarantined could not be written down");
    }
}
