//! Properties of every what-if.

use proptest::prelude::*;
use proptest::test_runner::Config;
use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;

use super::{threshold, voted};
use crate::support::any;
use crate::support::*;

/// A meeting with random votes, under rules that some ballots pass.
fn any_voted() -> impl Strategy<Value = Transaction> {
    let vote = prop::option::weighted(0.85, prop_oneof![0u8..=100, 60u8..=95]);
    let ballots = prop::collection::vec(prop::collection::vec(vote, 5), 1..5);
    let quorum = prop_oneof![0.0f64..=1.0, Just(0.5)];
    let clauses = (prop::option::weighted(0.7, 50u8..=85), prop::option::weighted(0.3, 0.2f64..=0.9), quorum);
    (2usize..=5, 1u32..=4, clauses, ballots).prop_map(|(count, rounds, clauses, ballots)| {
        let (mean_score, pass_ratio, quorum) = clauses;
        // A quorum alone is refused.
        let mean_score = mean_score.or(pass_ratio.is_none().then_some(65));
        let mut rules = consensus(rounds);
        rules.decision = DecisionRules { mean_score, pass_ratio, quorum, ..rules.decision };
        let ballots: Vec<&[Option<u8>]> = ballots.iter().map(Vec::as_slice).collect();
        voted(&["Ada", "Ben", "Cid", "Dan", "Eve"][..count], rules, &ballots)
    })
}

/// Meetings with ballots, and any others.
fn any_meeting() -> impl Strategy<Value = Transaction> {
    prop_oneof![3 => any_voted(), 1 => any_played()]
}

/// A meeting in which the participants answer in these manners, one after the other.
fn any_played() -> impl Strategy<Value = Transaction> {
    let manners = prop::collection::vec(any_manner(), 1..12);
    (any::sound_founding(), manners).prop_map(|(spec, manners)| {
        let mut table = Transaction::started(spec);
        for step in 0..400 {
            let Some(call) = table.calls().into_iter().next() else { break };
            let outcome = manners[step % manners.len()].outcome(&table.meeting, &call);
            let command = interpret(&table.meeting, &call, outcome);
            table.execute(command);
        }
        table
    })
}

fn any_change() -> impl Strategy<Value = WhatIf> {
    let mode = prop::option::weighted(0.3, prop::sample::select(DecisionMode::ALL.to_vec()));
    let share = || prop::option::weighted(0.2, 0.0f64..=1.0);
    let points = || prop::option::weighted(0.3, 0u8..=100);
    let without = prop::collection::vec((1u32..=7).prop_map(ParticipantId), 0..3);
    (points(), share(), points(), share(), mode, without).prop_map(
        |(mean_score, pass_ratio, min_score, quorum, mode, without)| WhatIf {
            mean_score,
            pass_ratio,
            min_score,
            quorum,
            mode,
            without,
        },
    )
}

/// A change that only leaves out those who are there.
fn at(table: &Transaction, change: WhatIf) -> WhatIf {
    let without = change.without.iter().copied().filter(|id| table.meeting.seat(*id).is_some()).collect();
    WhatIf { without, ..change }
}

proptest! {
    #![proptest_config(Config { cases: 192, failure_persistence: None, ..Config::default() })]

    #[test]
    fn without_a_change_every_verdict_of_the_log_comes_out_byte_for_byte(table in any_meeting()) {
        let report = match what_if(&table.meeting, &WhatIf::default()) {
            Ok(report) => report,
            Err(refusal) => {
                prop_assert!(table.meeting.last_counted_ballot().is_none(), "{}", refusal);
                return Ok(());
            }
        };
        let logged = table.log.iter().filter_map(|event| match &event.body {
            EventBody::BallotClosed { verdict, .. } => serde_json::to_string(verdict).ok(),
            _ => None,
        });
        let judged = report.ballots.iter().filter_map(|ballot| ballot.after.as_ref());
        let judged = judged.filter_map(|verdict| serde_json::to_string(verdict).ok());
        prop_assert_eq!(judged.collect::<Vec<_>>(), logged.collect::<Vec<_>>());
        prop_assert_eq!(&report.course, &WhatIfCourse::Same);
        prop_assert!(report.ballots.iter().all(|ballot| !ballot.turns));

        // What it tells of thresholds is what comes out when one is tried.
        let sensitivity = report.sensitivity.expect("nothing was changed");
        let mut tried = 0;
        for stretch in &sensitivity.thresholds {
            prop_assert_eq!(stretch.from, tried);
            for needed in [stretch.from, stretch.to] {
                let course = what_if(&table.meeting, &threshold(needed)).expect("it was judged before").course;
                prop_assert_eq!(course == WhatIfCourse::Same, stretch.stays, "with {}: {:?}", needed, course);
            }
            tried = stretch.to + 1;
        }
        prop_assert_eq!(tried, 101, "every threshold is told of once");
        for pivot in &sensitivity.participants {
            let alone = WhatIf { without: vec![pivot.participant], ..WhatIf::default() };
            let course = what_if(&table.meeting, &alone).expect("it was judged before").course;
            prop_assert_eq!(&pivot.course, &course);
        }
    }

    #[test]
    fn a_higher_threshold_never_makes_a_failing_ballot_pass(
        table in any_meeting(), change in any_change(), low in 0u8..=100, more in 0u8..=100,
    ) {
        let with = |needed| {
            let change = WhatIf { mean_score: Some(needed), ..at(&table, change.clone()) };
            what_if(&table.meeting, &change)
        };
        let (Ok(low), Ok(high)) = (with(low), with(low.saturating_add(more).min(100))) else { return Ok(()) };
        for (low, high) in low.ballots.iter().zip(&high.ballots) {
            let passed = |ballot: &BallotReview| ballot.after.as_ref().is_some_and(|verdict| verdict.passed);
            prop_assert!(passed(low) || !passed(high), "{} passes with more asked for", high.id);
        }
    }

    #[test]
    fn the_meeting_stays_as_it_is_and_the_record_decides(table in any_meeting(), change in any_change()) {
        let before = (table.meeting.clone(), table.meeting.state_hash());
        let change = at(&table, change);
        let judged = what_if(&table.meeting, &change);
        prop_assert_eq!(&table.meeting, &before.0);
        prop_assert_eq!(table.meeting.state_hash(), before.1);
        prop_assert_eq!(&judged, &what_if(&table.replayed(), &change), "the log alone decides");
        let Ok(report) = judged else { return Ok(()) };
        prop_assert!(!report.to_markdown().is_empty() && report.to_json().contains("course"));

        // The course is what the verdicts say: the first ballot that passes ends the meeting.
        let passed = |verdict: &Option<Verdict>| verdict.as_ref().is_some_and(|verdict| verdict.passed);
        let was = report.ballots.iter().find(|ballot| passed(&ballot.before)).map(|ballot| ballot.id);
        let would = report.ballots.iter().find(|ballot| passed(&ballot.after)).map(|ballot| ballot.id);
        let expected = match (&report.course, was, would) {
            (WhatIfCourse::Same, was, would) => was == would,
            (WhatIfCourse::Earlier { ballot, .. } | WhatIfCourse::Otherwise { ballot, accepted: true, .. }, was, would) => {
                would == Some(*ballot) && was.is_none_or(|was| was > *ballot)
            }
            (WhatIfCourse::Later { ballot, .. } | WhatIfCourse::Otherwise { ballot, accepted: false, .. }, was, would) => {
                was == Some(*ballot) && would.is_none()
            }
        };
        prop_assert!(expected, "{:?}, {was:?}, {would:?}", report.course);
        for ballot in &report.ballots {
            prop_assert_eq!(ballot.alone.len(), if ballot.turns { report.changes.len() } else { 0 });
            if let [only] = ballot.alone.as_slice() {
                prop_assert!(only.enough, "a single change is enough by itself: {:?}", ballot);
            }
        }
    }
}
