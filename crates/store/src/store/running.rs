//! The number of meetings that run at once, in all and of each account, over all processes that share a database.
//!
//! A meeting that is about to run takes a place first. Whether there is one is decided by one process after the other, so that
//! two of them never take the last one. A place is given back when the meeting runs, and is counted as running, or could not
//! be started; that of a process that is gone is free.

use quorate_contract::MeetingId;

use crate::error::StoreError;
use crate::postgres::running_places;
use crate::starting_meetings::{NoRunningPlace, RunningLimits};
use crate::store::{Database, Store};

impl Store {
    /// Takes a place for a meeting that is about to run, when few enough others run or are about to. A meeting counts for
    /// the account that created it.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub async fn take_running_place(
        &self,
        meeting: &MeetingId,
        limits: RunningLimits,
    ) -> Result<Result<(), NoRunningPlace>, StoreError> {
        let meeting = meeting.clone();
        match self.database() {
            Database::Sqlite(_) => {
                let store = self.clone();
                self.reading(move |connection| store.starting().take(connection, &meeting, limits)).await
            }
            Database::Postgres(_) => {
                let taken = self.on_server(move |database| {
                    Ok::<_, StoreError>(Some(running_places::take(database, &meeting, limits)?))
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
