//! The audit log: who did what, and from where, as it is read and pruned.

use quorate_contract::{MeetingId, Timestamp};
use serde_json::Value as Json;

use crate::audit_log::AuditEntry;
use crate::conditions::Conditions;
use crate::cursor::Page;
use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, Row};
use crate::sqlite::writer::Writer;
use crate::store::pages::PAGE_ROWS;
use crate::store::{Database, Store};
use crate::{audit_spool, cursor, missing_rows};

/// The list that a cursor belongs to.
const AUDIT: char = 'a';

/// The filter of audit entries; all given conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only entries of this principal.
    pub by: Option<String>,
    /// Only entries of this action; with a dot at its end, of all actions with this prefix: `login.`.
    pub action: Option<String>,
    /// Only entries about this meeting.
    pub meeting: Option<MeetingId>,
    /// At this moment or later.
    pub from: Option<Timestamp>,
    /// Only entries before this moment.
    pub before: Option<Timestamp>,
}

impl Store {
    /// Hands an entry over, and does not wait until it is written. It is written before the store
    /// is closed, and in the order in which entries were handed over. A store that was opened only to be read
    /// leaves it for the writer.
    pub fn audit(&self, entry: AuditEntry) {
        self.note(entry);
    }

    /// Whether processes that only read the database have left entries for the writer.
    pub fn audit_waits(&self) -> bool {
        self.location().file().is_some() && audit_spool::waiting(self.path()) > 0
    }

    /// Waits until all entries that were handed over before are written, or have failed.
    pub async fn audit_written(&self) -> Result<(), StoreError> {
        match self.database() {
            Database::Sqlite(database) => {
                let task = |writer: &mut Writer| {
                    writer.write_audit();
                    Ok(())
                };
                database.with_writer(task).await
            }
            Database::Postgres(_) => {
                let store = self.clone();
                let written = tokio::task::spawn_blocking(move || match store.database() {
                    Database::Postgres(database) => database.write_audit(),
                    Database::Sqlite(_) => Ok(()),
                });
                written.await.unwrap_or(Ok(()))
            }
        }
    }

    /// A page of the entries that `filter` asks for, the last written first.
    ///
    /// # Errors
    /// When the cursor is none of this list.
    pub async fn audit_page(
        &self,
        filter: AuditFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<AuditEntry>, StoreError> {
        let before = cursor.map(|cursor| cursor::read(AUDIT, cursor)).transpose()?;
        self.reading(move |connection| page(connection, &filter, before, limit.clamp(1, PAGE_ROWS))).await
    }

    /// Takes away all entries from before this moment, and says how many.
    pub async fn prune_audit(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.change(move |connection| {
            Ok(missing_rows::remove_audit(connection, "ts_ms < ?1", &[before.0.into()])?)
        })
        .await
    }

    /// Deletes all but the last `keep` entries of clients that had not signed in, and returns how many.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn prune_refused_audit(&self, keep: u32) -> Result<u64, StoreError> {
        let oldest = "SELECT place FROM audit WHERE who = '' ORDER BY place DESC LIMIT 1 OFFSET ?1";
        self.change(move |connection| {
            let condition = format!("who = '' AND place <= coalesce(({oldest}), 0)");
            Ok(missing_rows::remove_audit(connection, &condition, &[i64::from(keep).into()])?)
        })
        .await
    }
}

fn page(
    connection: &Connection,
    filter: &AuditFilter,
    before: Option<[i64; 1]>,
    limit: u32,
) -> Result<Page<AuditEntry>, StoreError> {
    let mut conditions = Conditions::default();
    conditions.maybe("who = ?", filter.by.clone());
    match &filter.action {
        Some(beginning) if beginning.ends_with('.') => {
            let beyond = format!("{beginning}{}", char::MAX);
            conditions.add("action >= ? AND action < ?", [beginning.clone().into(), beyond.into()]);
        }
        action => conditions.maybe("action = ?", action.clone()),
    }
    conditions.maybe("meeting = ?", filter.meeting.as_ref().map(|meeting| meeting.as_str().to_owned()));
    conditions.maybe("ts_ms >= ?", filter.from.map(|moment| moment.0));
    conditions.maybe("ts_ms < ?", filter.before.map(|moment| moment.0));
    conditions.maybe("place < ?", before.map(|[place]| place));
    let sql = format!(
        "SELECT place, ts_ms, who, action, meeting, detail, address FROM audit{} ORDER BY place DESC LIMIT {}",
        conditions.sql(),
        limit + 1
    );
    let mut select = connection.prepare_cached(&sql)?;
    let rows = select.query_map(&*conditions.values(), |row| Ok((row.get::<_, i64>(0)?, entry_in(row)?)))?;
    let page = Page::of(rows.collect::<Result<_, _>>()?, limit, |(place, _)| cursor::write(AUDIT, [*place]));
    Ok(page.map(|(_, entry)| entry))
}

fn entry_in(row: &Row<'_>) -> sql::Result<AuditEntry> {
    let detail: String = row.get("detail")?;
    Ok(AuditEntry {
        ts_ms: Timestamp(row.get("ts_ms")?),
        by: row.get("who")?,
        action: row.get("action")?,
        meeting: row.get::<_, Option<String>>("meeting")?.map(MeetingId::new),
        // What is no JSON is shown as the text that it is.
        detail: serde_json::from_str(&detail).unwrap_or(Json::String(detail)),
        address: row.get("address")?,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use serde_json::json;

    use super::*;
    use crate::{Disk, DiskFault};

    fn entry(second: i64, who: &str, action: &str, meeting: Option<&str>) -> AuditEntry {
        AuditEntry {
            ts_ms: Timestamp(second * 1000),
            by: who.to_owned(),
            action: action.to_owned(),
            meeting: meeting.map(MeetingId::new),
            detail: json!({ "second": second }),
            address: "127.0.0.1".to_owned(),
        }
    }

    async fn seconds(store: &Store, filter: AuditFilter) -> Vec<i64> {
        let page = store.audit_page(filter, None, 100).await.unwrap();
        page.items.iter().map(|entry| entry.ts_ms.0 / 1000).collect()
    }

    #[tokio::test]
    async fn what_was_done_is_written_without_waiting_and_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("meetings.db");
        let store = Store::open(crate::testing::location(&path)).unwrap();
        store.audit(entry(1, "ada", "login.ok", None));
        store.audit(entry(2, "ben", "login.refused", None));
        store.audit(entry(3, "ada", "meeting.delete", Some("m")));
        store.audit_written().await.unwrap();
        let all = store.audit_page(AuditFilter::default(), None, 2).await.unwrap();
        assert_eq!(all.items[0], entry(3, "ada", "meeting.delete", Some("m")));
        let rest = store.audit_page(AuditFilter::default(), all.next.as_deref(), 2).await.unwrap();
        assert_eq!((rest.items, rest.next), (vec![entry(1, "ada", "login.ok", None)], None));
        let text = |text: &str| Some(text.to_owned());
        let none = AuditFilter::default;
        assert_eq!(seconds(&store, AuditFilter { by: text("ada"), ..none() }).await, [3, 1]);
        assert_eq!(seconds(&store, AuditFilter { action: text("login."), ..none() }).await, [2, 1]);
        assert_eq!(seconds(&store, AuditFilter { action: text("login.ok"), ..none() }).await, [1]);
        let meeting = Some(MeetingId::new("m"));
        assert_eq!(seconds(&store, AuditFilter { meeting, ..none() }).await, [3]);
        let (from, before) = (Some(Timestamp(2000)), Some(Timestamp(3000)));
        assert_eq!(seconds(&store, AuditFilter { from, before, ..none() }).await, [2]);

        let beside = Store::open_read_only(crate::testing::location(&path)).unwrap();
        beside.audit(entry(5, "ben", "backup.post", None));
        while seconds(&store, none()).await.first() != Some(&5) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        assert!(!beside.audit_waits(), "the writer has taken it over");
        assert_eq!(store.prune_audit(Timestamp(1000)).await.unwrap(), 0);

        store.audit(entry(4, "ada", "logout", None));
        drop(store);
        beside.audit(entry(6, "ben", "backup.post", None));
        let waits_for_a_writer = !quorate_test_database::is_on_server();
        assert_eq!(beside.audit_waits(), waits_for_a_writer);
        beside.audit_written().await.ok();
        let store = Store::open(crate::testing::location(&path)).unwrap();
        store.audit_written().await.unwrap();
        assert_eq!(seconds(&store, none()).await, [6, 4, 5, 3, 2, 1], "closing and opening write what waits");
        let changed = store.change(|c| Ok(c.execute("UPDATE audit SET who = 'x'", [])?)).await;
        assert!(changed.is_err(), "a row is never changed");
        assert_eq!(store.prune_audit(Timestamp(3000)).await.unwrap(), 2);
        assert_eq!(seconds(&store, none()).await, [6, 4, 5, 3]);
    }

    #[tokio::test]
    async fn of_what_nobody_in_particular_did_only_the_last_entries_stay() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        for second in 0..20 {
            store.audit(entry(second, if second % 4 == 0 { "user:ada" } else { "" }, "look", None));
        }
        store.audit_written().await.unwrap();
        assert_eq!(store.prune_refused_audit(3).await.unwrap(), 12);
        assert_eq!(seconds(&store, AuditFilter::default()).await, [19, 18, 17, 16, 12, 8, 4, 0]);
        assert_eq!(store.prune_refused_audit(3).await.unwrap(), 0);
        let report =
            crate::verify::verify(crate::testing::location(dir.path().join("meetings.db")), |_| {}, |_| {})
                .unwrap();
        assert!(report.is_clean(), "{report:?}");
    }

    /// A disk that loses the report of the first commits.
    struct LosesReports(AtomicU32);

    impl Disk for LosesReports {
        fn after_commit(&self) -> Result<(), DiskFault> {
            match self.0.load(Ordering::Relaxed) {
                0 => Ok(()),
                left => {
                    self.0.store(left - 1, Ordering::Relaxed);
                    Err(DiskFault::Failed)
                }
            }
        }
    }

    #[tokio::test]
    async fn what_was_kept_though_it_was_reported_as_failed_is_written_once() {
        let dir = tempfile::tempdir().unwrap();
        let disk = Arc::new(LosesReports(AtomicU32::new(2)));
        let store = Store::open_in_line(&dir.path().join("meetings.db"), disk).unwrap();
        for second in 1..=3 {
            store.audit(entry(second, "ada", "look", None));
        }
        store.audit(entry(4, "ben", "look", None));
        // A failed write is tried again after a pause.
        for _ in 0..100 {
            store.audit_written().await.ok();
            if seconds(&store, AuditFilter::default()).await.first() == Some(&4) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(seconds(&store, AuditFilter::default()).await, [4, 3, 2, 1]);
    }

    #[tokio::test]
    async fn it_is_written_also_when_nobody_asks_for_anything_else() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        for second in 0..3 {
            store.audit(entry(second, "ada", "look", None));
            while seconds(&store, AuditFilter::default()).await.len() <= second as usize {
                tokio::task::yield_now().await;
            }
        }
    }
}
