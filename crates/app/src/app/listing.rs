//! Lists of meetings, and the meetings that are resumed after a start.

use quorate_contract::{MeetingId, Timestamp};
use quorate_core::is_owed_something;
use quorate_engine::{EngineError, FaultKind, Journal};
use quorate_store::{
    MeetingFilter, MeetingState, MeetingSummary, Page, StoreError, meetings_cursor, meetings_cursor_moment,
};

use super::App;
use crate::error::ServiceError;

/// The number of rows that are read from the database at once.
const PAGE: u32 = 200;

/// The filter and the page of a list of meetings, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The largest number of meetings.
    pub limit: u32,
    /// The number of newest meetings to skip.
    pub offset: u32,
    /// The states to include; all when empty.
    pub states: Vec<MeetingState>,
}

impl Default for Listing {
    fn default() -> Self {
        Self { limit: 20, offset: 0, states: Vec::new() }
    }
}

/// A meeting of a list, and whether it is off the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The meeting as a list shows it.
    pub row: MeetingSummary,
    /// Whether the meeting is off the record.
    pub off_record: bool,
}

/// The result of resuming meetings after a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakenUp {
    /// The number of meetings that continue.
    pub going: usize,
    /// The number of meetings that could not be opened yet. The program's log says why. They are tried again
    /// or quarantined.
    pub skipped: usize,
    /// The number of meetings that stay in quarantine because the next attempt would cost too much.
    pub quarantined: usize,
}

/// The position at which a page ended.
enum After {
    /// At a row of the database: its cursor, and when that row was created.
    Stored(String, Timestamp),
    /// At a meeting off the record: when it was created, and its id.
    Off(Timestamp, MeetingId),
}

impl After {
    fn read(cursor: &str) -> Result<Self, StoreError> {
        let Some(place) = cursor.strip_prefix('o') else {
            return Ok(Self::Stored(cursor.to_owned(), meetings_cursor_moment(cursor)?));
        };
        let (digits, id) = place.split_at_checked(16).ok_or(StoreError::BadCursor)?;
        let moment = u64::from_str_radix(digits, 16).map_err(|_| StoreError::BadCursor)?;
        Ok(Self::Off(Timestamp(moment.cast_signed()), MeetingId::new(id)))
    }

    fn write(&self) -> String {
        match self {
            Self::Stored(cursor, _) => cursor.clone(),
            Self::Off(moment, id) => format!("o{:016x}{id}", moment.0.cast_unsigned()),
        }
    }

    /// The cursor for the database. Of meetings with equal times, those off the record come first.
    fn in_database(&self) -> String {
        match self {
            Self::Stored(cursor, _) => cursor.clone(),
            Self::Off(moment, _) => meetings_cursor(*moment),
        }
    }

    /// Whether a meeting off the record is still to come.
    fn leaves(&self, row: &MeetingSummary) -> bool {
        match self {
            Self::Stored(_, moment) => row.created_ms < *moment,
            Self::Off(moment, id) => (row.created_ms, row.id.as_str()) < (*moment, id.as_str()),
        }
    }
}

impl App {
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

    /// A page of the meetings that `filter` asks for, newest first, those off the record among them. `cursor` is
    /// what the page before ended with. Meetings that come or go meanwhile do not move the others.
    ///
    /// # Errors
    /// When the cursor is none of this list, or the database cannot be read.
    pub async fn page(
        &self,
        filter: MeetingFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<Listed>, ServiceError> {
        let limit = limit.max(1) as usize;
        let after = cursor.map(After::read).transpose()?;
        let mut off = self.off_record(&filter).await?;
        off.retain(|row| after.as_ref().is_none_or(|after| after.leaves(row)));
        let stored = after.as_ref().map(After::in_database);
        // One more than is shown tells whether there are others; the database reports that by itself.
        let page = self.0.store.meetings_page(filter, stored.as_deref(), limit as u32).await?;
        let more_stored = page.next.is_some();
        let mut stored = page.items.into_iter().peekable();
        let mut off = off.into_iter().peekable();
        let mut items: Vec<Listed> = Vec::new();
        while items.len() < limit {
            // Of one moment, those off the record come first.
            let is_off = match (off.peek(), stored.peek()) {
                (Some(off), Some(stored)) => off.created_ms >= stored.created_ms,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let row = if is_off { off.next() } else { stored.next() };
            items.extend(row.map(|row| Listed { row, off_record: is_off }));
        }
        let more = off.peek().is_some() || stored.peek().is_some() || more_stored;
        let next = match items.last().filter(|_| more) {
            None => None,
            Some(Listed { row, off_record: true }) => {
                Some(After::Off(row.created_ms, row.id.clone()).write())
            }
            Some(Listed { .. }) if stored.peek().is_none() && more_stored => page.next,
            Some(Listed { row, off_record: false }) => Some(self.0.store.meetings_cursor_at(row).await?),
        };
        Ok(Page { items, next })
    }

    /// The matching meetings off the record, newest first.
    async fn off_record(&self, filter: &MeetingFilter) -> Result<Vec<MeetingSummary>, ServiceError> {
        let mut wanted = Vec::new();
        for row in self.0.journal.summaries().await {
            let locked = self.0.journal.password_hash(&row.id).await?.is_some();
            if filter.fits(&row, locked) {
                wanted.push(row);
            }
        }
        Ok(wanted)
    }

    /// The meeting whose id begins with `prefix`; `last` is the newest one. A meeting off the record is found
    /// only by its complete id.
    ///
    /// # Errors
    /// When no meeting matches, or several do.
    pub async fn find(&self, prefix: &str) -> Result<MeetingId, ServiceError> {
        let whole = MeetingId::new(prefix);
        match self.is_off_record(&whole) {
            true => Ok(whole),
            false => Ok(self.0.store.find(prefix).await?),
        }
    }

    /// Resumes every meeting that was running when the last process ended, oldest first, then paused meetings
    /// with an unfinished task. Other work has its turn in between. Quarantined meetings are tried once more,
    /// except after a computation that took too long: such a meeting waits until a person resumes it.
    ///
    /// # Errors
    /// When the list of meetings cannot be read. A single meeting that cannot be opened is tried again later.
    pub async fn take_up(&self) -> Result<TakenUp, ServiceError> {
        let mut taken_up = TakenUp { quarantined: self.recall_faults().await, ..TakenUp::default() };
        let under_way: Vec<_> = MeetingState::ALL.into_iter().filter(|state| state.is_under_way()).collect();
        for (states, all) in [(under_way.as_slice(), true), (&[MeetingState::Paused], false)] {
            let listing = Listing { limit: u32::MAX, offset: 0, states: states.to_vec() };
            for (place, row) in self.list(&listing).await?.iter().rev().enumerate() {
                if all || self.is_owed_something(&row.id).await {
                    self.take_up_one(&row.id, &mut taken_up).await;
                }
                if place as u32 % PAGE == PAGE - 1 {
                    tokio::task::yield_now().await;
                }
            }
        }
        Ok(taken_up)
    }

    async fn take_up_one(&self, id: &MeetingId, taken_up: &mut TakenUp) {
        match self.0.engine.take_up(id).await {
            Ok(()) => taken_up.going += 1,
            Err(EngineError::Quarantined(_)) => {}
            Err(error) => {
                tracing::error!(meeting = %id, %error, hint = error.hint(), "a meeting does not go on yet");
                taken_up.skipped += 1;
            }
        }
    }

    /// Whether a paused meeting has an unfinished task. A meeting that cannot be read counts as one, so that
    /// its fault is recorded.
    async fn is_owed_something(&self, id: &MeetingId) -> bool {
        self.0.engine.load(id).await.is_ok_and(|meeting| is_owed_something(&meeting))
    }

    /// Recalls which meetings were in quarantine when the last process ended. Gives how many stay there.
    async fn recall_faults(&self) -> usize {
        let faults = self.0.store.faults().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "which meetings were quarantined cannot be read");
            Vec::new()
        });
        let mut stay = 0;
        for (id, fault) in faults {
            if fault.kind == FaultKind::TooLong {
                tracing::warn!(meeting = %id, hint = fault.kind.hint(), "a meeting stays quarantined");
                self.0.engine.leave_quarantined(&id, fault);
                stay += 1;
            } else if let Err(error) = self.0.store.keep_fault(id.clone(), None).await {
                tracing::warn!(meeting = %id, %error, "that a meeting is tried again could not be written down");
            }
        }
        stay
    }

    /// The meetings that run no more because they failed again and again, and why.
    pub fn quarantined(&self) -> Vec<(MeetingId, quorate_engine::Fault)> {
        self.0.engine.quarantined()
    }
}
