//! Lists of meetings.

use quorate_contract::{MeetingId, Timestamp};
use quorate_core::MeetingState;
use quorate_store::{
    MeetingFilter, MeetingSummary, Page, StoreError, meetings_cursor, meetings_cursor_moment,
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
}
