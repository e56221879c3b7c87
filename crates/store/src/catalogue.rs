//! One row per meeting, so that a list of meetings reads no log.
//!
//! The row holds no data of its own: it is folded from the meeting's events, in the transaction that appends
//! them, and can be rebuilt from the log at any time.

use quorate_contract::{
    AbortReason, BudgetKind, Event, EventBody, Language, MeetingId, MeetingOutcome, RunnerSpec, Timestamp,
};
use quorate_core::{Meeting, Phase, RunState};
use rusqlite::{Connection, OptionalExtension, Row};
use serde::Serialize;

use crate::chain::Hash;
use crate::error::StoreError;
use crate::upcast;
use crate::{chain, ledger};

/// The state of a meeting in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MeetingState {
    /// The meeting has not started.
    Draft,
    /// Something is done before a round begins: questions to a person, a team.
    Preparation,
    /// Its rounds run, or are being summed up.
    Discussion,
    /// A ballot is open, or has just failed.
    Ballot,
    /// The conclusion is being written.
    Closing,
    /// The meeting is paused, in any of the other phases.
    Paused,
    /// The meeting has ended.
    Ended,
}

impl MeetingState {
    /// All states, in the order in which a meeting reaches them.
    pub const ALL: [Self; 7] = [
        Self::Draft,
        Self::Preparation,
        Self::Discussion,
        Self::Ballot,
        Self::Closing,
        Self::Paused,
        Self::Ended,
    ];

    /// Its name in JSON and in lists.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Preparation => "preparation",
            Self::Discussion => "discussion",
            Self::Ballot => "ballot",
            Self::Closing => "closing",
            Self::Paused => "paused",
            Self::Ended => "ended",
        }
    }

    /// The state of a meeting.
    pub fn of(meeting: &Meeting) -> Self {
        match (&meeting.phase, &meeting.run_state) {
            (Phase::Ended { .. }, _) => Self::Ended,
            (_, RunState::Paused { .. }) => Self::Paused,
            (Phase::Blank | Phase::Draft, _) => Self::Draft,
            (Phase::Preparation, _) => Self::Preparation,
            (Phase::Discussion | Phase::Summary, _) => Self::Discussion,
            (Phase::Ballot | Phase::Facilitation, _) => Self::Ballot,
            (Phase::Closing { .. }, _) => Self::Closing,
        }
    }

    /// Whether the meeting runs: it makes progress without a command from outside.
    pub fn is_under_way(self) -> bool {
        match self {
            Self::Preparation | Self::Discussion | Self::Ballot | Self::Closing => true,
            Self::Draft | Self::Paused | Self::Ended => false,
        }
    }

    /// The state of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// The origin of a fork.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ForkedFrom {
    /// The original meeting.
    pub meeting: MeetingId,
    /// The last event that was taken over from it.
    pub seq: u64,
}

/// A meeting as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeetingSummary {
    /// The id of the meeting.
    pub id: MeetingId,
    /// The question.
    pub topic: String,
    /// The title: the topic; a fork has a title of its own.
    pub title: String,
    /// The meeting that a fork was made of.
    pub forked_from: Option<ForkedFrom>,
    /// Its language as events spell it: `zh`, `en`.
    pub language: String,
    /// The preset that its rules began with: `consensus`, `discussion`.
    pub format: String,
    /// The state.
    pub state: MeetingState,
    /// The outcome: `accepted`, `converged`, `completed`, `aborted(round_limit)`; `None` before the end.
    pub outcome: Option<String>,
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
            forked_from: standing.forked,
            language: spec.language.to_owned(),
            format: spec.format.to_owned(),
            state: if standing.paused { MeetingState::Paused } else { standing.phase },
            outcome: standing.outcome,
            simulated: standing.simulated,
            participants: standing.participants,
            created_ms: standing.created.unwrap_or(spec.created),
            updated_ms: standing.updated,
            events: standing.last_seq,
        })
    }
}

/// The columns that are settled by the first event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImmutableColumns {
    language: &'static str,
    format: &'static str,
    created: Timestamp,
}

impl ImmutableColumns {
    pub(crate) fn of(first: &Event) -> Self {
        let (language, format) = match &first.body {
            EventBody::MeetingCreated { language, format, .. } => {
                let language = match language {
                    Language::Zh => "zh",
                    Language::En => "en",
                };
                (language, format.as_str())
            }
            // No meeting begins like this; its log is kept all the same.
            _ => ("", ""),
        };
        Self { language, format, created: first.ts_ms }
    }
}

/// The columns that change with the meeting.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MutableColumns {
    topic: String,
    phase: MeetingState,
    paused: bool,
    outcome: Option<String>,
    simulated: bool,
    participants: u32,
    /// The title of a fork.
    title: Option<String>,
    /// The origin of a fork.
    forked: Option<ForkedFrom>,
    /// When it was forked.
    created: Option<Timestamp>,
    updated: Timestamp,
    pub(crate) last_seq: u64,
    pub(crate) last_hash: Hash,
}

impl MutableColumns {
    /// Before the first event.
    pub(crate) fn at_the_beginning(meeting: &MeetingId) -> Self {
        Self {
            topic: String::new(),
            phase: MeetingState::Draft,
            paused: false,
            outcome: None,
            simulated: false,
            participants: 0,
            title: None,
            forked: None,
            created: None,
            updated: Timestamp::default(),
            last_seq: 0,
            last_hash: chain::beginning(meeting),
        }
    }

    /// Goes past an event that cannot be read, of which `hash` is the checksum.
    pub(crate) fn skip(&mut self, hash: Hash) {
        self.last_seq += 1;
        self.last_hash = hash;
    }

    /// Folds the next event, of which `hash` is the checksum.
    pub(crate) fn apply(&mut self, event: &Event, hash: Hash) {
        self.skip(hash);
        self.updated = event.ts_ms;
        match &event.body {
            EventBody::MeetingCreated { topic, facilitator, .. } => {
                self.topic.clone_from(topic);
                self.simulated |= facilitator.as_ref().is_some_and(|f| is_simulated(&f.runner));
            }
            EventBody::TopicChanged { topic, .. } => {
                self.topic.clone_from(topic);
                self.title = None;
            }
            // Forks of older versions are listed as they were.
            EventBody::MeetingForked { from, at, title, carried: Some(_), by: _ } => {
                self.title = Some(title.clone());
                self.forked = Some(ForkedFrom { meeting: from.clone(), seq: *at });
                self.created = Some(event.ts_ms);
            }
            EventBody::ParticipantJoined { participant, .. } => {
                self.participants = self.participants.saturating_add(1);
                self.simulated |= is_simulated(&participant.runner);
            }
            EventBody::ParticipantLeft { .. } => {
                self.participants = self.participants.saturating_sub(1);
            }
            EventBody::MeetingStarted { .. } | EventBody::PreparationStarted { .. } => {
                self.phase = MeetingState::Preparation;
            }
            EventBody::RoundStarted { .. }
            | EventBody::RoundEnded { .. }
            | EventBody::BallotInterrupted { .. } => self.phase = MeetingState::Discussion,
            EventBody::BallotOpened { .. } | EventBody::BallotClosed { .. } => {
                self.phase = MeetingState::Ballot
            }
            EventBody::MeetingClosing { .. } => {
                self.phase = MeetingState::Closing;
                self.paused = false;
            }
            EventBody::Pause { .. } => self.paused = true,
            EventBody::Resume { .. } => self.paused = false,
            EventBody::Finished { outcome, .. } => {
                self.phase = MeetingState::Ended;
                self.paused = false;
                self.outcome = Some(outcome_name(outcome).to_owned());
            }
            EventBody::ParticipantInvited { .. }
            | EventBody::PersonJoined { .. }
            | EventBody::PersonLeft { .. }
            | EventBody::HostChanged { .. }
            | EventBody::PresenceChanged { .. }
            | EventBody::RulesChanged { .. }
            | EventBody::AgendaChanged { .. }
            | EventBody::AnnouncementPublished { .. }
            | EventBody::AccessChanged { .. }
            | EventBody::IntakeWritten { .. }
            | EventBody::TeamProposed { .. }
            | EventBody::EvaluationWritten { .. }
            | EventBody::MemoryWritten { .. }
            | EventBody::Metric { .. }
            | EventBody::MinutesRequested { .. }
            | EventBody::MinutesWritten { .. }
            | EventBody::ArtifactRequested { .. }
            | EventBody::ArtifactWritten { .. }
            | EventBody::MeetingForked { carried: None, .. }
            | EventBody::MeetingImported { .. }
            | EventBody::EndRequested { .. }
            | EventBody::SpeakerSelected { .. }
            | EventBody::SpeakerRequested { .. }
            | EventBody::QueueChanged { .. }
            | EventBody::TeamReviewed { .. }
            | EventBody::CallRetried { .. }
            | EventBody::CallStarted { .. }
            | EventBody::CallEnded { .. }
            | EventBody::AnswerMalformed { .. }
            | EventBody::AgentMessage { .. }
            | EventBody::UserMessage { .. }
            | EventBody::TurnSkipped { .. }
            | EventBody::TurnFailed { .. }
            | EventBody::SummaryWritten { .. }
            | EventBody::DraftRevised { .. }
            | EventBody::VoteCast { .. }
            | EventBody::VoteAbstained { .. }
            | EventBody::FacilitationWritten { .. }
            | EventBody::PauseRequested { .. }
            | EventBody::ConclusionWritten { .. }
            | EventBody::Recovered { .. }
            | EventBody::BudgetReached { .. }
            | EventBody::ProviderWaitStarted { .. }
            | EventBody::ProviderWaitEnded { .. }
            | EventBody::Error { .. } => {}
        }
    }
}

fn is_simulated(runner: &RunnerSpec) -> bool {
    matches!(runner, RunnerSpec::Simulated { .. })
}

fn outcome_name(outcome: &MeetingOutcome) -> &'static str {
    match outcome {
        MeetingOutcome::Accepted { .. } => "accepted",
        MeetingOutcome::Converged { .. } => "converged",
        MeetingOutcome::Completed => "completed",
        MeetingOutcome::Aborted(reason) => match reason {
            AbortReason::RoundLimit => "aborted(round_limit)",
            AbortReason::Budget { budget: BudgetKind::Tokens } => "aborted(token_budget)",
            AbortReason::Budget { budget: BudgetKind::Cost } => "aborted(cost_budget)",
            AbortReason::Budget { budget: BudgetKind::WallTime } => "aborted(time_budget)",
            AbortReason::User { .. } => "aborted(user)",
            AbortReason::NobodyLeft => "aborted(nobody_left)",
        },
    }
}

/// The key and standing of a meeting, or `None` when there is no such meeting.
pub(crate) fn load(
    connection: &Connection,
    meeting: &MeetingId,
) -> rusqlite::Result<Option<(i64, MutableColumns)>> {
    connection
        .prepare_cached(
            "SELECT key, phase, paused, outcome, simulated, participants, updated_ms, last_seq,
                    last_hash, topic, title, forked_from, forked_seq, forked_ms
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
                forked: forked(row, 11)?,
                created: row.get::<_, Option<i64>>(13)?.map(Timestamp),
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
) -> rusqlite::Result<i64> {
    let key = match key {
        Some(key) => key,
        None => ledger::register(connection, meeting)?,
    };
    connection
        .prepare_cached(
            "INSERT INTO meeting (key, id, topic, language, format, created_ms, phase, paused,
                                  outcome, simulated, participants, updated_ms, last_seq, last_hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .insert((
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
        ))?;
    if standing.created.is_some() {
        update(connection, key, standing)?;
    }
    Ok(key)
}

/// The title, the origin and the time of a fork.
pub(crate) const FORKS: &str = "
    ALTER TABLE meeting ADD COLUMN title TEXT;
    ALTER TABLE meeting ADD COLUMN forked_from TEXT;
    ALTER TABLE meeting ADD COLUMN forked_seq INTEGER;
    ALTER TABLE meeting ADD COLUMN forked_ms INTEGER;
";

/// Updates the row of a meeting.
pub(crate) fn update(connection: &Connection, key: i64, standing: &MutableColumns) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE meeting SET phase = ?2, paused = ?3, outcome = ?4, simulated = ?5,
                    participants = ?6, updated_ms = ?7, last_seq = ?8, last_hash = ?9, topic = ?10,
                    title = ?11, forked_from = ?12, forked_seq = ?13, forked_ms = ?14,
                    created_ms = coalesce(?14, created_ms)
             WHERE key = ?1",
        )?
        .execute((
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
        ))?;
    Ok(())
}

/// The columns in which the stored row of a meeting differs from its events.
pub(crate) fn differences(
    connection: &Connection,
    key: i64,
    spec: &ImmutableColumns,
    standing: &MutableColumns,
) -> rusqlite::Result<Vec<&'static str>> {
    // A database of an older version is checked as it is.
    let names_forks: bool =
        connection.prepare("SELECT 1 FROM pragma_table_info('meeting') WHERE name = 'title'")?.exists([])?;
    let forks = match names_forks {
        true => "title IS NOT ?14, forked_from IS NOT ?15, forked_seq IS NOT ?16",
        false => "?14 IS NOT NULL, ?15 IS NOT NULL, ?16 IS NOT NULL",
    };
    let sql = format!(
        "SELECT topic IS NOT ?2, language IS NOT ?3, format IS NOT ?4, created_ms IS NOT ?5,
                phase IS NOT ?6, paused IS NOT ?7, outcome IS NOT ?8, simulated IS NOT ?9,
                participants IS NOT ?10, updated_ms IS NOT ?11, last_seq IS NOT ?12,
                last_hash IS NOT ?13, {forks}
         FROM meeting NOT INDEXED WHERE key = ?1"
    );
    connection.query_row(
        &sql,
        (
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
        ),
        |row| {
            const COLUMNS: [&str; 15] = [
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

/// The columns of which [`summary`] makes a summary.
pub(crate) const SUMMARY: &str = "id, topic, language, format, phase, paused, outcome, simulated,
    participants, created_ms, updated_ms, last_seq, title, forked_from, forked_seq";

/// The same from a row that may make no sense: then as its log says, as far as that can be read. One row that is
/// damaged costs no other meeting its place in the list; `verify` names it.
pub(crate) fn listed(connection: &Connection, row: &Row<'_>) -> rusqlite::Result<MeetingSummary> {
    let (error, id) = match (summary(row), row.get::<_, String>(0)) {
        (Err(error), Ok(id)) if error.sqlite_error_code().is_none() => (error, MeetingId::new(id)),
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
        forked_from: None,
        language: String::new(),
        format: String::new(),
        state: MeetingState::Draft,
        outcome: None,
        simulated: false,
        participants: 0,
        created_ms,
        updated_ms: created_ms,
        events: 0,
    }))
}

/// A meeting as a list shows it, from a row that begins with the columns [`SUMMARY`].
pub(crate) fn summary(row: &Row<'_>) -> rusqlite::Result<MeetingSummary> {
    let paused: bool = row.get(5)?;
    let topic: String = row.get(1)?;
    Ok(MeetingSummary {
        id: MeetingId::new(row.get::<_, String>(0)?),
        title: row.get::<_, Option<String>>(12)?.unwrap_or_else(|| topic.clone()),
        forked_from: forked(row, 13)?,
        topic,
        language: row.get(2)?,
        format: row.get(3)?,
        state: if paused { MeetingState::Paused } else { phase(row, 4)? },
        outcome: row.get(6)?,
        simulated: row.get(7)?,
        participants: row.get(8)?,
        created_ms: Timestamp(row.get(9)?),
        updated_ms: Timestamp(row.get(10)?),
        events: row.get(11)?,
    })
}

/// Reads the origin of a fork from the columns of the meeting and of the event.
fn forked(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<ForkedFrom>> {
    let meeting: Option<String> = row.get(column)?;
    let seq: Option<u64> = row.get(column + 1)?;
    Ok(meeting.zip(seq).map(|(meeting, seq)| ForkedFrom { meeting: MeetingId::new(meeting), seq }))
}

fn phase(row: &Row<'_>, column: usize) -> rusqlite::Result<MeetingState> {
    let name: String = row.get(column)?;
    MeetingState::named(&name).ok_or_else(|| {
        let unknown = format!("{name:?} is no phase of a meeting");
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, unknown.into())
    })
}
