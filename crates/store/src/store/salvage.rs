//! The readable part of a meeting with a damaged event.
//!
//! A fold needs every event before the one that it folds. So a damaged event costs all events after it, and
//! none before it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_contract::{Event, Language, MeetingId, Wording};
use quorate_core::{Meeting, apply};
use quorate_engine::{JournalError, Record};
use quorate_messages::{Message, as_said, message};

use crate::sql::Connection;
use crate::store::Store;
use crate::store::log;
use crate::upcast;

/// The damage of a meeting's log: where it breaks off, and what is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The sequence number of the first unreadable event. All events before it are intact.
    pub event: u64,
    /// What is wrong with the first unreadable event.
    pub detail: Message,
    /// The sequence number of the last event of the meeting, as far as it is known; it is missing, too.
    pub last_seq: u64,
}

impl Damage {
    /// The number of intact events.
    pub fn whole(&self) -> u64 {
        self.event.saturating_sub(1)
    }

    /// The damage in a sentence or two, for a reader of the intact part.
    pub fn told(&self) -> Wording {
        let (event, whole, missing, last) = (self.event, self.whole(), self.missing(), self.last_seq);
        message!("store-salvage-damaged", %event, detail = self.detail.clone(), %missing, %last, %whole)
            .into()
    }

    /// The same in one language.
    pub fn told_in(&self, language: Language) -> String {
        self.told().for_reader(language).to_owned()
    }

    /// The least number of missing events.
    pub fn missing(&self) -> u64 {
        self.last_seq.max(self.event) - self.whole()
    }
}

/// The events of a meeting that can be read.
#[derive(Debug, Clone, Default)]
pub struct Salvaged {
    /// The intact events, from the first one on, without a gap.
    pub records: Vec<Record>,
    /// The stored lines of events that an older version wrote, by number; their records have the line as the present
    /// version writes it.
    pub older: BTreeMap<u64, Box<str>>,
    /// The damage; `None` when the log is complete.
    pub damage: Option<Damage>,
}

impl Salvaged {
    /// Each event with its line as it is stored, which the chain of checksums covers.
    pub fn stored(&self) -> impl Iterator<Item = (&str, &Event)> + Clone {
        self.records.iter().map(|record| {
            let stored = self.older.get(&record.event.seq).map_or(&*record.line, |line| &**line);
            (stored, &*record.event)
        })
    }

    /// The state after the last intact event; `None` when there is none.
    pub fn meeting(&self) -> Option<Meeting> {
        let first = &self.records.first()?.event;
        let mut meeting = Meeting::blank(first.meeting_id.clone(), first.run_id.clone());
        self.records.iter().for_each(|record| apply(&mut meeting, &record.event));
        Some(meeting)
    }
}

impl Store {
    /// The events of a meeting up to the first that cannot be read, and what is wrong with that one.
    ///
    /// # Errors
    /// When there is no such meeting, or the database itself cannot be read.
    pub async fn salvage(&self, meeting: &MeetingId) -> Result<Salvaged, JournalError> {
        let meeting = meeting.clone();
        self.reading(move |connection| salvage(connection, &meeting)).await
    }
}

fn salvage(connection: &Connection, meeting: &MeetingId) -> Result<Salvaged, JournalError> {
    let (mut records, mut older): (Vec<Record>, _) = (Vec::new(), BTreeMap::new());
    let walked = log::walk(connection, meeting, 0, u64::MAX, |seq, stored| {
        let line = upcast::line(stored).map_err(as_said)?;
        let event = Event::from_json(&line).map_err(as_said)?;
        if event.seq != seq || event.meeting_id != *meeting {
            return Err(log::is_event(&event));
        }
        if matches!(line, Cow::Owned(_)) {
            older.insert(seq, stored.into());
        }
        records.push(Record { event: Arc::new(event), line: (&*line).into() });
        Ok(())
    });
    let damage = match walked {
        Ok(()) => None,
        Err(JournalError::Damaged { seq, detail, .. }) => {
            // Both may be what is damaged; neither is believed for anything but a number to tell.
            let known = connection.query_row(
                "SELECT last_seq, coalesce((SELECT max(seq) FROM event WHERE meeting = key), 0)
                 FROM meeting WHERE id = ?1",
                [meeting.as_str()],
                |row| Ok(row.get::<_, i64>(0)?.max(row.get(1)?)),
            );
            let last_seq = known.ok().and_then(|last| u64::try_from(last).ok()).unwrap_or(seq);
            // The missing part may be the end that the catalogue knows of: then no event is damaged.
            let event = seq.min(records.len() as u64 + 1).max(1);
            Some(Damage { event, detail, last_seq: last_seq.max(event) })
        }
        Err(other) => return Err(other),
    };
    Ok(Salvaged { records, older, damage })
}
