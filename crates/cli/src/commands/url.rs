//! Says where the server that holds the database can be opened.

use std::process::ExitCode;

use quorate_messages::text;

use super::print;
use crate::args::UrlArgs;
use crate::error::{CliError, ErrorKind};
use crate::language::Speech;
use crate::place::Place;
use crate::remote;

/// Prints the address that lets a browser in.
pub(crate) fn url(place: &Place, args: UrlArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let Some(server) = remote::running(place)? else {
        return Err(CliError::new(
            text!(speech, "cli-url-no-server-uses-database", db = %place.location),
            format!("{}{}", text!(speech, "cli-url-start-one"), place.command("serve")),
        )
        .of(ErrorKind::NotFound));
    };
    match args.json {
        true => print(&serde_json::to_string(&server).expect("an announcement has only text")),
        false => print(&server.page),
    }
    if args.open
        && let Err(error) = open::that_detached(&server.page)
    {
        anstream::eprintln!("{}{error}", text!(speech, "cli-url-browser-could-not-opened"));
    }
    Ok(ExitCode::SUCCESS)
}
