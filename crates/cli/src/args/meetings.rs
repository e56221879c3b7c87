//! Arguments of commands that look at a meeting of the past, count it again, or copy it.

use clap::Parser;
use clap::builder::PossibleValuesParser;
use quorate_contract::{ClauseKind, ClauseRule, DecisionMode};

use super::Lang;

#[derive(Debug, Parser)]
pub(crate) struct ListArgs {
    /// The largest number of meetings
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,

    /// Only meetings with this tag
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,

    /// Print one meeting per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(after_help = "Without tags, those of the meeting are printed.")]
pub(crate) struct TagArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// The tags, in place of those that it has: at most 10 of at most 40 characters
    pub(crate) tags: Vec<String>,

    /// Remove all tags
    #[arg(long, conflicts_with = "tags")]
    pub(crate) clear: bool,

    /// Print the tags as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct RenameArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// The title, at most 200 characters
    pub(crate) title: String,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ShowArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// Show the hidden marks of the participants
    #[arg(long)]
    pub(crate) marks: bool,

    /// Show deliberation health: evidence, open objections, changes of position, unanswered claims
    #[arg(long, conflicts_with = "marks")]
    pub(crate) health: bool,

    /// Print the diagnostic report as JSON: the shape of the log and the versions, without any content
    #[arg(long, conflicts_with_all = ["marks", "health", "lang", "salvage"])]
    pub(crate) diagnostics: bool,

    /// The language of headings, labels and remarks [default: the meeting's]; messages are not translated
    #[arg(long, value_enum)]
    pub(crate) lang: Option<Lang>,

    /// For a damaged meeting, show its state before the damage
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

    /// Replay with the meeting's pauses, this many times faster [default: print at once]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) speed: Option<f64>,

    /// Print the events exactly as they were printed while the meeting ran
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(after_help = "Without changes, it shows which thresholds and whose votes decided the outcome.\n\n\
    Example:  quorate whatif last --threshold 70 --without Cid")]
pub(crate) struct WhatifArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// The mean score at which a ballot would have passed, 0-100
    #[arg(long, short, value_name = "SCORE", value_parser = clap::value_parser!(u8).range(points()))]
    pub(crate) threshold: Option<u8>,

    /// The share of votes that would have had to pass, 0.0-1.0
    #[arg(long, value_name = "SHARE")]
    pub(crate) pass_ratio: Option<f64>,

    /// The lowest score that a vote could have had, 0-100
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u8).range(points()))]
    pub(crate) min_score: Option<u8>,

    /// The share of participants that would have had to vote, 0.0-1.0
    #[arg(long, value_name = "SHARE")]
    pub(crate) quorum: Option<f64>,

    /// The rule that would have applied: the mean score, the share of votes that pass, both, or every vote
    #[arg(long, value_parser = PossibleValuesParser::new(DecisionMode::ALL.map(DecisionMode::as_str)))]
    pub(crate) mode: Option<String>,

    /// A participant whose votes are left out, by name; repeat it for several
    #[arg(long, value_name = "NAME")]
    pub(crate) without: Vec<String>,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ForkArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// The last event to copy [default: the last one from which the meeting can continue]
    #[arg(long, value_name = "SEQ")]
    pub(crate) at: Option<u64>,

    /// The title of the new meeting [default: the old title with an addition]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// The largest number of discussion rounds
    #[arg(long, short, value_name = "N")]
    pub(crate) rounds: Option<u32>,

    /// The token budget, including what the old meeting has used
    #[arg(long, value_name = "N")]
    pub(crate) budget_tokens: Option<u64>,

    /// The cost budget, including what the old meeting has used, in the currency of your prices
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    pub(crate) budget_cost: Option<f64>,

    /// The time budget, including what the old meeting has used
    #[arg(long, value_name = "MINUTES")]
    pub(crate) budget_minutes: Option<f64>,

    /// Print the new meeting's id as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The points that a score can have, by the rules.
pub(super) fn points() -> std::ops::RangeInclusive<i64> {
    let max = ClauseRule::of(ClauseKind::MeanScore).max();
    0..=i64::try_from(max).unwrap_or(i64::MAX)
}
