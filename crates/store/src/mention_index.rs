//! The index of mentions: which messages mention which person, directly or by a seat that they hold.
//!
//! It is written in the transaction that appends the events, and follows from the log alone, so that it can be made again
//! at any time. What somebody has read is no part of it (`mentions.rs`). What a fork or an import copies mentions nobody
//! anew, and nobody mentions themselves.

use quorate_contract::{Actor, Event, EventBody, ParticipantId, Person, RunnerSpec, TurnDelivery};

use crate::sql;
use crate::sql::{Connection, OptionalExtension};
use crate::upcast;

/// The version of the index; a change has it made again.
const VERSION: i64 = 1;
/// The cause of all events of an import.
const IMPORT: &str = "import";

/// Makes the index when it was made by another version, or never, in the caller's transaction.
pub(crate) fn check(connection: &Connection) -> sql::Result<()> {
    let version: i64 = connection.query_row("SELECT version FROM mention_state", [], |row| row.get(0))?;
    if version == VERSION {
        return Ok(());
    }
    rebuild(connection)?;
    connection.execute("UPDATE mention_state SET version = ?1", [VERSION])?;
    Ok(())
}

/// Makes the index again from the log, in the caller's transaction. What was read stays read.
pub(crate) fn rebuild(connection: &Connection) -> sql::Result<()> {
    connection.execute("DELETE FROM mention", [])?;
    connection.execute("DELETE FROM person_seat", [])?;
    let contains = |part: &str| connection.dialect().contains("line", part);
    let (seats, people) = (contains("'\"mentions\":['"), contains("'\"mentioned_people\":['"));
    let mut select = connection.prepare(&format!(
        "SELECT meeting, place, line FROM event
         WHERE kind IN ('participant_joined', 'participant_left', 'meeting_forked')
            OR (kind IN ('agent_message', 'user_message') AND ({seats} OR {people}))
         ORDER BY place",
    ))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let event = row.get_ref(2)?.as_str().ok().and_then(|line| upcast::event(line).ok());
        // A line that cannot be read is reported where its meeting is.
        if let Some(event) = event {
            note(connection, row.get(0)?, row.get(1)?, &event)?;
        }
    }
    Ok(())
}

/// Notes what follows from the event that stands at `place`.
pub(crate) fn note(connection: &Connection, key: i64, place: i64, event: &Event) -> sql::Result<()> {
    match &event.body {
        EventBody::ParticipantJoined { participant, .. } => {
            let RunnerSpec::External { via: TurnDelivery::Person, name } = &participant.runner else {
                return Ok(());
            };
            connection
                .prepare_cached(
                    "INSERT INTO person_seat (meeting, participant, person) VALUES (?1, ?2, ?3)
                     ON CONFLICT (meeting, participant) DO UPDATE SET person = excluded.person",
                )?
                .execute((key, participant.id.0, name))?;
        }
        EventBody::ParticipantLeft { participant, .. } => {
            connection
                .prepare_cached("DELETE FROM person_seat WHERE meeting = ?1 AND participant = ?2")?
                .execute((key, participant.0))?;
        }
        // What came before it was said at another meeting.
        EventBody::MeetingForked { .. } => {
            connection.prepare_cached("DELETE FROM mention WHERE meeting = ?1")?.execute([key])?;
        }
        EventBody::AgentMessage { participant, mentions, mentioned_people, .. }
            if !(mentions.is_empty() && mentioned_people.is_empty()) =>
        {
            let speaker = person_at(connection, key, *participant)?;
            mention(connection, (key, place), event, speaker.as_deref(), (mentions, mentioned_people))?;
        }
        EventBody::UserMessage { by, mentions, mentioned_people, .. } => {
            let speaker = match by {
                Actor::Person { id, .. } => Some(id.as_str()),
                Actor::Participant { .. } | Actor::Facilitator | Actor::System => None,
            };
            mention(connection, (key, place), event, speaker, (mentions, mentioned_people))?;
        }
        // Nothing else mentions people or seats them.
        _ => {}
    }
    Ok(())
}

/// Enters each person once that a message mentions.
fn mention(
    connection: &Connection,
    (key, place): (i64, i64),
    event: &Event,
    speaker: Option<&str>,
    (participants, people): (&[ParticipantId], &[Person]),
) -> sql::Result<()> {
    if event.cause == IMPORT {
        return Ok(());
    }
    let mut mentioned: Vec<String> = people.iter().map(|person| person.id.clone()).collect();
    for participant in participants {
        mentioned.extend(person_at(connection, key, *participant)?);
    }
    for person in mentioned.iter().filter(|person| Some(person.as_str()) != speaker) {
        connection
            .prepare_cached(
                "INSERT INTO mention (person, place, meeting, seq) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (person, place) DO NOTHING",
            )?
            .execute((person, place, key, event.seq))?;
    }
    Ok(())
}

/// The person who holds a seat.
fn person_at(connection: &Connection, key: i64, seat: ParticipantId) -> sql::Result<Option<String>> {
    connection
        .prepare_cached("SELECT person FROM person_seat WHERE meeting = ?1 AND participant = ?2")?
        .query_row((key, seat.0), |row| row.get(0))
        .optional()
}

/// Takes a meeting out, in the transaction that deletes it.
pub(crate) fn forget(connection: &Connection, key: i64) -> sql::Result<()> {
    for table in ["mention", "person_seat", "mention_read"] {
        connection.execute(&format!("DELETE FROM {table} WHERE meeting = ?1"), [key])?;
    }
    Ok(())
}
