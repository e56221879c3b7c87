//! A backup is whole and checked, and comes back as what it was.

use std::sync::{Arc, Mutex};

use quorate_contract::{Actor, Timestamp};
use quorate_store::{CopyProgress, Credential, NewUpload, Settings, Store, StoreError, UploadTotal, restore};

use crate::fixtures::{Place, id, lines, lines_of_talk, talk_on, verify};

async fn upload(store: &Store, name: &str, bytes: &[u8]) {
    let what = NewUpload {
        id: name.to_owned(),
        meeting: id("m"),
        name: name.to_owned(),
        media_type: String::new(),
        by: Actor::person("ada", "ada"),
        created_ms: Timestamp(1),
    };
    let mut uploading = store.begin_upload(what, 100).await.unwrap();
    uploading.write(bytes).await.unwrap();
    uploading.finish().await.unwrap();
}

fn credential(url: &str) -> Credential {
    Credential {
        provider: "local".to_owned(),
        base_url: Some(url.to_owned()),
        key: None,
        settings: Settings::default(),
    }
}

async fn furnished() -> (Place, Store) {
    let place = Place::new();
    let store = place.open();
    talk_on(&store, &id("m"), 0, 20).await.unwrap();
    upload(&store, "one.txt", b"one").await;
    upload(&store, "two.txt", b"two").await;
    store.save_credential(credential("http://127.0.0.1:1/v1"), Timestamp(1)).await.unwrap();
    store.advance_context_cursor("scout", &id("m"), 12, Timestamp(1)).await.unwrap();
    (place, store)
}

#[tokio::test]
async fn a_backup_holds_the_moment_at_which_it_was_taken_and_comes_back() {
    let (place, store) = furnished().await;
    let to = place.folder().join("copies/copy.db");
    std::fs::create_dir(place.folder().join("copies")).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&seen);
    let report =
        store.backup_whole(&to, true, move |progress| heard.lock().unwrap().push(progress)).await.unwrap();
    assert_eq!((report.meetings, report.events, report.files, report.key), (1, 20, 2, true));
    assert_eq!(report.missing, Vec::<String>::new());
    let seen = seen.lock().unwrap().clone();
    assert!(
        seen.contains(&CopyProgress::Meetings(1, 1)) && seen.contains(&CopyProgress::Files(2, 2)),
        "{seen:?}"
    );
    assert!(verify(&to).unwrap().is_clean());
    let again = store.backup_whole(&to, false, |_| {}).await.unwrap_err();
    assert!(matches!(again, StoreError::Exists { .. }), "{again}");

    // What happens afterwards is not in it.
    talk_on(&store, &id("m"), 20, 5).await.unwrap();
    store.delete_upload("one.txt").await.unwrap();
    let in_use = restore(&to, place.db(), true, "now", |_| {}).unwrap_err();
    assert!(matches!(in_use, StoreError::InUse { .. }), "{in_use}");
    drop(store);
    let refused = restore(&to, place.db(), false, "now", |_| {}).unwrap_err();
    assert!(matches!(refused, StoreError::WouldReplace { .. }), "{refused}");

    let restored = restore(&to, place.db(), true, "now", |_| {}).unwrap();
    assert_eq!((restored.meetings, restored.events, restored.files, restored.key), (1, 20, 2, true));
    let store = place.open();
    assert_eq!(lines(&store, &id("m")).await, lines_of_talk(&id("m"), 20));
    assert_eq!(store.upload_total(None).await.unwrap(), UploadTotal { files: 2, bytes: 6 });
    store.open_upload("one.txt").await.expect("its content is back");
    assert_eq!(store.context_cursor("scout", &id("m")).await.unwrap(), Some(12));
    assert_eq!(
        store.credential("local").await.unwrap().unwrap().base_url,
        credential("http://127.0.0.1:1/v1").base_url
    );
    drop(store);

    // And back again to what was there before.
    let kept = restored.kept.unwrap();
    let back = restore(&kept, place.db(), true, "now", |_| {}).unwrap();
    assert_ne!(back.kept.unwrap(), kept, "in the same second it has another name");
    let store = place.open();
    assert_eq!(lines(&store, &id("m")).await.len(), 25);
    assert_eq!(store.upload_total(None).await.unwrap().files, 1);
    assert!(store.credential("local").await.unwrap().is_some(), "with its key");
}

#[tokio::test]
async fn a_backup_without_the_key_file_goes_where_nothing_is() {
    let (place, store) = furnished().await;
    let to = place.folder().join("copy.db");
    let report = store.backup_whole(&to, false, |_| {}).await.unwrap();
    assert!(!report.key && !place.folder().join("copy.db.key").exists());
    let elsewhere = Place::new();
    let restored = restore(&to, elsewhere.db(), false, "now", |_| {}).unwrap();
    assert_eq!((restored.kept, restored.key), (None, false));
    assert_eq!(lines(&elsewhere.open(), &id("m")).await.len(), 20);
    let missing = elsewhere.open().credential("local").await.unwrap_err();
    assert!(matches!(missing, StoreError::VaultKeyMissing { .. }), "{missing}");
}

#[tokio::test]
async fn a_damaged_backup_replaces_nothing() {
    let (place, store) = furnished().await;
    let to = place.folder().join("copy.db");
    store.backup_whole(&to, false, |_| {}).await.unwrap();
    drop(store);
    let raw = rusqlite::Connection::open(&to).unwrap();
    raw.execute_batch("UPDATE event SET line = replace(line, 'yes', 'no!') WHERE seq = 5").unwrap();
    drop(raw);
    let damaged = restore(&to, place.db(), true, "now", |_| {}).unwrap_err();
    assert!(matches!(damaged, StoreError::DamagedCopy { .. }), "{damaged}");
    assert!(damaged.to_string().contains("event 5"), "{damaged}");
    assert_eq!(lines(&place.open(), &id("m")).await.len(), 20, "it is as it was");
    let left: Vec<_> = std::fs::read_dir(place.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("partial") || name.contains("before"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[tokio::test]
async fn a_damaged_original_makes_no_backup_and_a_lost_file_is_named() {
    let (place, store) = furnished().await;
    let lost = store.upload("one.txt").await.unwrap().sha256;
    std::fs::remove_file(place.folder().join("meetings.db.files").join(&lost[..2]).join(&lost[2..])).unwrap();
    let report = store.backup_whole(place.folder().join("copy.db"), false, |_| {}).await.unwrap();
    assert_eq!((report.files, report.missing), (1, vec![lost]));
    drop(store);
    let raw = rusqlite::Connection::open(place.db()).unwrap();
    raw.execute_batch("UPDATE event SET line = replace(line, 'yes', 'no!') WHERE seq = 5").unwrap();
    drop(raw);
    let other = place.folder().join("other.db");
    let damaged = place.open().backup_whole(&other, true, |_| {}).await.unwrap_err();
    assert!(matches!(damaged, StoreError::DamagedCopy { .. }), "{damaged}");
    for ending in ["", ".partial", ".files", ".key"] {
        assert!(!place.folder().join(format!("other.db{ending}")).exists(), "{ending}");
    }
}

#[tokio::test]
async fn a_copy_that_does_not_fit_on_the_disk_is_refused_before_it_begins() {
    let (place, store) = furnished().await;
    store.check_room(place.folder()).await.unwrap();
    drop(store);
    let raw = rusqlite::Connection::open(place.db()).unwrap();
    raw.execute("UPDATE upload SET size = ?1", [1_i64 << 60]).unwrap();
    drop(raw);
    let refused = place.open().check_room(place.folder()).await.unwrap_err();
    let StoreError::Unreachable { source, .. } = &refused else { panic!("{refused}") };
    assert_eq!(source.kind(), std::io::ErrorKind::StorageFull);
    assert!(source.to_string().contains("MiB are free"), "{source}");
}
