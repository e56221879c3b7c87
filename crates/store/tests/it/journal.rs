//! Guarantees of the journal for the engine.

use quorate_engine::{Journal, JournalError};

use crate::fixtures::{Place, id, lines, lines_of_talk, talk, talk_on};

#[tokio::test]
async fn what_was_appended_is_read_back_byte_for_byte() {
    let place = Place::new();
    let meeting = id("m-1");
    let store = place.open();
    talk_on(&store, &meeting, 0, 3).await.unwrap();
    talk_on(&store, &meeting, 3, 4).await.unwrap();

    let read = store.read(meeting.clone(), 0).await.unwrap();
    let written = talk(&meeting, 1, 7);
    assert_eq!(read.len(), 7);
    for (read, written) in read.iter().zip(&written) {
        assert_eq!(read.line, written.line);
        assert_eq!(read.event, written.event);
    }
    let after_five = store.lines(&meeting, 5).await.unwrap();
    let expected: Vec<(u64, String)> = (6..).zip(lines_of_talk(&meeting, 7).split_off(5)).collect();
    assert_eq!(after_five, expected);
    assert!(store.read(meeting, 7).await.unwrap().is_empty());
}

#[tokio::test]
async fn it_is_all_there_after_it_was_closed_and_opened_again() {
    let place = Place::new();
    let meeting = id("m-1");
    talk_on(&place.open(), &meeting, 0, 5).await.unwrap();
    let store = place.open();
    assert_eq!(lines(&store, &meeting).await, lines_of_talk(&meeting, 5));
    talk_on(&store, &meeting, 5, 1).await.unwrap();
    assert_eq!(lines(&store, &meeting).await, lines_of_talk(&meeting, 6));
}

#[tokio::test]
async fn a_second_append_of_the_same_is_a_conflict_and_writes_nothing() {
    let place = Place::new();
    let store = place.open();
    let meeting = id("m-1");
    talk_on(&store, &meeting, 0, 3).await.unwrap();
    let again = talk_on(&store, &meeting, 0, 3).await.unwrap_err();
    assert!(matches!(again, JournalError::Conflict { expected: 0, found: 3, .. }), "{again}");
    let too_far = talk_on(&store, &meeting, 9, 1).await.unwrap_err();
    assert!(matches!(too_far, JournalError::Conflict { expected: 9, found: 3, .. }), "{too_far}");
    let of_nobody = talk_on(&store, &id("m-2"), 1, 1).await.unwrap_err();
    assert!(matches!(of_nobody, JournalError::Conflict { expected: 1, found: 0, .. }));
    assert_eq!(lines(&store, &meeting).await, lines_of_talk(&meeting, 3));
    let absent = store.read(id("m-2"), 0).await.unwrap_err();
    assert!(matches!(absent, JournalError::NoSuchMeeting(_)), "{absent}");
}

/// All of these are queued before the writer can answer the first one, so they share commits.
#[tokio::test]
async fn a_conflict_spoils_nothing_for_those_it_shares_a_commit_with() {
    let place = Place::new();
    let store = place.open();
    let meetings: Vec<_> = (0..200).map(|number| id(&format!("m-{number}"))).collect();
    let appends = meetings.iter().enumerate().map(|(number, meeting)| {
        // Every third one is wrong about where its meeting stands.
        let before = u64::from(number % 3 == 0);
        talk_on(&store, meeting, before, 2)
    });
    let verdicts = futures::future::join_all(appends).await;
    for ((number, verdict), meeting) in verdicts.iter().enumerate().zip(&meetings) {
        if number % 3 == 0 {
            assert!(matches!(verdict, Err(JournalError::Conflict { .. })), "{verdict:?}");
            assert!(store.read(meeting.clone(), 0).await.is_err());
        } else {
            assert!(verdict.is_ok(), "{verdict:?}");
            assert_eq!(lines(&store, meeting).await, lines_of_talk(meeting, 2));
        }
    }
}

#[tokio::test]
async fn records_that_do_not_follow_are_refused_whole() {
    let place = Place::new();
    let store = place.open();
    let meeting = id("m-1");
    let mut with_a_gap = talk(&meeting, 1, 3);
    with_a_gap.remove(1);
    let of_another = talk(&id("m-2"), 1, 2);
    for records in [with_a_gap, of_another] {
        let refused = store.append(meeting.clone(), 0, records).await.unwrap_err();
        assert!(refused.hint().contains("report it"), "{refused}: {}", refused.hint());
        assert!(store.read(meeting.clone(), 0).await.is_err(), "nothing was written");
    }
    store.append(meeting.clone(), 0, Vec::new()).await.expect("nothing can always be appended");
    assert!(store.read(meeting, 0).await.is_err());
}

#[tokio::test]
async fn an_append_that_nobody_waits_for_is_written_all_the_same() {
    let place = Place::new();
    let meeting = id("m-1");
    let store = place.open();
    let mut append = Box::pin(talk_on(&store, &meeting, 0, 2));
    assert!(futures::poll!(append.as_mut()).is_pending());
    drop(append);
    drop(store);
    assert_eq!(lines(&place.open(), &meeting).await, lines_of_talk(&meeting, 2));
}

#[tokio::test]
async fn a_backup_is_one_moment_of_a_database_in_use() {
    let place = Place::new();
    let store = place.open();
    let meeting = id("m-1");
    talk_on(&store, &meeting, 0, 2).await.unwrap();
    let copy = place.folder().join("copy.db");
    let busy = async {
        for before in 2..60 {
            talk_on(&store, &meeting, before, 1).await.unwrap();
        }
    };
    let (copied, ()) = futures::join!(store.backup(&copy), busy);
    copied.unwrap();
    assert!(quorate_store::verify(&copy, |_| {}, |_| {}).unwrap().is_clean());
    let in_copy = lines(&quorate_store::Store::open(&copy).unwrap(), &meeting).await;
    assert!(in_copy.len() >= 2);
    assert_eq!(in_copy, lines_of_talk(&meeting, in_copy.len() as u64));

    let again = store.backup(&copy).await.unwrap_err();
    assert!(matches!(again, quorate_store::StoreError::Exists { .. }), "{again}");
    assert!(!place.folder().join("copy.db.partial").exists());
}
