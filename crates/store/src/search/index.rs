//! The search index, which follows the log with a delay.
//!
//! Indexing a message costs several times what storing it does. So appends do not wait for it: the writer
//! indexes in steps of its own, from the last indexed place, which is committed together with its entries. A
//! step is not flushed by itself; what a power cut loses of it is indexed again. A database from before the
//! index is indexed in the same way.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use quorate_contract::{Actor, EventBody, Timestamp};
use sha2::{Digest, Sha256};

use super::SearchKind;
use super::tokenize::words_of;
use super::vector;
use crate::sql;
use crate::sql::{Connection, Dialect, Row};
use crate::upcast;

/// The version of the index; a change has everything indexed again.
const VERSION: i64 = 2;
/// The number of events that one step indexes.
const STEP: usize = 256;
/// The length of a week.
const WEEK_MS: i64 = 604_800_000;
/// The events in which something is found.
pub(crate) const KINDS: &str = "'agent_message', 'user_message', 'minutes_written', 'artifact_written',
    'conclusion_written', 'meeting_created', 'topic_changed', 'details_changed'";

/// The text of an event that can be found.
pub(crate) struct IndexedText {
    pub(crate) kind: SearchKind,
    pub(crate) who: String,
    pub(crate) text: String,
}

/// Empties the index when it was made by another version.
pub(crate) fn check(connection: &Connection) -> sql::Result<()> {
    let version: i64 = connection.query_row("SELECT version FROM search_state", [], |row| row.get(0))?;
    match version {
        VERSION => Ok(()),
        _ => restart(connection),
    }
}

/// Forgets all of the index; it is made again in steps.
pub(crate) fn restart(connection: &Connection) -> sql::Result<()> {
    match connection.dialect() {
        Dialect::Sqlite => connection.execute("INSERT INTO search (search) VALUES ('delete-all')", [])?,
        Dialect::Postgres => connection.execute("DELETE FROM search", [])?,
    };
    connection.execute("DELETE FROM search_week", [])?;
    connection.execute("UPDATE search_state SET version = ?1, place = 0", [VERSION])?;
    Ok(())
}

/// Indexes the next events in the caller's transaction, and says whether there may be more.
pub(crate) fn step(connection: &Connection) -> sql::Result<bool> {
    let after: i64 =
        connection.prepare_cached("SELECT place FROM search_state")?.query_row([], |row| row.get(0))?;
    let last: i64 = connection
        .prepare_cached("SELECT coalesce(max(place), 0) FROM event")?
        .query_row([], |row| row.get(0))?;
    let mut reached = last;
    let mut weeks: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
    {
        let sql = format!(
            "SELECT place, meeting, line, ts_ms, kind IN ({KINDS}) FROM event WHERE place > ?1 ORDER BY place LIMIT ?2"
        );
        let mut select = connection.prepare_cached(&sql)?;
        let mut rows = select.query((after, STEP as i64 * 4))?;
        let mut insert = connection.prepare_cached(match connection.dialect() {
            Dialect::Sqlite => "INSERT INTO search (rowid, words, facets) VALUES (?1, ?2, ?3)",
            Dialect::Postgres => {
                "INSERT INTO search (place, entry) VALUES (?1, CAST(CAST(?2 AS TEXT) AS TSVECTOR))
                 ON CONFLICT (place) DO UPDATE SET entry = excluded.entry"
            }
        })?;
        let (mut seen, mut indexed) = (0, 0);
        while let Some(row) = rows.next()? {
            let place: i64 = row.get(0)?;
            seen += 1;
            if row.get(4)?
                && let Some((words, facets)) = entry(&row, 1, 2)?
            {
                match connection.dialect() {
                    Dialect::Sqlite => insert.execute((place, words, facets))?,
                    Dialect::Postgres => insert.execute((place, vector::entry(&words, &facets)))?,
                };
                weeks.entry(week(Timestamp(row.get(3)?))).or_insert((place, place)).1 = place;
                indexed += 1;
            }
            if indexed == STEP || seen == STEP * 4 {
                reached = place;
                break;
            }
        }
    }
    for (week, (first, last)) in weeks {
        connection
            .prepare_cached(
                "INSERT INTO search_week (week, first, last) VALUES (?1, ?2, ?3) ON CONFLICT (week) DO UPDATE
                 SET first = CASE WHEN excluded.first < search_week.first THEN excluded.first ELSE search_week.first END,
                     last = CASE WHEN excluded.last > search_week.last THEN excluded.last ELSE search_week.last END",
            )?
            .execute((week, first, last))?;
    }
    if reached != after {
        connection.prepare_cached("UPDATE search_state SET place = ?1")?.execute([reached])?;
    }
    Ok(reached < last)
}

/// Takes a meeting's rows out, in the transaction that deletes its events and before it does. What
/// was indexed of an event is made from the event once more.
pub(crate) fn forget(connection: &Connection, key: i64) -> sql::Result<()> {
    if connection.dialect() == Dialect::Postgres {
        let delete = "DELETE FROM search WHERE place IN (SELECT place FROM event WHERE meeting = ?1)";
        return connection.execute(delete, [key]).map(|_| ());
    }
    let sql = format!(
        "SELECT place, meeting, line FROM event
         WHERE meeting = ?1 AND kind IN ({KINDS}) AND place <= (SELECT place FROM search_state)"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([key])?;
    let mut delete = connection
        .prepare_cached("INSERT INTO search (search, rowid, words, facets) VALUES ('delete', ?1, ?2, ?3)")?;
    while let Some(row) = rows.next()? {
        if let Some((words, facets)) = entry(&row, 1, 2)? {
            delete.execute((row.get::<_, i64>(0)?, words, facets))?;
        }
    }
    Ok(())
}

/// After events were deleted: the last places may be given to new events, which are indexed then.
pub(crate) fn step_back(connection: &Connection) -> sql::Result<()> {
    connection.execute(
        "UPDATE search_state SET place = (SELECT coalesce(max(place), 0) FROM event)
         WHERE place > (SELECT coalesce(max(place), 0) FROM event)",
        [],
    )?;
    Ok(())
}

/// The index entry of the event in this row; `None` when the event cannot be read.
fn entry(row: &Row<'_>, meeting: usize, line: usize) -> sql::Result<Option<(String, String)>> {
    let meeting: i64 = row.get(meeting)?;
    let event = row.get_ref(line)?.as_str().ok().and_then(|line| upcast::event(line).ok());
    Ok(event.and_then(|event| {
        let found = found_in(&event.body)?;
        let facets = format!("{} {} {}", of_meeting(meeting), of_kind(found.kind), of_person(&found.who));
        Some((words_of(&found.text), facets))
    }))
}

pub(crate) fn of_meeting(key: i64) -> String {
    format!("m{key}")
}

pub(crate) fn of_kind(kind: SearchKind) -> String {
    format!("k{}", kind.as_str())
}

/// The range of rows that contains all entries of this time, and perhaps more: a search need not examine
/// others. Rows may have been deleted.
pub(crate) fn places(
    connection: &Connection,
    from: Option<Timestamp>,
    before: Option<Timestamp>,
) -> sql::Result<RangeInclusive<i64>> {
    let (first, last): (Option<i64>, Option<i64>) = connection
        .prepare_cached("SELECT min(first), max(last) FROM search_week WHERE week BETWEEN ?1 AND ?2")?
        .query_row((from.map_or(i64::MIN, week), before.map_or(i64::MAX, week)), |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    Ok(first.unwrap_or(i64::MAX)..=last.unwrap_or(0))
}

/// The week of a moment, counted from 1970.
fn week(moment: Timestamp) -> i64 {
    moment.0.max(0) / WEEK_MS
}

/// The index word of a person: a name can be any text, so it is stored as a checksum of its lower case.
pub(crate) fn of_person(name: &str) -> String {
    let hash = Sha256::digest(name.trim().to_lowercase());
    std::iter::once("p".to_owned()).chain(hash[..8].iter().map(|byte| format!("{byte:02x}"))).collect()
}

/// The text of an event that can be found, and its speaker. A model's reasoning is not indexed, nor are marks
/// and private notes.
pub(crate) fn found_in(body: &EventBody) -> Option<IndexedText> {
    let found = |kind, who: &str, text: String| Some(IndexedText { kind, who: who.to_owned(), text });
    match body {
        EventBody::AgentMessage { message, .. } | EventBody::UserMessage { message, .. } => {
            found(SearchKind::Message, &message.name, message.content.clone())
        }
        EventBody::MinutesWritten { minutes, author, .. } => {
            let mut text = vec![minutes.content.as_str(), &minutes.summary];
            let items = minutes.decisions.iter().chain(&minutes.actions).chain(&minutes.risks);
            text.extend(items.map(|item| item.text.as_str()));
            found(SearchKind::Minutes, name_of(author), text.join("\n"))
        }
        EventBody::ArtifactWritten { content, author, .. } => {
            let mut text = String::new();
            gather(content, &mut text);
            found(SearchKind::Artifact, name_of(author), text)
        }
        EventBody::ConclusionWritten { by, conclusion, reasons, disagreements, actions, .. } => {
            let mut text = vec![conclusion.as_str(), reasons];
            for disagreement in disagreements {
                text.push(&disagreement.issue);
                text.extend(disagreement.sides.iter().flat_map(|side| [side.view.as_str(), &side.why]));
            }
            text.extend(actions.iter().map(|action| action.what.as_str()));
            found(SearchKind::Conclusion, name_of(by), text.join("\n"))
        }
        EventBody::MeetingCreated { topic, background, details, by, .. } => {
            let texts = [topic, background, &details.title, &details.description];
            found(SearchKind::Topic, name_of(by), texts.map(String::as_str).join("\n").trim_end().to_owned())
        }
        EventBody::DetailsChanged { details, by } => {
            let text = format!("{}\n{}", details.title, details.description);
            found(SearchKind::Topic, name_of(by), text.trim().to_owned())
        }
        EventBody::TopicChanged { topic, by } => found(SearchKind::Topic, name_of(by), topic.clone()),
        // All that is found is named in `KINDS`, too.
        _ => None,
    }
}

/// By which name an actor is found: a person's own, else the word for the kind.
fn name_of(actor: &Actor) -> &str {
    match actor {
        Actor::Facilitator => "facilitator",
        Actor::System => "rules",
        Actor::Participant { .. } => "participant",
        Actor::Person { name, .. } => name,
    }
}

/// All texts of a JSON value, a line each.
fn gather(value: &serde_json::Value, text: &mut String) {
    match value {
        serde_json::Value::String(part) => {
            text.push_str(part);
            text.push('\n');
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| gather(value, text)),
        serde_json::Value::Object(fields) => fields.values().for_each(|value| gather(value, text)),
        _ => {}
    }
}
