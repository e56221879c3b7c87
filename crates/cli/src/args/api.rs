//! The command line of one request to the interface of the server.

use std::path::PathBuf;

use clap::Parser;

use super::ServerArgs;

#[derive(Debug, Parser)]
#[command(
    after_help = "Use this for everything without a command of its own: templates, sessions, settings, the \
    agenda and participants of a meeting. The request goes to the server that holds the database, or to \
    the one of --server. docs/openapi.json, and /api/v1/docs of a running server, describe every path.\n\n\
    Examples:\n  \
    quorate api GET /templates\n  \
    quorate api POST /meetings/ID/agenda --data '{\"title\": \"Costs\"}'\n  \
    quorate api POST '/meetings/ID/files?name=costs.csv' --file costs.csv"
)]
pub(crate) struct ApiArgs {
    /// HTTP method
    #[arg(value_parser = ["GET", "POST", "PUT", "PATCH", "DELETE"], ignore_case = true, value_name = "METHOD")]
    pub(crate) method: String,

    /// The path after /api/v1, with its query: '/meetings?limit=5'
    pub(crate) path: String,

    /// The body as JSON; @FILE reads it from a file, @- from standard input
    #[arg(long, short, value_name = "JSON")]
    pub(crate) data: Option<String>,

    /// Send the content of this file as the body, for uploads
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    pub(crate) file: Option<PathBuf>,

    /// A header of the request, such as 'If-Match: "3"'; repeat it for several
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,

    /// Write the response to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) server: ServerArgs,
}
