//! Webhooks: turns and events that are pushed to the addresses of remote agents and programs.
//!
//! A webhook acts as a principal of its own kind, in the name of the person who created it. What it is sent, and what
//! it may answer, passes the same checks as what other principals ask for.

mod answer;
mod callback;
mod delivery;
mod dispatch;
mod error_text;
mod in_progress;
mod manage;
mod message;
mod unreachable;
mod view;

pub use answer::WebhookReply;
pub use callback::{WebhookCall, WebhookCallBack, WebhookCallError};
pub(crate) use in_progress::PendingCallbacks;
pub use manage::WebhookChange;
pub use view::{
    NewSecret, WebhookDeliveryView, WebhookOutcome, WebhookStopReason, WebhookTestResult, WebhookView,
};

use quorate_contract::Timestamp;
use quorate_store::Webhook;

use crate::operation::principal::Principal;

/// Whether anything is sent to a webhook and taken from it: it is enabled, and the token that created it holds.
pub(crate) fn is_active(webhook: &Webhook, now: Timestamp) -> bool {
    webhook.enabled && webhook.expires_ms.is_none_or(|end| end > now)
}

/// The principal of a webhook.
fn principal_of(webhook: &Webhook) -> Principal {
    let name = webhook.agent.clone().unwrap_or_else(|| webhook.id.clone());
    Principal::of_webhook(&webhook.id, name, webhook.by.clone(), webhook.meeting.clone())
}
