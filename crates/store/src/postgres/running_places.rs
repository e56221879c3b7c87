//! The places of meetings that are about to run, as rows that several processes share.

use quorate_contract::MeetingId;

use super::PostgresDatabase;
use crate::error::StoreError;
use crate::sql::{self, Behavior, Connection, Transaction};
use crate::starting_meetings::{NoRunningPlace, RunningLimits, creator_of, is_under_way};

/// How long a place is kept for a meeting that does not say what became of it.
const KEPT: &str = "interval '60 seconds'";

/// The table. The row without a meeting is locked by whoever counts.
pub(super) const RUNNING_PLACES: &str = r#"
    CREATE TABLE running_place (
        meeting TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        node TEXT COLLATE "C" NOT NULL,
        until TIMESTAMPTZ NOT NULL
    );
    INSERT INTO running_place (meeting, node, until) VALUES ('', '', clock_timestamp());
"#;

/// Takes a place, or says why there is none.
pub(crate) fn take(
    database: &PostgresDatabase,
    meeting: &MeetingId,
    limits: RunningLimits,
) -> Result<Result<(), NoRunningPlace>, StoreError> {
    let Some(node) = database.node() else { return Ok(Ok(())) };
    database.read(|connection| Ok(take_by(connection, &node.token(), meeting, limits)?))
}

fn take_by(
    connection: &Connection,
    node: &str,
    meeting: &MeetingId,
    limits: RunningLimits,
) -> sql::Result<Result<(), NoRunningPlace>> {
    let transaction = Transaction::begin(connection, Behavior::Append)?;
    connection.query_row("SELECT 1 FROM running_place WHERE meeting = '' FOR UPDATE", [], |_| Ok(()))?;
    connection
        .prepare_cached(
            "DELETE FROM running_place WHERE meeting <> '' AND (until < clock_timestamp() OR NOT EXISTS
                (SELECT 1 FROM node WHERE token = running_place.node AND lease_until > clock_timestamp()))",
        )?
        .execute([])?;
    // In one statement, so that a meeting that begins to run meanwhile is seen in one of the two.
    let count = format!(
        "SELECT count(*) FROM (
             SELECT id FROM meeting WHERE {} AND id <> ?1
             UNION SELECT meeting FROM running_place WHERE meeting <> '' AND meeting <> ?1) AS other",
        is_under_way()
    );
    let others: u64 = connection.prepare_cached(&count)?.query_row([meeting.as_str()], |row| row.get(0))?;
    let creator = creator_of(connection, meeting)?;
    let same = match (&creator, limits.per_account) {
        (Some(creator), Some(_)) => of_creator(connection, meeting, creator)?,
        _ => 0,
    };
    if let Err(none) = limits.check(others, creator.as_deref(), same) {
        return Ok(Err(none));
    }
    let take = format!(
        "INSERT INTO running_place (meeting, node, until) VALUES (?1, ?2, clock_timestamp() + {KEPT})
         ON CONFLICT (meeting) DO UPDATE SET node = excluded.node, until = excluded.until"
    );
    connection.prepare_cached(&take)?.execute([meeting.as_str(), node])?;
    transaction.commit()?;
    Ok(Ok(()))
}

/// How many other meetings of an account run, or are about to.
fn of_creator(connection: &Connection, meeting: &MeetingId, creator: &str) -> sql::Result<u64> {
    let count = format!(
        "SELECT count(*) FROM meeting WHERE created_by = ?1 AND id <> ?2 AND phase <> 'ended'
             AND (({}) OR id IN (SELECT meeting FROM running_place WHERE meeting <> ''))",
        is_under_way()
    );
    connection.prepare_cached(&count)?.query_row([creator, meeting.as_str()], |row| row.get(0))
}

/// Gives a place back.
pub(crate) fn leave(database: &PostgresDatabase, meeting: &MeetingId) -> Result<(), StoreError> {
    database.read(|connection| {
        let leave = "DELETE FROM running_place WHERE meeting = ?1 AND meeting <> ''";
        Ok(connection.prepare_cached(leave)?.execute([meeting.as_str()]).map(|_| ())?)
    })
}
