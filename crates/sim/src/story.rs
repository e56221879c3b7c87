//! What is told of a meeting: how it went, or where it broke and the way back there.

use std::fmt;

use crate::report::Report;

/// A meeting that was played to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// The seed that it follows from.
    pub seed: u64,
    /// What happened, a line for each step.
    pub transcript: Vec<String>,
    /// The journal at the end, a line of JSON for each event.
    pub log: Vec<String>,
    /// What was touched.
    pub report: Report,
}

/// Something that must always hold did not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("seed {seed}, step {step}: {what}\n  to see it again: cargo run -p quorate-sim -- --seed {seed}")]
pub struct Breach {
    /// The seed of the meeting.
    pub seed: u64,
    /// At which step, counted from 1.
    pub step: u64,
    /// What did not hold.
    pub what: String,
    /// What happened before, a line for each step.
    pub transcript: Vec<String>,
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}", self.seed)?;
        for line in &self.transcript {
            writeln!(f, "{line}")?;
        }
        write!(f, "\n{}", self.report)
    }
}
