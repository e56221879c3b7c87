//! Turns whose webhook is disabled while they are open: nobody else is asked for their answer, so they end at once.

use quorate_contract::{Failure, FailureKind, TurnDelivery};
use quorate_messages::message;
use quorate_runners::{OfferedTurn, Respondent};
use quorate_store::{StopReason, Webhook};

use super::{is_active, principal_of};
use crate::attendance::presence::LivePresence;
use crate::clock;
use crate::error::ServiceError;
use crate::use_cases::App;

impl App {
    /// Ends the open turns of a webhook that has just been disabled. They stay open where another webhook takes them, or
    /// where the agent is there and can fetch them.
    pub(super) async fn fail_turns_of_webhook(
        &self,
        webhook: &Webhook,
        reason: StopReason,
    ) -> Result<(), ServiceError> {
        let principal = principal_of(webhook);
        let agent = Respondent { via: TurnDelivery::Agent, name: principal.name.clone() };
        if !webhook.turns || self.presence_of(&agent).0 != LivePresence::Offline {
            return Ok(());
        }
        let (now, all) = (clock::now(), self.store().webhooks().await?);
        let takes = |other: &Webhook, turn: &OfferedTurn| {
            let is_its = principal_of(other).name == principal.name && other.turns;
            is_its && is_active(other, now) && other.meeting.as_ref().is_none_or(|id| *id == turn.meeting)
        };
        let detail = match reason {
            StopReason::Gone => message!("failure-webhook-gone"),
            _ => message!("failure-webhook-failing"),
        };
        for turn in self.open_turns(&principal, webhook.meeting.as_ref()) {
            if !all.iter().any(|other| takes(other, &turn)) {
                let hint = message!("remedy-repair-receiver");
                let failure = Failure::unsent(FailureKind::NotConfigured, detail.clone(), hint);
                self.fail_turn(&turn, failure).await?;
            }
        }
        Ok(())
    }
}
