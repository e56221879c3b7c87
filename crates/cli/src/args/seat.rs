//! Arguments of a seat that the person at the terminal takes.

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser};

use super::ServerArgs;

/// A seat in a meeting that this terminal holds.
#[derive(Debug, Default, Args)]
pub(crate) struct SeatArgs {
    /// Take a seat yourself, under this name: you are asked in turn in this terminal, and vote
    #[arg(long, value_name = "NAME", conflicts_with = "yes", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) seat: Option<String>,

    /// The role of your seat, in a few words
    #[arg(long, value_name = "TEXT", requires = "seat")]
    pub(crate) role: Option<String>,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "When it is your turn, the terminal says so. What you type then is the answer: /turn shows the task again, \
    /skip skips it where that is allowed, /undo takes back the last line, and a line that ends with \\ continues in the next \
    one. Ctrl-C leaves; the seat stays yours, and the meeting continues.\n\nWith --json a turn is a line on stdout \
    ({\"type\":\"turn\",…}), and an answer a line on stdin: {\"ticket\":\"…\",\"text\":\"…\"}, {\"ticket\":\"…\",\"fields\":{…}} or \
    {\"ticket\":\"…\",\"skip\":true}.\n\nExample:  QUORATE_TOKEN=… quorate join last --role Architect --server https://quorate.example"
)]
pub(crate) struct JoinArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// Your name at the table [default: that of your account]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The role of your seat, in a few words
    #[arg(long, value_name = "TEXT")]
    pub(crate) role: Option<String>,

    /// Give up the seat instead; what you said stays
    #[arg(long, conflicts_with_all = ["name", "role", "events_after", "json"])]
    pub(crate) leave: bool,

    /// With --json, print the events after this number first, so that a script has no gap
    #[arg(long = "after", value_name = "SEQ")]
    pub(crate) events_after: Option<u64>,

    /// Print each event and each turn as a line of JSON on stdout instead, and read answers as lines of JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) server: ServerArgs,
}
