//! People come to the table and leave it, and hand over as host.

use quorate_contract::{Actor, EventBody, PEOPLE_MAX, Person, Phrase, Refusal, is_same, shorten};

use crate::decide::seats;
use crate::decide::transaction::Transaction;
use crate::state::Meeting;

/// The longest name of a person at the table, in characters.
const NAME_MAX_CHARS: usize = 100;

/// A person comes to the table. Who is there stays.
pub(super) fn arrive(t: &mut Transaction, by: &Actor) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    be_present(t, by)
}

/// Sees to it that a person is at the table before they do something there.
pub(super) fn be_present(t: &mut Transaction, by: &Actor) -> Result<(), Refusal> {
    let Some(person) = by.as_person().filter(|person| t.meeting.person(&person.id).is_none()) else {
        return Ok(());
    };
    if t.meeting.people.len() >= PEOPLE_MAX {
        return Err(Refusal::TooManyPeople { most: PEOPLE_MAX });
    }
    let name = name_at_table(&t.meeting, &person);
    t.emit(EventBody::PersonJoined { person: Person { name, ..person } });
    Ok(())
}

/// The name of a person at the table: the one under which they spoke before, or else their display name, with a number
/// where another person has it.
fn name_at_table(m: &Meeting, person: &Person) -> String {
    let own = shorten(m.display_name(&person.id, &person.name), NAME_MAX_CHARS);
    let numbered = |number: usize| format!("{own} {number}");
    let mut others: Vec<&str> = m.people_present().map(|other| other.name.as_str()).collect();
    for said in m.said.iter().rev() {
        match &said.speaker {
            // Who comes back is known by the name under which they spoke.
            Actor::Person { id, .. } if *id == person.id => {
                let rest = said.name.strip_prefix(own.as_str()).map(str::trim_start);
                let is_own = rest.is_some_and(|rest| rest.is_empty() || rest.parse::<usize>().is_ok());
                if is_own && !m.people_present().any(|other| is_same(&other.name, &said.name)) {
                    return said.name.clone();
                }
            }
            Actor::Person { .. } => others.push(&said.name),
            Actor::Participant { .. } | Actor::Facilitator | Actor::System => {}
        }
    }
    let is_free = |name: &String| !others.iter().any(|other| is_same(other, name));
    std::iter::once(own.clone()).chain((2..).map(numbered)).find(is_free).unwrap_or_else(|| own.clone())
}

/// A person leaves the table, or is sent away; one who is not there has left already. A guest gives up their seat with it,
/// who could not come back to it.
pub(super) fn depart(t: &mut Transaction, by: Actor, person: &str) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let Some(person) = t.meeting.person(person).cloned() else { return Ok(()) };
    let seat = t.meeting.seat_of_person(&person.id).filter(|_| person.is_guest());
    if let Some(id) = seat.map(|seat| seat.participant.id) {
        seats::depart(t, id, by.clone(), Phrase::default());
    }
    t.emit(EventBody::PersonLeft { person, by });
    Ok(())
}

/// Hands the host's part over to a person at the table. The host does; in the place of one who is absent, and of a
/// participant, also whoever manages the meeting.
pub(super) fn hand_over(t: &mut Transaction, by: Actor, to: &str, manages: bool) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let m = &t.meeting;
    let is_absent = !m.is_host_present() || m.host().is_some();
    if !(m.is_host(&by) || (manages && is_absent)) {
        return Err(Refusal::NotTheHost { host: m.host_name().unwrap_or_default() });
    }
    let Some(host) = m.person(to).cloned() else {
        let present = m.people_present().map(|person| format!("{} ({})", person.name, person.id)).collect();
        return Err(Refusal::NoSuchPerson { person: to.to_owned(), present });
    };
    if m.host().is_none() && m.host_person.as_ref().is_some_and(|before| before.id == host.id) {
        return Ok(());
    }
    t.emit(EventBody::HostChanged { host, by });
    Ok(())
}
