//! Messages of people and, outside of their turns, of agents; requests for a speaker.

use quorate_contract::{
    Actor, CannotCallUp, EventBody, FloorMode, MESSAGE_MAX_CHARS, Message, MessageId, MessageRole,
    ParticipantId, Presence, Refusal, RoundKind, clean, length,
};
use quorate_messages::message;

use super::people;
use crate::decide::flow;
use crate::decide::transaction::Transaction;
use crate::policy::{citations, evidence, mention};
use crate::state::{Meeting, Phase};

/// Adds a message of a person, or of a participant outside of its turn, at once; the next speaker reads it.
pub(super) fn say(
    t: &mut Transaction,
    by: Actor,
    content: &str,
    reply_to: Option<MessageId>,
) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    // What a meeting waits for may be said, also where the rules have changed meanwhile.
    let is_hosted = t.meeting.rules().turns.floor == FloorMode::Host || t.meeting.awaits_host();
    let hosts = is_hosted && t.meeting.is_host(&by);
    let is_person = match by.as_participant() {
        Some(id) => {
            is_at_table(&t.meeting, id)?;
            false
        }
        None => true,
    };
    if is_person && !t.meeting.rules().turns.people_may_speak && !hosts {
        return Err(match t.meeting.host_name().filter(|_| is_hosted && t.meeting.host().is_none()) {
            Some(host) => Refusal::NotTheHost { host },
            None => Refusal::PeopleMayNotSpeak,
        });
    }
    let content = clean(content);
    length("content", &content, 1, MESSAGE_MAX_CHARS)?;
    reply_to.map_or(Ok(()), |to| was_said(&t.meeting, to))?;
    people::be_present(t, &by)?;
    let message_id = t.meeting.next_message();
    let mut mentioned = mention::at_table(&t.meeting, &content);
    mentioned.people.retain(|person| !by.is_the_person(&person.id));
    mentioned.participants.retain(|id| by.as_participant() != Some(*id));
    let calls_somebody = !mentioned.participants.is_empty();
    // What the meeting waited for has been said.
    let resumes = calls_somebody && hosts && t.meeting.awaits_host() || t.meeting.awaits_words();
    t.emit(EventBody::UserMessage {
        message_id,
        round: t.meeting.round_number(),
        by: by.clone(),
        message: Message {
            role: MessageRole::User,
            name: name_of(&t.meeting, &by),
            citations: citations::cited(&t.meeting, &content),
            evidence: evidence::cited(&t.meeting, &content, by.as_participant()),
            content,
        },
        mentions: mentioned.participants,
        mentioned_people: mentioned.people,
        reply_to,
    });
    // A person steers the meeting; an agent waits for its vote as the others do.
    if is_person && (hosts || !is_hosted) {
        flow::steer(t, message_id);
    }
    if resumes {
        super::pause::resumed(t, by, Default::default(), Vec::new());
    }
    Ok(())
}

/// The name under which a message of this actor stands.
fn name_of(m: &Meeting, by: &Actor) -> String {
    match by {
        Actor::Person { id, name } => m.person_name(id, name).to_owned(),
        Actor::Participant { id } => m.name_of(*id),
        Actor::Facilitator | Actor::System => m.display_name("", "").to_owned(),
    }
}

/// Checks that a participant is at the table.
fn is_at_table(m: &Meeting, id: ParticipantId) -> Result<(), Refusal> {
    if m.present().any(|seat| seat.participant.id == id) {
        return Ok(());
    }
    let present = m.present().map(|seat| seat.participant.name.clone()).collect();
    Err(Refusal::NoSuchParticipant { name: m.name_of(id), present })
}

/// Checks that the message that is replied to exists.
fn was_said(m: &Meeting, message: MessageId) -> Result<(), Refusal> {
    if m.said.iter().any(|said| said.id == message) {
        return Ok(());
    }
    let hint = match m.said.last() {
        Some(last) => message!("refusal-message-up-to", last = %last.id),
        None => message!("refusal-nothing-said-yet"),
    };
    Err(Refusal::Invalid {
        field: "reply_to".into(),
        problem: message!("refusal-no-such-message", %message).into(),
        hint: hint.into(),
    })
}

/// The one whom a person asks for is the next to speak (P20).
pub(super) fn request(t: &mut Transaction, by: Actor, participant: &str) -> Result<(), Refusal> {
    super::under_way(&t.meeting)?;
    if t.meeting.rules().turns.floor == FloorMode::Host && !t.meeting.is_host(&by) {
        return Err(Refusal::NotTheHost { host: t.meeting.host_name().unwrap_or_default() });
    }
    let seat = t.meeting.find(participant)?;
    if seat.presence == Presence::Offline {
        return Err(Refusal::CannotCallUp { because: CannotCallUp::Offline });
    }
    let participant = seat.participant.id;
    let because = match (&t.meeting.phase, t.meeting.round().map(|round| round.kind)) {
        (Phase::Discussion, Some(RoundKind::Serial)) => {
            t.emit(EventBody::SpeakerRequested { participant, by });
            return Ok(());
        }
        (Phase::Discussion, _) => CannotCallUp::Parallel,
        (Phase::Ballot, _) => CannotCallUp::Ballot,
        (Phase::Preparation, _) => CannotCallUp::Preparation,
        (_, _) => CannotCallUp::Summary,
    };
    Err(Refusal::CannotCallUp { because })
}
