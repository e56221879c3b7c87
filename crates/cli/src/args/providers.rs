//! The command line of providers: who can be asked, with which key and how.

use std::convert::Infallible;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};

use super::library::{KeyArgs, Setting};

#[derive(Debug, Parser)]
#[command(
    after_help = "Keys are sealed in the database, under a key file beside it that belongs into no backup of the \
    database. A variable such as OPENAI_API_KEY wins over what is stored.\n\nExamples:\n  quorate providers add anthropic \
    --api-key-stdin < key.txt\n  quorate providers add lab --base-url http://localhost:8080/v1\n  quorate providers test lab"
)]
pub(crate) struct ProvidersArgs {
    #[command(subcommand)]
    pub(crate) task: ProvidersTask,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProvidersTask {
    /// Store a provider: its key, its address, how it is to be asked; what is not given stays
    #[command(alias = "set")]
    Add(Box<AddProviderArgs>),
    /// List the providers that can be used, and where each comes from; keys are never shown
    List(ListProvidersArgs),
    /// List the models of a provider
    Models(ModelsArgs),
    /// Try out what a provider can do, which costs a few tokens
    Test(TestProviderArgs),
    /// Forget what is stored for a provider
    #[command(alias = "delete")]
    Remove(ProviderArgs),
    /// Seal all keys anew under a new key file
    Rotate(RotateArgs),
}

#[derive(Debug, Parser)]
pub(crate) struct AddProviderArgs {
    /// Its name, as in PROVIDER/NAME; that of a vendor brings the vendor's address and format
    pub(crate) provider: String,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    #[command(flatten)]
    pub(crate) ask: AskArgs,

    /// Print what is stored, without the key, as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How a provider is to be asked. `default` takes a setting back.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// Whose API it is, where its name does not say so: see `quorate providers list --presets`
    #[arg(long, value_name = "PRESET")]
    pub(crate) vendor: Option<Setting<Text>>,

    /// The format in which its API speaks, such as openai [default: the vendor's]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) wire: Option<Setting<Text>>,

    /// How many calls may run at once, 1-1024
    #[arg(long, value_name = "N")]
    pub(crate) concurrency: Option<Setting<u32>>,

    /// The most requests in a minute
    #[arg(long, value_name = "N")]
    pub(crate) requests_per_minute: Option<Setting<u32>>,

    /// The most tokens in a minute
    #[arg(long, value_name = "N")]
    pub(crate) tokens_per_minute: Option<Setting<u32>>,

    /// The proxy that requests go through, or `none` [default: what HTTPS_PROXY says]
    #[arg(long, value_name = "URL|none")]
    pub(crate) proxy: Option<Setting<Text>>,

    /// A further header of each request, "Name: value"; `Name:` takes it away. Give it several times for several
    #[arg(long, value_name = "HEADER")]
    pub(crate) header: Vec<String>,

    /// How long to wait: connect=, first-byte=, idle= or total= with seconds. Give it several times for several
    #[arg(long, value_name = "KIND=SECONDS")]
    pub(crate) timeout: Vec<String>,

    /// How answers are held to a schema: auto, json_schema, json_object or none
    #[arg(long, value_name = "MODE")]
    pub(crate) structured: Option<Setting<Text>>,

    /// Whether answers are asked for piece by piece: auto (until a model's streams turn out to be bad), on or off
    #[arg(long, value_name = "MODE")]
    pub(crate) streaming: Option<Setting<Text>>,

    /// How often a request that certainly did nothing is sent again, 0-10
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<Setting<u32>>,

    /// Refuse addresses on this machine and its network; `=false` takes it back
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) public_only: Option<bool>,
}

/// A word that is checked where it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) String);

impl FromStr for Text {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

#[derive(Debug, Parser)]
pub(crate) struct ProviderArgs {
    /// The provider's name, as in PROVIDER/NAME
    pub(crate) provider: String,

    /// Print what was forgotten as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ListProvidersArgs {
    /// List the vendors that are known by name, and the variables that make each a provider
    #[arg(long)]
    pub(crate) presets: bool,

    /// Print one provider per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ModelsArgs {
    /// The provider's name, as in PROVIDER/NAME
    pub(crate) provider: String,

    /// Only models whose name holds this
    pub(crate) filter: Option<String>,

    /// Print one model per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct TestProviderArgs {
    /// The provider's name, as in PROVIDER/NAME
    pub(crate) provider: String,

    /// The model to ask [default: the first that fits]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// Print how it went as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct RotateArgs {
    /// Print whose keys were sealed anew as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
