//! Budgets and reserves.
//!
//! A reserve is set aside before each call, so that the limit is never exceeded, not in parallel rounds
//! either. The money or tokens spent, the reserves of calls in flight, the need of the next call, and the
//! part kept for the conclusion must fit together.

use quorate_contract::{
    BudgetKind, IMAGE_MOST_TOKENS, Price, Prompt, PromptTools, Reserve, RunnerSpec, TOOL_RESULT_MAX_CHARS,
    TaskId, Usage, WEB_SEARCH_MOST_TOKENS,
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
    reserve_for(meeting, task, &prompt::of_task(meeting, task))
}

/// The same, with the prompt of the call.
pub(crate) fn reserve_for(meeting: &Meeting, task: TaskId, prompt: &Prompt) -> Reserve {
    let words: u64 = prompt.messages.iter().map(|message| most_tokens(&message.content) + 8).sum();
    let images = u64::try_from(prompt.images().count()).unwrap_or(u64::MAX).saturating_mul(IMAGE_MOST_TOKENS);
    let tools = tokens_of_tools(&prompt.tools);
    let searches = prompt.tools.web_searches;
    let schema = prompt.schema.as_ref().map_or(0, |schema| most_tokens(&schema.schema.to_string()));
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
/// can write it also where the budget ends the meeting: its present cost, what was said in a round that nobody
/// reads before it ends, and what the answers in flight and this one can add to the record until then.
///
/// Nothing is kept from the first two speakers, asked one after the other: a budget without room for both
/// goes to the discussion, because without messages there is nothing to conclude.
fn kept(meeting: &Meeting, task: TaskId) -> Reserve {
    let conclude = TaskId::Conclude;
    if !is_set(meeting) || task == conclude || meeting.conclusion.is_some() {
        return Reserve::default();
    }
    let spoken = meeting.said.iter().filter(|said| said.turn.is_some()).take(ENOUGH_TO_CONCLUDE).count();
    // The call itself may be under way already, when it is looked whether it fits still.
    let is_alone = meeting.calls.keys().all(|other| *other == task);
    if spoken < ENOUGH_TO_CONCLUDE && is_alone {
        return Reserve::default();
    }
    if meeting.calls.contains_key(&conclude) || !tasks::can_facilitate(meeting, conclude) {
        return Reserve::default();
    }
    let now = reserve(meeting, conclude);
    let others = meeting.calls.keys().copied().filter(|other| *other != task);
    let more = others.chain([task]).map(|other| adds(meeting, other));
    let more = more.fold(WORDS_OF_THE_END + prompt::most_unread_tokens(meeting), u64::saturating_add);
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

#[cfg(test)]
mod tests {
    use quorate_contract::*;

    use super::*;
    use crate::tests::{PRICE, model, settings, simulated, started};

    fn priced(price: Price) -> RunnerSpec {
        model(ModelParameters::default(), price)
    }

    fn with_tokens(meeting: &Meeting, tokens: u64) -> Meeting {
        let mut limited = meeting.clone();
        settings(&mut limited).rules.limits.tokens = Some(tokens);
        limited
    }

    #[test]
    fn each_part_of_a_usage_has_its_price() {
        let price = Price {
            cached_micros: Some(100_000),
            cache_write_micros: Some(1_250_000),
            search_micros: Some(5_000),
            ..PRICE
        };
        let usage = Usage {
            input_tokens: 1000,
            cached_tokens: 400,
            cache_write_tokens: 200,
            output_tokens: 30,
            searches: 2,
            ..Usage::default()
        };
        assert_eq!(cost_at(price, &usage), Some(400 + 40 + 250 + 60 + 10_000));
        assert_eq!(
            cost_at(PRICE, &Usage { searches: 0, ..usage }),
            Some(1000 + 60),
            "the cache costs the same"
        );
        assert_eq!(cost_at(PRICE, &usage), None, "the price of a search is not known");
    }

    #[test]
    fn a_cost_is_rounded_up_and_never_negative() {
        assert_eq!(cost_at(Price::new(1, 1), &tokens(1, 0)), Some(1));
        assert_eq!(cost_at(Price::new(1, 1), &tokens(999_999, 2)), Some(2));
        let odd = Usage { cached_tokens: 500, cache_write_tokens: 500, ..tokens(100, 0) };
        assert_eq!(cost_at(PRICE, &odd), Some(100), "no more is from the cache than was sent");
    }

    #[test]
    fn a_reserve_is_all_that_is_sent_and_the_longest_answer_at_the_highest_price() {
        let dear = Price { cache_write_micros: Some(3_000_000), cached_micros: Some(10), ..PRICE };
        let (meeting, task) = started(priced(dear));
        let prompt = prompt::of_task(&meeting, task);
        let messages: u64 = prompt.messages.iter().map(|message| most_tokens(&message.content) + 8).sum();
        let schema = prompt.schema.as_ref().map_or(0, |schema| most_tokens(&schema.schema.to_string()));
        let input = most_tokens(&prompt.system) + messages + schema + 64;
        let output = u64::from(prompt.max_tokens);
        let held = Reserve { tokens: input + output, cost_micros: 3 * input + 2 * output };
        assert_eq!(reserve(&meeting, task), held);

        let parameters = ModelParameters { thinking_tokens: Some(5000), ..ModelParameters::default() };
        let (thinks, _) = started(model(parameters, dear));
        let more = Reserve { tokens: held.tokens + 5000, cost_micros: held.cost_micros + 10_000 };
        assert_eq!(reserve(&thinks, task), more);
        let (unpriced, _) = started(simulated());
        assert_eq!(reserve(&unpriced, task), Reserve { tokens: held.tokens, cost_micros: 0 });
    }

    #[test]
    fn tools_take_the_room_of_their_definitions_calls_and_results() {
        let call = ToolStepCall {
            id: ToolCallId(1),
            tool: "x".repeat(9),
            arguments: "x".repeat(99),
            result: "x".repeat(999),
            failed: false,
        };
        let step = ToolStep {
            text: "x".repeat(9999),
            continuation: "x".repeat(19_999),
            calls: vec![call.clone(), call],
        };
        let sources = vec!["repo".to_owned(), "files".to_owned()];
        let tools = PromptTools { sources, may_call: true, steps: vec![step], web_searches: 0 };
        let calls = 2 * (10 + 100 + 1000 + 32);
        assert_eq!(tokens_of_tools(&tools), calls + 10_000 + 20_000 + 2 * DEFINITIONS_MOST_TOKENS);
        assert_eq!(tokens_of_tools(&PromptTools::default()), 0);
    }

    #[test]
    fn a_call_fits_up_to_the_last_token_beside_those_in_flight() {
        let (meeting, task) = started(priced(PRICE));
        let held = meeting.calls[&task].reserved;
        let needed = Reserve { tokens: 100, cost_micros: 200 };
        let mut limited = meeting.clone();
        limited.calls.clear();
        limited.spent.usage.input_tokens = 7;
        limited.spent.cost_micros = 9;
        let limits = |meeting: &Meeting, tokens: u64, cost: u64| {
            let mut limited = with_tokens(meeting, tokens);
            settings(&mut limited).rules.limits.cost_micros = Some(cost);
            fits(&limited, task, &needed)
                .map_err(|short| (short.budget, short.limit, short.spent, short.needed))
        };
        assert_eq!(limits(&limited, 107, 209), Ok(()));
        assert_eq!(limits(&limited, 106, 209), Err((BudgetKind::Tokens, 106, 7, 100)));
        assert_eq!(limits(&limited, 107, 208), Err((BudgetKind::Cost, 208, 9, 200)));
        // Once a call is in flight, its reserve is taken, and the conclusion has its part.
        let kept = kept(&with_tokens(&meeting, 1), task);
        let (tokens, cost) = (held.tokens + kept.tokens + 100, held.cost_micros + kept.cost_micros + 200);
        assert_eq!(limits(&meeting, tokens, cost), Ok(()));
        assert!(limits(&meeting, tokens - 1, cost).is_err() && limits(&meeting, tokens, cost - 1).is_err());
    }

    #[test]
    fn what_fitted_when_the_first_call_began_fits_while_it_is_under_way() {
        let (meeting, task) = started(priced(PRICE));
        let mut before = meeting.clone();
        before.calls.clear();
        let needed = reserve(&before, task);
        let (tokens, call) = (needed.tokens, meeting.calls[&task].clone());
        assert_eq!(call.reserved, needed);
        assert!(fits(&with_tokens(&before, tokens), task, &needed).is_ok());
        let under_way = with_tokens(&meeting, tokens);
        assert!(
            fits(&under_way, task, &Reserve::default()).is_ok(),
            "a request that is sent again needs no more"
        );
    }

    #[test]
    fn the_conclusion_keeps_what_it_needs_after_the_answers_in_flight() {
        let (meeting, task) = started(priced(PRICE));
        assert_eq!(kept(&meeting, task), Reserve::default(), "without a budget nothing is kept");
        let mut meeting = with_tokens(&meeting, 1_000_000);
        let call = meeting.calls[&task].clone();
        assert_eq!(
            kept(&meeting, task),
            Reserve::default(),
            "nobody has spoken yet, and the call is its own"
        );
        meeting.calls.insert(TaskId::Intake(1), call.clone());
        let now = reserve(&meeting, TaskId::Conclude);
        let later = adds(&meeting, task) + WORDS_OF_THE_END;
        let needed = Reserve { tokens: now.tokens + later, cost_micros: now.cost_micros + later };
        assert_eq!(kept(&meeting, task), needed, "the call in flight is counted once");
        let both = adds(&meeting, TaskId::Summarize(1)) + later;
        assert_eq!(kept(&meeting, TaskId::Summarize(1)).tokens, now.tokens + both);
        assert_eq!(kept(&meeting, TaskId::Conclude), Reserve::default(), "it is the conclusion itself");

        let mut first = meeting.clone();
        first.calls.clear();
        assert_eq!(kept(&first, task), Reserve::default(), "nobody has spoken yet");
        let mut concluding = meeting.clone();
        concluding.calls.insert(TaskId::Conclude, call);
        assert_eq!(kept(&concluding, task), Reserve::default(), "the conclusion has its reserve already");
        let mut alone = meeting;
        settings(&mut alone).facilitator = None;
        assert_eq!(kept(&alone, task), Reserve::default(), "nobody would write it");
    }

    #[test]
    fn an_answer_adds_to_the_record_what_the_rules_let_it() {
        let (meeting, _) = started(priced(PRICE));
        let with = |message: u32, answer: u32, task: TaskId| {
            let mut meeting = meeting.clone();
            let rules = &mut settings(&mut meeting).rules;
            rules.turns.max_message_chars = message;
            rules.limits.answer_tokens = answer;
            rules.context.summary_max_chars = 700;
            adds(&meeting, task)
        };
        let turn = TaskId::Speak(TurnId { round: 1, place: 1 });
        assert_eq!(with(1000, 10_000, turn), 3000, "a message of at most a thousand characters");
        assert_eq!(with(1000, 100, turn), 500, "an answer of at most a hundred tokens");
        assert_eq!(with(1000, 100, TaskId::Summarize(1)), 2100);
        assert_eq!(with(1000, 100, TaskId::Facilitate(BallotId(1))), 1000);
        assert_eq!(with(1000, 100, TaskId::Vote(BallotId(1), ParticipantId(1))), 1800);
        for beside in [TaskId::Evaluate(1), TaskId::Minutes(1), TaskId::Conclude] {
            assert_eq!(with(1000, 100, beside), 0, "{beside:?} is no part of the discussion");
        }
    }

    #[test]
    fn results_of_tools_are_as_long_as_the_budget_allows() {
        let (mut meeting, task) = started(priced(PRICE));
        assert_eq!(room_for_results(&meeting, task, 2), Some(TOOL_RESULT_MAX_CHARS), "without a budget");
        settings(&mut meeting).facilitator = None;
        meeting.calls.clear();
        let now = reserve(&meeting, task);
        let room = |tokens: u64, count: u32| room_for_results(&with_tokens(&meeting, tokens), task, count);
        for chars in [12_000, 6000, 3000, 1000] {
            let needed = now.tokens + 2 * (3 * chars + CALL_MOST_TOKENS);
            assert_eq!(room(needed, 2).map(u64::from), Some(chars));
            assert_ne!(room(needed - 1, 2).map(u64::from), Some(chars));
        }
        assert_eq!(room(now.tokens + 2000, 2), None);
        assert_eq!(room(now.tokens + 3500, 0), Some(1000), "at least one result comes back");
        // The limit on money holds as well.
        let mut paid = meeting.clone();
        settings(&mut paid).rules.limits.cost_micros = Some(now.cost_micros + 7000);
        assert_eq!(room_for_results(&paid, task, 2), Some(1000));
        settings(&mut paid).rules.limits.cost_micros = Some(now.cost_micros + 6999);
        assert_eq!(room_for_results(&paid, task, 2), None);
    }
}
