//! The events that each webhook is to be told of next.

use crate::sql;
use crate::sql::Connection;

/// The most waiting messages of one webhook. More stay in the log until some are sent.
const WAITING_MAX: u32 = 100;

/// The most events that are looked at in one step for one webhook.
pub(crate) const LOOKED_AT: u32 = 500;

/// An enabled webhook that is told of events.
pub(crate) struct Follower {
    pub(crate) key: i64,
    pub(crate) id: String,
    pub(crate) events: Vec<String>,
    pub(crate) meeting: Option<String>,
    pub(crate) place: i64,
    pub(crate) waiting: u32,
}

/// The events that a webhook is to be told of next.
pub(crate) struct Step {
    pub(crate) found: Vec<(String, u64)>,
    pub(crate) place: i64,
    pub(crate) looked_at: u32,
}

pub(crate) fn followers(connection: &Connection) -> sql::Result<Vec<Follower>> {
    let mut select = connection.prepare_cached(
        "SELECT key, id, events, meeting, place,
         (SELECT count(*) FROM webhook_message WHERE webhook = webhook.key AND state = 'waiting')
         FROM webhook WHERE enabled AND events <> ''",
    )?;
    let rows = select.query_map([], |row| {
        let events: String = row.get(2)?;
        Ok(Follower {
            key: row.get(0)?,
            id: row.get(1)?,
            events: events.split(',').map(str::to_owned).collect(),
            meeting: row.get(3)?,
            place: row.get(4)?,
            waiting: row.get(5)?,
        })
    })?;
    rows.collect()
}

impl Follower {
    pub(crate) fn step(&self, connection: &Connection) -> sql::Result<Step> {
        let mut step = Step { found: Vec::new(), place: self.place, looked_at: 0 };
        let room = WAITING_MAX.saturating_sub(self.waiting) as usize;
        let mut select = connection.prepare_cached(
            "SELECT event.place, meeting.id, event.seq, event.kind FROM event
             JOIN meeting ON meeting.key = event.meeting WHERE event.place > ?1 ORDER BY event.place LIMIT ?2",
        )?;
        let mut rows = select.query((self.place, LOOKED_AT))?;
        while let Some(row) = rows.next()? {
            let (meeting, seq, kind): (String, u64, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
            let is_wanted = self.meeting.as_ref().is_none_or(|own| *own == meeting)
                && self.events.iter().any(|wanted| wanted == "*" || *wanted == kind);
            if is_wanted && step.found.len() == room {
                return Ok(step);
            }
            if is_wanted {
                step.found.push((meeting, seq));
            }
            step.place = row.get(0)?;
            step.looked_at += 1;
        }
        Ok(step)
    }
}
