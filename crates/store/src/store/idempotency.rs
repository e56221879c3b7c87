//! Idempotency keys: a request that is sent twice is carried out once.
//!
//! A client sends a key with its request. The store remembers the answer, and a second request with the same
//! key gets it. Answers outlast a restart.
//!
//! **A process that dies during a request** leaves its outcome unknown: it may have died before the first
//! event was appended, or after the last. The next process that opens the database to write marks such
//! requests as abandoned. There is one writer at a time, so every request that is still running belongs to an
//! earlier process. A repetition of an abandoned request gets [`KeyState::Again`] with the time of the first
//! attempt. The caller then looks whether it was carried out since, and carries it out if not. What it finds
//! may belong to another request: [`Store::is_answered`] tells.

use std::fmt;
use std::sync::atomic::Ordering;

use quorate_contract::{MeetingId, Timestamp};
use sha2::{Digest, Sha256};

use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, Dialect, OptionalExtension, Row};
use crate::store::Store;

/// The longest key that is taken, in bytes.
pub const IDEMPOTENCY_KEY_BYTES: usize = 255;

/// The state of a request with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyState {
    /// The request is new: carry it out, then store its answer with this ticket.
    Fresh(Ticket),
    /// A process died during the request, which it had begun at this moment. It may have been carried out:
    /// look for what it would create.
    Again(Ticket, Timestamp),
    /// The request is being carried out since this moment.
    Running(Timestamp),
    /// The request was carried out with this answer.
    Done(StoredResponse),
    /// The key came with another request before.
    Mismatch,
}

/// One attempt at a request. Its holder stores the answer. It is known before the attempt begins, so that an attempt whose
/// beginning was not confirmed can be withdrawn, and no other one with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(i64);

/// The answer to a request.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// The HTTP status.
    pub status: u16,
    /// The headers that have to come again, by name.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The meeting that the answer is about; the answer is deleted with the meeting.
    pub meeting: Option<MeetingId>,
}

impl fmt::Debug for StoredResponse {
    /// Without the body, which may hold what was said.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredResponse({}, {} bytes)", self.status, self.body.len())
    }
}

impl Store {
    /// The ticket of one attempt at a request of `who` under `key`, which begins at `now`.
    pub fn ticket(&self, who: &str, key: &str, now: Timestamp) -> Ticket {
        let attempt = self.0.attempts.fetch_add(1, Ordering::Relaxed);
        let node = self.node_id().unwrap_or_default();
        let name = format!("{node} {attempt} {} {who} {key}", now.0);
        let hash: [u8; 32] = Sha256::digest(name).into();
        let mut number = [0; 8];
        number.copy_from_slice(&hash[..8]);
        Ticket(i64::from_be_bytes(number) & i64::MAX)
    }

    /// Begins a request of `who` under `key`, or returns its state. Of several that begin at once, one
    /// carries it out. `request` is a checksum of the request.
    ///
    /// # Errors
    /// When the key is empty or has more than [`IDEMPOTENCY_KEY_BYTES`]; when the database cannot be written, and then it may
    /// have begun all the same: [`withdraw_request`](Self::withdraw_request).
    pub async fn begin_request(
        &self,
        ticket: Ticket,
        who: &str,
        key: &str,
        request: [u8; 32],
        now: Timestamp,
    ) -> Result<KeyState, StoreError> {
        if !(1..=IDEMPOTENCY_KEY_BYTES).contains(&key.len()) {
            return Err(StoreError::BadIdempotencyKey { bytes: key.len() });
        }
        let (who, key) = (who.to_owned(), key.to_owned());
        self.change(move |connection| begin(connection, ticket, &who, &key, &request, now)).await
    }

    /// Keeps the answer to a request, and says whether it was kept: it is not when the request was
    /// given up or has grown too old meanwhile.
    pub async fn finish_request(&self, ticket: Ticket, answer: StoredResponse) -> Result<bool, StoreError> {
        self.change(move |connection| {
            let headers = serde_json::to_string(&answer.headers).expect("headers are texts");
            let meeting = answer.meeting.as_ref().map(MeetingId::as_str);
            let kept = connection.execute(
                "UPDATE idempotency SET state = 'done', status = ?2, headers = ?3, body = ?4, meeting = ?5
                 WHERE place = ?1 AND state = 'running'",
                (ticket.0, answer.status, headers, &answer.body, meeting),
            )?;
            Ok(kept > 0)
        })
        .await
    }

    /// Forgets a request that failed: the next one with its key is fresh.
    pub async fn forget_request(&self, ticket: Ticket) -> Result<(), StoreError> {
        self.change(move |connection| {
            connection
                .execute("DELETE FROM idempotency WHERE place = ?1 AND state = 'running'", [ticket.0])?;
            Ok(())
        })
        .await
    }

    /// Withdraws an attempt whose beginning at `now` could not be confirmed: it was not carried out. What an earlier
    /// process had begun is abandoned as before.
    pub async fn withdraw_request(&self, ticket: Ticket, now: Timestamp) -> Result<(), StoreError> {
        self.change(move |connection| {
            let of_ticket = "WHERE place = ?1 AND state = 'running' AND created_ms";
            let again = format!("UPDATE idempotency SET state = 'abandoned' {of_ticket} < ?2");
            connection.execute(&again, [ticket.0, now.0])?;
            connection.execute(&format!("DELETE FROM idempotency {of_ticket} >= ?2"), [ticket.0, now.0])?;
            Ok(())
        })
        .await
    }

    /// Abandons a request as a process does that dies during it: the next one with its key gets
    /// [`KeyState::Again`].
    pub async fn abandon_request(&self, ticket: Ticket) -> Result<(), StoreError> {
        self.change(move |connection| {
            connection.execute(
                "UPDATE idempotency SET state = 'abandoned' WHERE place = ?1 AND state = 'running'",
                [ticket.0],
            )?;
            Ok(())
        })
        .await
    }

    /// Whether a request about this meeting was answered with this header.
    pub async fn is_answered(&self, meeting: &MeetingId, header: (&str, &str)) -> Result<bool, StoreError> {
        let meeting = meeting.clone();
        // In the form of the row.
        let header = serde_json::to_string(&header).expect("headers are texts");
        self.change(move |connection| {
            let has_header = connection.dialect().contains("headers", "?2");
            Ok(connection
                .prepare_cached(&format!(
                    "SELECT EXISTS (SELECT 1 FROM idempotency
                     WHERE meeting = ?1 AND state = 'done' AND {has_header})",
                ))?
                .query_row((meeting.as_str(), &header), |row| row.get(0))?)
        })
        .await
    }

    /// Deletes all requests from before this moment, for example a day ago, and returns how many.
    pub async fn prune_requests(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.change(move |connection| {
            let pruned = connection.execute("DELETE FROM idempotency WHERE created_ms < ?1", [before.0])?;
            Ok(pruned as u64)
        })
        .await
    }
}

/// A condition that the process is gone which carries a request out.
const IS_LEFT: &str = "(node IS NULL OR NOT EXISTS (
    SELECT 1 FROM node WHERE node.token = idempotency.node AND node.lease_until > clock_timestamp()))";

/// Marks the requests of processes that are gone as abandoned. Whoever opens a file to write has just become its only
/// writer; on a server the others have a lease.
pub(crate) fn abandon(connection: &Connection) -> sql::Result<()> {
    let sql = match connection.dialect() {
        Dialect::Sqlite => "UPDATE idempotency SET state = 'abandoned' WHERE state = 'running'",
        Dialect::Postgres => {
            &format!("UPDATE idempotency SET state = 'abandoned' WHERE state = 'running' AND {IS_LEFT}")
        }
    };
    connection.execute(sql, [])?;
    Ok(())
}

fn begin(
    connection: &Connection,
    ticket: Ticket,
    who: &str,
    key: &str,
    request: &[u8; 32],
    now: Timestamp,
) -> Result<KeyState, StoreError> {
    let state = match connection.dialect() {
        Dialect::Sqlite => "state",
        // Whoever repeats it at once does not wait until it is marked.
        Dialect::Postgres => {
            &format!("CASE WHEN state = 'running' AND {IS_LEFT} THEN 'abandoned' ELSE state END")
        }
    };
    let known = connection
        .prepare_cached(&format!(
            "SELECT place, request, {state} AS state, status, headers, body, meeting, created_ms
             FROM idempotency WHERE who = ?1 AND key = ?2",
        ))?
        .query_row((who, key), StoredKey::of)
        .optional()?;
    let abandoned = match known {
        None => None,
        Some(known) if known.request != *request => return Ok(KeyState::Mismatch),
        Some(StoredKey { state: State::Running, since, .. }) => return Ok(KeyState::Running(since)),
        Some(StoredKey { state: State::Done(answer), .. }) => return Ok(KeyState::Done(answer)),
        Some(StoredKey { state: State::Abandoned, place, since, .. }) => {
            connection.execute("DELETE FROM idempotency WHERE place = ?1", [place])?;
            Some(since)
        }
    };
    connection
        .prepare_cached(
            "INSERT INTO idempotency (place, who, key, request, state, created_ms)
             VALUES (?1, ?2, ?3, ?4, 'running', ?5)",
        )?
        // However often it is cut off, it may have been done since the first time.
        .execute((ticket.0, who, key, &request[..], abandoned.unwrap_or(now).0))?;
    Ok(abandoned.map_or(KeyState::Fresh(ticket), |since| KeyState::Again(ticket, since)))
}

struct StoredKey {
    place: i64,
    request: Vec<u8>,
    state: State,
    since: Timestamp,
}

enum State {
    Running,
    Abandoned,
    Done(StoredResponse),
}

impl StoredKey {
    fn of(row: &Row<'_>) -> sql::Result<Self> {
        let state = match row.get::<_, String>("state")?.as_str() {
            "running" => State::Running,
            "done" => {
                let headers: String = row.get("headers")?;
                State::Done(StoredResponse {
                    status: row.get("status")?,
                    // Headers that make no sense are left out; the answer is given all the same.
                    headers: serde_json::from_str(&headers).unwrap_or_default(),
                    body: row.get("body")?,
                    meeting: row.get::<_, Option<String>>("meeting")?.map(MeetingId::new),
                })
            }
            _ => State::Abandoned,
        };
        Ok(Self {
            place: row.get("place")?,
            request: row.get("request")?,
            state,
            since: Timestamp(row.get("created_ms")?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000);
    const ONE: [u8; 32] = [1; 32];

    #[tokio::test]
    async fn a_request_whose_beginning_was_not_confirmed_leaves_its_key_free() {
        let (_dir, store) = place();
        let (lost, next) = (store.ticket("ada", "k", NOW), store.ticket("ada", "k", NOW));
        store.begin_request(lost, "ada", "k", ONE, NOW).await.unwrap();
        store.withdraw_request(next, NOW).await.unwrap();
        assert_eq!(begun(&store, "ada", "k").await, KeyState::Running(NOW));
        store.withdraw_request(lost, NOW).await.unwrap();
        let second = fresh(&store, "ada", "k").await;
        // The next one began in the same millisecond, and is carried out.
        store.withdraw_request(lost, NOW).await.unwrap();
        assert!(store.finish_request(second, created()).await.unwrap());
    }

    #[tokio::test]
    async fn a_second_try_of_what_an_earlier_process_had_begun_is_still_one_when_it_is_withdrawn() {
        let (_dir, store) = place();
        let cut_off = fresh(&store, "ada", "k").await;
        store.abandon_request(cut_off).await.unwrap();
        let late = Timestamp(NOW.0 + 50);
        let lost = store.ticket("ada", "k", late);
        let again = store.begin_request(lost, "ada", "k", ONE, late).await.unwrap();
        assert_eq!(again, KeyState::Again(lost, NOW));
        store.withdraw_request(lost, late).await.unwrap();
        let again = begun(&store, "ada", "k").await;
        assert!(matches!(again, KeyState::Again(_, NOW)), "{again:?}: it may have been carried out");
    }

    fn place() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        (dir, store)
    }

    async fn begun(store: &Store, who: &str, key: &str) -> KeyState {
        begun_at(store, (who, key), ONE, NOW).await
    }

    async fn begun_at(store: &Store, (who, key): (&str, &str), request: [u8; 32], at: Timestamp) -> KeyState {
        let ticket = store.ticket(who, key, at);
        store.begin_request(ticket, who, key, request, at).await.unwrap()
    }

    async fn fresh(store: &Store, who: &str, key: &str) -> Ticket {
        match begun(store, who, key).await {
            KeyState::Fresh(ticket) => ticket,
            other => panic!("{other:?}"),
        }
    }

    fn created() -> StoredResponse {
        StoredResponse {
            status: 201,
            headers: vec![("location".to_owned(), "/meetings/m".to_owned())],
            body: b"{}".to_vec(),
            meeting: None,
        }
    }

    #[tokio::test]
    async fn the_second_request_gets_the_answer_of_the_first() {
        let (_dir, store) = place();
        let ticket = fresh(&store, "ada", "k").await;
        assert_eq!(begun(&store, "ada", "k").await, KeyState::Running(NOW));
        fresh(&store, "ben", "k").await;
        assert!(store.finish_request(ticket, created()).await.unwrap());
        assert_eq!(begun(&store, "ada", "k").await, KeyState::Done(created()));
        let other = begun_at(&store, ("ada", "k"), [2; 32], NOW).await;
        assert_eq!(other, KeyState::Mismatch);
        for key in ["", &"k".repeat(256)] {
            let refused = store.begin_request(ticket, "ada", key, ONE, NOW).await.unwrap_err();
            assert!(matches!(refused, StoreError::BadIdempotencyKey { .. }), "{refused}");
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_many_that_begin_at_once_one_is_told_to_do_it() {
        let (_dir, store) = place();
        let asked = (0..50).map(|_| begun(&store, "ada", "k"));
        let told = futures::future::join_all(asked).await;
        assert_eq!(told.iter().filter(|begun| matches!(begun, KeyState::Fresh(_))).count(), 1);
        assert_eq!(told.iter().filter(|begun| matches!(begun, KeyState::Running(_))).count(), 49);
    }

    #[tokio::test]
    async fn what_was_given_up_may_be_done_again_and_its_late_end_counts_for_nothing() {
        let (_dir, store) = place();
        let first = fresh(&store, "ada", "k").await;
        store.forget_request(first).await.unwrap();
        let second = fresh(&store, "ada", "k").await;
        assert!(!store.finish_request(first, created()).await.unwrap(), "it had been given up");
        store.forget_request(first).await.unwrap();
        assert_eq!(begun(&store, "ada", "k").await, KeyState::Running(NOW));
        assert!(store.finish_request(second, created()).await.unwrap());
        store.forget_request(second).await.unwrap();
        assert_eq!(begun(&store, "ada", "k").await, KeyState::Done(created()), "an answer stays");
    }

    #[tokio::test]
    async fn a_restart_keeps_answers_and_abandons_what_ran() {
        let (dir, store) = place();
        let done = fresh(&store, "ada", "done").await;
        store.finish_request(done, created()).await.unwrap();
        let cut_off = fresh(&store, "ada", "cut off").await;
        drop(store);
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        assert_eq!(begun(&store, "ada", "done").await, KeyState::Done(created()));
        let other = begun_at(&store, ("ada", "cut off"), [2; 32], NOW).await;
        assert_eq!(other, KeyState::Mismatch, "what was asked for is still known");
        let late = Timestamp(NOW.0 + 50);
        let again = begun_at(&store, ("ada", "cut off"), ONE, late).await;
        let KeyState::Again(ticket, NOW) = again else { panic!("{again:?} is not abandoned") };
        assert_ne!(ticket, cut_off);
        assert_eq!(begun(&store, "ada", "cut off").await, KeyState::Running(NOW), "only once");
        store.abandon_request(ticket).await.unwrap();
        let KeyState::Again(ticket, NOW) = begun(&store, "ada", "cut off").await else {
            panic!("it is given up")
        };
        assert!(store.finish_request(ticket, created()).await.unwrap());
        store.abandon_request(ticket).await.unwrap();
        assert_eq!(begun(&store, "ada", "cut off").await, KeyState::Done(created()), "an answer stays");
    }

    #[tokio::test]
    async fn what_was_answered_with_is_known_to_the_letter() {
        let (_dir, store) = place();
        let ticket = fresh(&store, "ada", "k").await;
        let meeting = MeetingId::new("m");
        let answer = StoredResponse {
            headers: vec![("location".to_owned(), "/m/messages/m12".to_owned())],
            meeting: Some(meeting.clone()),
            ..created()
        };
        assert!(!store.is_answered(&meeting, ("location", "/m/messages/m12")).await.unwrap());
        store.finish_request(ticket, answer).await.unwrap();
        assert!(store.is_answered(&meeting, ("location", "/m/messages/m12")).await.unwrap());
        assert!(!store.is_answered(&meeting, ("location", "/m/messages/m1")).await.unwrap());
        assert!(!store.is_answered(&MeetingId::new("n"), ("location", "/m/messages/m12")).await.unwrap());
    }

    #[tokio::test]
    async fn old_ones_are_pruned() {
        let (_dir, store) = place();
        let old = fresh(&store, "ada", "old").await;
        store.finish_request(old, created()).await.unwrap();
        begun_at(&store, ("ada", "new"), ONE, Timestamp(NOW.0 + 1)).await;
        assert_eq!(store.prune_requests(Timestamp(NOW.0 + 1)).await.unwrap(), 1);
        fresh(&store, "ada", "old").await;
        assert!(matches!(begun(&store, "ada", "new").await, KeyState::Running(_)));
    }
}
