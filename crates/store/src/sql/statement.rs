//! Prepared statements.

use rusqlite::ToSql;

use super::postgres::PostgresStatement;
use super::{Error, Params, Result, Row, Rows};

/// A statement that can be run, several times if need be.
pub(crate) enum Statement<'c> {
    /// SQLite's, kept for the next time.
    Cached(rusqlite::CachedStatement<'c>),
    /// SQLite's, for this time.
    Once(rusqlite::Statement<'c>),
    /// PostgreSQL's.
    Postgres(PostgresStatement<'c>),
}

impl Statement<'_> {
    /// Runs the statement, and returns the number of rows that it changed.
    pub(crate) fn execute(&mut self, params: impl Params) -> Result<usize> {
        match self {
            Self::Cached(statement) => Ok(bound(statement, &params)?.raw_execute()?),
            Self::Once(statement) => Ok(bound(statement, &params)?.raw_execute()?),
            Self::Postgres(statement) => statement.execute(&params),
        }
    }

    /// The rows of the statement.
    pub(crate) fn query(&mut self, params: impl Params) -> Result<Rows<'_>> {
        match self {
            Self::Cached(statement) => Ok(Rows::Sqlite(bound(statement, &params)?.raw_query())),
            Self::Once(statement) => Ok(Rows::Sqlite(bound(statement, &params)?.raw_query())),
            Self::Postgres(statement) => {
                Ok(Rows::Postgres { rows: statement.query(&params)?.into_iter(), current: None })
            }
        }
    }

    /// The first row of the statement.
    ///
    /// # Errors
    /// [`Error::NoRows`] when there is none.
    pub(crate) fn query_row<T>(
        &mut self,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut rows = self.query(params)?;
        let row = rows.next()?.ok_or(Error::NoRows)?;
        read(&row)
    }

    /// What is read of each row.
    pub(crate) fn query_map<'s, T, F>(&'s mut self, params: impl Params, read: F) -> Result<MappedRows<'s, F>>
    where
        F: FnMut(&Row<'_>) -> Result<T>,
    {
        Ok(MappedRows { rows: self.query(params)?, read })
    }

    /// Whether there is a row.
    pub(crate) fn exists(&mut self, params: impl Params) -> Result<bool> {
        Ok(self.query(params)?.next()?.is_some())
    }
}

/// What is read of each row, as an iterator.
pub(crate) struct MappedRows<'s, F> {
    rows: Rows<'s>,
    read: F,
}

impl<T, F: FnMut(&Row<'_>) -> Result<T>> Iterator for MappedRows<'_, F> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next().transpose()?;
        Some(row.and_then(|row| (self.read)(&row)))
    }
}

fn bound<'s, 'c>(
    statement: &'s mut rusqlite::Statement<'c>,
    params: &impl Params,
) -> Result<&'s mut rusqlite::Statement<'c>> {
    let mut place = 0;
    params.each(&mut |value: &dyn ToSql| {
        place += 1;
        Ok(statement.raw_bind_parameter(place, value)?)
    })?;
    Ok(statement)
}
