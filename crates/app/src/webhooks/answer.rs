//! The answers of webhooks to turns, in a response or by a call-back. Both are the use case of any agent that answers.

use std::net::IpAddr;

use quorate_store::{Answer, Webhook};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::principal_of;
use crate::app::App;
use crate::caller::{Caller, Transport};
use crate::command_line::status_of;
use crate::denial::Denial;
use crate::error::{ErrorKind, ServiceError};
use crate::invocation::Invocation;
use crate::principal::Principal;
use crate::turns::{AnsweredTurn, TurnAnswer, TurnError};
use crate::use_case::UseCase;

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
            (Some(text), None, false) if !text.trim().is_empty() => Some(TurnAnswer::Text(text)),
            (None, Some(fields), false) => Some(TurnAnswer::Fields(fields.into())),
            (None, None, true) => Some(TurnAnswer::Skip),
            _ => None,
        }
    }
}

/// One answer.
struct AnswerCall {
    app: App,
    principal: Principal,
    ticket: String,
    answer: TurnAnswer,
}

/// The outcome with the ticket, which is noted.
struct AnswerOutcome {
    result: Result<AnsweredTurn, TurnError>,
    ticket: String,
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
        let use_case = if answer == TurnAnswer::Skip { UseCase::SkipTurn } else { UseCase::AnswerTurn };
        let principal = principal_of(webhook);
        let caller = Caller { principal: Some(principal.clone()), address, transport: Transport::Webhook };
        let call = AnswerCall { app: self.clone(), principal, ticket, answer };
        self.perform(use_case, caller, None, call).await.result
    }
}

impl Invocation for AnswerCall {
    type Outcome = AnswerOutcome;

    async fn execute(self) -> AnswerOutcome {
        let Self { app, principal, ticket, answer } = self;
        let result = app.answer_turn(&principal, &ticket, answer).await;
        AnswerOutcome { result, ticket }
    }

    fn denied(&self, denial: Denial) -> AnswerOutcome {
        AnswerOutcome { result: Err(TurnError::Denied(denial)), ticket: self.ticket.clone() }
    }

    fn broken() -> AnswerOutcome {
        use quorate_messages::message;
        let error = ServiceError::new(message!("app-bug"), message!("app-bug-hint")).of(ErrorKind::Internal);
        AnswerOutcome { result: Err(error.into()), ticket: String::new() }
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
        let ticket: String = outcome.ticket.chars().take(100).collect();
        Some(json!({ "ticket": ticket }))
    }

    async fn answer(outcome: AnswerOutcome) -> Result<(Answer, AnswerOutcome), AnswerOutcome> {
        Err(outcome)
    }

    fn replay(_: Answer) -> AnswerOutcome {
        AnswerOutcome { result: Err(TurnError::Denied(Denial::KeyReused)), ticket: String::new() }
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
