//! Meetings that leave or arrive as files, and the verification of what was stored.

pub(crate) mod exporters;
pub(crate) mod import;
pub(crate) mod import_uploads;
pub(crate) mod log_file;
pub(crate) mod verify;
