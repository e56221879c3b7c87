//! One interface to SQLite and PostgreSQL, so that what is stored is written down once.
//!
//! It has the shape of `rusqlite`, whose types for values it takes: statements with numbered parameters (`?1`), rows
//! that are read by column, transactions that are rolled back when they are dropped. A statement has to be one that
//! both databases read; the few that differ ask [`Connection::dialect`].
//!
//! | SQLite | PostgreSQL |
//! |---|---|
//! | `?1` | `$1`, rewritten when the statement is prepared |
//! | a value that is true or false is 0 or 1 | `BOOLEAN`, read and written as 0 or 1 |
//! | rows are read as they come | rows are read at once, so that others can be read meanwhile |

mod error;
mod params;
mod postgres;
mod row;
mod statement;
mod transaction;

pub(crate) use error::{Error, ErrorKind, OptionalExtension, Result};
pub(crate) use params::{Params, params_from_iter};
pub(crate) use postgres::PostgresConnection;
pub(crate) use row::{Row, Rows};
pub(crate) use statement::Statement;
pub(crate) use transaction::{Behavior, Transaction};

/// A connection to the database.
pub(crate) enum Connection {
    /// To a file of SQLite.
    Sqlite(rusqlite::Connection),
    /// To a server of PostgreSQL.
    Postgres(Box<PostgresConnection>),
}

/// Which database reads a statement, where both cannot read the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// A condition that a text contains another one, letter by letter.
    pub(crate) fn contains(self, text: &str, part: &str) -> String {
        match self {
            Self::Sqlite => format!("instr({text}, {part}) > 0"),
            Self::Postgres => format!("strpos({text}, {part}) > 0"),
        }
    }

    /// The operator that matches a pattern without regard to case.
    pub(crate) fn like(self) -> &'static str {
        match self {
            Self::Sqlite => "LIKE",
            Self::Postgres => "ILIKE",
        }
    }
}

impl Connection {
    /// Which database this is.
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The connection to SQLite; `None` when this is another database.
    pub(crate) fn sqlite(&self) -> Option<&rusqlite::Connection> {
        match self {
            Self::Sqlite(connection) => Some(connection),
            Self::Postgres(_) => None,
        }
    }

    /// Prepares a statement that is kept for the next time.
    pub(crate) fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>> {
        match self {
            Self::Sqlite(connection) => Ok(Statement::Cached(connection.prepare_cached(sql)?)),
            Self::Postgres(connection) => Ok(Statement::Postgres(connection.prepare(sql)?)),
        }
    }

    /// Prepares a statement that is needed once.
    pub(crate) fn prepare(&self, sql: &str) -> Result<Statement<'_>> {
        match self {
            Self::Sqlite(connection) => Ok(Statement::Once(connection.prepare(sql)?)),
            Self::Postgres(connection) => Ok(Statement::Postgres(connection.prepare(sql)?)),
        }
    }

    /// Runs a statement, and returns the number of rows that it changed.
    pub(crate) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        self.prepare_for_one_use(sql)?.execute(params)
    }

    /// Reads the first row of a statement.
    ///
    /// # Errors
    /// [`Error::NoRows`] when there is none; [`OptionalExtension`] makes `None` of it.
    pub(crate) fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.prepare_for_one_use(sql)?.query_row(params, read)
    }

    /// Runs statements without parameters, one after the other.
    pub(crate) fn execute_batch(&self, sql: &str) -> Result<()> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Self::Postgres(connection) => connection.execute_batch(sql),
        }
    }

    /// Whether two transactions were in each other's way since this was asked the last time: what was rolled back may be
    /// begun again. SQLite has one writer.
    pub(crate) fn took_conflict(&self) -> bool {
        match self {
            Self::Sqlite(_) => false,
            Self::Postgres(connection) => connection.took_conflict(),
        }
    }

    /// Whether there is a table of this name.
    pub(crate) fn has_table(&self, name: &str) -> Result<bool> {
        let sql = match self.dialect() {
            Dialect::Sqlite => "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1",
            Dialect::Postgres => {
                "SELECT 1 FROM information_schema.tables
                 WHERE table_schema = current_schema() AND table_name = ?1"
            }
        };
        self.prepare(sql)?.exists([name])
    }

    /// Whether a table has a column of this name.
    pub(crate) fn has_column(&self, table: &str, name: &str) -> Result<bool> {
        let sql = match self.dialect() {
            Dialect::Sqlite => "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2",
            Dialect::Postgres => {
                "SELECT 1 FROM information_schema.columns
                 WHERE table_schema = current_schema() AND table_name = ?1 AND column_name = ?2"
            }
        };
        self.prepare(sql)?.exists([table, name])
    }

    /// Sets an option of the server for the present transaction.
    pub(crate) fn server_setting(&self, name: &str, value: &str) -> Result<()> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(connection) => connection.execute_batch(&format!("SET LOCAL {name} = '{value}'")),
        }
    }

    /// Runs statements that only SQLite knows, and that change nothing that is stored.
    pub(crate) fn sqlite_pragma(&self, sql: &str) -> Result<()> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Begins a transaction in which several reads see the same moment.
    pub(crate) fn unchecked_transaction(&self) -> Result<Transaction<'_>> {
        Transaction::begin(self, Behavior::Snapshot)
    }

    fn prepare_for_one_use(&self, sql: &str) -> Result<Statement<'_>> {
        self.prepare(sql)
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Connection({:?})", self.dialect())
    }
}

/// Values of several types as the parameters of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$(&$value as &dyn rusqlite::ToSql),*] as &[&dyn rusqlite::ToSql]
    };
}
pub(crate) use values;
