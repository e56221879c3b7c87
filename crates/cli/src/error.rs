//! What the command says when it cannot do its work: what happened, and what to do.

use std::process::ExitCode;

use quorate_core::{Failure, Refusal};
use quorate_engine::{EngineError, JournalError};
use quorate_runners::{ProcessConfigError, RunnerConfigError};
use quorate_store::StoreError;

use crate::speech::Speech;

/// Why the command did not do its work.
#[derive(Debug)]
pub(crate) struct CliError {
    message: String,
    hint: String,
    code: u8,
}

impl CliError {
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), code: 1 }
    }

    /// The command line, or a file that belongs to it, is wrong.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code: 2, ..Self::new(message, hint) }
    }

    /// The same, seen from somewhere.
    pub(crate) fn at(mut self, place: &str) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }

    pub(crate) fn report(&self, speech: Speech) -> ExitCode {
        let error = anstyle::AnsiColor::Red.on_default().bold();
        let hint = anstyle::AnsiColor::Cyan.on_default();
        anstream::eprintln!("{error}{}{error:#} {}", speech.pick("错误：", "error:"), self.message);
        if !self.hint.is_empty() {
            anstream::eprintln!("{hint}{}{hint:#} {}", speech.pick("建议：", " hint:"), self.hint);
        }
        ExitCode::from(self.code)
    }
}

/// The error with its causes, each once.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        Self::new(chain(&error), error.hint())
    }
}
impl From<JournalError> for CliError {
    fn from(error: JournalError) -> Self {
        Self::new(chain(&error), error.hint())
    }
}
impl From<EngineError> for CliError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Refused(refusal) => refusal.into(),
            EngineError::Journal(error) => error.into(),
            EngineError::Gone => Self::new(error.to_string(), error.hint()),
        }
    }
}
impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> Self {
        let error = Self::new(refusal.to_string(), refusal.hint());
        match refusal {
            Refusal::Invalid { .. } | Refusal::NameTaken { .. } => Self { code: 2, ..error },
            _ => error,
        }
    }
}
impl From<RunnerConfigError> for CliError {
    fn from(error: RunnerConfigError) -> Self {
        Self::usage(chain(&error), error.hint())
    }
}
impl From<ProcessConfigError> for CliError {
    fn from(error: ProcessConfigError) -> Self {
        Self::usage(error.to_string(), error.hint())
    }
}
impl From<Failure> for CliError {
    fn from(failure: Failure) -> Self {
        Self::new(failure.detail, failure.hint)
    }
}
