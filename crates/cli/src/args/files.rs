//! The command line of meetings that come out of files.

use std::path::PathBuf;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(
    after_help = "Each import makes new meetings, also of files that were imported before. What is not over rests; go \
    on with quorate resume. Keys in files are not read."
)]
pub(crate) struct ImportArgs {
    /// A folder with agents/ and meetings/, or with rooms.json and room_messages/; or a meeting's file
    pub(crate) path: PathBuf,

    /// Also take the agents of agents/ into the library; names that are taken are passed over
    #[arg(long)]
    pub(crate) agents: bool,

    /// Print one new meeting per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
