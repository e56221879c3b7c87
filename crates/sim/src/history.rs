//! The story of a simulated meeting: its course, or where it broke and how to repeat that.

use std::fmt;

use crate::fault_plan::PlanChange;
use crate::report::Report;

/// A meeting that was played to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// The seed that it follows from.
    pub seed: u64,
    /// The transcript, a line for each step.
    pub transcript: Vec<String>,
    /// The journal at the end, a line of JSON for each event.
    pub log: Vec<String>,
    /// The coverage.
    pub report: Report,
}

/// Something that must always hold did not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "seed {seed}, step {step}: {what}\n  to see it again: cargo run -p quorate-sim -- {of}--seed {seed}{plan}"
)]
pub struct Breach {
    /// The seed of the meeting.
    pub seed: u64,
    /// What was simulated.
    pub of: Simulated,
    /// With which change of the plan that follows from the seed.
    pub plan: PlanChange,
    /// At which step, or in which process, counted from 1.
    pub step: u64,
    /// The broken invariant.
    pub what: String,
    /// The transcript up to then, a line for each step.
    pub transcript: Vec<String>,
    /// The log up to then, a line of JSON for each event.
    pub log: Vec<String>,
}

/// What is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simulated {
    /// The program as it ships.
    Program,
    /// The core alone.
    Core,
}

impl fmt::Display for Simulated {
    /// The option that asks for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Program => "",
            Self::Core => "--core ",
        })
    }
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
