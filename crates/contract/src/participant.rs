//! Participants and the runners that answer for them.

use serde::{Deserialize, Serialize};

use crate::ids::ParticipantId;
use quorate_messages::{Language, text};

/// The role of a participant: what it looks at and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Role {
    /// The name, 1-50 characters.
    pub name: String,
    /// The description, 1-2000 characters.
    pub description: String,
    /// An additional instruction for the model; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub system_prompt: String,
}

/// The sampling parameters of a model. A parameter that is left out uses the provider's default.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ModelParameters {
    /// The temperature, 0.0-2.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The nucleus sampling threshold, 0.0-1.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The largest number of tokens in one answer. When left out: the limit of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// How much the model should think before it answers, for models that accept it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// The largest number of tokens for thinking, in addition to the answer. When left out: derived from
    /// `effort`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_tokens: Option<u32>,
    /// The context window: the largest number of tokens of prompt and answer together. When left out: the
    /// known value for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u32>,
}

impl ModelParameters {
    /// The number of tokens that a call may use for thinking, on top of the limit of its answer.
    pub fn thinking_room(&self) -> u32 {
        self.thinking_tokens.unwrap_or(match self.effort {
            None | Some(Effort::None) => 0,
            Some(Effort::Low) => 1024,
            Some(Effort::Medium) => 4096,
            Some(Effort::High) => 16_384,
        })
    }
}

/// How much a model should think before it answers. Each vendor has its own parameter for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// None, or as little as the model can.
    None,
    /// A little.
    Low,
    /// A moderate amount.
    Medium,
    /// As much as needed.
    High,
}

/// The price per million tokens, in millionths of the currency: 2.50 is 2500000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Price {
    /// The price of a million input tokens.
    pub input_micros: u64,
    /// The price of a million output tokens.
    pub output_micros: u64,
    /// The price of a million input tokens that are read from the provider's cache; the input price when left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_micros: Option<u64>,
    /// The price of a million input tokens that the provider writes to its cache; the input price when left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_micros: Option<u64>,
    /// The price of one web search of the provider, in millionths of the currency; absent when it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_micros: Option<u64>,
}

impl Price {
    /// A price without one of its own for the cache.
    pub const fn new(input_micros: u64, output_micros: u64) -> Self {
        Self {
            input_micros,
            output_micros,
            cached_micros: None,
            cache_write_micros: None,
            search_micros: None,
        }
    }
}

/// The behaviour of a simulated participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Temperament {
    /// Weighs arguments and changes its position when another one is better.
    Balanced,
    /// Agrees quickly.
    Agreeable,
    /// Keeps its first position to the end.
    Stubborn,
    /// Says again what the speaker before it said.
    Copycat,
    /// Writes far more than it was asked for.
    Verbose,
    /// Passes whenever it may.
    Silent,
    /// Takes long to answer.
    Slow,
    /// Fails now and then.
    Flaky,
    /// Answers structured questions with broken structure.
    Malformed,
    /// Tries to pass its words off as instructions of the system or of others.
    Injecting,
}

impl Temperament {
    /// Its name in the reader's language.
    pub fn label(self, language: Language) -> &'static str {
        match self {
            Self::Balanced => text!(language, "labels-temperament-balanced"),
            Self::Agreeable => text!(language, "labels-temperament-agreeable"),
            Self::Stubborn => text!(language, "labels-temperament-stubborn"),
            Self::Copycat => text!(language, "labels-temperament-copycat"),
            Self::Verbose => text!(language, "labels-temperament-verbose"),
            Self::Silent => text!(language, "labels-temperament-silent"),
            Self::Slow => text!(language, "labels-temperament-slow"),
            Self::Flaky => text!(language, "labels-temperament-flaky"),
            Self::Malformed => text!(language, "labels-temperament-malformed"),
            Self::Injecting => text!(language, "labels-temperament-injecting"),
        }
    }
}

/// The runner that answers a participant's tasks. Keys and addresses are part of the provider's settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunnerSpec {
    /// A model behind a configured provider.
    Model {
        /// The provider's configured name.
        provider: String,
        /// The name of the model at the provider.
        model: String,
        /// The sampling parameters.
        #[serde(default)]
        parameters: ModelParameters,
        /// The price; `null` when it is not known, which is not a price of zero.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        price: Option<Price>,
        /// The fallback model, which itself has no fallback; `null` for none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(no_recursion))]
        fallback: Option<Box<RunnerSpec>>,
    },
    /// A simulated model: seeded, free of charge, and labelled as simulated everywhere.
    Simulated {
        /// The behaviour.
        temperament: Temperament,
    },
    /// A process that exchanges messages over standard input and output. Its command line is part of the
    /// server's configuration.
    Process {
        /// The configured name of the process, 1-50 characters.
        name: String,
    },
    /// A coding agent that speaks the Agent Client Protocol and works in a folder of the server's machine. Its
    /// command line and the place of the folder are part of the server's configuration.
    Acp {
        /// The configured name of the agent, 1-50 characters.
        name: String,
        /// The folder: the name of one that is configured, and what lies in it, `quorate/crates/core`; empty for
        /// the agent's only one.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        folder: String,
    },
    /// A program or person outside of the server that is offered each turn and sends an answer.
    External {
        /// How turns are delivered.
        via: TurnDelivery,
        /// The registered name, 1-50 characters.
        name: String,
    },
}

/// How the turns of an external participant are delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnDelivery {
    /// An agent that fetches its turns, over MCP or the HTTP API.
    Agent,
    /// A remote agent to which turns are pushed by signed webhooks.
    Webhook,
    /// A person, asked in the page, the terminal, or by notification.
    Person,
}

impl TurnDelivery {
    /// The complete rules.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Webhook, Self::Person];

    /// The word for it, as in JSON and in front of a model's name: `agent/reviewer`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Webhook => "webhook",
            Self::Person => "person",
        }
    }
}

impl RunnerSpec {
    /// The agent of `acp/NAME` or `acp/NAME/FOLDER`, without the prefix.
    pub fn acp(text: &str) -> Self {
        let (name, folder) = text.split_once('/').unwrap_or((text, ""));
        Self::Acp { name: name.to_owned(), folder: folder.trim_matches('/').to_owned() }
    }

    /// The price of a call: `Some(0)` for the simulation, `None` when no price is known, as for every
    /// process.
    pub fn price(&self) -> Option<Price> {
        match self {
            Self::Model { price, .. } => *price,
            Self::Simulated { .. } => Some(Price::new(0, 0)),
            Self::External { via: TurnDelivery::Person, .. } => Some(Price::new(0, 0)),
            Self::External { via: TurnDelivery::Agent | TurnDelivery::Webhook, .. }
            | Self::Process { .. }
            | Self::Acp { .. } => None,
        }
    }

    /// The model that answers when this one cannot.
    pub fn fallback(&self) -> Option<&RunnerSpec> {
        match self {
            Self::Model { fallback, .. } => fallback.as_deref(),
            Self::Simulated { .. } | Self::Process { .. } | Self::Acp { .. } | Self::External { .. } => None,
        }
    }

    /// A short label for people: `ollama/qwen3`, `simulated (stubborn)`, `process/reviewer`.
    pub fn label(&self) -> String {
        match self {
            Self::Model { provider, model, .. } => format!("{provider}/{model}"),
            Self::Simulated { temperament } => {
                let name = serde_json::to_value(temperament).ok();
                let name = name.as_ref().and_then(|value| value.as_str()).unwrap_or("simulated");
                format!("simulated ({name})")
            }
            Self::Process { name } => format!("process/{name}"),
            Self::Acp { name, folder } if folder.is_empty() => format!("acp/{name}"),
            Self::Acp { name, folder } => format!("acp/{name}/{folder}"),
            Self::External { via, name } => format!("{}/{name}", via.as_str()),
        }
    }

    /// The label for programs that hand it on to people: a person is `person`, because the id by which the log knows
    /// them names nobody to a reader and is nobody else's to know.
    pub fn public_label(&self) -> String {
        match self {
            Self::External { via: TurnDelivery::Person, .. } => TurnDelivery::Person.as_str().to_owned(),
            Self::Model { .. }
            | Self::Simulated { .. }
            | Self::Process { .. }
            | Self::Acp { .. }
            | Self::External { via: TurnDelivery::Agent | TurnDelivery::Webhook, .. } => self.label(),
        }
    }

    /// The label in the reader's language: `模拟（固执）`, `真人`. Programs search for [`RunnerSpec::label`].
    pub fn label_for(&self, language: Language) -> String {
        match self {
            Self::Simulated { temperament } => {
                text!(language, "labels-simulated", temperament = temperament.label(language))
            }
            Self::External { via: TurnDelivery::Person, .. } => text!(language, "labels-person").to_owned(),
            Self::Model { .. }
            | Self::Process { .. }
            | Self::Acp { .. }
            | Self::External { via: TurnDelivery::Agent | TurnDelivery::Webhook, .. } => self.label(),
        }
    }
}

/// A participant who has not joined yet, and has no id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Newcomer {
    /// The name, 1-50 characters, unique within the meeting.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The runner that answers.
    pub runner: RunnerSpec,
    /// The skip list: when every message since the participant's last message is one of these phrases, its
    /// turn is skipped without a call. A phrase that begins with `/` or `!` is a command and also matches
    /// with anything after it. At most 50 phrases of 1-200 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip_list: Vec<String>,
}

/// A participant who has joined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Participant {
    /// The id, numbered in the order of joining.
    pub id: ParticipantId,
    /// The name, unique within the meeting.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The runner that answers.
    pub runner: RunnerSpec,
    /// The agent's skip list: when every message since its last message is one of these phrases, its turn is
    /// skipped without a call. A phrase that begins with `/` or `!` is a command and also matches with
    /// anything after it. At most 50 phrases of 1-200 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip_list: Vec<String>,
}

/// The facilitator: a model without a vote that writes summaries, facilitation and the conclusion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Facilitator {
    /// The runner that answers.
    pub runner: RunnerSpec,
    /// An addition to the built-in instruction; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub system_prompt: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_its_name_alone() {
        let spec = RunnerSpec::Process { name: "reviewer".to_owned() };
        let json = r#"{"kind":"process","name":"reviewer"}"#;
        assert_eq!(serde_json::to_string(&spec).expect("it is JSON"), json);
        assert_eq!(serde_json::from_str::<RunnerSpec>(json).expect("it is read"), spec);
        assert_eq!((spec.label().as_str(), spec.price()), ("process/reviewer", None));
    }

    #[test]
    fn an_external_respondent_is_known_by_how_turns_reach_it_and_its_name() {
        for via in TurnDelivery::ALL {
            let spec = RunnerSpec::External { via, name: "林".to_owned() };
            let json = format!(r#"{{"kind":"external","via":"{}","name":"林"}}"#, via.as_str());
            assert_eq!(serde_json::to_string(&spec).expect("it is JSON"), json);
            assert_eq!(serde_json::from_str::<RunnerSpec>(&json).expect("it is read"), spec);
            assert_eq!(spec.label(), format!("{}/林", via.as_str()));
        }
    }

    #[test]
    fn no_id_of_a_person_stands_in_what_people_read() {
        let spec = RunnerSpec::External { via: TurnDelivery::Person, name: "guest:ab12".to_owned() };
        assert_eq!(spec.public_label(), "person");
        assert_eq!([Language::Zh, Language::En].map(|language| spec.label_for(language)), ["真人", "person"]);
        let agent = RunnerSpec::External { via: TurnDelivery::Agent, name: "watcher".to_owned() };
        assert_eq!([agent.public_label(), agent.label_for(Language::En)], ["agent/watcher", "agent/watcher"]);
    }
}
