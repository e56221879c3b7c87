//! Rows of the catalogue that are moved on together, in one statement.

use std::collections::HashSet;

use crate::meeting_row::MutableColumns;
use crate::sql::{self, Connection};

/// The rows of meetings as a group of appends leaves them.
#[derive(Default)]
pub(super) struct CatalogueRows {
    keys: Vec<i64>,
    from: Vec<i64>,
    epochs: Vec<i64>,
    phases: Vec<&'static str>,
    paused: Vec<bool>,
    outcomes: Vec<Option<String>>,
    simulated: Vec<bool>,
    participants: Vec<i64>,
    updated: Vec<i64>,
    last_seqs: Vec<i64>,
    last_hashes: Vec<Vec<u8>>,
    topics: Vec<String>,
    titles: Vec<Option<String>>,
    forked_from: Vec<Option<String>>,
    forked_seqs: Vec<Option<i64>>,
    created: Vec<Option<i64>>,
    titled: Vec<bool>,
    descriptions: Vec<String>,
    created_by: Vec<Option<String>>,
    conclusions: Vec<Option<String>>,
}

impl CatalogueRows {
    /// Adds a meeting whose log ended with event `from` before, and that this process owns in this epoch.
    pub(super) fn add(&mut self, key: i64, from: u64, epoch: i64, standing: &MutableColumns) {
        self.keys.push(key);
        self.from.push(from.cast_signed());
        self.epochs.push(epoch);
        self.phases.push(standing.phase.as_str());
        self.paused.push(standing.paused);
        self.outcomes.push(standing.outcome.clone());
        self.simulated.push(standing.simulated);
        self.participants.push(standing.participants.into());
        self.updated.push(standing.updated.0);
        self.last_seqs.push(standing.last_seq.cast_signed());
        self.last_hashes.push(standing.last_hash.to_vec());
        self.topics.push(standing.topic.clone());
        self.titles.push(standing.title.clone());
        let forked = standing.forked.as_ref();
        self.forked_from.push(forked.map(|forked| forked.meeting.as_str().to_owned()));
        self.forked_seqs.push(forked.map(|forked| forked.seq.cast_signed()));
        self.created.push(standing.created.map(|created| created.0));
        self.titled.push(standing.has_own_title);
        self.descriptions.push(standing.description.clone());
        self.created_by.push(standing.created_by.clone());
        self.conclusions.push(standing.conclusion.clone());
    }

    /// Updates the rows, and says of which meetings: not of those whose log ends elsewhere by now, or that changed hands.
    pub(super) fn update(&self, connection: &Connection, owner: &str) -> sql::Result<HashSet<i64>> {
        let Connection::Postgres(postgres) = connection else { return Ok(HashSet::new()) };
        if self.keys.is_empty() {
            return Ok(HashSet::new());
        }
        let rows = postgres.query_raw(
            "UPDATE meeting SET phase = new.phase, paused = new.paused, outcome = new.outcome,
                    simulated = new.simulated, participants = new.participants, updated_ms = new.updated_ms,
                    last_seq = new.last_seq, last_hash = new.last_hash, topic = new.topic, title = new.title,
                    forked_from = new.forked_from, forked_seq = new.forked_seq, forked_ms = new.forked_ms,
                    created_ms = coalesce(new.forked_ms, meeting.created_ms), titled = new.titled,
                    description = new.description,
                    created_by = new.created_by, conclusion = new.conclusion
             FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bool[], $5::text[], $6::bool[], $7::bigint[],
                         $8::bigint[], $9::bigint[], $10::bytea[], $11::text[], $12::text[], $13::text[],
                         $14::bigint[], $15::bigint[], $16::bool[], $17::text[], $18::bigint[], $20::text[], $21::text[])
                  AS new (key, before, phase, paused, outcome, simulated, participants, updated_ms, last_seq,
                          last_hash, topic, title, forked_from, forked_seq, forked_ms, titled, description, epoch, created_by,
                          conclusion)
             WHERE meeting.key = new.key AND meeting.last_seq = new.before
               AND meeting.epoch = new.epoch AND meeting.owner = $19
             RETURNING meeting.key",
            &[
                &self.keys,
                &self.from,
                &self.phases,
                &self.paused,
                &self.outcomes,
                &self.simulated,
                &self.participants,
                &self.updated,
                &self.last_seqs,
                &self.last_hashes,
                &self.topics,
                &self.titles,
                &self.forked_from,
                &self.forked_seqs,
                &self.created,
                &self.titled,
                &self.descriptions,
                &self.epochs,
                &owner,
                &self.created_by,
                &self.conclusions,
            ],
        )?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }
}
