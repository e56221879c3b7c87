//! One sending of a request, as a entrance carries it out and answers it.

use quorate_app::{
    App, Denial, ErrorKind, InterruptedRequest, Invocation, Principal, RequestKey, ServiceError,
    StoredResponse,
};
use quorate_contract::*;
use serde_json::{Value, json};

use super::entrances::EntranceRequest;
use crate::rng::Rng;

/// How many events are looked through for the message of a request.
const EVENTS: u64 = 64;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// What it says, the same each time.
    pub(super) body: String,
    /// The last event that it acknowledges.
    pub(super) seq: Option<u64>,
    /// Why it was refused, by name.
    pub(super) name: &'static str,
    pub(super) is_unknown: bool,
    /// A computation broke off.
    pub(super) is_bug: bool,
    /// The request that was answered, as far as it is known.
    request: Option<usize>,
}

impl Answer {
    fn refused(request: usize, name: &'static str, status: u16) -> Self {
        Self {
            status,
            body: String::new(),
            seq: None,
            name,
            is_unknown: false,
            is_bug: false,
            request: Some(request),
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.status < 300
    }
}

/// One sending of a request.
pub(super) struct EntranceCall {
    pub(super) app: App,
    pub(super) principal: Option<Principal>,
    pub(super) request: EntranceRequest,
}

impl EntranceCall {
    async fn carried_out(&self) -> Result<(u64, String), ServiceError> {
        let (app, request) = (&self.app, &self.request);
        // Nobody without a name is let through to here.
        let principal = self.principal.clone().unwrap_or_else(Principal::owner);
        let command = request.command.clone();
        let seq = match command {
            // To make a hash takes a thread and most of a second.
            Command::SetAccess { locked, .. } => {
                let hash = locked.then(|| "a hash".to_owned());
                app.change_hashed(&request.meeting, command, hash).await?
            }
            command => app.command(&principal, &request.meeting, command).await?,
        };
        if !matches!(request.command, Command::Say { .. }) {
            return Ok((seq, seq.to_string()));
        }
        let records = app.records(&request.meeting, seq.saturating_sub(EVENTS)).await?;
        let said = records.iter().rev().skip_while(|record| record.event.seq > seq).find_map(|record| {
            let EventBody::UserMessage { message_id, .. } = &record.event.body else { return None };
            Some(message_id.to_string())
        });
        Ok((seq, said.unwrap_or_else(|| "nothing".to_owned())))
    }

    fn failed(&self, error: &ServiceError) -> Answer {
        let state = error.details().get("current_state").and_then(Value::as_str).unwrap_or_default();
        let (name, status) = match error.kind() {
            ErrorKind::Validation => ("invalid", 422),
            ErrorKind::NotFound => ("not found", 404),
            ErrorKind::Api => ("a provider", 502),
            ErrorKind::MeetingState if state == "no_seat" => ("no seat", 409),
            ErrorKind::MeetingState | ErrorKind::Agenda => ("meeting state", 409),
            ErrorKind::Permission => ("not permitted", 403),
            ErrorKind::Storage => ("storage", 503),
            ErrorKind::Internal => ("internal", 500),
        };
        let name = error.refusal().map_or(name, crate::report::refused);
        let is_stopping = matches!(state, "stopping" | "broken_off");
        Answer {
            is_unknown: is_stopping || matches!(error.kind(), ErrorKind::Storage | ErrorKind::Internal),
            is_bug: state == "broken_off" || error.kind() == ErrorKind::Internal,
            ..Answer::refused(self.request.number, name, status)
        }
    }
}

impl Invocation for EntranceCall {
    type Outcome = Answer;

    async fn key(&mut self) -> Result<Option<RequestKey>, Answer> {
        let Some(key) = self.request.key.clone() else { return Ok(None) };
        let text = format!("{} {:?}", self.request.meeting, self.request.command);
        let mut checksum = [0; 32];
        for (place, part) in checksum.chunks_mut(8).enumerate() {
            let mix = |mix: u64, byte: u8| Rng::new(mix ^ u64::from(byte)).roll();
            part.copy_from_slice(&text.bytes().fold(place as u64, mix).to_le_bytes());
        }
        Ok(Some(RequestKey { key, checksum }))
    }

    async fn execute(self) -> Answer {
        match self.carried_out().await {
            Ok((seq, body)) => {
                Answer { body, seq: Some(seq), ..Answer::refused(self.request.number, "done", 200) }
            }
            Err(error) => self.failed(&error),
        }
    }

    async fn recall(&mut self, since: Timestamp) -> Result<InterruptedRequest<Answer>, Answer> {
        let (Command::Say { content, .. }, Some(principal)) = (&self.request.command, &self.principal) else {
            return Ok(InterruptedRequest::Unknown);
        };
        let (meeting, place) = (&self.request.meeting, |message: MessageId| message.to_string());
        match self.app.said_since(principal, meeting, since, (content, None), place).await {
            Ok(None) => Ok(InterruptedRequest::NotDone),
            Ok(Some((seq, message))) => Ok(InterruptedRequest::Done(Answer {
                body: message.to_string(),
                seq: Some(seq),
                ..Answer::refused(self.request.number, "done", 200)
            })),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn denied(&self, denial: Denial) -> Answer {
        let (name, status) = match &denial {
            Denial::NotSignedIn => ("not signed in", 401),
            Denial::NoSuchMeeting(_) => ("no such meeting for them", 404),
            Denial::Forbidden { .. } => ("forbidden", 403),
            Denial::OfPerson => ("what a person does", 403),
            Denial::Locked => ("asks for a password", 403),
            Denial::BlindRound => ("a blind round", 409),
            Denial::OpenBallot => ("an open ballot", 409),
            Denial::TooManyCalls { .. } | Denial::TooManyAttempts { .. } => ("too many calls", 429),
            Denial::TooManyMeetings { .. } | Denial::TooManyOfAccount { .. } => ("too many meetings", 429),
            Denial::KeyReused => ("the key of another request", 422),
            Denial::StillRunning => ("still under way", 409),
            Denial::Interrupted { .. } => ("interrupted", 409),
            Denial::Failed(error) => return self.failed(error),
        };
        Answer::refused(self.request.number, name, status)
    }

    fn broken() -> Answer {
        Answer { is_bug: true, request: None, ..Answer::refused(0, "internal", 500) }
    }

    fn status(answer: &Answer) -> u16 {
        answer.status
    }

    fn is_unknown(answer: &Answer) -> bool {
        answer.is_unknown
    }

    fn detail(answer: &Answer) -> Option<Value> {
        Some(json!({ "request": answer.request }))
    }

    async fn answer(answer: Answer) -> Result<(StoredResponse, Answer), Answer> {
        let headers = vec![("location".to_owned(), answer.body.clone())];
        let body = json!({ "body": answer.body, "request": answer.request }).to_string().into_bytes();
        Ok((StoredResponse { status: answer.status, headers, body, meeting: None }, answer))
    }

    fn replay(stored: StoredResponse) -> Answer {
        let kept: Value = serde_json::from_slice(&stored.body).unwrap_or_default();
        let request = kept["request"].as_u64().map(|number| number as usize);
        let body = kept["body"].as_str().unwrap_or_default().to_owned();
        Answer { body, request, ..Answer::refused(0, "done", stored.status) }
    }
}
