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
/// The largest number behind a name that is taken.
const NUMBER_MAX: u32 = 999;
/// The longest name that has room for a number.
const NUMBERED_MAX_CHARS: usize = NAME_MAX_CHARS - " 999".len();

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
    let is_sign = |c: char| c.is_control() || matches!(c, '"' | '“' | '”' | '<' | '>' | '@' | '＠' | '`');
    let name: String = clean(wanted)
        .chars()
        .filter(|c| c.is_whitespace() || !is_sign(*c))
        .take(NUMBERED_MAX_CHARS)
        .collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    // A name that is no name by itself, such as what the meeting speaks as, is none with a number either.
    let is_name = check_name("name", &name, NameOf::Seat, []).is_ok();
    let name = if is_name { name } else { text!(m.language(), "records-guest").to_owned() };
    let others = || taken.iter().map(String::as_str).chain(names_taken(m));
    let is_free = |name: &String| check_name("name", name, NameOf::Seat, others()).is_ok();
    let numbered = (2..=NUMBER_MAX).map(|number| format!("{name} {number}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{
        EvaluationMark, Facilitator, Language, MessageId, ModelOffer, Person, SummaryPosition, Temperament,
        Timestamp,
    };

    use super::*;
    use crate::state::{Evaluation, PersonAtTable, Summary};
    use crate::tests::{round_of, says, seated, settings};

    const NOBODY: [u32; 0] = [];

    /// A table after its first round, with these marks; whoever has less than 5 may go.
    fn marked(marks: &[u8]) -> Meeting {
        let mut m = seated(marks.len() as u32);
        let said: Vec<_> = (1..=marks.len() as u32).map(|id| (id, TurnState::Said(MessageId(id)))).collect();
        m.rounds.push(round_of(1, &said));
        let mark = |(place, score): (usize, &u8)| EvaluationMark {
            participant: ParticipantId(place as u32 + 1),
            score: *score,
            reason: format!("it has {score}").into(),
        };
        let marks = marks.iter().enumerate().map(mark).collect();
        m.evaluations.push(Arc::new(Evaluation { round: 1, by: Actor::Facilitator, marks }));
        let roster = &mut settings(&mut m).rules.roster;
        (roster.leave_below, roster.min_team) = (5, 2);
        m
    }

    fn who_goes(m: &Meeting) -> Vec<u32> {
        departures(m).iter().map(|one| one.participant.0).collect()
    }

    fn leaves(m: &mut Meeting, id: u32) {
        Arc::make_mut(&mut m.seats[id as usize - 1]).present = false;
    }

    fn summed_up(m: &mut Meeting, positions: &[&[u32]]) {
        let holders = |ids: &&[u32]| ids.iter().copied().map(ParticipantId).collect();
        let positions =
            positions.iter().map(|ids| SummaryPosition { text: "so".into(), holders: holders(ids) });
        m.summaries.push(Arc::new(Summary {
            round: 1,
            seq: 1,
            text: String::new(),
            positions: positions.collect(),
            open_questions: Vec::new(),
            disagreements: Vec::new(),
            by: Actor::Facilitator,
        }));
    }

    #[test]
    fn the_weakest_below_the_mark_goes_of_two_equals_the_later_one() {
        assert_eq!(who_goes(&marked(&[4, 3, 6])), [2]);
        assert_eq!(who_goes(&marked(&[3, 3, 6])), [2]);
        assert_eq!(who_goes(&marked(&[5, 6, 7])), NOBODY, "nobody is below it");
        assert_eq!(departures(&marked(&[4, 9, 9]))[0].reason.to_string(), "it has 4");
    }

    #[test]
    fn nobody_goes_from_a_small_team_or_by_the_marks_of_another_round_or_twice() {
        assert_eq!(who_goes(&marked(&[1, 1])), NOBODY);
        let mut m = marked(&[1, 4, 9, 9]);
        leaves(&mut m, 1);
        assert_eq!(who_goes(&m), [2], "the weakest has left already");
        leaves(&mut m, 3);
        assert_eq!(who_goes(&m), NOBODY, "two are left");
        let mut m = marked(&[1, 9, 9]);
        m.rounds.push(round_of(2, &[]));
        assert_eq!(who_goes(&m), NOBODY, "the marks of the second round are not given yet");
    }

    #[test]
    fn a_minority_of_one_stays_where_others_share_a_position() {
        let mut m = marked(&[1, 2, 9]);
        summed_up(&mut m, &[&[1], &[2, 3]]);
        assert_eq!(who_goes(&m), [2]);
        summed_up(&mut m, &[&[1], &[2], &[3]]);
        assert_eq!(who_goes(&m), [1], "each has a position of its own");
    }

    #[test]
    fn a_first_team_has_the_size_of_the_rules_and_two_may_come_between_rounds() {
        let mut m = seated(0);
        settings(&mut m).rules.roster.team_size = 5;
        assert_eq!(seats_free(&m), 5);
        assert_eq!(seats_free(&seated(3)), 2);
        assert_eq!(seats_free(&seated(PARTICIPANTS_MAX as u32 - 1)), 1);
        assert_eq!(seats_free(&seated(PARTICIPANTS_MAX as u32)), 0);
    }

    #[test]
    fn marks_are_for_those_at_the_table_whose_turns_are_over_each_once() {
        let mut m = seated(4);
        let said = TurnState::Said(MessageId(1));
        m.rounds.push(round_of(
            1,
            &[(2, said), (1, TurnState::Skipped), (2, said), (3, said), (4, TurnState::Open)],
        ));
        leaves(&mut m, 3);
        assert_eq!(to_be_marked(&m), [ParticipantId(1), ParticipantId(2)]);
    }

    #[test]
    fn newcomers_get_the_offered_models_in_turn_or_a_runner_of_the_table() {
        let of = |temperament| RunnerSpec::Simulated { temperament };
        let (bold, calm) = (of(Temperament::Stubborn), of(Temperament::Agreeable));
        let agent = RunnerSpec::External { via: TurnDelivery::Person, name: "lin".into() };
        let mut m = seated(2);
        for (seat, runner) in m.seats.iter_mut().zip([agent, bold.clone()]) {
            Arc::make_mut(seat).participant.runner = runner;
        }
        assert_eq!(next_runner(&m, 0), Some(bold.clone()), "a person answers for nobody else");
        m.seats.pop();
        assert_eq!(next_runner(&m, 0), None);
        settings(&mut m).facilitator =
            Some(Facilitator { runner: calm.clone(), system_prompt: String::new() });
        assert_eq!(next_runner(&m, 0), Some(calm.clone()));
        let third = of(Temperament::Verbose);
        let offers = [("a", &bold), ("b", &calm), ("c", &third)].map(|(name, runner)| ModelOffer {
            name: name.into(),
            runner: runner.clone(),
            good_at: String::new(),
        });
        settings(&mut m).models = offers.into();
        let given: Vec<_> = (0..3).filter_map(|place| next_runner(&m, place)).collect();
        assert_eq!(given, [calm, third, bold], "the one who is there has the first");
    }

    #[test]
    fn a_name_is_kept_where_it_is_free_and_numbered_where_it_is_not() {
        let mut m = seated(1);
        Arc::make_mut(&mut m.seats[0]).participant.name = "Ben".into();
        settings(&mut m).language = Language::En;
        let free = |m: &Meeting, wanted: &str, taken: &[&str]| {
            free_name(m, wanted, &taken.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(free(&m, "Ada", &[]), "Ada");
        assert_eq!(free(&m, "Ben", &[]), "Ben 2");
        assert_eq!(free(&m, "Ben", &["Ben 2", "Ben 3"]), "Ben 4");
        assert_eq!(free(&m, " \"Ada\"  of\tOld <b>", &[]), "Ada of Old b");
        assert_eq!(free(&m, "@@", &[]), "Guest", "who has no name is a guest");
        says(&mut m, 1, Actor::Person { id: "lin".into(), name: "Lin".into() }, "Lin", "Hello.");
        assert_eq!(free(&m, "Lin", &[]), "Lin 2", "a person has spoken under this name");
        assert_eq!(free(&m, "System", &[]), "Guest", "the meeting speaks under it");
        let long = "a".repeat(200);
        assert_eq!(free(&m, &long, &[&long[..46]]), format!("{} 2", &long[..46]));
    }

    #[test]
    fn whoever_left_comes_back_under_its_own_name_and_nobody_else_has_it() {
        let agent = |name: &str| RunnerSpec::External { via: TurnDelivery::Agent, name: name.into() };
        let mut m = seated(2);
        let seat = Arc::make_mut(&mut m.seats[0]);
        (seat.participant.name, seat.participant.runner) = ("Scout".into(), agent("scout"));
        let is_taken = |m: &Meeting, runner: &RunnerSpec, name: &str| {
            names_taken_for(m, runner).any(|taken| taken == name)
        };
        assert!(is_taken(&m, &agent("scout"), "Scout"), "it is still there");
        leaves(&mut m, 1);
        assert!(!is_taken(&m, &agent("scout"), "Scout") && is_taken(&m, &agent("scout"), "p2"));
        assert!(is_taken(&m, &agent("other"), "Scout"));
        leaves(&mut m, 2);
        let simulated = m.seats[1].participant.runner.clone();
        assert!(is_taken(&m, &simulated, "p2"), "the runner of a model is no identity");
    }

    #[test]
    fn people_take_a_seat_under_the_names_by_which_others_know_them() {
        let by = |via, name: &str| RunnerSpec::External { via, name: name.into() };
        let lin = Person { id: "lin".into(), name: "Lin".into() };
        let mut m = seated(0);
        says(&mut m, 1, Actor::Person { id: "lin".into(), name: "Lin".into() }, "Lin W.", "Hello.");
        m.people.push(Arc::new(PersonAtTable { person: lin, joined_at: Timestamp(1) }));
        let taken = |runner| names_taken_for(&m, &runner).collect::<Vec<_>>();
        assert_eq!(taken(by(TurnDelivery::Person, "lin")), Vec::<&str>::new());
        assert_eq!(taken(by(TurnDelivery::Person, "zoe")), ["Lin", "Lin W."]);
        assert_eq!(taken(by(TurnDelivery::Agent, "lin")), ["Lin", "Lin W."]);
    }
}
