//! The command line. What is written here is what `--help` says; `speech/zh.txt` says it in Chinese.

mod access;
mod answer;
mod control;
mod files;
mod library;
mod meeting_rules;
mod providers;
mod serve;

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Parser, Subcommand, ValueEnum};
use quorate_contract::{Format, SimulatedPace};
use quorate_views::DecisionMode;

pub(crate) use self::access::*;
pub(crate) use self::answer::{AnswerArgs, MinutesArgs, SayArgs};
pub(crate) use self::control::*;
pub(crate) use self::files::*;
pub(crate) use self::library::*;
pub(crate) use self::meeting_rules::MeetingRuleArgs;
pub(crate) use self::providers::*;
pub(crate) use self::serve::*;

/// Let AI models deliberate: several participants, written rules, a decision that can be traced
#[derive(Debug, Parser)]
#[command(
    name = "quorate",
    version,
    after_help = "Begin with:  quorate run \"Should our service use SQLite or PostgreSQL?\"\n\n\
        Exit codes: 0 the meeting ended (or the command did its work), 1 it failed, 2 the command \
        line is wrong, 3 the meeting is paused, 4 the meeting ended but most of its seats \
        failed, 130 stopped at once."
)]
pub(crate) struct Args {
    /// The database; otherwise one in your data directory
    #[arg(long, global = true, value_name = "PATH", env = "QUORATE_DB")]
    pub(crate) db: Option<PathBuf>,

    /// Ask the server at this address, with the token in QUORATE_TOKEN: backup, doctor, import, prices, verify
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,

    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Hold a meeting about a topic, live in the terminal
    Run(Box<RunArgs>),
    /// Serve meetings over HTTP: REST, live events, documentation
    Serve(Box<ServeArgs>),
    /// Print the address that opens the page of the running server, with its token
    Url(UrlArgs),
    /// Go on with a meeting that was paused or cut off
    Resume(ResumeArgs),
    /// Say something to a meeting, or have one thing done, without resuming it
    Say(SayArgs),
    /// Pause a meeting that runs in another terminal or in the server
    Pause(PauseArgs),
    /// End a meeting with the best conclusion there is
    End(EndArgs),
    /// Show, compare or edit the minutes of a meeting
    Minutes(MinutesArgs),
    /// Delete a meeting with all that was said at it
    Delete(DeleteArgs),
    /// Describe agents once, and seat them at many meetings
    Agents(AgentsArgs),
    /// Add, list, try out and remove providers of models, and keep their keys
    #[command(alias = "credentials")]
    Providers(ProvidersArgs),
    /// List what models cost, with the day and the source of each price
    Prices(PricesArgs),
    /// List the meetings
    List(ListArgs),
    /// Show how a meeting stands, or its result
    Show(ShowArgs),
    /// Play a meeting again from its log; no model is called
    Replay(ReplayArgs),
    /// Judge a meeting once more under other rules, from its log; no model is called
    Whatif(WhatifArgs),
    /// Begin a new meeting from a point in the past of another
    Fork(ForkArgs),
    /// Write a meeting to a file: Markdown, a web page, PDF or JSON, or to a folder of JSON files
    Export(ExportArgs),
    /// Take meetings over from a folder of JSON files, or from one such file
    Import(ImportArgs),
    /// Find what was said, at all meetings or at one
    Search(SearchArgs),
    /// Copy the database with its uploaded files, also while meetings run
    Backup(BackupArgs),
    /// Put a backup in the place of the database
    Restore(RestoreArgs),
    /// Check that a database holds what was written to it
    Verify(VerifyArgs),
    /// Say what is configured, reachable or wrong, and how to mend it
    Doctor(DoctorArgs),
    /// Make, list and remove accounts that may sign in at the server
    Accounts(AccountsArgs),
    /// Make, list and take back tokens for programs that use the server
    Tokens(TokensArgs),
    /// Say who did what at the server, when, and from where
    Audit(AuditArgs),
    /// Print what makes a shell complete the commands
    Completions(CompletionsArgs),
    /// Print the manual, or write all its pages to a folder
    Man(ManArgs),
    /// Play simulated meetings with injected faults, to test Quorate itself
    Sim(SimArgs),
    /// Set the pages of one meeting, from standard input to standard output; the server starts it by itself
    #[command(hide = true)]
    RenderPdf(RenderPdfArgs),
}

impl Task {
    /// The meeting that this is about, as it was named.
    pub(crate) fn meeting(&self) -> Option<&str> {
        match self {
            Self::Resume(ResumeArgs { id, .. })
            | Self::Say(SayArgs { id, .. })
            | Self::Minutes(MinutesArgs { id, .. })
            | Self::Delete(DeleteArgs { id, .. })
            | Self::Show(ShowArgs { id, .. })
            | Self::Replay(ReplayArgs { id, .. })
            | Self::Whatif(WhatifArgs { id, .. })
            | Self::Fork(ForkArgs { id, .. })
            | Self::Export(ExportArgs { id, .. })
            | Self::Pause(PauseArgs { id, .. })
            | Self::End(EndArgs { id, .. }) => Some(id),
            _ => None,
        }
    }

    /// Whether it can ask a server elsewhere.
    pub(crate) fn asks_a_server(&self) -> bool {
        matches!(
            self,
            Self::Backup(_) | Self::Doctor(_) | Self::Import(_) | Self::Prices(_) | Self::Verify(_)
        )
    }

    /// Whether what it prints is read by a program.
    pub(crate) fn is_for_programs(&self) -> bool {
        matches!(self, Self::Completions(_) | Self::Man(_) | Self::Url(_) | Self::Sim(_) | Self::RenderPdf(_))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lang {
    /// 中文
    Zh,
    /// English
    En,
}

/// How fast simulated participants speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PaceArg {
    /// As fast as a person reads
    Live,
    /// A few milliseconds each
    Brisk,
    /// At once
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
    after_help = "While the meeting runs, type a line to steer it. /pause pauses, /end ends it, /next NAME gives \
    somebody the floor, /help lists the rest. Ctrl-C pauses after the current speaker and prints how to resume; a second Ctrl-C stops at once, \
    and nothing is lost.\n\nWhat a meeting asks, and what --yes takes: a check before a round, nothing changes; missing \
    information, it is not known; a team or a change of it, accepted; the host's word, everybody is asked about the topic; \
    nothing new, the meeting ends; a document that does not pass, the rules write it; a budget used up, the meeting ends. Without \
    --yes and without a terminal, the meeting pauses there (exit code 3) and says how to answer.\n\nWithout a key or an endpoint the participants are simulated. To use models, set a key such as \
    OPENAI_API_KEY (`quorate providers list --presets` lists them all), or OPENAI_BASE_URL for any compatible server, or \
    start Ollama, or store a provider: quorate providers add."
)]
pub(crate) struct RunArgs {
    /// The question, at most 200 characters
    pub(crate) topic: Option<String>,

    /// A file that holds the meeting: topic, participants, rules, providers (see docs/meeting-file.md)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// What one has to know to answer; @FILE reads it from a file
    #[arg(long, value_name = "TEXT")]
    pub(crate) background: Option<String>,

    /// The format of the meeting [default: consensus]
    #[arg(long, value_parser = PossibleValuesParser::new(Format::ALL.map(Format::as_str)))]
    pub(crate) format: Option<String>,

    /// How many participants (1-12), or their names: Ada,Ben,Cid [default: 4; a brainstorm puts a team together]
    #[arg(long, short, value_name = "N|NAMES")]
    pub(crate) participants: Option<String>,

    /// Seat an agent of the library; give it several times, in the order of the seats
    #[arg(long, value_name = "NAME", conflicts_with = "participants")]
    pub(crate) agent: Vec<String>,

    /// The last round of discussion that may take place [default: consensus 8, discussion 3, decision 5, room until it ends, brainstorm 4]
    #[arg(long, short, value_name = "N")]
    pub(crate) rounds: Option<u32>,

    /// The mean score at which a ballot passes, 0-100 [default: 80]
    #[arg(long, short, value_name = "SCORE", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) threshold: Option<u8>,

    /// A model, as provider/name or process/name; give it several times to seat different models in turn
    #[arg(long, short, value_name = "PROVIDER/NAME")]
    pub(crate) model: Vec<String>,

    /// The model that answers for whoever's own does not, as provider/name; the agents and the file win, `none` for no other
    #[arg(long, value_name = "PROVIDER/NAME|none")]
    pub(crate) fallback: Option<String>,

    /// Hold the meeting without a facilitator
    #[arg(long)]
    pub(crate) no_facilitator: bool,

    /// The language of the meeting [default: the topic's]
    #[arg(long, value_enum)]
    pub(crate) lang: Option<Lang>,

    /// The most tokens of the whole meeting, read and written
    #[arg(long, value_name = "N")]
    pub(crate) budget_tokens: Option<u64>,

    /// The most money of the whole meeting, in the currency of your prices
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) budget_cost: Option<f64>,

    /// The most time of the whole meeting
    #[arg(long, value_name = "MINUTES")]
    pub(crate) budget_minutes: Option<f64>,

    /// How long to wait for a provider that cannot be reached; 0 does not wait [default: 10]
    #[arg(long, value_name = "MINUTES")]
    pub(crate) provider_wait: Option<f64>,

    /// Write the result to a file; .json gives JSON, anything else Markdown
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Say what the meeting will take (calls, tokens, money) and do not hold it; with --json, as JSON
    #[arg(long)]
    pub(crate) estimate: bool,

    /// Use simulated participants even where models could be used
    #[arg(long)]
    pub(crate) simulate: bool,

    /// Leave nothing on the disk: the meeting is held in memory, and is gone when the command ends
    #[arg(long)]
    pub(crate) off_record: bool,

    /// From which random orders are drawn, and what simulated participants say
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) held: MeetingRuleArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,
}

#[derive(Debug, Parser)]
pub(crate) struct LiveArgs {
    /// Print each durable event as a line of JSON on stdout instead
    #[arg(long)]
    pub(crate) json: bool,

    /// Never ask and never read from the terminal; what the meeting asks takes its default
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// How fast simulated participants speak; kept with the meeting [default: live where the result is read in a terminal, otherwise instant; on resume, as before]
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

    /// With --json, print the events after this number first, so that a script has no gap
    #[arg(long, value_name = "SEQ")]
    pub(crate) after: Option<u64>,

    /// Write the result to a file; .json gives JSON, anything else Markdown
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) answers: AnswerArgs,

    #[command(flatten)]
    pub(crate) live: LiveArgs,
}

#[derive(Debug, Parser)]
pub(crate) struct PricesArgs {
    /// Only those whose vendor or model has this in its name
    pub(crate) filter: Option<String>,

    /// Print the prices as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ListArgs {
    /// How many at the most
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,

    /// Print one meeting per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ShowArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// Show the marks that participants were given, which the table never sees
    #[arg(long)]
    pub(crate) marks: bool,

    /// Show how sound the deliberation is: what its agreement rests on, who objects, what nobody has taken up
    #[arg(long, conflicts_with = "marks")]
    pub(crate) health: bool,

    /// Of a damaged meeting, show how it stood before the damage
    #[arg(long)]
    pub(crate) salvage: bool,

    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ReplayArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// Keep the pauses of the meeting, so many times faster; at once when not given
    #[arg(long, value_name = "FACTOR")]
    pub(crate) speed: Option<f64>,

    /// Print the events as they were printed while the meeting ran, byte for byte
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "Without any of these changes it says which thresholds and whose votes decided the outcome.\n\n\
    Example:  quorate whatif last --threshold 70 --without Cid"
)]
pub(crate) struct WhatifArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// The mean score at which a ballot would have passed, 0-100
    #[arg(long, short, value_name = "SCORE", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) threshold: Option<u8>,

    /// The share of votes that would have had to pass, 0.0-1.0
    #[arg(long, value_name = "SHARE")]
    pub(crate) pass_ratio: Option<f64>,

    /// The score below which no vote could have been, 0-100
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) min_score: Option<u8>,

    /// The share of the table that would have had to vote, 0.0-1.0
    #[arg(long, value_name = "SHARE")]
    pub(crate) quorum: Option<f64>,

    /// What would have been asked for: the mean score, the share of votes that pass, both, or every vote
    #[arg(long, value_parser = PossibleValuesParser::new(DecisionMode::ALL.map(DecisionMode::as_str)))]
    pub(crate) mode: Option<String>,

    /// Whose votes to leave out, by name; give it several times for several
    #[arg(long, value_name = "NAME")]
    pub(crate) without: Vec<String>,

    /// Print the judgement as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ForkArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// The last event that the new meeting takes over [default: the last one from which it can go on]
    #[arg(long, value_name = "SEQ")]
    pub(crate) at: Option<u64>,

    /// What the new meeting is called [default: as the old one, with a mark]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// The last round of discussion that may take place
    #[arg(long, short, value_name = "N")]
    pub(crate) rounds: Option<u32>,

    /// The most tokens of the whole meeting, those of the old one included
    #[arg(long, value_name = "N")]
    pub(crate) budget_tokens: Option<u64>,

    /// The most money of the whole meeting, that of the old one included, in the currency of your prices
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) budget_cost: Option<f64>,

    /// The most time of the whole meeting, that of the old one included
    #[arg(long, value_name = "MINUTES")]
    pub(crate) budget_minutes: Option<f64>,

    /// Print the new meeting's id as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ExportArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// Markdown; `html`: one page that replays the meeting and checks itself, without a network; `pdf`;
    /// JSON with the report and all events for programs; or `files`: a folder that other programs and
    /// `quorate import` read (see docs/export.md)
    #[arg(long, value_parser = export_formats(), default_value = "md")]
    pub(crate) format: String,

    /// With `html` and `pdf`: hidden marks, private memory and the thinking of models, too
    #[arg(long)]
    pub(crate) with_marks: bool,

    /// With `pdf`: the font file for Chinese letters; otherwise the best one of this machine
    #[arg(long, value_name = "FILE", env = "QUORATE_FONT")]
    pub(crate) font: Option<PathBuf>,

    /// Of a damaged meeting, write what comes before the damage
    #[arg(long)]
    pub(crate) salvage: bool,

    /// Where to; stdout when not given. The folder, with `files`
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// What a meeting can be exported as; `markdown` is `md`.
fn export_formats() -> PossibleValuesParser {
    let all = [PossibleValue::new("md").alias("markdown")].into_iter();
    all.chain(["html", "pdf", "json", "files"].map(PossibleValue::new)).collect::<Vec<_>>().into()
}

#[derive(Debug, Parser)]
pub(crate) struct VerifyArgs {
    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct DoctorArgs {
    /// Also ask each model for one word, which may cost a few tokens
    #[arg(long)]
    pub(crate) probe: bool,

    /// A meeting file whose providers are to be looked at, too
    #[arg(long, short, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct SimArgs {
    /// The first seed
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,

    /// How many meetings, each from the next seed
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) count: u64,

    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
