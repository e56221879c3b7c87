//! A connection to PostgreSQL.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::error::Error as StdError;
use std::sync::Arc;

use bytes::{BufMut, BytesMut};
use postgres::Client;
use postgres::types::{IsNull, Kind, ToSql, Type, to_sql_checked};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};

use super::{Error, ErrorKind, Params, Result};

/// The number of statements that a connection keeps prepared.
const PREPARED: usize = 256;

/// A connection to PostgreSQL, with the statements that it has prepared.
pub(crate) struct PostgresConnection {
    client: RefCell<Client>,
    prepared: RefCell<HashMap<String, postgres::Statement>>,
    /// Whether the connection broke: it is then not used again.
    is_broken: Cell<bool>,
    /// Whether a transaction was in the way of another one.
    had_conflict: Cell<bool>,
    /// The process that it has said it is for.
    speaks_for: Option<Arc<str>>,
}

/// A statement of one connection.
pub(crate) struct PostgresStatement<'c> {
    connection: &'c PostgresConnection,
    statement: postgres::Statement,
}

impl PostgresConnection {
    pub(crate) fn new(client: Client, speaks_for: Option<Arc<str>>) -> Self {
        Self {
            client: RefCell::new(client),
            speaks_for,
            prepared: RefCell::default(),
            is_broken: Cell::new(false),
            had_conflict: Cell::new(false),
        }
    }

    /// Whether the connection can be used again.
    pub(crate) fn is_sound(&self) -> bool {
        !self.is_broken.get() && !self.client.borrow().is_closed()
    }

    /// The process that it has said it is for.
    pub(crate) fn speaks_for(&self) -> Option<&str> {
        self.speaks_for.as_deref()
    }

    /// Prepares a statement, or takes the one that was prepared before.
    pub(crate) fn prepare(&self, sql: &str) -> Result<PostgresStatement<'_>> {
        let known = self.prepared.borrow().get(sql).cloned();
        let statement = match known {
            Some(statement) => statement,
            None => {
                let prepared = self.client.borrow_mut().prepare(&numbered(sql));
                let statement = prepared.map_err(|error| self.noted(error))?;
                let mut prepared = self.prepared.borrow_mut();
                if prepared.len() >= PREPARED {
                    prepared.clear();
                }
                prepared.insert(sql.to_owned(), statement.clone());
                statement
            }
        };
        Ok(PostgresStatement { connection: self, statement })
    }

    /// Runs statements without parameters.
    pub(crate) fn execute_batch(&self, sql: &str) -> Result<()> {
        self.client.borrow_mut().batch_execute(sql).map_err(|error| self.noted(error))
    }

    /// Runs a statement of PostgreSQL alone, with parameters of its own types.
    pub(crate) fn query_raw(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Result<Vec<postgres::Row>> {
        let statement = self.prepare(sql)?.statement;
        let rows = self.client.borrow_mut().query(&statement, params);
        rows.map_err(|error| self.noted(error))
    }

    /// Whether a transaction was in the way of another one since this was asked the last time.
    pub(crate) fn took_conflict(&self) -> bool {
        self.had_conflict.take()
    }

    fn noted(&self, error: postgres::Error) -> Error {
        let error = Error::from(error);
        match error.kind() {
            ErrorKind::Conflict => self.had_conflict.set(true),
            ErrorKind::Unreachable => self.is_broken.set(true),
            _ => {}
        }
        error
    }
}

impl PostgresStatement<'_> {
    pub(crate) fn execute(&self, params: &impl Params) -> Result<usize> {
        let values = gathered(params)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let changed = self.connection.client.borrow_mut().execute(&self.statement, &values);
        changed.map(|changed| changed as usize).map_err(|error| self.connection.noted(error))
    }

    pub(crate) fn query(&self, params: &impl Params) -> Result<Vec<postgres::Row>> {
        let values = gathered(params)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let rows = self.connection.client.borrow_mut().query(&self.statement, &values);
        rows.map_err(|error| self.connection.noted(error))
    }
}

fn gathered(params: &impl Params) -> Result<Vec<Parameter>> {
    let mut values = Vec::new();
    params.each(&mut |value| {
        let value = match value.to_sql()? {
            ToSqlOutput::Borrowed(value) => owned(value)?,
            ToSqlOutput::Owned(value) => value,
            _ => return Err(Error::value("a parameter", "it is no value of a column")),
        };
        values.push(Parameter(value));
        Ok(())
    })?;
    Ok(values)
}

fn owned(value: ValueRef<'_>) -> Result<Value> {
    Value::try_from(value).map_err(|error| Error::value("a parameter", error))
}

/// A value on its way to a column, which takes the type that the server expects there.
#[derive(Debug)]
struct Parameter(Value);

impl ToSql for Parameter {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match (&self.0, ty) {
            (Value::Null, _) => return Ok(IsNull::Yes),
            (Value::Integer(number), &Type::BOOL) => out.put_u8(u8::from(*number != 0)),
            (Value::Integer(number), &Type::INT8) => out.put_i64(*number),
            (Value::Integer(number), &Type::INT4) => out.put_i32(i32::try_from(*number)?),
            (Value::Integer(number), &Type::INT2) => out.put_i16(i16::try_from(*number)?),
            (Value::Integer(number), &Type::FLOAT8) => out.put_f64(*number as f64),
            (Value::Real(number), &Type::FLOAT8) => out.put_f64(*number),
            (Value::Blob(bytes), &Type::BYTEA) => out.put_slice(bytes),
            (Value::Text(text), ty) if is_text(ty) => out.put_slice(text.as_bytes()),
            (Value::Integer(number), ty) if is_text(ty) => out.put_slice(number.to_string().as_bytes()),
            (value, ty) => return Err(format!("a column of type {ty} takes no {}", value.data_type()).into()),
        }
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(ty.kind(), Kind::Simple | Kind::Pseudo)
    }

    to_sql_checked!();
}

fn is_text(ty: &Type) -> bool {
    matches!(*ty, Type::TEXT | Type::VARCHAR | Type::NAME | Type::BPCHAR | Type::UNKNOWN)
}

/// A statement with its parameters as PostgreSQL numbers them: `?1` is `$1`, and a `?` alone the next number. What
/// stands in quotes stays as it is.
fn numbered(sql: &str) -> String {
    let mut numbered = String::with_capacity(sql.len());
    let (mut quote, mut next) = (None, 0);
    let mut letters = sql.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '?') => {
                numbered.push('$');
                if !letters.peek().is_some_and(char::is_ascii_digit) {
                    next += 1;
                    numbered.push_str(&next.to_string());
                }
                continue;
            }
            _ => {}
        }
        numbered.push(letter);
    }
    numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_and_quoted_text_stays() {
        assert_eq!(numbered("SELECT ?2, '?1' WHERE a = ?1"), "SELECT $2, '?1' WHERE a = $1");
        assert_eq!(
            numbered("a = ? AND b IN (?, ?) AND c LIKE ? ESCAPE '\\'"),
            "a = $1 AND b IN ($2, $3) AND c LIKE $4 ESCAPE '\\'"
        );
        assert_eq!(numbered("x = 'it''s ?' AND \"odd?\" = ?"), "x = 'it''s ?' AND \"odd?\" = $1");
    }
}
