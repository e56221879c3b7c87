//! Budgets are held back before a call, so that the ceiling is never passed, in parallel rounds
//! neither: what is spent, what is held back for calls under way, and what the next call may need
//! must fit together (design §7.4).

use crate::context;
use crate::event::{BudgetKind, Reserve};
use crate::ids::TaskId;
use crate::meeting::Meeting;
use crate::participant::{Price, RunnerSpec};
use crate::task::Usage;
use crate::tasks;
use crate::text::most_tokens;

/// What stands in the way of a call.
pub(crate) struct Shortage {
    pub(crate) budget: BudgetKind,
    pub(crate) limit: u64,
    pub(crate) spent: u64,
    pub(crate) needed: u64,
}

/// Whether there is a budget of tokens or money.
pub(crate) fn is_set(meeting: &Meeting) -> bool {
    let limits = &meeting.rules().limits;
    limits.tokens.is_some() || limits.cost_micros.is_some()
}

/// What has to be held back for a call; nothing when no budget is set. Each attempt has one of its own,
/// at the prices of whoever is asked, the dearest that tokens read can have.
///
/// The ceiling holds for whoever keeps to the most tokens of an answer. Use beyond what was held back
/// is charged as it was reported, and no further call is made.
pub(crate) fn reserve(meeting: &Meeting, task: TaskId) -> Reserve {
    if !is_set(meeting) {
        return Reserve::default();
    }
    let prompt = context::of_task(meeting, task);
    let words: u64 = prompt.messages.iter().map(|message| most_tokens(&message.content) + 8).sum();
    let schema = prompt.schema.map_or(0, |schema| most_tokens(&schema.schema.to_string()));
    let input = most_tokens(&prompt.system) + words + schema + 64;
    let thinking = match tasks::runner(meeting, task) {
        Some(RunnerSpec::Model { parameters, .. }) => parameters.thinking_room(),
        Some(RunnerSpec::Simulated { .. } | RunnerSpec::Process { .. }) | None => 0,
    };
    let output = u64::from(prompt.max_tokens) + u64::from(thinking);
    let usage = Usage { input_tokens: input, output_tokens: output, ..Usage::default() };
    let cost_micros = price(meeting, task).map_or(0, |price| {
        let Price { input_micros, cached_micros, cache_write_micros, .. } = price;
        let dearest = input_micros.max(cached_micros.unwrap_or(0)).max(cache_write_micros.unwrap_or(0));
        cost_at(Price::new(dearest, price.output_micros), &usage)
    });
    Reserve { tokens: usage.total(), cost_micros }
}

/// Whether a call fits into what is left.
pub(crate) fn fits(meeting: &Meeting, needed: &Reserve) -> Result<(), Shortage> {
    let limits = &meeting.rules().limits;
    let held = |part: fn(&Reserve) -> u64| -> u64 {
        meeting.calls.values().map(|call| part(&call.reserved)).fold(0, u64::saturating_add)
    };
    let check = |budget, limit: Option<u64>, spent: u64, held: u64, needed: u64| match limit {
        Some(limit) if spent.saturating_add(held).saturating_add(needed) > limit => {
            Err(Shortage { budget, limit, spent, needed })
        }
        Some(_) | None => Ok(()),
    };
    let spent = &meeting.spent;
    check(BudgetKind::Tokens, limits.tokens, spent.usage.total(), held(|r| r.tokens), needed.tokens)?;
    check(
        BudgetKind::Cost,
        limits.cost_micros,
        spent.cost_micros,
        held(|r| r.cost_micros),
        needed.cost_micros,
    )
}

/// What a call of this task costs per million tokens, when that is known.
pub(crate) fn price(meeting: &Meeting, task: TaskId) -> Option<Price> {
    tasks::runner(meeting, task)?.price()
}

/// What so much use costs, rounded up, when the price is known. Tokens from and for the cache have
/// prices of their own where they are given.
pub(crate) fn cost(meeting: &Meeting, task: TaskId, usage: &Usage) -> Option<u64> {
    Some(cost_at(price(meeting, task)?, usage))
}

fn cost_at(price: Price, usage: &Usage) -> u64 {
    let Price { input_micros, output_micros, cached_micros, cache_write_micros } = price;
    let part = |tokens: u64, per_million: u64| u128::from(tokens) * u128::from(per_million);
    let cached = usage.cached_tokens.min(usage.input_tokens);
    let written = usage.cache_write_tokens.min(usage.input_tokens - cached);
    let millionths = part(usage.input_tokens - cached - written, input_micros)
        + part(cached, cached_micros.unwrap_or(input_micros))
        + part(written, cache_write_micros.unwrap_or(input_micros))
        + part(usage.output_tokens, output_micros);
    u64::try_from(millionths.div_ceil(1_000_000)).unwrap_or(u64::MAX)
}
