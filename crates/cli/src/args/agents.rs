//! Arguments of the library of agents, and of deleting a meeting.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use quorate_contract::Effort;
use quorate_messages::text;

#[derive(Debug, Parser)]
pub(crate) struct DeleteArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// Do not ask first
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Print the result as JSON; needs --yes
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(after_help = "Add them to a meeting with:  quorate run \"TOPIC\" --agent Ada --agent Ben\n\n\
    A meeting copies the agent's settings at that time; later changes of the agent do not affect it.")]
pub(crate) struct AgentsArgs {
    #[command(subcommand)]
    pub(crate) task: AgentsTask,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsTask {
    /// Add an agent to the library
    Create(Box<CreateAgentArgs>),
    /// Change an agent; settings that are not given do not change
    Update(Box<UpdateAgentArgs>),
    /// Delete an agent from the library; meetings do not change
    Delete(AgentArgs),
    /// List the agents
    List(ListAgentsArgs),
    /// Show an agent and its runner
    Show(AgentArgs),
    /// Test an agent by asking its model for one word, which may cost a few tokens
    Test(TestAgentArgs),
}

#[derive(Debug, Parser)]
pub(crate) struct CreateAgentArgs {
    /// The name, 1-50 characters
    #[arg(long)]
    pub(crate) name: String,

    /// The name of the role, 1-50 characters
    #[arg(long)]
    pub(crate) role: String,

    /// The description of the role, 1-2000 characters; @FILE reads it from a file
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: String,

    #[command(flatten)]
    pub(crate) voice: VoiceArgs,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// Print the agent as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct UpdateAgentArgs {
    /// The current name of the agent
    pub(crate) agent: String,

    /// The new name, 1-50 characters
    #[arg(long)]
    pub(crate) name: Option<String>,

    /// The name of the role, 1-50 characters
    #[arg(long)]
    pub(crate) role: Option<String>,

    /// The description of the role, 1-2000 characters; @FILE reads it from a file
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,

    #[command(flatten)]
    pub(crate) voice: VoiceArgs,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// Print the agent as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The settings of an agent's model.
#[derive(Debug, Args)]
pub(crate) struct VoiceArgs {
    /// An additional instruction, at most 2000 characters; @FILE reads it from a file
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,

    /// The model, as provider/name, or what answers in its place: process/name, acp/name
    #[arg(long, short, value_name = "PROVIDER/NAME", conflicts_with = "temperament")]
    pub(crate) model: Option<String>,

    /// The fallback model, as provider/name, or `none`
    #[arg(long, value_name = "PROVIDER/NAME|none")]
    pub(crate) fallback: Option<String>,

    /// Simulate the agent, with this temperament
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(TEMPERAMENTS))]
    pub(crate) temperament: Option<String>,

    /// The temperature, 0-2, or `default`
    #[arg(long, value_name = "T")]
    pub(crate) temperature: Option<Setting<f64>>,

    /// The nucleus sampling threshold (top-p), 0-1, or `default`
    #[arg(long, value_name = "P")]
    pub(crate) top_p: Option<Setting<f64>>,

    /// The token limit of one answer, or `default`
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<Setting<u32>>,

    /// The thinking effort: none, low, medium or high, or `default`
    #[arg(long, value_name = "EFFORT")]
    pub(crate) effort: Option<Setting<EffortArg>>,
}

/// The thinking effort of a model, by its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EffortArg(pub(crate) Effort);

impl FromStr for EffortArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        serde_json::from_value(text.into())
            .map(Self)
            .map_err(|_| text!(crate::language::current(), "cli-usage-effort").to_owned())
    }
}

/// The names of all temperaments.
const TEMPERAMENTS: [&str; 10] = [
    "balanced",
    "agreeable",
    "stubborn",
    "copycat",
    "verbose",
    "silent",
    "slow",
    "flaky",
    "malformed",
    "injecting",
];

/// A number, or `default` for the provider's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Setting<T>(pub(crate) Option<T>);

impl<T: FromStr> FromStr for Setting<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        if text == "default" { Ok(Self(None)) } else { text.parse().map(|value| Self(Some(value))) }
    }
}

/// The source of a key. It is never an argument, which others could read in the list of processes.
#[derive(Debug, Args)]
pub(crate) struct KeyArgs {
    /// The base URL of the provider's API, such as https://api.example.com/v1
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,

    /// Read the provider's key from standard input and store it encrypted
    #[arg(long, conflicts_with = "api_key_env")]
    pub(crate) api_key_stdin: bool,

    /// Read the provider's key from this environment variable and store it encrypted
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) api_key_env: Option<String>,
}

#[derive(Debug, Parser)]
pub(crate) struct AgentArgs {
    /// The agent's name
    pub(crate) name: String,

    /// Print the agent as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ListAgentsArgs {
    /// Print one agent per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct TestAgentArgs {
    /// The agent's name
    pub(crate) name: String,

    /// A meeting file whose providers are used, too
    #[arg(long, short, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
