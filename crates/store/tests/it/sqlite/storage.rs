//! Storage faults: a file that is removed, a folder that is not writable, a disk that fails for a while.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quorate_contract::Timestamp;
use quorate_engine::{Journal, JournalError, StorageFault};
use quorate_store::{Disk, DiskFault, Store, StoreError};

use crate::fixtures::{Place, id, lines, lines_of_talk, talk, talk_on, verify};

fn fault(error: &JournalError) -> Option<StorageFault> {
    match error {
        JournalError::Unavailable { fault, .. } => Some(*fault),
        _ => None,
    }
}

/// Waits until the store reports the state by itself, without any request.
async fn hears(store: &Store, wanted: Option<StorageFault>) {
    let mut told = store.watch_trouble();
    let is_wanted = |told: &Option<JournalError>| told.as_ref().and_then(fault) == wanted;
    let heard = tokio::time::timeout(Duration::from_secs(20), told.wait_for(is_wanted)).await;
    heard.unwrap_or_else(|_| panic!("{wanted:?} is told, and not {:?}", store.trouble())).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_database_that_is_taken_away_is_missed_and_welcomed_back() {
    let place = Place::new();
    let (store, meeting) = (place.open(), id("m-1"));
    talk_on(&store, &meeting, 0, 2).await.unwrap();
    let away = place.folder().join("away.db");
    std::fs::rename(place.db(), &away).unwrap();
    let refused = talk_on(&store, &meeting, 2, 1).await.unwrap_err();
    assert_eq!(fault(&refused), Some(StorageFault::Gone), "{refused}");
    let unread = store.read(meeting.clone(), 0).await.unwrap_err();
    assert_eq!(fault(&unread), Some(StorageFault::Gone), "{unread}");
    let changed = store.set_setting("limits", None, Timestamp(0)).await.unwrap_err();
    assert_eq!(changed.fault(), Some(StorageFault::Gone), "{changed}");
    assert_eq!(fault(&store.check().await.unwrap_err()), Some(StorageFault::Gone));

    // Another database in its place is not the one that runs here.
    drop(Store::open(place.folder().join("other.db")).unwrap());
    std::fs::rename(place.folder().join("other.db"), place.db()).unwrap();
    let refused = talk_on(&store, &meeting, 2, 1).await.unwrap_err();
    assert!(refused.to_string().contains("another file"), "{refused}");

    std::fs::rename(&away, place.db()).unwrap();
    hears(&store, None).await;
    talk_on(&store, &meeting, 2, 1).await.unwrap();
    drop(store);
    assert_eq!(lines(&place.open(), &meeting).await, lines_of_talk(&meeting, 3));
    assert!(verify(&place.db()).unwrap().is_clean());
}

#[cfg(unix)]
#[tokio::test]
async fn that_a_database_is_gone_is_noticed_though_nobody_asks() {
    let place = Place::new();
    let store = place.open();
    std::fs::remove_file(place.db()).unwrap();
    hears(&store, Some(StorageFault::Gone)).await;
}

#[cfg(unix)]
#[tokio::test]
async fn what_lay_in_a_write_ahead_log_that_was_removed_is_kept() {
    let place = Place::new();
    let (store, meeting) = (place.open(), id("m-1"));
    talk_on(&store, &meeting, 0, 3).await.unwrap();
    std::fs::remove_file(place.folder().join("meetings.db-wal")).unwrap();
    talk_on(&store, &meeting, 3, 2).await.expect("it is in the database by now");
    // As after a kill: only what lies on the disk under its name counts.
    let copy = Place::new();
    for name in ["meetings.db", "meetings.db-wal"] {
        // Without one, all is in the database.
        let _ = std::fs::copy(place.folder().join(name), copy.folder().join(name));
    }
    assert_eq!(lines(&copy.open(), &meeting).await, lines_of_talk(&meeting, 5));
    talk_on(&store, &meeting, 5, 2).await.expect("it goes on with another log");
    assert_eq!(lines(&store, &meeting).await, lines_of_talk(&meeting, 7));
}

#[tokio::test]
async fn a_database_is_read_where_nothing_can_be_made_beside_it() {
    let place = Place::new();
    let (store, meeting) = (place.open(), id("m-1"));
    talk_on(&store, &meeting, 0, 3).await.unwrap();
    drop(store);
    // No user can make a file where a folder is.
    let blocked = |place: &Place| std::fs::create_dir(place.folder().join("meetings.db-shm")).unwrap();
    blocked(&place);
    let before = std::fs::read(place.db()).unwrap();
    let reader = Store::open_read_only(place.db()).expect("it can be read");
    assert_eq!(lines(&reader, &meeting).await, lines_of_talk(&meeting, 3));
    assert!(verify(&place.db()).unwrap().is_clean());
    assert_eq!(reader.meetings(10, 0).await.unwrap().len(), 1);
    assert_eq!(std::fs::read(place.db()).unwrap(), before);
}

/// A killed process leaves its last events in the write-ahead log alone.
#[cfg(unix)]
#[tokio::test]
async fn a_write_ahead_log_is_read_where_nothing_can_be_made_beside_it() {
    let place = Place::new();
    let (store, meeting) = (place.open(), id("m-1"));
    talk_on(&store, &meeting, 0, 3).await.unwrap();
    let left = Place::new();
    for name in ["meetings.db", "meetings.db-wal"] {
        std::fs::copy(place.folder().join(name), left.folder().join(name)).unwrap();
    }
    std::fs::create_dir(left.folder().join("meetings.db-shm")).unwrap();
    let reader = Store::open_read_only(left.db()).expect("it can be read");
    assert_eq!(lines(&reader, &meeting).await, lines_of_talk(&meeting, 3), "the log is read, too");
    assert!(verify(&left.db()).unwrap().is_clean());
    let names: Vec<_> =
        std::fs::read_dir(left.folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "nothing was left there: {names:?}");
}

#[tokio::test]
async fn a_log_without_its_database_is_not_thrown_away() {
    let place = Place::new();
    let (store, meeting) = (place.open(), id("m-1"));
    talk_on(&store, &meeting, 0, 3).await.unwrap();
    let left = Place::new();
    let log = left.folder().join("meetings.db-wal");
    std::fs::copy(place.folder().join("meetings.db-wal"), &log).unwrap();
    let before = std::fs::read(&log).unwrap();
    let refused = Store::open(left.db()).unwrap_err();
    assert!(matches!(refused, StoreError::LogWithoutDatabase { .. }), "{refused}");
    assert!(!left.db().exists(), "nothing was made");
    assert_eq!(std::fs::read(&log).unwrap(), before);
    // An empty one in its place would have SQLite throw the log away.
    std::fs::write(left.db(), b"").unwrap();
    let refused = Store::open(left.db()).unwrap_err();
    assert!(matches!(refused, StoreError::LogWithoutDatabase { .. }), "{refused}");
    assert_eq!(std::fs::read(&log).unwrap(), before);
}

/// The limit of a process on the size of its files stands for a full disk: a test can reach and lift it.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn when_the_disk_has_room_again_the_store_goes_on_by_itself() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    if std::env::var_os(CHILD).is_none() {
        let mut child = std::process::Command::new("sh");
        // Ignoring the signal makes the write fail instead of the process.
        child.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
        child.arg(std::env::current_exe().unwrap()).env(CHILD, "1");
        child.args([
            "--exact",
            "storage::when_the_disk_has_room_again_the_store_goes_on_by_itself",
            "--nocapture",
        ]);
        let told = child.output().unwrap();
        assert!(told.status.success(), "{told:?}");
        return;
    }
    let place = Place::new();
    let (store, meeting) = (place.open(), id("m-1"));
    let before = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: Some(1 << 20), maximum: before.maximum }).unwrap();
    let mut acknowledged = 0;
    let refused = loop {
        let words = "words ".repeat(4000);
        let mut records = talk(&meeting, acknowledged + 1, acknowledged + 1);
        if acknowledged > 1 {
            records =
                vec![crate::fixtures::record(&meeting, acknowledged + 1, crate::fixtures::said(&words))];
        }
        match store.append(meeting.clone(), acknowledged, records).await {
            Ok(()) => acknowledged += 1,
            Err(error) => break error,
        }
        assert!(acknowledged < 10_000, "the limit is never reached");
    };
    assert!(matches!(fault(&refused), Some(StorageFault::Disk | StorageFault::Full)), "{refused}");
    assert_eq!(refused.recovery(), quorate_engine::Recovery::WhenMended);
    assert!(store.check().await.is_err(), "that is known to whoever asks whether all is well");
    // Each answer comes at once, however many ask, and none of them waits for the others.
    let begun = std::time::Instant::now();
    for _ in 0..50 {
        store.set_setting("x", Some("words ".repeat(40_000).into()), Timestamp(0)).await.unwrap_err();
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(
        store.lines(&meeting, 0).await.unwrap().len() as u64,
        acknowledged,
        "what is there can be read"
    );

    setrlimit(Resource::Fsize, before).unwrap();
    hears(&store, None).await;
    store.check().await.expect("all is well again");
    talk_on(&store, &meeting, acknowledged, 1).await.unwrap();
    drop(store);
    assert!(verify(&place.db()).unwrap().is_clean());
}

#[cfg(target_os = "linux")]
const CHILD: &str = "QUORATE_TEST_SMALL_FILES";

/// A disk that fails the next commit as it is told: before it, or after it.
#[derive(Default)]
struct FailingDisk {
    before: Mutex<Option<DiskFault>>,
    after: Mutex<Option<DiskFault>>,
}

impl Disk for FailingDisk {
    fn before_commit(&self) -> Result<(), DiskFault> {
        self.before.lock().unwrap().take().map_or(Ok(()), Err)
    }
    fn after_commit(&self) -> Result<(), DiskFault> {
        self.after.lock().unwrap().take().map_or(Ok(()), Err)
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_without_threads_recovers_from_a_failed_commit_whether_or_not_it_was_kept() {
    let place = Place::new();
    drop(place.open());
    let (disk, meeting) = (Arc::new(FailingDisk::default()), id("m-1"));
    let store = Store::open_in_line(&place.db(), Arc::<FailingDisk>::clone(&disk)).unwrap();
    talk_on(&store, &meeting, 0, 2).await.unwrap();

    *disk.before.lock().unwrap() = Some(DiskFault::Full);
    let refused = talk_on(&store, &meeting, 2, 1).await.unwrap_err();
    assert_eq!(fault(&refused), Some(StorageFault::Full), "{refused}");
    let same = talk_on(&store, &meeting, 2, 1).await.unwrap_err();
    assert_eq!(fault(&same), Some(StorageFault::Full), "{same}");
    assert_eq!(store.lines(&meeting, 0).await.unwrap().len(), 2, "nothing of it is there");

    tokio::time::advance(Duration::from_secs(1)).await;
    *disk.after.lock().unwrap() = Some(DiskFault::Failed);
    let doubtful = talk_on(&store, &meeting, 2, 1).await.unwrap_err();
    assert_eq!(fault(&doubtful), Some(StorageFault::Disk), "{doubtful}");
    assert_eq!(store.lines(&meeting, 0).await.unwrap().len(), 3, "it is there all the same");

    tokio::time::advance(Duration::from_secs(1)).await;
    let again = talk_on(&store, &meeting, 2, 1).await.unwrap_err();
    assert!(matches!(again, JournalError::Conflict { found: 3, .. }), "{again}");
    talk_on(&store, &meeting, 3, 1).await.unwrap();
    assert!(store.trouble().is_none());
    drop(store);
    assert_eq!(lines(&place.open(), &meeting).await, lines_of_talk(&meeting, 4));
    assert!(verify(&place.db()).unwrap().is_clean());
}
