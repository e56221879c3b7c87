//! Messages of people, and requests for a speaker.

use quorate_contract::{
    Actor, CannotCallUp, EventBody, Floor, MESSAGE_MAX_CHARS, Message, MessageId, MessageRole, PauseReason,
    Presence, Refusal, RoundKind, clean, length,
};
use quorate_messages::{message, text};

use crate::decide::flow;
use crate::decide::transaction::Transaction;
use crate::policy::mention;
use crate::state::{Meeting, Phase, RunState};

/// Adds a person's message at once; the next speaker reads it.
pub(super) fn say(
    t: &mut Transaction,
    by: Actor,
    content: &str,
    reply_to: Option<MessageId>,
) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let waits = matches!(t.meeting.run_state, RunState::Paused { reason: PauseReason::AwaitingHost, .. });
    // Where no participant hosts, or the one that did is gone, a person does.
    let hosts = t.meeting.rules().turns.floor == Floor::Host && t.meeting.host().is_none();
    if !t.meeting.rules().turns.people_may_speak && !hosts && !waits {
        return Err(Refusal::PeopleMayNotSpeak);
    }
    let content = clean(content);
    length("content", &content, 1, MESSAGE_MAX_CHARS)?;
    reply_to.map_or(Ok(()), |to| was_said(&t.meeting, to))?;
    let message_id = t.meeting.next_message();
    let mentions = mention::find(&content, t.meeting.names());
    let name = text!(t.meeting.language(), "records-user").to_owned();
    let calls_somebody = !mentions.is_empty();
    t.emit(EventBody::UserMessage {
        message_id,
        round: t.meeting.round_number(),
        by: by.clone(),
        message: Message { role: MessageRole::User, name, content },
        mentions,
        reply_to,
    });
    flow::steer(t, message_id);
    if waits && calls_somebody {
        // What the meeting waited for has been said.
        super::pause::resumed(t, by, Default::default(), Vec::new());
    }
    Ok(())
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
