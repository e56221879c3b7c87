//! Properties of every verdict.

use proptest::prelude::*;
use proptest::test_runner::Config;
use quorate_contract::Language;
use quorate_views::*;

use crate::stage::{Stage, Word};

const NAMES: [&str; 6] = ["Ada", "Ben", "Cid", "Dee", "Eve", "Fay"];
const POSITIONS: [&str; 3] = ["One file is enough", "Take a server", "Pilot both, measure"];

/// A participant's action in a round: the position, whether with a fact, and whether a claim moved it.
type Turn = (usize, bool, bool);

#[derive(Debug, Clone)]
struct Script {
    seats: usize,
    families: usize,
    order: Vec<usize>,
    rounds: Vec<Vec<Turn>>,
    votes: Option<Vec<u8>>,
}

fn script(facts: bool) -> impl Strategy<Value = Script> {
    (2usize..=6, 1usize..=6).prop_flat_map(move |(seats, families)| {
        let turn = (0..POSITIONS.len(), any::<bool>(), any::<bool>());
        let turn = turn.prop_map(move |(position, fact, moved)| (position, fact && facts, moved && facts));
        let round = prop::collection::vec(turn, seats);
        let order = Just((0..seats).collect::<Vec<_>>()).prop_shuffle();
        let votes = prop::option::of(prop::collection::vec(30u8..100, seats));
        (order, prop::collection::vec(round, 1..4), votes).prop_map(move |(order, rounds, votes)| Script {
            seats,
            families,
            order,
            rounds,
            votes,
        })
    })
}

fn played(script: &Script, order: &[usize]) -> Stage {
    let families: Vec<String> =
        (0..script.seats).map(|who| format!("family {}", who % script.families)).collect();
    let families: Vec<&str> = families.iter().map(String::as_str).collect();
    let mut stage = Stage::seated(&NAMES[..script.seats], &families, order);
    let mut held: Vec<Option<usize>> = vec![None; script.seats];
    let mut claims = 0;
    for round in &script.rounds {
        let mut words = Vec::new();
        for (who, (position, fact, by_claim)) in round.iter().enumerate() {
            let moved = held[who].is_some_and(|before| before != *position);
            let by = (moved && *by_claim && claims > 0).then_some(claims);
            claims += u32::from(*fact);
            held[who] = Some(*position);
            let fact = fact.then_some("there is one writer");
            words.push((who, Word { position: POSITIONS[*position], fact, moved, by, ..Word::default() }));
        }
        stage.round(&words);
    }
    if let Some(votes) = &script.votes {
        stage.votes(&votes.iter().copied().enumerate().collect::<Vec<_>>());
    }
    stage
}

/// A verdict without the ids of participants.
fn verdict(stage: &Stage) -> (HealthGrade, Vec<(Measure, f64, Vec<u64>)>) {
    let HealthVerdict { standing, because, .. } = stage.health().verdict;
    (standing, because.into_iter().map(|finding| (finding.rule, finding.value, finding.seqs)).collect())
}

proptest! {
    #![proptest_config(Config { cases: 256, ..Config::default() })]

    /// The order of the seats does not change the verdict.
    #[test]
    fn the_order_of_the_seats_changes_no_verdict(script in script(true)) {
        let usual: Vec<usize> = (0..script.seats).collect();
        prop_assert_eq!(verdict(&played(&script, &usual)), verdict(&played(&script, &script.order)));
    }

    #[test]
    fn an_agreement_that_rests_on_nothing_new_is_never_robust(script in script(false)) {
        prop_assert_ne!(played(&script, &script.order).standing(), HealthGrade::Robust);
    }

    #[test]
    fn where_somebody_objects_nothing_is_robust(script in script(true)) {
        let health = played(&script, &script.order).health();
        if health.dissent.blocking > 0 {
            let standing = health.verdict.standing;
            prop_assert!(matches!(standing, HealthGrade::Contested | HealthGrade::Suspicious | HealthGrade::Open));
        }
    }

    /// Every number can be traced to its events, and every participant is counted once.
    #[test]
    fn what_is_counted_is_there(script in script(true)) {
        let stage = played(&script, &script.order);
        let health = stage.health();
        for finding in health.verdict.because.iter().chain(&health.alarms) {
            prop_assert!(finding.value.is_finite() && finding.threshold.is_finite());
            prop_assert!(finding.seqs.iter().all(|seq| (1..=stage.m.seq).contains(seq)));
            for language in Language::ALL {
                let text = finding.text.text(language);
                prop_assert!(!text.is_empty() && !text.contains(finding.text.id()), "{}", text);
            }
        }
        let now: usize = health.positions.iter().map(|position| position.now.count).sum();
        let blind: usize = health.positions.iter().map(|position| position.blind.count).sum();
        prop_assert_eq!((now, blind), (script.seats, script.seats));
    }
}
