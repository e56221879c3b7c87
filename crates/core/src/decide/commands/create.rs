//! Creation and start of a meeting.

use quorate_contract::{
    Actor, EventBody, MeetingSpec, Moderator, Newcomer, ParticipantId, Phrase, Refusal, check, clean,
};

use super::tools;
use crate::decide::seats;
use crate::decide::transaction::Transaction;
use crate::policy::silence::silence_max_ms;
use crate::state::{Phase, number_after};

pub(super) fn create(t: &mut Transaction, by: Actor, mut spec: MeetingSpec) -> Result<(), Refusal> {
    if t.meeting.phase != Phase::Blank {
        return Err(Refusal::AlreadyCreated);
    }
    spec.topic = clean(&spec.topic);
    spec.background = clean(&spec.background);
    spec.details = spec.details.checked()?;
    check(&spec)?;
    let tools = tools::granted(&spec)?;
    let moderator = moderator(&spec);
    let MeetingSpec { topic, background, details, language, format, rules, seed, facilitator, .. } = spec;
    t.emit(EventBody::MeetingCreated {
        topic,
        background,
        details,
        language,
        format,
        rules: Box::new(rules),
        seed,
        facilitator,
        moderator,
        models: spec.models,
        by: by.clone(),
    });
    for newcomer in spec.participants {
        seats::seat(t, newcomer, by.clone(), Phrase::default(), None);
    }
    if !tools.is_empty() {
        t.emit(EventBody::ToolsAllowed { tools, by: by.clone() });
    }
    for (place, (title, description)) in spec.agenda.into_iter().enumerate() {
        super::settings::add_item(t, by.clone(), &title, &description)
            .map_err(|refusal| of_item(refusal, place))?;
    }
    Ok(())
}

/// A refusal of one of several items says which one.
fn of_item(refusal: Refusal, place: usize) -> Refusal {
    match refusal {
        Refusal::Invalid { field, problem, hint } => {
            let field = match field.strip_prefix("agenda.") {
                Some(part) => format!("agenda[{place}].{part}"),
                None => field,
            };
            Refusal::Invalid { field, problem, hint }
        }
        other => other,
    }
}

/// Places are numbered in the order of the list, so that the moderator's is known beforehand.
fn moderator(spec: &MeetingSpec) -> Moderator {
    let named = |newcomer: &Newcomer| Some(&newcomer.name) == spec.moderator.as_ref();
    match spec.participants.iter().position(named) {
        Some(place) => Moderator::Agent { id: ParticipantId(number_after(place)) },
        None => Moderator::User,
    }
}

pub(super) fn start(t: &mut Transaction, by: Actor) -> Result<(), Refusal> {
    match t.meeting.phase {
        Phase::Blank => return Err(Refusal::NotCreated),
        Phase::Draft => {}
        Phase::Ended { .. } | Phase::Closing { .. } => return Err(Refusal::MeetingIsOver),
        Phase::Preparation | Phase::Discussion | Phase::Summary => return Err(Refusal::AlreadyStarted),
        Phase::Ballot | Phase::Facilitation => return Err(Refusal::AlreadyStarted),
    }
    let silence_max_ms = Some(silence_max_ms(t.meeting.rules()));
    t.emit(EventBody::MeetingStarted { by, silence_max_ms });
    Ok(())
}
