//! What a person with a seat can type about their turn.

/// What a person asks for about their turn, beside answering it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SeatCommand {
    /// Skip it.
    Skip,
    /// Show it again, with the whole task.
    Turn,
    /// Take back the last line.
    Undo,
    /// Send the words of a turn that is over as a message.
    Send,
}
