//! Settings of a meeting: rules, topic, agenda, announcements, access.

use quorate_contract::{
    ANNOUNCEMENT_MAX_CHARS, Actor, AgendaChange, AgendaId, AgendaItem, EventBody, MeetingDetails, Refusal,
    Rules, TOPIC_MAX_CHARS, clean, length,
};
use quorate_messages::message;

use crate::decide::transaction::Transaction;
use crate::policy::rules_change::check_changed;
use crate::policy::silence::silence_max_ms;
use crate::state::{Meeting, number_after};

/// The most items of an agenda, those that were taken off it included.
const AGENDA_MAX: usize = 200;

/// Other rules hold from the next turn on (P41).
pub(super) fn change_rules(t: &mut Transaction, by: Actor, rules: Box<Rules>) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    check_changed(&t.meeting, &rules)?;
    if *rules != *t.meeting.rules() {
        t.emit(rules_changed(rules, by));
    }
    Ok(())
}

/// The event that says that these rules hold.
pub(super) fn rules_changed(rules: Box<Rules>, by: Actor) -> EventBody {
    let silence_max_ms = Some(silence_max_ms(&rules));
    EventBody::RulesChanged { rules, by, silence_max_ms }
}

/// Changes the question, from the next turn on.
pub(super) fn change_topic(t: &mut Transaction, by: Actor, topic: &str) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let topic = clean(topic);
    length("topic", &topic, 1, TOPIC_MAX_CHARS)?;
    if topic != t.meeting.settings.topic {
        t.emit(EventBody::TopicChanged { topic, by });
    }
    Ok(())
}

/// Changes what the meeting is called, and how its times are shown.
pub(super) fn change_details(t: &mut Transaction, by: Actor, details: MeetingDetails) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let details = details.checked()?;
    if details != t.meeting.details() {
        t.emit(EventBody::DetailsChanged { details, by });
    }
    Ok(())
}

/// An item more (P34, P35).
pub(super) fn add_item(
    t: &mut Transaction,
    by: Actor,
    title: &str,
    description: &str,
) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let (title, description) = (clean(title), clean(description));
    length("agenda.title", &title, 1, TOPIC_MAX_CHARS)?;
    length("agenda.description", &description, 0, quorate_contract::ROLE_MAX_CHARS)?;
    if t.meeting.agenda_count >= AGENDA_MAX {
        return Err(Refusal::Invalid {
            field: "agenda".into(),
            problem: message!("refusal-agenda-full", max = AGENDA_MAX).into(),
            hint: message!("refusal-agenda-full-hint").into(),
        });
    }
    let id = AgendaId(number_after(t.meeting.agenda_count));
    let item = AgendaItem { id, title, description, completed: false };
    t.emit(EventBody::AgendaChanged { change: AgendaChange::Added { item }, by });
    Ok(())
}

/// An item is done, or is not after all (P36).
pub(super) fn complete_item(
    t: &mut Transaction,
    by: Actor,
    item: &str,
    completed: bool,
) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let (item, before) = find_item(&t.meeting, item).map(|item| (item.id, item.completed))?;
    let change = match completed {
        true => AgendaChange::Completed { item },
        false => AgendaChange::Reopened { item },
    };
    if before != completed {
        t.emit(EventBody::AgendaChanged { change, by });
    }
    Ok(())
}

/// An item is gone (P36).
pub(super) fn remove_item(t: &mut Transaction, by: Actor, item: &str) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let item = find_item(&t.meeting, item)?.id;
    t.emit(EventBody::AgendaChanged { change: AgendaChange::Removed { item }, by });
    Ok(())
}

fn find_item<'m>(m: &'m Meeting, id_or_title: &str) -> Result<&'m AgendaItem, Refusal> {
    let wanted = id_or_title.trim();
    let by_id = m.agenda.iter().find(|item| item.id.to_string() == wanted);
    let found = by_id.or_else(|| m.agenda.iter().find(|item| item.title == wanted));
    found.map(AsRef::as_ref).ok_or_else(|| Refusal::NoSuchAgendaItem {
        item: wanted.to_owned(),
        known: m.agenda.iter().map(|item| format!("{} {}", item.id, item.title)).collect(),
    })
}

/// Publishes an announcement to all participants; the last one holds.
pub(super) fn announce(t: &mut Transaction, by: Actor, text: &str) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let text = clean(text);
    length("announcement", &text, 1, ANNOUNCEMENT_MAX_CHARS)?;
    t.emit(EventBody::AnnouncementPublished { text, by });
    Ok(())
}

/// Records whether a password is needed. The password is stored and checked elsewhere.
pub(super) fn set_access(t: &mut Transaction, by: Actor, locked: bool) -> Result<(), Refusal> {
    if t.meeting.seq == 0 {
        return Err(Refusal::NotCreated);
    }
    if t.meeting.is_over() {
        return Err(Refusal::MeetingIsOver);
    }
    if t.meeting.locked != locked {
        t.emit(EventBody::AccessChanged { locked, by });
    }
    Ok(())
}
