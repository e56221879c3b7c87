//! The request for a new meeting from the command line, laid over its file.

use std::path::Path;

use quorate_app::{CreateMeetingRequest, ParticipantEntry, ToolSourceConfig};
use quorate_contract::{MEETING_FILES, Rules, ToolGrant, is_tool_source_name};
use quorate_messages::{io_problem, message};

use super::acp;
use super::meeting_rules::{agenda, laid_over, moderator};
use crate::args::RunArgs;
use crate::error::CliError;

/// The meeting that `run` is asked for.
pub(crate) fn create_meeting_request(args: &RunArgs) -> Result<CreateMeetingRequest, CliError> {
    let mut new = match &args.config {
        Some(path) => CreateMeetingRequest::read(path)?,
        None => CreateMeetingRequest::default(),
    };
    if !args.agent.is_empty() {
        new.seat(args.agent.iter().map(|name| ParticipantEntry::agent(name)).collect());
        new.seats = None;
    }
    if let Some(text) = &args.participants {
        match text.trim().parse::<usize>() {
            // The models of those whom the file names still count.
            Ok(count) => new.seats = Some(u32::try_from(count).unwrap_or(u32::MAX)),
            Err(_) => {
                let names = text.split([',', '，', '、']);
                new.seat(names.map(|name| ParticipantEntry::named(name.trim())).collect());
                new.seats = None;
            }
        }
    }
    if args.topic.is_some() {
        new.topic.clone_from(&args.topic);
    }
    for (given, field) in [(&args.title, &mut new.title), (&args.description, &mut new.description)] {
        if given.is_some() {
            field.clone_from(given);
        }
    }
    if args.time_zone.is_some() {
        new.display.time_zone.clone_from(&args.time_zone);
    }
    if let Some(background) = background(args)? {
        new.background = Some(background);
    }
    new.tools.extend(args.tools.iter().map(|given| tool_grant(given)));
    if let Some(path) = &args.folder {
        let name = folder_name(path);
        new.folders.push(ToolSourceConfig::of_folder(name.clone(), path));
        new.tools.push(ToolGrant { name, participants: Vec::new() });
    }
    if let Some(lang) = args.lang {
        new.lang = Some(lang.into());
    }
    if let Some(name) = &args.format {
        new.format = Some(name.parse().map_err(|_: quorate_contract::BadId| {
            CliError::usage(message!("cli-setup-no-format", name), message!("cli-see-help"))
        })?);
    }
    new.seed = args.seed.or(new.seed);
    if args.simulate {
        new.simulate = Some(true);
    } else if !args.model.is_empty() {
        new.simulate = Some(false);
    }
    if !args.model.is_empty() {
        new.models.clone_from(&args.model);
    }
    let agents = acp::agents(&args.acp, args.folder.as_deref(), &args.acp_env)?;
    if !agents.is_empty() && args.model.is_empty() {
        new.models.clear();
    }
    for (config, model) in agents {
        new.simulate = new.simulate.filter(|_| args.simulate);
        new.models.push(model);
        new.acp.insert(config.name.clone(), config);
    }
    if args.fallback.is_some() {
        new.fallback.clone_from(&args.fallback);
    }
    if args.no_facilitator {
        new.facilitator.enabled = false;
    }
    new.off_record |= args.off_record;
    new.moderator = moderator(&args.held).or(new.moderator);
    if !args.held.agenda.is_empty() {
        new.agenda = agenda(&args.held);
    }
    if args.held.announce.is_some() {
        new.announce.clone_from(&args.held.announce);
    }
    let rules = rules(args, new.rules()?)?;
    new.set_rules(&rules);
    Ok(new)
}

/// The permission that `NAME` or `NAME=PARTICIPANT,…` stands for.
fn tool_grant(given: &str) -> ToolGrant {
    let (name, participants) = given.split_once('=').unwrap_or((given, ""));
    let participants = participants.split([',', '，', '、']).map(str::trim).filter(|name| !name.is_empty());
    ToolGrant { name: name.trim().to_owned(), participants: participants.map(str::to_owned).collect() }
}

fn rules(args: &RunArgs, rules: Rules) -> Result<Rules, CliError> {
    let mut rules = laid_over(rules, &args.held)?;
    if let Some(rounds) = args.rounds {
        rules.limits.max_rounds = rounds;
        rules.decision.min_rounds = rules.decision.min_rounds.min(rounds);
    }
    if let Some(pace) = args.live.pace {
        rules.turns.pace = Some(pace.into());
    }
    if args.threshold.is_some() {
        rules.decision.mean_score = args.threshold;
    }
    if args.budget_tokens.is_some() {
        rules.limits.tokens = args.budget_tokens;
    }
    if let Some(amount) = args.budget_cost {
        rules.limits.cost_micros = Some(budget_micros(amount)?);
    }
    if let Some(minutes) = args.budget_minutes {
        rules.limits.wall_ms = Some(budget_ms(minutes)?);
    }
    if let Some(minutes) = args.provider_wait {
        rules.limits.provider_wait_ms = match minutes == 0.0 {
            true => 0,
            false => minutes_to_ms("--provider-wait", minutes)?,
        };
    }
    Ok(rules)
}

/// Converts `--budget-cost` to millionths.
pub(crate) fn budget_micros(amount: f64) -> Result<u64, CliError> {
    Ok((positive("--budget-cost", amount)? * 1e6).round() as u64)
}

/// Converts `--budget-minutes` to milliseconds.
pub(crate) fn budget_ms(minutes: f64) -> Result<u64, CliError> {
    minutes_to_ms("--budget-minutes", minutes)
}

fn minutes_to_ms(name: &str, minutes: f64) -> Result<u64, CliError> {
    Ok((positive(name, minutes)? * 60_000.0).round() as u64)
}

fn positive(name: &str, value: f64) -> Result<f64, CliError> {
    match value.is_finite() && value > 0.0 {
        true => Ok(value),
        false => Err(CliError::usage(
            message!("cli-setup-not-positive", name, %value),
            message!("cli-setup-positive"),
        )),
    }
}

fn background(args: &RunArgs) -> Result<Option<String>, CliError> {
    let Some(text) = &args.background else { return Ok(None) };
    match text.strip_prefix('@') {
        None => Ok(Some(text.clone())),
        Some(path) => std::fs::read_to_string(path).map(Some).map_err(|error| {
            CliError::usage(
                message!("common-unreadable", path, error = io_problem(&error)),
                message!("cli-give-file", option = "--background"),
            )
        }),
    }
}

/// The name under which the tools of a folder are called: the folder's own where that can be one.
fn folder_name(path: &Path) -> String {
    let own = std::fs::canonicalize(path).ok();
    let own = own.as_deref().unwrap_or(path).file_name().map(|name| name.to_string_lossy().to_lowercase());
    own.filter(|name| is_tool_source_name(name) && *name != MEETING_FILES)
        .unwrap_or_else(|| "folder".to_owned())
}
