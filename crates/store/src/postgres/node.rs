//! This process among the others that write in the same database: its lease, and the meetings that it owns.
//!
//! A process owns the meetings that it runs. Its lease says until when, by the clock of the database, so that no other
//! clock matters: it lasts 10 s and is renewed every 3 s. When it has passed, others may take over its meetings; each time
//! a meeting changes hands its epoch rises, and an append of an earlier epoch is refused. A process that could not renew
//! its lease for 7 s appends nothing by itself; that is a courtesy, and nothing depends on it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quorate_contract::{MeetingId, Timestamp};
use quorate_core::MeetingState;
use quorate_engine::JournalError;
use serde::{Deserialize, Serialize};

use super::owner_change::{self, TakenMeeting};
use super::pool::Pool;
use crate::sql::{self, Behavior, Connection, OptionalExtension, Transaction};

/// How long a lease lasts, as the database writes it.
const LEASE: &str = "interval '10 seconds'";
/// How often it is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(3);
/// How often an attempt to renew it is made while the last one failed.
const RETRY_EVERY: Duration = Duration::from_millis(500);
/// How long after the last renewal nothing is appended any more.
const FENCED_AFTER: Duration = Duration::from_secs(7);
/// How long a process stays listed after its lease has passed.
const LISTED: &str = "interval '1 hour'";

/// A process that writes in the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Node {
    /// Its name.
    pub id: String,
    /// Where other nodes reach it over HTTP; `None` for a command, which serves nobody.
    pub address: Option<String>,
    /// The version of Quorate that it runs.
    pub version: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When its lease expires; in the past when it is gone.
    pub lease_expires_at: Timestamp,
    /// Whether its lease lasts.
    pub alive: bool,
    /// Whether it is about to end, and takes nothing over.
    pub draining: bool,
    /// The number of meetings that it owns and that have not ended.
    pub meetings: u64,
    /// The number of meetings that it has taken over from others.
    pub takeovers: u64,
    /// Whether it is the process that answers.
    pub here: bool,
}

/// What this process has seen of its lease since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct NodeStats {
    /// The time since the last renewal, in milliseconds.
    pub lease_age_ms: u64,
    /// How often the lease had passed before it could be renewed.
    pub lapses: u64,
    /// The number of meetings that were taken over from others.
    pub takeovers: u64,
    /// The number of appends that were refused because another process owns the meeting.
    pub fenced_appends: u64,
}

/// This process, among the others.
pub(crate) struct ThisNode {
    id: String,
    /// By what rows are marked as its own. Another one after the lease had passed.
    token: RwLock<Arc<str>>,
    address: Mutex<Option<String>>,
    renewed: Mutex<Instant>,
    draining: AtomicBool,
    lapses: AtomicU64,
    takeovers: AtomicU64,
    pub(super) fenced: AtomicU64,
}

impl ThisNode {
    /// Enters this process, with a new lease.
    pub(super) fn enter(connection: &Connection, id: String) -> sql::Result<Arc<Self>> {
        let token = token_of(&id);
        insert(connection, &token, &id, None)?;
        connection
            .execute(&format!("DELETE FROM node WHERE lease_until < clock_timestamp() - {LISTED}"), [])?;
        Ok(Arc::new(Self {
            id,
            token: RwLock::new(token.into()),
            address: Mutex::default(),
            renewed: Mutex::new(Instant::now()),
            draining: AtomicBool::new(false),
            lapses: AtomicU64::new(0),
            takeovers: AtomicU64::new(0),
            fenced: AtomicU64::new(0),
        }))
    }

    /// The name of this process.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The mark of its rows.
    pub(crate) fn token(&self) -> Arc<str> {
        Arc::clone(&self.token.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the last renewal is too long ago for it to go on.
    pub(crate) fn is_fenced(&self) -> bool {
        self.renewed().elapsed() > FENCED_AFTER
    }

    /// Says where others reach it.
    pub(crate) fn announce(&self, connection: &Connection, address: &str) -> sql::Result<()> {
        *self.address.lock().unwrap_or_else(PoisonError::into_inner) = Some(address.to_owned());
        connection
            .execute("UPDATE node SET address = ?2 WHERE token = ?1", [&*self.token(), address])
            .map(|_| ())
    }

    /// What it has seen of its lease.
    pub(crate) fn stats(&self) -> NodeStats {
        NodeStats {
            lease_age_ms: u64::try_from(self.renewed().elapsed().as_millis()).unwrap_or(u64::MAX),
            lapses: self.lapses.load(Ordering::Relaxed),
            takeovers: self.takeovers.load(Ordering::Relaxed),
            fenced_appends: self.fenced.load(Ordering::Relaxed),
        }
    }

    fn renewed(&self) -> Instant {
        *self.renewed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews the lease. One that has passed is another process's by now: this one begins anew, and owns nothing.
    fn renew(&self, connection: &Connection) -> sql::Result<()> {
        let begun = Instant::now();
        let token = self.token();
        let renew = format!(
            "UPDATE node SET lease_until = clock_timestamp() + {LEASE}, draining = ?2, takeovers = ?3
             WHERE token = ?1 AND lease_until > clock_timestamp()"
        );
        let takeovers = self.takeovers.load(Ordering::Relaxed);
        let renewed = connection.prepare_cached(&renew)?.execute((
            &*token,
            self.draining.load(Ordering::Relaxed),
            takeovers,
        ))?;
        if renewed == 0 {
            let next = token_of(&self.id);
            let address = self.address.lock().unwrap_or_else(PoisonError::into_inner).clone();
            insert(connection, &next, &self.id, address.as_deref())?;
            tracing::warn!(
                node = self.id,
                "the lease of this node had passed; it begins anew, and owns no meeting"
            );
            self.lapses.fetch_add(1, Ordering::Relaxed);
            *self.token.write().unwrap_or_else(PoisonError::into_inner) = next.into();
        }
        // From before the statement: the lease may be younger, never older.
        *self.renewed.lock().unwrap_or_else(PoisonError::into_inner) = begun;
        Ok(())
    }

    /// Takes nothing over any more.
    pub(crate) fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Gives up all meetings and the lease.
    fn leave(&self, connection: &Connection) -> sql::Result<()> {
        let token = self.token();
        connection.execute("UPDATE meeting SET owner = NULL, left_by = owner WHERE owner = ?1", [&*token])?;
        connection.execute("DELETE FROM node WHERE token = ?1", [&*token]).map(|_| ())
    }
}

impl std::fmt::Debug for ThisNode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ThisNode({})", self.id)
    }
}

fn insert(connection: &Connection, token: &str, id: &str, address: Option<&str>) -> sql::Result<()> {
    connection
        .execute(
            &format!(
                "INSERT INTO node (token, id, address, version, lease_until)
                 VALUES (?1, ?2, ?3, ?4, clock_timestamp() + {LEASE})"
            ),
            (token, id, address, env!("CARGO_PKG_VERSION")),
        )
        .map(|_| ())
}

/// A token that no other process and no earlier time of this one has.
fn token_of(id: &str) -> String {
    let mut bytes = [0; 8];
    // Without random numbers the time tells two from each other.
    if getrandom::fill(&mut bytes).is_err() {
        let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        bytes = (nanos.as_nanos() as u64).to_be_bytes();
    }
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{id}#{digits}")
}

/// Who owns a meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ownership {
    /// This process, in this epoch.
    Here {
        /// How often the meeting has changed hands.
        epoch: i64,
    },
    /// Another one whose lease lasts.
    Elsewhere {
        /// Its name.
        node: String,
        /// Where it is reached.
        address: Option<String>,
    },
}

/// A condition that the owner of a meeting is gone, or that there is none.
const IS_FREE: &str = "(meeting.owner IS NULL OR NOT EXISTS (SELECT 1 FROM node
    WHERE node.token = meeting.owner AND node.lease_until > clock_timestamp()))";

/// Takes a meeting for this process unless another one owns it, in the caller's transaction.
pub(super) fn claim(connection: &Connection, node: &ThisNode, key: i64) -> sql::Result<Ownership> {
    let token = node.token();
    let owned = connection
        .prepare_cached("SELECT epoch FROM meeting WHERE key = ?1 AND owner = ?2")?
        .query_row((key, &*token), |row| row.get(0))
        .optional()?;
    if let Some(epoch) = owned {
        return Ok(Ownership::Here { epoch });
    }
    let claimed: Option<(i64, bool, String, Option<String>)> = connection
        .prepare_cached(&format!(
            "UPDATE meeting SET owner = ?2, epoch = meeting.epoch + 1
             FROM (SELECT key, owner FROM meeting WHERE key = ?1 FOR UPDATE) AS before
             WHERE meeting.key = before.key AND {IS_FREE}
             RETURNING meeting.epoch, before.owner IS NOT NULL, meeting.id, coalesce(before.owner, meeting.left_by)"
        ))?
        .query_row((key, &*token), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    if let Some((epoch, from_another, id, before)) = claimed {
        node.takeovers.fetch_add(u64::from(from_another), Ordering::Relaxed);
        owner_change::note(connection, node, &[TakenMeeting { id, epoch, before }])?;
        return Ok(Ownership::Here { epoch });
    }
    let owner = connection
        .prepare_cached(
            "SELECT node.id, node.address FROM meeting JOIN node ON node.token = meeting.owner
             WHERE meeting.key = ?1",
        )?
        .query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (node, address) = owner.unwrap_or_else(|| ("?".to_owned(), None));
    Ok(Ownership::Elsewhere { node, address })
}

/// Takes a meeting that is to run here, unless another process owns it. One that has ended needs no owner.
pub(super) fn claim_to_run(
    connection: &Connection,
    node: &ThisNode,
    id: &MeetingId,
) -> Result<(), JournalError> {
    let unavailable = |error: sql::Error| crate::error::unavailable(&error);
    let transaction = Transaction::begin(connection, Behavior::Append).map_err(unavailable)?;
    let found: Option<(i64, String)> = transaction
        .prepare_cached("SELECT key, phase FROM meeting WHERE id = ?1")
        .and_then(|mut select| {
            select.query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
        .map_err(unavailable)?;
    // Whoever reads it says that it is not there.
    let Some((key, phase)) = found else { return Ok(()) };
    if phase == MeetingState::Ended.as_str() {
        return Ok(());
    }
    let ownership = claim(&transaction, node, key).map_err(unavailable)?;
    transaction.commit().map_err(unavailable)?;
    match ownership {
        Ownership::Here { .. } => Ok(()),
        Ownership::Elsewhere { node, address } => {
            Err(JournalError::Elsewhere { meeting: id.clone(), node, address })
        }
    }
}

/// Takes over meetings that nobody owns and that are to go on, at most so many, and says which.
pub(super) fn claim_free(connection: &Connection, node: &ThisNode, most: u32) -> sql::Result<Vec<MeetingId>> {
    let token = node.token();
    let sql = format!(
        "WITH free AS (
             SELECT key, owner FROM meeting
             WHERE phase NOT IN ('draft', 'ended') AND {IS_FREE}
             ORDER BY created_ms LIMIT ?2 FOR UPDATE SKIP LOCKED
         )
         UPDATE meeting SET owner = ?1, epoch = meeting.epoch + 1 FROM free
         WHERE meeting.key = free.key AND {IS_FREE}
         RETURNING meeting.id, free.owner IS NOT NULL, meeting.epoch, coalesce(free.owner, meeting.left_by)"
    );
    let transaction = Transaction::begin(connection, Behavior::Append)?;
    let mut claim = connection.prepare_cached(&sql)?;
    let rows = claim.query_map((&*token, most), |row| {
        let taken = TakenMeeting { id: row.get(0)?, epoch: row.get(2)?, before: row.get(3)? };
        Ok((taken, row.get::<_, bool>(1)?))
    })?;
    let (taken, from_another): (Vec<TakenMeeting>, Vec<bool>) =
        rows.collect::<sql::Result<Vec<_>>>()?.into_iter().unzip();
    owner_change::note(&transaction, node, &taken)?;
    transaction.commit()?;
    let from_others = from_another.into_iter().filter(|from_another| *from_another).count();
    node.takeovers.fetch_add(from_others as u64, Ordering::Relaxed);
    Ok(taken.into_iter().map(|taken| MeetingId::new(taken.id)).collect())
}

/// Whether this process is the one that does what has to be done once for all of them: the oldest that serves.
pub(super) fn is_leader(connection: &Connection, node: &ThisNode) -> sql::Result<bool> {
    let leader: Option<String> = connection
        .prepare_cached(
            "SELECT token FROM node WHERE lease_until > clock_timestamp() AND NOT draining
             ORDER BY address IS NULL, started_at, token LIMIT 1",
        )?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(leader.is_some_and(|leader| *leader == *node.token()))
}

/// The process that owns a meeting, when it is another one whose lease lasts. One that has ended needs no owner.
pub(super) fn owner_elsewhere(
    connection: &Connection,
    node: Option<&ThisNode>,
    id: &MeetingId,
    ended_too: bool,
) -> sql::Result<Option<(String, Option<String>)>> {
    let token = node.map(ThisNode::token).unwrap_or_default();
    let which = if ended_too { "" } else { "AND meeting.phase <> 'ended'" };
    connection
        .prepare_cached(&format!(
            "SELECT node.id, node.address FROM meeting JOIN node ON node.token = meeting.owner
             WHERE meeting.id = ?1 AND meeting.owner <> ?2 AND node.lease_until > clock_timestamp() {which}",
        ))?
        .query_row([id.as_str(), &*token], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// Those of these meetings that another process owns whose lease lasts.
pub(super) fn owned_elsewhere(
    connection: &Connection,
    node: &ThisNode,
    ids: &[MeetingId],
) -> sql::Result<Vec<MeetingId>> {
    let Connection::Postgres(postgres) = connection else { return Ok(Vec::new()) };
    let (token, ids): (_, Vec<&str>) = (node.token(), ids.iter().map(MeetingId::as_str).collect());
    let rows = postgres.query_raw(
        "SELECT meeting.id FROM meeting JOIN node ON node.token = meeting.owner
         WHERE meeting.id = ANY($1) AND meeting.owner <> $2 AND node.lease_until > clock_timestamp()",
        &[&ids, &&*token],
    )?;
    rows.iter().map(|row| Ok(MeetingId::new(row.try_get::<_, String>(0)?))).collect()
}

/// The processes that write here, those that are gone for less than an hour too.
pub(super) fn list(connection: &Connection, node: Option<&ThisNode>) -> sql::Result<Vec<Node>> {
    let token = node.map(ThisNode::token).unwrap_or_default();
    let ms = |column: &str| format!("CAST(extract(epoch FROM {column}) * 1000 AS BIGINT)");
    let mut select = connection.prepare_cached(&format!(
        "SELECT id, address, version, {}, {}, lease_until > clock_timestamp(), draining,
                (SELECT count(*) FROM meeting WHERE meeting.owner = node.token AND phase <> 'ended'),
                takeovers, token = ?1
         FROM node ORDER BY started_at",
        ms("started_at"),
        ms("lease_until"),
    ))?;
    let rows = select.query_map([&*token], |row| {
        Ok(Node {
            id: row.get(0)?,
            address: row.get(1)?,
            version: row.get(2)?,
            started_at: Timestamp(row.get(3)?),
            lease_expires_at: Timestamp(row.get(4)?),
            alive: row.get(5)?,
            draining: row.get(6)?,
            meetings: row.get(7)?,
            takeovers: row.get(8)?,
            here: row.get(9)?,
        })
    })?;
    rows.collect()
}

/// The thread that renews the lease. It ends when this is dropped, and gives up what this process owned.
#[derive(Debug)]
pub(super) struct LeaseThread {
    node: Arc<ThisNode>,
    stop: Option<std::sync::mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LeaseThread {
    /// Begins with a connection of its own, so that nothing else delays it.
    pub(super) fn start(pool: &Arc<Pool>, node: &Arc<ThisNode>) -> std::io::Result<Self> {
        let (stop, stopped) = std::sync::mpsc::channel();
        let (pool, this) = (Arc::clone(pool), Arc::clone(node));
        let thread = std::thread::Builder::new().name("quorate-lease".to_owned()).spawn(move || {
            let mut connection: Option<Connection> = None;
            let mut pause = RENEW_EVERY;
            while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(pause) {
                pause = match renew(&pool, &this, &mut connection) {
                    Ok(()) => RENEW_EVERY,
                    Err(error) => {
                        tracing::warn!(node = this.id, %error, "the lease of this node could not be renewed");
                        connection = None;
                        RETRY_EVERY
                    }
                };
            }
            let left =
                connection.map_or_else(|| pool.connect(), Ok).and_then(|connection| this.leave(&connection));
            if let Err(error) = left {
                // The lease passes by itself.
                tracing::debug!(node = this.id, %error, "the lease of this node could not be given up");
            }
        })?;
        Ok(Self { node: Arc::clone(node), stop: Some(stop), thread: Some(thread) })
    }

    pub(super) fn node(&self) -> &Arc<ThisNode> {
        &self.node
    }
}

fn renew(pool: &Pool, node: &ThisNode, kept: &mut Option<Connection>) -> sql::Result<()> {
    let connection = match kept.take() {
        Some(connection) if pool.is_usable(&connection) => connection,
        _ => pool.connect()?,
    };
    let before = node.token();
    node.renew(&connection)?;
    if node.token() != before {
        // Connections say for which process they are.
        pool.close();
    }
    *kept = Some(connection);
    Ok(())
}

impl Drop for LeaseThread {
    fn drop(&mut self) {
        self.stop = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
