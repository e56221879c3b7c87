//! Meetings of which an event is damaged: what comes before it can be read, and nothing is written to them any more.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use quorate_contract::{CONTRACT_VERSION, Language, MeetingId};
use quorate_core::{Meeting, STATE_FORMAT, apply};
use quorate_engine::{Fault, FaultKind, JournalError};
use quorate_store::{Damage, Salvaged};
use quorate_views::{DiagnosticFault, DiagnosticReport, DiagnosticVersions};

use super::App;
use crate::background::in_background;
use crate::error::ServiceError;

/// The largest number of damaged meetings that are remembered.
const REMEMBERED: usize = 10_000;

/// The meetings that were found damaged since the start.
#[derive(Default)]
pub(super) struct Damaged(Mutex<BTreeMap<MeetingId, Damage>>);

impl Damaged {
    pub(super) fn of(&self, id: &MeetingId) -> Option<Damage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    fn remember(&self, id: &MeetingId, damage: Option<&Damage>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match damage {
            Some(damage) if known.len() < REMEMBERED || known.contains_key(id) => {
                if known.insert(id.clone(), damage.clone()).is_none() {
                    tracing::error!(
                        meeting = id.as_str(),
                        event = damage.event,
                        detail = damage.detail.text(Language::En),
                        "a meeting is damaged; what comes before can still be read"
                    );
                }
            }
            Some(_) => {}
            None => drop(known.remove(id)),
        }
    }
}

impl App {
    /// The place where the log of a damaged meeting breaks off.
    pub fn damage(&self, id: &MeetingId) -> Option<Damage> {
        self.0.damaged.of(id)
    }

    /// The intact part of a meeting that cannot be read because of `error`. Returns the same error when no
    /// part is intact, or when the error has another cause.
    pub(super) async fn salvaged(
        &self,
        id: &MeetingId,
        error: impl Into<ServiceError>,
        is_damage: bool,
    ) -> Result<Salvaged, ServiceError> {
        if !is_damage || self.is_off_record(id) {
            return Err(error.into());
        }
        let salvaged = self.0.store.salvage(id).await?;
        self.0.damaged.remember(id, salvaged.damage.as_ref());
        match salvaged.records.is_empty() {
            true => Err(error.into()),
            false => Ok(salvaged),
        }
    }

    /// The shape of a meeting's log, without its content.
    ///
    /// # Errors
    /// When there is no such meeting, or its log cannot be read.
    pub async fn diagnostics(&self, id: &MeetingId) -> Result<DiagnosticReport, ServiceError> {
        let (log, fault) = (self.stored_log(id).await?, self.fault(id));
        let id = id.clone();
        in_background(move || Ok(diagnostic_report(id, &log, fault.as_ref()))).await
    }

    /// The state after the last intact event up to `at`.
    pub(super) async fn salvaged_at(&self, salvaged: Salvaged, at: u64) -> Result<Meeting, ServiceError> {
        in_background(move || {
            let first = salvaged.records.first().map(|record| &record.event);
            let first = first.ok_or_else(|| JournalError::NoSuchMeeting(MeetingId::new("")))?;
            let mut meeting = Meeting::blank(first.meeting_id.clone(), first.run_id.clone());
            let until = salvaged.records.iter().take_while(|record| record.event.seq <= at);
            until.for_each(|record| apply(&mut meeting, &record.event));
            Ok(meeting)
        })
        .await
    }
}

/// The shape of a log, and why its meeting is quarantined.
pub fn diagnostic_report(id: MeetingId, log: &Salvaged, fault: Option<&Fault>) -> DiagnosticReport {
    let fault = fault.map(|fault| {
        let field = |name: &str| fault.detail.field(name).map(str::to_owned);
        let event = field("seq").zip(field("event")).map(|(seq, event)| format!("{seq} {event}"));
        DiagnosticFault {
            kind: fault.kind.as_str(),
            failures: fault.failures,
            failed_at: fault.since,
            code: fault.detail.id().to_owned(),
            invariant: field("invariant"),
            event: event.filter(|_| fault.kind == FaultKind::Invariant),
        }
    });
    let damaged_at = log.damage.as_ref().map(|damage| damage.event);
    let lines = log.records.iter().map(|record| record.line.as_ref());
    let versions = DiagnosticVersions {
        quorate: env!("CARGO_PKG_VERSION"),
        contract: CONTRACT_VERSION,
        state_format: STATE_FORMAT,
        system: std::env::consts::OS,
        processor: std::env::consts::ARCH,
    };
    DiagnosticReport::of(id, lines, damaged_at, fault, versions)
}

/// Whether an error says that an event is damaged.
pub(super) fn is_damage(error: &JournalError) -> bool {
    matches!(error, JournalError::Damaged { .. })
}
