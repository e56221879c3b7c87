//! Failures of meeting loops: how often each has failed, and which are in backoff or quarantine.
//!
//! A loop that ends with an error or a panic is restarted from the log, with exponential backoff. A loop that
//! fails repeatedly, or for a reason that no retry mends, is quarantined: it is restarted only on request, or
//! when the process starts again. All other meetings go on.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use quorate_contract::{MeetingId, Timestamp};
use quorate_messages::{Message, as_said, message};
use tokio::time::Instant;

use crate::error::EngineError;
use crate::ports::{JournalError, Recovery};
use crate::stored_fault::{Fault, FaultKind};

/// The number of failures within [`WINDOW`] that leads to quarantine.
const FAILURES_MAX: u32 = 3;
/// The number of conflicting appends that leads to quarantine. A write that failed but was stored all the
/// same looks like a conflict, too, and reading the log mends it.
const CONFLICTS_MAX: u32 = 10;
/// For how long a failure counts.
const WINDOW: Duration = Duration::from_secs(300);
/// The backoff after the first failure; it is multiplied by four after each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest such pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The backoff while the storage cannot be read.
const STORAGE_PAUSE: Duration = Duration::from_secs(2);

/// The failure that ended a loop.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The storage did not give or take what it has to.
    Error(EngineError),
    /// A computation broke down, and said this.
    Panic(String),
}

impl Failure {
    /// The failure behind a panic.
    pub(crate) fn panic(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self::Panic(text.unwrap_or_default())
    }

    /// The kind of fault; `None` where there is nothing left to run, or nothing to be done about it here.
    fn kind(&self) -> Option<FaultKind> {
        Some(match self {
            Self::Panic(_) => FaultKind::Panicked,
            Self::Error(EngineError::Journal(error)) => match error {
                // Another process runs it.
                JournalError::Elsewhere { .. } | JournalError::NoSuchMeeting(_) => return None,
                JournalError::Conflict { .. } => FaultKind::Contended,
                JournalError::Damaged { .. } => FaultKind::Damaged,
                JournalError::Unavailable { fault, .. } => match fault {
                    crate::ports::StorageFault::Corrupt => FaultKind::Damaged,
                    _ => FaultKind::Storage,
                },
            },
            Self::Error(EngineError::Broken(kind, _)) => *kind,
            Self::Error(EngineError::Refused(_) | EngineError::Gone | EngineError::Quarantined(_)) => {
                return None;
            }
        })
    }

    /// Whether the storage recovers by itself, or once a person has repaired it.
    fn is_passing(&self) -> bool {
        matches!(self, Self::Error(EngineError::Journal(error)) if error.recovery() != Recovery::Never)
    }

    /// What is known of it beside its kind, in the words of whoever said it or as a code with fields.
    fn detail(&self) -> Message {
        let detail = match self {
            Self::Panic(text) => as_said(text),
            Self::Error(EngineError::Broken(_, detail)) => detail.clone(),
            Self::Error(EngineError::Journal(error)) => match error {
                JournalError::Conflict { meeting: _, expected, found } => {
                    message!("engine-conflict", %expected, %found)
                }
                JournalError::Unavailable { fault: _, detail } => detail.clone(),
                JournalError::Damaged { meeting: _, seq, detail } => {
                    message!("engine-damaged-event", %seq, detail = detail.clone())
                }
                JournalError::Elsewhere { .. } | JournalError::NoSuchMeeting(_) => as_said(error),
            },
            Self::Error(
                error @ (EngineError::Refused(_) | EngineError::Gone | EngineError::Quarantined(_)),
            ) => as_said(error),
        };
        detail.bounded()
    }
}

/// The consequence of a failure.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AfterFailure {
    /// The loop is restarted after this long.
    Again(Duration),
    /// The meeting is quarantined.
    Quarantined(Box<Fault>),
    /// There is nothing left to run.
    Ended,
}

/// The failures of an engine's meetings. Meetings that never failed take no space here.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<HashMap<MeetingId, History>>);

#[derive(Debug, Default)]
struct History {
    failed_at: Vec<Instant>,
    /// The earliest time of a restart.
    not_before: Option<Instant>,
    quarantined: Option<Box<Fault>>,
}

impl Faults {
    /// A loop has failed, or could not begin.
    pub(crate) fn note(&self, id: &MeetingId, failure: &Failure, now: Timestamp) -> AfterFailure {
        let Some(kind) = failure.kind() else { return AfterFailure::Ended };
        let (mut all, at) = (self.all(), Instant::now());
        all.retain(|_, history| {
            history.failed_at.retain(|failed| at.duration_since(*failed) < WINDOW);
            history.quarantined.is_some() || !history.failed_at.is_empty()
        });
        let history = all.entry(id.clone()).or_default();
        if failure.is_passing() {
            history.not_before = Some(at + STORAGE_PAUSE);
            return AfterFailure::Again(STORAGE_PAUSE);
        }
        history.failed_at.push(at);
        let failures = history.failed_at.len() as u32;
        let most = if kind == FaultKind::Contended { CONFLICTS_MAX } else { FAILURES_MAX };
        if kind.may_pass() && failures < most {
            let pause = FIRST_PAUSE.saturating_mul(4_u32.saturating_pow(failures - 1)).min(LONGEST_PAUSE);
            history.not_before = Some(at + pause);
            return AfterFailure::Again(pause);
        }
        let fault = Box::new(Fault { kind, detail: failure.detail(), failures, since: now });
        history.not_before = None;
        history.quarantined = Some(fault.clone());
        AfterFailure::Quarantined(fault)
    }

    /// Leaves a meeting in the quarantine in which it was when the last process ended.
    pub(crate) fn keep(&self, id: &MeetingId, fault: Fault) {
        self.all().entry(id.clone()).or_default().quarantined = Some(Box::new(fault));
    }

    /// The fault of a quarantined meeting.
    pub(crate) fn of(&self, id: &MeetingId) -> Option<Box<Fault>> {
        self.all().get(id).and_then(|history| history.quarantined.clone())
    }

    /// The earliest time at which a meeting may be restarted.
    pub(crate) fn not_before(&self, id: &MeetingId) -> Option<Instant> {
        self.all().get(id).and_then(|history| history.not_before)
    }

    /// Its failures count no more. Says whether it was in quarantine.
    pub(crate) fn forgive(&self, id: &MeetingId) -> bool {
        self.all().remove(id).is_some_and(|history| history.quarantined.is_some())
    }

    /// The meetings in quarantine.
    pub(crate) fn quarantined(&self) -> Vec<(MeetingId, Fault)> {
        let all = self.all();
        let faults = all.iter().filter_map(|(id, history)| {
            history.quarantined.as_ref().map(|fault| (id.clone(), fault.as_ref().clone()))
        });
        faults.collect()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<MeetingId, History>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::as_said;
    use quorate_core::{BrokenInvariant, Invariant};

    use super::*;
    use crate::ports::StorageFault;

    fn panic() -> Failure {
        Failure::Panic("index out of bounds".to_owned())
    }

    fn journal(error: JournalError) -> Failure {
        Failure::Error(error.into())
    }

    #[tokio::test(start_paused = true)]
    async fn three_failures_in_five_minutes_are_no_accident_and_three_in_an_hour_are() {
        let (faults, id) = (Faults::default(), MeetingId::new("m"));
        for _ in 0..6 {
            assert!(matches!(faults.note(&id, &panic(), Timestamp(0)), AfterFailure::Again(_)));
            tokio::time::sleep(Duration::from_secs(200)).await;
        }
        assert!(faults.of(&id).is_none());
        assert!(
            matches!(faults.note(&id, &panic(), Timestamp(0)), AfterFailure::Again(pause) if pause.as_secs() == 2)
        );
        let AfterFailure::Quarantined(fault) = faults.note(&id, &panic(), Timestamp(7)) else {
            panic!("quarantined")
        };
        assert_eq!((fault.kind, fault.failures, fault.since), (FaultKind::Panicked, 3, Timestamp(7)));
        assert_eq!(faults.quarantined().len(), 1);
        assert!(faults.forgive(&id) && !faults.forgive(&id));
        assert!(matches!(faults.note(&id, &panic(), Timestamp(0)), AfterFailure::Again(_)), "it begins anew");
    }

    #[tokio::test(start_paused = true)]
    async fn what_passes_is_waited_for_and_what_does_not_is_not_repeated() {
        let (faults, id) = (Faults::default(), MeetingId::new("m"));
        let full = || journal(JournalError::Unavailable { fault: StorageFault::Full, detail: as_said("") });
        for _ in 0..20 {
            assert_eq!(faults.note(&id, &full(), Timestamp(0)), AfterFailure::Again(STORAGE_PAUSE));
        }
        let damaged =
            journal(JournalError::Damaged { meeting: id.clone(), seq: 3, detail: as_said("no JSON") });
        assert!(
            matches!(faults.note(&id, &damaged, Timestamp(0)), AfterFailure::Quarantined(fault) if fault.failures == 1)
        );
        // What would be decided wrongly is decided the same way again.
        let (invariant, wrong) = (Invariant::TurnEndsOnce, MeetingId::new("wrong"));
        let broken = BrokenInvariant { invariant, seq: 9, event: "agent_message" };
        let AfterFailure::Quarantined(fault) =
            faults.note(&wrong, &Failure::Error(broken.into()), Timestamp(0))
        else {
            panic!("quarantined")
        };
        assert_eq!((fault.kind, fault.failures), (FaultKind::Invariant, 1));
        assert_eq!(fault.detail.field("invariant"), Some("turn_ends_once"));
        let gone = MeetingId::new("deleted");
        let gone_error = journal(JournalError::NoSuchMeeting(gone.clone()));
        assert_eq!(faults.note(&gone, &gone_error, Timestamp(0)), AfterFailure::Ended);
    }
}
