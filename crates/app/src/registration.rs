//! Agents that register themselves and take a seat.

use quorate_contract::{
    AgentId, Command, MeetingId, NAME_MAX_CHARS, Newcomer, Refusal, Role, RunnerSpec, Via, clean,
};
use quorate_core::Meeting;
use quorate_store::{Agent, AgentProfile, StoreError};
use serde::Deserialize;

use crate::app::App;
use crate::error::ServiceError;
use crate::principal::{Principal, PrincipalKind};

/// The most capabilities of one agent.
const CAPABILITIES_MAX: usize = 20;

/// How an agent introduces itself.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Introduction {
    /// What it is good at and how it looks at things; others at the table read it.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 2000))]
    pub introduction: String,
    /// Its role in a word or two; `Agent` when left out.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 50))]
    pub role: Option<String>,
    /// What it can do.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    pub capabilities: Vec<String>,
    /// The language that it prefers, as a BCP 47 tag.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 50))]
    pub language: Option<String>,
    /// Its time zone, as an IANA name.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 50))]
    pub time_zone: Option<String>,
}

impl App {
    /// Registers the calling agent in the library under its own name, or changes its introduction.
    ///
    /// # Errors
    /// When the caller is no agent, something of the introduction is not right, or the name is that of another agent.
    pub async fn register_agent(
        &self,
        principal: &Principal,
        introduction: Introduction,
    ) -> Result<Agent, ServiceError> {
        let name = agent_name(principal)?;
        let profile = profile(&introduction)?;
        let role = Role {
            name: introduction.role.map_or_else(|| "Agent".to_owned(), |role| clean(&role).trim().to_owned()),
            description: clean(&introduction.introduction).trim().to_owned(),
            system_prompt: String::new(),
        };
        let now = crate::clock::now();
        match self.store().agent(name).await {
            Ok(known) if known.name == name => {
                if !is_self(&known.runner, name) {
                    let message = (
                        format!("the library has another agent named {name:?}"),
                        format!("智能体库中已有另一个名为“{name}”的智能体"),
                    );
                    let hint =
                        ("ask for a token with another agent name", "请换一个智能体名字重新生成访问令牌");
                    return Err(ServiceError::usage(message, hint).with("field", "agent"));
                }
                let agent = Agent { role, profile: Some(profile), updated_ms: now, ..known };
                Ok(self.store().update_agent(agent, None).await?)
            }
            Ok(_) | Err(StoreError::NoSuchAgent { .. }) => {
                let agent = Agent {
                    id: AgentId::new(uuid::Uuid::now_v7().to_string()),
                    name: name.to_owned(),
                    role,
                    runner: RunnerSpec::External { via: Via::Agent, name: name.to_owned() },
                    profile: Some(profile),
                    created_ms: now,
                    updated_ms: now,
                };
                Ok(self.store().create_agent(agent, None).await?)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Seats the calling agent at a meeting, and gives its name at the table. An agent that has a seat keeps it.
    ///
    /// # Errors
    /// When the caller is no agent, is not registered, or the meeting takes nobody in.
    pub async fn join_meeting(&self, principal: &Principal, id: &MeetingId) -> Result<String, ServiceError> {
        let name = agent_name(principal)?;
        if let Some(seated) = seat_of(&self.load(id).await?, name) {
            return Ok(seated);
        }
        let agent = self.store().agent(name).await.map_err(|error| match error {
            StoreError::NoSuchAgent { .. } => {
                let message = ("the agent is not registered", "智能体尚未注册");
                let hint = (
                    "introduce it first: register_agent, or PUT /api/v1/agents/self",
                    "请先注册：register_agent，或 PUT /api/v1/agents/self",
                );
                ServiceError::usage(message, hint)
            }
            other => other.into(),
        })?;
        let newcomer = Newcomer {
            name: agent.name,
            role: agent.role,
            runner: RunnerSpec::External { via: Via::Agent, name: name.to_owned() },
        };
        let command = Command::Join { by: principal.actor(), newcomer: Box::new(newcomer) };
        match self.command(principal, id, command).await {
            Ok(_) => Ok(name.to_owned()),
            // A second call of the same agent was quicker.
            Err(error) if matches!(error.refusal(), Some(Refusal::NameTaken { .. })) => {
                seat_of(&self.load(id).await?, name).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }
}

/// The name at the table under which an agent sits there.
fn seat_of(meeting: &Meeting, name: &str) -> Option<String> {
    let mut seats = meeting.present().filter(|seat| is_self(&seat.participant.runner, name));
    seats.next().map(|seat| seat.participant.name.clone())
}

fn is_self(runner: &RunnerSpec, agent: &str) -> bool {
    matches!(runner, RunnerSpec::External { via: Via::Agent, name } if name == agent)
}

fn agent_name(principal: &Principal) -> Result<&str, ServiceError> {
    match principal.kind {
        PrincipalKind::Agent => Ok(&principal.name),
        _ => {
            let message = ("the token belongs to no agent", "这个访问令牌不属于任何智能体");
            let hint = (
                "make one with `agent`: POST /api/v1/tokens, or Settings › Access tokens",
                "生成访问令牌时填写 `agent`：POST /api/v1/tokens，或在“设置 › 访问令牌”中生成",
            );
            Err(ServiceError::usage(message, hint))
        }
    }
}

fn profile(introduction: &Introduction) -> Result<AgentProfile, ServiceError> {
    let wrong = |field: &str| {
        let message = (format!("{field} is too long"), format!("{field} 过长"));
        let hint = ("at most 20 capabilities; 50 characters each", "最多 20 项能力，每项最多 50 个字");
        ServiceError::usage(message, hint).with("field", field)
    };
    let short = |text: &String| (1..=NAME_MAX_CHARS).contains(&text.chars().count());
    let clean = |text: &String| clean(text).trim().to_owned();
    let capabilities: Vec<String> = introduction.capabilities.iter().map(clean).collect();
    if capabilities.len() > CAPABILITIES_MAX || !capabilities.iter().all(short) {
        return Err(wrong("capabilities"));
    }
    let (language, time_zone) =
        (introduction.language.as_ref().map(clean), introduction.time_zone.as_ref().map(clean));
    if !language.iter().all(short) {
        return Err(wrong("language"));
    }
    if !time_zone.iter().all(short) {
        return Err(wrong("time_zone"));
    }
    Ok(AgentProfile { capabilities, language, time_zone })
}
