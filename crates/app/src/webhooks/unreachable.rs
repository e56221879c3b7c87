//! Turns whose webhook is disabled or deleted while they are open: nobody else is asked for their answer, so they end at once.

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
    /// Ends the open turns of webhooks that took turns `before` and do not any more, whoever disabled or deleted them. They
    /// stay open where another webhook takes them, or where the agent is there and can fetch them.
    pub(super) async fn fail_turns_of_stopped_webhooks(
        &self,
        before: &[Webhook],
    ) -> Result<(), ServiceError> {
        if !before.iter().any(|webhook| webhook.turns) {
            return Ok(());
        }
        let (now, all) = (clock::now(), self.store().webhooks().await?);
        for webhook in before.iter().filter(|webhook| webhook.turns) {
            let present = all.iter().find(|other| other.id == webhook.id);
            if !present.is_some_and(|present| present.turns && is_active(present, now)) {
                self.fail_turns_of_webhook(webhook, present, &all).await?;
            }
        }
        Ok(())
    }

    async fn fail_turns_of_webhook(
        &self,
        webhook: &Webhook,
        present: Option<&Webhook>,
        all: &[Webhook],
    ) -> Result<(), ServiceError> {
        let principal = principal_of(webhook);
        let agent = Respondent { via: TurnDelivery::Agent, name: principal.name.clone() };
        if self.presence_of(&agent).0 != LivePresence::Offline {
            return Ok(());
        }
        let now = clock::now();
        let takes = |other: &Webhook, turn: &OfferedTurn| {
            let is_its = principal_of(other).name == principal.name && other.turns;
            is_its && is_active(other, now) && other.meeting.as_ref().is_none_or(|id| *id == turn.meeting)
        };
        let (detail, hint) = match present.map(|present| present.disabled_because) {
            Some(Some(StopReason::Gone)) => {
                (message!("failure-webhook-gone"), message!("remedy-repair-receiver"))
            }
            Some(Some(StopReason::Failing)) => {
                (message!("failure-webhook-failing"), message!("remedy-repair-receiver"))
            }
            Some(
                None
                | Some(
                    StopReason::TokenRevoked
                    | StopReason::TokenExpired
                    | StopReason::AccountDeleted
                    | StopReason::AgentDeleted,
                ),
            ) => (message!("failure-webhook-disabled"), message!("remedy-enable-webhook")),
            None => (message!("failure-webhook-deleted"), message!("remedy-add-webhook")),
        };
        for turn in self.open_turns(&principal, webhook.meeting.as_ref()) {
            if !all.iter().any(|other| takes(other, &turn)) {
                let failure = Failure::unsent(FailureKind::NotConfigured, detail.clone(), hint.clone());
                self.fail_turn(&turn, failure).await?;
            }
        }
        Ok(())
    }
}
