//! Who sits at the table, and what answers for each.

use quorate_core::{Language, ModelParameters, Newcomer, Role, RunnerSpec, Temperament};
use quorate_runners::{default_cast, default_temperaments};

use crate::entries::ParticipantEntry;
use crate::error::ServiceError;
use crate::models::Models;
use crate::new_meeting::NewMeeting;

/// How many sit down when nobody said.
const SEATS: usize = 4;

/// Who sits down: a number of roles, or whom the meeting names.
pub(crate) fn participants(
    new: &NewMeeting,
    language: Language,
    seed: u64,
    models: &mut Models,
) -> Result<Vec<Newcomer>, ServiceError> {
    let named = match new.seats {
        Some(count) => return seats(count as usize, language, seed, models),
        None if new.participants.is_empty() => return seats(SEATS, language, seed, models),
        None => new.participants.clone(),
    };
    let temperaments = default_temperaments(named.len(), seed);
    // Whoever has no role of its own gets one, so that the table looks from several sides.
    let roles =
        default_cast(language, 12, seed, |_| RunnerSpec::Simulated { temperament: Temperament::Balanced });
    let seat = |(place, entry): (usize, ParticipantEntry)| {
        if let Some(agent) = entry.agent.as_ref().and_then(|name| models.agents.get(name)) {
            let runner = models.of_agent(agent, temperaments[place])?;
            return Ok(Newcomer { runner, ..agent.newcomer() });
        }
        if entry.process.is_some()
            && let Err(error) = check_process_seat(&entry)
        {
            return Err(match new.locate(&format!("participants[{place}].process")) {
                Some(at) => error.at(&at),
                None => error,
            });
        }
        let runner = match (&entry.process, &entry.model, entry.temperament) {
            (_, _, Some(temperament)) => RunnerSpec::Simulated { temperament },
            (Some(process), _, None) if !models.simulate => models.process(process)?,
            (None, Some(model), None) if !models.simulate => models.named(model, entry.parameters)?,
            (_, _, None) => models.seat(place, entry.parameters, temperaments[place]),
        };
        let runner = models.with_fallback(runner, entry.fallback.as_deref())?;
        let role = entry.role.unwrap_or_else(|| role_at(&roles, place));
        Ok(Newcomer { name: entry.name, role, runner })
    };
    named.into_iter().enumerate().map(seat).collect()
}

/// A process answers alone, and decides itself how it samples.
fn check_process_seat(entry: &ParticipantEntry) -> Result<(), ServiceError> {
    let beside = [
        ("model", entry.model.is_some()),
        ("temperament", entry.temperament.is_some()),
        ("parameters", entry.parameters != ModelParameters::default()),
        ("fallback", entry.fallback.is_some()),
    ];
    match beside.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((field, _)) => Err(ServiceError::usage(
            format!("{:?} has a process and {field}", entry.name),
            format!("leave out one of them: a process takes no {field}"),
        )),
    }
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
            format!("{count} participants cannot be seated"),
            "choose a number from 1 to 12, or name up to 16 in a meeting file",
        )
        .with("field", "participants"));
    }
    let temperaments = default_temperaments(count, seed);
    Ok(default_cast(language, count, seed, |place| {
        models.seat(place, ModelParameters::default(), temperaments[place])
    }))
}
