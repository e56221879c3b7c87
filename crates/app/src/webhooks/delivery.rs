//! One attempt to deliver a message, and what follows from its outcome.

use std::time::{Duration, Instant};

use quorate_contract::{Timestamp, Wording};
use quorate_messages::message;
use quorate_runners::{
    BreakerState, DeliveryTrouble, WebhookFailure, WebhookRequest, WebhookResponse, retry_event, retry_turn,
};
use quorate_store::{
    MessageState, MessageSubject, StopReason, Webhook, WebhookBreaker, WebhookDelivery, WebhookMessage,
};

use super::answer::WebhookReply;
use super::callback::good_at;
use super::message::{EventMessage, event_message, test_body, turn_body};
use super::view::WebhookOutcome;
use super::{error_text, is_active, principal_of};
use crate::attendance::turns::{OpenTurn, TURN_ANSWER_MAX, TurnError};
use crate::clock;
use crate::error::ServiceError;
use crate::use_cases::App;

/// The longest time that a receiver may take for an event.
const EVENT_TIMEOUT: Duration = Duration::from_secs(15);
/// The longest time that it may take for a turn, which it may answer in the response.
const TURN_TIMEOUT: Duration = Duration::from_secs(120);
/// The longest response to an event, in bytes.
const EVENT_RESPONSE_MAX: usize = 64 << 10;
/// When an event that is withheld is looked at again, in milliseconds.
const WITHHELD_MS: u64 = 2_000;
/// When a turn is looked for again that is not on the board yet, in milliseconds.
const UNSETTLED_MS: u64 = 1_000;

/// The status by which a receiver says that it wants nothing more.
const GONE: u16 = 410;

/// An attempt that is over.
pub(super) struct DeliveryAttempt {
    pub(super) response: Result<WebhookResponse, WebhookFailure>,
    pub(super) latency_ms: u64,
}

/// What is sent now.
enum Content {
    Turn { body: Vec<u8>, deadline: Timestamp },
    Event { body: Vec<u8> },
    Later,
    Nothing(Wording),
}

/// The delivery of one message.
pub(super) struct Delivery<'a> {
    app: &'a App,
    webhook: &'a Webhook,
    message: &'a WebhookMessage,
    began: Timestamp,
}

/// The outcome of an attempt, as it is noted.
struct RecordedAttempt {
    state: MessageState,
    outcome: WebhookOutcome,
    status: Option<u16>,
    error: Option<Wording>,
    next: Option<Duration>,
}

impl RecordedAttempt {
    fn failed(status: Option<u16>, error: Wording) -> Self {
        let (state, outcome) = (MessageState::Failed, WebhookOutcome::Failed);
        Self { state, outcome, status, error: Some(error), next: None }
    }

    fn done(outcome: WebhookOutcome, status: u16, error: Option<Wording>) -> Self {
        Self { state: MessageState::Delivered, outcome, status: Some(status), error, next: None }
    }
}

impl<'a> Delivery<'a> {
    /// Makes one attempt. When it cannot be made now, the message is postponed. `is_settled`: the turns of meetings
    /// that go on after a start are on the board.
    pub(super) async fn attempt(
        app: &'a App,
        message: &'a WebhookMessage,
        is_settled: bool,
    ) -> Result<(), ServiceError> {
        let now = clock::now();
        let found = app.store().webhook(&message.webhook).await?;
        let Some(webhook) = found.filter(|webhook| is_active(webhook, now)) else { return Ok(()) };
        let delivery = Delivery { app, webhook: &webhook, message, began: now };
        let content = delivery.content().await?;
        let timeout = match &content {
            Content::Turn { deadline, .. } => {
                let left = Duration::from_millis(deadline.since_ms(delivery.began));
                left.clamp(Duration::from_secs(1), TURN_TIMEOUT)
            }
            Content::Event { .. } | Content::Later | Content::Nothing(_) => EVENT_TIMEOUT,
        };
        match content {
            Content::Nothing(_) if !is_settled => delivery.postpone(UNSETTLED_MS).await,
            Content::Turn { body, deadline } => {
                delivery.send(body, timeout, TURN_ANSWER_MAX, Some(deadline)).await
            }
            Content::Event { body } => delivery.send(body, timeout, EVENT_RESPONSE_MAX, None).await,
            Content::Later => delivery.postpone(WITHHELD_MS).await,
            Content::Nothing(reason) => {
                let (state, outcome) = (MessageState::Expired, WebhookOutcome::Expired);
                let noted = RecordedAttempt { state, outcome, status: None, error: Some(reason), next: None };
                delivery.note(noted, 0, message.attempts).await
            }
        }
    }

    /// Sends a test, and notes it.
    pub(super) async fn test(app: &App, webhook: &Webhook) -> Result<DeliveryAttempt, ServiceError> {
        let now = clock::now();
        let id = format!("msg_{}", uuid::Uuid::now_v7().simple());
        let body = test_body(&webhook.id, now);
        let attempted = send(app, webhook, &id, body, EVENT_TIMEOUT, EVENT_RESPONSE_MAX, true).await?;
        let (outcome, status, error) = match &attempted.response {
            Ok(response) if is_success(response.status) => {
                (WebhookOutcome::Delivered, Some(response.status), None)
            }
            Ok(response) => {
                (WebhookOutcome::Failed, Some(response.status), Some(http_error(response.status)))
            }
            Err(failure) => (WebhookOutcome::Failed, None, Some(error_text::failure(webhook, failure))),
        };
        let entry = WebhookDelivery {
            message: id,
            kind: "webhook.test".to_owned(),
            meeting: None,
            seq: None,
            attempt: 1,
            at_ms: now,
            latency_ms: attempted.latency_ms,
            outcome: outcome.as_str().to_owned(),
            status,
            error: error.as_ref().map(error_text::kept),
            next_ms: None,
        };
        let breaker = breaker_of(app, &webhook.id);
        app.store().note_webhook_delivery(&webhook.id, None, entry, breaker).await?;
        Ok(attempted)
    }

    async fn content(&self) -> Result<Content, ServiceError> {
        let principal = principal_of(self.webhook);
        match &self.message.subject {
            MessageSubject::Turn { ticket, .. } => {
                let open = self.app.open_turns(&principal, None);
                Ok(match open.iter().find(|turn| turn.ticket == *ticket) {
                    Some(turn) => {
                        let deadline = turn.deadline;
                        Content::Turn { body: turn_body(&OpenTurn::of(turn)), deadline }
                    }
                    None => Content::Nothing(message!("app-delivery-turn-over").into()),
                })
            }
            MessageSubject::Event { meeting, seq } => {
                Ok(match event_message(self.app, &principal, meeting, *seq).await? {
                    EventMessage::Body(body) => Content::Event { body },
                    EventMessage::Withheld => Content::Later,
                    EventMessage::Nothing(reason) => Content::Nothing(reason),
                })
            }
        }
    }

    /// Sends it. `deadline`: when the turn is over that it is about.
    async fn send(
        &self,
        body: Vec<u8>,
        timeout: Duration,
        most: usize,
        deadline: Option<Timestamp>,
    ) -> Result<(), ServiceError> {
        let DeliveryAttempt { response, latency_ms } =
            send(self.app, self.webhook, &self.message.id, body, timeout, most, false).await?;
        let attempts = self.message.attempts + 1;
        let trouble = trouble_of(&response);
        let noted = match response {
            Err(WebhookFailure::Open { wait, .. }) => return self.postpone(ms(wait)).await,
            Err(failure) => {
                let failed = RecordedAttempt::failed(None, error_text::failure(self.webhook, &failure));
                retry(attempts, failed, None, deadline)
            }
            Ok(response) if is_success(response.status) => self.accepted(response).await?,
            Ok(response) if response.status == GONE => {
                self.disable(StopReason::Gone).await?;
                RecordedAttempt::failed(Some(GONE), http_error(GONE))
            }
            Ok(response) => {
                let error = match response.status {
                    300..=399 => message!("app-delivery-redirect", status = %response.status).into(),
                    status => http_error(status),
                };
                let failed = RecordedAttempt::failed(Some(response.status), error);
                retry(attempts, failed, response.retry_after, deadline)
            }
        };
        if let MessageSubject::Turn { ticket, .. } = &self.message.subject {
            self.app.turn_board().delivered(ticket, trouble);
        }
        let is_given_up = noted.state == MessageState::Failed && noted.status != Some(GONE);
        self.note(noted, latency_ms, attempts).await?;
        if is_given_up {
            self.disable(StopReason::Failing).await?;
        }
        Ok(())
    }

    /// A message that the receiver accepted; a turn it may have answered.
    async fn accepted(&self, response: WebhookResponse) -> Result<RecordedAttempt, ServiceError> {
        let status = response.status;
        let MessageSubject::Turn { ticket, .. } = &self.message.subject else {
            return Ok(RecordedAttempt::done(WebhookOutcome::Delivered, status, None));
        };
        if status != 200 || response.body.trim_ascii().is_empty() {
            return Ok(RecordedAttempt::done(WebhookOutcome::Delivered, status, None));
        }
        let Some(answer) = WebhookReply::read(&response.body) else {
            let error = message!("app-delivery-no-answer").into();
            return Ok(RecordedAttempt::done(WebhookOutcome::Delivered, status, Some(error)));
        };
        let error = match self.app.answer_for_webhook(self.webhook, ticket.clone(), answer, None).await {
            Ok(answered) => {
                let asked_again = |problem| message!("app-delivery-asked-again", problem);
                let error = answered.asked_again.map(asked_again).map(Into::into);
                return Ok(RecordedAttempt::done(WebhookOutcome::Answered, status, error));
            }
            Err(TurnError::Over { .. }) => message!("app-delivery-too-late").into(),
            Err(TurnError::CannotSkip) => message!("app-delivery-cannot-skip").into(),
            Err(TurnError::Denied(denial)) => denial.in_both().0,
            Err(TurnError::Service(error)) => return Err(error),
        };
        Ok(RecordedAttempt::done(WebhookOutcome::Delivered, status, Some(error)))
    }

    async fn postpone(&self, wait_ms: u64) -> Result<(), ServiceError> {
        let due = clock::now().plus_ms(wait_ms);
        Ok(self.app.store().postpone_webhook_message(self.message.key, due).await?)
    }

    async fn disable(&self, reason: StopReason) -> Result<(), ServiceError> {
        if self.app.store().disable_webhook(&self.webhook.id, reason, clock::now()).await? {
            tracing::warn!(webhook = %self.webhook.id, because = reason.as_str(), "a webhook is disabled");
            self.app.webhooks_changed();
        }
        Ok(())
    }

    async fn note(&self, noted: RecordedAttempt, latency_ms: u64, attempt: u32) -> Result<(), ServiceError> {
        let (meeting, seq) = match &self.message.subject {
            MessageSubject::Turn { meeting, .. } => (meeting.clone(), None),
            MessageSubject::Event { meeting, seq } => (Some(meeting.clone()), Some(*seq)),
        };
        let delivery = WebhookDelivery {
            message: self.message.id.clone(),
            kind: self.message.subject.kind().to_owned(),
            meeting,
            seq,
            attempt,
            at_ms: self.began,
            latency_ms,
            outcome: noted.outcome.as_str().to_owned(),
            status: noted.status,
            error: noted.error.as_ref().map(error_text::kept),
            next_ms: noted.next.map(|wait| clock::now().plus_ms(ms(wait))),
        };
        let message = Some((self.message.key, noted.state));
        let breaker = breaker_of(self.app, &self.webhook.id);
        Ok(self.app.store().note_webhook_delivery(&self.webhook.id, message, delivery, breaker).await?)
    }
}

/// What a message about a turn met with, where it was not accepted, or with something that is no answer.
fn trouble_of(response: &Result<WebhookResponse, WebhookFailure>) -> Option<DeliveryTrouble> {
    match response {
        Ok(response) if !is_success(response.status) => Some(DeliveryTrouble::Status(response.status)),
        Ok(response) if response.status == 200 && !response.body.trim_ascii().is_empty() => {
            WebhookReply::read(&response.body).is_none().then_some(DeliveryTrouble::NoAnswer)
        }
        Ok(_) => None,
        Err(WebhookFailure::TimedOut(_)) => Some(DeliveryTrouble::Slow),
        Err(WebhookFailure::TooLong(_)) => Some(DeliveryTrouble::NoAnswer),
        Err(WebhookFailure::Network(_) | WebhookFailure::Address(_) | WebhookFailure::Open { .. }) => {
            Some(DeliveryTrouble::Unreachable)
        }
    }
}

/// The failure, with the wait before the next attempt if there is one. `asked`: the wait that the receiver asks for;
/// `deadline`: the end of the turn, where it is about one.
fn retry(
    attempts: u32,
    failed: RecordedAttempt,
    asked: Option<Duration>,
    deadline: Option<Timestamp>,
) -> RecordedAttempt {
    let next = match deadline {
        Some(deadline) => {
            let left = Duration::from_millis(deadline.since_ms(clock::now()));
            Some(retry_turn(attempts, asked, left))
        }
        None => retry_event(attempts, asked),
    };
    match next {
        Some(_) => RecordedAttempt { state: MessageState::Waiting, next, ..failed },
        None => failed,
    }
}

/// What is to be kept of the circuit breaker of a webhook.
fn breaker_of(app: &App, webhook: &str) -> WebhookBreaker {
    let BreakerState { failures, pauses, wait } = app.webhook_sender().breaker_state(webhook);
    WebhookBreaker { failures, pauses, until: wait.map(|wait| clock::now().plus_ms(ms(wait))) }
}

async fn send(
    app: &App,
    webhook: &Webhook,
    id: &str,
    body: Vec<u8>,
    timeout: Duration,
    answer_max: usize,
    is_test: bool,
) -> Result<DeliveryAttempt, ServiceError> {
    let began = Instant::now();
    let secrets = app.store().webhook_secrets(&webhook.id).await?;
    let secrets = secrets.map_or_else(Vec::new, |secrets| good_at(secrets, clock::now().0));
    let response = match webhook.url.parse() {
        Ok(url) => {
            let request = WebhookRequest {
                webhook: webhook.id.clone(),
                url,
                public_only: webhook.public_only,
                id: id.to_owned(),
                secrets,
                body,
                timeout,
                answer_max,
                is_test,
            };
            app.webhook_sender().send(request).await
        }
        Err(_) => Err(WebhookFailure::Address(String::new())),
    };
    Ok(DeliveryAttempt { response, latency_ms: ms(began.elapsed()) })
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// The status, in the words of the protocol.
pub(super) fn http_error(status: u16) -> Wording {
    format!("HTTP {status}").into()
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
