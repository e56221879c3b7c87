//! The command line of one request to the interface of the server.

use std::path::PathBuf;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(
    after_help = "Whatever the interface can do is done here without a program: templates, uploads, sessions, settings, \
    the agenda and participants of a meeting. The server that holds the database is asked, or the one of --server. \
    docs/openapi.json, or /api/v1/docs of a running server, describes every path.\n\n\
    Examples:\n  quorate api GET /templates\n  quorate api POST /meetings/ID/agenda --data '{\"title\": \"Costs\"}'\n  \
    quorate api POST '/meetings/ID/uploads?name=costs.csv' --file costs.csv"
)]
pub(crate) struct ApiArgs {
    /// What to do
    #[arg(value_parser = ["GET", "POST", "PUT", "PATCH", "DELETE"], ignore_case = true, value_name = "METHOD")]
    pub(crate) method: String,

    /// The path after /api/v1, with its query: '/meetings?limit=5'
    pub(crate) path: String,

    /// The body as JSON; @FILE reads it from a file, @- from standard input
    #[arg(long, short, value_name = "JSON")]
    pub(crate) data: Option<String>,

    /// Send the bytes of this file as the body, as an upload takes them
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    pub(crate) file: Option<PathBuf>,

    /// A header of the request, such as 'If-Match: "3"'; give it several times for several
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,

    /// Write the answer to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
