//! The answers of webhooks to turns, in a response or by a call-back. Both are the use case of any agent that answers.

use std::net::IpAddr;

use quorate_contract::{Command, MeetingId, is_blank};
use quorate_messages::message;
use quorate_store::{StoredResponse, Webhook};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::principal_of;
use crate::attendance::turns::{AnsweredTurn, TurnAnswer, TurnError};
use crate::error::{ErrorKind, ServiceError};
use crate::operation::caller::{Caller, Transport};
use crate::operation::command_line::status_of;
use crate::operation::denial::Denial;
use crate::operation::invocation::Invocation;
use crate::operation::principal::Principal;
use crate::operation::use_case::UseCase;
use crate::use_cases::App;

/// The reply of a webhook to a turn: `text`, `fields` by the schema of the turn, or `skip`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookReply {
    /// The text, in Markdown.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 100_000))]
    #[serde(default)]
    pub text: Option<String>,
    /// The fields, by the `answer_schema` of the turn.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    #[serde(default)]
    pub fields: Option<Map<String, Value>>,
    /// `true` to skip the turn, if it may be skipped.
    #[serde(default)]
    pub skip: bool,
}

impl WebhookReply {
    /// The answer in the body of a response; `None` when it holds none. A list in the order of the fields is none.
    pub(super) fn read(body: &[u8]) -> Option<TurnAnswer> {
        let is_object = body.trim_ascii_start().first() == Some(&b'{');
        is_object.then(|| serde_json::from_slice::<Self>(body).ok()?.answer())?
    }

    /// The answer that it holds; `None` when it holds none, or several.
    pub fn answer(self) -> Option<TurnAnswer> {
        match (self.text, self.fields, self.skip) {
            (Some(text), None, false) if !is_blank(&text) => Some(TurnAnswer::Text(text)),
            (None, Some(fields), false) => Some(TurnAnswer::Fields(fields.into())),
            (None, None, true) => Some(TurnAnswer::Skip),
            _ => None,
        }
    }
}

/// What a webhook says.
#[derive(Debug)]
pub(super) enum WebhookSpeech {
    /// The answer to a turn, by its ticket.
    Turn(String, TurnAnswer),
    /// A message to a meeting, outside of a turn.
    Message(MeetingId, String),
}

/// One answer, or one message.
struct AnswerCall {
    app: App,
    principal: Principal,
    speech: WebhookSpeech,
}

/// The outcome with what is noted of it.
struct AnswerOutcome {
    result: Result<AnsweredTurn, TurnError>,
    detail: Value,
}

impl App {
    /// Answers a turn for a webhook: permission, limit and audit entry are those of every other agent.
    pub(super) async fn answer_for_webhook(
        &self,
        webhook: &Webhook,
        ticket: String,
        answer: TurnAnswer,
        address: Option<IpAddr>,
    ) -> Result<AnsweredTurn, TurnError> {
        self.speak_for_webhook(webhook, WebhookSpeech::Turn(ticket, answer), address).await
    }

    /// Answers a turn or says something at a meeting for a webhook, as every other agent does.
    pub(super) async fn speak_for_webhook(
        &self,
        webhook: &Webhook,
        speech: WebhookSpeech,
        address: Option<IpAddr>,
    ) -> Result<AnsweredTurn, TurnError> {
        let (use_case, meeting) = match &speech {
            WebhookSpeech::Turn(_, TurnAnswer::Skip) => (UseCase::SkipTurn, None),
            WebhookSpeech::Turn(..) => (UseCase::AnswerTurn, None),
            WebhookSpeech::Message(meeting, _) => (UseCase::Say, Some(meeting.clone())),
        };
        let principal = principal_of(webhook);
        let caller = Caller { principal: Some(principal.clone()), address, transport: Transport::Webhook };
        let call = AnswerCall { app: self.clone(), principal, speech };
        self.perform(use_case, caller, meeting, call).await.result
    }

    /// Says something at a meeting from the seat that a webhook answers for.
    async fn say_for_webhook(
        &self,
        principal: &Principal,
        meeting: MeetingId,
        content: String,
    ) -> Result<AnsweredTurn, TurnError> {
        let command = Command::Say { by: principal.actor(), content };
        let seq = self.command(principal, &meeting, command).await?;
        Ok(AnsweredTurn { meeting, seq, asked_again: None })
    }
}

impl AnswerCall {
    /// What is noted of it.
    fn detail_of_speech(&self) -> Value {
        match &self.speech {
            WebhookSpeech::Turn(ticket, _) => {
                json!({ "ticket": ticket.chars().take(100).collect::<String>() })
            }
            WebhookSpeech::Message(..) => json!({}),
        }
    }
}

impl Invocation for AnswerCall {
    type Outcome = AnswerOutcome;

    async fn execute(self) -> AnswerOutcome {
        let detail = self.detail_of_speech();
        let Self { app, principal, speech } = self;
        let result = match speech {
            WebhookSpeech::Turn(ticket, answer) => app.answer_turn(&principal, &ticket, answer).await,
            WebhookSpeech::Message(meeting, content) => {
                app.say_for_webhook(&principal, meeting, content).await
            }
        };
        AnswerOutcome { result, detail }
    }

    fn denied(&self, denial: Denial) -> AnswerOutcome {
        AnswerOutcome { result: Err(TurnError::Denied(denial)), detail: self.detail_of_speech() }
    }

    fn broken() -> AnswerOutcome {
        let error = ServiceError::new(message!("app-bug"), message!("app-bug-hint")).of(ErrorKind::Internal);
        AnswerOutcome { result: Err(error.into()), detail: json!({}) }
    }

    fn status(outcome: &AnswerOutcome) -> u16 {
        match &outcome.result {
            Ok(_) => 200,
            Err(TurnError::Over { .. } | TurnError::CannotSkip) => 409,
            Err(TurnError::Denied(Denial::TooManyCalls { .. })) => 429,
            Err(TurnError::Denied(_)) => 403,
            Err(TurnError::Service(error)) => status_of(error),
        }
    }

    fn detail(outcome: &AnswerOutcome) -> Option<Value> {
        Some(outcome.detail.clone())
    }

    async fn answer(outcome: AnswerOutcome) -> Result<(StoredResponse, AnswerOutcome), AnswerOutcome> {
        Err(outcome)
    }

    fn replay(_: StoredResponse) -> AnswerOutcome {
        AnswerOutcome { result: Err(TurnError::Denied(Denial::KeyReused)), detail: json!({}) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_holds_one_answer_or_none() {
        let reply = |json: &str| serde_json::from_str::<WebhookReply>(json).expect("a reply").answer();
        assert_eq!(reply(r#"{"text":"Yes."}"#), Some(TurnAnswer::Text("Yes.".to_owned())));
        assert_eq!(reply(r#"{"fields":{"score":90}}"#), Some(TurnAnswer::Fields(json!({ "score": 90 }))));
        assert_eq!(reply(r#"{"skip":true}"#), Some(TurnAnswer::Skip));
        assert_eq!(WebhookReply::read(br#" {"text":"Yes."}"#), Some(TurnAnswer::Text("Yes.".to_owned())));
        for none in [r#"["Yes."]"#, r#""Yes.""#, "", "{", r#"{"text":7}"#] {
            assert_eq!(WebhookReply::read(none.as_bytes()), None, "{none}");
        }
        for none in ["{}", r#"{"text":" "}"#, r#"{"text":"a","skip":true}"#, r#"{"ok":true}"#] {
            assert_eq!(reply(none), None, "{none}");
        }
    }
}
