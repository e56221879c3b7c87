//! Validation of the specification that a meeting begins with.

use quorate_messages::message;

use super::bounds::*;
use super::{RULE_FIELDS, RuleField, RuleKind, RuleNumber, Rules};
use crate::command::MeetingSpec;
use crate::names::{NameOf, check_name};
use crate::participant::{ModelParameters, Newcomer, RunnerSpec};
use crate::refusal::Refusal;
use crate::text::clean;
use crate::text_bounds::{invalid, length};

/// Checks the whole specification.
pub fn check(spec: &MeetingSpec) -> Result<(), Refusal> {
    length("topic", &spec.topic, 1, TOPIC_MAX_CHARS)?;
    length("background", &spec.background, 0, BACKGROUND_MAX_CHARS)?;
    let count = spec.participants.len();
    let least = usize::from(!spec.rules.roster.assemble);
    if !(least..=PARTICIPANTS_MAX).contains(&count) {
        return Err(invalid(
            "participants",
            message!("contract-check-participants", %count),
            message!("contract-check-seat-1-3-8-work", participants_max = %PARTICIPANTS_MAX),
        ));
    }
    if count == 0 && spec.models.is_empty() && spec.facilitator.is_none() {
        let hint = message!("contract-check-offer-models-team-set-facilitator");
        return Err(invalid("participants", message!("contract-check-nothing-could-answer-team"), hint));
    }
    for (place, newcomer) in spec.participants.iter().enumerate() {
        check_newcomer(&format!("participants[{place}]"), newcomer)?;
        let before = spec.participants[..place].iter().map(|other| other.name.as_str());
        check_name(&format!("participants[{place}].name"), &newcomer.name, NameOf::Seat, before)?;
    }
    if let Some(name) = spec.moderator.as_ref()
        && !spec.participants.iter().any(|newcomer| newcomer.name == *name)
    {
        let names: Vec<_> = spec.participants.iter().map(|newcomer| newcomer.name.as_str()).collect();
        let hint = message!("contract-check-name-moderator", names = &names[..]);
        let problem = message!("contract-check-not-at-table", name);
        return Err(invalid("moderator", problem, hint));
    }
    check_offers(spec)?;
    if let Some(facilitator) = &spec.facilitator {
        check_runner("facilitator", &facilitator.runner)?;
    }
    check_rules(&spec.rules)?;
    let names = spec.participants.iter().map(|newcomer| newcomer.name.as_str());
    if count > 0 {
        check_lengths(&spec.rules, names)?;
    }
    check_prices(spec)
}

fn check_offers(spec: &MeetingSpec) -> Result<(), Refusal> {
    for (place, offer) in spec.models.iter().enumerate() {
        let path = format!("models[{place}]");
        length(&format!("{path}.name"), &offer.name, 1, 200)?;
        length(&format!("{path}.good_at"), &offer.good_at, 0, 500)?;
        check_runner(&path, &offer.runner)?;
    }
    Ok(())
}

/// Checks that every participant whose speaking length is set takes part in the meeting.
pub fn check_lengths<'a>(rules: &Rules, names: impl Iterator<Item = &'a str> + Clone) -> Result<(), Refusal> {
    let unknown = rules.talk.lengths.keys().find(|name| !names.clone().any(|other| other == *name));
    match unknown {
        None => Ok(()),
        Some(name) => {
            let present = &names.collect::<Vec<_>>()[..];
            let hint = message!("refusal-no-such-participant-hint", present);
            Err(invalid("talk.lengths", message!("refusal-no-such-participant", name), hint))
        }
    }
}

/// Checks whether a participant may join a meeting, now or later. `path` is its place in the input:
/// `participants[1]`, `agent`.
///
/// # Errors
/// The first invalid field, as [`Refusal::Invalid`].
pub fn check_newcomer(path: &str, newcomer: &Newcomer) -> Result<(), Refusal> {
    let field = format!("{path}.name");
    length(&field, &newcomer.name, 1, NAME_MAX_CHARS)?;
    let forbidden = |c: char| c.is_control() || matches!(c, '"' | '“' | '”' | '<' | '>' | '@' | '＠' | '`');
    // Others read the name as a prompt shows it, on one line and cleaned, and write it as they read it.
    let shown = clean(&newcomer.name).split_whitespace().collect::<Vec<_>>().join(" ");
    if shown != newcomer.name || newcomer.name.contains(forbidden) {
        return Err(invalid(
            &field,
            message!("contract-check-cannot-be-mentioned", name = &newcomer.name),
            message!("contract-check-leave-out-quotation-marks-backticks"),
        ));
    }
    check_name(&field, &newcomer.name, NameOf::Seat, [])?;
    length(&format!("{path}.role.name"), &newcomer.role.name, 1, NAME_MAX_CHARS)?;
    length(&format!("{path}.role.description"), &newcomer.role.description, 1, ROLE_MAX_CHARS)?;
    length(&format!("{path}.role.system_prompt"), &newcomer.role.system_prompt, 0, ROLE_MAX_CHARS)?;
    check_skip_list(path, &newcomer.skip_list)?;
    check_runner(path, &newcomer.runner)
}

/// Checks the number and the length of the phrases of a skip list, in the field of `path`.
///
/// # Errors
/// The first invalid phrase, as [`Refusal::Invalid`].
pub fn check_skip_list(path: &str, phrases: &[String]) -> Result<(), Refusal> {
    let field = match path {
        "" => "skip_list".to_owned(),
        path => format!("{path}.skip_list"),
    };
    if phrases.len() > SKIP_LIST_MAX {
        let hint = message!("contract-check-shorten-skip-list", skip_list_max = %SKIP_LIST_MAX);
        let problem = message!("contract-check-skip-list-has", phrases = %phrases.len());
        return Err(invalid(&field, problem, hint));
    }
    let mut numbered = phrases.iter().enumerate();
    numbered.try_for_each(|(place, phrase)| {
        length(&format!("{field}[{place}]"), &clean(phrase), 1, SKIP_PHRASE_MAX_CHARS)
    })
}

/// A smaller context has no room for the question.
const CONTEXT_TOKENS_MIN: u32 = 512;

fn check_runner(path: &str, runner: &RunnerSpec) -> Result<(), Refusal> {
    let (model, parameters) = match runner {
        RunnerSpec::Model { model, parameters, fallback, .. } => {
            fallback.iter().try_for_each(|fallback| check_fallback(path, runner, fallback))?;
            (model, parameters)
        }
        RunnerSpec::Process { name } => return length(&format!("{path}.process"), name, 1, NAME_MAX_CHARS),
        RunnerSpec::Acp { name, folder } => {
            length(&format!("{path}.acp"), name, 1, NAME_MAX_CHARS)?;
            return length(&format!("{path}.folder"), folder, 0, FOLDER_MAX_CHARS);
        }
        RunnerSpec::External { via, name } => {
            return length(&format!("{path}.{}", via.as_str()), name, 1, NAME_MAX_CHARS);
        }
        RunnerSpec::Simulated { .. } => return Ok(()),
    };
    length(&format!("{path}.model"), model, 1, 200)?;
    let ModelParameters { temperature, top_p, max_tokens, context_tokens, effort: _, thinking_tokens: _ } =
        parameters;
    let within = |field: &str, value: Option<f64>, max: f64| match value {
        Some(value) if !(0.0..=max).contains(&value) => Err(invalid(
            &format!("{path}.{field}"),
            value.to_string(),
            message!("contract-check-choose-number-from-0", %max),
        )),
        Some(_) | None => Ok(()),
    };
    within("temperature", *temperature, 2.0)?;
    within("top_p", *top_p, 1.0)?;
    if *max_tokens == Some(0) {
        let hint = message!("contract-check-choose-at-least-1-leave");
        return Err(invalid(&format!("{path}.max_tokens"), "0", hint));
    }
    if let Some(tokens) = context_tokens.filter(|tokens| *tokens < CONTEXT_TOKENS_MIN) {
        let min = CONTEXT_TOKENS_MIN;
        let hint = message!("contract-check-choose-at-least-leave-out", %min);
        return Err(invalid(&format!("{path}.context_tokens"), tokens.to_string(), hint));
    }
    Ok(())
}

/// Checks whether a model may be the fallback of another.
fn check_fallback(path: &str, first: &RunnerSpec, fallback: &RunnerSpec) -> Result<(), Refusal> {
    let field = format!("{path}.fallback");
    let RunnerSpec::Model { fallback: further, .. } = fallback else {
        let hint = message!("contract-check-name-providers-model-leave-out");
        let label = fallback.label();
        return Err(invalid(&field, message!("contract-check-no-model", %label), hint));
    };
    if fallback.label() == first.label() {
        let hint = message!("contract-check-name-another-model-leave-out");
        let label = first.label();
        let problem = message!("contract-check-model-itself", %label);
        return Err(invalid(&field, problem, hint));
    }
    if further.is_some() {
        let hint = message!("contract-check-leave-out-fallback", %field);
        let problem = message!("contract-check-fallback-has-none-its-own");
        return Err(invalid(&format!("{field}.fallback"), problem, hint));
    }
    check_runner(&field, fallback)
}

/// Checks that every number of the rules lies within the bounds of [`RULE_FIELDS`], and that ballots have a
/// clause by which votes count.
///
/// # Errors
/// The first invalid field, as [`Refusal::Invalid`].
pub fn check_rules(rules: &Rules) -> Result<(), Refusal> {
    RULE_FIELDS.iter().try_for_each(|field| match &field.kind {
        RuleKind::Number(number) => match (number.read)(rules) {
            Some(value) => check_number(field.path, number, value, rules),
            None => Ok(()),
        },
        RuleKind::Share(share) => match (share.read)(rules) {
            Some(value) if !(0.0..=1.0).contains(&value) => {
                let hint = message!("contract-check-choose-share-from-0-0");
                Err(invalid(field.path, value.to_string(), hint))
            }
            Some(_) | None => Ok(()),
        },
        RuleKind::Switch
        | RuleKind::Choice(_)
        | RuleKind::List(_)
        | RuleKind::PerParticipant(_)
        | RuleKind::Group => Ok(()),
    })?;
    check_ballots(rules)
}

/// A quorum says how many must vote. Alone it would let a draft pass that all voted against.
fn check_ballots(rules: &Rules) -> Result<(), Refusal> {
    let decision = &rules.decision;
    let counts =
        decision.mean_score.is_some() || decision.pass_ratio.is_some() || decision.min_score.is_some();
    if !decision.ballots || counts {
        return Ok(());
    }
    let problem = message!("contract-check-only-quorum");
    Err(invalid("decision.mean_score", problem, message!("contract-check-set-a-threshold")))
}

fn check_number(path: &str, number: &RuleNumber, value: u64, rules: &Rules) -> Result<(), Refusal> {
    let other = number.at_most.and_then(RuleField::at).and_then(RuleField::number);
    // A bound that is wrong itself is refused by its own field.
    let other =
        other.and_then(|other| (other.read)(rules).filter(|value| (other.min..=other.max).contains(value)));
    let (min, max) = (number.min, other.map_or(number.max, |other| other.min(number.max)));
    if (min..=max).contains(&value) {
        return Ok(());
    }
    let hint = message!("contract-check-choose-number-from", %min, %max);
    Err(invalid(path, value.to_string(), hint))
}

/// A budget of money can only be kept where every price is known.
fn check_prices(spec: &MeetingSpec) -> Result<(), Refusal> {
    let seated = spec.participants.iter().map(|newcomer| &newcomer.runner);
    let offered = spec.models.iter().map(|offer| &offer.runner);
    let facilitator = spec.facilitator.iter().map(|facilitator| &facilitator.runner);
    let mut all = seated.chain(facilitator).chain(offered);
    all.try_for_each(|runner| check_price(&spec.rules, runner))
}

/// Checks that the calls of this runner can be held within the cost budget, if there is one.
pub fn check_price(rules: &Rules, runner: &RunnerSpec) -> Result<(), Refusal> {
    runner.fallback().map_or(Ok(()), |fallback| check_price(rules, fallback))?;
    if rules.limits.cost_micros.is_none() || runner.price().is_some() {
        return Ok(());
    }
    let label = runner.label();
    Err(invalid(
        "limits.cost_micros",
        message!("contract-check-price-not-known-so-budget", %label),
        message!("contract-check-give-its-price-configuration-set"),
    ))
}
