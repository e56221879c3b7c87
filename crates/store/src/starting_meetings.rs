//! How many meetings may run at once, those that are about to run where one process has the database, and which rows of the
//! catalogue are those of meetings that run.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quorate_contract::MeetingId;
use quorate_core::MeetingState;

use crate::error::StoreError;
use crate::sql::{Connection, OptionalExtension};

/// How long a place is kept for a meeting that does not say what became of it.
const KEPT: Duration = Duration::from_secs(60);

/// How many meetings may run at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunningLimits {
    /// Of all accounts together; any number when `None`.
    pub all: Option<u64>,
    /// Of those that one account has created; any number when `None`.
    pub per_account: Option<u64>,
}

/// Why a meeting cannot begin to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRunningPlace {
    /// As many run as may.
    All {
        /// How many others run, or are about to.
        running: u64,
    },
    /// As many of its creator's run as may.
    OfAccount {
        /// The account that created it.
        account: String,
        /// How many others of this account run, or are about to.
        running: u64,
    },
}

impl RunningLimits {
    /// Whether one more may run, beside so many in all and so many of its creator.
    pub(crate) fn check(self, others: u64, creator: Option<&str>, same: u64) -> Result<(), NoRunningPlace> {
        if self.all.is_some_and(|most| others >= most) {
            return Err(NoRunningPlace::All { running: others });
        }
        match creator {
            Some(account) if self.per_account.is_some_and(|most| same >= most) => {
                Err(NoRunningPlace::OfAccount { account: account.to_owned(), running: same })
            }
            _ => Ok(()),
        }
    }
}

/// The places of meetings that are about to run, where one process has the database: since when, and who created each.
#[derive(Debug, Default)]
pub(crate) struct StartingMeetings(Mutex<HashMap<MeetingId, (Instant, Option<String>)>>);

impl StartingMeetings {
    /// Takes a place, or says why there is none.
    pub(crate) fn take(
        &self,
        connection: &Connection,
        meeting: &MeetingId,
        limits: RunningLimits,
    ) -> Result<Result<(), NoRunningPlace>, StoreError> {
        let mut starting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        starting.retain(|_, (since, _)| since.elapsed() < KEPT);
        let creator = creator_of(connection, meeting)?;
        let mut select = connection
            .prepare_cached(&format!("SELECT id, created_by FROM meeting WHERE {}", is_under_way()))?;
        let running = select.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
        let mut others: HashMap<String, Option<String>> = running.collect::<Result<_, _>>()?;
        others.extend(starting.iter().map(|(id, (_, by))| (id.as_str().to_owned(), by.clone())));
        others.remove(meeting.as_str());
        let same = others.values().filter(|by| by.is_some() && **by == creator).count();
        if let Err(none) = limits.check(others.len() as u64, creator.as_deref(), same as u64) {
            return Ok(Err(none));
        }
        starting.insert(meeting.clone(), (Instant::now(), creator));
        Ok(Ok(()))
    }

    /// Gives a place back.
    pub(crate) fn leave(&self, meeting: &MeetingId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(meeting);
    }
}

/// Who created a meeting; `None` when that is not known.
pub(crate) fn creator_of(connection: &Connection, meeting: &MeetingId) -> crate::sql::Result<Option<String>> {
    let mut select = connection.prepare_cached("SELECT created_by FROM meeting WHERE id = ?1")?;
    Ok(select.query_row([meeting.as_str()], |row| row.get(0)).optional()?.flatten())
}

/// A condition that a row of the catalogue is that of a meeting that runs.
pub(crate) fn is_under_way() -> String {
    let states = MeetingState::ALL.into_iter().filter(|state| state.is_under_way());
    let names: Vec<String> = states.map(|state| format!("'{}'", state.as_str())).collect();
    format!("NOT paused AND phase IN ({})", names.join(", "))
}
