//! Where a person was mentioned, and how far they have read.

use quorate_contract::{EventBody, MeetingId, MessageId, Timestamp};
use quorate_core::MeetingState;
use quorate_engine::JournalError;

use crate::cursor::{self, Page};
use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, OptionalExtension, Row};
use crate::store::Store;
use crate::upcast;

/// The list of mentions that a cursor belongs to.
const MENTIONS: char = 'n';
/// The largest number of rows that are examined for a page, and for a count of what is unread.
pub const MENTIONS_LOOKED_AT: u32 = 500;
/// The largest number of mentions on one page.
const PAGE: u32 = 100;

/// Whose mentions are asked for, and at which meetings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MentionFilter {
    /// The person.
    pub person: String,
    /// At this meeting only. Whether it may be opened is for the caller to see to.
    pub meeting: Option<MeetingId>,
    /// Also at meetings that ask for a password, when no meeting is named.
    pub locked: bool,
}

/// A message that mentions a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMention {
    /// The meeting.
    pub meeting: MeetingId,
    /// Its topic.
    pub topic: String,
    /// The event.
    pub seq: u64,
    /// The message.
    pub message: MessageId,
    /// The name of the speaker, at this table.
    pub who: String,
    /// The whole message.
    pub content: String,
    /// When it was said.
    pub at: Timestamp,
    /// Whether the person has not read it.
    pub is_unread: bool,
    /// Whether a participant said it.
    pub is_by_participant: bool,
    /// Whether the person holds a seat at this meeting, and it is not over.
    pub is_seated: bool,
}

/// How many messages of a kind at one meeting a person has not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadMentions {
    /// The meeting.
    pub meeting: MeetingId,
    /// Whether participants said them.
    pub is_by_participant: bool,
    /// Whether the person holds a seat at this meeting, and it is not over.
    pub is_seated: bool,
    /// Their number.
    pub count: u32,
}

/// What a reader of mentions may see of a row, and how it stands for them. `?1` is the person, `?2` the one meeting,
/// `?3` whether passwords do not matter, `?4` the last state of a meeting.
const STANDING: &str = "
    meeting.id,
    event.kind = 'agent_message' AS is_by_participant,
    meeting.phase <> ?4 AND EXISTS (
        SELECT 1 FROM person_seat WHERE person_seat.meeting = mention.meeting AND person_seat.person = ?1
    ) AS is_seated,
    mention.seq > coalesce(
        (SELECT seq FROM mention_read WHERE person = ?1 AND mention_read.meeting = mention.meeting), 0
    ) AS is_unread,
    CASE WHEN CAST(?2 AS TEXT) IS NULL
        THEN ?3 OR NOT EXISTS (SELECT 1 FROM password WHERE password.meeting = meeting.id)
        ELSE meeting.id = ?2
    END AS may_see";

impl Store {
    /// A page of at most `limit` mentions of a person, the newest first. A page can have fewer and still a cursor: the
    /// next one continues from there.
    ///
    /// # Errors
    /// When the cursor belongs to another list.
    pub async fn mentions(
        &self,
        filter: MentionFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<StoredMention>, StoreError> {
        let before = cursor.map(|cursor| cursor::read(MENTIONS, cursor)).transpose()?;
        let before = before.map_or(i64::MAX, |[place]| place);
        self.reading(move |connection| page(connection, &filter, before, limit.clamp(1, PAGE))).await
    }

    /// How many of the newest [`MENTIONS_LOOKED_AT`] mentions of a person are unread, by meeting.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn unread_mentions(&self, filter: MentionFilter) -> Result<Vec<UnreadMentions>, StoreError> {
        self.reading(move |connection| unread(connection, &filter)).await
    }

    /// Notes that a person has read what mentions them: at one meeting up to an event, or at all meetings of the newest
    /// [`MENTIONS_LOOKED_AT`] mentions but `except`. What is read already is not written again.
    ///
    /// # Errors
    /// When there is no such meeting.
    pub async fn mark_mentions_read(
        &self,
        filter: MentionFilter,
        up_to: Option<u64>,
        except: Vec<MeetingId>,
    ) -> Result<(), StoreError> {
        let marks = self.reading(move |connection| {
            let marks = marks(connection, &filter, up_to, &except)?;
            Ok::<_, StoreError>((filter.person, marks))
        });
        let (person, marks) = marks.await?;
        if marks.is_empty() {
            return Ok(());
        }
        self.change(move |connection| {
            let mut mark = connection.prepare_cached(
                "INSERT INTO mention_read (person, meeting, seq)
                 SELECT ?1, key, ?3 FROM meeting WHERE key = ?2
                 ON CONFLICT (person, meeting) DO UPDATE SET seq = excluded.seq WHERE mention_read.seq < excluded.seq",
            )?;
            for (key, seq) in &marks {
                mark.execute((&person, key, seq))?;
            }
            Ok(())
        })
        .await
    }
}

fn page(
    connection: &Connection,
    filter: &MentionFilter,
    before: i64,
    limit: u32,
) -> Result<Page<StoredMention>, StoreError> {
    let mut select = connection.prepare_cached(&format!(
        "SELECT {STANDING}, meeting.topic, mention.seq, event.ts_ms, event.line, mention.place
         FROM mention JOIN event ON event.place = mention.place JOIN meeting ON meeting.key = mention.meeting
         WHERE mention.person = ?1 AND mention.place < ?5 ORDER BY mention.place DESC LIMIT ?6"
    ))?;
    let meeting = filter.meeting.as_ref().map(MeetingId::as_str);
    let ended = MeetingState::Ended.as_str();
    let mut rows =
        select.query((&filter.person, meeting, filter.locked, ended, before, MENTIONS_LOOKED_AT))?;
    let mut items = Vec::new();
    let mut last = None;
    for looked_at in 1.. {
        let Some(row) = rows.next().map_err(StoreError::of_catalogue)? else { break };
        let place: i64 = row.get(9)?;
        if let Some(mention) = mention_in(&row)? {
            if items.len() == limit as usize {
                return Ok(Page { items, next: last.map(|last| cursor::write(MENTIONS, [last])) });
            }
            items.push(mention);
        }
        last = Some(place);
        if looked_at == MENTIONS_LOOKED_AT {
            return Ok(Page { items, next: Some(cursor::write(MENTIONS, [place])) });
        }
    }
    Ok(Page { items, next: None })
}

/// The mention in this row; `None` when it may not be seen, or its line cannot be read.
fn mention_in(row: &Row<'_>) -> sql::Result<Option<StoredMention>> {
    let may_see: bool = row.get(4)?;
    if !may_see {
        return Ok(None);
    }
    let event = row.get_ref(8)?.as_str().ok().and_then(|line| upcast::event(line).ok());
    let Some(
        EventBody::AgentMessage { message_id, message, .. }
        | EventBody::UserMessage { message_id, message, .. },
    ) = event.map(|event| event.body)
    else {
        return Ok(None);
    };
    Ok(Some(StoredMention {
        meeting: MeetingId::new(row.get::<_, String>(0)?),
        is_by_participant: row.get(1)?,
        is_seated: row.get(2)?,
        is_unread: row.get(3)?,
        topic: row.get(5)?,
        seq: row.get(6)?,
        at: Timestamp(row.get(7)?),
        message: message_id,
        who: message.name,
        content: message.content,
    }))
}

fn unread(connection: &Connection, filter: &MentionFilter) -> Result<Vec<UnreadMentions>, StoreError> {
    let mut select = connection.prepare_cached(&format!(
        "SELECT id, is_by_participant, is_seated, count(*) FROM (
             SELECT {STANDING}
             FROM (SELECT * FROM mention WHERE person = ?1 ORDER BY place DESC LIMIT ?5) AS mention
             JOIN event ON event.place = mention.place JOIN meeting ON meeting.key = mention.meeting
         ) AS mentioned WHERE is_unread AND may_see GROUP BY id, is_by_participant, is_seated"
    ))?;
    let meeting = filter.meeting.as_ref().map(MeetingId::as_str);
    let ended = MeetingState::Ended.as_str();
    let parameters = (&filter.person, meeting, filter.locked, ended, MENTIONS_LOOKED_AT);
    let rows = select.query_map(parameters, |row| {
        Ok(UnreadMentions {
            meeting: MeetingId::new(row.get::<_, String>(0)?),
            is_by_participant: row.get(1)?,
            is_seated: row.get(2)?,
            count: row.get(3)?,
        })
    })?;
    rows.collect::<Result<_, _>>().map_err(StoreError::of_catalogue)
}

/// The meetings at which a mark moves on, with the event that it moves to.
fn marks(
    connection: &Connection,
    filter: &MentionFilter,
    up_to: Option<u64>,
    except: &[MeetingId],
) -> Result<Vec<(i64, u64)>, StoreError> {
    let beyond = "seq > coalesce(
        (SELECT seq FROM mention_read AS mark WHERE mark.person = ?1 AND mark.meeting = mention.meeting), 0)";
    let Some(meeting) = &filter.meeting else {
        let mut select = connection.prepare_cached(&format!(
            "SELECT mention.meeting, max(mention.seq), meeting.id
             FROM (SELECT * FROM mention WHERE person = ?1 ORDER BY place DESC LIMIT ?2) AS mention
             JOIN meeting ON meeting.key = mention.meeting
             WHERE mention.{beyond} GROUP BY mention.meeting, meeting.id"
        ))?;
        let mut rows = select.query((&filter.person, MENTIONS_LOOKED_AT))?;
        let mut marks = Vec::new();
        while let Some(row) = rows.next()? {
            let id = MeetingId::new(row.get::<_, String>(2).map_err(StoreError::of_catalogue)?);
            if !except.contains(&id) {
                marks.push((row.get(0)?, row.get(1)?));
            }
        }
        return Ok(marks);
    };
    let key: i64 = connection
        .prepare_cached("SELECT key FROM meeting WHERE id = ?1")?
        .query_row([meeting.as_str()], |row| row.get(0))
        .optional()?
        .ok_or_else(|| JournalError::NoSuchMeeting(meeting.clone()))?;
    // So that nothing that is said later is read already.
    let last: Option<u64> = connection
        .prepare_cached(&format!(
            "SELECT max(seq) FROM mention WHERE person = ?1 AND meeting = ?2 AND seq <= ?3 AND {beyond}"
        ))?
        .query_row((&filter.person, key, up_to.unwrap_or(i64::MAX as u64).min(i64::MAX as u64)), |row| {
            row.get(0)
        })?;
    Ok(last.map(|last| (key, last)).into_iter().collect())
}
