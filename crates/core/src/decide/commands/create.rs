//! A meeting comes to be, and begins.

use quorate_contract::{
    Actor, EventBody, Founding, Moderator, Newcomer, ParticipantId, Refusal, check, clean,
};

use crate::decide::seats;
use crate::decide::transaction::Transaction;
use crate::state::{Phase, number_after};

pub(super) fn create(t: &mut Transaction, by: Actor, mut founding: Founding) -> Result<(), Refusal> {
    if t.meeting.phase != Phase::Blank {
        return Err(Refusal::AlreadyCreated);
    }
    founding.topic = clean(&founding.topic);
    founding.background = clean(&founding.background);
    check(&founding)?;
    let moderator = moderator(&founding);
    let Founding { topic, background, language, format, rules, seed, facilitator, .. } = founding;
    t.emit(EventBody::MeetingCreated {
        topic,
        background,
        language,
        format,
        rules: Box::new(rules),
        seed,
        facilitator,
        moderator,
        models: founding.models,
        by: by.clone(),
    });
    for newcomer in founding.participants {
        seats::seat(t, newcomer, by.clone(), String::new(), None);
    }
    for (place, (title, description)) in founding.agenda.into_iter().enumerate() {
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
fn moderator(founding: &Founding) -> Moderator {
    let named = |newcomer: &Newcomer| Some(&newcomer.name) == founding.moderator.as_ref();
    match founding.participants.iter().position(named) {
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
    t.emit(EventBody::MeetingStarted { by });
    Ok(())
}
