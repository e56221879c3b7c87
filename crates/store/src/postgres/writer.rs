//! The thread that appends, and the group commit.
//!
//! Everything that waits is committed in one transaction. Its first statement moves the rows of all its meetings on, each
//! only if its log still ends where the append expects it to: whoever else appends to the same meeting waits for that
//! row, and is refused then. The numbers of the events are taken after that, in the order in which groups commit, so that
//! whoever follows the log by number sees no gap that is filled later.
//!
//! **After a failure** nothing is assumed: the connection is closed, all appends of the group fail, and the meetings are
//! read anew. The commit may have succeeded although its answer was lost; who appends finds out by reading.

use std::collections::HashMap;
use std::sync::Arc;

use quorate_contract::MeetingId;
use quorate_engine::{JournalError, Record, StorageFault};
use quorate_messages::message;
use tokio::sync::mpsc;

use super::catalogue_rows::CatalogueRows;
use super::node::{self, Ownership, ThisNode};
use super::pool::Pool;
use crate::append::{Append, GROUP_APPENDS, GROUP_BYTES};
use crate::catalogue;
use crate::chain::{self, Hash};
use crate::error::unavailable;
use crate::health::Health;
use crate::meeting_row::{ImmutableColumns, MutableColumns};
use crate::mention_index;
use crate::sql::{self, Behavior, Connection, ErrorKind, Transaction};

/// The number of meetings whose row is remembered (some 200 bytes each).
const REMEMBERED: usize = 16_384;

pub(super) struct Writer<W> {
    pool: Arc<Pool>,
    node: Arc<ThisNode>,
    health: Health,
    connection: Option<Connection>,
    known: HashMap<MeetingId, OwnedHead>,
    /// The token of this node when they were read.
    known_as: Arc<str>,
    /// Says that there is something to index.
    appended: W,
}

/// The events of a group, and the meetings that they move on.
#[derive(Default)]
struct Group<'a> {
    /// The meetings as the group leaves them, with the number of the last event before it.
    moved: HashMap<&'a MeetingId, Moved>,
    events: Vec<NewEvent<'a>>,
}

struct Moved {
    head: OwnedHead,
    from: u64,
}

/// A meeting that this node owns, as the last commit left it.
#[derive(Clone)]
struct OwnedHead {
    key: i64,
    standing: MutableColumns,
    epoch: i64,
}

struct NewEvent<'a> {
    key: i64,
    record: &'a Record,
    hash: Hash,
}

impl<W: Fn()> Writer<W> {
    pub(super) fn new(pool: Arc<Pool>, node: Arc<ThisNode>, health: Health, appended: W) -> Self {
        let known_as = node.token();
        Self { pool, node, health, connection: None, known: HashMap::new(), known_as, appended }
    }

    /// Runs until all senders are gone.
    pub(super) fn run(mut self, mut queue: mpsc::Receiver<Append>) {
        let mut group = Vec::with_capacity(GROUP_APPENDS);
        while let Some(first) = queue.blocking_recv() {
            let mut bytes = first.bytes();
            group.push(first);
            while group.len() < GROUP_APPENDS
                && bytes < GROUP_BYTES
                && let Ok(next) = queue.try_recv()
            {
                bytes += next.bytes();
                group.push(next);
            }
            self.append(std::mem::take(&mut group));
        }
    }

    /// Appends a group, and tells everybody in it.
    fn append(&mut self, group: Vec<Append>) {
        let verdicts = self.committed(&group);
        if verdicts.iter().any(Result::is_ok) {
            (self.appended)();
        }
        for (append, verdict) in group.into_iter().zip(verdicts) {
            // Who is gone reads what was appended.
            let _ = append.reply.send(verdict);
        }
    }

    fn committed(&mut self, group: &[Append]) -> Vec<Result<(), JournalError>> {
        if self.node.is_fenced() {
            let error = JournalError::Unavailable {
                fault: StorageFault::Unreachable,
                detail: message!("store-lease-not-renewed"),
            };
            self.health.failed(&error);
            return group.iter().map(|_| Err(error.clone())).collect();
        }
        match self.commit(group) {
            Ok(verdicts) => {
                self.health.succeeded();
                verdicts
            }
            // One of the group is in the way of the others: each for itself.
            Err(error) if matches!(error.kind(), ErrorKind::Constraint | ErrorKind::Conflict) => {
                self.known.clear();
                let alone = |append: &Append| match self.commit(std::slice::from_ref(append)) {
                    Ok(mut verdicts) => verdicts.pop().unwrap_or(Ok(())),
                    Err(error) if error.kind() == ErrorKind::Constraint => Err(JournalError::Conflict {
                        meeting: append.meeting.clone(),
                        expected: append.expected,
                        found: append.expected + 1,
                    }),
                    Err(error) => Err(self.gave_up(&error)),
                };
                group.iter().map(alone).collect()
            }
            Err(error) => {
                let error = self.gave_up(&error);
                group.iter().map(|_| Err(error.clone())).collect()
            }
        }
    }

    fn gave_up(&mut self, error: &sql::Error) -> JournalError {
        (self.connection, self.known) = (None, HashMap::new());
        let error = unavailable(error);
        self.health.failed(&error);
        error
    }

    /// Commits what can be of a group in one transaction. On an error nothing of it may be taken as stored.
    fn commit(&mut self, group: &[Append]) -> sql::Result<Vec<Result<(), JournalError>>> {
        let connection = match self.connection.take() {
            Some(connection) if self.pool.is_usable(&connection) => connection,
            _ => self.pool.take()?,
        };
        let token = self.node.token();
        if self.known.len() > REMEMBERED || token != self.known_as {
            self.known.clear();
            self.known_as = token;
        }
        let mut committed = commit(&connection, &self.node, &self.known, group)?;
        // Those that somebody else had moved on are forgotten, and looked at once more: what is stored by now says why
        // they are refused.
        for place in std::mem::take(&mut committed.again) {
            self.known.remove(&group[place].meeting);
            let alone = commit(&connection, &self.node, &self.known, std::slice::from_ref(&group[place]))?;
            committed.moved.extend(alone.moved);
            if let (Some(verdict), true) = (alone.verdicts.into_iter().next(), alone.again.is_empty()) {
                committed.verdicts[place] = verdict;
            }
        }
        self.known.extend(committed.moved);
        self.connection = Some(connection);
        Ok(committed.verdicts)
    }
}

/// What became of a group.
struct Committed {
    verdicts: Vec<Result<(), JournalError>>,
    moved: HashMap<MeetingId, OwnedHead>,
    /// Appends that were refused because somebody else had moved their meeting on since it was read.
    again: Vec<usize>,
}

fn commit(
    connection: &Connection,
    node: &ThisNode,
    known: &HashMap<MeetingId, OwnedHead>,
    group: &[Append],
) -> sql::Result<Committed> {
    let transaction = Transaction::begin(connection, Behavior::Append)?;
    let mut verdicts = Vec::with_capacity(group.len());
    let mut gathered = Group::default();
    for append in group {
        verdicts.push(gathered.take(&transaction, node, known, append)?);
    }
    let kept = gathered.move_on(&transaction, node)?;
    let mut again = Vec::new();
    for (place, (append, verdict)) in group.iter().zip(&mut verdicts).enumerate() {
        // A meeting that somebody else has moved on is read anew; its appends are refused, all of them.
        if let Some(moved) = gathered.moved.get(&append.meeting)
            && verdict.is_ok()
            && !append.records.is_empty()
            && !kept.contains(&moved.head.key)
        {
            *verdict = Err(conflict(append, moved.from + 1));
            again.push(place);
        }
    }
    gathered.events.retain(|event| kept.contains(&event.key));
    gathered.insert_events(&transaction)?;
    transaction.commit()?;
    let heads = gathered.moved.into_iter().filter(|(_, moved)| kept.contains(&moved.head.key));
    let moved = heads.map(|(id, moved)| (id.clone(), moved.head)).collect();
    Ok(Committed { verdicts, moved, again })
}

impl<'a> Group<'a> {
    /// Takes an append in, if it continues its meeting as far as is known.
    fn take(
        &mut self,
        connection: &Connection,
        node: &ThisNode,
        known: &HashMap<MeetingId, OwnedHead>,
        append: &'a Append,
    ) -> sql::Result<Result<(), JournalError>> {
        if let Err(broken) = append.keeps_the_contract() {
            return Ok(Err(broken));
        }
        if !self.moved.contains_key(&append.meeting) {
            let head = match known.get(&append.meeting) {
                // A remembered head that does not fit may be out of date.
                Some(head) if head.standing.last_seq == append.expected => Some(head.clone()),
                _ => match catalogue::load(connection, &append.meeting) {
                    Err(error) if error.kind() == ErrorKind::Value => {
                        let (meeting, seq) = (append.meeting.clone(), append.expected);
                        let detail = message!("store-row-damaged", %error);
                        return Ok(Err(JournalError::Damaged { meeting, seq, detail }));
                    }
                    loaded => match loaded? {
                        None => None,
                        Some((key, standing)) => match node::claim(connection, node, key)? {
                            Ownership::Here { epoch } => Some(OwnedHead { key, standing, epoch }),
                            Ownership::Elsewhere { node: owner, address } => {
                                node.fenced.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                                let meeting = append.meeting.clone();
                                return Ok(Err(JournalError::Elsewhere { meeting, node: owner, address }));
                            }
                        },
                    },
                },
            };
            let head = match (head, append.records.first()) {
                (Some(head), _) => head,
                (None, _) if append.expected != 0 => return Ok(Err(conflict(append, 0))),
                (None, None) => return Ok(Ok(())),
                (None, Some(first)) => {
                    let spec = ImmutableColumns::of(&first.event);
                    let standing = MutableColumns::at_the_beginning(&append.meeting);
                    let key = catalogue::insert(connection, None, &append.meeting, &spec, &standing)?;
                    match node::claim(connection, node, key)? {
                        Ownership::Here { epoch } => OwnedHead { key, standing, epoch },
                        Ownership::Elsewhere { .. } => return Ok(Err(conflict(append, 0))),
                    }
                }
            };
            let from = head.standing.last_seq;
            self.moved.insert(&append.meeting, Moved { head, from });
        }
        let Some(moved) = self.moved.get_mut(&append.meeting) else { return Ok(Ok(())) };
        if moved.head.standing.last_seq != append.expected {
            return Ok(Err(conflict(append, moved.head.standing.last_seq)));
        }
        for record in &append.records {
            let hash = chain::next(&moved.head.standing.last_hash, record.line.as_bytes());
            moved.head.standing.apply(&record.event, hash);
            self.events.push(NewEvent { key: moved.head.key, record, hash });
        }
        Ok(Ok(()))
    }

    /// Moves the rows of the meetings on, and says which could be.
    fn move_on(
        &self,
        connection: &Connection,
        node: &ThisNode,
    ) -> sql::Result<std::collections::HashSet<i64>> {
        let mut rows = CatalogueRows::default();
        for moved in self.moved.values() {
            if moved.head.standing.last_seq != moved.from {
                rows.add(moved.head.key, moved.from, moved.head.epoch, &moved.head.standing);
            }
        }
        rows.update(connection, &node.token())
    }

    /// Inserts the events under the next numbers.
    fn insert_events(&self, connection: &Connection) -> sql::Result<()> {
        if self.events.is_empty() {
            return Ok(());
        }
        let column = |of: fn(&NewEvent<'a>) -> i64| self.events.iter().map(of).collect::<Vec<i64>>();
        let (keys, seqs) = (column(|event| event.key), column(|event| event.record.event.seq.cast_signed()));
        let times = column(|event| event.record.event.ts_ms.0);
        let kinds: Vec<&str> = self.events.iter().map(|event| event.record.event.body.kind()).collect();
        let lines: Vec<&str> = self.events.iter().map(|event| &*event.record.line).collect();
        let hashes: Vec<&[u8]> = self.events.iter().map(|event| &event.hash[..]).collect();
        let Connection::Postgres(postgres) = connection else { return Ok(()) };
        let count = self.events.len() as i64;
        let rows = postgres.query_raw(
            "WITH given AS (UPDATE numbering SET seq = seq + $1 WHERE name = 'event' RETURNING seq - $1 AS before),
             added AS (
                 INSERT INTO event (place, meeting, seq, ts_ms, kind, line, hash)
                 SELECT given.before + new.place, new.meeting, new.seq, new.ts_ms, new.kind, new.line, new.hash
                 FROM given, unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bytea[])
                     WITH ORDINALITY AS new (meeting, seq, ts_ms, kind, line, hash, place)
             )
             SELECT before FROM given",
            &[&count, &keys, &seqs, &times, &kinds, &lines, &hashes],
        )?;
        let before: i64 = match rows.first() {
            Some(row) => row.try_get(0)?,
            None => return Err(sql::Error::value("numbering", "the row of events is missing")),
        };
        for (place, event) in (before + 1..).zip(&self.events) {
            mention_index::note(connection, event.key, place, &event.record.event)?;
        }
        Ok(())
    }
}

fn conflict(append: &Append, found: u64) -> JournalError {
    JournalError::Conflict { meeting: append.meeting.clone(), expected: append.expected, found }
}
