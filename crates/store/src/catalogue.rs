//! One row per meeting, so that a list of meetings reads no log.
//!
//! The row holds no data of its own: it is folded from the meeting's events, in the transaction that appends
//! them, and can be rebuilt from the log at any time.

use quorate_contract::{MeetingId, Timestamp};

use crate::error::StoreError;
use crate::meeting_row::{ImmutableColumns, MutableColumns};
use crate::meeting_summary::{MeetingSummary, SUMMARY, forked, listed, phase};
use crate::missing_rows;
use crate::sql;
use crate::sql::{Connection, Dialect, OptionalExtension};

/// The key and standing of a meeting, or `None` when there is no such meeting.
pub(crate) fn load(
    connection: &Connection,
    meeting: &MeetingId,
) -> sql::Result<Option<(i64, MutableColumns)>> {
    connection
        .prepare_cached(
            "SELECT key, phase, paused, outcome, simulated, participants, updated_ms, last_seq,
                    last_hash, topic, title, forked_from, forked_seq, forked_ms, titled, description, created_by,
                    conclusion
             FROM meeting WHERE id = ?1",
        )?
        .query_row([meeting.as_str()], |row| {
            let standing = MutableColumns {
                phase: phase(row, 1)?,
                paused: row.get(2)?,
                outcome: row.get(3)?,
                simulated: row.get(4)?,
                participants: row.get(5)?,
                updated: Timestamp(row.get(6)?),
                last_seq: row.get(7)?,
                last_hash: row.get(8)?,
                topic: row.get(9)?,
                title: row.get(10)?,
                has_own_title: row.get(14)?,
                description: row.get(15)?,
                forked: forked(row, 11)?,
                created: row.get::<_, Option<i64>>(13)?.map(Timestamp),
                created_by: row.get(16)?,
                conclusion: row.get(17)?,
            };
            Ok((row.get(0)?, standing))
        })
        .optional()
}

/// Enters a meeting under `key`, or under the next number of the register.
pub(crate) fn insert(
    connection: &Connection,
    key: Option<i64>,
    meeting: &MeetingId,
    spec: &ImmutableColumns,
    standing: &MutableColumns,
) -> sql::Result<i64> {
    let key = match key {
        Some(key) => key,
        None => missing_rows::register(connection, meeting)?,
    };
    connection
        .prepare_cached(
            "INSERT INTO meeting (key, id, topic, language, format, created_ms, phase, paused,
                                  outcome, simulated, participants, updated_ms, last_seq, last_hash,
                                  created_by, conclusion)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute((
            key,
            meeting.as_str(),
            &standing.topic,
            spec.language,
            spec.format,
            spec.created.0,
            standing.phase.as_str(),
            standing.paused,
            &standing.outcome,
            standing.simulated,
            standing.participants,
            standing.updated.0,
            standing.last_seq,
            standing.last_hash,
            &standing.created_by,
            &standing.conclusion,
        ))?;
    if standing.created.is_some() || standing.title.is_some() || !standing.description.is_empty() {
        update(connection, key, standing)?;
    }
    Ok(key)
}

/// Updates the row of a meeting.
pub(crate) fn update(connection: &Connection, key: i64, standing: &MutableColumns) -> sql::Result<()> {
    connection
        .prepare_cached(
            "UPDATE meeting SET phase = ?2, paused = ?3, outcome = ?4, simulated = ?5,
                    participants = ?6, updated_ms = ?7, last_seq = ?8, last_hash = ?9, topic = ?10,
                    title = ?11, forked_from = ?12, forked_seq = ?13, forked_ms = ?14,
                    created_ms = coalesce(?14, created_ms), titled = ?15, description = ?16,
                    created_by = ?17, conclusion = ?18
             WHERE key = ?1",
        )?
        .execute(sql::values![
            key,
            standing.phase.as_str(),
            standing.paused,
            &standing.outcome,
            standing.simulated,
            standing.participants,
            standing.updated.0,
            standing.last_seq,
            standing.last_hash,
            &standing.topic,
            &standing.title,
            standing.forked.as_ref().map(|forked| forked.meeting.as_str()),
            standing.forked.as_ref().map(|forked| forked.seq),
            standing.created.map(|created| created.0),
            standing.has_own_title,
            &standing.description,
            &standing.created_by,
            &standing.conclusion,
        ])?;
    Ok(())
}

/// The columns in which the stored row of a meeting differs from its events.
pub(crate) fn differences(
    connection: &Connection,
    key: i64,
    spec: &ImmutableColumns,
    standing: &MutableColumns,
) -> sql::Result<Vec<&'static str>> {
    // A database of an older version is checked as it is.
    let has_column = |name: &str| connection.has_column("meeting", name);
    let forks = match has_column("title")? {
        true => {
            "title IS DISTINCT FROM ?14, forked_from IS DISTINCT FROM ?15, forked_seq IS DISTINCT FROM ?16"
        }
        false => "?14 IS NOT NULL, ?15 IS NOT NULL, ?16 IS NOT NULL",
    };
    let details = match has_column("titled")? {
        true => "titled IS DISTINCT FROM ?17, description IS DISTINCT FROM ?18",
        false => "?17 <> 0, ?18 <> ''",
    };
    // Not known of meetings that are older than the column.
    let creator = match has_column("created_by")? {
        true => "coalesce(created_by <> ?19, FALSE)",
        false => "?19 = ''",
    };
    let conclusion = match has_column("conclusion")? {
        true => "coalesce(conclusion <> ?20, FALSE)",
        false => "?20 = ''",
    };
    // An index may be what is damaged.
    let without_index = match connection.dialect() {
        Dialect::Sqlite => "NOT INDEXED",
        Dialect::Postgres => "",
    };
    let sql = format!(
        "SELECT topic IS DISTINCT FROM ?2, language IS DISTINCT FROM ?3, format IS DISTINCT FROM ?4, created_ms IS DISTINCT FROM ?5,
                phase IS DISTINCT FROM ?6, paused IS DISTINCT FROM ?7, outcome IS DISTINCT FROM ?8, simulated IS DISTINCT FROM ?9,
                participants IS DISTINCT FROM ?10, updated_ms IS DISTINCT FROM ?11, last_seq IS DISTINCT FROM ?12,
                last_hash IS DISTINCT FROM ?13, {forks}, {details}, {creator}, {conclusion}
         FROM meeting {without_index} WHERE key = ?1"
    );
    connection.query_row(
        &sql,
        sql::values![
            key,
            &standing.topic,
            spec.language,
            spec.format,
            standing.created.unwrap_or(spec.created).0,
            standing.phase.as_str(),
            standing.paused,
            &standing.outcome,
            standing.simulated,
            standing.participants,
            standing.updated.0,
            standing.last_seq,
            standing.last_hash,
            &standing.title,
            standing.forked.as_ref().map(|forked| forked.meeting.as_str()),
            standing.forked.as_ref().map(|forked| forked.seq),
            standing.has_own_title,
            &standing.description,
            standing.created_by.as_deref().unwrap_or_default(),
            standing.conclusion.as_deref().unwrap_or_default(),
        ],
        |row| {
            const COLUMNS: [&str; 19] = [
                "topic",
                "language",
                "format",
                "created_ms",
                "phase",
                "paused",
                "outcome",
                "simulated",
                "participants",
                "updated_ms",
                "last_seq",
                "last_hash",
                "title",
                "forked_from",
                "forked_seq",
                "titled",
                "description",
                "created_by",
                "conclusion",
            ];
            let mut differing = Vec::new();
            for (place, column) in COLUMNS.into_iter().enumerate() {
                if row.get(place)? {
                    differing.push(column);
                }
            }
            Ok(differing)
        },
    )
}

/// The meetings, newest first.
pub(crate) fn list(
    connection: &Connection,
    limit: u32,
    offset: u32,
) -> Result<Vec<MeetingSummary>, StoreError> {
    let sql = format!("SELECT {SUMMARY} FROM meeting ORDER BY created_ms DESC, key DESC LIMIT ?1 OFFSET ?2");
    let mut select = connection.prepare_cached(&sql)?;
    let rows = select.query_map((limit, offset), |row| listed(connection, row))?;
    rows.map(|row| row.map_err(StoreError::of_catalogue)).collect()
}
