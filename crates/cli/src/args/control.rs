//! Arguments of commands that control a meeting from outside, and of the shell completions.

use std::path::PathBuf;

use clap::Parser;
use clap_complete::Shell;

#[derive(Debug, Parser)]
#[command(
    after_help = "The current speaker finishes. The terminal stays open; continue there with /resume, or with \
    `quorate resume`.\n\n\
    Example:  quorate pause last"
)]
pub(crate) struct PauseArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// Pause at once instead of after the current turn
    #[arg(long)]
    pub(crate) at_once: bool,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "The facilitator writes the conclusion first, so the meeting ends a little later. If no process runs \
    the meeting, this command ends it.\n\n\
    Example:  quorate end last \"the budget is decided elsewhere\""
)]
pub(crate) struct EndArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// The reason, for the record
    pub(crate) note: Option<String>,

    /// The file the meeting was started with, when its providers are configured there
    #[arg(long, short, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "Example:  quorate completions bash > ~/.local/share/bash-completion/completions/quorate"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "Example:  quorate man | man -l -\n          quorate man --out ~/.local/share/man/man1"
)]
pub(crate) struct ManArgs {
    /// The command whose page to print; without one, that of quorate
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,

    /// The folder to write all pages to
    #[arg(long, short, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) out: Option<PathBuf>,
}
