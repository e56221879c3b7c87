//! The programs of the operator's configuration that can take a seat.

use quorate_runners::Programs;
use serde::Serialize;

use super::App;
use crate::error::ServiceError;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::user_file::UserFile;
use crate::providers::available::programs_of;

/// The kind of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProgramKind {
    /// A process that speaks the runner protocol.
    Process,
    /// A coding agent that speaks the Agent Client Protocol.
    Acp,
}

/// A program that can take a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProgramView {
    /// The kind.
    pub kind: ProgramKind,
    /// The configured name.
    pub name: String,
    /// What stands for it in place of a model: `process/reviewer`, `acp/claude`.
    pub model: String,
    /// What it is, as the operator describes it; may be empty.
    pub description: String,
    /// The names of the folders in which a coding agent may work; `model` and one of them name the seat.
    pub folders: Vec<String>,
    /// Whether a coding agent may write files in its folder.
    pub writable: bool,
}

impl App {
    /// The programs that are configured, by kind and name. Commands and paths are not told.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    pub fn programs(&self) -> Result<Vec<ProgramView>, ServiceError> {
        let user = UserFile::read(self.config())?;
        let Programs { processes, acp } = programs_of(&CreateMeetingRequest::default(), &user);
        let processes = processes.into_values().filter(|process| process.check().is_ok());
        let processes = processes.map(|process| ProgramView {
            kind: ProgramKind::Process,
            model: format!("process/{}", process.name),
            name: process.name,
            description: process.description,
            folders: Vec::new(),
            writable: false,
        });
        let agents = acp.into_values().filter(|agent| agent.check().is_ok());
        let agents = agents.map(|agent| ProgramView {
            kind: ProgramKind::Acp,
            model: format!("acp/{}", agent.name),
            name: agent.name,
            description: agent.description,
            folders: agent.folders.into_keys().collect(),
            writable: agent.writable,
        });
        Ok(processes.chain(agents).collect())
    }
}
