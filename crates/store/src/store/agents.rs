//! The library of agents: described once, taking part in many meetings.
//!
//! A meeting copies the agent at the moment of joining. Later changes of the agent do not touch the log of
//! that meeting.

use std::collections::HashMap;

use quorate_contract::{AgentId, Newcomer, Role, RunnerSpec, Timestamp, TurnDelivery, check_newcomer};
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, ErrorKind, Row};
use crate::store::Store;
use crate::store::credentials;
use crate::store::credentials::{Credential, check_provider};
use crate::store::{context_cursors, webhook_standing};

/// An agent of the library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Agent {
    /// The id, generated once; it stays the same when the name changes.
    pub id: AgentId,
    /// 1-50 characters, unique in the library.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The runner that answers. Keys and addresses are stored with its provider's credential.
    pub runner: RunnerSpec,
    /// The agent's own introduction; present for agents that registered themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<AgentProfile>,
    /// The agent's skip list: when every message since its last message is one of these phrases, its turn is
    /// skipped without a call. A phrase that begins with `/` or `!` is a command and also matches with
    /// anything after it. At most 50 phrases of 1-200 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip_list: Vec<String>,
    /// When the agent was created.
    #[serde(rename = "created_at")]
    pub created_ms: Timestamp,
    /// When it was last changed.
    #[serde(rename = "updated_at")]
    pub updated_ms: Timestamp,
}

/// An agent's introduction of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct AgentProfile {
    /// The agent's capabilities: at most 20, of 1-50 characters each.
    pub capabilities: Vec<String>,
    /// The agent's preferred language, as a BCP 47 tag.
    pub language: Option<String>,
    /// The agent's time zone, as an IANA name.
    pub time_zone: Option<String>,
}

/// When an agent that connects itself was last seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenAgent {
    /// The name under which it connects.
    pub name: String,
    /// The moment.
    pub at: Timestamp,
}

impl Agent {
    /// The agent as a participant who is about to join.
    pub fn newcomer(&self) -> Newcomer {
        Newcomer {
            name: self.name.clone(),
            role: self.role.clone(),
            runner: self.runner.clone(),
            skip_list: self.skip_list.clone(),
        }
    }

    fn check(&self) -> Result<(), StoreError> {
        check_newcomer("agent", &self.newcomer())?;
        match &self.runner {
            RunnerSpec::Model { provider, .. } => check_provider("agent.provider", provider),
            RunnerSpec::Simulated { .. }
            | RunnerSpec::Process { .. }
            | RunnerSpec::Acp { .. }
            | RunnerSpec::External { .. } => Ok(()),
        }
    }
}

impl Store {
    /// Takes an agent into the library, and stores the credential that came with it; both or none.
    ///
    /// # Errors
    /// When something about it is not right, or its name is taken.
    pub async fn create_agent(
        &self,
        agent: Agent,
        credential: Option<Credential>,
    ) -> Result<Agent, StoreError> {
        agent.check()?;
        let (path, now) = (self.path().to_owned(), agent.updated_ms);
        self.change(move |connection| {
            insert(connection, &agent)?;
            let given = credential.clone();
            given.map(|given| credentials::save(connection, &path, given, now)).transpose()?;
            Ok(agent.clone())
        })
        .await
    }

    /// Puts `agent` in the place of the one that has its id, and stores the credential that came
    /// with it; both or none.
    ///
    /// # Errors
    /// When something about it is not right, its new name is taken, or there is no such agent.
    pub async fn update_agent(
        &self,
        agent: Agent,
        credential: Option<Credential>,
    ) -> Result<Agent, StoreError> {
        agent.check()?;
        let (path, now) = (self.path().to_owned(), agent.updated_ms);
        self.change(move |connection| {
            update(connection, &agent)?;
            let given = credential.clone();
            given.map(|given| credentials::save(connection, &path, given, now)).transpose()?;
            Ok(agent.clone())
        })
        .await
    }

    /// Takes an agent out of the library. The meetings that it sat in stay as they are; webhooks that answer for it stop.
    ///
    /// # Errors
    /// When there is no agent of that name or id.
    pub async fn delete_agent(&self, name: &str, now: Timestamp) -> Result<(), StoreError> {
        let name = name.to_owned();
        let stopped = self.change(move |connection| {
            let found =
                select(connection, "WHERE name = ?1 OR id = ?1 ORDER BY name = ?1 DESC LIMIT 1", &[&name])?;
            let Some(agent) = found.into_iter().next() else {
                return Err(StoreError::NoSuchAgent { name: name.clone() });
            };
            connection.execute("DELETE FROM agent WHERE id = ?1", [agent.id.as_str()])?;
            context_cursors::forget_agent(connection, &agent.runner)?;
            Ok(webhook_standing::stop_of_agent(connection, &agent.runner, now)?)
        });
        let stopped = stopped.await?;
        self.note_stopped(stopped, now);
        Ok(())
    }

    /// The agent of that name, or else of that id.
    ///
    /// # Errors
    /// When there is none.
    pub async fn agent(&self, name: &str) -> Result<Agent, StoreError> {
        let name = name.to_owned();
        self.reading(move |connection| {
            let found =
                select(connection, "WHERE name = ?1 OR id = ?1 ORDER BY name = ?1 DESC LIMIT 1", &[&name])?;
            found.into_iter().next().ok_or(StoreError::NoSuchAgent { name })
        })
        .await
    }

    /// All agents, in the order in which they were created.
    pub async fn agents(&self) -> Result<Vec<Agent>, StoreError> {
        self.reading(|connection| select(connection, "ORDER BY key", &[])).await
    }

    /// When each agent that connects itself was last seen, as far as it was kept.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn seen_agents(&self) -> Result<Vec<SeenAgent>, StoreError> {
        self.reading(|connection| {
            let mut select =
                connection.prepare("SELECT runner, seen_ms FROM agent WHERE seen_ms IS NOT NULL")?;
            let mut rows = select.query([])?;
            let mut seen = Vec::new();
            while let Some(row) = rows.next()? {
                let at = Timestamp(row.get(1)?);
                seen.extend(name_in(&row, 0)?.map(|name| SeenAgent { name, at }));
            }
            Ok(seen)
        })
        .await
    }

    /// Keeps when agents were last seen. Those that are not in the library are left out.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn keep_seen_agents(&self, seen: Vec<SeenAgent>) -> Result<(), StoreError> {
        self.change(move |connection| {
            let mut latest: HashMap<String, Timestamp> = HashMap::new();
            for SeenAgent { name, at } in &seen {
                let known = latest.entry(name.clone()).or_insert(*at);
                *known = (*at).max(*known);
            }
            let mut update = connection.prepare_cached(
                "UPDATE agent SET seen_ms = ?2 WHERE key = ?1 AND coalesce(seen_ms, 0) < ?2",
            )?;
            let mut select = connection.prepare_cached("SELECT key, runner FROM agent")?;
            let mut rows = select.query([])?;
            let mut kept = Vec::new();
            while let Some(row) = rows.next()? {
                if let Some(at) = name_in(&row, 1)?.and_then(|name| latest.get(&name)) {
                    kept.push((row.get::<_, i64>(0)?, at.0));
                }
            }
            for (key, at) in kept {
                update.execute((key, at))?;
            }
            Ok(())
        })
        .await
    }
}

/// The name under which the agent in this row connects, when it connects itself.
fn name_in(row: &Row<'_>, column: usize) -> sql::Result<Option<String>> {
    let runner = row.get_ref(column)?.as_str().ok().and_then(|text| serde_json::from_str(text).ok());
    Ok(match runner {
        Some(RunnerSpec::External { via: TurnDelivery::Agent | TurnDelivery::Webhook, name }) => Some(name),
        _ => None,
    })
}

fn insert(connection: &Connection, agent: &Agent) -> Result<(), StoreError> {
    let (role, runner) = as_text(agent);
    let (created, updated) = (agent.created_ms.0, agent.updated_ms.0);
    let (profile, skip_list) = (profile_text(agent), skip_list_text(agent));
    let row = (agent.id.as_str(), &agent.name, role, runner, created, updated, profile, skip_list);
    connection
        .execute(
            "INSERT INTO agent (id, name, role, runner, created_ms, updated_ms, profile, skip_list)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            row,
        )
        .map_err(|error| taken(error, agent))?;
    Ok(())
}

fn update(connection: &Connection, agent: &Agent) -> Result<(), StoreError> {
    let (role, runner) = as_text(agent);
    let (updated, profile, skip_list) = (agent.updated_ms.0, profile_text(agent), skip_list_text(agent));
    let changed = connection
        .execute(
            "UPDATE agent SET name = ?2, role = ?3, runner = ?4, updated_ms = ?5, profile = ?6, skip_list = ?7
             WHERE id = ?1",
            (agent.id.as_str(), &agent.name, role, runner, updated, profile, skip_list),
        )
        .map_err(|error| taken(error, agent))?;
    if changed == 0 { Err(StoreError::NoSuchAgent { name: agent.name.clone() }) } else { Ok(()) }
}

fn profile_text(agent: &Agent) -> Option<String> {
    agent.profile.as_ref().map(|profile| serde_json::to_string(profile).expect("a profile has only texts"))
}

fn skip_list_text(agent: &Agent) -> Option<String> {
    let list = &agent.skip_list;
    (!list.is_empty()).then(|| serde_json::to_string(list).expect("a skip list has only texts"))
}

fn as_text(agent: &Agent) -> (String, String) {
    let text = "roles and runners have only text keys and finite numbers";
    (serde_json::to_string(&agent.role).expect(text), serde_json::to_string(&agent.runner).expect(text))
}

/// The error for a name that is taken. Of all unique columns, only the name is chosen by a person.
fn taken(error: sql::Error, agent: &Agent) -> StoreError {
    match error.kind() {
        ErrorKind::Constraint => StoreError::AgentExists { name: agent.name.clone() },
        _ => error.into(),
    }
}

fn select(
    connection: &Connection,
    which: &str,
    parameters: &[&dyn rusqlite::ToSql],
) -> Result<Vec<Agent>, StoreError> {
    let sql = format!(
        "SELECT id, name, role, runner, created_ms, updated_ms, profile, skip_list FROM agent {which}"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query(parameters)?;
    let mut agents = Vec::new();
    while let Some(row) = rows.next()? {
        agents.push(agent_in(&row)?);
    }
    Ok(agents)
}

fn agent_in(row: &Row<'_>) -> Result<Agent, StoreError> {
    let name: String = row.get(1)?;
    let damaged =
        |error: serde_json::Error| StoreError::DamagedAgent { name: name.clone(), detail: error.to_string() };
    let role = serde_json::from_str(row.get_ref(2)?.as_str().unwrap_or_default()).map_err(damaged)?;
    let runner = serde_json::from_str(row.get_ref(3)?.as_str().unwrap_or_default()).map_err(damaged)?;
    let profile: Option<String> = row.get(6)?;
    let profile = profile.map(|text| serde_json::from_str(&text)).transpose().map_err(damaged)?;
    let skip_list: Option<String> = row.get(7)?;
    let skip_list = skip_list.map(|text| serde_json::from_str(&text)).transpose().map_err(damaged)?;
    Ok(Agent {
        id: AgentId::new(row.get::<_, String>(0)?),
        role,
        runner,
        profile,
        skip_list: skip_list.unwrap_or_default(),
        created_ms: Timestamp(row.get(4)?),
        updated_ms: Timestamp(row.get(5)?),
        name,
    })
}
