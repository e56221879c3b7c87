//! Which meetings there are, and which of them go on after a start.

use quorate_core::{MeetingId, Moment};
use quorate_store::{
    MeetingFilter, MeetingState, MeetingSummary, Page, StoreError, meetings_cursor, meetings_cursor_moment,
};

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

/// A meeting of a list, and whether it is off the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The meeting as a list shows it.
    pub row: MeetingSummary,
    /// Whether it leaves nothing on the disk.
    pub off_record: bool,
}

/// What came of taking meetings up after a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakenUp {
    /// So many go on.
    pub going: usize,
    /// So many could not be opened; why stands in the program's log.
    pub skipped: usize,
}

/// Where a page ended.
enum After {
    /// At a row of the database: its cursor, and when that row was created.
    Stored(String, Moment),
    /// At a meeting off the record: when it was created, and its id.
    Off(Moment, MeetingId),
}

impl After {
    fn read(cursor: &str) -> Result<Self, StoreError> {
        let Some(place) = cursor.strip_prefix('o') else {
            return Ok(Self::Stored(cursor.to_owned(), meetings_cursor_moment(cursor)?));
        };
        let (digits, id) = place.split_at_checked(16).ok_or(StoreError::BadCursor)?;
        let moment = u64::from_str_radix(digits, 16).map_err(|_| StoreError::BadCursor)?;
        Ok(Self::Off(Moment(moment.cast_signed()), MeetingId::new(id)))
    }

    fn write(&self) -> String {
        match self {
            Self::Stored(cursor, _) => cursor.clone(),
            Self::Off(moment, id) => format!("o{:016x}{id}", moment.0.cast_unsigned()),
        }
    }

    /// Where the database goes on. Of one moment, those off the record come first.
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
        // One more than is shown tells whether there are others; the page of the database knows by itself.
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

    /// The meetings off the record that are wanted, newest first.
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
