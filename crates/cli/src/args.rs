//! The command line. These texts are the English `--help`; `help.ftl` of the catalogue has the others (docs/messages.md).

mod access;
mod agents;
mod answer;
mod api;
mod control;
mod export;
mod files;
mod links;
mod meeting_rules;
mod meetings;
mod providers;
mod seat;
mod serve;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum};
use quorate_contract::{Format, Language, RuleField, SimulatedPace};

pub(crate) use self::access::*;
pub(crate) use self::agents::*;
pub(crate) use self::answer::{AnswerArgs, MinutesArgs, SayArgs};
pub(crate) use self::api::ApiArgs;
pub(crate) use self::control::*;
pub(crate) use self::export::*;
pub(crate) use self::files::*;
pub(crate) use self::links::*;
pub(crate) use self::meeting_rules::MeetingRuleArgs;
pub(crate) use self::meetings::*;
pub(crate) use self::providers::*;
pub(crate) use self::seat::{JoinArgs, SeatArgs};
pub(crate) use self::serve::*;

/// Let AI models deliberate: several participants, written rules, a decision that can be traced
#[derive(Debug, Parser)]
#[command(
    name = "quorate",
    version,
    after_help = "To start:  quorate run \"Should our service use SQLite or PostgreSQL?\"\n\n\
    Exit codes: 0 the meeting ended (or the command did its work), 1 it failed, 2 the command line is \
    wrong, 3 the meeting is paused, 4 the meeting ended but most of its participants failed, 130 \
    stopped at once."
)]
pub(crate) struct Args {
    /// The database: a file, or postgres://USER:PASSWORD@HOST/NAME [default: a file in your data directory]
    #[arg(long, global = true, value_name = "DATABASE", env = "QUORATE_DB", hide_env_values = true)]
    pub(crate) db: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) task: Task,
}

/// The server that a command asks; only commands that can ask one elsewhere have it.
#[derive(Debug, Parser)]
pub(crate) struct ServerArgs {
    /// Use the server at this address, with the token in QUORATE_TOKEN
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
}

/// A command without arguments of its own.
#[derive(Debug, Parser)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Run a meeting about a topic, live in the terminal
    Run(Box<RunArgs>),
    /// Serve meetings over HTTP: REST, live events, documentation
    Serve(Box<ServeArgs>),
    /// Let an editor or a coding agent take part, with the Model Context Protocol over standard input and output
    Mcp(McpArgs),
    /// Print the URL that opens the page of the running server, with its token
    Url(UrlArgs),
    /// Resume a meeting that was paused or interrupted
    Resume(ResumeArgs),
    /// Take a seat in a meeting that a server runs, and answer your turns in this terminal
    Join(JoinArgs),
    /// Send a message or one command to a meeting, without resuming it
    Say(SayArgs),
    /// Attach files or folders to a meeting, for its participants to read and cite
    Attach(AttachArgs),
    /// Pause a meeting that runs in another terminal or in the server
    Pause(PauseArgs),
    /// End a meeting with the best available conclusion
    End(EndArgs),
    /// Show, compare or edit the minutes of a meeting
    Minutes(MinutesArgs),
    /// Delete a meeting with all its contents
    Delete(DeleteArgs),
    /// Manage the library of agents that take part in meetings
    Agents(AgentsArgs),
    /// Add, list, test and remove providers of models and their keys
    #[command(alias = "credentials")]
    Providers(ProvidersArgs),
    /// List prices of models, with the date and the source of each
    Prices(PricesArgs),
    /// List the meetings
    List(ListArgs),
    /// Show or set the tags of a meeting
    Tag(TagArgs),
    /// Rename a meeting, also after its end
    Rename(RenameArgs),
    /// Show the state of a meeting, or its result
    Show(ShowArgs),
    /// Replay a meeting from its log; no model is called
    Replay(ReplayArgs),
    /// Evaluate a meeting under other rules, from its log; no model is called
    Whatif(WhatifArgs),
    /// Fork a meeting: start a new one from an earlier point of it
    Fork(ForkArgs),
    /// Export a meeting to a file: Markdown, a web page, PDF, JSON or its log, or to a folder of JSON files
    Export(ExportArgs),
    /// Import meetings from a folder of JSON files, or from one such file
    Import(ImportArgs),
    /// Search the messages and records of all meetings or of one
    Search(SearchArgs),
    /// Back up the database with its uploaded files, also while meetings run
    Backup(BackupArgs),
    /// Restore the database from a backup
    Restore(RestoreArgs),
    /// List the nodes: the processes that share a PostgreSQL database
    Nodes(NodesArgs),
    /// Move a database to a PostgreSQL server, and compare both
    Migrate(MigrateArgs),
    /// Verify that a database or an export was not changed
    Verify(VerifyArgs),
    /// Check what is configured, reachable or wrong, and how to fix it
    Doctor(DoctorArgs),
    /// Create, list and delete accounts of the server
    Accounts(AccountsArgs),
    /// Create, list and revoke access tokens for programs that use the server
    Tokens(TokensArgs),
    /// Create, list and revoke read-only links to the results of meetings
    Links(LinksArgs),
    /// Show the audit log: who did what at the server, when, and from where
    Audit(AuditArgs),
    /// Send a request to the server, for everything without a command of its own
    Api(ApiArgs),
    /// Print the script for shell completion
    Completions(CompletionsArgs),
    /// Print the manual, or write all its pages to a folder
    Man(ManArgs),
    /// Render the PDF of one meeting, from standard input to standard output; the server starts this by itself
    #[command(hide = true)]
    RenderPdf(LimitArgs),
    /// Read the text of one PDF file, from standard input to standard output; `quorate` starts this by itself
    #[command(hide = true)]
    ReadPdf(LimitArgs),
}

impl Task {
    /// The meeting of the command, as it was named.
    pub(crate) fn meeting(&self) -> Option<&str> {
        match self {
            Self::Resume(ResumeArgs { id, .. })
            | Self::Join(JoinArgs { id, .. })
            | Self::Say(SayArgs { id, .. })
            | Self::Attach(AttachArgs { id, .. })
            | Self::Minutes(MinutesArgs { id, .. })
            | Self::Delete(DeleteArgs { id, .. })
            | Self::Show(ShowArgs { id, .. })
            | Self::Replay(ReplayArgs { id, .. })
            | Self::Whatif(WhatifArgs { id, .. })
            | Self::Fork(ForkArgs { id, .. })
            | Self::Export(ExportArgs { id, .. })
            | Self::Pause(PauseArgs { id, .. })
            | Self::Tag(TagArgs { id, .. })
            | Self::Rename(RenameArgs { id, .. })
            | Self::End(EndArgs { id, .. }) => Some(id),
            Self::Links(LinksArgs { task }) => Some(task.meeting()),
            _ => None,
        }
    }

    /// The address of the server that it asks instead of the one of this machine.
    pub(crate) fn server(&self) -> Option<&str> {
        let ServerArgs { server } = match self {
            Self::Mcp(McpArgs { server })
            | Self::Api(ApiArgs { server, .. })
            | Self::Backup(BackupArgs { server, .. })
            | Self::Doctor(DoctorArgs { server, .. })
            | Self::Import(ImportArgs { server, .. })
            | Self::Join(JoinArgs { server, .. })
            | Self::Nodes(NodesArgs { server, .. })
            | Self::Prices(PricesArgs { server, .. })
            | Self::Verify(VerifyArgs { server, .. }) => server,
            _ => return None,
        };
        server.as_deref()
    }

    /// Whether its output is for a program.
    pub(crate) fn is_for_programs(&self) -> bool {
        matches!(
            self,
            Self::Completions(_) | Self::Man(_) | Self::Url(_) | Self::RenderPdf(_) | Self::ReadPdf(_)
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lang {
    /// 中文
    Zh,
    /// English
    En,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::Zh => Self::Zh,
            Lang::En => Self::En,
        }
    }
}

/// The speed of simulated participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PaceArg {
    /// As fast as a person reads
    Live,
    /// A few milliseconds each
    Brisk,
    /// Instantly
    Instant,
}

impl From<PaceArg> for SimulatedPace {
    fn from(pace: PaceArg) -> Self {
        match pace {
            PaceArg::Live => Self::Live,
            PaceArg::Brisk => Self::Brisk,
            PaceArg::Instant => Self::Instant,
        }
    }
}

#[derive(Debug, Parser)]
#[command(
    after_help = "While the meeting runs, type a line to send a message. /pause pauses, /end ends it, /next NAME \
    gives the floor to a participant, /help lists all commands. Ctrl-C pauses after the current speaker \
    and prints how to resume; a second Ctrl-C stops at once, and nothing is lost.\n\n\
    When a meeting asks a question, --yes takes the default:\n\n  \
    Question                          Default\n  \
    Check before a round              No change\n  \
    Missing information               Unknown\n  \
    A team, or a change of it         Accepted\n  \
    The host's message                Everybody is asked about the topic\n  \
    Nothing new was said              The meeting ends\n  \
    An artifact fails the gate        The rules write it\n  \
    A budget is used up               The meeting ends\n\n\
    Without --yes and without a terminal, the meeting pauses there (exit code 3) and prints how to \
    answer.\n\n\
    Without a key or an endpoint, the participants are simulated. To use models, set a key such as \
    OPENAI_API_KEY (`quorate providers list --presets` lists them all), or OPENAI_BASE_URL for any \
    compatible server, or start Ollama, or store a provider: quorate providers add."
)]
pub(crate) struct RunArgs {
    /// The question, at most 200 characters
    pub(crate) topic: Option<String>,

    /// A meeting file: topic, participants, rules, providers (see docs/meeting-file.md)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// What the meeting is called, at most 200 characters [default: the topic]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// What the meeting is for, in a line of at most 200 characters
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,

    /// The time zone in which the page and exports show its times, such as Asia/Shanghai [default: the reader's]
    #[arg(long, value_name = "ZONE")]
    pub(crate) time_zone: Option<String>,

    /// Background that is needed to answer the question; @FILE reads it from a file
    #[arg(long, value_name = "TEXT")]
    pub(crate) background: Option<String>,

    /// Attach a file, or the files of a folder, for participants to read and cite; repeat it for several
    #[arg(long, value_name = "PATH")]
    pub(crate) attach: Vec<PathBuf>,

    /// Let participants call the tools that are configured under this name, or search the web with `web-search`; `NAME=Ada,Ben` for some of them. Repeat it for several
    #[arg(long, value_name = "NAME")]
    pub(crate) tools: Vec<String>,

    /// Let participants list, read and search the files of this folder; the coding agents of --acp work in it
    #[arg(long, value_name = "PATH")]
    pub(crate) folder: Option<PathBuf>,

    /// The format of the meeting [default: consensus]
    #[arg(long, value_parser = PossibleValuesParser::new(Format::ALL.map(Format::as_str)))]
    pub(crate) format: Option<String>,

    /// The number of participants (1-12), or their names: Ada,Ben,Cid [default: 4; a brainstorm assembles a team]
    #[arg(long, short, value_name = "N|NAMES")]
    pub(crate) participants: Option<String>,

    /// Add an agent of the library; repeat it for several, in the order of the seats
    #[arg(long, value_name = "NAME", conflicts_with = "participants")]
    pub(crate) agent: Vec<String>,

    /// The largest number of discussion rounds [default: consensus 8, discussion 3, decision 5, room until it ends, brainstorm 4]
    #[arg(long, short, value_name = "N")]
    pub(crate) rounds: Option<u32>,

    /// The mean score at which a ballot passes, 0-100 [default: 80]
    #[arg(long, short, value_name = "SCORE", value_parser = clap::value_parser!(u8).range(points()))]
    pub(crate) threshold: Option<u8>,

    /// A model, as provider/name, process/name, acp/name or a2a/name; repeat it to assign several models in turn
    #[arg(long, short, value_name = "PROVIDER/NAME")]
    pub(crate) model: Vec<String>,

    /// The command of a coding agent that speaks the Agent Client Protocol, as one more model; it reads in --folder
    #[arg(long, value_name = "COMMAND")]
    pub(crate) acp: Vec<String>,

    /// A variable that the coding agents of --acp may see, such as ANTHROPIC_API_KEY; repeat it for several
    #[arg(long, value_name = "NAME", requires = "acp")]
    pub(crate) acp_env: Vec<String>,

    /// The fallback for participants whose own model fails, as provider/name; the agents and the file take precedence, `none` for no fallback
    #[arg(long, value_name = "PROVIDER/NAME|none")]
    pub(crate) fallback: Option<String>,

    /// Run the meeting without a facilitator
    #[arg(long)]
    pub(crate) no_facilitator: bool,

    /// The language of the meeting [default: the topic's]
    #[arg(long, value_enum)]
    pub(crate) lang: Option<Lang>,

    /// The token budget of the whole meeting, input and output
    #[arg(long, value_name = "N")]
    pub(crate) budget_tokens: Option<u64>,

    /// The cost budget of the whole meeting, in the currency of your prices
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) budget_cost: Option<f64>,

    /// The time budget of the whole meeting
    #[arg(long, value_name = "MINUTES")]
    pub(crate) budget_minutes: Option<f64>,

    /// How long to wait when no provider is reachable; 0 does not wait [default: 10]
    #[arg(long, value_name = "MINUTES")]
    pub(crate) provider_wait: Option<f64>,

    /// Write the result to a file; .json gives JSON, anything else Markdown
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Estimate the meeting (calls, tokens, cost) without running it; with --json, as JSON
    #[arg(long)]
    pub(crate) estimate: bool,

    /// Use simulated participants even where models could be used
    #[arg(long)]
    pub(crate) simulate: bool,

    /// Run the meeting off the record: in memory only, lost when the command ends
    #[arg(long)]
    pub(crate) off_record: bool,

    /// The seed of random orders and of simulated participants
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) held: MeetingRuleArgs,

    #[command(flatten)]
    pub(crate) seat: SeatArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,
}

#[derive(Debug, Parser)]
pub(crate) struct LiveArgs {
    /// Print each durable event as a line of JSON on stdout instead
    #[arg(long)]
    pub(crate) json: bool,

    /// Never ask and never read from the terminal; questions take their defaults, and what coding agents ask for is refused
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// The speed of simulated participants; kept with the meeting [default: live where the result is read in a terminal, otherwise instant; on resume, as before]
    #[arg(long, value_enum)]
    pub(crate) pace: Option<PaceArg>,
}

#[derive(Debug, Parser)]
pub(crate) struct ResumeArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// The file the meeting was started with, when its providers are configured there
    #[arg(long, short, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// With --json, first print the events after this sequence number, so that a script has no gap
    #[arg(long = "after", value_name = "SEQ")]
    pub(crate) events_after: Option<u64>,

    /// Write the result to a file; .json gives JSON, anything else Markdown
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) answers: AnswerArgs,

    #[command(flatten)]
    pub(crate) seat: SeatArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,
}

#[derive(Debug, Parser)]
pub(crate) struct PricesArgs {
    /// Only models whose vendor or name contains this
    pub(crate) filter: Option<String>,

    /// Print the prices as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Parser)]
pub(crate) struct NodesArgs {
    /// List which meetings have gone over from one node to another instead, the newest first
    #[arg(long)]
    pub(crate) changes: bool,

    /// Print the list as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

/// The names that a rule takes.
pub(crate) fn choices(path: &str) -> PossibleValuesParser {
    PossibleValuesParser::new(RuleField::at(path).map(RuleField::choices).unwrap_or_default())
}

#[derive(Debug, Parser)]
#[command(
    after_help = "FILE is an export as json, jsonl or html, or the folder of an export as files. Each event is \
    checked against its checksum, and the checksums against the signature. The result names the \
    installation that signed it by a key id; --key sets the expected one. Without FILE, the database is \
    verified.\n\n\
    Example:  quorate verify meeting.jsonl --key 3f0c2a4be1d95c7786aa01d2b43c9e5f"
)]
pub(crate) struct VerifyArgs {
    /// Verify this export instead of the database
    pub(crate) file: Option<PathBuf>,

    /// With FILE: the key that must have signed it, as a key id or public key
    #[arg(long, value_name = "KEY", requires = "file")]
    pub(crate) key: Option<String>,

    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Parser)]
pub(crate) struct DoctorArgs {
    /// Also ask each model for one word, which may cost a few tokens
    #[arg(long)]
    pub(crate) probe: bool,

    /// A meeting file whose providers are checked, too
    #[arg(long, short, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) server: ServerArgs,
}
