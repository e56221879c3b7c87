//! From the command line, files and the environment to a meeting that can begin.

mod discover;
mod file;
mod library;
mod plan;

pub(crate) use file::{MeetingFile, UserFile};
pub(crate) use library::{address_of, not_configured, stored_credentials};
pub(crate) use plan::{Plan, processes_of, providers_of, runners};
