//! What a meeting writes down: minutes and artifacts, read through the gate or drawn up by the rules.

mod artifact;
mod gate;
pub mod mechanical;
mod minutes;
mod shape;
mod team;

pub use artifact::artifact_schema;
pub(crate) use artifact::read_artifact;
pub use minutes::MINUTES_MAX_CHARS;
pub(crate) use minutes::{edited, read_minutes};
