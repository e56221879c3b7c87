//! What a provider says about its answer: how many tokens it counted, and why the answer ended.

/// What the provider counted, as far as it did; nothing of it is believed yet.
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
    /// What a later count adds to this one; what it does not hold stays.
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

/// Why an answer ended, as its provider says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finish {
    /// It is complete.
    Complete,
    /// It reached the most tokens that one answer may have.
    Length,
    /// The provider withheld it, or what was left of it.
    Withheld,
    /// Something went wrong at the provider.
    Broken(String),
}
