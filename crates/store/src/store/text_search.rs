//! Full-text search in one meeting or in all: words and phrases, Chinese ones of any length.
//!
//! Hits come newest first and are found in that order, so that a word in half of all messages costs no more
//! than a rare one. The index follows the log by less than a second unless appends keep the writer busy all
//! the time, or an old database was just opened.

use quorate_contract::{MeetingId, Timestamp};
use quorate_core::MeetingState;
use quorate_engine::JournalError;
use serde::Serialize;

use crate::cursor::{self, Page};
use crate::error::StoreError;
use crate::search::tokenize::{self, QueryPart};
use crate::search::{SearchKind, SnippetPart, index, snippet, vector};
use crate::sql::{Connection, Dialect, OptionalExtension};
use crate::store::Store;
use crate::upcast;

/// The list that a cursor belongs to.
const HITS: char = 's';
/// The most hits of a page.
const PAGE: u32 = 200;
/// The largest number of rows that are examined for a page. The page may then have fewer hits than requested.
const LOOKED_AT: usize = 20_000;

/// The filter of a search; all given conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchFilter {
    /// Words that must all occur; words in quotes must occur in a row. A word of three letters or more also
    /// matches words that begin with it.
    pub words: String,
    /// At this meeting only. Whether it may be opened is for the caller to see to.
    pub meeting: Option<MeetingId>,
    /// Said or written under this name.
    pub participant: Option<String>,
    /// Only hits of these kinds; any when empty.
    pub kinds: Vec<SearchKind>,
    /// At this moment or later.
    pub from: Option<Timestamp>,
    /// Only hits before this moment.
    pub before: Option<Timestamp>,
    /// At meetings in one of these states; in any when empty.
    pub states: Vec<MeetingState>,
    /// At meetings of this format only: `consensus`.
    pub format: Option<String>,
    /// At meetings with, or without, a simulated participant.
    pub simulated: Option<bool>,
    /// Also at meetings that ask for a password, when no meeting is named.
    pub locked: bool,
}

/// A search result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchHit {
    /// The meeting.
    pub meeting: MeetingId,
    /// The topic of the meeting.
    pub topic: String,
    /// The sequence number of the event with the hit.
    pub seq: u64,
    /// The kind of the hit.
    pub kind: SearchKind,
    /// The speaker or author.
    pub by: String,
    /// The time.
    #[serde(rename = "happened_at")]
    pub ts_ms: Timestamp,
    /// The text around the hit.
    pub snippet: Vec<SnippetPart>,
}

impl Store {
    /// A page of at most `limit` hits, the last written first. A page can have fewer hits and still a cursor:
    /// the next one continues from there.
    ///
    /// # Errors
    /// When the query is empty, the meeting does not exist, or the cursor belongs to another list.
    pub async fn search(
        &self,
        filter: SearchFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<SearchHit>, StoreError> {
        let before = cursor.map(|cursor| cursor::read(HITS, cursor)).transpose()?;
        let parts = tokenize::parse(&filter.words).map_err(StoreError::Invalid)?;
        self.reading(move |connection| {
            search(connection, &filter, &parts, before.map(|[place]| place), limit.clamp(1, PAGE))
        })
        .await
    }

    /// The number of events that wait to be indexed: 0 when every event can be found.
    pub async fn search_lag(&self) -> Result<u64, StoreError> {
        self.reading(|connection| {
            let lag = connection
                .prepare_cached(
                    "SELECT coalesce((SELECT max(place) FROM event WHERE place > search_state.place) - place, 0)
                     FROM search_state",
                )?
                .query_row([], |row| row.get(0))?;
            Ok(lag)
        })
        .await
    }
}

fn search(
    connection: &Connection,
    filter: &SearchFilter,
    parts: &[QueryPart],
    before: Option<i64>,
    limit: u32,
) -> Result<Page<SearchHit>, StoreError> {
    let moment = connection.unchecked_transaction()?;
    let query = query(&moment, filter, parts)?;
    let places = index::places(&moment, filter.from, filter.before)?;
    let last = before.map_or(*places.end(), |before| (*places.end()).min(before.saturating_sub(1)));
    let mut select = moment.prepare_cached(match moment.dialect() {
        Dialect::Sqlite => {
            "SELECT rowid FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?2 AND ?3
             ORDER BY rowid DESC LIMIT ?4"
        }
        Dialect::Postgres => {
            "SELECT place FROM search WHERE entry @@ CAST(CAST(?1 AS TEXT) AS TSQUERY) AND place BETWEEN ?2 AND ?3
             ORDER BY place DESC LIMIT ?4"
        }
    })?;
    let mut rows = select.query((query, *places.start(), last, LOOKED_AT as i64))?;
    let mut hits = Vec::new();
    let mut last = None;
    for looked_at in 1.. {
        let Some(row) = rows.next()? else { break };
        let place: i64 = row.get(0)?;
        if let Some(hit) = hit(&moment, filter, parts, place)? {
            if hits.len() == limit as usize {
                return Ok(Page { items: hits, next: last.map(|last| cursor::write(HITS, [last])) });
            }
            hits.push(hit);
        }
        last = Some(place);
        if looked_at == LOOKED_AT {
            return Ok(Page { items: hits, next: Some(cursor::write(HITS, [place])) });
        }
    }
    Ok(Page { items: hits, next: None })
}

/// The query with those filters that the index supports.
fn query(connection: &Connection, filter: &SearchFilter, parts: &[QueryPart]) -> Result<String, StoreError> {
    let mut narrowings: Vec<Vec<String>> = Vec::new();
    let mut narrow = |facets: Vec<String>| narrowings.push(facets);
    if let Some(meeting) = &filter.meeting {
        let key: i64 = connection
            .prepare_cached("SELECT key FROM meeting WHERE id = ?1")?
            .query_row([meeting.as_str()], |row| row.get(0))
            .optional()?
            .ok_or_else(|| JournalError::NoSuchMeeting(meeting.clone()))?;
        narrow(vec![index::of_meeting(key)]);
    }
    if let Some(name) = &filter.participant {
        narrow(vec![index::of_person(name)]);
    }
    if !filter.kinds.is_empty() {
        narrow(filter.kinds.iter().map(|kind| index::of_kind(*kind)).collect());
    }
    Ok(match connection.dialect() {
        Dialect::Sqlite => tokenize::in_index(parts, &narrowings),
        Dialect::Postgres => vector::query(parts, &narrowings),
    })
}

/// The hit in this row, if it matches the query.
fn hit(
    connection: &Connection,
    filter: &SearchFilter,
    parts: &[QueryPart],
    place: i64,
) -> Result<Option<SearchHit>, StoreError> {
    let row = connection
        .prepare_cached(
            "SELECT meeting.id, meeting.topic, event.seq, event.ts_ms, event.line FROM event
             JOIN meeting ON meeting.key = event.meeting
             WHERE event.place = ?1 AND event.ts_ms >= ?2 AND event.ts_ms < ?3
               AND (?4 OR NOT EXISTS (SELECT 1 FROM password WHERE password.meeting = meeting.id))
               AND (CAST(?5 AS TEXT) IS NULL OR ?5 LIKE
                   '%,' || CASE WHEN meeting.paused THEN 'paused' ELSE meeting.phase END || ',%')
               AND (CAST(?6 AS TEXT) IS NULL OR meeting.format = ?6)
               AND (CAST(?7 AS BOOLEAN) IS NULL OR meeting.simulated = ?7)",
        )?
        .query_row(
            (
                place,
                filter.from.map_or(i64::MIN, |from| from.0),
                filter.before.map_or(i64::MAX, |before| before.0),
                filter.locked || filter.meeting.is_some(),
                (!filter.states.is_empty()).then(|| format!(",{},", names_of(&filter.states))),
                filter.format.as_deref(),
                filter.simulated,
            ),
            |row| {
                let line: String = row.get(4)?;
                Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, Timestamp(row.get(3)?), line))
            },
        )
        .optional()
        .map_err(StoreError::of_catalogue)?;
    Ok(row.and_then(|(meeting, topic, seq, ts_ms, line)| {
        let event = upcast::event(&line).ok()?;
        let found = index::found_in(&event.body)?;
        let snippet = snippet::of(&found.text, parts);
        let meeting = MeetingId::new(meeting);
        Some(SearchHit { meeting, topic, seq, kind: found.kind, by: found.who, ts_ms, snippet })
    }))
}

/// The names of states, separated by commas.
fn names_of(states: &[MeetingState]) -> String {
    states.iter().map(|state| state.as_str()).collect::<Vec<_>>().join(",")
}
