//! One room for each command.

mod agents;
mod credentials;
mod delete;
mod doctor;
mod folders;
mod look;
mod meet;
mod minutes;
mod replay;
mod say;
mod sim;
mod verify;
mod whatif;

pub(crate) use agents::agents;
pub(crate) use credentials::credentials;
pub(crate) use delete::delete;
pub(crate) use doctor::doctor;
pub(crate) use folders::import;
pub(crate) use look::{export, fork, list, show};
pub(crate) use meet::{resume, run};
pub(crate) use minutes::minutes;
pub(crate) use replay::replay;
pub(crate) use say::say;
pub(crate) use sim::sim;
pub(crate) use verify::verify;
pub(crate) use whatif::whatif;

use std::io::Write;
use std::path::Path;

use crate::error::CliError;

/// Prints a result. Nobody reading it to the end is no error.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    _ = write!(out, "{text}{newline}").and_then(|()| out.flush());
}

/// Writes a result to a file, whole or not at all.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), CliError> {
    let trouble = |error: std::io::Error| {
        CliError::new(format!("{} cannot be written: {error}", path.display()), "choose another place")
    };
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    std::fs::write(&beside, text).map_err(trouble)?;
    std::fs::rename(&beside, path).map_err(trouble)
}
