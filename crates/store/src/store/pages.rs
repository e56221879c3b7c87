//! Lists that are too long for one answer: meetings, and the events of one meeting.

use quorate_contract::{MeetingId, Timestamp};
use quorate_core::MeetingState;
use quorate_engine::{JournalError, Record, Resumed};
use rusqlite::types::Value;

use crate::conditions::{Conditions, anywhere};
use crate::cursor::Page;
use crate::error::StoreError;
use crate::meeting_summary::MeetingSummary;
use crate::sql::{Connection, OptionalExtension};
use crate::store::Store;
use crate::store::{log, snapshot};
use crate::tags::pattern;
use crate::{cursor, meeting_summary};

/// The most rows that a page may hold; more asked for gives this many.
pub const PAGE_ROWS: u32 = 1_000;

/// The list that a cursor belongs to.
const MEETINGS: char = 'm';

/// The filter of meetings; all given conditions must hold, and the default is all meetings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeetingFilter {
    /// In one of these states; any when empty.
    pub states: Vec<MeetingState>,
    /// Only meetings of this format: `consensus`.
    pub format: Option<String>,
    /// Only meetings at which this agent has, or had, a seat.
    pub agent: Option<String>,
    /// With this text in the title, the topic or the description.
    pub topic: Option<String>,
    /// With this tag, in upper or lower case.
    pub tag: Option<String>,
    /// With, or without, a simulated participant.
    pub simulated: Option<bool>,
    /// Created at this moment or later.
    pub created_from: Option<Timestamp>,
    /// Created before this moment.
    pub created_before: Option<Timestamp>,
    /// Only meetings without a password.
    pub unlocked: bool,
}

impl MeetingFilter {
    /// Whether a meeting that is stored outside a database matches the filter.
    pub fn fits(&self, row: &MeetingSummary, locked: bool) -> bool {
        let texts = [&row.title, &row.topic, &row.description].map(|text| text.to_ascii_lowercase());
        let holds = |text: &String| texts.iter().any(|one| one.contains(&text.to_ascii_lowercase()));
        (self.states.is_empty() || self.states.contains(&row.state))
            && self.format.as_ref().is_none_or(|format| *format == row.format)
            // Who sat there is not known without the log.
            && self.agent.is_none()
            // Nothing is put on a meeting off the record.
            && self.tag.is_none()
            && self.topic.as_ref().is_none_or(holds)
            && self.simulated.is_none_or(|simulated| simulated == row.simulated)
            && self.created_from.is_none_or(|from| row.created_ms >= from)
            && self.created_before.is_none_or(|before| row.created_ms < before)
            && !(self.unlocked && locked)
    }
}

/// The cursor of a page of meetings that ends before the first one of this moment.
pub fn meetings_cursor(moment: Timestamp) -> String {
    cursor::write(MEETINGS, [moment.0, i64::MAX])
}

/// The creation time of the last meeting of a page, by its cursor.
///
/// # Errors
/// When the cursor belongs to no list of meetings.
pub fn meetings_cursor_moment(cursor: &str) -> Result<Timestamp, StoreError> {
    let [moment, _] = cursor::read(MEETINGS, cursor)?;
    Ok(Timestamp(moment))
}

/// The filter of a meeting's events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFilter {
    /// Only events of these kinds, such as `agent_message`; any when empty.
    pub kinds: Vec<String>,
    /// With a higher sequence number than this.
    pub after: Option<u64>,
    /// With a lower sequence number than this.
    pub before: Option<u64>,
    /// The highest sequence number first.
    pub newest_first: bool,
    /// The largest number of events, 1 to [`PAGE_ROWS`].
    pub limit: u32,
}

/// Some of the lines of a meeting, as they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventLines {
    /// Each line with its sequence number.
    pub lines: Vec<(u64, String)>,
    /// Whether there are more events in the requested direction.
    pub more: bool,
}

impl Store {
    /// A page of the meetings that `filter` asks for, newest first. `cursor` is what the page
    /// before it ended with. Meetings created meanwhile do not move those that were there.
    ///
    /// # Errors
    /// When the cursor is none of this list, or the catalogue is damaged.
    pub async fn meetings_page(
        &self,
        filter: MeetingFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<MeetingSummary>, StoreError> {
        let after = cursor.map(|cursor| cursor::read(MEETINGS, cursor)).transpose()?;
        self.reading(move |connection| meetings(connection, &filter, after, limit.clamp(1, PAGE_ROWS))).await
    }

    /// The cursor of a page of meetings that ends with this one. If it was deleted in the meantime, the
    /// cursor stands at its place.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn meetings_cursor_at(&self, row: &MeetingSummary) -> Result<String, StoreError> {
        let (id, created) = (row.id.clone(), row.created_ms.0);
        self.reading(move |connection| {
            let key: Option<i64> = connection
                .prepare_cached("SELECT key FROM meeting WHERE id = ?1")?
                .query_row([id.as_str()], |row| row.get(0))
                .optional()?;
            Ok(cursor::write(MEETINGS, [created, key.unwrap_or(0)]))
        })
        .await
    }

    /// The number of meetings in each state, in the order of [`MeetingState::ALL`].
    pub async fn meeting_counts(&self) -> Result<Vec<(MeetingState, u64)>, StoreError> {
        self.reading(counts).await
    }

    /// At most `limit` lines of the events after sequence number `after`, each with its number.
    /// Every line is verified by its checksum; nothing is decoded.
    pub async fn event_lines(
        &self,
        meeting: &MeetingId,
        after: u64,
        limit: u32,
    ) -> Result<EventLines, JournalError> {
        let filter =
            EventFilter { kinds: Vec::new(), after: Some(after), before: None, newest_first: false, limit };
        self.events_page(meeting, filter).await
    }

    /// A page of the lines of a meeting. Every line is verified by its checksum; nothing is
    /// decoded.
    ///
    /// # Errors
    /// When there is no such meeting, or a line is not what was written.
    pub async fn events_page(
        &self,
        meeting: &MeetingId,
        filter: EventFilter,
    ) -> Result<EventLines, JournalError> {
        let meeting = meeting.clone();
        self.reading(move |connection| log::page(connection, &meeting, &filter)).await
    }

    /// The last usable snapshot of a meeting that was taken by event `at`, and the records after it up to that
    /// event.
    ///
    /// # Errors
    /// When there is no such meeting, or an event is not what was written.
    pub async fn resume_at(&self, meeting: &MeetingId, at: u64) -> Result<Resumed, JournalError> {
        let meeting = meeting.clone();
        self.reading(move |connection| snapshot::resume_at(connection, &meeting, at)).await
    }

    /// The records of a meeting up to event `at`.
    ///
    /// # Errors
    /// When there is no such meeting, or an event is not what was written.
    pub async fn records_up_to(&self, meeting: &MeetingId, at: u64) -> Result<Vec<Record>, JournalError> {
        let meeting = meeting.clone();
        self.reading(move |connection| log::records_up_to(connection, &meeting, 0, at)).await
    }
}

fn meetings(
    connection: &Connection,
    filter: &MeetingFilter,
    after: Option<[i64; 2]>,
    limit: u32,
) -> Result<Page<MeetingSummary>, StoreError> {
    let mut conditions = Conditions::default();
    let phase = "CASE WHEN paused THEN 'paused' ELSE phase END";
    conditions.one_of(phase, filter.states.iter().map(|state| state.as_str()));
    conditions.maybe("format = ?", filter.format.clone());
    let given = "SELECT meeting_label.title FROM meeting_label WHERE meeting_label.meeting = meeting.id";
    let texts = format!("coalesce(({given}), title, '') || '\n' || topic || '\n' || description");
    let like = connection.dialect().like();
    conditions.maybe(&format!("({texts}) {like} ? ESCAPE '\\'"), filter.topic.as_deref().map(anywhere));
    conditions.maybe(
        "EXISTS (SELECT 1 FROM meeting_label WHERE meeting_label.meeting = meeting.id
         AND meeting_label.folded LIKE ? ESCAPE '\\')",
        filter.tag.as_deref().map(pattern),
    );
    if let Some(agent) = &filter.agent {
        // As a seat of this agent stands in the log, whichever way its turns reach it.
        let name = serde_json::Value::from(agent.as_str());
        let seat = |via: &str| format!(r#""kind":"external","via":"{via}","name":{name}"#);
        let holds = connection.dialect().contains("line", "?");
        conditions.add(
            &format!(
                "EXISTS (SELECT 1 FROM event WHERE event.meeting = meeting.key AND kind = 'participant_joined'
                 AND ({holds} OR {holds}))"
            ),
            ["agent", "webhook"].map(|via| Value::from(seat(via))),
        );
    }
    conditions.maybe("simulated = ?", filter.simulated);
    conditions.maybe("created_ms >= ?", filter.created_from.map(|moment| moment.0));
    conditions.maybe("created_ms < ?", filter.created_before.map(|moment| moment.0));
    if filter.unlocked {
        conditions.add("NOT EXISTS (SELECT 1 FROM password WHERE password.meeting = meeting.id)", []);
    }
    if let Some(last) = after {
        conditions.add("(created_ms, key) < (?, ?)", last.map(Value::from));
    }
    let columns = meeting_summary::SUMMARY;
    let sql = format!(
        "SELECT {columns}, key FROM meeting{} ORDER BY created_ms DESC, key DESC LIMIT {}",
        conditions.sql(),
        limit + 1,
    );
    let mut select = connection.prepare_cached(&sql)?;
    let rows = select.query_map(&*conditions.values(), |row| {
        Ok((meeting_summary::listed(connection, row)?, row.get::<_, i64>("key")?))
    })?;
    let rows: Vec<_> =
        rows.map(|row| row.map_err(StoreError::of_catalogue)).collect::<Result<_, StoreError>>()?;
    let page = Page::of(rows, limit, |(row, key)| cursor::write(MEETINGS, [row.created_ms.0, *key]));
    Ok(page.map(|(row, _)| row))
}

fn counts(connection: &Connection) -> Result<Vec<(MeetingState, u64)>, StoreError> {
    let mut counts = MeetingState::ALL.map(|state| (state, 0));
    let mut select = connection.prepare_cached(
        "SELECT CASE WHEN paused THEN 'paused' ELSE phase END AS state, count(*) FROM meeting GROUP BY state",
    )?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let name: String = row.get(0).map_err(StoreError::of_catalogue)?;
        let Some((_, count)) = counts.iter_mut().find(|(state, _)| state.as_str() == name) else {
            // A row that is damaged; `verify` names it.
            continue;
        };
        *count = row.get(1)?;
    }
    Ok(counts.into())
}
