//! One flipped bit, anywhere: it is detected, or it changes nothing that is read.

use std::path::Path;

use quorate_contract::{Event, Timestamp};
use quorate_store::{AuditEntry, MeetingSummary, Store, StoreError};
use rusqlite::types::Value;

use crate::fixtures::{Place, id, lines, lines_of_talk, talk_on, verify};

const MEETINGS: [&str; 3] = ["m-ada", "m-ben", "m-cid"];

/// A closed database with a few short meetings: what is in it lies in the one file.
async fn stored() -> Place {
    let place = Place::new();
    let store = place.open();
    for (meeting, events) in MEETINGS.into_iter().zip([7, 3, 4]) {
        talk_on(&store, &id(meeting), 0, events).await.unwrap();
    }
    drop(store);
    place
}

/// A column's value with its bit number `bit` flipped, counted on through its bytes.
fn flipped(value: &Value, bit: usize) -> Value {
    let flip = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    match value {
        Value::Integer(number) => Value::Integer(number ^ (1 << bit)),
        Value::Text(text) => Value::Blob(flip(text.as_bytes())),
        Value::Blob(bytes) => Value::Blob(flip(bytes)),
        other => panic!("nothing to flip in {other:?}"),
    }
}

#[tokio::test]
async fn verify_finds_every_flip_of_a_stored_value() {
    let place = stored().await;
    let raw = rusqlite::Connection::open(place.db()).unwrap();
    raw.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;").unwrap();
    let columns = |table: &str| -> Vec<String> {
        let sql = format!("SELECT name FROM pragma_table_info('{table}') WHERE pk = 0");
        let mut names = raw.prepare(&sql).unwrap();
        names.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let mut tried = 0;
    for (table, key) in [("event", "place"), ("meeting", "key")] {
        for column in columns(table) {
            let select = format!("SELECT {key}, {column} FROM {table}");
            let stored: Vec<(i64, Value)> = raw
                .prepare(&select)
                .unwrap()
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
                .unwrap()
                .collect::<Result<_, _>>()
                .unwrap();
            for (row, value) in stored {
                let bits = match &value {
                    Value::Null => continue,
                    Value::Integer(_) => 63,
                    Value::Text(text) => text.len() * 8,
                    Value::Blob(bytes) => bytes.len() * 8,
                    Value::Real(_) => panic!("there are no such columns"),
                };
                let kind = if matches!(value, Value::Text(_)) { "TEXT" } else { "BLOB" };
                let kind = if matches!(value, Value::Integer(_)) { "INTEGER" } else { kind };
                let sql = format!("UPDATE {table} SET {column} = CAST(?1 AS {kind}) WHERE {key} = ?2");
                // Every byte of what is short, and another bit of each; long lines in steps.
                let step = if bits > 400 { 41 } else { 9 };
                for bit in (0..bits).step_by(step) {
                    if raw.execute(&sql, (flipped(&value, bit), row)).is_err() {
                        // The flip made a number that is taken: SQLite itself does not store it.
                        assert!(matches!(column.as_str(), "seq" | "meeting"), "{column}");
                        continue;
                    }
                    let report = verify(&place.db()).unwrap();
                    assert!(!report.is_clean(), "bit {bit} of {column} in row {row} of {table}");
                    raw.execute(&sql, (&value, row)).unwrap();
                    tried += 1;
                }
            }
        }
    }
    assert!(verify(&place.db()).unwrap().is_clean(), "all flips were taken back");
    println!("{tried} flips of stored values, all found");
    assert!(tried > 1000, "{tried}");
}

#[tokio::test]
async fn a_problem_names_its_event_and_no_other() {
    let place = stored().await;
    let raw = rusqlite::Connection::open(place.db()).unwrap();
    raw.execute_batch("UPDATE event SET line = replace(line, 'yes', 'nay') WHERE meeting = 1 AND seq = 4")
        .unwrap();
    let mut heard = Vec::new();
    let report = quorate_store::verify(
        place.db(),
        |progress| heard.push((progress.meetings, progress.of_meetings, progress.events)),
        |_: &Event| {},
    )
    .unwrap();
    let problems: Vec<_> = report.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, ["meeting m-ada, event 4: its checksum does not match"]);
    assert_eq!(heard, [(1, 3, 7), (2, 3, 10), (3, 3, 14)]);
}

#[tokio::test]
async fn a_lost_event_is_missed() {
    for (sql, said) in [
        ("DELETE FROM event WHERE meeting = 1 AND seq = 4", "event 4: it is missing"),
        ("DELETE FROM event WHERE meeting = 1 AND seq = 7", "another last_seq than the log"),
        ("DELETE FROM meeting WHERE key = 2", "3 events belong to no meeting"),
    ] {
        let place = stored().await;
        let raw = rusqlite::Connection::open(place.db()).unwrap();
        raw.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        assert_eq!(raw.execute(sql, []).unwrap(), 1);
        drop(raw);
        let report = verify(&place.db()).unwrap();
        let problems: Vec<_> = report.problems.iter().map(ToString::to_string).collect();
        assert!(problems.iter().any(|problem| problem.contains(said)), "{sql}: {problems:?}");
        if sql.contains("FROM event") {
            let store = Store::open_read_only(place.db()).unwrap();
            store.lines(&id("m-ada"), 0).await.expect_err("reading notices, too");
        }
    }
}

#[tokio::test]
async fn a_second_loss_is_found_behind_the_first() {
    let found = async |sql: &str| {
        let place = stored().await;
        behind_our_back(&place, sql);
        problems(&place)
    };
    let ada = |what: &str| format!("meeting m-ada, {what}");
    let all = found("DELETE FROM event WHERE meeting = 1 AND seq IN (2, 5)").await;
    assert_eq!(all, [ada("event 2: it is missing"), ada("event 5: it is missing")]);
    let all = found("DELETE FROM event WHERE meeting = 1 AND seq IN (1, 2, 4, 7)").await;
    let more = "meeting m-ada: the catalogue has another last_seq than the log";
    assert_eq!(
        all[..3],
        [ada("event 1: it and all up to 2 are missing"), ada("event 4: it is missing"), more.to_owned()]
    );
    let all = found(
        "DELETE FROM event WHERE meeting = 1 AND seq = 2;
         UPDATE event SET line = replace(line, 'yes', 'nay') WHERE meeting = 1 AND seq IN (4, 6);
         UPDATE event SET line = 'x' WHERE meeting = 2 AND seq = 2",
    )
    .await;
    for said in [
        &ada("event 2: it is missing"),
        &ada("event 4: its checksum"),
        &ada("event 6: its checksum"),
        "meeting m-ben, event 2: it cannot be decoded",
    ] {
        assert!(all.iter().any(|problem| problem.starts_with(said)), "{said}: {all:?}");
    }
}

/// All that the store gives out: the list, and every line.
async fn all_that_is_read(path: &Path) -> Result<(Vec<MeetingSummary>, Vec<String>), StoreError> {
    let store = Store::open_read_only(path)?;
    let meetings = store.meetings(100, 0).await?;
    let mut lines = Vec::new();
    for meeting in MEETINGS {
        lines.extend(store.lines(&id(meeting), 0).await?.into_iter().map(|(_, line)| line));
    }
    Ok((meetings, lines))
}

#[tokio::test]
async fn a_flip_anywhere_in_the_file_is_found_or_harmless() {
    let place = stored().await;
    let whole = std::fs::read(place.db()).unwrap();
    let original = all_that_is_read(&place.db()).await.unwrap();
    assert_eq!(original.1.len(), 14);
    let scratch = Place::new();
    let (mut found, mut harmless) = (0, 0);
    // All of the header, and through the rest in steps that meet every bit of a byte.
    let header = (0..100 * 8).step_by(3);
    let rest = (100 * 8..whole.len() * 8).step_by(577);
    for bit in header.chain(rest) {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        for leftover in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(scratch.folder().join(format!("meetings.db{leftover}")));
        }
        std::fs::write(scratch.db(), damaged).unwrap();
        if verify(&scratch.db()).is_ok_and(|report| report.is_clean()) {
            match all_that_is_read(&scratch.db()).await {
                Ok(read) => {
                    assert_eq!(read, original, "bit {bit} changed something unnoticed");
                    harmless += 1;
                }
                // Another version number is no damage, but the reader says that it is not its own.
                Err(StoreError::Older { .. }) => found += 1,
                Err(error) => panic!("verify had no complaint: {error}"),
            }
        } else {
            found += 1;
        }
    }
    println!("{found} flips in the file found, {harmless} harmless, 0 unnoticed");
    assert!(found > 100 && harmless > 100, "{found} {harmless}");
    // Reading alone, without verify, gives what was written or an error; see above.
    assert_eq!(lines(&place.open(), &id("m-ben")).await.len(), 3);
}

fn problems(place: &Place) -> Vec<String> {
    verify(&place.db()).unwrap().problems.iter().map(ToString::to_string).collect()
}

/// Changes the file with another program.
fn behind_our_back(place: &Place, sql: &str) {
    let raw = rusqlite::Connection::open(place.db()).unwrap();
    raw.execute_batch("PRAGMA foreign_keys = OFF;").unwrap();
    raw.execute_batch(sql).unwrap();
}

#[tokio::test]
async fn a_meeting_that_was_taken_out_is_missed_by_name() {
    for (sql, said) in [
        (
            "DELETE FROM event WHERE meeting = 2",
            "meeting m-ben: it is in the catalogue, and its log is missing",
        ),
        ("DELETE FROM meeting WHERE key = 2", "meeting m-ben: its row in the catalogue is missing"),
        (
            "DELETE FROM event WHERE meeting = 2; DELETE FROM meeting WHERE key = 2",
            "meeting m-ben: it is missing: neither",
        ),
        (
            "DELETE FROM event WHERE meeting = 3; DELETE FROM meeting WHERE key = 3;
             DELETE FROM meeting_register WHERE key = 3",
            "meeting number 3 is missing",
        ),
    ] {
        let place = stored().await;
        behind_our_back(&place, sql);
        let problems = problems(&place);
        assert!(problems.iter().any(|problem| problem.contains(said)), "{sql}: {problems:?}");
    }
    // One that was deleted as it should be is not missing, and its number is not given again.
    let place = stored().await;
    let store = place.open();
    store.delete_meeting(&id("m-cid")).await.unwrap();
    talk_on(&store, &id("m-dan"), 0, 2).await.unwrap();
    store.delete_meeting(&id("m-dan")).await.unwrap();
    drop(store);
    assert_eq!(problems(&place), Vec::<String>::new());
}

#[tokio::test]
async fn an_entry_that_was_taken_out_of_the_audit_log_or_changed_is_missed() {
    let audited = async || {
        let place = Place::new();
        let store = place.open();
        for second in 1..=9 {
            store.audit(AuditEntry {
                ts_ms: Timestamp(second * 1000),
                by: "ada".to_owned(),
                action: "login.ok".to_owned(),
                meeting: (second % 2 == 0).then(|| id("m-ada")),
                detail: serde_json::json!({ "second": second }),
                address: "local".to_owned(),
            });
            store.audit_written().await.unwrap();
        }
        drop(store);
        place
    };
    let place = audited().await;
    assert_eq!(problems(&place), Vec::<String>::new());
    let store = place.open();
    assert_eq!(store.prune_audit(Timestamp(3000)).await.unwrap(), 2);
    assert_eq!(store.prune_audit(Timestamp(5000)).await.unwrap(), 2);
    drop(store);
    assert_eq!(problems(&place), Vec::<String>::new(), "what was pruned is not missing");
    let store = place.open();
    assert_eq!(store.prune_audit(Timestamp(50_000)).await.unwrap(), 5);
    drop(store);
    assert_eq!(problems(&place), Vec::<String>::new(), "nor is all of it");

    for (sql, said) in [
        ("DELETE FROM audit WHERE place = 4", "entry 4 of the audit log is missing"),
        ("DELETE FROM audit WHERE place IN (4, 5)", "entries 4 to 5 of the audit log are missing"),
        ("DELETE FROM audit WHERE place = 9", "entry 9 of the audit log is missing"),
        ("DELETE FROM audit WHERE place = 1", "entry 1 of the audit log is missing"),
        ("DELETE FROM audit", "entries 1 to 9 of the audit log are missing"),
        (
            "DROP TRIGGER audit_stays; UPDATE audit SET who = 'eve' WHERE place = 6",
            "entry 6 of the audit log is not as it was written",
        ),
        (
            "DROP TRIGGER audit_stays; UPDATE audit SET hash = NULL WHERE place = 6",
            "entry 6 of the audit log has no checksum",
        ),
    ] {
        let place = audited().await;
        behind_our_back(&place, sql);
        let problems = problems(&place);
        assert!(problems.iter().any(|problem| problem.contains(said)), "{sql}: {problems:?}");
    }
}

#[tokio::test]
async fn a_damaged_event_costs_what_follows_it_and_nothing_before() {
    let place = stored().await;
    behind_our_back(
        &place,
        "UPDATE event SET line = replace(line, 'yes', 'nay') WHERE meeting = 1 AND seq = 4",
    );
    let store = Store::open_read_only(place.db()).unwrap();
    let found = store.salvage(&id("m-ada")).await.unwrap();
    let whole: Vec<_> = found.records.iter().map(|record| record.line.to_string()).collect();
    assert_eq!(whole, lines_of_talk(&id("m-ada"), 3));
    let damage = found.damage.expect("it breaks off");
    assert_eq!((damage.event, damage.last_seq, damage.whole(), damage.missing()), (4, 7, 3, 4));
    assert_eq!(damage.detail.id(), "store-verify-checksum");
    let other = store.salvage(&id("m-ben")).await.unwrap();
    assert_eq!((other.records.len(), other.damage), (3, None));
    assert_eq!(store.meetings(9, 0).await.unwrap().len(), 3, "all are listed");
}

#[tokio::test]
async fn a_damaged_row_of_the_catalogue_costs_no_other_meeting() {
    for (column, value) in
        [("phase", "'nonsense'"), ("participants", "-5"), ("last_seq", "-1"), ("paused", "77")]
    {
        let place = stored().await;
        behind_our_back(&place, &format!("UPDATE meeting SET {column} = {value} WHERE key = 2"));
        let store = Store::open_read_only(place.db()).unwrap();
        let listed = store.meetings(9, 0).await.unwrap_or_else(|error| panic!("{column}: {error}"));
        assert_eq!(listed.len(), 3, "{column}");
        let page = store.meetings_page(Default::default(), None, 9).await;
        let page = page.unwrap_or_else(|error| panic!("{column}: {error}"));
        assert_eq!(page.items.len(), 3, "{column}");
    }
}
