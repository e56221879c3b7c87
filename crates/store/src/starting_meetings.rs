//! Meetings that are about to run, where one process has the database, and which rows of the catalogue are those of meetings
//! that run.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quorate_contract::MeetingId;
use quorate_core::MeetingState;

use crate::error::StoreError;
use crate::sql::Connection;

/// How long a place is kept for a meeting that does not say what became of it.
const KEPT: Duration = Duration::from_secs(60);

/// The places of meetings that are about to run, where one process has the database.
#[derive(Debug, Default)]
pub(crate) struct StartingMeetings(Mutex<HashMap<MeetingId, Instant>>);

impl StartingMeetings {
    /// Takes a place, or says how many others have one.
    pub(crate) fn take(
        &self,
        connection: &Connection,
        meeting: &MeetingId,
        most: u64,
    ) -> Result<Result<(), u64>, StoreError> {
        let mut starting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        starting.retain(|_, since| since.elapsed() < KEPT);
        let mut select =
            connection.prepare_cached(&format!("SELECT id FROM meeting WHERE {}", is_under_way()))?;
        let running = select.query_map([], |row| row.get::<_, String>(0))?;
        let mut others: HashSet<String> = running.collect::<Result<_, _>>()?;
        others.extend(starting.keys().map(|id| id.as_str().to_owned()));
        others.remove(meeting.as_str());
        if others.len() as u64 >= most {
            return Ok(Err(others.len() as u64));
        }
        starting.insert(meeting.clone(), Instant::now());
        Ok(Ok(()))
    }

    /// Gives a place back.
    pub(crate) fn leave(&self, meeting: &MeetingId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(meeting);
    }
}

/// A condition that a row of the catalogue is that of a meeting that runs.
pub(crate) fn is_under_way() -> String {
    let states = MeetingState::ALL.into_iter().filter(|state| state.is_under_way());
    let names: Vec<String> = states.map(|state| format!("'{}'", state.as_str())).collect();
    format!("NOT paused AND phase IN ({})", names.join(", "))
}
