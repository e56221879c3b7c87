//! From the command line, files and the environment to a meeting that can begin.

mod discover;
mod file;
mod held;
mod library;
mod plan;
mod rules;

pub(crate) use file::{MeetingFile, UserFile};
pub(crate) use held::{length_of, style_of, title_and_description};
pub(crate) use library::{address_of, not_configured, stored_credentials};
pub(crate) use plan::{Plan, processes_of, providers_of, runners};
pub(crate) use rules::{key_and_value, nearest, set_rule};
