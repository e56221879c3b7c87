//! Who is present, as the application notes and tells it, and when agents were last seen, as the database keeps it.

use std::time::{Duration, Instant};

use quorate_contract::{RunnerSpec, Timestamp, TurnDelivery};
use quorate_runners::Respondent;
use quorate_store::{Agent, SeenAgent, StoreError};
use serde::Serialize;
use tokio::time::{MissedTickBehavior, interval_at};

use super::App;
use crate::attendance::presence::LivePresence;
use crate::operation::callers_seat::respondent;
use crate::operation::principal::{Principal, PrincipalKind};
use crate::operation::use_case::UseCase;

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
    /// Notes that a principal does something. A program that acts for a person is not that person, unless it holds the
    /// person's seat, as the terminal does.
    pub(crate) fn touch_presence_by(&self, use_case: UseCase, principal: &Principal) {
        let holds_seat = matches!(
            use_case,
            UseCase::JoinMeeting | UseCase::ListTurns | UseCase::AnswerTurn | UseCase::SkipTurn
        );
        if holds_seat && principal.kind == PrincipalKind::Token {
            return self.presence().touch(respondent(principal), Instant::now(), self.now());
        }
        self.touch_presence(principal);
    }

    /// Notes that a principal is there. A program that acts for a person is not that person.
    pub fn touch_presence(&self, principal: &Principal) {
        if principal.kind != PrincipalKind::Token {
            self.presence().touch(respondent(principal), Instant::now(), self.now());
        }
    }

    /// Notes what a principal says of itself.
    pub fn state_presence(&self, principal: &Principal, presence: LivePresence) {
        self.presence().state(respondent(principal), Instant::now(), self.now(), presence);
    }

    /// Whether somebody is there, and when they were last seen.
    pub(crate) fn presence_of(&self, who: &Respondent) -> (LivePresence, Option<Timestamp>) {
        self.presence().of(who, Instant::now())
    }

    /// The same, however the turns of an agent reach it.
    pub(crate) fn latest_presence(&self, who: &Respondent) -> (LivePresence, Option<Timestamp>) {
        let seen = ways_of(who).into_iter().map(|way| self.presence_of(&way));
        seen.max_by_key(|(_, at)| *at).unwrap_or((LivePresence::Offline, None))
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
        let who = Respondent { via: TurnDelivery::Agent, name };
        let (latest, last_seen_at) = self.latest_presence(&who);
        let presence = match latest {
            LivePresence::Offline => LivePresence::Offline,
            there if ways_of(&who).iter().all(|way| self.turn_board().open(way, None).is_empty()) => there,
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

/// The ways by which turns may reach a respondent: an agent is one agent, whichever its seat names.
fn ways_of(who: &Respondent) -> Vec<Respondent> {
    match who.via {
        TurnDelivery::Person => vec![who.clone()],
        TurnDelivery::Agent | TurnDelivery::Webhook => [TurnDelivery::Agent, TurnDelivery::Webhook]
            .into_iter()
            .map(|via| Respondent { via, name: who.name.clone() })
            .collect(),
    }
}
