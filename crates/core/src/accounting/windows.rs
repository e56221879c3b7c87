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
