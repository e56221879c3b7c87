//! Budgets and reserves.
//!
//! A reserve is set aside before each call, so that the limit is never exceeded, not in parallel rounds
//! either. The money or tokens spent, the reserves of calls in flight, the need of the next call, and the
//! part kept for the conclusion must fit together.

use quorate_contract::{
    BudgetKind, IMAGE_MOST_TOKENS, Price, PromptTools, Reserve, RunnerSpec, TOOL_RESULT_MAX_CHARS, TaskId,
    Usage, WEB_SEARCH_MOST_TOKENS,
};

use crate::prompt;
use crate::prompt::tokens::most_tokens;
use crate::state::{Meeting, tasks};

/// The budget that a call does not fit into.
pub(crate) struct BudgetShortage {
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

/// The reserve of a call. Each attempt has one of its own, at the prices of the model that is asked, with the
/// highest price of input tokens. It is computed without a budget too: one may be set while the call is in
/// flight, and a call of unknown usage is charged with its reserve.
///
/// The limit holds for models that keep to the token limit of an answer. Usage beyond the reserve is charged
/// as it was reported, and no further call is made.
pub(crate) fn reserve(meeting: &Meeting, task: TaskId) -> Reserve {
    let prompt = prompt::of_task(meeting, task);
    let words: u64 = prompt.messages.iter().map(|message| most_tokens(&message.content) + 8).sum();
    let images = u64::try_from(prompt.images().count()).unwrap_or(u64::MAX).saturating_mul(IMAGE_MOST_TOKENS);
    let tools = tokens_of_tools(&prompt.tools);
    let searches = prompt.tools.web_searches;
    let schema = prompt.schema.map_or(0, |schema| most_tokens(&schema.schema.to_string()));
    let input = most_tokens(&prompt.system) + words + images + schema + tools + 64;
    let thinking = match tasks::runner(meeting, task) {
        Some(RunnerSpec::Model { parameters, .. }) => parameters.thinking_room(),
        Some(
            RunnerSpec::Simulated { .. }
            | RunnerSpec::Process { .. }
            | RunnerSpec::Acp { .. }
            | RunnerSpec::External { .. },
        )
        | None => 0,
    };
    let output = u64::from(prompt.max_tokens) + u64::from(thinking);
    let pages = u64::from(searches).saturating_mul(WEB_SEARCH_MOST_TOKENS);
    of_usage(meeting, task, Usage { searches, ..tokens(input + pages, output) })
}

/// The most tokens of the definitions of one source of tools; they are bounded where they are read.
const DEFINITIONS_MOST_TOKENS: u64 = 2500;

/// The most tokens of tools in a prompt: their definitions, the calls so far, and the results.
fn tokens_of_tools(tools: &PromptTools) -> u64 {
    let calls = tools.steps.iter().flat_map(|step| &step.calls);
    let calls: u64 = calls
        .map(|call| most_tokens(&call.arguments) + most_tokens(&call.result) + most_tokens(&call.tool) + 32)
        .sum();
    let steps: u64 =
        tools.steps.iter().map(|step| most_tokens(&step.text) + most_tokens(&step.continuation)).sum();
    let sources = u64::try_from(tools.sources.len()).unwrap_or(u64::MAX);
    calls + steps + sources.saturating_mul(DEFINITIONS_MOST_TOKENS)
}

/// How long each of the results of `count` calls may be, in characters, so that the participant can still be asked
/// for its answer; `None` when there is no room for results.
pub(crate) fn room_for_results(meeting: &Meeting, task: TaskId, count: u32) -> Option<u32> {
    let count = u64::from(count.max(1));
    let most = u64::from(TOOL_RESULT_MAX_CHARS);
    if !is_set(meeting) {
        return Some(TOOL_RESULT_MAX_CHARS);
    }
    let now = reserve(meeting, task);
    // The calls themselves come back with the results.
    let with = |chars: u64| {
        let more = of_tokens(meeting, task, count * (chars * BYTES_OF_A_CHAR + CALL_MOST_TOKENS), 0);
        let both = Reserve {
            tokens: now.tokens.saturating_add(more.tokens),
            cost_micros: now.cost_micros.saturating_add(more.cost_micros),
        };
        fits(meeting, task, &both).is_ok()
    };
    let sizes = [most, most / 2, most / 4, SHORTEST_RESULT_CHARS];
    sizes.into_iter().find(|chars| with(*chars)).and_then(|chars| u32::try_from(chars).ok())
}

/// The most tokens of a usual call: its name and arguments.
const CALL_MOST_TOKENS: u64 = 500;

/// A shorter result is of no use.
const SHORTEST_RESULT_CHARS: u64 = 1000;

/// The reserve for so many input and output tokens, at the highest prices that they can have.
fn of_tokens(meeting: &Meeting, task: TaskId, input_tokens: u64, output_tokens: u64) -> Reserve {
    of_usage(meeting, task, tokens(input_tokens, output_tokens))
}

fn tokens(input_tokens: u64, output_tokens: u64) -> Usage {
    Usage { input_tokens, output_tokens, ..Usage::default() }
}

/// The reserve for such a usage, at the highest prices that it can have.
fn of_usage(meeting: &Meeting, task: TaskId, usage: Usage) -> Reserve {
    let cost_micros = price(meeting, task).map_or(0, |price| {
        let Price { input_micros, cached_micros, cache_write_micros, .. } = price;
        let dearest = input_micros.max(cached_micros.unwrap_or(0)).max(cache_write_micros.unwrap_or(0));
        // Where the price of a search is not known and money is limited, none is made.
        let search_micros = Some(price.search_micros.unwrap_or(0));
        let price = Price { search_micros, ..Price::new(dearest, price.output_micros) };
        cost_at(price, &usage).unwrap_or(0)
    });
    Reserve { tokens: usage.total(), cost_micros }
}

/// The part of the budget that is kept for the conclusion while another call is made, so that the facilitator
/// can write it also where the budget ends the meeting: its present cost, and what the answers in flight and
/// this one can add to the record until then.
///
/// Nothing is kept from the first two speakers, asked one after the other: a budget without room for both
/// goes to the discussion, because without messages there is nothing to conclude.
fn kept(meeting: &Meeting, task: TaskId) -> Reserve {
    let conclude = TaskId::Conclude;
    if !is_set(meeting) || task == conclude || meeting.conclusion.is_some() {
        return Reserve::default();
    }
    let spoken = meeting.said.iter().filter(|said| said.turn.is_some()).take(ENOUGH_TO_CONCLUDE).count();
    if spoken < ENOUGH_TO_CONCLUDE && meeting.calls.is_empty() {
        return Reserve::default();
    }
    if meeting.calls.contains_key(&conclude) || !tasks::can_facilitate(meeting, conclude) {
        return Reserve::default();
    }
    let now = reserve(meeting, conclude);
    let others = meeting.calls.keys().copied().filter(|other| *other != task);
    let more =
        others.chain([task]).map(|other| adds(meeting, other)).fold(WORDS_OF_THE_END, u64::saturating_add);
    let more = of_tokens(meeting, conclude, more, 0);
    Reserve {
        tokens: now.tokens.saturating_add(more.tokens),
        cost_micros: now.cost_micros.saturating_add(more.cost_micros),
    }
}

/// The number of messages from which on a conclusion is worth its reserve.
const ENOUGH_TO_CONCLUDE: usize = 2;

/// The largest number of tokens with which the task describes how the meeting ended.
const WORDS_OF_THE_END: u64 = 400;

/// The largest usual number of bytes per character, on average over a text that people read.
const BYTES_OF_A_CHAR: u64 = 3;

/// The usual largest number of bytes per token of an answer: four letters and a blank, or one character of
/// three bytes and a little more.
const BYTES_OF_A_TOKEN: u64 = 5;

/// The most that the answer to a task adds to the input of the conclusion, in tokens of one byte.
fn adds(meeting: &Meeting, task: TaskId) -> u64 {
    let rules = meeting.rules();
    let chars = |most: u32| u64::from(most) * BYTES_OF_A_CHAR;
    let tokens = |most: u32| u64::from(most) * BYTES_OF_A_TOKEN;
    match task {
        TaskId::Speak(_) => chars(rules.turns.max_message_chars).min(tokens(rules.limits.answer_tokens)),
        TaskId::Summarize(_) => chars(rules.context.summary_max_chars),
        TaskId::Facilitate(_) => tokens(rules.limits.answer_tokens).saturating_mul(2),
        TaskId::Vote(..) => chars(600),
        TaskId::Evaluate(_) | TaskId::Intake(_) | TaskId::Team(_) | TaskId::Invite(_) => 0,
        TaskId::Conclude | TaskId::Minutes(_) | TaskId::Artifact(..) => 0,
    }
}

/// Checks that a call of this task fits into the rest of the budget, beside the part kept for the conclusion.
pub(crate) fn fits(meeting: &Meeting, task: TaskId, needed: &Reserve) -> Result<(), BudgetShortage> {
    let limits = &meeting.rules().limits;
    let kept = kept(meeting, task);
    let needed = Reserve {
        tokens: needed.tokens.saturating_add(kept.tokens),
        cost_micros: needed.cost_micros.saturating_add(kept.cost_micros),
    };
    let held = |part: fn(&Reserve) -> u64| -> u64 {
        meeting.calls.values().map(|call| part(&call.reserved)).fold(0, u64::saturating_add)
    };
    let check = |budget, limit: Option<u64>, spent: u64, held: u64, needed: u64| match limit {
        Some(limit) if spent.saturating_add(held).saturating_add(needed) > limit => {
            Err(BudgetShortage { budget, limit, spent, needed })
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

/// The price per million tokens of a call of this task, when it is known.
pub(crate) fn price(meeting: &Meeting, task: TaskId) -> Option<Price> {
    tasks::runner(meeting, task)?.price()
}

/// The cost of a usage, rounded up, when the price is known. Tokens from and for the cache have prices of
/// their own where they are given. With searches of an unknown price, the cost is not known.
pub(crate) fn cost(meeting: &Meeting, task: TaskId, usage: &Usage) -> Option<u64> {
    cost_at(price(meeting, task)?, usage)
}

fn cost_at(price: Price, usage: &Usage) -> Option<u64> {
    let Price { input_micros, output_micros, cached_micros, cache_write_micros, search_micros } = price;
    let searches = match usage.searches {
        0 => 0,
        count => u64::from(count).saturating_mul(search_micros?),
    };
    let part = |tokens: u64, per_million: u64| u128::from(tokens) * u128::from(per_million);
    let cached = usage.cached_tokens.min(usage.input_tokens);
    let written = usage.cache_write_tokens.min(usage.input_tokens - cached);
    let millionths = part(usage.input_tokens - cached - written, input_micros)
        + part(cached, cached_micros.unwrap_or(input_micros))
        + part(written, cache_write_micros.unwrap_or(input_micros))
        + part(usage.output_tokens, output_micros);
    let tokens = u64::try_from(millionths.div_ceil(1_000_000)).unwrap_or(u64::MAX);
    Some(tokens.saturating_add(searches))
}
