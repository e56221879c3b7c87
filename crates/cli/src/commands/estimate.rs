//! Estimates the usage of a meeting before it begins: no model is called, and nothing is written.

use std::process::ExitCode;

use quorate_app::{ChosenModel, CostSimulation, Course, Estimate, ModelChoice, Share};
use quorate_contract::MeetingSpec;
use quorate_messages::text;

use super::print;
use crate::error::CliError;
use crate::language::Speech;
use crate::setup::Plan;

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
pub(super) fn chosen(choice: &ModelChoice, speech: Speech) -> Vec<String> {
    let line = |what: &str, chosen: &ChosenModel| {
        format!("  {what} {}/{} · {}", chosen.provider, chosen.model, chosen.because.words(speech.0))
    };
    let mut lines = vec![text!(speech, "cli-estimate-no-model-named-chosen").to_owned()];
    lines.extend(choice.in_turn.iter().map(|chosen| line(text!(speech, "cli-estimate-seats"), chosen)));
    lines.extend(choice.lead.iter().map(|chosen| line(text!(speech, "cli-estimate-facilitator"), chosen)));
    if !choice.left_out.is_empty() {
        let names = choice.left_out.join(text!(speech, "common-list-separator"));
        lines.push(text!(speech, "cli-estimate-left-out-which-gave-no", %names));
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
        None if everybody(cost_simulation).iter().any(|one| searches_are_unpriced(cost_simulation, one)) => {
            text!(speech, "cli-estimate-cost-unknown-search-has-no").to_owned()
        }
        None => text!(speech, "cli-estimate-cost-unknown-model-has-no").to_owned(),
    };
    let day = days(&estimate, speech);
    Some(text!(speech, "cli-estimate-about-calls-tokens", %calls, %tokens, %cost, %day))
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
            text!(speech, "cli-estimate-prices", %first)
        }
        (Some((first, _)), Some((last, _))) => {
            text!(speech, "cli-estimate-prices-2", %first, %last)
        }
        _ => String::new(),
    }
}

fn in_words(estimate: &Estimate, spec: &MeetingSpec, speech: Speech) -> String {
    let cost_simulation = &estimate.cost_simulation;
    let mut lines = vec![text!(speech, "cli-estimate-what-meeting-may-take-nobody").to_owned()];
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
            _ if searches_are_unpriced(cost_simulation, share) => {
                text!(speech, "cli-estimate-search-price-unknown").to_owned()
            }
            _ => text!(speech, "cli-estimate-price-unknown").to_owned(),
        };
        let searches = range(|(_, usage)| u64::from(usage.searches));
        let cost = match searches {
            (_, 0) => cost,
            searches => text!(speech, "cli-estimate-searches", searches = numbers(searches), %cost),
        };
        let name = share.name.as_deref().unwrap_or(text!(speech, "cli-estimate-facilitator"));
        lines.push(text!(speech, "cli-estimate-calls-tokens-read-written", %name, runner = %share.runner, %calls, %read, %written, %cost));
    }
    let cost = match cost_simulation.known_cost_micros() {
        Some(range) => amount(estimate, range),
        None => text!(speech, "cli-estimate-cost-unknown").to_owned(),
    };
    let (calls, tokens) = (numbers(cost_simulation.calls()), span(cost_simulation.tokens()));
    lines.push(text!(speech, "cli-estimate-all-calls-tokens", %calls, %tokens, %cost, days = %days(estimate, speech)));
    let likely = &cost_simulation.likely;
    let cached: u64 = likely.shares.iter().map(|share| share.usage.cached_tokens).sum();
    let (some, cached) = (numbers((likely.calls(), likely.calls())), short(cached));
    let (tokens, rounds) = (short(likely.tokens()), likely.rounds);
    let cost = likely
        .known_cost_micros()
        .map_or_else(String::new, |cost| format!(", {}", amount(estimate, (cost, cost))));
    lines.push(
        text!(speech, "cli-estimate-most-likely-rounds-calls-tokens", rounds, %some, %tokens, %cached, %cost),
    );
    let answer = spec.rules.limits.answer_tokens;
    lines.push(text!(speech, "cli-estimate-least-first-ballot-passes-most", %answer));
    let error = likely.shares.iter().map(|share| share.error).fold(0.0, f64::max);
    let percent = (error * 100.0).round();
    lines.push(text!(speech, "cli-estimate-token-counts-estimates-within-19", %percent));
    if likely.open_ended || cost_simulation.most.open_ended {
        lines.push(text!(speech, "cli-estimate-meeting-has-no-end-its").to_owned());
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

/// Whether the cost of a share is not known because of its web searches.
fn searches_are_unpriced(cost_simulation: &CostSimulation, share: &Share) -> bool {
    let CostSimulation { least, likely, most } = cost_simulation;
    [least, likely, most]
        .into_iter()
        .filter_map(|course| find(course, share))
        .any(|one| one.unpriced_searches)
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
