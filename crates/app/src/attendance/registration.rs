//! Agents that register themselves and take a seat.

use std::collections::BTreeSet;

use quorate_contract::{
    AgentId, Command, MeetingId, NAME_MAX_CHARS, Newcomer, ROLE_MAX_CHARS, Refusal, Role, RunnerSpec,
    TurnDelivery, clean, clean_within, length,
};
use quorate_core::Meeting;
use quorate_messages::message;
use quorate_store::{Agent, AgentProfile, StoreError};
use serde::Deserialize;
use unic_langid::LanguageIdentifier;

use crate::error::ServiceError;
use crate::meeting_file::display::time_zone;
use crate::operation::callers_seat::seat_of;
use crate::operation::principal::{Principal, PrincipalKind};
use crate::operation::use_case::UseCase;
use crate::use_cases::App;

/// The most capabilities of one agent.
const CAPABILITIES_MAX: usize = 20;

/// An agent's registration.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RegisterAgentRequest {
    /// The agent's strengths and point of view; the other participants read it. A change holds at meetings that the agent
    /// joins afterwards.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 2000))]
    pub introduction: String,
    /// The name of the role; `Agent` when left out. A change holds at meetings that the agent joins afterwards.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 50))]
    pub role: Option<String>,
    /// The agent's capabilities: at most 20, of 1-50 characters each.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    pub capabilities: Vec<String>,
    /// The agent's preferred language, as a BCP 47 tag.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 50))]
    pub language: Option<String>,
    /// The agent's time zone, as an IANA name.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 50))]
    pub time_zone: Option<String>,
    /// The skip list at all meetings that have not ended where the agent has a seat, and at those that it joins from now on:
    /// when every message since its last message is one of these phrases, its turn is skipped without a call. A phrase that
    /// begins with `/` or `!` is a command and also matches with anything after it.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_items = 50))]
    pub skip_list: Vec<String>,
}

/// The longest language tag, in bytes.
const LANGUAGE_TAG_MAX: usize = 50;

impl App {
    /// Registers the calling agent in the library under its own name, or changes its introduction.
    ///
    /// # Errors
    /// When the caller is no agent, something of the introduction is not right, or the name is that of another agent.
    pub async fn register_agent(
        &self,
        principal: &Principal,
        introduction: RegisterAgentRequest,
    ) -> Result<Agent, ServiceError> {
        let name = agent_name(principal)?;
        let profile = profile(&introduction)?;
        length("introduction", &introduction.introduction, 1, ROLE_MAX_CHARS)?;
        introduction.role.iter().try_for_each(|role| length("role", role, 1, NAME_MAX_CHARS))?;
        let skip_list = introduction.skip_list;
        let role = Role {
            name: introduction.role.map_or_else(|| "Agent".to_owned(), |role| clean(&role)),
            description: clean(&introduction.introduction),
            system_prompt: String::new(),
        };
        let now = crate::clock::now();
        match self.store().agent(name).await {
            Ok(known) if known.name == name => {
                if !is_self(&known.runner, name) {
                    let message = message!("app-agent-name-in-use", %name);
                    let hint = message!("app-agent-name-in-use-hint");
                    return Err(ServiceError::usage(message, hint).with("field", "agent"));
                }
                let agent = Agent { role, profile: Some(profile), skip_list, updated_ms: now, ..known };
                let agent = self.store().update_agent(agent, None).await?;
                self.change_seats(principal, &agent.skip_list).await?;
                Ok(agent)
            }
            Ok(_) | Err(StoreError::NoSuchAgent { .. }) => {
                let agent = Agent {
                    id: AgentId::new(uuid::Uuid::now_v7().to_string()),
                    name: name.to_owned(),
                    role,
                    runner: RunnerSpec::External { via: TurnDelivery::Agent, name: name.to_owned() },
                    profile: Some(profile),
                    skip_list,
                    created_ms: now,
                    updated_ms: now,
                };
                Ok(self.store().create_agent(agent, None).await?)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Gives the seats of an agent its new skip list at all meetings that have not ended, whether they are in memory or not. A
    /// meeting that ends meanwhile keeps the old one.
    async fn change_seats(&self, principal: &Principal, skip_list: &[String]) -> Result<(), ServiceError> {
        // What is off the record is only in memory.
        let mut meetings = self.engine().live();
        meetings.extend(self.store().meetings_joined_by(&principal.name).await?);
        let mut seen = BTreeSet::new();
        for id in meetings.into_iter().filter(|id| seen.insert(id.clone())) {
            let Ok(meeting) = self.load(&id).await else { continue };
            let Some(seat) = seat_of(&meeting, principal).filter(|_| !meeting.is_over()) else { continue };
            if seat.participant.skip_list == skip_list {
                continue;
            }
            let command = Command::ChangeParticipant {
                by: principal.actor(),
                participant: seat.participant.id.to_string(),
                presence: None,
                skip_list: Some(skip_list.to_vec()),
            };
            if principal.may(UseCase::AnswerTurn.definition().permission, Some(id.as_str()))
                && let Err(error) = self.command(principal, &id, command).await
            {
                tracing::warn!(meeting = %id, %error, "the skip list of a seated agent was not changed");
            }
        }
        Ok(())
    }

    /// Seats the calling agent at a meeting, and gives its name at the table. An agent that has a seat keeps it.
    ///
    /// # Errors
    /// When the caller is no agent, is not registered, or the meeting takes nobody in.
    pub(crate) async fn seat_agent(
        &self,
        principal: &Principal,
        id: &MeetingId,
    ) -> Result<String, ServiceError> {
        let name = agent_name(principal)?;
        let seated = |meeting: &Meeting| Some(seat_of(meeting, principal)?.participant.name.clone());
        if let Some(seated) = seated(&self.load(id).await?) {
            return Ok(seated);
        }
        let agent = self.store().agent(name).await.map_err(|error| match error {
            StoreError::NoSuchAgent { .. } => {
                let message = message!("app-agent-unregistered");
                let hint = message!("app-agent-unregistered-hint");
                ServiceError::usage(message, hint)
            }
            other => other.into(),
        })?;
        let newcomer = Newcomer {
            name: agent.name,
            role: agent.role,
            runner: RunnerSpec::External { via: TurnDelivery::Agent, name: name.to_owned() },
            skip_list: agent.skip_list,
        };
        let command = Command::Join { by: principal.actor(), newcomer: Box::new(newcomer) };
        match self.command(principal, id, command).await {
            Ok(_) => Ok(name.to_owned()),
            // A second call of the same agent was quicker.
            Err(error) if matches!(error.refusal(), Some(Refusal::NameTaken { .. })) => {
                seated(&self.load(id).await?).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }
}

fn is_self(runner: &RunnerSpec, agent: &str) -> bool {
    matches!(runner, RunnerSpec::External { via: TurnDelivery::Agent, name } if name == agent)
}

fn agent_name(principal: &Principal) -> Result<&str, ServiceError> {
    match principal.kind {
        PrincipalKind::Agent => Ok(&principal.name),
        _ => {
            let message = message!("app-token-without-agent");
            let hint = message!("app-token-without-agent-hint");
            Err(ServiceError::usage(message, hint))
        }
    }
}

fn profile(introduction: &RegisterAgentRequest) -> Result<AgentProfile, ServiceError> {
    let wrong = || {
        let (message, hint) =
            (message!("app-registration-capabilities"), message!("app-registration-capabilities-hint"));
        ServiceError::usage(message, hint).with("field", "capabilities")
    };
    let capabilities = &introduction.capabilities;
    if capabilities.len() > CAPABILITIES_MAX {
        return Err(wrong());
    }
    let short = |text: &String| clean_within(text, 1, NAME_MAX_CHARS).ok_or_else(wrong);
    let capabilities: Vec<String> = capabilities.iter().map(short).collect::<Result<_, _>>()?;
    let language = introduction.language.as_deref().map(language_tag).transpose()?;
    let time_zone = introduction.time_zone.as_deref().map(|text| time_zone("time_zone", text)).transpose()?;
    let time_zone = time_zone.map(|zone| zone.as_str().to_owned());
    Ok(AgentProfile { capabilities, language, time_zone })
}

/// A language as a BCP 47 tag, in its usual spelling.
fn language_tag(text: &str) -> Result<String, ServiceError> {
    let tag: Option<LanguageIdentifier> = text.parse().ok().filter(|_| text.len() <= LANGUAGE_TAG_MAX);
    tag.map(|tag| tag.to_string()).ok_or_else(|| {
        let (message, hint) =
            (message!("app-registration-language"), message!("app-registration-language-hint"));
        ServiceError::usage(message, hint).with("field", "language")
    })
}
