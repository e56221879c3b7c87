//! Arguments of providers: credentials, settings, tests.

use std::convert::Infallible;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};

use super::agents::{KeyArgs, Setting};

#[derive(Debug, Parser)]
#[command(
    after_help = "Keys are encrypted in the database with a key file beside it, which does not belong in a backup of \
    the database. An environment variable such as OPENAI_API_KEY takes precedence over a stored key.\n\n\
    Examples:\n  \
    quorate providers add anthropic --api-key-stdin < key.txt\n  \
    quorate providers add lab --base-url http://localhost:8080/v1\n  \
    quorate providers test lab"
)]
pub(crate) struct ProvidersArgs {
    #[command(subcommand)]
    pub(crate) task: ProvidersTask,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProvidersTask {
    /// Store a provider: key, base URL and settings; settings that are not given do not change
    #[command(alias = "set")]
    Add(Box<AddProviderArgs>),
    /// List the available providers and their sources; keys are never shown
    List(ListProvidersArgs),
    /// List the models of a provider
    Models(ModelsArgs),
    /// Test a provider, which costs a few tokens
    Test(TestProviderArgs),
    /// Delete the stored settings and key of a provider
    #[command(alias = "delete")]
    Remove(ProviderArgs),
    /// Encrypt all stored keys with a new key file
    Rotate(RotateArgs),
}

#[derive(Debug, Parser)]
pub(crate) struct AddProviderArgs {
    /// The provider's name, as in PROVIDER/NAME; a vendor's name implies the vendor's address and format
    pub(crate) provider: String,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    #[command(flatten)]
    pub(crate) ask: AskArgs,

    /// Print the stored settings, without the key, as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The settings of requests. `default` resets a setting.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The vendor of the API, when the name does not say so: see `quorate providers list --presets`
    #[arg(long, value_name = "PRESET")]
    pub(crate) vendor: Option<Setting<Text>>,

    /// The wire format of its API, such as openai, or a2a for a remote agent [default: the vendor's]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) wire: Option<Setting<Text>>,

    /// The largest number of concurrent calls, 1-1024
    #[arg(long, value_name = "N")]
    pub(crate) concurrency: Option<Setting<u32>>,

    /// The limit of requests per minute
    #[arg(long, value_name = "N")]
    pub(crate) requests_per_minute: Option<Setting<u32>>,

    /// The limit of tokens per minute
    #[arg(long, value_name = "N")]
    pub(crate) tokens_per_minute: Option<Setting<u32>>,

    /// The proxy for requests, or `none` [default: that in HTTPS_PROXY]
    #[arg(long, value_name = "URL|none")]
    pub(crate) proxy: Option<Setting<Text>>,

    /// An additional header of each request, "Name: value"; `Name:` removes it; repeat it for several
    #[arg(long, value_name = "HEADER")]
    pub(crate) header: Vec<String>,

    /// A time limit: connect=, first-byte=, idle= or total= with seconds; repeat it for several
    #[arg(long, value_name = "KIND=SECONDS")]
    pub(crate) timeout: Vec<String>,

    /// How answers are constrained to a schema: auto, json_schema, json_object or none
    #[arg(long, value_name = "MODE")]
    pub(crate) structured: Option<Setting<Text>>,

    /// Whether answers are streamed: auto (until a model's streams fail), on or off
    #[arg(long, value_name = "MODE")]
    pub(crate) streaming: Option<Setting<Text>>,

    /// The number of retries of a request that certainly was not carried out, 0-10
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<Setting<u32>>,

    /// Refuse addresses of this machine and its network; `=false` resets it
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

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ListProvidersArgs {
    /// List the known vendors and the environment variables of their keys
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

    /// Only models whose name contains this
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

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct RotateArgs {
    /// Print the providers whose keys were encrypted as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
