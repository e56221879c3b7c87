//! Exporters: programs of the operator that turn the JSON export of a meeting into another file.
//!
//! They are configured under `[exporters.NAME]` in the operator's own file, which is read for each export, so that an
//! edit holds at once. What a program is given is what its caller may see.

use std::path::Path;
use std::time::Duration;

use quorate_contract::{Language, Wording};
use quorate_messages::{Message, message};
use quorate_runners::{ExporterConfig, ExporterError};
use serde::Serialize;

use crate::error::ServiceError;
use crate::meeting_file::user_file::UserFile;
use crate::use_cases::App;

/// A format that an exporter makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExporterView {
    /// The format, as `format` names it.
    pub name: String,
    /// What people see in the list of formats.
    pub title: String,
    /// The ending of the file's name, without a dot.
    pub extension: String,
    /// The media type of the file.
    pub media_type: String,
}

/// The reason why an exporter made no file.
#[derive(Debug)]
pub enum ExportError {
    /// No exporter of this name is configured.
    Unknown {
        /// Those that are.
        known: Vec<String>,
    },
    /// The program did not do its part. What it said is in the server's log, or on the terminal.
    Failed {
        /// The exporter.
        name: String,
        /// What went wrong.
        error: ExporterError,
    },
    /// The configuration cannot be read.
    Service(ServiceError),
}

impl ExportError {
    /// The error as a command says it, with what the program said.
    pub fn at_terminal(self) -> ServiceError {
        match self {
            Self::Unknown { known } => no_such_format(&known),
            Self::Failed { name, error } => {
                let message = match &error {
                    ExporterError::Failed { status, said } if !said.is_empty() => {
                        message!("app-exporter-status-said", name = &name, %status, said)
                    }
                    _ => exporter_problem(&name, &error),
                };
                let hint = match error {
                    ExporterError::Config(error) => error.hint.into(),
                    _ => Wording::from(message!("app-exporter-hint", name)),
                };
                ServiceError::new(message, hint)
            }
            Self::Service(error) => error,
        }
    }
}

/// What went wrong with an exporter, without what the program itself said.
pub fn exporter_problem(name: &str, error: &ExporterError) -> Message {
    match error {
        ExporterError::Config(error) => {
            message!("app-exporter-config", name, problem = error.problem.clone())
        }
        ExporterError::NotStarted(error) => message!("app-exporter-not-started", name, %error),
        ExporterError::TooSlow(limit) => {
            message!("app-exporter-slow", name, seconds = limit.as_millis().div_ceil(1000) as u64)
        }
        ExporterError::TooLong(megabytes) => message!("app-exporter-long", name, megabytes = *megabytes),
        ExporterError::Failed { status, .. } => message!("app-exporter-status", name, %status),
        ExporterError::Empty => message!("app-exporter-empty", name),
    }
}

/// The error for a format that there is not. `known`: the exporters that are configured.
pub fn no_such_format(known: &[String]) -> ServiceError {
    let all = ["md", "html", "pdf", "json", "jsonl", "files"].into_iter();
    let all: Vec<&str> = all.chain(known.iter().map(String::as_str)).collect();
    let hint = message!("app-no-such-format-hint", all = all.join(", "));
    ServiceError::usage(message!("app-no-such-format"), hint).with("field", "format")
}

/// Makes the file of an exporter from the JSON export of a meeting, within `most`.
///
/// # Errors
/// When there is no such exporter, or it makes no file.
pub async fn export_with(
    config: &Path,
    name: &str,
    document: Vec<u8>,
    language: Language,
    most: Option<Duration>,
) -> Result<(ExporterView, Vec<u8>), ExportError> {
    let mut exporters = UserFile::read(config).map_err(ExportError::Service)?.exporters;
    let Some(exporter) = exporters.remove(name) else {
        return Err(ExportError::Unknown { known: exporters.into_keys().collect() });
    };
    let file = exporter.export(document, language.tag(), most).await;
    let file = file.map_err(|error| ExportError::Failed { name: name.to_owned(), error })?;
    Ok((view(&exporter), file))
}

impl App {
    /// The exporters that are configured, by name.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    pub fn exporters(&self) -> Result<Vec<ExporterView>, ServiceError> {
        let exporters = UserFile::read(self.config())?.exporters;
        Ok(exporters.values().filter(|exporter| exporter.check().is_ok()).map(view).collect())
    }

    /// Makes the file of an exporter, as [`export_with`] does.
    ///
    /// # Errors
    /// As above.
    pub async fn export_with(
        &self,
        name: &str,
        document: Vec<u8>,
        language: Language,
        most: Duration,
    ) -> Result<(ExporterView, Vec<u8>), ExportError> {
        let made = export_with(self.config(), name, document, language, Some(most)).await;
        if let Err(ExportError::Failed { name, error }) = &made {
            tracing::warn!(exporter = name, %error, "an exporter made no file");
        }
        made
    }
}

fn view(exporter: &ExporterConfig) -> ExporterView {
    ExporterView {
        name: exporter.name.clone(),
        title: exporter.title().to_owned(),
        extension: exporter.extension.clone(),
        media_type: exporter.media_type.clone(),
    }
}
