//! The bodies of messages: `{"type", "timestamp", "data"}`, as Standard Webhooks recommends them.

use quorate_contract::{Event, MeetingId, Timestamp, Wording};
use quorate_messages::message;
use quorate_store::EventFilter;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::attendance::turns::OpenTurn;
use crate::error::{ErrorKind, ServiceError};
use crate::language::InBoth;
use crate::operation::callers_seat::viewer_of;
use crate::operation::denial::Denial;
use crate::operation::principal::Principal;
use crate::operation::use_case::UseCase;
use crate::use_cases::App;

/// What can be sent about an event now.
pub(super) enum EventMessage {
    /// This body.
    Body(Vec<u8>),
    /// Nothing yet: the agent has a seat in a blind round that is not over.
    Withheld,
    /// Nothing: the event is not there, or not for this webhook.
    Nothing(Wording),
}

/// The body of a message about a turn.
pub(super) fn turn_body(turn: &OpenTurn) -> Vec<u8> {
    body("turn.requested", turn.offered_at, &json!(turn))
}

/// The body of a test.
pub(super) fn test_body(webhook: &str, now: Timestamp) -> Vec<u8> {
    body("webhook.test", now, &json!({ "webhook": webhook }))
}

fn body(kind: &str, timestamp: Timestamp, data: &Value) -> Vec<u8> {
    json!({ "type": kind, "timestamp": timestamp, "data": data }).to_string().into_bytes()
}

/// The body of a message about an event, as far as a principal may see it now.
pub(super) async fn event_message(
    app: &App,
    principal: &Principal,
    meeting: &MeetingId,
    seq: u64,
) -> Result<EventMessage, ServiceError> {
    match app.authorize(UseCase::ReadLog, principal, meeting).await {
        Ok(()) => {}
        Err(Denial::BlindRound) => return Ok(EventMessage::Withheld),
        Err(Denial::Failed(error)) if error.kind() != ErrorKind::NotFound => return Err(*error),
        Err(denial) => return Ok(EventMessage::Nothing(denial.in_both().0)),
    }
    let filter = EventFilter {
        kinds: Vec::new(),
        after: seq.checked_sub(1),
        before: Some(seq + 1),
        newest_first: false,
        limit: 1,
    };
    let lines = match app.store().events_page(meeting, filter).await {
        Ok(page) => page.lines,
        Err(error) => return Ok(EventMessage::Nothing(error.in_both().0)),
    };
    let Some((_, line)) = lines.into_iter().next() else {
        return Ok(EventMessage::Nothing(message!("app-delivery-event-gone").into()));
    };
    let event = match Event::from_json(&line) {
        Ok(event) => event,
        Err(error) => return Ok(EventMessage::Nothing(error.to_string().into())),
    };
    // Looked at afterwards: a ballot that opens before the event is read is open then, and its votes are withheld.
    let line = viewer_of(&app.load(meeting).await?, principal).line(&event).unwrap_or(line);
    let data: Value = serde_json::from_str(&line).unwrap_or_default();
    Ok(EventMessage::Body(body("meeting.event", event.ts_ms, &data)))
}

/// The id of a message about a turn: always the same for the same question.
pub(super) fn turn_id(webhook: &str, ticket: &str) -> String {
    id(&[webhook, ticket])
}

/// The id of a message about an event.
pub(super) fn event_id(webhook: &str, meeting: &str, seq: u64) -> String {
    id(&[webhook, meeting, &seq.to_string()])
}

fn id(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    let digest = digest.finalize();
    let hex: String = digest[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("msg_{hex}")
}
