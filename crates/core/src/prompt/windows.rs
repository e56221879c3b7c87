//! Known context windows of models, and how much of the record fits into one.
//!
//! A window is known from the start (`context_tokens` of a model's parameters) or from the refusal of a
//! prompt that did not fit. Servers count tokens differently from the estimate here. Once a server has
//! reported the tokens of a prompt, the ratio of both counts predicts the next one.

use quorate_contract::{RunnerSpec, TaskId};

use crate::state::{Meeting, Window, tasks};

/// The number of tokens that a server is expected to count where a thousand are estimated and no count is
/// known: the estimate is on the safe side.
pub(crate) const USUAL_PER_MILLE: u64 = 750;

/// The window of a task's model, when it is known.
pub(crate) fn of(m: &Meeting, task: TaskId) -> Option<Window> {
    let runner = tasks::runner(m, task)?;
    let known = match runner {
        RunnerSpec::Model { parameters, .. } => parameters.context_tokens.map(u64::from),
        RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::External { .. } => {
            return None;
        }
    };
    let met = match m.windows.is_empty() {
        true => None,
        false => m.windows.get(&runner.label()).copied(),
    };
    met.or(known.map(|tokens| Window { tokens, per_mille: USUAL_PER_MILLE }))
}

/// The number of estimated tokens that the record may have in a prompt with `beside` others: with them and an
/// answer it stays a tenth below the window. Each refusal after the first takes a quarter off.
pub(crate) fn room(window: Window, beside: u64, max_answer: u32, times: u32) -> u64 {
    let answer = u64::from(max_answer).min(window.tokens / 4);
    let counted = (window.tokens / 10 * 9).saturating_sub(answer);
    let estimated = counted.saturating_mul(1000) / window.per_mille.max(1);
    let room = estimated.saturating_sub(beside);
    (1..times).fold(room, |room, _| room / 4 * 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_and_its_answer_stay_a_tenth_below_the_window() {
        let window = Window { tokens: 2000, per_mille: 500 };
        assert_eq!(room(window, 600, 300, 0), 2400);
        assert_eq!(room(window, 600, 300, 1), 2400, "the first refusal told what fits");
        assert_eq!(room(window, 600, 300, 2), 1800);
        assert_eq!(room(window, 600, 4000, 0), 2000, "a long answer gets a quarter");
        assert_eq!(room(window, 9000, 300, 0), 0);
    }
}
