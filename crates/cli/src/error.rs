//! Errors of the command, and its exit codes.

use std::process::ExitCode;

use quorate_messages::text;

use crate::language::Speech;
use crate::place::with_database;

pub(crate) use quorate_app::{ErrorKind, ServiceError as CliError};

/// An error that is printed before the command ends.
pub(crate) trait ReportError {
    /// Says it on stderr: to people, or with `json` as a line for programs. Wrong input is 2, all else 1.
    fn report(&self, speech: Speech, json: bool) -> ExitCode;
}

impl ReportError for CliError {
    fn report(&self, speech: Speech, json: bool) -> ExitCode {
        let code = ExitCode::from(if self.is_usage() { 2 } else { 1 });
        if json {
            let mut error = self.to_json();
            error["hint"] = with_database(error["hint"].as_str().unwrap_or_default()).into();
            anstream::eprintln!("{error}");
            return code;
        }
        let error = anstyle::AnsiColor::Red.on_default().bold();
        let hint = anstyle::AnsiColor::Cyan.on_default();
        anstream::eprintln!("{error}{}{error:#}{}", text!(speech, "cli-error-error"), self.message());
        if !self.hint().is_empty() {
            anstream::eprintln!(
                "{hint}{}{hint:#}{}",
                text!(speech, "cli-error-hint"),
                with_database(self.hint())
            );
        }
        code
    }
}

/// The error in the command line that clap found. For help and version, their text.
pub(crate) fn of_clap(error: &clap::Error) -> CliError {
    use clap::error::{ContextKind, ContextValue};
    let speech = crate::language::current();
    let message = crate::language::message(error, speech);
    let this = CliError::usage(message, text!(speech, "cli-error-see-help"));
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(field)) => this.with("field", field.as_str()),
        Some(ContextValue::Strings(fields)) => this.with("field", fields.join(" ")),
        Some(_) | None => this,
    }
}
