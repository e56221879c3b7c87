//! Snapshots: found with what follows, tied to the log, gone with the meeting.

use quorate_contract::{MeetingId, RunId};
use quorate_core::{Meeting, apply};
use quorate_engine::{Journal, JournalError, Snapshot};

use crate::fixtures::{Place, id, talk, talk_on};

/// The snapshot of a meeting after its first `events`.
fn snapshot(meeting: &MeetingId, events: u64) -> Snapshot {
    Snapshot::of(&folded(meeting, events))
}

fn folded(meeting: &MeetingId, events: u64) -> Meeting {
    let mut folded = Meeting::blank(meeting.clone(), RunId::new("run-1"));
    for record in talk(meeting, 1, events) {
        apply(&mut folded, &record.event);
    }
    folded
}

#[tokio::test]
async fn a_snapshot_is_found_with_what_follows_it() {
    let place = Place::new();
    let meeting = id("m-1");
    let store = place.open();
    talk_on(&store, &meeting, 0, 7).await.unwrap();
    let (none, all) = store.resume(meeting.clone()).await.unwrap();
    assert_eq!((none, all.len()), (None, 7));
    store.keep_snapshot(meeting.clone(), snapshot(&meeting, 3)).await.unwrap();
    store.keep_snapshot(meeting.clone(), snapshot(&meeting, 5)).await.unwrap();
    drop(store);

    let store = place.open();
    let (found, rest) = store.resume(meeting.clone()).await.unwrap();
    let found = found.expect("it was kept");
    assert_eq!(found, snapshot(&meeting, 5), "the last one");
    assert!(found.meeting(&meeting).is_some());
    assert_eq!(found.meeting(&id("m-2")), None, "not as another meeting");
    assert_eq!(rest.iter().map(|record| record.event.seq).collect::<Vec<_>>(), [6, 7]);
    let absent = store.resume(id("m-2")).await.unwrap_err();
    assert!(matches!(absent, JournalError::NoSuchMeeting(_)), "{absent}");
}

#[tokio::test]
async fn a_snapshot_of_what_is_not_in_the_log_is_not_believed() {
    let place = Place::new();
    let meeting = id("m-1");
    let store = place.open();
    talk_on(&store, &meeting, 0, 4).await.unwrap();
    store.keep_snapshot(meeting.clone(), snapshot(&meeting, 9)).await.unwrap();
    assert_eq!(store.resume(meeting.clone()).await.unwrap().0, None, "there is no event 9");

    store.keep_snapshot(meeting.clone(), snapshot(&meeting, 4)).await.unwrap();
    assert!(store.resume(meeting.clone()).await.unwrap().0.is_some());
    // The same number of other events, as a restored backup may have them.
    store.delete_meeting(&meeting).await.unwrap();
    assert_eq!(place.number("SELECT count(*) FROM snapshot"), 0, "it goes with its meeting");
    talk_on(&store, &meeting, 0, 4).await.unwrap();
    store.keep_snapshot(meeting.clone(), snapshot(&meeting, 4)).await.unwrap();
    place.execute("UPDATE snapshot SET log_hash = substr(log_hash, 2)");
    assert_eq!(store.resume(meeting.clone()).await.unwrap().0, None);
    assert_eq!(store.resume(meeting.clone()).await.unwrap().1.len(), 4, "the log is");

    store.keep_snapshot(meeting.clone(), snapshot(&meeting, 4)).await.unwrap();
    place.execute("UPDATE snapshot SET format = '0.0.1/1'");
    assert_eq!(store.resume(meeting.clone()).await.unwrap().0, None, "nor one of another version");

    let (json, _) = folded(&meeting, 4).to_state();
    let other = String::from_utf8(json).expect("JSON").replace("yes", "no").into_bytes();
    let mut damaged = snapshot(&meeting, 4).state;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for state in [other, damaged] {
        let spoilt = Snapshot { state, ..snapshot(&meeting, 4) };
        store.keep_snapshot(meeting.clone(), spoilt).await.unwrap();
        let (spoilt, _) = store.resume(meeting.clone()).await.unwrap();
        assert_eq!(spoilt.and_then(|snapshot| snapshot.meeting(&meeting)), None, "its hash does not fit");
    }
}

#[tokio::test]
async fn snapshots_outlast_a_new_catalogue_and_are_no_trouble_for_verify() {
    let place = Place::new();
    let meeting = id("m-1");
    let store = place.open();
    talk_on(&store, &meeting, 0, 4).await.unwrap();
    store.keep_snapshot(meeting.clone(), snapshot(&meeting, 4)).await.unwrap();
    store.rebuild_catalogue().await.unwrap();
    assert!(store.resume(meeting.clone()).await.unwrap().0.is_some());
    drop(store);
    assert!(crate::fixtures::verify(&place.db()).unwrap().is_clean());
    let reader = place.read_only();
    assert!(!reader.keeps_snapshots(&meeting));
    assert!(reader.resume(meeting).await.unwrap().0.is_some());
}
