//! Arguments of the server.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use quorate_app::BackupInterval;

/// Arguments of the server. Options that are left out are taken from `[server]` in the user's configuration.
#[derive(Debug, Parser)]
#[command(
    after_help = "Without accounts, the server answers only requests with its local token: open the URL that it \
    prints, or set QUORATE_TOKEN (16 characters or more) and send `authorization: Bearer TOKEN`. To \
    make it available to others, first create an account (`quorate accounts add NAME`), then set \
    --host; see docs/access.md.\n\n\
    A flag takes precedence over its environment variable, which takes precedence over [server] in the \
    configuration file and the default."
)]
pub(crate) struct ServeArgs {
    /// The address to listen on [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS", env = "QUORATE_HOST")]
    pub(crate) host: Option<IpAddr>,

    /// The port; 0 takes a free one [default: 7420]
    #[arg(long, short, value_name = "PORT", env = "QUORATE_PORT")]
    pub(crate) port: Option<u16>,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// The public URL of this server, when it differs from where it listens: https://meet.example.org
    #[arg(long, value_name = "URL", env = "QUORATE_PUBLIC_URL")]
    pub(crate) public_url: Option<String>,

    /// The URL at which the other nodes of the same database reach this one [default: where it listens]
    #[arg(long, value_name = "URL", env = "QUORATE_NODE_URL")]
    pub(crate) node_url: Option<String>,

    /// The NATS server over which nodes of one database hear of each other's meetings: nats://HOST:4222; without one they ask each other over HTTP
    #[arg(long, value_name = "URL", env = "QUORATE_NATS", hide_env_values = true)]
    pub(crate) nats: Option<String>,

    /// The credentials file for the NATS server
    #[arg(long, value_name = "FILE", env = "QUORATE_NATS_CREDENTIALS", requires = "nats")]
    pub(crate) nats_credentials: Option<PathBuf>,

    /// An additional host name that requests may use while there are no accounts; repeat it for several
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,

    /// Accept requests from every program of this machine without the token; for scripts on your own machine
    #[arg(long)]
    pub(crate) no_token: bool,

    /// The origin of a page that may use this server from a browser; repeat it for several
    #[arg(long, value_name = "URL")]
    pub(crate) allow_origin: Vec<String>,

    /// A proxy whose forwarded addresses are trusted: an address or a network; repeat it for several
    #[arg(long, value_name = "ADDRESS|CIDR")]
    pub(crate) trust_proxy: Vec<String>,

    /// The certificate chain file, in PEM; needs --tls-key
    #[arg(long, value_name = "FILE", env = "QUORATE_TLS_CERT", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The private key file of the certificate, in PEM
    #[arg(long, value_name = "FILE", env = "QUORATE_TLS_KEY", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,

    /// The log filter: debug, info, warning, error, critical, or per part: quorate_runners=debug,warning [default: info]
    #[arg(long, value_name = "LEVELS", env = "QUORATE_LOG")]
    pub(crate) log: Option<String>,

    /// The format of log lines [default: text]
    #[arg(long, value_enum, env = "QUORATE_LOG_FORMAT")]
    pub(crate) log_format: Option<LogFormatArg>,

    /// Make backups in this folder while the server runs
    #[arg(long, value_name = "FOLDER", env = "QUORATE_BACKUP_FOLDER")]
    pub(crate) backup_folder: Option<PathBuf>,

    /// The time from one backup to the next, such as 24h, 30m or 1d [default: 24h]
    #[arg(long, value_name = "TIME", env = "QUORATE_BACKUP_EVERY")]
    pub(crate) backup_every: Option<BackupInterval>,

    /// The number of backups to keep, the newest ones [default: 7]
    #[arg(long, value_name = "COUNT", env = "QUORATE_BACKUP_KEEP")]
    pub(crate) backup_keep: Option<NonZeroU32>,

    /// A collector of OpenTelemetry spans, such as http://localhost:4318
    #[arg(long, value_name = "URL", env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub(crate) telemetry_url: Option<String>,

    /// The speed of simulated participants at new meetings that do not set one; kept with each meeting [default: live]
    #[arg(long, value_enum)]
    pub(crate) pace: Option<super::PaceArg>,
}

/// The server of the command.
#[derive(Debug, Parser)]
#[command(
    after_help = "While the server runs, it carries out commands that change data: run, resume, say, fork, delete, \
    agents, providers, accounts, tokens. It stores its address and token in a file beside the database \
    that only you can read."
)]
pub(crate) struct UrlArgs {
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Print the process, the address, the URL and the token as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormatArg {
    /// Text for people
    Text,
    /// One JSON object a line, for programs
    Json,
}

/// The limits of work that is done in a process of its own.
#[derive(Debug, Parser)]
pub(crate) struct LimitArgs {
    /// The time limit, in seconds
    #[arg(long, default_value_t = 90, value_name = "N")]
    pub(crate) seconds: u32,

    /// The limit of address space, in MiB
    #[arg(long, default_value_t = 1024, value_name = "N")]
    pub(crate) megabytes: u32,
}
