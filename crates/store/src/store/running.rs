//! The number of meetings that run at once, over all processes that share a database.
//!
//! A meeting that is about to run takes a place first. Whether there is one is decided by one process after the other, so that
//! two of them never take the last one. A place is given back when the meeting runs, and is counted as running, or could not
//! be started; that of a process that is gone is free.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quorate_contract::MeetingId;
use quorate_core::MeetingState;

use crate::error::StoreError;
use crate::postgres::running_places;
use crate::sql::Connection;
use crate::store::{Database, Store};

/// How long a place is kept for a meeting that does not say what became of it.
const KEPT: Duration = Duration::from_secs(60);

/// The places of meetings that are about to run, where one process has the database.
#[derive(Debug, Default)]
pub(crate) struct StartingMeetings(Mutex<HashMap<MeetingId, Instant>>);

impl Store {
    /// Takes a place for a meeting that is about to run, when fewer than `most` others run or are about to. Otherwise the
    /// number of the others is returned.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub async fn take_running_place(
        &self,
        meeting: &MeetingId,
        most: u64,
    ) -> Result<Result<(), u64>, StoreError> {
        let meeting = meeting.clone();
        match self.database() {
            Database::Sqlite(_) => {
                let store = self.clone();
                self.reading(move |connection| store.starting().take(connection, &meeting, most)).await
            }
            Database::Postgres(_) => {
                let taken = self.on_server(move |database| {
                    Ok::<_, StoreError>(Some(running_places::take(database, &meeting, most)?))
                });
                Ok(taken.await?.unwrap_or(Ok(())))
            }
        }
    }

    /// Gives the place back: the meeting runs, or does not.
    ///
    /// # Errors
    /// When the database cannot be written; the place is free after a minute then.
    pub async fn leave_running_place(&self, meeting: &MeetingId) -> Result<(), StoreError> {
        self.starting().leave(meeting);
        let meeting = meeting.clone();
        self.on_server(move |database| running_places::leave(database, &meeting)).await
    }
}

impl StartingMeetings {
    fn take(
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
        let mut others: std::collections::HashSet<String> = running.collect::<Result<_, _>>()?;
        others.extend(starting.keys().map(|id| id.as_str().to_owned()));
        others.remove(meeting.as_str());
        if others.len() as u64 >= most {
            return Ok(Err(others.len() as u64));
        }
        starting.insert(meeting.clone(), Instant::now());
        Ok(Ok(()))
    }

    fn leave(&self, meeting: &MeetingId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(meeting);
    }
}

/// A condition that a row of the catalogue is that of a meeting that runs.
pub(crate) fn is_under_way() -> String {
    let states = MeetingState::ALL.into_iter().filter(|state| state.is_under_way());
    let names: Vec<String> = states.map(|state| format!("'{}'", state.as_str())).collect();
    format!("NOT paused AND phase IN ({})", names.join(", "))
}
