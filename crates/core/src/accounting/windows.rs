//! Lessons from a call about the context window of the model that answered or refused it.

use quorate_contract::{ContextWindow, TaskId, Usage, WindowMet};

use crate::prompt;
use crate::state::{Meeting, tasks, windows};

/// In a larger window there is room for a guess.
const SMALL: u64 = 65_536;

/// A window that the prompt of this task did not fit, with how long that prompt was here; nothing for one
/// that cannot be.
pub(crate) fn met(m: &Meeting, task: TaskId, window: ContextWindow) -> Option<WindowMet> {
    let ContextWindow { tokens, prompt_tokens } = window;
    let estimated_tokens = prompt::size(m, task);
    (tokens > 0).then_some(WindowMet { tokens, prompt_tokens, estimated_tokens })
}

/// The lesson from an answer about a small window: how the server counts input tokens. `None` when that was
/// known, or nearly.
pub(crate) fn counted(m: &Meeting, task: TaskId, usage: &Usage) -> Option<WindowMet> {
    let window = windows::of(m, task).filter(|window| window.tokens <= SMALL)?;
    let read = Some(usage.input_tokens).filter(|read| *read > 0 && !usage.estimated)?;
    let estimated_tokens = prompt::size(m, task);
    let is_met = tasks::runner(m, task).is_some_and(|runner| m.windows.contains_key(&runner.label()));
    let known = window.per_mille.saturating_mul(estimated_tokens) / 1000;
    let news = !is_met || read > known / 20 * 21;
    news.then_some(WindowMet { tokens: window.tokens, prompt_tokens: Some(read), estimated_tokens })
}
