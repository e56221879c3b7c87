//! Who is present, as the application notes and tells it, and when agents were last seen, as the database keeps it.

use std::time::{Duration, Instant};

use quorate_contract::{RunnerSpec, Timestamp, TurnDelivery};
use quorate_runners::Respondent;
use quorate_store::{Agent, SeenAgent, StoreError};
use serde::Serialize;
use tokio::time::{MissedTickBehavior, interval_at};

use super::App;
use crate::attendance::presence::LivePresence;
use crate::clock::now;
use crate::operation::callers_seat::respondent;
use crate::operation::principal::{Principal, PrincipalKind};

/// How often it is written when agents were last seen.
const KEEP_EVERY: Duration = Duration::from_secs(60);

/// An agent of the library, with whether it is there.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AgentEntry {
    /// The agent.
    #[serde(flatten)]
    pub agent: Agent,
    /// Whether it is there; `null` for one that does not connect itself.
    pub presence: Option<LivePresence>,
    /// When it was last seen; `null` when it never was, or does not connect itself.
    pub last_seen_at: Option<Timestamp>,
}

impl App {
    /// Notes that a principal does something. A program that acts for a person is not that person.
    pub fn touch_presence(&self, principal: &Principal) {
        if principal.kind != PrincipalKind::Token {
            self.presence().touch(respondent(principal), Instant::now(), now());
        }
    }

    /// Notes what a principal says of itself.
    pub fn state_presence(&self, principal: &Principal, presence: LivePresence) {
        self.presence().state(respondent(principal), Instant::now(), now(), presence);
    }

    /// Whether somebody is there, and when they were last seen.
    pub(crate) fn presence_of(&self, who: &Respondent) -> (LivePresence, Option<Timestamp>) {
        self.presence().of(who, Instant::now())
    }

    /// An agent with whether it is there. One that is being asked somewhere is busy.
    pub fn agent_entry(&self, agent: Agent) -> AgentEntry {
        let name = match &agent.runner {
            RunnerSpec::External { via: TurnDelivery::Agent | TurnDelivery::Webhook, name } => name.clone(),
            RunnerSpec::External { via: TurnDelivery::Person, .. }
            | RunnerSpec::Model { .. }
            | RunnerSpec::Simulated { .. }
            | RunnerSpec::Process { .. }
            | RunnerSpec::Acp { .. } => {
                return AgentEntry { agent, presence: None, last_seen_at: None };
            }
        };
        // However its turns reach it, it is one agent.
        let ways =
            [TurnDelivery::Agent, TurnDelivery::Webhook].map(|via| Respondent { via, name: name.clone() });
        let seen = ways.each_ref().map(|way| self.presence_of(way));
        let last_seen_at = seen.iter().filter_map(|(_, at)| *at).max();
        let latest = seen.into_iter().max_by_key(|(_, at)| *at).map(|(presence, _)| presence);
        let presence = match latest.unwrap_or(LivePresence::Offline) {
            LivePresence::Offline => LivePresence::Offline,
            there if ways.iter().all(|way| self.turn_board().open(way, None).is_empty()) => there,
            LivePresence::Online | LivePresence::Busy => LivePresence::Busy,
        };
        AgentEntry { agent, presence: Some(presence), last_seen_at }
    }

    /// Writes once a minute when agents were last seen, for as long as it is polled.
    pub async fn run_presence(&self) {
        let mut due = interval_at(tokio::time::Instant::now() + KEEP_EVERY, KEEP_EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            due.tick().await;
            self.keep_presence().await;
        }
    }

    /// Writes when the agents were last seen that were since the last time.
    pub async fn keep_presence(&self) {
        let due = self.presence().take_to_keep();
        if due.is_empty() {
            return;
        }
        let seen = due.into_iter().map(|(who, at)| SeenAgent { name: who.name, at });
        let kept = self.store().keep_seen_agents(seen.collect()).await;
        if let Err(error) = kept {
            tracing::warn!(%error, "when agents were last seen could not be written");
        }
    }

    /// Takes up when agents were last seen, as the database has it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn recall_presence(&self) -> Result<(), StoreError> {
        let seen = self.store().seen_agents().await?;
        let known = |one: SeenAgent| (Respondent { via: TurnDelivery::Agent, name: one.name }, one.at);
        self.presence().recall(seen.into_iter().map(known));
        Ok(())
    }
}
