//! How the command says that it cannot do its work, and with which exit code it ends.

use std::process::ExitCode;

use crate::speech::Speech;

pub(crate) use quorate_service::{ErrorKind, ServiceError as CliError};

/// An error that is told before the command ends.
pub(crate) trait Told {
    /// Says it on stderr: to people, or with `json` as a line for programs. Wrong input is 2, all else 1.
    fn report(&self, speech: Speech, json: bool) -> ExitCode;
}

impl Told for CliError {
    fn report(&self, speech: Speech, json: bool) -> ExitCode {
        let code = ExitCode::from(if self.is_usage() { 2 } else { 1 });
        if json {
            anstream::eprintln!("{}", self.to_json());
            return code;
        }
        let error = anstyle::AnsiColor::Red.on_default().bold();
        let hint = anstyle::AnsiColor::Cyan.on_default();
        anstream::eprintln!("{error}{}{error:#} {}", speech.pick("错误：", "error:"), self.message());
        if !self.hint().is_empty() {
            anstream::eprintln!("{hint}{}{hint:#} {}", speech.pick("建议：", " hint:"), self.hint());
        }
        code
    }
}

/// What is wrong with the command line, as clap found it. Asked for help or the version, it says that.
pub(crate) fn of_clap(error: &clap::Error) -> CliError {
    use clap::error::{ContextKind, ContextValue};
    let text = error.render().to_string();
    let message = text.lines().next().unwrap_or_default();
    let message = message.split_once(": ").map_or(message, |(_, message)| message);
    let this = CliError::usage(message, "see --help");
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(field)) => this.with("field", field.as_str()),
        Some(ContextValue::Strings(fields)) => this.with("field", fields.join(" ")),
        Some(_) | None => this,
    }
}
