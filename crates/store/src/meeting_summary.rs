//! A meeting as lists show it.

use quorate_contract::{Event, MeetingId, Timestamp};
use quorate_core::MeetingState;
use serde::Serialize;

use crate::meeting_row::{ImmutableColumns, MutableColumns, without_markdown};
use crate::sql;
use crate::sql::{Connection, ErrorKind, Row};
use crate::tags::tags_of;
use crate::{chain, upcast};

/// The event from which a meeting was forked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ForkOrigin {
    /// The original meeting.
    pub meeting: MeetingId,
    /// The sequence number of the last event that was taken over.
    pub seq: u64,
}

/// A meeting in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeetingSummary {
    /// The id of the meeting.
    pub id: MeetingId,
    /// The question.
    pub topic: String,
    /// The title: its own, else the topic; a fork has one that tells it apart.
    pub title: String,
    /// What the meeting is for; may be empty.
    pub description: String,
    /// The tags that people put on it.
    pub tags: Vec<String>,
    /// The meeting that a fork was made of.
    pub forked_from: Option<ForkOrigin>,
    /// Its language as events spell it: `zh`, `en`.
    pub language: String,
    /// The preset that its rules began with: `consensus`, `discussion`.
    pub format: String,
    /// The state.
    pub state: MeetingState,
    /// The outcome: `accepted`, `converged`, `completed`, `aborted(round_limit)`; `None` before the end.
    pub outcome: Option<String>,
    /// The first line of the conclusion without the signs of Markdown, for lists; `None` before there is one.
    pub conclusion_line: Option<String>,
    /// Whether any participant, or the facilitator, is or was simulated.
    pub simulated: bool,
    /// The number of participants.
    pub participants: u32,
    /// The time of its first event; for a fork, when it was forked.
    #[serde(rename = "created_at")]
    pub created_ms: Timestamp,
    /// The time of its last event.
    #[serde(rename = "updated_at")]
    pub updated_ms: Timestamp,
    /// The number of events.
    pub events: u64,
}

impl MeetingSummary {
    /// The row for the events of a meeting; `None` when there are none. For meetings that are stored outside
    /// a database.
    pub fn of<'e>(id: &MeetingId, events: impl IntoIterator<Item = &'e Event>) -> Option<Self> {
        let mut events = events.into_iter().peekable();
        let spec = ImmutableColumns::of(events.peek()?);
        let mut standing = MutableColumns::at_the_beginning(id);
        let unchained = chain::beginning(id);
        events.for_each(|event| standing.apply(event, unchained));
        Some(Self {
            id: id.clone(),
            title: standing.title.unwrap_or_else(|| standing.topic.clone()),
            topic: standing.topic,
            description: standing.description,
            // What people put on a meeting stands beside its log.
            tags: Vec::new(),
            forked_from: standing.forked,
            language: spec.language.to_owned(),
            format: spec.format.to_owned(),
            state: if standing.paused { MeetingState::Paused } else { standing.phase },
            outcome: standing.outcome,
            conclusion_line: standing.conclusion.as_deref().map(without_markdown),
            simulated: standing.simulated,
            participants: standing.participants,
            created_ms: standing.created.unwrap_or(spec.created),
            updated_ms: standing.updated,
            events: standing.last_seq,
        })
    }
}

/// The columns of which [`summary`] makes a summary.
pub(crate) const SUMMARY: &str = "id, topic, language, format, phase, paused, outcome, simulated,
    participants, created_ms, updated_ms, last_seq, title, forked_from, forked_seq, description,
    conclusion, (SELECT meeting_label.title FROM meeting_label WHERE meeting_label.meeting = meeting.id),
    (SELECT meeting_label.tags FROM meeting_label WHERE meeting_label.meeting = meeting.id)";

/// The same from a row that may make no sense: then as its log says, as far as that can be read. One row that is
/// damaged costs no other meeting its place in the list; `verify` names it.
pub(crate) fn listed(connection: &Connection, row: &Row<'_>) -> sql::Result<MeetingSummary> {
    let (error, id) = match (summary(row), row.get::<_, String>(0)) {
        (Err(error), Ok(id)) if error.kind() == ErrorKind::Value => (error, MeetingId::new(id)),
        (summary, _) => return summary,
    };
    tracing::warn!(%error, meeting = %id, "a row of the catalogue is damaged; the meeting is listed from its log");
    let mut select = connection.prepare_cached(
        "SELECT line FROM event WHERE meeting = (SELECT key FROM meeting WHERE id = ?1) ORDER BY seq",
    )?;
    let lines = select.query_map([id.as_str()], |row| row.get::<_, String>(0))?;
    let events: Vec<Event> = lines.map_while(|line| upcast::event(&line.ok()?).ok()).collect();
    // The list is ordered by what the row says.
    let created_ms = row.get(9).map(Timestamp).unwrap_or_default();
    let folded = MeetingSummary::of(&id, &events).map(|summary| MeetingSummary { created_ms, ..summary });
    Ok(folded.unwrap_or_else(|| MeetingSummary {
        id,
        topic: String::new(),
        title: String::new(),
        description: String::new(),
        tags: Vec::new(),
        forked_from: None,
        language: String::new(),
        format: String::new(),
        state: MeetingState::Draft,
        outcome: None,
        conclusion_line: None,
        simulated: false,
        participants: 0,
        created_ms,
        updated_ms: created_ms,
        events: 0,
    }))
}

/// A meeting as a list shows it, from a row that begins with the columns [`SUMMARY`].
pub(crate) fn summary(row: &Row<'_>) -> sql::Result<MeetingSummary> {
    let paused: bool = row.get(5)?;
    let topic: String = row.get(1)?;
    Ok(MeetingSummary {
        id: MeetingId::new(row.get::<_, String>(0)?),
        title: match row.get::<_, Option<String>>(17)? {
            Some(title) => title,
            None => row.get::<_, Option<String>>(12)?.unwrap_or_else(|| topic.clone()),
        },
        tags: tags_of(row, 18)?,
        forked_from: forked(row, 13)?,
        description: row.get(15)?,
        topic,
        language: row.get(2)?,
        format: row.get(3)?,
        state: if paused { MeetingState::Paused } else { phase(row, 4)? },
        outcome: row.get(6)?,
        conclusion_line: row.get::<_, Option<String>>(16)?.as_deref().map(without_markdown),
        simulated: row.get(7)?,
        participants: row.get(8)?,
        created_ms: Timestamp(row.get(9)?),
        updated_ms: Timestamp(row.get(10)?),
        events: row.get(11)?,
    })
}

/// Reads the origin of a fork from the columns of the meeting and of the event.
pub(crate) fn forked(row: &Row<'_>, column: usize) -> sql::Result<Option<ForkOrigin>> {
    let meeting: Option<String> = row.get(column)?;
    let seq: Option<u64> = row.get(column + 1)?;
    Ok(meeting.zip(seq).map(|(meeting, seq)| ForkOrigin { meeting: MeetingId::new(meeting), seq }))
}

pub(crate) fn phase(row: &Row<'_>, column: usize) -> sql::Result<MeetingState> {
    let name: String = row.get(column)?;
    MeetingState::named(&name)
        .ok_or_else(|| sql::Error::value(column, format!("{name:?} is no phase of a meeting")))
}
