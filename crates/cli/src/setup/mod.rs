//! From the command line, files and the environment to a meeting that can begin.

mod discover;
mod file;
mod plan;

pub(crate) use file::{MeetingFile, UserFile};
pub(crate) use plan::{Plan, processes_of, providers_of, runners};
