//! The use cases of those who manage webhooks.

use quorate_contract::{EventBody, Language, MeetingId, NAME_MAX_CHARS, clean, clean_within};
use quorate_messages::{Message, message};
use quorate_runners::{Secret, WebhookAddressError, check_webhook_address, new_webhook_secret};
use quorate_store::{Page, StopReason, Webhook};
use serde::{Deserialize, Deserializer};

use super::delivery::{Delivery, DeliveryAttempt};
use super::error_text;
use super::view::{NewSecret, WebhookDeliveryView, WebhookStopReason, WebhookTestResult, WebhookView};
use crate::clock;
use crate::error::{ErrorKind, ServiceError};
use crate::operation::principal::{Principal, PrincipalKind, Scope};
use crate::use_cases::App;

/// The most webhooks of one database.
const WEBHOOKS_MAX: usize = 100;

/// The longest address, in bytes.
const URL_MAX: usize = 2_000;

/// How long the secret before stays good unless the request says otherwise, in hours.
const GRACE_HOURS: u32 = 24;

/// The longest time that it can stay good, in hours.
const GRACE_HOURS_MAX: u32 = 24 * 30;

/// All kinds of events.
const ALL_EVENTS: &str = "*";

/// The settings of a webhook. A field that is left out keeps its value.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WebhookChange {
    /// The URL, `https://…`. `http://` is allowed for addresses of this machine if the operator allows them.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 2000))]
    pub url: Option<String>,
    /// The agent that the webhook answers for, in the seats `agent/NAME` and `webhook/NAME`; `null` for none.
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, min_length = 1, max_length = 50))]
    pub agent: Option<Option<String>>,
    /// Whether the agent's turns are sent; when left out, they are sent if `agent` is set.
    pub turns: Option<bool>,
    /// The types of events that are sent, as in the log: `agent_message`, `finished`; `*` for all.
    #[cfg_attr(feature = "openapi", schema(max_items = 100))]
    pub events: Option<Vec<String>>,
    /// The only meeting whose messages are sent; `null` for all meetings.
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub meeting: Option<Option<MeetingId>>,
    /// Whether messages are sent to the webhook.
    pub enabled: Option<bool>,
    /// Whether the address may lie on this machine or its network. Only the operator may allow it.
    #[serde(skip)]
    pub allow_local: bool,
}

/// Distinguishes `null` from a missing field.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

impl App {
    /// The webhooks that a principal may manage, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read; so in all that follows.
    pub async fn webhooks(&self, principal: &Principal) -> Result<Vec<WebhookView>, ServiceError> {
        let all = self.store().webhooks().await?;
        let own = all.into_iter().filter(|webhook| is_theirs(webhook, principal));
        Ok(own.map(|webhook| self.webhook_view(webhook)).collect())
    }

    /// One webhook.
    ///
    /// # Errors
    /// When there is none of this id that the principal may manage.
    pub async fn webhook(&self, principal: &Principal, id: &str) -> Result<WebhookView, ServiceError> {
        Ok(self.webhook_view(self.own_webhook(principal, id).await?))
    }

    /// Creates a webhook. Its secret is given this once.
    ///
    /// # Errors
    /// When something about the request is not right, or there are too many.
    pub async fn create_webhook(
        &self,
        principal: &Principal,
        request: WebhookChange,
    ) -> Result<(WebhookView, NewSecret), ServiceError> {
        if self.store().webhooks().await?.len() >= WEBHOOKS_MAX {
            let message = message!("app-too-many-webhooks", count = WEBHOOKS_MAX as u64);
            return Err(ServiceError::usage(message, message!("app-too-many-webhooks-hint")));
        }
        let now = clock::now();
        let blank = Webhook {
            id: uuid::Uuid::now_v7().to_string(),
            url: String::new(),
            agent: None,
            turns: false,
            events: Vec::new(),
            meeting: None,
            enabled: true,
            disabled_because: None,
            public_only: true,
            by: principal.person().name,
            token: token_of(principal),
            expires_ms: None,
            created_ms: now,
            updated_ms: now,
        };
        let turns = request.turns.unwrap_or(request.agent.as_ref().is_some_and(Option::is_some));
        let url = request.url.clone().unwrap_or_default();
        let request = WebhookChange { turns: Some(turns), url: Some(url), ..request };
        let webhook = self.changed_webhook(blank, request).await?;
        let secret = new_secret()?;
        self.store().create_webhook(webhook.clone(), secret.clone()).await?;
        self.webhooks_changed();
        Ok((self.webhook_view(webhook), NewSecret { secret, previous_expires_at: None }))
    }

    /// Changes what is given about a webhook.
    ///
    /// # Errors
    /// When something about the request is not right, or there is no such webhook.
    pub async fn change_webhook(
        &self,
        principal: &Principal,
        id: &str,
        request: WebhookChange,
    ) -> Result<WebhookView, ServiceError> {
        let before = self.own_webhook(principal, id).await?;
        let mut webhook = self.changed_webhook(before.clone(), request).await?;
        webhook.updated_ms = clock::now();
        let is_ownerless = before.disabled_because.is_some_and(StopReason::leaves_no_owner);
        if is_ownerless && webhook.enabled {
            // From now on it acts for whoever wants it again.
            (webhook.by, webhook.token) = (principal.person().name, token_of(principal));
        }
        if webhook.url != before.url || webhook.enabled != before.enabled {
            self.webhook_sender().forget(id);
        }
        match self.store().update_webhook(webhook.clone()).await? {
            true => self.webhooks_changed(),
            false => return Err(no_such_webhook(id)),
        }
        Ok(self.webhook_view(webhook))
    }

    /// Deletes a webhook with its outbox and its log.
    ///
    /// # Errors
    /// When there is no such webhook.
    pub async fn delete_webhook(&self, principal: &Principal, id: &str) -> Result<(), ServiceError> {
        self.own_webhook(principal, id).await?;
        self.store().delete_webhook(id).await?;
        self.webhook_sender().forget(id);
        self.webhooks_changed();
        Ok(())
    }

    /// Gives a webhook another secret. For some hours messages are signed with both, and both are accepted.
    ///
    /// # Errors
    /// When there is no such webhook, or the time is out of range.
    pub async fn rotate_webhook_secret(
        &self,
        principal: &Principal,
        id: &str,
        grace_hours: Option<u32>,
    ) -> Result<NewSecret, ServiceError> {
        let hours = grace_hours.unwrap_or(GRACE_HOURS);
        if hours > GRACE_HOURS_MAX {
            let message = message!("app-webhook-grace", most = u64::from(GRACE_HOURS_MAX));
            let hint = message!("app-webhook-grace-hint", usual = u64::from(GRACE_HOURS));
            return Err(ServiceError::usage(message, hint).with("field", "grace_hours"));
        }
        self.own_webhook(principal, id).await?;
        let (secret, now) = (new_secret()?, clock::now());
        let until = now.plus_ms(u64::from(hours) * 60 * 60 * 1000);
        match self.store().rotate_webhook_secret(id, secret.clone(), until, now).await? {
            true => Ok(NewSecret { secret, previous_expires_at: Some(until) }),
            false => Err(no_such_webhook(id)),
        }
    }

    /// A page of the attempts to deliver to a webhook, the newest first.
    ///
    /// # Errors
    /// When there is no such webhook, or the cursor is none of this list.
    pub async fn webhook_deliveries(
        &self,
        principal: &Principal,
        id: &str,
        cursor: Option<&str>,
        limit: u32,
        language: Language,
    ) -> Result<Page<WebhookDeliveryView>, ServiceError> {
        self.own_webhook(principal, id).await?;
        let page = self.store().webhook_deliveries(id, cursor, limit).await?;
        let items = page.items.into_iter();
        let items = items.map(|delivery| WebhookDeliveryView::of(delivery, language)).collect();
        Ok(Page { items, next: page.next })
    }

    /// Delivers a message once more, under the same id.
    ///
    /// # Errors
    /// When there is no such webhook, or it keeps no message of this id.
    pub async fn redeliver_webhook_message(
        &self,
        principal: &Principal,
        id: &str,
        message: &str,
    ) -> Result<(), ServiceError> {
        self.own_webhook(principal, id).await?;
        match self.store().redeliver_webhook_message(id, message, clock::now()).await? {
            true => {
                self.webhooks_changed();
                Ok(())
            }
            false => {
                let text = message!("app-no-webhook-message", id = message);
                let error = ServiceError::usage(text, message!("app-no-webhook-message-hint"));
                Err(error.not_found("message", message))
            }
        }
    }

    /// Sends a message of the type `webhook.test`, and waits for the answer.
    ///
    /// # Errors
    /// When there is no such webhook. A receiver that fails is a result.
    pub async fn test_webhook(
        &self,
        principal: &Principal,
        id: &str,
        language: Language,
    ) -> Result<WebhookTestResult, ServiceError> {
        let webhook = self.own_webhook(principal, id).await?;
        let DeliveryAttempt { response, latency_ms } = Delivery::test(self, &webhook).await?;
        Ok(match response {
            Ok(response) => {
                let ok = (200..300).contains(&response.status);
                let error = (!ok).then(|| format!("HTTP {}", response.status));
                WebhookTestResult { ok, status: Some(response.status), latency_ms, error }
            }
            Err(failure) => {
                let error = error_text::failure(&webhook, &failure);
                let error = Some(clean(error.for_reader(language)));
                WebhookTestResult { ok: false, status: None, latency_ms, error }
            }
        })
    }

    /// A webhook that a principal may manage: its own, or as the owner any.
    async fn own_webhook(&self, principal: &Principal, id: &str) -> Result<Webhook, ServiceError> {
        let found = self.store().webhook(id).await?;
        found.filter(|webhook| is_theirs(webhook, principal)).ok_or_else(|| no_such_webhook(id))
    }

    fn webhook_view(&self, webhook: Webhook) -> WebhookView {
        let pause = self.webhook_sender().pause_of(&webhook.id);
        let off_record = webhook.meeting.as_ref().is_some_and(|meeting| self.is_off_record(meeting));
        let ms = |pause: std::time::Duration| u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        WebhookView {
            id: webhook.id,
            url: webhook.url,
            agent: webhook.agent,
            turns: webhook.turns,
            events: webhook.events,
            meeting: webhook.meeting,
            enabled: webhook.enabled,
            disabled_because: webhook.disabled_because.map(WebhookStopReason::of),
            off_record,
            resumes_at: pause.map(|pause| clock::now().plus_ms(ms(pause))),
            by: webhook.by,
            created_at: webhook.created_ms,
            updated_at: webhook.updated_ms,
        }
    }

    /// A webhook as it is after a request.
    async fn changed_webhook(
        &self,
        mut webhook: Webhook,
        request: WebhookChange,
    ) -> Result<Webhook, ServiceError> {
        if let Some(url) = request.url {
            (webhook.url, webhook.public_only) =
                (checked_url(&url, !request.allow_local)?, !request.allow_local);
        }
        if let Some(agent) = request.agent {
            let name = |agent: String| {
                clean_within(&agent, 1, NAME_MAX_CHARS).ok_or_else(|| {
                    let message = message!("app-webhook-agent");
                    ServiceError::usage(message, message!("app-webhook-agent-hint")).with("field", "agent")
                })
            };
            webhook.agent = agent.map(name).transpose()?;
        }
        if let Some(events) = request.events {
            webhook.events = checked_events(events)?;
        }
        if let Some(meeting) = request.meeting {
            if let Some(meeting) = &meeting {
                self.load(meeting).await?;
            }
            webhook.meeting = meeting;
        }
        webhook.turns = request.turns.unwrap_or(webhook.turns);
        if webhook.turns && webhook.agent.is_none() {
            let message = message!("app-webhook-without-agent");
            let hint = message!("app-webhook-without-agent-hint");
            return Err(ServiceError::usage(message, hint).with("field", "agent"));
        }
        if !webhook.turns && webhook.events.is_empty() {
            let message = message!("app-webhook-about-nothing");
            let hint = message!("app-webhook-about-nothing-hint");
            return Err(ServiceError::usage(message, hint).with("field", "events"));
        }
        let off_record = webhook.meeting.as_ref().is_some_and(|meeting| self.is_off_record(meeting));
        if off_record && !webhook.turns {
            let message = message!("app-webhook-off-record");
            let hint = message!("app-webhook-off-record-hint");
            return Err(ServiceError::usage(message, hint).with("field", "events"));
        }
        if let Some(enabled) = request.enabled {
            webhook.enabled = enabled;
            webhook.disabled_because = None;
        }
        Ok(webhook)
    }
}

/// Whether a principal may manage a webhook: its own, or as the owner any. That of a deleted account is nobody's, also
/// when another account has its name.
fn is_theirs(webhook: &Webhook, principal: &Principal) -> bool {
    let is_orphan = webhook.disabled_because == Some(StopReason::AccountDeleted);
    principal.scope == Scope::Owner || (webhook.by == principal.person().name && !is_orphan)
}

/// The token that a principal shows, if it shows one.
fn token_of(principal: &Principal) -> Option<String> {
    match principal.kind {
        PrincipalKind::Token | PrincipalKind::Agent => Some(principal.id.clone()),
        PrincipalKind::Owner
        | PrincipalKind::Account
        | PrincipalKind::Guest
        | PrincipalKind::ResultLink
        | PrincipalKind::Webhook => None,
    }
}

fn no_such_webhook(id: &str) -> ServiceError {
    ServiceError::usage(message!("app-no-webhook", %id), message!("app-no-webhook-hint"))
        .not_found("webhook", id)
}

fn new_secret() -> Result<Secret, ServiceError> {
    let message = || message!("app-webhook-no-secret");
    let error =
        || ServiceError::new(message(), message!("app-password-not-hashed-hint")).of(ErrorKind::Internal);
    new_webhook_secret().ok_or_else(error)
}

fn checked_url(text: &str, public_only: bool) -> Result<String, ServiceError> {
    let text = text.trim();
    let refused = |message| {
        let hint = message!("app-webhook-url-hint");
        Err(ServiceError::usage(message, hint).with("field", "url"))
    };
    let Ok(url) = url::Url::parse(text) else { return refused(message!("app-webhook-url")) };
    if text.len() > URL_MAX {
        return refused(message!("app-webhook-url-long", most = URL_MAX as u64));
    }
    match check_webhook_address(&url, public_only) {
        Ok(()) => Ok(url.into()),
        Err(error @ WebhookAddressError::NotPublic(_)) => {
            let hint = message!("app-webhook-private-hint");
            Err(ServiceError::usage(address_problem(&error), hint).with("field", "url"))
        }
        Err(error) => refused(address_problem(&error)),
    }
}

/// What is wrong with the address of a webhook.
pub(super) fn address_problem(error: &WebhookAddressError) -> Message {
    match error {
        WebhookAddressError::NotHttps => message!("app-webhook-not-https"),
        WebhookAddressError::Decorated => message!("app-webhook-decorated"),
        WebhookAddressError::NotPublic(_) => message!("app-webhook-private"),
    }
}

fn checked_events(events: Vec<String>) -> Result<Vec<String>, ServiceError> {
    let mut known: Vec<String> = Vec::new();
    for kind in events {
        if kind != ALL_EVENTS && !EventBody::KINDS.contains(&kind.as_str()) {
            let all = EventBody::KINDS.join(", ");
            let message = message!("app-webhook-event", kind = clean(&kind));
            let hint = message!("app-webhook-event-hint", all);
            return Err(ServiceError::usage(message, hint).with("field", "events"));
        }
        if !known.contains(&kind) {
            known.push(kind);
        }
    }
    Ok(known)
}
