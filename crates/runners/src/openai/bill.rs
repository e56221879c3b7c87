//! What a call has used over all its attempts, as far as anybody knows.
//!
//! A budget is charged with what was spent, not with what was useful: an attempt that was cut
//! off is on the provider's bill as well.

use quorate_core::Usage;

use super::trouble::Spent;

/// What attempts without an answer have used.
#[derive(Default)]
pub(crate) struct Bill {
    counted: Usage,
    /// For each attempt of which the provider did not say what it used, what it wrote at least.
    unknown: Vec<u64>,
}

impl Bill {
    pub(crate) fn add(&mut self, spent: &Spent) {
        match spent {
            Spent::Nothing => {}
            Spent::Unknown { written } => self.unknown.push(*written),
            Spent::Counted(usage) => self.counted = sum(self.counted, **usage),
        }
    }

    /// What was used, when that is known.
    pub(crate) fn total(&self) -> Option<Usage> {
        self.unknown.is_empty().then_some(self.counted)
    }

    /// What was used together with an answer; what is not known is estimated.
    pub(crate) fn with(&self, answer: Usage, prompt_tokens: impl Fn() -> u64) -> Usage {
        self.unknown.iter().fold(sum(self.counted, answer), |total, written| {
            let lost = Usage {
                input_tokens: prompt_tokens(),
                output_tokens: *written,
                estimated: true,
                ..Usage::default()
            };
            sum(total, lost)
        })
    }
}

fn sum(one: Usage, other: Usage) -> Usage {
    Usage {
        input_tokens: one.input_tokens.saturating_add(other.input_tokens),
        output_tokens: one.output_tokens.saturating_add(other.output_tokens),
        reasoning_tokens: one.reasoning_tokens.saturating_add(other.reasoning_tokens),
        cached_tokens: one.cached_tokens.saturating_add(other.cached_tokens),
        estimated: one.estimated | other.estimated,
    }
}
