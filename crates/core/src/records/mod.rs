//! Records of a meeting: minutes and artifacts, read through the gate or written by the rules.

mod gate;
mod minutes;
mod reader;
pub mod rule_based;
mod team;

pub(crate) use minutes::{edited, read_minutes};
pub(crate) use reader::read_artifact;
