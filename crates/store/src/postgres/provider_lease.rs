//! What each process may use of the limits of providers: one row for each key, which they change in turn.
//!
//! A process hears of all its keys in one transaction. It locks their rows, in the same order as everybody, and the lease of a
//! process says whether what it holds still counts. A row is a small document, so that the division is a function that is
//! tested without a database (`key_shares.rs`), and a newer version may add to it.

use std::collections::HashSet;

use super::node::ThisNode;
use crate::key_shares::{KeyNeed, KeyShare, SharedKey};
use crate::sql::{self, Behavior, Connection, Transaction};

/// How long the row of a key that nobody uses is kept.
const KEPT: &str = "interval '7 days'";

/// The tables that this needs.
pub(super) const PROVIDER_LEASES: &str = r#"
    CREATE TABLE provider_lease (
        key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        state TEXT COLLATE "C" NOT NULL,
        changed_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
    );
"#;

/// Says what this process needs of each key, and what it may use from now on. Nothing when its lease has passed: nobody counts
/// what it holds then.
pub(super) fn exchange(
    connection: &Connection,
    node: &ThisNode,
    needs: &[KeyNeed],
) -> sql::Result<Vec<KeyShare>> {
    let Connection::Postgres(postgres) = connection else { return Ok(Vec::new()) };
    let token = node.token();
    let keys: Vec<&str> = needs.iter().map(|need| need.key.as_str()).collect();
    let transaction = Transaction::begin(connection, Behavior::Append)?;
    let stored = postgres.query_raw(
        "INSERT INTO provider_lease AS stored (key, state)
         SELECT DISTINCT asked.key, '{}' FROM unnest($1::text[]) AS asked (key) ORDER BY asked.key
         ON CONFLICT (key) DO UPDATE SET changed_at = clock_timestamp() RETURNING stored.key, stored.state",
        &[&keys],
    )?;
    // After the rows are locked, so that the time goes on from one process to the next.
    let mut nodes = connection.prepare_cached(
        "SELECT token, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) FROM node
         WHERE lease_until > clock_timestamp()",
    )?;
    let alive = nodes.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?;
    let alive: Vec<(String, i64)> = alive.collect::<sql::Result<_>>()?;
    let Some((_, now_ms)) = alive.iter().find(|(one, _)| **one == *token) else { return Ok(Vec::new()) };
    let tokens: HashSet<&str> = alive.iter().map(|(token, _)| token.as_str()).collect();
    let (mut changed, mut states, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for row in stored {
        let (key, state): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        // What cannot be read is begun anew: everybody says again what it holds.
        let mut state: SharedKey = serde_json::from_str(&state).unwrap_or_default();
        for need in needs.iter().filter(|need| need.key == key) {
            shares.push(state.exchange(*now_ms, |token| tokens.contains(token), &token, need));
        }
        let state = serde_json::to_string(&state).map_err(|error| sql::Error::value("state", error))?;
        changed.push(key);
        states.push(state);
    }
    postgres.query_raw(
        "UPDATE provider_lease SET state = new.state FROM unnest($1::text[], $2::text[]) AS new (key, state)
         WHERE provider_lease.key = new.key",
        &[&changed, &states],
    )?;
    transaction.commit()?;
    Ok(shares)
}

/// Forgets keys that nobody has used for a while.
pub(super) fn forget_unused(connection: &Connection) -> sql::Result<()> {
    connection
        .execute(&format!("DELETE FROM provider_lease WHERE changed_at < clock_timestamp() - {KEPT}"), [])
        .map(|_| ())
}
