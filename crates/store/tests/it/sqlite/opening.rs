//! Opening a database: permissions, and errors.

use quorate_engine::{Journal, JournalError};
use quorate_store::{Store, StoreError};

use crate::fixtures::{Place, id, lines, lines_of_talk, talk, talk_on};

#[tokio::test]
async fn readers_work_beside_the_one_writer() {
    let place = Place::new();
    let meeting = id("m-1");
    let store = place.open();
    talk_on(&store, &meeting, 0, 2).await.unwrap();

    let second = Store::open(place.db()).unwrap_err();
    assert!(
        matches!(second, StoreError::InUse { pid: Some(pid), .. } if pid == std::process::id()),
        "{second}"
    );
    assert!(second.hint().contains("another database"), "{}", second.hint());

    let reader = Store::open_read_only(place.db()).unwrap();
    assert_eq!(lines(&reader, &meeting).await, lines_of_talk(&meeting, 2));
    talk_on(&store, &meeting, 2, 1).await.unwrap();
    assert_eq!(lines(&reader, &meeting).await, lines_of_talk(&meeting, 3), "it sees what is new");
    let refused = reader.append(meeting.clone(), 3, talk(&meeting, 4, 4)).await.unwrap_err();
    assert!(matches!(refused, JournalError::Unavailable { .. }), "{refused}");

    let clone = store.clone();
    drop(store);
    assert!(Store::open(place.db()).is_err(), "a clone still writes");
    drop(clone);
    place.open();
}

#[cfg(unix)]
#[test]
fn two_names_of_one_database_meet_at_one_lock() {
    let place = Place::new();
    let alias = place.folder().join("alias.db");
    std::os::unix::fs::symlink(place.db(), &alias).unwrap();
    let through_the_link = Store::open(&alias).expect("it makes what the link points to");
    assert_eq!(through_the_link.path(), place.db().canonicalize().unwrap());
    let refused = Store::open(place.db()).unwrap_err();
    assert!(matches!(refused, StoreError::InUse { .. }), "{refused}");
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let _store = place.open();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(place.folder()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{:?}", entry.file_name());
        names.push(entry.file_name());
    }
    names.sort();
    assert_eq!(names, ["meetings.db", "meetings.db-shm", "meetings.db-wal", "meetings.db.lock"]);
}

#[test]
fn the_folder_is_made_on_demand() {
    let place = Place::new();
    let path = place.folder().join("a/b/meetings.db");
    Store::open(&path).unwrap();
    assert!(path.exists());
}

#[test]
fn what_cannot_be_opened_says_why() {
    let place = Place::new();
    let absent = Store::open_read_only(place.db()).unwrap_err();
    assert!(matches!(absent, StoreError::NoDatabase { .. }), "{absent}");
    assert!(!place.db().exists(), "reading makes nothing");

    let folder = Store::open(place.folder()).unwrap_err();
    assert!(matches!(folder, StoreError::Unreachable { .. }), "{folder}");

    let file = place.folder().join("file");
    std::fs::write(&file, "x").unwrap();
    let below_a_file = Store::open(file.join("meetings.db")).unwrap_err();
    assert!(matches!(below_a_file, StoreError::Unreachable { .. }), "{below_a_file}");
    let not_ours = Store::open(&file).unwrap_err();
    assert!(matches!(not_ours, StoreError::NotOurs { .. }), "{not_ours}");
    assert_eq!(std::fs::read(&file).unwrap(), b"x");
}
