//! Estimates the usage of a meeting before it begins: no model is called, and nothing is written.

use std::process::ExitCode;

use quorate_app::{Choice, Chosen, Estimate};
use quorate_contract::MeetingSpec;
use quorate_runners::{CostSimulation, Course, Share};

use super::print;
use crate::error::CliError;
use crate::setup::Plan;
use crate::speech::Speech;

/// Prints what the planned meeting will take, from the least to the most.
pub(super) fn estimate(plan: &Plan, as_json: bool, speech: Speech) -> Result<ExitCode, CliError> {
    let estimate = plan.estimate()?;
    let text = match as_json {
        true => serde_json::to_string(&estimate).expect("an estimate has only text keys"),
        false => {
            let mut lines = plan.choice.iter().flat_map(|choice| chosen(choice, speech)).collect::<Vec<_>>();
            lines.push(in_words(&estimate, &plan.spec, speech));
            lines.join("\n")
        }
    };
    print(&text);
    Ok(ExitCode::SUCCESS)
}

/// The models that were chosen because none was named, and why; a line each.
pub(super) fn chosen(choice: &Choice, speech: Speech) -> Vec<String> {
    let line = |what: &str, chosen: &Chosen| {
        format!("  {what} {}/{} · {}", chosen.provider, chosen.model, chosen.because.words(speech.0))
    };
    let mut lines = vec![speech.pick("没有指定模型，已选用：", "No model was named; chosen:").to_owned()];
    lines.extend(choice.in_turn.iter().map(|chosen| line(speech.pick("席位", "seats"), chosen)));
    lines.extend(choice.lead.iter().map(|chosen| line(speech.pick("收敛器", "facilitator"), chosen)));
    if !choice.left_out.is_empty() {
        let names = choice.left_out.join(speech.pick("、", ", "));
        lines.push(speech.pick(
            format!("  未使用 {names}：没有给出模型列表"),
            format!("  left out: {names}, which gave no list of models"),
        ));
    }
    lines
}

/// One line about a meeting that is about to begin; `None` when no participant uses a paid model.
pub(super) fn in_short(plan: &Plan, speech: Speech) -> Option<String> {
    if !plan.is_paid() {
        return None;
    }
    let estimate = plan.estimate().ok()?;
    let cost_simulation = &estimate.cost_simulation;
    let calls = numbers(cost_simulation.calls());
    let tokens = span(cost_simulation.tokens());
    let cost = match cost_simulation.known_cost_micros() {
        Some(range) => amount(&estimate, range),
        None => speech.pick("费用未知（有模型没有价格）", "cost unknown (a model has no price)").to_owned(),
    };
    let day = days(&estimate, speech);
    Some(speech.pick(
        format!("预计 {calls} 次调用，{tokens} 令牌，{cost}{day}"),
        format!("about {calls} calls, {tokens} tokens, {cost}{day}"),
    ))
}

fn amount(estimate: &Estimate, (low, high): (u64, u64)) -> String {
    let money = |micros: u64| {
        let amount = micros as f64 / 1e6;
        if micros == 0 {
            return "0".to_owned();
        }
        let digits = if amount >= 0.995 {
            2
        } else if amount >= 0.0995 {
            3
        } else {
            4
        };
        format!("{amount:.digits$}")
    };
    let sign = if estimate.in_dollars { "$" } else { "" };
    match (money(low), money(high)) {
        (low, high) if low == high => format!("{sign}{low}"),
        (low, high) => format!("{sign}{low}-{high}"),
    }
}

fn days(estimate: &Estimate, speech: Speech) -> String {
    match (estimate.sources.first(), estimate.sources.last()) {
        (Some((first, _)), Some((last, _))) if first == last => {
            speech.pick(format!("（{first} 的价格）"), format!(" (prices of {first})"))
        }
        (Some((first, _)), Some((last, _))) => {
            speech.pick(format!("（{first} 至 {last} 的价格）"), format!(" (prices of {first} to {last})"))
        }
        _ => String::new(),
    }
}

fn in_words(estimate: &Estimate, spec: &MeetingSpec, speech: Speech) -> String {
    let cost_simulation = &estimate.cost_simulation;
    let mut lines = vec![speech.pick(
        "这场会议预计用量（没有询问任何人，也没有写入任何内容）".to_owned(),
        "what this meeting may take (nobody was asked, and nothing was written)".to_owned(),
    )];
    for share in everybody(cost_simulation) {
        let of = |course: &Course| find(course, share).map(|share| (share.calls, share.usage));
        let all = [of(&cost_simulation.least), of(&cost_simulation.likely), of(&cost_simulation.most)]
            .map(Option::unwrap_or_default);
        let range = |value: fn(&(u32, quorate_contract::Usage)) -> u64| {
            let values = all.each_ref().map(value);
            (values.into_iter().min().unwrap_or(0), values.into_iter().max().unwrap_or(0))
        };
        let calls = numbers(range(|(calls, _)| u64::from(*calls)));
        let read = span(range(|(_, usage)| usage.input_tokens));
        let written = span(range(|(_, usage)| usage.output_tokens));
        let costs = [&cost_simulation.least, &cost_simulation.likely, &cost_simulation.most]
            .map(|course| find(course, share).map_or(Some(0), |share| share.cost_micros));
        let cost = match costs {
            [Some(one), Some(two), Some(three)] => {
                amount(estimate, (one.min(two).min(three), one.max(two).max(three)))
            }
            _ => speech.pick("价格未知", "price unknown").to_owned(),
        };
        let name = share.name.as_deref().unwrap_or(speech.pick("收敛器", "facilitator"));
        lines.push(speech.pick(
            format!("  {name}（{}）：{calls} 次调用，读 {read}，写 {written}，{cost}", share.runner),
            format!(
                "  {name} ({}): {calls} calls, {read} tokens read, {written} written, {cost}",
                share.runner
            ),
        ));
    }
    let cost = match cost_simulation.known_cost_micros() {
        Some(range) => amount(estimate, range),
        None => speech.pick("费用未知", "cost unknown").to_owned(),
    };
    let (calls, tokens) = (numbers(cost_simulation.calls()), span(cost_simulation.tokens()));
    lines.push(speech.pick(
        format!("合计：{calls} 次调用，{tokens} 令牌，{cost}{}", days(estimate, speech)),
        format!("in all: {calls} calls, {tokens} tokens, {cost}{}", days(estimate, speech)),
    ));
    let likely = &cost_simulation.likely;
    let cached: u64 = likely.shares.iter().map(|share| share.usage.cached_tokens).sum();
    let (some, cached) = (numbers((likely.calls(), likely.calls())), short(cached));
    let (tokens, rounds) = (short(likely.tokens()), likely.rounds);
    let cost = likely
        .known_cost_micros()
        .map_or_else(String::new, |cost| format!(", {}", amount(estimate, (cost, cost))));
    lines.push(speech.pick(
        format!("最可能：{rounds} 轮，{some} 次调用，{tokens} 令牌（其中约 {cached} 来自缓存）{cost}"),
        format!(
            "most likely: {rounds} rounds, {some} calls, {tokens} tokens (about {cached} from a cache){cost}"
        ),
    ));
    let answer = spec.rules.limits.answer_tokens;
    lines.push(speech.pick(
        format!("最少：第一次表决即通过；最多：开满所有轮次，每个回答连同思考都写到上限（{answer} 令牌起）。最少与最可能不含模型的思考；重试与修复都不在其中。"),
        format!("least: the first ballot passes; most: every round is held, and each answer, thinking included, is as long as it may be (from {answer} tokens). The least and the likely hold no thinking; retries and repairs are in none."),
    ));
    let error = likely.shares.iter().map(|share| share.error).fold(0.0, f64::max);
    let percent = (error * 100.0).round();
    lines.push(speech.pick(
        format!("令牌数是估计，二十次中有十九次误差不超过 {percent}%；合计已计入误差。"),
        format!("token counts are estimates, within {percent} % for 19 texts of 20; the sum includes that."),
    ));
    if likely.open_ended || cost_simulation.most.open_ended {
        lines.push(speech.pick(
            "这场会议没有自己的终点：推演在 400 次调用处停下。".to_owned(),
            "the meeting has no end of its own: the simulation stopped after 400 calls.".to_owned(),
        ));
    }
    lines.join("\n")
}

/// The participants of all scenarios, and the facilitator.
fn everybody(cost_simulation: &CostSimulation) -> Vec<&Share> {
    let mut all: Vec<&Share> = Vec::new();
    for share in [&cost_simulation.likely, &cost_simulation.least, &cost_simulation.most]
        .iter()
        .flat_map(|course| &course.shares)
    {
        if !all.iter().any(|known| known.name == share.name) {
            all.push(share);
        }
    }
    // The facilitator last.
    all.sort_by_key(|share| share.name.is_none());
    all
}

fn find<'a>(course: &'a Course, share: &Share) -> Option<&'a Share> {
    course.shares.iter().find(|other| other.name == share.name)
}

fn numbers<T: PartialEq + std::fmt::Display>((low, high): (T, T)) -> String {
    if low == high { low.to_string() } else { format!("{low}-{high}") }
}

fn span((low, high): (u64, u64)) -> String {
    numbers((short(low), short(high)))
}

/// A count of tokens as people say it.
fn short(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..1_000_000 => format!("{}k", (tokens + 500) / 1_000),
        _ => format!("{:.1}M", tokens as f64 / 1e6),
    }
}
