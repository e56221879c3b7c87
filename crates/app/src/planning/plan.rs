//! The plan of a meeting: its participants, rules and runners.

use std::collections::BTreeMap;

use quorate_contract::{
    Actor, Facilitator, Language, MEETING_FILES, MeetingDetails, MeetingSpec, Newcomer, Refusal, RunnerSpec,
    SimulatedPace, ToolGrant, WEB_SEARCH, Wording, is_same,
};
use quorate_core::Meeting;
use quorate_messages::message;
use quorate_runners::{Programs, ProviderConfig, ToolSourceConfig};

use crate::error::ServiceError;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::user_file::UserFile;
use crate::planning::first_call;
use crate::planning::models::Models;
use crate::planning::seats::participants;
use crate::planning::web_search;
use crate::providers::available::tools_of;
use crate::providers::choose::ModelChoice;
use crate::providers::sources::Sources;
use crate::providers::stored::agents_of;

/// A meeting that can begin.
pub struct Plan {
    /// The specification of the meeting.
    pub spec: MeetingSpec,
    /// The available providers.
    pub providers: Vec<ProviderConfig>,
    /// The programs that can answer.
    pub programs: Programs,
    /// The sources of tools that are configured.
    pub tools: BTreeMap<String, ToolSourceConfig>,
    /// Whether all participants are simulated because no model was found, and not because the request says
    /// so.
    pub simulated_for_want_of_models: bool,
    /// The models that were chosen because the request names none.
    pub choice: Option<ModelChoice>,
}

impl Plan {
    /// Plans the requested meeting. Nothing is written; servers may be asked for their models.
    ///
    /// # Errors
    /// When a part is missing or invalid; for a file, the error names the line.
    pub async fn make(sources: &Sources<'_>, new: &CreateMeetingRequest) -> Result<Self, ServiceError> {
        let user = UserFile::read(sources.config)?;
        let topic = new.topic.clone().ok_or_else(|| {
            ServiceError::usage(
                message!("app-no-topic"),
                Wording::from(message!("app-no-topic-hint"))
                    .at_terminal(message!("app-no-topic-hint-terminal")),
            )
            .with("field", "topic")
        })?;
        let language = new.lang.unwrap_or_else(|| language_of(&topic));
        let seed = new.seed.unwrap_or_else(random_seed);
        let agents = agents_of(sources.store_source, new).await?;
        let mut models = Models::find(sources.store_source, new, &user, agents).await?;
        models.find_windows(new).await;
        let rules = new.rules()?;
        // The facilitator assembles a team for the topic when the rules say so and the request names no
        // participants.
        let assembled = rules.roster.assemble && new.seats.is_none() && new.participants.is_empty();
        let participants = match assembled {
            true => Vec::new(),
            false => participants(new, language, seed, &mut models)?,
        };
        // A simulated facilitator would put words into the mouths of real models.
        let no_models = !models.has_any()
            && !participants.is_empty()
            && participants.iter().all(|newcomer| {
                matches!(
                    newcomer.runner,
                    RunnerSpec::Process { .. } | RunnerSpec::Acp { .. } | RunnerSpec::External { .. }
                )
            });
        let by_rules = no_models && new.facilitator.model.is_none();
        let facilitator = match !new.facilitator.enabled || by_rules {
            true => None,
            false => Some(Facilitator {
                runner: models.with_fallback(
                    match &new.facilitator.model {
                        Some(model) => models.named(model, new.facilitator.parameters)?,
                        None => models.lead(new.facilitator.parameters),
                    },
                    new.facilitator.fallback.as_deref(),
                )?,
                system_prompt: new.facilitator.system_prompt.clone(),
            }),
        };
        let spec = MeetingSpec {
            topic,
            background: new.background.clone().unwrap_or_default(),
            details: MeetingDetails {
                title: new.title.clone().unwrap_or_default(),
                description: new.description.clone().unwrap_or_default(),
                display: new.display.checked().map_err(|refusal| refused(refusal, new, None))?,
            },
            language,
            format: new.format(),
            models: match rules.roster.assemble || rules.roster.newcomers || !new.offers.is_empty() {
                true => models.offers(new, language)?,
                false => Vec::new(),
            },
            tools: new.tools.clone(),
            rules,
            seed,
            facilitator,
            moderator: new.moderator.clone(),
            agenda: new.agenda.iter().map(|item| (item.title.clone(), item.description.clone())).collect(),
            participants,
        };
        check(&spec, new)?;
        let tools = tools_of(new, &user);
        let configs: Vec<&ProviderConfig> = models.providers.values().map(|found| &found.config).collect();
        for (place, grant) in spec.tools.iter().enumerate() {
            if grant.name == WEB_SEARCH {
                web_search::check(&spec, grant, &configs)
                    .map_err(|error| error.with("field", format!("tools[{place}]")))?;
                continue;
            }
            if grant.name == MEETING_FILES || !tools.contains_key(&grant.name) {
                let known: Vec<&str> = tools.keys().map(String::as_str).chain([WEB_SEARCH]).collect();
                return Err(unknown_tools(&grant.name, &known).with("field", format!("tools[{place}].name")));
            }
            check_callers(&spec, grant).map_err(|error| error.with("field", format!("tools[{place}]")))?;
        }
        first_call::check(&spec)?;
        Ok(Self {
            spec,
            simulated_for_want_of_models: models.simulated_for_want,
            choice: models.choice,
            providers: models.providers.into_values().map(|found| found.config).collect(),
            programs: models.programs,
            tools,
        })
    }

    /// Sets the speed of simulated participants, where the meeting does not set one. Without simulated
    /// participants it has no effect.
    pub fn set_pace(&mut self, pace: Option<SimulatedPace>) {
        let spec = &mut self.spec;
        let facilitator = spec.facilitator.iter().map(|facilitator| &facilitator.runner);
        let offered = spec.models.iter().map(|offer| &offer.runner);
        let seated = spec.participants.iter().map(|newcomer| &newcomer.runner);
        let simulated = seated
            .chain(facilitator)
            .chain(offered)
            .any(|runner| matches!(runner, RunnerSpec::Simulated { .. }));
        let asked = spec.rules.turns.pace.or(pace);
        spec.rules.turns.pace = asked.filter(|_| simulated);
    }
}

/// Checks that whoever is named can call tools here: agents and processes have tools of their own, and people none.
fn check_callers(spec: &MeetingSpec, grant: &ToolGrant) -> Result<(), ServiceError> {
    let named = |newcomer: &&Newcomer| grant.participants.iter().any(|name| is_same(name, &newcomer.name));
    for newcomer in spec.participants.iter().filter(named) {
        match newcomer.runner {
            RunnerSpec::Model { .. } | RunnerSpec::Simulated { .. } => {}
            RunnerSpec::Process { .. } | RunnerSpec::Acp { .. } | RunnerSpec::External { .. } => {
                let (name, label) = (&newcomer.name, newcomer.runner.label());
                let problem = message!("app-tools-own", name, %label);
                return Err(ServiceError::usage(problem, message!("app-tools-own-hint", name)));
            }
        }
    }
    Ok(())
}

/// The error for a source of tools that is not configured.
fn unknown_tools(name: &str, known: &[&str]) -> ServiceError {
    let hint = match known.is_empty() {
        true => message!("app-no-tools-hint", %name),
        false => message!("app-unknown-tools-hint", %name, known = known),
    };
    ServiceError::usage(message!("app-tools-unknown", %name), hint)
}

/// Validates the specification as the core will, so that an error can name the line of the file.
fn check(spec: &MeetingSpec, new: &CreateMeetingRequest) -> Result<(), ServiceError> {
    let draft = Meeting::blank(quorate_contract::MeetingId::new(""), quorate_contract::RunId::new(""));
    let create = quorate_contract::Command::Create { by: Actor::System, spec: Box::new(spec.clone()) };
    let Err(refusal) = quorate_core::decide(&draft, create, quorate_contract::Timestamp(0)) else {
        return Ok(());
    };
    Err(refused(as_written(refusal, new), new, Some(spec)))
}

/// The error for a refusal, with the field and its place in the file.
fn refused(refusal: Refusal, new: &CreateMeetingRequest, spec: Option<&MeetingSpec>) -> ServiceError {
    let field = match &refusal {
        Refusal::Invalid { field, .. } => Some(field.clone()),
        Refusal::NameTaken { name } => spec.and_then(|spec| second_of(spec, name)),
        _ => None,
    };
    let place = field.as_deref().and_then(|field| new.locate(field));
    let mut error = ServiceError::from(refusal);
    if let Some(field) = field {
        error = error.with("field", field);
    }
    match place {
        Some(place) => error.at(&place),
        None => error,
    }
}

/// Parts of the rules, by which the core names a rule.
const RULES: [&str; 8] =
    ["intake.", "turns.", "talk.", "context.", "decision.", "roster.", "closing.", "limits."];

/// Renames the field of a refusal to what the person wrote: the core does not know that the rules are a part
/// of their own, nor how a person names models.
fn as_written(refusal: Refusal, new: &CreateMeetingRequest) -> Refusal {
    let Refusal::Invalid { field, problem, hint } = refusal else { return refusal };
    let field = if RULES.iter().any(|part| field.starts_with(part)) {
        format!("rules.{field}")
    } else if let Some(at) = field.strip_prefix("models[").filter(|_| !new.offers.is_empty()) {
        sampled(&format!("offers[{at}"))
    } else {
        sampled(&field)
    };
    Refusal::Invalid { field, problem, hint }
}

/// Numbers of a model stand under `parameters`.
fn sampled(field: &str) -> String {
    match field.rsplit_once('.') {
        Some((of, number @ ("temperature" | "top_p" | "max_tokens"))) => format!("{of}.parameters.{number}"),
        _ => field.to_owned(),
    }
}

/// The place of the second participant with a name.
fn second_of(spec: &MeetingSpec, name: &str) -> Option<String> {
    let called = |newcomer: &quorate_contract::Newcomer| newcomer.name == name;
    let mut places = spec.participants.iter().enumerate().filter(|(_, newcomer)| called(newcomer));
    places.nth(1).map(|(place, _)| format!("participants[{place}].name"))
}

/// The language of a topic: Chinese when it contains a Chinese character, or no letter at all.
pub fn language_of(topic: &str) -> Language {
    let han =
        |c: char| matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}');
    match topic.chars().any(han) || !topic.chars().any(char::is_alphabetic) {
        true => Language::Zh,
        false => Language::En,
    }
}

fn random_seed() -> u64 {
    // Small enough to be typed in again.
    uuid::Uuid::now_v7().as_u128() as u64 % 1_000_000
}
