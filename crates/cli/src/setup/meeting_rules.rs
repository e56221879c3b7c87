//! Rules from the flags: rules, agenda, moderator, models for a team.

use quorate_app::{AgendaEntry, set_rule};
use quorate_contract::{ArtifactKind, FloorMode, Rules, SpeakingLength, Style};
use quorate_messages::message;
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
        let kind = |name: &String| {
            name.parse::<ArtifactKind>().map_err(|_| {
                CliError::usage(
                    message!("cli-setup-no-artifact", name),
                    message!("cli-line-choose-adr-tasks-risks-minutes"),
                )
            })
        };
        rules.closing.artifacts = held.artifact.iter().map(kind).collect::<Result<_, _>>()?;
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
    serde_json::from_value(json!(name.trim()))
        .map_err(|_| CliError::usage(message!("cli-setup-no-style", name), message!("cli-setup-styles")))
}

/// A length by its name.
pub(crate) fn length_of(name: &str) -> Result<SpeakingLength, CliError> {
    serde_json::from_value(json!(name.trim()))
        .map_err(|_| CliError::usage(message!("cli-setup-no-length", name), message!("cli-setup-lengths")))
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
            Err(CliError::usage(message!("cli-setup-no-pair", text), message!("cli-setup-write-pair", flag)))
        }
    }
}
