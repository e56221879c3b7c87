//! Whether the state that a step begins with was built by this process or read back from the log.

/// Where the state comes from that a step begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// This process has applied every event since it began the meeting or took it up. The calls under way are its own.
    Fresh,
    /// This process has just taken the meeting up from its log. The calls under way are lost with the process that
    /// made them: they are charged with their reserves and made again.
    Recovered,
}
