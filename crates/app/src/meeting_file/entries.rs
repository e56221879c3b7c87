//! The parts of a meeting as people write them.

use quorate_contract::{ModelParameters, Role, Temperament};
use serde::{Deserialize, Serialize};

/// A participant of a new meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ParticipantEntry {
    /// The name, 1-50 characters; empty for an agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// An agent of the library, by name; no other field may be set with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The role; when left out, one is chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The model, `provider/name`, or what answers in its place: `process/name`, or a coding agent, `acp/name` or
    /// `acp/name/folder`. When left out, the next of the meeting's models in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The fallback model, `provider/name`, which answers when the model cannot; `none` for no fallback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// A process of `[processes]` in the configuration, which answers for the participant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// The sampling parameters of the model.
    #[serde(default)]
    pub parameters: ModelParameters,
    /// The behaviour of a simulated participant; set this instead of `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperament: Option<Temperament>,
    /// The skip list: when every message since the participant's last message is one of these phrases, its
    /// turn is skipped without a call. A phrase that begins with `/` or `!` is a command and also matches
    /// with anything after it. At most 50 phrases of 1-200 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(max_items = 50))]
    pub skip_list: Vec<String>,
}

impl ParticipantEntry {
    /// An entry of which only the name is known.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            agent: None,
            role: None,
            model: None,
            fallback: None,
            process: None,
            parameters: ModelParameters::default(),
            temperament: None,
            skip_list: Vec::new(),
        }
    }

    /// An agent of the library.
    pub fn agent(name: &str) -> Self {
        Self { agent: Some(name.to_owned()), ..Self::named("") }
    }

    /// Whether the entry needs none of the meeting's models.
    pub fn says_who_answers(&self) -> bool {
        let own = self.model.is_some() || self.temperament.is_some() || self.process.is_some();
        own || self.agent.is_some()
    }

    /// Whether an agent is given together with settings that belong to the agent.
    pub fn contradicts_itself(&self) -> bool {
        let Self { name, agent, role, model, fallback, process, parameters, temperament, skip_list } = self;
        let own = !name.is_empty() || role.is_some() || model.is_some() || temperament.is_some();
        let own = own || process.is_some() || fallback.is_some() || !skip_list.is_empty();
        let own = own || *parameters != ModelParameters::default();
        agent.is_some() && own
    }
}

/// One item of the agenda.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AgendaEntry {
    /// The title, 1-200 characters.
    pub title: String,
    /// The description.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// A model that the facilitator can choose for a participant when it assembles a team.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ModelOfferEntry {
    /// The name of the offer; the name of the model when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The model, `provider/name`.
    pub model: String,
    /// The sampling parameters.
    #[serde(default)]
    pub parameters: ModelParameters,
    /// The strengths of the model, which the author of a team reads.
    #[serde(default)]
    pub good_at: String,
}

/// The facilitator of a new meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct FacilitatorEntry {
    /// Whether the meeting has a facilitator. Without one, the rules compose summaries, draft and conclusion.
    pub enabled: bool,
    /// The model, `provider/name`; the first of the meeting's models when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The fallback model, `provider/name`; `none` for no fallback.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// The sampling parameters of the model.
    pub parameters: ModelParameters,
    /// An additional instruction.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub system_prompt: String,
}

impl Default for FacilitatorEntry {
    fn default() -> Self {
        Self {
            enabled: true,
            model: None,
            fallback: None,
            parameters: ModelParameters::default(),
            system_prompt: String::new(),
        }
    }
}
