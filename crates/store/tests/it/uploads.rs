//! Files of meetings: stored once, whole or not at all, gone with their meeting.

use std::io::Read;
use std::path::{Path, PathBuf};

use quorate_contract::{Actor, Timestamp};
use quorate_engine::JournalError;
use quorate_store::{NewUpload, Store, StoreError, Upload, UploadTotal, Uploading};

use crate::fixtures::{Place, id, talk_on};

fn called(upload: &str, meeting: &str, name: &str) -> NewUpload {
    NewUpload {
        id: upload.to_owned(),
        meeting: id(meeting),
        name: name.to_owned(),
        media_type: "Text/Plain; charset=utf-8".to_owned(),
        by: Actor::person("ada", "ada"),
        created_ms: Timestamp(1),
    }
}

async fn put(store: &Store, what: NewUpload, bytes: &[u8]) -> Result<Upload, StoreError> {
    let mut uploading = store.begin_upload(what, 1 << 20).await?;
    for piece in bytes.chunks(100_000) {
        uploading.write(piece).await?;
    }
    uploading.finish().await
}

async fn content(store: &Store, upload: &str) -> Vec<u8> {
    let (_, mut file) = store.open_upload(upload).await.unwrap();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

/// All files under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The number of contents that are stored.
fn contents(place: &Place, folder: &Path) -> usize {
    match quorate_test_database::is_on_server() {
        true => place.number("SELECT count(DISTINCT sha256) FROM upload_content") as usize,
        false => files(folder).len(),
    }
}

async fn table() -> (Place, Store, PathBuf) {
    let place = Place::new();
    let store = place.open();
    for name in ["a", "b"] {
        talk_on(&store, &id(name), 0, 2).await.unwrap();
    }
    let folder = place.folder().join("meetings.db.files");
    (place, store, folder)
}

#[tokio::test]
async fn the_same_content_lies_there_once_and_goes_with_the_last_who_needs_it() {
    let (place, store, folder) = table().await;
    let bytes: Vec<u8> = (0..600_000u32).map(|n| (n % 251) as u8).collect();
    let first = put(&store, called("u1", "a", "../../plans/数据.txt"), &bytes).await.unwrap();
    assert_eq!((first.name.as_str(), first.media_type.as_str()), ("数据.txt", "text/plain"));
    assert_eq!(first.size, 600_000);
    put(&store, called("u2", "b", "copy.txt"), &bytes).await.unwrap();
    put(&store, called("u3", "a", "hello.txt"), b"hello").await.unwrap();
    let hello = folder.join("2c/f24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    assert_eq!(content(&store, "u3").await, b"hello");
    assert_eq!(
        std::fs::read(&hello).is_ok_and(|bytes| bytes == b"hello"),
        !quorate_test_database::is_on_server()
    );
    assert_eq!(contents(&place, &folder), 2);
    assert_eq!(content(&store, "u2").await, bytes);
    let names: Vec<_> = store.uploads(&id("a")).await.unwrap().into_iter().map(|u| u.id).collect();
    assert_eq!(names, ["u1", "u3"]);
    let all = store.upload_total(None).await.unwrap();
    assert_eq!(all, UploadTotal { files: 3, bytes: 1_200_005 });
    assert_eq!(store.upload_total(Some(&id("b"))).await.unwrap().bytes, 600_000);

    store.delete_meeting(&id("a")).await.unwrap();
    assert!(!hello.exists());
    assert_eq!(content(&store, "u2").await, bytes, "the other meeting still has it");
    let gone = store.upload("u1").await.unwrap_err();
    assert!(matches!(gone, StoreError::NoSuchUpload { .. }), "{gone}");
    store.delete_upload("u2").await.unwrap();
    assert_eq!(contents(&place, &folder), 0);
    assert!(store.delete_upload("u2").await.is_err());
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_may_look() {
    if quorate_test_database::is_on_server() {
        // Contents lie in the database.
        return;
    }
    use std::os::unix::fs::PermissionsExt;
    let (_place, store, folder) = table().await;
    put(&store, called("u1", "a", "x"), b"x").await.unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&files(&folder)[0]), 0o600);
}

#[tokio::test]
async fn what_is_not_finished_leaves_nothing() {
    let (place, store, folder) = table().await;
    let mut dropped = store.begin_upload(called("u1", "a", "x"), 1 << 20).await.unwrap();
    dropped.write(&[7; 400_000]).await.unwrap();
    assert_eq!(files(&folder).len(), 1);
    drop(dropped);
    assert_eq!(files(&folder), Vec::<PathBuf>::new());

    let mut large = store.begin_upload(called("u1", "a", "x"), 10).await.unwrap();
    let refused = large.write(b"more than ten").await.unwrap_err();
    assert!(matches!(refused, StoreError::UploadTooLarge { most: 10 }), "{refused}");
    drop(large);
    for name in ["", "..", "a/"] {
        let refused = store.begin_upload(called("u1", "a", name), 10).await.unwrap_err();
        assert!(matches!(refused, StoreError::Invalid(_)), "{refused}");
    }
    let absent = put(&store, called("u1", "nobody", "x"), b"x").await.unwrap_err();
    assert!(matches!(absent, StoreError::Journal(JournalError::NoSuchMeeting(_))), "{absent}");

    let late = store.begin_upload(called("u1", "a", "x"), 10).await.unwrap();
    store.delete_meeting(&id("a")).await.unwrap();
    late.finish().await.unwrap_err();
    put(&store, called("u1", "b", "x"), b"one").await.unwrap();
    let twice = put(&store, called("u1", "b", "x"), b"two").await.unwrap_err();
    assert!(matches!(twice, StoreError::UploadExists { .. }), "{twice}");
    assert_eq!(contents(&place, &folder), 1);

    // As a process leaves it that was killed: half a file, and a whole one without its row.
    std::fs::write(folder.join("incoming/1-1"), "half").unwrap();
    let stray = folder.join(format!("ab/{}", "c".repeat(62)));
    match quorate_test_database::is_on_server() {
        true => place.execute("INSERT INTO upload_content (sha256, part, bytes) VALUES ('abcc', 0, '\\x00')"),
        false => {
            std::fs::create_dir_all(stray.parent().unwrap()).unwrap();
            std::fs::write(&stray, "stray").unwrap();
        }
    }
    drop(store);
    let store = place.open();
    assert!(!folder.join("incoming/1-1").exists());
    assert_eq!(contents(&place, &folder), 2);
    assert_eq!(store.sweep_uploads().await.unwrap(), 1);
    assert_eq!(contents(&place, &folder), 1);
    assert_eq!(content(&store, "u1").await, b"one");
}

#[tokio::test]
async fn all_files_together_have_a_limit_also_when_they_come_at_once() {
    let (place, store, folder) = table().await;
    put(&store, called("u1", "a", "x"), b"four").await.unwrap();
    let most = |files, bytes| UploadTotal { files, bytes };
    let mut coming = Vec::new();
    for name in ["u2", "u3", "u4"] {
        let mut uploading = store.begin_upload(called(name, "a", name), 100).await.unwrap();
        uploading.write(name.repeat(2).as_bytes()).await.unwrap();
        coming.push(uploading.within(most(3, 12)));
    }
    let coming = futures::future::join_all(coming.into_iter().map(Uploading::finish)).await;
    assert_eq!(coming.iter().filter(|kept| kept.is_ok()).count(), 2, "{coming:?}");
    let refused = coming.into_iter().find_map(Result::err).unwrap();
    assert!(matches!(refused, StoreError::UploadsFull { files: 3, bytes: 12 }), "{refused}");
    assert_eq!(contents(&place, &folder), 3, "what was refused leaves nothing");
    let mut heavy = store.begin_upload(called("u5", "a", "x"), 100).await.unwrap();
    heavy.write(b"heavy").await.unwrap();
    let refused = heavy.within(most(9, 16)).finish().await.unwrap_err();
    assert!(matches!(refused, StoreError::UploadsFull { .. }), "{refused}");
}

#[tokio::test]
async fn a_file_that_lost_its_content_says_so() {
    if quorate_test_database::is_on_server() {
        // Contents lie in the database.
        return;
    }
    let (_place, store, folder) = table().await;
    put(&store, called("u1", "a", "x"), b"content").await.unwrap();
    std::fs::write(&files(&folder)[0], "cont").unwrap();
    let damaged = store.open_upload("u1").await.unwrap_err();
    assert!(damaged.to_string().contains("4 bytes") && damaged.hint().contains("again"), "{damaged}");
    put(&store, called("u2", "a", "x"), b"content").await.unwrap();
    assert_eq!(content(&store, "u1").await, b"content", "given again, it is whole again");
}
