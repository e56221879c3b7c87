//! Steps by which less and less is asked of a model's thinking parameters.

use quorate_contract::Effort;

/// How a model is told how much to think in one word; each step asks less of it than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EffortStep {
    /// In the word that was asked for.
    Asked,
    /// `minimal` stands for no thinking.
    Minimal,
    /// `low` stands for no thinking.
    Low,
    /// The parameter is left out.
    LeftOut,
}

/// How a model is told how much to think in more than one word; each step asks less of it than the one
/// before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ThinkStep {
    /// The way that the model most likely supports.
    First,
    /// In the vendor's other way.
    Second,
    /// The parameter is left out.
    Nothing,
}

impl EffortStep {
    /// The word for an effort in OpenAI's formats; `None` when the parameter is left out.
    pub(crate) fn word(self, effort: Effort) -> Option<&'static str> {
        match (effort, self) {
            (_, Self::LeftOut) => None,
            (Effort::None, Self::Asked) => Some("none"),
            (Effort::None, Self::Minimal) => Some("minimal"),
            (Effort::None, Self::Low) | (Effort::Low, _) => Some("low"),
            (Effort::Medium, _) => Some("medium"),
            (Effort::High, _) => Some("high"),
        }
    }

    /// The step after a refusal of the effort `asked`. Only where no thinking is requested is there a lesser
    /// word, and refusals list the accepted ones.
    pub(super) fn below(self, asked: Effort, refusal: &str) -> Self {
        let lesser = [(Self::Minimal, "minimal"), (Self::Low, "low")];
        let named = lesser.into_iter().find(|(step, word)| *step > self && refusal.contains(word));
        match (asked, named) {
            (Effort::None, Some((step, _))) => step,
            _ => Self::LeftOut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_effort_becomes_the_least_that_a_refusal_names() {
        let step = EffortStep::Asked;
        assert_eq!((step.word(Effort::None), step.word(Effort::High)), (Some("none"), Some("high")));
        let step = step.below(
            Effort::None,
            "unsupported value: 'reasoning.effort' does not support 'none' with this model. \
             supported values are: 'minimal', 'low', 'medium', and 'high'.",
        );
        assert_eq!((step.word(Effort::None), step.word(Effort::High)), (Some("minimal"), Some("high")));
        let step = step.below(Effort::None, "reasoning_effort input should be 'low', 'medium' or 'high'");
        assert_eq!(step.word(Effort::None), Some("low"));
        let step = step.below(Effort::None, "unrecognized request argument supplied: reasoning_effort");
        assert_eq!((step.word(Effort::None), step.word(Effort::Low)), (None, None));
        let high = EffortStep::Asked.below(Effort::High, "supported values are: 'low' and 'medium'");
        assert_eq!(high, EffortStep::LeftOut, "another effort than the one asked for is not made up");
    }
}
