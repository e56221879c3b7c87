//! Verification that a database holds what was written to it.

use std::collections::BTreeMap;

use quorate_contract::{Event, Language, MeetingId};
use quorate_core::{Meeting, apply};
use quorate_store::{DatabaseLocation, Progress, Store, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::background::in_background;
use crate::error::ServiceError;
use crate::local::LocalDatabase;
use crate::operation::use_case::UseCase;
use crate::use_cases::App;

/// The result of verifying the whole database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DatabaseReport {
    /// Whether everything is intact.
    pub ok: bool,
    /// The number of meetings that were read.
    pub meetings: u64,
    /// The number of ended meetings.
    pub ended: u64,
    /// The number of events that were read.
    pub events: u64,
    /// The problems; at most the first thousand.
    pub problems: Vec<String>,
    /// The number of problems beyond those listed.
    pub further_problems: u64,
}

/// Reads all of a database and folds every meeting, without changing anything.
///
/// # Errors
/// When it cannot be opened as a database of ours; what is damaged inside is in the report.
pub(crate) fn verify_database(
    location: &DatabaseLocation,
    language: Language,
    progress: impl FnMut(Progress) + Send,
) -> Result<DatabaseReport, StoreError> {
    let mut folded: BTreeMap<MeetingId, Meeting> = BTreeMap::new();
    let mut ended = 0u64;
    let report = quorate_store::verify(location, progress, |event: &Event| {
        // Only the meeting that is being read is kept: they come one after the other.
        if !folded.contains_key(&event.meeting_id) {
            ended += folded.values().filter(|meeting| meeting.is_over()).count() as u64;
            folded.clear();
            let blank = Meeting::blank(event.meeting_id.clone(), event.run_id.clone());
            folded.insert(event.meeting_id.clone(), blank);
        }
        if let Some(meeting) = folded.get_mut(&event.meeting_id) {
            apply(meeting, event);
        }
    })?;
    ended += folded.values().filter(|meeting| meeting.is_over()).count() as u64;
    Ok(DatabaseReport {
        ok: report.is_clean(),
        meetings: report.meetings,
        ended,
        events: report.events,
        problems: report.problems.iter().map(|problem| problem.told().text(language)).collect(),
        further_problems: report.further_problems,
    })
}

impl LocalDatabase {
    /// Reads all of a database and folds every meeting, also while another process writes it.
    ///
    /// # Errors
    /// When it cannot be opened as a database of ours; what is damaged inside is in the report.
    pub async fn verify(
        location: &DatabaseLocation,
        language: Language,
        progress: impl FnMut(Progress) + Send + 'static,
    ) -> Result<DatabaseReport, ServiceError> {
        let whole = location.clone();
        let verifying = in_background(move || Ok(verify_database(&whole, language, progress)?));
        match Store::open_read_only(location) {
            Ok(store) => Self::from(store).perform(UseCase::Verify, None, Value::Null, verifying).await,
            // There is no audit log to write to.
            Err(_) => verifying.await,
        }
    }
}

impl App {
    /// Reads the whole database and folds every meeting, while it is in use.
    ///
    /// # Errors
    /// When the database cannot be read; damage inside it is in the report.
    pub async fn verify(&self, language: Language) -> Result<DatabaseReport, ServiceError> {
        let location = self.store().location().clone();
        in_background(move || Ok(verify_database(&location, language, |_| {})?)).await
    }
}
