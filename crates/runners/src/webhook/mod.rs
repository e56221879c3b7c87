//! Webhooks: signed messages to the addresses of remote agents and programs, as in Standard Webhooks
//! (<https://www.standardwebhooks.com>).

mod address;
mod schedule;
mod sender;
mod signature;

pub use crate::model::breaker::BreakerState;
pub use address::{WebhookAddressError, check_webhook_address};
pub use schedule::{retry_event, retry_turn};
pub use sender::{WebhookFailure, WebhookRequest, WebhookResponse, WebhookSender};
pub use signature::{new_webhook_secret, sign_webhook, verify_webhook};
