//! Arguments of links to results.

use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(
    after_help = "Anybody who has the link reads the result without signing in: conclusion, dissent, votes with reasons, \
    actions and artifacts, but no messages and not who the people are."
)]
pub(crate) struct LinksArgs {
    #[command(subcommand)]
    pub(crate) task: LinksTask,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LinksTask {
    /// Create a read-only link to the result of a meeting that has ended; it is shown only once
    Add(AddLinkArgs),
    /// List the links to the result of a meeting, with how often each was read
    List(ListLinksArgs),
    /// Revoke a link to the result of a meeting
    Remove(RemoveLinkArgs),
}

impl LinksTask {
    /// The meeting, as it was named.
    pub(crate) fn meeting(&self) -> &str {
        match self {
            Self::Add(AddLinkArgs { meeting, .. })
            | Self::List(ListLinksArgs { meeting, .. })
            | Self::Remove(RemoveLinkArgs { meeting, .. }) => meeting,
        }
    }
}

#[derive(Debug, Parser)]
pub(crate) struct AddLinkArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) meeting: String,

    /// The lifetime in days, 1-3650 [default: until it is revoked]
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub(crate) days: Option<u32>,

    /// Print the link as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ListLinksArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) meeting: String,

    /// Print one link per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct RemoveLinkArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) meeting: String,

    /// The link's id, as shown by the list
    pub(crate) id: String,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
