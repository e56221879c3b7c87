//! One append, and the groups in which appends are committed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use quorate_contract::MeetingId;
use quorate_engine::{JournalError, Record};
use quorate_messages::{as_said, message};
use tokio::sync::oneshot;

use crate::catalogue;
use crate::chain;
use crate::error::contract_broken;
use crate::meeting_row::{ImmutableColumns, MutableColumns};
use crate::mention_index;
use crate::sql;
use crate::sql::{Connection, ErrorKind};

/// The largest number of appends in one commit, so that the first of them does not wait long.
pub(crate) const GROUP_APPENDS: usize = 256;
/// The largest number of bytes in one commit, unless one append alone has more.
pub(crate) const GROUP_BYTES: usize = 8 << 20;
/// A longer line is refused, since SQLite could not store it and the group would fail with it.
const LINE_BYTES: usize = 256 << 20;
/// Records that want to follow `expected`.
pub(crate) struct Append {
    pub(crate) meeting: MeetingId,
    pub(crate) expected: u64,
    pub(crate) records: Vec<Record>,
    pub(crate) reply: oneshot::Sender<Result<(), JournalError>>,
}

/// A meeting as the last commit left it, or as the open transaction has it.
#[derive(Clone)]
pub(crate) struct MeetingHead {
    pub(crate) key: i64,
    pub(crate) standing: MutableColumns,
    /// Whether the row in the catalogue is behind the log.
    pub(crate) behind: bool,
}

impl Append {
    pub(crate) fn bytes(&self) -> usize {
        self.records.iter().map(|record| record.line.len()).sum()
    }

    /// Checks that the records keep the journal's contract; the stored ones are not read again.
    pub(crate) fn keeps_the_contract(&self) -> Result<(), JournalError> {
        for (record, place) in self.records.iter().zip(1u64..) {
            let event = &record.event;
            if Some(event.seq) != self.expected.checked_add(place) || event.meeting_id != self.meeting {
                return Err(contract_broken(as_said(format!(
                    "event {} of meeting {} was offered as number {} of meeting {}",
                    event.seq,
                    event.meeting_id,
                    self.expected.saturating_add(place),
                    self.meeting,
                ))));
            }
            if record.line.len() > LINE_BYTES {
                return Err(contract_broken(as_said(format!(
                    "event {} of meeting {} has {} bytes; at most {LINE_BYTES} can be stored",
                    event.seq,
                    self.meeting,
                    record.line.len(),
                ))));
            }
        }
        Ok(())
    }
}

/// Writes one append into the open transaction, if it continues its meeting. The outer error
/// spoils the transaction; the inner one has written nothing.
pub(crate) fn insert(
    connection: &Connection,
    known: &mut HashMap<MeetingId, MeetingHead>,
    append: &Append,
) -> sql::Result<Result<(), JournalError>> {
    if let Err(broken) = append.keeps_the_contract() {
        return Ok(Err(broken));
    }
    let conflict = |found| {
        let (meeting, expected) = (append.meeting.clone(), append.expected);
        Ok(Err(JournalError::Conflict { meeting, expected, found }))
    };
    let meeting = match known.entry(append.meeting.clone()) {
        Entry::Occupied(remembered) => remembered.into_mut(),
        Entry::Vacant(unknown) => match catalogue::load(connection, &append.meeting) {
            // An invalid row is a fault of this meeting alone.
            Err(error) if error.kind() == ErrorKind::Value => {
                let (meeting, seq) = (append.meeting.clone(), append.expected);
                let detail = message!("store-row-damaged", %error);
                return Ok(Err(JournalError::Damaged { meeting, seq, detail }));
            }
            Err(error) => return Err(error),
            Ok(Some((key, standing))) => unknown.insert(MeetingHead { key, standing, behind: false }),
            Ok(None) => {
                if append.expected != 0 {
                    return conflict(0);
                }
                let Some(first) = append.records.first() else {
                    return Ok(Ok(()));
                };
                let spec = ImmutableColumns::of(&first.event);
                let standing = MutableColumns::at_the_beginning(&append.meeting);
                let id = &append.meeting;
                let key = catalogue::insert(connection, None, id, &spec, &standing)?;
                unknown.insert(MeetingHead { key, standing, behind: true })
            }
        },
    };
    if meeting.standing.last_seq != append.expected {
        return conflict(meeting.standing.last_seq);
    }
    let mut statement = connection.prepare_cached(
        "INSERT INTO event (meeting, seq, ts_ms, kind, line, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         RETURNING place",
    )?;
    for Record { event, line } in &append.records {
        let hash = chain::next(&meeting.standing.last_hash, line.as_bytes());
        let kind = event.body.kind();
        let values = (meeting.key, event.seq, event.ts_ms.0, kind, &**line, &hash[..]);
        let place = statement.query_row(values, |row| row.get(0))?;
        mention_index::note(connection, meeting.key, place, event)?;
        meeting.standing.apply(event, hash);
    }
    meeting.behind |= !append.records.is_empty();
    Ok(Ok(()))
}
