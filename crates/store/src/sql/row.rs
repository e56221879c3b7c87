//! Rows of a result.

use postgres::types::Type;
use rusqlite::types::{FromSql, FromSqlError, ValueRef};

use super::{Error, Result};

/// One row, whose columns are read by number, from 0 on, or by name.
pub(crate) enum Row<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r postgres::Row),
}

/// A column by number or name.
pub(crate) trait Column: rusqlite::RowIndex + std::fmt::Display + Copy {
    /// Its place in a row of PostgreSQL.
    fn place_in(self, row: &postgres::Row) -> Option<usize>;
}

impl Column for usize {
    fn place_in(self, row: &postgres::Row) -> Option<usize> {
        (self < row.len()).then_some(self)
    }
}

impl Column for &str {
    fn place_in(self, row: &postgres::Row) -> Option<usize> {
        row.columns().iter().position(|column| column.name() == self)
    }
}

impl Row<'_> {
    /// The value of a column.
    ///
    /// # Errors
    /// When it is not of the type that is asked for.
    pub(crate) fn get<C: Column, T: FromSql>(&self, column: C) -> Result<T> {
        match self {
            Self::Sqlite(row) => Ok(row.get(column)?),
            Self::Postgres(_) => {
                let value = self.get_ref(column)?;
                T::column_result(value).map_err(|error| match error {
                    FromSqlError::InvalidType => Error::value(column, format!("it is {}", value.data_type())),
                    error => Error::value(column, error),
                })
            }
        }
    }

    /// The value of a column as it is stored.
    pub(crate) fn get_ref<C: Column>(&self, column: C) -> Result<ValueRef<'_>> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(column)?),
            Self::Postgres(row) => value_in(row, column),
        }
    }
}

/// The value of a column as SQLite would have it.
fn value_in<C: Column>(row: &postgres::Row, column: C) -> Result<ValueRef<'_>> {
    let at = column.place_in(row).ok_or_else(|| Error::value(column, "there is no such column"))?;
    let integer = |number: Option<i64>| number.map_or(ValueRef::Null, ValueRef::Integer);
    Ok(match *row.columns()[at].type_() {
        Type::INT8 => integer(row.try_get(at)?),
        Type::INT4 => integer(row.try_get::<_, Option<i32>>(at)?.map(i64::from)),
        Type::INT2 => integer(row.try_get::<_, Option<i16>>(at)?.map(i64::from)),
        Type::BOOL => integer(row.try_get::<_, Option<bool>>(at)?.map(i64::from)),
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(at)?.map_or(ValueRef::Null, ValueRef::Real),
        Type::BYTEA => row.try_get::<_, Option<&[u8]>>(at)?.map_or(ValueRef::Null, ValueRef::Blob),
        Type::TEXT | Type::VARCHAR | Type::NAME | Type::BPCHAR | Type::UNKNOWN => {
            row.try_get::<_, Option<&str>>(at)?.map_or(ValueRef::Null, |text| ValueRef::Text(text.as_bytes()))
        }
        ref other => return Err(Error::value(column, format!("no value of type {other} is stored"))),
    })
}

/// The rows of a result, one after the other.
pub(crate) enum Rows<'s> {
    Sqlite(rusqlite::Rows<'s>),
    Postgres { rows: std::vec::IntoIter<postgres::Row>, current: Option<postgres::Row> },
}

impl Rows<'_> {
    /// The next row; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<Row<'_>>> {
        match self {
            Self::Sqlite(rows) => Ok(rows.next()?.map(Row::Sqlite)),
            Self::Postgres { rows, current } => {
                *current = rows.next();
                Ok(current.as_ref().map(Row::Postgres))
            }
        }
    }
}
