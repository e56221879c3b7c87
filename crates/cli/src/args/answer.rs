//! Arguments of commands that answer a paused meeting: answers, messages, edited minutes.

use std::path::PathBuf;

use clap::{Args, Parser};

/// Answers to the questions of a pause.
#[derive(Debug, Default, Args)]
pub(crate) struct AnswerArgs {
    /// An answer to a question of the pause; @FILE reads it from a file; repeat it for several
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) answer: Vec<String>,

    /// The resume token of the pause that is answered; refused when the meeting is now paused for another reason
    #[arg(long, value_name = "TOKEN")]
    pub(crate) token: Option<String>,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "Requests (minutes, an artifact, a new participant) are completed before the command ends; the \
    meeting itself stays paused.\n\n\
    Example:  quorate say last \"the data is 40 GB\" \"/remove Ben\" \"/minutes\""
)]
pub(crate) struct SayArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// A message, or a command as it is typed in a meeting, such as "/minutes"; /help lists them
    #[arg(required = true, value_name = "LINE")]
    pub(crate) lines: Vec<String>,

    /// The file the meeting was started with, when its providers are configured there
    #[arg(long, short, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Print each durable event as a line of JSON on stdout instead
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct MinutesArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// The version [default: the last one]
    #[arg(long, value_name = "N", conflicts_with_all = ["diff", "edit"])]
    pub(crate) version: Option<u32>,

    /// Show the changes from version A to version B
    #[arg(long, value_names = ["A", "B"], num_args = 2, conflicts_with = "edit")]
    pub(crate) diff: Option<Vec<u32>>,

    /// Write a new version: from FILE, from stdin with -, or in $EDITOR when neither is given
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) edit: Option<String>,

    /// Print the minutes as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
