//! The health of any meeting can be computed at any moment, after any faults.

use quorate_contract::{Event, Language, MeetingId, RunId};
use quorate_core::{HEALTH_LIST_MAX, Meeting, apply};
use quorate_sim::play;
use quorate_views::{DeliberationHealth, HealthGrade, Measure};
use serde_json::Value;

#[test]
fn every_meeting_at_every_moment_has_a_health() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let story = play(seed).unwrap_or_else(|breach| panic!("{breach}"));
        let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("run"));
        for line in &story.log {
            let event = Event::from_json(line).expect("an event");
            apply(&mut meeting, &event);
            if !event.seq.is_multiple_of(5) && !meeting.is_over() {
                continue;
            }
            let health = DeliberationHealth::of(&meeting);
            check(&health, &meeting, seed);
            seen.insert(format!("{:?}", health.verdict.standing));
        }
    }
    assert!(seen.len() >= 3, "{seen:?}");
}

fn check(health: &DeliberationHealth, meeting: &Meeting, seed: u64) {
    let at = (seed, meeting.seq);
    assert_eq!(*health, DeliberationHealth::of(&meeting.clone()), "{at:?}");
    let because = &health.verdict.because;
    let collects = health.verdict.standing == HealthGrade::Ideas;
    assert_eq!(because.is_empty(), collects, "{at:?}");
    assert!(because.iter().chain(&health.alarms).all(|one| one.value.is_finite()), "{at:?}");
    if health.verdict.standing == HealthGrade::Robust {
        assert!(because.iter().any(|one| one.rule == Measure::Evidence && !one.seqs.is_empty()), "{at:?}");
        assert_eq!(health.dissent.blocking, 0, "{at:?}");
    }
    bounded(&serde_json::to_value(health).expect("plain"), at);
    for language in [Language::Zh, Language::En] {
        assert!(health.to_text(meeting, language).starts_with("# "), "{at:?}");
    }
}

/// Lists are bounded, and every cited event exists.
fn bounded(value: &Value, at: (u64, u64)) {
    match value {
        Value::Array(items) => {
            assert!(items.len() <= HEALTH_LIST_MAX, "{at:?}: {value}");
            items.iter().for_each(|item| bounded(item, at));
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                if let (true, Some(seqs)) = (name == "seqs", value.as_array()) {
                    assert!(seqs.iter().all(|seq| seq.as_u64().is_some_and(|seq| (1..=at.1).contains(&seq))));
                }
                bounded(value, at);
            }
        }
        _ => {}
    }
}
