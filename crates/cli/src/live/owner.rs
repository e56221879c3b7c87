//! In whose name the terminal acts.

/// The person at this terminal.
pub(crate) const OWNER: &str = "user:owner";
