//! Rules from the flags: rules, agenda, moderator, models for a team.

use quorate_app::{AgendaEntry, set_rule};
use quorate_contract::{ArtifactKind, FloorMode, Rules, SpeakingLength, Style};
use serde_json::json;

use crate::args::MeetingRuleArgs;
use crate::error::CliError;

/// The rules with what the flags say laid over them.
pub(super) fn laid_over(mut rules: Rules, held: &MeetingRuleArgs) -> Result<Rules, CliError> {
    for pair in &held.set {
        let (key, value) = key_and_value(pair, "--set")?;
        rules = set_rule(&rules, key, value)?;
    }
    if held.host.is_some() {
        rules.turns.floor = FloorMode::Host;
    }
    if let Some(style) = &held.style {
        rules.talk.style = Some(style_of(style)?);
    }
    for pair in &held.length {
        let (name, length) = key_and_value(pair, "--length")?;
        rules.talk.lengths.insert(name.to_owned(), length_of(length)?);
    }
    if !held.artifact.is_empty() {
        let kinds = held.artifact.iter().map(|kind| kind.parse::<ArtifactKind>());
        rules.closing.artifacts = kinds.collect::<Result<_, _>>().map_err(|error| {
            CliError::usage(error.to_string(), "choose from ADR, TASKS, RISKS, MINUTES, SUMMARY")
        })?;
    }
    if held.agents_only {
        rules.turns.people_may_speak = false;
    }
    if let Some(size) = held.team {
        rules.roster.assemble = true;
        rules.roster.team_size = size;
    }
    Ok(rules)
}

/// A style by its name.
pub(crate) fn style_of(name: &str) -> Result<Style, CliError> {
    let choices = "choose formal, casual or debate";
    serde_json::from_value(json!(name.trim()))
        .map_err(|_| CliError::usage(format!("there is no style {name:?}"), choices))
}

/// A length by its name.
pub(crate) fn length_of(name: &str) -> Result<SpeakingLength, CliError> {
    let choices = "choose brief, moderate or detailed";
    serde_json::from_value(json!(name.trim()))
        .map_err(|_| CliError::usage(format!("there is no length {name:?}"), choices))
}

/// The moderator by the flags: the host that was named, then the moderator.
pub(super) fn moderator(held: &MeetingRuleArgs) -> Option<String> {
    let host = held.host.clone().filter(|name| !name.is_empty());
    host.or_else(|| held.moderator.clone())
}

/// The agenda of the flags.
pub(super) fn agenda(held: &MeetingRuleArgs) -> Vec<AgendaEntry> {
    let entry = |text: &String| {
        let (title, description) = title_and_description(text);
        AgendaEntry { title, description }
    };
    held.agenda.iter().map(entry).collect()
}

/// `TITLE: description` in two; the colon may be a full-width one.
pub(crate) fn title_and_description(text: &str) -> (String, String) {
    let cut = text.split_once(": ").or_else(|| text.split_once('：'));
    let (title, description) = cut.unwrap_or((text, ""));
    (title.trim().to_owned(), description.trim().to_owned())
}

/// Splits `KEY=VALUE`.
pub(crate) fn key_and_value<'t>(text: &'t str, flag: &str) -> Result<(&'t str, &'t str), CliError> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim(), value.trim())),
        Some(_) | None => {
            Err(CliError::usage(format!("{text:?} is no KEY=VALUE"), format!("write {flag} KEY=VALUE")))
        }
    }
}
