//! Minutes and artifacts that people ask for, or write themselves.

use quorate_contract::{
    Actor, ArtifactKind, EventBody, Minutes, ParticipantId, Presence, ROLE_MAX_CHARS, Refusal, clean, length,
};
use quorate_messages::message;

use crate::decide::transaction::Transaction;
use crate::records;
use crate::state::Meeting;
use crate::state::closing::next_version;

/// Requests minutes, or an update of them.
pub(super) fn write_minutes(
    t: &mut Transaction,
    by: Actor,
    writer: Option<String>,
    note: &str,
) -> Result<(), Refusal> {
    super::under_way(&t.meeting)?;
    let note = clean(note);
    length("note", &note, 0, ROLE_MAX_CHARS)?;
    let writer = writer.map(|name| writer_of(&t.meeting, &name)).transpose()?;
    let covers = t.meeting.last_of(t.meeting.visible_messages());
    if covers.is_none() {
        return Err(Refusal::NothingToRecord);
    }
    if !t.meeting.minutes_requests.is_empty() {
        return Err(Refusal::AlreadyRequested { artifact: None });
    }
    let version = t.meeting.next_minutes();
    t.emit(EventBody::MinutesRequested { version, writer, note, by, covers });
    Ok(())
}

/// Finds the writer, who must be a participant that can be asked.
fn writer_of(m: &Meeting, name: &str) -> Result<ParticipantId, Refusal> {
    let seat = m.find(name)?;
    match seat.presence {
        Presence::Online => Ok(seat.participant.id),
        Presence::Offline => Err(Refusal::Invalid {
            field: "writer".into(),
            problem: message!("refusal-writer-offline", name = &seat.participant.name).into(),
            hint: message!("refusal-writer-offline-hint").into(),
        }),
    }
}

/// Replaces the minutes with a person's edited version. It covers what the version before covered. While
/// another version is being written, editing is refused: the editor would not know it, and the older one
/// would come last.
pub(super) fn edit_minutes(
    t: &mut Transaction,
    by: Actor,
    based_on: Option<u32>,
    minutes: Minutes,
) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    if !t.meeting.minutes_requests.is_empty() {
        return Err(Refusal::AlreadyRequested { artifact: None });
    }
    let current = t.meeting.current_minutes().map(|minutes| minutes.version);
    if let Some(based_on) = based_on.filter(|based_on| Some(*based_on) != current) {
        return Err(Refusal::MinutesOutdated { based_on, current });
    }
    let minutes = records::edited(&t.meeting, minutes)?;
    let covers = match t.meeting.current_minutes() {
        Some(before) => before.covers,
        None => t.meeting.visible_messages(),
    };
    let covers = t.meeting.last_of(covers);
    let version = t.meeting.next_minutes();
    t.emit(EventBody::MinutesWritten { version, author: by, covers, minutes });
    Ok(())
}

/// Requests an artifact before the end.
pub(super) fn write_artifact(t: &mut Transaction, by: Actor, kind: ArtifactKind) -> Result<(), Refusal> {
    if kind == ArtifactKind::Minutes {
        return write_minutes(t, by, None, "");
    }
    super::under_way(&t.meeting)?;
    if t.meeting.visible_messages() == 0 {
        return Err(Refusal::NothingToRecord);
    }
    if t.meeting.artifact_requests.iter().any(|(other, _)| *other == kind) {
        return Err(Refusal::AlreadyRequested { artifact: Some(kind) });
    }
    let version = next_version(&t.meeting, kind);
    t.emit(EventBody::ArtifactRequested { artifact_type: kind, version, by });
    Ok(())
}
