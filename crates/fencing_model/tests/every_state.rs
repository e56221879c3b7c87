//! Every state of the model is looked at: with all fences nothing goes wrong, and each fault that is planted is found.

use quorate_fencing_model::{Action, Protocol, State};
use stateright::{Checker, Model, Property};

/// The model, as the checker asks for it.
#[derive(Clone)]
struct Nodes(Protocol);

const BY_OWNERS: &str = "whoever appends owns the meeting";
const DENSE: &str = "no number is there twice, and none is missing";
const KEPT: &str = "what was acknowledged is stored";
const NOT_EARLY: &str = "nobody is deposed whose lease lasts";
const RECOVERS: &str = "each meeting can be owned and moved on again";
const ZOMBIE: &str = "a process goes on with a meeting that another one has";
const LOST_ANSWER: &str = "an append succeeds, and its process does not know";
const ALL_EVENTS: &str = "all events are appended";
const BACK: &str = "a meeting changes hands";

impl Model for Nodes {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::new(&self.0)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        state.actions(&self.0, actions);
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        Some(state.after(&self.0, action))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(BY_OWNERS, |_, state: &State| !state.was_appended_by_stranger),
            Property::always(DENSE, |_, state: &State| state.is_dense()),
            Property::always(KEPT, |_, state: &State| state.keeps_promises()),
            Property::always(NOT_EARLY, |_, state: &State| !state.was_deposed_early),
            Property::always(RECOVERS, |model: &Self, state: &State| state.recovers(&model.0)),
            Property::sometimes(ZOMBIE, |_, state: &State| state.has_zombie()),
            Property::sometimes(LOST_ANSWER, |_, state: &State| state.has_lost_answer()),
            Property::sometimes(ALL_EVENTS, |model: &Self, state: &State| {
                state.logs.iter().map(Vec::len).sum::<usize>() == model.0.events
            }),
            Property::sometimes(BACK, |_, state: &State| state.meetings.iter().any(|row| row.epoch > 1)),
        ]
    }
}

/// The properties that do not hold, the possibilities that never come about, and the number of states.
fn wrong(protocol: Protocol) -> (Vec<&'static str>, usize) {
    let checker = Nodes(protocol).checker().symmetry_fn(State::canonical).threads(2).spawn_dfs().join();
    let found = checker.discoveries();
    let wrong = |property: &Property<Nodes>| {
        found.contains_key(property.name) == property.expectation.discovery_is_failure()
    };
    let properties = Nodes(protocol).properties();
    let wrong: Vec<_> = properties.iter().filter(|one| wrong(one)).map(|one| one.name).collect();
    (wrong, checker.unique_state_count())
}

/// A smaller world, in which the faults are found at once.
const SMALL: Protocol = Protocol { meetings: 1, events: 3, epochs: 3, ..Protocol::WHOLE };

#[test]
fn with_all_fences_nothing_goes_wrong() {
    let (wrong, states) = wrong(Protocol::WHOLE);
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(states > 2_000_000, "only {states} states");
}

#[test]
fn nor_when_nodes_die_twice_and_a_meeting_changes_hands_four_times() {
    let (wrong, states) = wrong(Protocol { incarnations: 3, epochs: 4, deaths: 2, events: 4, ..SMALL });
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(states > 500_000, "only {states} states");
}

#[test]
fn self_fencing_takes_nothing_away_and_is_not_needed() {
    for self_fencing in [false, true] {
        let (wrong, _) = wrong(Protocol { self_fencing, ..SMALL });
        assert!(wrong.is_empty(), "{self_fencing}: {wrong:?}");
    }
}

/// What is found when fences are taken away. Where nothing is, another fence does the same.
#[test]
fn what_each_fence_is_for() {
    let table: [(&str, Protocol, &[&str]); 10] = [
        ("neither owner nor epoch", Protocol { owner: false, epoch: false, ..SMALL }, &[BY_OWNERS]),
        ("no owner", Protocol { owner: false, ..SMALL }, &[]),
        ("no epoch", Protocol { epoch: false, ..SMALL }, &[BY_OWNERS]),
        (
            "neither the expected number nor the unique one",
            Protocol { expected_seq: false, unique_seq: false, ..SMALL },
            &[DENSE],
        ),
        ("no expected number", Protocol { expected_seq: false, ..SMALL }, &[]),
        ("no unique number", Protocol { unique_seq: false, ..SMALL }, &[]),
        ("no lock from the check to the commit", Protocol { row_lock: false, ..SMALL }, &[BY_OWNERS]),
        ("leases by the clock of whoever claims", Protocol { database_clock: false, ..SMALL }, &[NOT_EARLY]),
        ("the same token after the lease has passed", Protocol { new_token: false, ..SMALL }, &[]),
        (
            "leases and self-fencing alone",
            Protocol {
                owner: false,
                epoch: false,
                expected_seq: false,
                unique_seq: false,
                self_fencing: true,
                ..SMALL
            },
            &[BY_OWNERS, DENSE],
        ),
    ];
    let found = table.map(|(what, protocol, _)| (what, wrong(protocol).0));
    let expected = table.map(|(what, _, expected)| (what, expected.to_vec()));
    assert_eq!(found, expected);
}
