//! Which meetings there are, and which of them go on after a start.

use quorate_core::MeetingId;
use quorate_store::{MeetingState, MeetingSummary};

use super::House;
use crate::error::ServiceError;

/// How many rows of the database are read at once.
const PAGE: u32 = 200;

/// Which meetings are wanted, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// How many at the most.
    pub limit: u32,
    /// How many of the newest are left out.
    pub offset: u32,
    /// Only those that stand so; all when empty.
    pub states: Vec<MeetingState>,
}

impl Default for Listing {
    fn default() -> Self {
        Self { limit: 20, offset: 0, states: Vec::new() }
    }
}

/// What came of taking meetings up after a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakenUp {
    /// So many go on.
    pub going: usize,
    /// So many could not be opened; why stands in the program's log.
    pub skipped: usize,
}

impl House {
    /// The meetings that fit, those off the record among them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, listing: &Listing) -> Result<Vec<MeetingSummary>, ServiceError> {
        let wanted = |row: &MeetingSummary| listing.states.is_empty() || listing.states.contains(&row.state);
        let mut off = self.0.journal.summaries().await;
        off.retain(wanted);
        let mut off = off.into_iter().peekable();
        let (mut left_out, limit) = (listing.offset, listing.limit as usize);
        let mut rows = Vec::new();
        let mut add = |row: MeetingSummary| {
            match left_out {
                0 => rows.push(row),
                _ => left_out -= 1,
            }
            rows.len() >= limit
        };
        if limit == 0 {
            return Ok(Vec::new());
        }
        let mut from = 0;
        'pages: loop {
            let page = self.0.store.meetings(PAGE, from).await?;
            let is_last = page.len() < PAGE as usize;
            for row in page.into_iter().filter(wanted) {
                while let Some(newer) = off.next_if(|other| other.created_ms >= row.created_ms) {
                    if add(newer) {
                        break 'pages;
                    }
                }
                if add(row) {
                    break 'pages;
                }
            }
            if is_last {
                off.any(&mut add);
                break;
            }
            from += PAGE;
        }
        Ok(rows)
    }

    /// The meeting whose id begins with `prefix`; `last` is the newest one. One off the record is found by
    /// its whole id.
    ///
    /// # Errors
    /// When no meeting begins like this, or several do.
    pub async fn find(&self, prefix: &str) -> Result<MeetingId, ServiceError> {
        let whole = MeetingId::new(prefix);
        match self.is_off_record(&whole) {
            true => Ok(whole),
            false => Ok(self.0.store.find(prefix).await?),
        }
    }

    /// Goes on with every meeting that was under way when the last process ended, oldest first. Others have
    /// their turn in between.
    ///
    /// # Errors
    /// When the list of meetings cannot be read. A single meeting that cannot be opened is left out.
    pub async fn take_up(&self) -> Result<TakenUp, ServiceError> {
        let under_way = [MeetingState::Discussion, MeetingState::Ballot, MeetingState::Closing];
        let all = Listing { limit: u32::MAX, offset: 0, states: under_way.to_vec() };
        let waiting = self.list(&all).await?;
        let mut taken_up = TakenUp::default();
        for (place, row) in waiting.iter().rev().enumerate() {
            match self.0.engine.open(&row.id).await {
                Ok(_) => taken_up.going += 1,
                Err(error) => {
                    tracing::error!(meeting = %row.id, %error, hint = error.hint(), "a meeting stays where it is");
                    taken_up.skipped += 1;
                }
            }
            if place as u32 % PAGE == PAGE - 1 {
                tokio::task::yield_now().await;
            }
        }
        Ok(taken_up)
    }
}
