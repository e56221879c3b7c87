//! Departures and newcomers between rounds.

use std::collections::BTreeSet;

use quorate_contract::{
    Actor, Departure, NAME_MAX_CHARS, NameOf, PARTICIPANTS_MAX, ParticipantId, RunnerSpec, TurnDelivery,
    check_name, clean,
};
use quorate_messages::text;

use crate::state::{Meeting, Seat, TurnState};

/// The largest number of newcomers between two rounds.
const NEWCOMERS_MAX: usize = 2;

/// The participant who has to leave after the finished round: the weakest below the mark, at most one, never
/// from a meeting that would be too small, and never the last holder of a position.
pub(crate) fn departures(m: &Meeting) -> Vec<Departure> {
    let rules = &m.rules().roster;
    let Some(evaluation) = m.evaluations.last().filter(|one| one.round == m.round_number()) else {
        return Vec::new();
    };
    if m.present().count() <= rules.min_team as usize {
        return Vec::new();
    }
    let at_table = |id: ParticipantId| m.seat(id).is_some_and(|seat| seat.present);
    let weak = evaluation.marks.iter().filter(|mark| mark.score < rules.leave_below);
    let may_go = weak.filter(|mark| at_table(mark.participant) && !is_last_holder(m, mark.participant));
    let weakest = may_go.min_by_key(|mark| (mark.score, std::cmp::Reverse(mark.participant)));
    let departure =
        weakest.map(|mark| Departure { participant: mark.participant, reason: mark.reason.clone() });
    departure.into_iter().collect()
}

/// Whether a participant is the only holder of its position, while other positions are shared.
fn is_last_holder(m: &Meeting, id: ParticipantId) -> bool {
    let own = m.positions().iter().find(|position| position.holders.contains(&id));
    let alone = own.is_some_and(|position| position.holders.len() == 1);
    // When every participant holds a position of its own, as in a brainstorm, there is no minority.
    alone && m.positions().iter().any(|position| position.holders.len() > 1)
}

/// The largest number of newcomers before the next round.
pub(crate) fn seats_free(m: &Meeting) -> usize {
    let seated = m.present().count();
    let free = PARTICIPANTS_MAX.saturating_sub(seated);
    match seated {
        0 => free.min(m.rules().roster.team_size as usize),
        _ => free.min(NEWCOMERS_MAX),
    }
}

/// The participants who had a turn in the finished round and are still present.
pub(crate) fn to_be_marked(m: &Meeting) -> Vec<ParticipantId> {
    let turns = m.round().map(|round| round.turns.as_slice()).unwrap_or_default();
    let over = turns.iter().filter(|turn| turn.state != TurnState::Open).map(|turn| turn.participant);
    let mut ids: Vec<ParticipantId> =
        over.filter(|id| m.seat(*id).is_some_and(|seat| seat.present)).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// The runner of a newcomer without a chosen model: the offers in turn, or a runner of other participants.
pub(crate) fn next_runner(m: &Meeting, place: usize) -> Option<RunnerSpec> {
    let offers = &m.settings.models;
    if !offers.is_empty() {
        return offers.get((m.seats.len() + place) % offers.len()).map(|offer| offer.runner.clone());
    }
    // Nobody outside of this program answers for another participant.
    let is_own = |runner: &&RunnerSpec| !matches!(runner, RunnerSpec::External { .. });
    let seated = m.seats.iter().map(|seat| &seat.participant.runner).find(is_own);
    seated.or(m.settings.facilitator.as_ref().map(|facilitator| &facilitator.runner)).cloned()
}

/// A valid name that is new to the meeting, as near as possible to the wanted one.
pub(crate) fn free_name(m: &Meeting, wanted: &str, taken: &[String]) -> String {
    let fits = |c: &char| !c.is_control() && !matches!(c, '"' | '“' | '”' | '<' | '>' | '@' | '＠' | '`');
    let name: String = clean(wanted).chars().filter(fits).take(NAME_MAX_CHARS - 4).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = if name.is_empty() { text!(m.language(), "records-guest").to_owned() } else { name };
    let others = || taken.iter().map(String::as_str).chain(names_taken(m));
    let is_free = |name: &str| check_name("name", name, NameOf::Seat, others()).is_ok();
    let numbered = (2..).map(|number| format!("{name} {number}"));
    // A name that is no name by itself, such as what the meeting speaks as, is none with a number either.
    let first = std::iter::once(name.clone()).chain(numbered).take(2 + taken.len() + m.seats.len());
    let plain = text!(m.language(), "records-guest");
    let further = std::iter::once(plain.to_owned()).chain((2..).map(|number| format!("{plain} {number}")));
    first.chain(further.take(m.said.len() + 100)).find(|name| is_free(name)).unwrap_or(name)
}

/// The names of all who have had a seat, and of the people who spoke or are at the table.
pub(crate) fn names_taken(m: &Meeting) -> impl Iterator<Item = &str> {
    taken(m, |_| false, |_| false)
}

/// The names that are taken for who answers by this runner: a person may take a seat under the name by which others know
/// them, and whoever left may come back under its own.
pub(crate) fn names_taken_for<'m>(
    m: &'m Meeting,
    runner: &RunnerSpec,
) -> impl Iterator<Item = &'m str> + use<'m> {
    let is_own = move |person: &str| match runner {
        RunnerSpec::External { via: TurnDelivery::Person, name } => name == person,
        _ => false,
    };
    let comes_back = matches!(runner, RunnerSpec::External { .. });
    taken(m, |seat| comes_back && !seat.present && seat.participant.runner == *runner, is_own)
}

fn taken(
    m: &Meeting,
    own_seat: impl Fn(&Seat) -> bool,
    is_own: impl Fn(&str) -> bool,
) -> std::collections::btree_set::IntoIter<&str> {
    let seats = m.seats.iter().filter(|seat| !own_seat(seat)).map(|seat| seat.participant.name.as_str());
    let spoke = m.said.iter().filter_map(|said| match &said.speaker {
        Actor::Person { id, .. } if !is_own(id) => Some(said.name.as_str()),
        _ => None,
    });
    let here = m.people_present().filter(|person| !is_own(&person.id)).map(|person| person.name.as_str());
    let names: BTreeSet<&str> = seats.chain(spoke).chain(here).collect();
    names.into_iter()
}
