//! The participants of a new meeting and their runners.

use quorate_contract::{Language, ModelParameters, Newcomer, Role, RunnerSpec, Temperament, TurnDelivery};
use quorate_core::Meeting;
use quorate_messages::message;
use quorate_runners::{default_cast, default_temperaments, example_cast};

use crate::error::ServiceError;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::entries::ParticipantEntry;
use crate::meeting_file::user_file::UserFile;
use crate::planning::models::{Models, PROCESS};
use crate::providers::sources::Sources;
use crate::providers::stored::agents_of;

/// The default number of participants.
const SEATS: usize = 4;

/// The participants: a number of generated roles, or those that the request names.
pub(crate) fn participants(
    new: &CreateMeetingRequest,
    language: Language,
    seed: u64,
    models: &mut Models,
) -> Result<Vec<Newcomer>, ServiceError> {
    let named = match new.seats {
        Some(count) => return seats(count as usize, language, seed, models),
        None if new.participants.is_empty() => {
            return match example(new, language, seed, models) {
                Some(cast) => Ok(cast),
                None => seats(SEATS, language, seed, models),
            };
        }
        None => new.participants.clone(),
    };
    let temperaments = default_temperaments(named.len(), seed);
    let roles = roles(language, seed);
    let seat = |(place, entry): (usize, ParticipantEntry)| {
        if let Err(error) = check_process_seat(&entry) {
            return Err(match new.locate(&format!("participants[{place}].process")) {
                Some(at) => error.at(&at),
                None => error,
            });
        }
        let leads = new.moderator.as_ref() == Some(&entry.name) && !entry.says_who_answers();
        let parameters = entry.parameters;
        let mut newcomer = sit_down(entry, place, role_at(&roles, place), temperaments[place], models)?;
        if leads && models.choice.is_some() {
            newcomer.runner = models.lead(parameters);
        }
        Ok(newcomer)
    };
    named.into_iter().enumerate().map(seat).collect()
}

/// Makes one participant, with a generated role and temperament where the request gives none.
fn sit_down(
    entry: ParticipantEntry,
    place: usize,
    role: Role,
    temperament: Temperament,
    models: &Models,
) -> Result<Newcomer, ServiceError> {
    if let Some(agent) = entry.agent.as_ref().and_then(|name| models.agents.get(name)) {
        let runner = models.of_agent(agent, temperament)?;
        return Ok(Newcomer { runner, ..agent.newcomer() });
    }
    let external = entry.model.as_deref().and_then(|model| models.external(model));
    let runner = match (&entry.process, &entry.model, entry.temperament) {
        (_, _, Some(temperament)) => RunnerSpec::Simulated { temperament },
        (Some(process), _, None) if !models.simulate => models.process(process)?,
        (None, Some(model), None) if !models.simulate => models.named(model, entry.parameters)?,
        (_, _, None) => external.unwrap_or_else(|| models.seat(place, entry.parameters, temperament)),
    };
    let runner = models.with_fallback(runner, entry.fallback.as_deref())?;
    let registered = match &runner {
        RunnerSpec::External { via: TurnDelivery::Agent, name } => models.agents.get(name),
        _ => None,
    };
    let role = registered.map_or(role, |agent| agent.role.clone());
    let skip_list = match registered {
        Some(agent) if entry.skip_list.is_empty() => agent.skip_list.clone(),
        Some(_) | None => entry.skip_list,
    };
    Ok(Newcomer { name: entry.name, role: entry.role.unwrap_or(role), runner, skip_list })
}

/// A participant who joins an existing meeting. Without a model of its own it uses those of the other
/// participants in turn, or the simulation.
pub(crate) async fn newcomer(
    sources: &Sources<'_>,
    entry: ParticipantEntry,
    meeting: &Meeting,
) -> Result<Newcomer, ServiceError> {
    let mut new = CreateMeetingRequest { models: models_at(meeting), ..CreateMeetingRequest::default() };
    new.simulate = Some(new.models.is_empty() && entry.model.is_none() && entry.agent.is_none());
    new.participants.push(entry.clone());
    new.check_remote()?;
    let user = UserFile::read(sources.config)?;
    let agents = agents_of(sources.store_source, &new).await?;
    let models = Models::find(sources.store_source, &new, &user, agents).await?;
    let (place, seed) = (meeting.seats.len(), meeting.settings.seed);
    let temperament = default_temperaments(place + 1, seed)[place];
    sit_down(entry, place, role_at(&roles(meeting.language(), seed), place), temperament, &models)
}

/// The models and programs that answer for those who are present, each once.
fn models_at(meeting: &Meeting) -> Vec<String> {
    let mut models = Vec::new();
    for seat in meeting.present() {
        let named = match &seat.participant.runner {
            RunnerSpec::Model { provider, model, .. } => format!("{provider}/{model}"),
            RunnerSpec::Process { name } => format!("{PROCESS}/{name}"),
            RunnerSpec::Acp { .. } => seat.participant.runner.label(),
            // Whom a newcomer asks is never an agent or a person of its own.
            RunnerSpec::Simulated { .. } | RunnerSpec::External { .. } => continue,
        };
        if !models.contains(&named) {
            models.push(named);
        }
    }
    models
}

/// Roles for participants without one, so that the meeting sees several sides.
fn roles(language: Language, seed: u64) -> Vec<Newcomer> {
    default_cast(language, 12, seed, |_| RunnerSpec::Simulated { temperament: Temperament::Balanced })
}

/// A process answers alone, and decides itself how it samples.
fn check_process_seat(entry: &ParticipantEntry) -> Result<(), ServiceError> {
    let beside = [
        ("model", entry.model.is_some()),
        ("temperament", entry.temperament.is_some()),
        ("parameters", entry.parameters != ModelParameters::default()),
        ("fallback", entry.fallback.is_some()),
    ];
    match beside.iter().find(|(_, given)| *given).filter(|_| entry.process.is_some()) {
        None => Ok(()),
        Some((field, _)) => Err(ServiceError::usage(
            message!("app-process-and-field", name = %entry.name, %field),
            message!("app-process-and-field-hint", %field),
        )),
    }
}

/// The cast of an example topic that is simulated: it plays the script that is written for it. A request with a seed asks
/// for the participants that the seed gives.
fn example(
    new: &CreateMeetingRequest,
    language: Language,
    seed: u64,
    models: &Models,
) -> Option<Vec<Newcomer>> {
    if new.seed.is_some() {
        return None;
    }
    let temperaments = default_temperaments(SEATS, seed);
    let runner = |place: usize| models.seat(place, ModelParameters::default(), temperaments[place % SEATS]);
    let cast = example_cast(new.topic.as_deref()?, new.format(), language, runner)?;
    cast.iter().all(|one| matches!(one.runner, RunnerSpec::Simulated { .. })).then_some(cast)
}

fn role_at(roles: &[Newcomer], place: usize) -> Role {
    roles[place % roles.len()].role.clone()
}

fn seats(
    count: usize,
    language: Language,
    seed: u64,
    models: &Models,
) -> Result<Vec<Newcomer>, ServiceError> {
    if !(1..=12).contains(&count) {
        return Err(ServiceError::usage(
            message!("app-seats-count", %count),
            message!("app-seats-count-hint"),
        )
        .with("field", "seats"));
    }
    let temperaments = default_temperaments(count, seed);
    Ok(default_cast(language, count, seed, |place| {
        models.seat(place, ModelParameters::default(), temperaments[place])
    }))
}
