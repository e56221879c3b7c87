//! Off the record: what leaves nothing on the disk (003 §15).

use quorate_engine::Fork;
use quorate_service::{ErrorKind, Listing};
use serde_json::json;

use crate::home::{Home, held, new_meeting};

/// Whether these words are anywhere in the files of a folder.
fn holds(folder: &std::path::Path, words: &str) -> bool {
    std::fs::read_dir(folder).expect("a folder").any(|entry| {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        bytes.windows(words.len()).any(|window| window == words.as_bytes())
    })
}

#[tokio::test]
async fn a_meeting_off_the_record_leaves_no_byte_on_the_disk() {
    let home = Home::new();
    let house = home.open().await;
    let told = json!({ "topic": "An ordinary topic" });
    let public = house.create("mia", &new_meeting(told)).await.expect("a meeting");
    let secret =
        json!({ "topic": "The zanzibar merger", "off_record": true, "announce": "Not a quokka to anybody." });
    let handle = house.create("mia", &new_meeting(secret)).await.expect("a meeting");
    house.lock(handle.id(), "mia", Some("sesame")).await.expect("it is locked");
    let last = house.load(handle.id()).await.expect("it is there").seq;
    let fork = house.fork(handle.id(), Fork { at: Some(last), ..Fork::default() }).await.expect("a fork");
    assert!(house.is_off_record(fork.id()) && house.let_in(fork.id(), Some("sesame")).await.is_ok());
    let meeting = held(&house, &handle).await;
    assert!(meeting.is_over());

    // While the process lives, it is there as any other.
    let rows = house.list(&Listing::default()).await.expect("a list");
    let ids: Vec<_> = rows.iter().map(|row| row.id.clone()).collect();
    assert_eq!(ids, [fork.id().clone(), handle.id().clone(), public.id().clone()]);
    assert_eq!(rows[1].outcome.as_deref(), Some("completed"));
    let one = Listing { limit: 1, offset: 1, ..Listing::default() };
    assert_eq!(house.list(&one).await.expect("a list")[0].id, *handle.id());
    assert_eq!(house.records(handle.id(), 0).await.expect("its events").len() as u64, meeting.seq);
    assert_eq!(house.find(handle.id().as_str()).await.expect("it is found"), *handle.id());

    assert!(holds(home.folder.path(), "An ordinary topic"), "what is on the record is on the disk");
    let said = &meeting.said[0].content;
    let said = said.char_indices().nth(30).map_or(said.as_str(), |(at, _)| &said[..at]);
    for words in ["zanzibar", "quokka", said, handle.id().as_str(), fork.id().as_str()] {
        assert!(!holds(home.folder.path(), words), "{words:?} is on the disk");
    }
    house.delete(handle.id()).await.expect("it is forgotten");
    assert_eq!(house.load(handle.id()).await.expect_err("gone").kind(), ErrorKind::NotFound);

    let (gone, stays) = (fork.id().clone(), public.id().clone());
    for meeting in house.engine().live() {
        house.engine().let_go(&meeting);
    }
    drop((handle, fork, public, house));
    let house = home.open_again().await;
    assert!(house.load(&gone).await.is_err());
    assert!(house.load(&stays).await.is_ok());
}

#[tokio::test]
async fn one_that_is_deleted_in_the_middle_leaves_nothing_either() {
    let home = Home::new();
    let house = home.open_at(quorate_runners::Pace::Brisk).await;
    let secret = json!({ "topic": "The zanzibar merger", "off_record": true });
    let handle = house.create("mia", &new_meeting(secret)).await.expect("a meeting");
    let id = handle.id().clone();
    handle.wish(quorate_core::Command::Start { by: "mia".to_owned() }).await.expect("it starts");
    house.delete(&id).await.expect("it is forgotten");
    assert!(house.engine().shut_down(std::time::Duration::ZERO).await.is_empty(), "its loop has ended");
    assert_eq!(house.load(&id).await.expect_err("gone").kind(), ErrorKind::NotFound);
    assert!(house.lock(&id, "mia", Some("sesame")).await.is_err());
    for words in ["zanzibar", id.as_str()] {
        assert!(!holds(home.folder.path(), words), "{words:?} is on the disk");
    }
}
