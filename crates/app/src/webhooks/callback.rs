//! Call-backs: signed answers that come later than the response to a turn.
//!
//! A call-back is accepted once, within some minutes, and only with a signature under the webhook's secret. Its id is
//! kept durably until its time is over, so that a restart lets no copy pass. When the process ends before the answer is
//! carried out, the same call-back may come again.

use std::net::IpAddr;

use quorate_contract::{MeetingId, Timestamp};
use quorate_runners::{Secret, meeting_of_ticket, verify_webhook};
use quorate_store::{ReceivedCall, Webhook, WebhookSecrets};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::answer::{WebhookReply, WebhookSpeech};
use super::is_active;
use crate::attendance::turns::{AnsweredTurn, TurnAnswer, TurnError};
use crate::clock;
use crate::error::ServiceError;
use crate::use_cases::App;

/// How far the time of a call-back may be from that of the server, in seconds.
const TOLERANCE_S: i64 = 5 * 60;

/// How long the id of a call-back is kept, in seconds: longer than its time is accepted.
const KEPT_S: i64 = 3 * TOLERANCE_S;

/// The longest id of a call-back, in bytes.
const ID_MAX: usize = 255;

/// A call-back as it came.
#[derive(Debug, Clone)]
pub struct WebhookCall {
    /// The header `webhook-id`.
    pub id: String,
    /// The header `webhook-timestamp`, in seconds.
    pub timestamp: i64,
    /// The header `webhook-signature`.
    pub signature: String,
    /// The body, as it was signed.
    pub body: Vec<u8>,
}

/// The reason why a call-back was not accepted.
#[derive(Debug)]
pub enum WebhookCallError {
    /// There is no such webhook, or the signature is not one of its.
    BadSignature,
    /// The time is too far from that of the server.
    OutOfTime,
    /// A call-back of this id came before.
    Replayed,
    /// The webhook is disabled.
    Disabled,
    /// The body holds no answer.
    NoAnswer,
    /// The turn does not take the answer.
    Turn(TurnError),
}

impl From<ServiceError> for WebhookCallError {
    fn from(error: ServiceError) -> Self {
        Self::Turn(error.into())
    }
}

/// The body of a callback: a reply and the ticket of its turn, or the text of a message and its meeting.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookCallBack {
    /// The ticket of the turn that is answered.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
    #[serde(default)]
    ticket: Option<String>,
    /// In place of a ticket, the meeting in which `text` is said outside of a turn, from the seat of the agent.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 100))]
    #[serde(default)]
    meeting: Option<MeetingId>,
    /// The reply.
    #[serde(flatten)]
    reply: WebhookReply,
}

impl WebhookCallBack {
    /// The meeting that a body is about; `None` for one that is no call-back.
    pub fn meeting_of(body: &[u8]) -> Option<MeetingId> {
        let Self { ticket, meeting, .. } = serde_json::from_slice(body).ok()?;
        meeting.or_else(|| meeting_of_ticket(&ticket?))
    }
}

impl App {
    /// Answers a turn by a call-back. What comes back is durable.
    ///
    /// # Errors
    /// When the call-back is not accepted, or the turn does not take the answer.
    pub async fn receive_webhook_call(
        &self,
        webhook: &str,
        call: WebhookCall,
        address: Option<IpAddr>,
    ) -> Result<AnsweredTurn, WebhookCallError> {
        let now = clock::now();
        let store = self.store();
        let secrets = store.webhook_secrets(webhook).await.map_err(ServiceError::from)?;
        let found = store.webhook(webhook).await.map_err(ServiceError::from)?;
        let (Some(secrets), Some(webhook)) = (secrets, found) else {
            return Err(WebhookCallError::BadSignature);
        };
        let secrets = good_at(secrets, now.0);
        let fits = (1..=ID_MAX).contains(&call.id.len())
            && verify_webhook(&secrets, &call.id, call.timestamp, &call.body, &call.signature);
        if !fits {
            return Err(WebhookCallError::BadSignature);
        }
        if call.timestamp.abs_diff(now.0 / 1000) > TOLERANCE_S.unsigned_abs() {
            return Err(WebhookCallError::OutOfTime);
        }
        if !is_active(&webhook, now) {
            return Err(WebhookCallError::Disabled);
        }
        let Some(_under_way) = self.call_backs_under_way().enter(&webhook.id, &call.id) else {
            return Err(WebhookCallError::Replayed);
        };
        let (body, forget) = (Sha256::digest(&call.body).into(), Timestamp(now.0 - KEPT_S * 1000));
        let received = store.receive_webhook_call(&webhook.id, &call.id, body, now, forget).await;
        match received.map_err(ServiceError::from)? {
            ReceivedCall::First | ReceivedCall::Unfinished => {}
            ReceivedCall::Replayed => return Err(WebhookCallError::Replayed),
        }
        let result = self.answer_by_call_back(&webhook, &call.body, address).await;
        let nothing_done =
            matches!(result, Err(WebhookCallError::Turn(TurnError::Service(_) | TurnError::Denied(_))));
        // Where nothing was done, the same call-back may come again.
        let noted = match nothing_done {
            true => store.forget_webhook_call(&webhook.id, &call.id).await,
            false => store.finish_webhook_call(&webhook.id, &call.id).await,
        };
        if let Err(error) = noted {
            // If it comes again it finds the turn over.
            tracing::warn!(webhook = %webhook.id, %error, "the end of a call-back could not be noted");
        }
        result
    }

    async fn answer_by_call_back(
        &self,
        webhook: &Webhook,
        body: &[u8],
        address: Option<IpAddr>,
    ) -> Result<AnsweredTurn, WebhookCallError> {
        let Ok(WebhookCallBack { ticket, meeting, reply }) = serde_json::from_slice(body) else {
            return Err(WebhookCallError::NoAnswer);
        };
        let speech = match (ticket, meeting, reply.answer()) {
            (Some(ticket), None, Some(answer)) => WebhookSpeech::Turn(ticket, answer),
            (None, Some(meeting), Some(TurnAnswer::Text(text))) => WebhookSpeech::Message(meeting, text),
            _ => return Err(WebhookCallError::NoAnswer),
        };
        self.speak_for_webhook(webhook, speech, address).await.map_err(WebhookCallError::Turn)
    }
}

/// The secrets that are good at a time, the present one first.
pub(super) fn good_at(secrets: WebhookSecrets, now_ms: i64) -> Vec<Secret> {
    let previous = secrets.previous.filter(|(_, until)| until.0 > now_ms).map(|(secret, _)| secret);
    std::iter::once(secrets.current).chain(previous).collect()
}
