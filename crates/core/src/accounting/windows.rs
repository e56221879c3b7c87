//! Lessons from a call about the context window of the model that answered or refused it.

use quorate_contract::{ContextWindow, ContextWindowObservation, RunnerSpec, TaskId, Usage};

use crate::prompt;
use crate::prompt::windows;
use crate::state::{Meeting, tasks};

/// In a larger window there is room for a guess.
const SMALL: u64 = 65_536;
/// The range of the ratio of counted to estimated tokens, in thousandths, for any tokenizer.
const PER_MILLE: std::ops::RangeInclusive<u64> = 100..=5000;

/// A window that the prompt of this task did not fit, with how long that prompt was here; nothing for one
/// that cannot be.
pub(crate) fn met(m: &Meeting, task: TaskId, window: ContextWindow) -> Option<ContextWindowObservation> {
    let ContextWindow { tokens, prompt_tokens } = window;
    let estimated_tokens = prompt::size(m, task);
    let per_mille = Some(per_mille(m, task, prompt_tokens, estimated_tokens));
    (tokens > 0).then_some(ContextWindowObservation { tokens, prompt_tokens, estimated_tokens, per_mille })
}

/// The lesson from an answer about a small window: how the server counts input tokens. `None` when that was
/// known, or nearly.
pub(crate) fn counted(m: &Meeting, task: TaskId, usage: &Usage) -> Option<ContextWindowObservation> {
    let window = windows::of(m, task).filter(|window| window.tokens <= SMALL)?;
    let read = Some(usage.input_tokens).filter(|read| *read > 0 && !usage.estimated)?;
    let estimated_tokens = prompt::size(m, task);
    let is_met = tasks::runner(m, task).is_some_and(|runner| m.windows.contains_key(&runner.label()));
    let known = window.per_mille.saturating_mul(estimated_tokens) / 1000;
    let news = !is_met || read > known / 20 * 21;
    let per_mille = Some(per_mille(m, task, Some(read), estimated_tokens));
    news.then_some(ContextWindowObservation {
        tokens: window.tokens,
        prompt_tokens: Some(read),
        estimated_tokens,
        per_mille,
    })
}

/// The number of tokens that the server is expected to count where a thousand are estimated: the largest ratio that
/// it has shown.
fn per_mille(m: &Meeting, task: TaskId, prompt_tokens: Option<u64>, estimated_tokens: u64) -> u64 {
    let counted = prompt_tokens.filter(|counted| *counted > 0);
    let counted = counted.and_then(|counted| counted.saturating_mul(1000).checked_div(estimated_tokens));
    let counted = counted
        .map_or(windows::USUAL_PER_MILLE, |counted| counted.clamp(*PER_MILLE.start(), *PER_MILLE.end()));
    let label = tasks::runner(m, task).map(RunnerSpec::label);
    let before = label.and_then(|label| m.windows.get(&label)).map_or(0, |window| window.per_mille);
    counted.max(before)
}

#[cfg(test)]
mod tests {
    use quorate_contract::ModelParameters;

    use super::*;
    use crate::tests::{PRICE, model, simulated, started};

    /// Ada's model is known to have a window of so many tokens.
    fn with_window(tokens: u32) -> (Meeting, TaskId) {
        started(model(ModelParameters { context_tokens: Some(tokens), ..ModelParameters::default() }, PRICE))
    }

    fn read(input_tokens: u64) -> Usage {
        Usage { input_tokens, ..Usage::default() }
    }

    #[test]
    fn a_refusal_tells_of_the_window_and_how_the_server_counts() {
        let (m, task) = started(model(ModelParameters::default(), PRICE));
        let estimated_tokens = prompt::size(&m, task);
        let met = |tokens, prompt_tokens| met(&m, task, ContextWindow { tokens, prompt_tokens });
        let seen = |prompt_tokens, per_mille| {
            let per_mille = Some(per_mille);
            Some(ContextWindowObservation { tokens: 2000, prompt_tokens, estimated_tokens, per_mille })
        };
        let double = Some(estimated_tokens * 2);
        assert_eq!(met(2000, double), seen(double, 2000));
        assert_eq!(met(2000, None), seen(None, windows::USUAL_PER_MILLE));
        assert_eq!(met(2000, Some(0)), seen(Some(0), windows::USUAL_PER_MILLE), "nothing was counted");
        assert_eq!(met(2000, Some(1)), seen(Some(1), 100), "no tokenizer counts so little");
        let many = Some(estimated_tokens * 9);
        assert_eq!(met(2000, many), seen(many, 5000), "nor so much");
        assert_eq!(met(0, double), None, "no window is of nothing");
    }

    #[test]
    fn an_answer_teaches_how_the_server_of_a_small_window_counts() {
        let (m, task) = with_window(8000);
        let estimated_tokens = prompt::size(&m, task);
        let lesson = counted(&m, task, &read(estimated_tokens)).expect("it was not known");
        assert_eq!((lesson.tokens, lesson.prompt_tokens), (8000, Some(estimated_tokens)));
        assert_eq!((lesson.estimated_tokens, lesson.per_mille), (estimated_tokens, Some(1000)));
        assert_eq!(counted(&m, task, &Usage { estimated: true, ..read(500) }), None, "it was not counted");
        assert_eq!(counted(&m, task, &read(0)), None);
        let (large, task) = with_window(65_537);
        assert_eq!(counted(&large, task, &read(500)), None, "a large window has room for a guess");
        let (small, task) = with_window(65_536);
        assert!(counted(&small, task, &read(500)).is_some());
        let (other, task) = started(simulated());
        assert_eq!(counted(&other, task, &read(500)), None);
    }

    #[test]
    fn what_is_known_is_learned_again_only_where_a_server_counts_clearly_more() {
        let (mut m, task) = with_window(8000);
        m.remember_window(task, 8000, 1000);
        let known = prompt::size(&m, task);
        assert_eq!(counted(&m, task, &read(known / 20 * 21)), None);
        let more = counted(&m, task, &read(known / 20 * 21 + 1)).and_then(|lesson| lesson.per_mille);
        assert!(more > Some(1000), "{more:?}");
        let less = met(&m, task, ContextWindow { tokens: 8000, prompt_tokens: Some(known / 2) });
        assert_eq!(less.and_then(|lesson| lesson.per_mille), Some(1000), "the largest ratio stays");
    }
}
