//! Which meetings have gone over from one process to another, and when.
//!
//! A row is written in the transaction that takes the meeting, where it was another process's before. It is no event of the
//! meeting (docs/decisions/0026).

use quorate_contract::{MeetingId, Timestamp};
use serde::{Deserialize, Serialize};

use super::node::ThisNode;
use crate::sql::{self, Connection};

/// The table, and who gave a meeting up last.
pub(super) const OWNER_CHANGES: &str = r#"
    CREATE TABLE owner_change (
        meeting TEXT COLLATE "C" NOT NULL,
        epoch BIGINT NOT NULL,
        node TEXT COLLATE "C" NOT NULL,
        before TEXT COLLATE "C" NOT NULL,
        changed_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (meeting, epoch)
    );
    CREATE INDEX owner_change_by_age ON owner_change (changed_at);
    ALTER TABLE meeting ADD COLUMN left_by TEXT COLLATE "C";
"#;
/// How long it is known.
const KEPT: &str = "interval '30 days'";

/// A meeting that went over from one process to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnerChange {
    /// The meeting.
    pub meeting: MeetingId,
    /// How often it had been taken by a process, with this time: rises each time.
    pub epoch: u64,
    /// The node that ran it before.
    pub from: String,
    /// The node that has run it since.
    pub to: String,
    /// When, by the clock of the database.
    pub changed_at: Timestamp,
}

/// A meeting that this process has taken.
pub(super) struct TakenMeeting {
    pub(super) id: String,
    pub(super) epoch: i64,
    /// The mark of the process that had it before.
    pub(super) before: Option<String>,
}

/// Notes which of these meetings another process had before, in the caller's transaction. One that is the same process after
/// its lease had passed, or was started again under the same name, is no other one.
pub(super) fn note(connection: &Connection, node: &ThisNode, taken: &[TakenMeeting]) -> sql::Result<()> {
    let Connection::Postgres(postgres) = connection else { return Ok(()) };
    let changed = taken.iter().filter_map(|taken| {
        let before = taken.before.as_deref()?;
        let before = before.rsplit_once('#').map_or(before, |(id, _)| id);
        (before != node.id()).then_some((taken.id.as_str(), taken.epoch, before))
    });
    let (mut ids, mut epochs, mut befores) = (Vec::new(), Vec::new(), Vec::new());
    changed.for_each(|(id, epoch, before)| {
        ids.push(id);
        epochs.push(epoch);
        befores.push(before);
    });
    if ids.is_empty() {
        return Ok(());
    }
    let insert = "INSERT INTO owner_change (meeting, epoch, node, before)
        SELECT new.meeting, new.epoch, $4, new.before
        FROM unnest($1::text[], $2::bigint[], $3::text[]) AS new (meeting, epoch, before)
        ON CONFLICT DO NOTHING";
    postgres.query_raw(insert, &[&ids, &epochs, &befores, &node.id()]).map(|_| ())
}

/// The newest changes, of one meeting or of all.
pub(super) fn list(
    connection: &Connection,
    meeting: Option<&MeetingId>,
    most: u32,
) -> sql::Result<Vec<OwnerChange>> {
    let mut select = connection.prepare_cached(
        "SELECT meeting, epoch, before, node, CAST(extract(epoch FROM changed_at) * 1000 AS BIGINT)
         FROM owner_change WHERE ?1 = '' OR meeting = ?1 ORDER BY changed_at DESC, epoch DESC LIMIT ?2",
    )?;
    let rows = select.query_map((meeting.map_or("", |id| id.as_str()), most), |row| {
        Ok(OwnerChange {
            meeting: MeetingId::new(row.get::<_, String>(0)?),
            epoch: row.get(1)?,
            from: row.get(2)?,
            to: row.get(3)?,
            changed_at: Timestamp(row.get(4)?),
        })
    })?;
    rows.collect()
}

/// Forgets what a deleted meeting leaves behind.
pub(crate) fn forget_meeting(connection: &Connection, meeting: &MeetingId) -> sql::Result<()> {
    match connection {
        Connection::Sqlite(_) => Ok(()),
        Connection::Postgres(_) => {
            connection.execute("DELETE FROM owner_change WHERE meeting = ?1", [meeting.as_str()]).map(|_| ())
        }
    }
}

/// Forgets what is long ago.
pub(super) fn forget_old(connection: &Connection) -> sql::Result<()> {
    connection
        .execute(&format!("DELETE FROM owner_change WHERE changed_at < clock_timestamp() - {KEPT}"), [])
        .map(|_| ())
}
