//! Many meetings with injected faults, and that the same seed tells the same story.

use quorate_contract::{Event, EventBody, MeetingId, RunId};
use quorate_core::{Meeting, apply};
use quorate_sim::{Report, play, play_many};

/// Plays seeds on all processors; each meeting stays in one thread.
fn played(count: u64) -> Report {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8) as u64;
    let share = count.div_ceil(threads);
    let parts = std::thread::scope(|scope| {
        let play_share = |thread: u64| {
            let from = thread * share;
            scope.spawn(move || play_many(from, share.min(count - from.min(count)), |_| {}))
        };
        let running: Vec<_> = (0..threads).map(play_share).collect();
        running.into_iter().map(|part| part.join().expect("a player does not panic")).collect::<Vec<_>>()
    });
    let mut report = Report::default();
    for part in parts {
        report.add(&part.unwrap_or_else(|breach| panic!("{breach}")));
    }
    report
}

/// A thousand meetings, or as many as `SIM_SEEDS` says.
#[test]
fn meetings_with_faults() {
    let count = std::env::var("SIM_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1000);
    let report = played(count);
    eprintln!("{report}");
    assert_eq!(report.meetings, count);
    // A plan that spares something tests less than it says.
    // No coding agent sits at these meetings; core/tests/transcripts/actions.rs has one.
    assert_eq!(report.never_seen(), ["agent_action"]);
    // Few meetings run out of participants that can be asked; a longer run crashes after that event, too.
    let mut never_crashed = report.never_crashed();
    never_crashed.retain(|kind| !["agent_action", "provider_wait_started"].contains(kind));
    assert_eq!(never_crashed, Vec::<&str>::new());
    assert_eq!(report.outcomes.len(), 7, "every outcome: {:?}", report.outcomes);
    // Each kind of event has three crash points; those of these two are not counted on.
    let (hit, all) = report.crash_points();
    assert!(hit * 100 >= (all - 6) * 95, "{hit} of {all} crash points");
}

#[test]
fn seeds_that_once_broke_a_promise() {
    // The minutes that the end waits for are asked once more of the participant who writes them.
    play(900_079).unwrap_or_else(|breach| panic!("{breach}"));
    // Words of a round that runs are read by nobody, and the conclusion, which reads them, had no room in the budget.
    for seed in [29_432, 78_289] {
        play(seed).unwrap_or_else(|breach| panic!("{breach}"));
    }
    // Ended before it began, with words to conclude: it ran no time, whether or not its rules were changed.
    for seed in [305_953, 518_882, 520_896] {
        play(seed).unwrap_or_else(|breach| panic!("{breach}"));
    }
    // A call of the fallback in flight counted for the first model when an invitation began the round.
    play(462_100).unwrap_or_else(|breach| panic!("{breach}"));
    // No room for a conclusion about an answer that took no notice of its limit.
    play(540_304).unwrap_or_else(|breach| panic!("{breach}"));
    // Not an outage when the last that was heard is a timeout; nothing thrown away when a failed request has no room to be
    // sent again, but a smaller one has.
    for seed in [330_179, 398_255] {
        play(seed).unwrap_or_else(|breach| panic!("{breach}"));
    }
    // A fork whose log ends between a departure and the queue without it gave the floor to somebody who had left.
    for seed in [1_015_588, 1_035_841, 1_063_913, 1_087_310] {
        play(seed).unwrap_or_else(|breach| panic!("{breach}"));
    }
}

#[test]
fn the_same_seed_tells_the_same_story() {
    for seed in [1, 42, u64::MAX] {
        let once = play(seed).unwrap_or_else(|breach| panic!("{breach}"));
        let again = play(seed).unwrap_or_else(|breach| panic!("{breach}"));
        assert_eq!(once.to_string(), again.to_string());
        assert_eq!(once.log, again.log);
        assert!(once.log.last().is_some_and(|line| line.contains("finished")));
    }
    let stories = [play(1), play(2)].map(|story| story.map(|story| story.log).unwrap_or_default());
    assert_ne!(stories[0], stories[1]);
}

/// Taken up from a snapshot at any point, a meeting comes to the same as from its whole log.
#[test]
fn a_snapshot_and_the_rest_of_the_log_come_to_the_whole_log() {
    let (mut formats, mut cuts) = (std::collections::BTreeSet::new(), 0);
    for seed in 0..120 {
        let story = play(seed).unwrap_or_else(|breach| panic!("{breach}"));
        let log: Vec<Event> =
            story.log.iter().map(|line| Event::from_json(line).expect("an event")).collect();
        let mut live = Meeting::blank(MeetingId::new("m"), RunId::new("run"));
        let mut taken_up: Option<Meeting> = None;
        for (number, event) in log.iter().enumerate() {
            if let EventBody::MeetingCreated { format, .. } = &event.body {
                formats.insert(format.as_str());
            }
            apply(&mut live, event);
            if let Some(meeting) = &mut taken_up {
                apply(meeting, event);
                assert_eq!(*meeting, live, "seed {seed}, event {}", event.seq);
            }
            // At odd places, and from a snapshot of what came from a snapshot.
            if (number as u64 * 7 + seed) % 11 == 3 {
                let (state, hash) = taken_up.as_ref().unwrap_or(&live).to_state();
                taken_up = Some(Meeting::from_state(&state, &hash).expect("a state can be read back"));
                cuts += 1;
            }
        }
        assert_eq!(taken_up.map(|meeting| meeting.state_hash()), Some(live.state_hash()));
    }
    assert_eq!(formats.len(), quorate_contract::Format::ALL.len(), "every format: {formats:?}");
    assert!(cuts > 500, "{cuts}");
}
