//! Ended meetings, in the engine and in the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use proptest::sample::select;
use quorate_contract::*;
use quorate_core::MeetingState;
use quorate_core::*;
use quorate_engine::{Engine, EngineError, Notice, SystemClock};
use quorate_runners::{Directory, Pace, SimulatedRunner, default_cast};
use quorate_store::Store;

use crate::{Bench, cases};

fn engine(store: &Store) -> Engine {
    let simulated = Arc::new(SimulatedRunner::new(Pace::Instant));
    Engine::new(Arc::new(store.clone()), Arc::new(Directory::new(simulated)), Arc::new(SystemClock))
}

fn spec(format: Format, seats: usize, rounds: u32, seed: u64) -> MeetingSpec {
    let mut rules = format.rules();
    rules.limits.max_rounds = rounds;
    rules.decision.min_rounds = rules.decision.min_rounds.min(rounds);
    let simulated = |temperament| RunnerSpec::Simulated { temperament };
    MeetingSpec {
        topic: "Should our service use SQLite or PostgreSQL?".into(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language: Language::En,
        format,
        rules,
        seed,
        facilitator: Some(Facilitator {
            runner: simulated(Temperament::Balanced),
            system_prompt: String::new(),
        }),
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        participants: default_cast(Language::En, seats, seed, |_| simulated(Temperament::Agreeable)),
    }
}

/// Feature: ai-agent-meeting, Property 18: a meeting that has ended, by itself or because somebody
/// asked for it, is ended in the database, for whoever opens it next.
#[test]
fn p18_what_has_ended_is_ended_on_the_disk() {
    let bench = Bench::new();
    let number = AtomicU32::new(0);
    proptest!(cases(), |(
        format in select(vec![Format::Consensus, Format::Discussion]),
        seats in 1usize..4,
        rounds in 1u32..3,
        seed in any::<u64>(),
        end_after in prop::option::of(0u64..40),
    )| {
        let id = MeetingId::new(format!("m-{}", number.fetch_add(1, Ordering::Relaxed)));
        let ended = bench.wait(async {
            let engine = engine(&bench.store);
            let spec = spec(format, seats, rounds, seed);
            let handle = engine.create(id.clone(), RunId::new("run-1"), Actor::owner(), spec).await?;
            let mut heard = handle.subscribe(0, false).await?;
            handle.execute(Command::Start { by: Actor::person("ada", "ada") }).await?;
            let mut asked = false;
            while let Some(notice) = heard.next().await? {
                let Notice::Event(record) = notice else { continue };
                if end_after.is_some_and(|after| record.event.seq > after) && !asked {
                    asked = true;
                    match handle.execute(Command::End { by: Actor::person("ada", "ada"), note: "enough".into() }).await {
                        Ok(_) | Err(EngineError::Refused(_)) => {}
                        Err(error) => return Err(error),
                    }
                }
                if matches!(record.event.body, EventBody::Finished { .. }) {
                    break;
                }
            }
            Ok::<_, EngineError>(())
        });
        prop_assert!(ended.is_ok(), "{:?}", ended);
        let reopened = bench.reopened();
        let listed = bench.wait(reopened.meetings(u32::MAX, 0)).unwrap();
        let row = listed.iter().find(|row| row.id == id).expect("it is listed");
        prop_assert_eq!(row.state, MeetingState::Ended);
        prop_assert!(row.outcome.is_some());
        let loaded = bench.wait(engine(&reopened).load(&id)).unwrap();
        prop_assert!(loaded.is_over() && loaded.conclusion.is_some());
        prop_assert_eq!(loaded.seq, row.events);
        prop_assert!(pending(&loaded).is_empty(), "nothing is owed any more");
        // A new process finds it ended, and cannot append to it.
        let more = bench.wait(async {
            let handle = engine(&bench.store).open(&id).await?;
            handle.execute(Command::Say { by: Actor::person("ada", "ada"), content: "one more thing".into() }).await
        });
        prop_assert!(matches!(more, Err(EngineError::Refused(Refusal::MeetingIsOver))), "{:?}", more);
    });
}
