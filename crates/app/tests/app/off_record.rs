//! Off the record: a meeting that leaves nothing on the disk.

use quorate_app::{ErrorKind, Listing, Principal};
use quorate_contract::Actor;
use quorate_engine::Fork;
use serde_json::json;

use crate::test_app::{TestApp, held, new_meeting};

/// Whether any file of a folder contains these words.
fn holds(folder: &std::path::Path, words: &str) -> bool {
    std::fs::read_dir(folder).expect("a folder").any(|entry| {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        bytes.windows(words.len()).any(|window| window == words.as_bytes())
    })
}

#[tokio::test]
async fn a_meeting_off_the_record_leaves_no_byte_on_the_disk() {
    let home = TestApp::new();
    let app = home.open().await;
    let told = json!({ "topic": "An ordinary topic" });
    let public = app.create(&Actor::person("mia", "mia"), &new_meeting(told)).await.expect("a meeting");
    let secret =
        json!({ "topic": "The zanzibar merger", "off_record": true, "announce": "Not a quokka to anybody." });
    let handle = app.create(&Actor::person("mia", "mia"), &new_meeting(secret)).await.expect("a meeting");
    app.lock(handle.id(), &Actor::person("mia", "mia"), Some("sesame")).await.expect("it is locked");
    let last = app.load(handle.id()).await.expect("it is there").seq;
    let fork = app
        .fork(&Principal::owner(), handle.id(), Fork { at: Some(last), ..Fork::by(Actor::owner()) })
        .await
        .expect("a fork");
    assert!(app.is_off_record(fork.id()) && app.let_in(fork.id(), Some("sesame")).await.is_ok());
    let meeting = held(&app, &handle).await;
    assert!(meeting.is_over());

    // While the process lives, it is there as any other.
    let rows = app.list(&Listing::default()).await.expect("a list");
    let ids: Vec<_> = rows.iter().map(|row| row.id.clone()).collect();
    assert_eq!(ids, [fork.id().clone(), handle.id().clone(), public.id().clone()]);
    assert_eq!(rows[1].outcome.as_deref(), Some("completed"));
    let one = Listing { limit: 1, offset: 1, ..Listing::default() };
    assert_eq!(app.list(&one).await.expect("a list")[0].id, *handle.id());
    assert_eq!(app.records(handle.id(), 0).await.expect("its events").len() as u64, meeting.seq);
    assert_eq!(app.find(handle.id().as_str()).await.expect("it is found"), *handle.id());

    assert!(holds(home.folder.path(), "An ordinary topic"), "what is on the record is on the disk");
    let said = &meeting.said[0].content;
    let said = said.char_indices().nth(30).map_or(said.as_str(), |(at, _)| &said[..at]);
    for words in ["zanzibar", "quokka", said, handle.id().as_str(), fork.id().as_str()] {
        assert!(!holds(home.folder.path(), words), "{words:?} is on the disk");
    }
    app.delete(handle.id()).await.expect("it is forgotten");
    assert_eq!(app.load(handle.id()).await.expect_err("gone").kind(), ErrorKind::NotFound);

    let (gone, stays) = (fork.id().clone(), public.id().clone());
    for meeting in app.engine().live() {
        app.engine().unload(&meeting);
    }
    drop((handle, fork, public, app));
    let app = home.open_again().await;
    assert!(app.load(&gone).await.is_err());
    assert!(app.load(&stays).await.is_ok());
}

#[tokio::test]
async fn one_that_is_deleted_in_the_middle_leaves_nothing_either() {
    let home = TestApp::new();
    let app = home.open_at(quorate_runners::Pace::Brisk).await;
    let secret = json!({ "topic": "The zanzibar merger", "off_record": true });
    let handle = app.create(&Actor::person("mia", "mia"), &new_meeting(secret)).await.expect("a meeting");
    let id = handle.id().clone();
    handle
        .execute(quorate_contract::Command::Start { by: Actor::person("mia", "mia") })
        .await
        .expect("it starts");
    app.delete(&id).await.expect("it is forgotten");
    assert!(app.engine().shut_down(std::time::Duration::ZERO).await.is_empty(), "its loop has ended");
    assert_eq!(app.load(&id).await.expect_err("gone").kind(), ErrorKind::NotFound);
    assert!(app.lock(&id, &Actor::person("mia", "mia"), Some("sesame")).await.is_err());
    for words in ["zanzibar", id.as_str()] {
        assert!(!holds(home.folder.path(), words), "{words:?} is on the disk");
    }
}
