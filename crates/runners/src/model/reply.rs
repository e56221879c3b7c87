//! A provider's metadata of an answer: token counts, and the reason why it ended.

/// The provider's token counts, unchecked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// All that was read, from the cache and into it included.
    pub(crate) input: Option<u64>,
    /// All that was written, reasoning included.
    pub(crate) output: Option<u64>,
    pub(crate) reasoning: Option<u64>,
    pub(crate) cached: Option<u64>,
    pub(crate) cache_write: Option<u64>,
}

impl Counts {
    /// Merges a later count into this one; fields that it does not hold stay.
    pub(crate) fn or_later(self, later: Self) -> Self {
        Self {
            input: later.input.or(self.input),
            output: later.output.or(self.output),
            reasoning: later.reasoning.or(self.reasoning),
            cached: later.cached.or(self.cached),
            cache_write: later.cache_write.or(self.cache_write),
        }
    }
}

/// The reason why an answer ended, as its provider says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finish {
    /// The answer is complete.
    Complete,
    /// The answer reached its token limit.
    Length,
    /// The provider withheld it, or what was left of it.
    Withheld,
    /// Something went wrong at the provider.
    Broken(String),
}
