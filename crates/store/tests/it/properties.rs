//! Properties of concurrent appends in any order.

use std::collections::BTreeMap;

use proptest::prelude::*;
use quorate_engine::{Journal, JournalError};

use crate::fixtures::{Place, id, lines_of_talk, talk, verify};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// An append is stored once, however often and with whatever others it is repeated.
    #[test]
    fn the_same_append_writes_once(
        sizes in prop::collection::vec(1u64..5, 1..6),
        copies in 2usize..6,
    ) {
        let place = Place::new();
        let store = place.open();
        let meeting = id("m");
        let mut before = 0;
        runtime().block_on(async {
            for size in sizes {
                let records = talk(&meeting, before + 1, before + size);
                let same = (0..copies).map(|_| {
                    tokio::spawn(store.append(meeting.clone(), before, records.clone()))
                });
                let verdicts = futures::future::join_all(same).await;
                let mut written = 0;
                for verdict in verdicts {
                    match verdict.unwrap() {
                        Ok(()) => written += 1,
                        Err(JournalError::Conflict { found, .. }) => assert_eq!(found, before + size),
                        Err(other) => panic!("{other}"),
                    }
                }
                prop_assert_eq!(written, 1);
                before += size;
            }
            prop_assert_eq!(crate::fixtures::lines(&store, &meeting).await, lines_of_talk(&meeting, before));
            Ok(())
        })?;
    }

    /// Many tasks write to few meetings, each with what it believes to be the end; who is wrong
    /// reads and tries again. No number is missing or taken twice.
    #[test]
    fn every_meeting_stays_dense(
        tasks in prop::collection::vec(prop::collection::vec((0u8..4, 1u64..4), 1..8), 1..10),
    ) {
        let place = Place::new();
        let store = place.open();
        let mut expected: BTreeMap<u8, u64> = BTreeMap::new();
        for (meeting, size) in tasks.iter().flatten() {
            *expected.entry(*meeting).or_default() += size;
        }
        runtime().block_on(async {
            let running: Vec<_> = tasks.into_iter().map(|task| {
                let store = store.clone();
                tokio::spawn(async move {
                    let mut ends = [0u64; 4];
                    for (meeting, size) in task {
                        let name = id(&format!("m-{meeting}"));
                        let end = &mut ends[usize::from(meeting)];
                        loop {
                            let records = talk(&name, *end + 1, *end + size);
                            match store.append(name.clone(), *end, records).await {
                                Ok(()) => break *end += size,
                                Err(JournalError::Conflict { found, .. }) => *end = found,
                                Err(other) => panic!("{other}"),
                            }
                        }
                    }
                })
            }).collect();
            for task in running {
                task.await.unwrap();
            }
            for (meeting, events) in expected {
                let name = id(&format!("m-{meeting}"));
                prop_assert_eq!(crate::fixtures::lines(&store, &name).await, lines_of_talk(&name, events));
            }
            Ok(())
        })?;
        prop_assert!(verify(&place.db()).unwrap().is_clean());
    }
}
