//! A meeting as it stood after one of its events.

use quorate_contract::MeetingId;
use quorate_core::{Meeting, apply};
use quorate_engine::{JournalError, Record, Resumed};

use super::App;
use super::damage::is_damage;
use crate::background::in_background;
use crate::error::ServiceError;

/// The error of a meeting that cannot be resumed.
struct ResumeError {
    error: ServiceError,
    is_damage: bool,
}

impl App {
    /// The state of a meeting after event `at`; the present state when its log is shorter. Only events up to
    /// there are read, starting at a snapshot if there is one.
    ///
    /// # Errors
    /// When the meeting does not exist, or its log cannot be read.
    pub async fn load_at(&self, id: &MeetingId, at: u64) -> Result<Meeting, ServiceError> {
        // Limits the number of complete logs in memory.
        let _one_of_few = self.0.log_reads.acquire().await;
        let (snapshot, mut records) = match self.resume_at(id, at).await {
            Ok(resumed) => resumed,
            Err(ResumeError { error, is_damage }) => {
                let salvaged = self.salvaged(id, error, is_damage).await?;
                return self.salvaged_at(salvaged, at).await;
            }
        };
        let taken_up = match snapshot {
            None => None,
            Some(snapshot) => {
                let own = id.clone();
                let meeting = in_background(move || Ok(snapshot.meeting(&own))).await?;
                if meeting.is_none() {
                    records = self.0.store.records_up_to(id, at).await?;
                }
                meeting
            }
        };
        let (id, first) = (id.clone(), records.first().map(|record| record.event.run_id.clone()));
        let mut meeting = match (taken_up, first) {
            (Some(meeting), _) => meeting,
            (None, Some(run)) => Meeting::blank(id, run),
            (None, None) => return Err(JournalError::NoSuchMeeting(id).into()),
        };
        in_background(move || {
            records.iter().for_each(|record| apply(&mut meeting, &record.event));
            Ok(meeting)
        })
        .await
    }

    async fn resume_at(&self, id: &MeetingId, at: u64) -> Result<Resumed, ResumeError> {
        if !self.is_off_record(id) {
            return self
                .0
                .store
                .resume_at(id, at)
                .await
                .map_err(|error| ResumeError { is_damage: is_damage(&error), error: error.into() });
        }
        let records = self.records(id, 0).await.map_err(|error| ResumeError { error, is_damage: false })?;
        let before = |record: &Record| record.event.seq <= at;
        Ok((None, records.into_iter().take_while(before).collect()))
    }
}
