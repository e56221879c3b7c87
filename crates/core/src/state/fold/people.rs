//! The fold of people who come and go, and of who hosts.

use std::sync::Arc;

use quorate_contract::{Actor, Moderator, Person, Timestamp};

use crate::state::{Meeting, PersonAtTable};

pub(super) fn joined(m: &mut Meeting, at: Timestamp, person: &Person) {
    left(m, &person.id);
    m.people.push(Arc::new(PersonAtTable { person: person.clone(), joined_at: at }));
}

pub(super) fn left(m: &mut Meeting, id: &str) {
    m.people.retain(|one| one.person.id != id);
}

/// Who made the meeting, forked or imported it hosts it.
pub(super) fn made_by(m: &mut Meeting, by: &Actor) {
    m.host_person = by.as_person();
}

/// A person hosts, also in the place of a participant.
pub(super) fn host_changed(m: &mut Meeting, host: &Person) {
    m.host_person = Some(host.clone());
    if m.settings.moderator != Moderator::User {
        Arc::make_mut(&mut m.settings).moderator = Moderator::User;
    }
}
