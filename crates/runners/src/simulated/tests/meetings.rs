//! Complete meetings: they converge as a mixed group does, and have variety.

use quorate_contract::{Language, Temperament};

use super::table::Table;
use crate::simulated::default_temperaments;

const TOPICS: [(Language, &str); 6] = [
    (Language::Zh, "新项目的事件日志用 SQLite 还是 PostgreSQL？"),
    (Language::Zh, "我们要不要把单体拆成微服务？"),
    (Language::Zh, "如何在三个月内提高新用户留存？"),
    (Language::En, "Should we use SQLite or PostgreSQL for the journal?"),
    (Language::En, "Should we adopt a four-day week?"),
    (Language::En, "How can we reduce the risk of an outage?"),
];

/// 200 seeds over topics of all kinds and tables of three to five.
#[test]
fn a_mixed_table_disagrees_first_and_then_agrees() {
    let (mut by_three, mut disputed, mut first_ballot, mut never) = (0, 0, 0, 0);
    let mut rounds = [0u32; 9];
    for seed in 0..200u64 {
        let (language, topic) = TOPICS[seed as usize % TOPICS.len()];
        let mix = default_temperaments(3 + (seed as usize / TOPICS.len()) % 3, seed);
        let mut table = Table::new(language, topic, &mix, seed);
        let passed = table.meet(8);
        match passed {
            Some(round) => rounds[round as usize] += 1,
            None => never += 1,
        }
        by_three += u32::from(passed.is_some_and(|round| round <= 3));
        first_ballot += u32::from(passed == Some(1));
        let dissent = table.ballots.last().is_some_and(|votes| votes.iter().any(|vote| !vote.pass));
        disputed += u32::from(table.ballots.len() > 1 || dissent);
    }
    eprintln!("200 meetings: passed in round 1..8: {:?}, never {never}; disputed {disputed}", &rounds[1..]);
    assert!(by_three >= 120, "{by_three} of 200 meetings passed by round 3");
    assert!(disputed >= 160, "{disputed} of 200 meetings had a failed ballot or a dissent");
    assert!(first_ballot <= 40, "{first_ballot} of 200 meetings agreed at once");
}

#[test]
fn a_stubborn_dissenter_stays_below_and_keeps_its_position() {
    let mix = [
        Temperament::Balanced,
        Temperament::Agreeable,
        Temperament::Stubborn,
        Temperament::Balanced,
        Temperament::Balanced,
    ];
    let mut dissents = 0;
    for seed in 0..40 {
        let mut table = Table::new(Language::Zh, TOPICS[0].1, &mix, seed);
        table.blind_round();
        let first = table.participants[2].position.clone();
        for round in 1..=4 {
            table.round(round);
            table.ballot(round);
            assert_eq!(table.participants[2].position, first, "seed {seed}");
        }
        let draft = table.draft.clone().unwrap_or_default();
        let drafted = draft.lines().next().unwrap_or_default();
        if !drafted.contains(first.as_deref().unwrap_or_default()) {
            dissents += 1;
            assert!(table.ballots.iter().all(|votes| !votes[2].pass), "seed {seed}");
        }
    }
    assert!(dissents > 5, "only {dissents} of 40 tables had a dissenter to look at");
}

#[test]
fn the_draft_takes_up_what_the_votes_ask_for() {
    let mix = [Temperament::Balanced; 4];
    let mut table = Table::new(Language::Zh, TOPICS[1].1, &mix, 11);
    table.blind_round();
    table.round(1);
    let before = table.draft.clone().unwrap_or_default();
    assert!(!table.ballot(1));
    table.round(2);
    let after = table.draft.clone().unwrap_or_default();
    assert!(after.matches("\n- ").count() > before.matches("\n- ").count(), "{before}\n---\n{after}");
    let scores = |table: &Table| {
        table.ballots.last().map(|votes| votes.iter().map(|vote| u32::from(vote.score)).sum::<u32>())
    };
    let earlier = scores(&table);
    table.ballot(2);
    assert!(scores(&table) > earlier);
}

#[test]
fn a_change_of_position_names_the_point_that_caused_it() {
    let mut changes = 0;
    for seed in 0..30 {
        let mut table = Table::new(Language::Zh, TOPICS[0].1, &[Temperament::Balanced; 5], seed);
        table.blind_round();
        let before: Vec<_> =
            table.participants.iter().map(|participant| participant.position.clone()).collect();
        table.round(1);
        for (participant, before) in table.participants.iter().zip(before) {
            if participant.position != before {
                changes += 1;
                let said = table.lines.iter().rev().find(|line| line.who == participant.name);
                assert!(said.is_some_and(|line| line.text.contains("[c")));
            }
        }
    }
    assert!(changes > 10, "only {changes} changes in 30 rounds");
}

/// The draft's direction may change from round to round; it is never its own alternative.
#[test]
fn the_alternative_that_is_kept_is_never_the_direction() {
    for seed in 0..30 {
        let topic = "Should we use SQLite or PostgreSQL for the journal?";
        let mut table = Table::new(Language::En, topic, &[Temperament::Agreeable; 4], seed);
        table.blind_round();
        for round in 1..=4 {
            table.round(round);
            table.ballot(round);
            let draft = table.draft.clone().unwrap_or_default();
            let direction = draft.lines().next().unwrap_or_default();
            let kept: Vec<_> = draft
                .lines()
                .filter_map(|line| line.strip_prefix("- Keep "))
                .filter(|line| line.contains("as the alternative"))
                .collect();
            assert!(kept.len() <= 1, "{draft}");
            for option in ["SQLite", "PostgreSQL"] {
                let twice = direction.contains(option)
                    && kept.iter().any(|line| line.starts_with(&format!("“{option}")));
                assert!(!twice, "seed {seed}, round {round}:\n{draft}");
            }
        }
    }
}

/// For people: `cargo test -p quorate-runners a_meeting_to_read -- --ignored --nocapture`.
#[test]
#[ignore = "prints three meetings for people to read"]
fn a_meeting_to_read() {
    for (language, topic) in [TOPICS[0], TOPICS[2], TOPICS[4]] {
        let mut table = Table::new(language, topic, &default_temperaments(5, 42), 42);
        let passed = table.meet(8);
        eprintln!("\n===== {topic} (passed: {passed:?})");
        for line in &table.lines {
            eprintln!("\n<{}> {}", line.who, line.text);
        }
        assert!(!table.lines.is_empty());
    }
}
