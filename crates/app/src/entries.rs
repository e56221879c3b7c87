//! The parts of a meeting as people write them.

use quorate_contract::{ModelParameters, Role, Temperament};
use serde::{Deserialize, Serialize};

/// One participant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ParticipantEntry {
    /// The name, 1-50 characters; empty for an agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Seats an agent of the library, as it is; nothing else is then given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The role; when left out, one is chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// `provider/name`; otherwise one of the meeting's models in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The model that answers when its own cannot, `provider/name`; `none` for no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// A process of `[processes]` that answers for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// The sampling parameters of the model.
    #[serde(default)]
    pub parameters: ModelParameters,
    /// Makes this participant a simulated one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperament: Option<Temperament>,
    /// What it need not be asked about: when everything that was said since its last word is one of these phrases,
    /// its turn is skipped without a call. A phrase that begins with `/` or `!` is a command, whatever follows it. At
    /// most 50, of 1-200 characters each.
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

/// A model that a team can be given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OfferEntry {
    /// The name by which it is chosen; otherwise the model's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The model, `provider/name`.
    pub model: String,
    /// The sampling parameters.
    #[serde(default)]
    pub parameters: ModelParameters,
    /// What the model is good at, for the author of a team.
    #[serde(default)]
    pub good_at: String,
}

/// The facilitator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct FacilitatorEntry {
    /// Without one, the rules write summaries, draft and conclusion.
    pub enabled: bool,
    /// `provider/name`; otherwise the first of the meeting's models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The model that answers when that cannot; `none` for no other.
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
