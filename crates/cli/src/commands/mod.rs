//! The commands: a module for each, or for a few that belong together.

mod access;
mod agents;
mod api;
mod attach;
mod backup;
mod calls;
mod delete;
mod doctor;
mod estimate;
mod export;
mod folders;
mod fork;
mod inspect;
mod join;
mod labels;
mod limited;
mod links;
mod mcp;
mod minutes;
mod nodes;
mod pause_and_end;
mod prices;
mod progress;
mod providers;
mod read_pdf;
mod render_pdf;
mod replay;
mod run;
mod say;
mod search;
mod serve;
mod shell;
mod table;
mod url;
mod verify;
mod whatif;

pub(crate) use access::{accounts, audit, tokens};
pub(crate) use agents::agents;
pub(crate) use api::api;
pub(crate) use attach::attach;
pub(crate) use backup::{backup, migrate, restore};
pub(crate) use delete::delete;
pub(crate) use doctor::doctor;
pub(crate) use export::export;
pub(crate) use folders::import;
pub(crate) use fork::fork;
pub(crate) use inspect::{list, show};
pub(crate) use join::join;
pub(crate) use labels::{rename, tag};
pub(crate) use links::links;
pub(crate) use mcp::mcp;
pub(crate) use minutes::minutes;
pub(crate) use nodes::nodes;
pub(crate) use pause_and_end::{end, pause};
pub(crate) use prices::prices;
pub(crate) use providers::providers;
pub(crate) use read_pdf::read_pdf;
pub(crate) use render_pdf::render_pdf;
pub(crate) use replay::replay;
pub(crate) use run::{resume, run};
pub(crate) use say::say;
pub(crate) use search::search;
pub(crate) use serve::serve;
pub(crate) use shell::{completions, man};
pub(crate) use url::url;
pub(crate) use verify::verify;
pub(crate) use whatif::whatif;

use std::io::{ErrorKind, Write};
use std::path::Path;

use quorate_app::belongs_to_database;
use quorate_messages::{io_problem, message};

use crate::error::{CliError, ReportError};

/// Prints a result. A closed pipe is no error; a full disk is one.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    let written = write!(out, "{text}{newline}").and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        let speech = crate::language::current();
        CliError::new(
            message!("cli-result-not-written", error = io_problem(&error)),
            message!("cli-api-make-room"),
        )
        .at_terminal(speech)
        .report(speech, false);
        std::process::exit(1);
    }
}

/// Prints a result in Markdown: drawn where a terminal shows it.
pub(crate) fn print_markdown(text: &str) {
    let Some(drawn) = table::for_stdout(text) else { return print(text) };
    print(&match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => anstream::adapter::strip_str(&drawn).to_string(),
        _ => drawn,
    });
}

/// Writes a result to a file, completely or not at all. A special file, such as a pipe, is written directly;
/// a link is followed.
pub(crate) fn write_file(path: &Path, text: impl AsRef<[u8]>) -> Result<(), CliError> {
    let failed = |error: std::io::Error| {
        CliError::new(
            message!("common-not-written", path = %path.display(), error = io_problem(&error)),
            message!("cli-choose-place"),
        )
    };
    spares_databases(path)?;
    folder_exists(path)?;
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        let mut there = std::fs::OpenOptions::new().write(true).open(&path).map_err(failed)?;
        return there.write_all(text.as_ref()).map_err(failed);
    }
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut beside = tempfile::Builder::new();
    #[cfg(unix)]
    beside.permissions(<std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    let mut beside = beside.tempfile_in(folder).map_err(failed)?;
    beside.write_all(text.as_ref()).map_err(failed)?;
    beside.persist(&path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Checks that there is a folder for a file that is to be written.
fn folder_exists(path: &Path) -> Result<(), CliError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let problem = match (path.is_dir(), folder.is_dir()) {
        (false, true) => return Ok(()),
        (true, _) => message!("cli-run-is-folder", path = %path.display()),
        (false, false) => {
            message!("cli-run-no-folder", path = %path.display(), folder = %folder.display())
        }
    };
    Err(CliError::usage(problem, message!("cli-run-no-folder-hint")))
}

/// Refuses to write a result over a database, or over what belongs to one.
pub(crate) fn spares_databases(path: &Path) -> Result<(), CliError> {
    match belongs_to_database(path) {
        true => Err(CliError::usage(
            message!("cli-out-is-database", path = %path.display()),
            message!("cli-out-is-database-hint"),
        )
        .with("field", "out")),
        false => Ok(()),
    }
}
