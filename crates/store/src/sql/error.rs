//! What went wrong in the database.

/// The result of a statement.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// An error of the database.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// SQLite's.
    #[error(transparent)]
    Sqlite(rusqlite::Error),
    /// PostgreSQL's.
    #[error("{}", of_postgres(.0))]
    Postgres(postgres::Error),
    /// There is no row.
    #[error("there is no such row")]
    NoRows,
    /// A stored value is not what its column holds.
    #[error("column {column} cannot be read: {detail}")]
    Value {
        /// The column, by number or name.
        column: String,
        /// What is wrong with it.
        detail: String,
    },
}

/// What an error is about, where somebody does something different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// A row breaks a rule of its table: one of that name is there already.
    Constraint,
    /// A stored value cannot be read.
    Value,
    /// The file is no database, or is damaged.
    Corrupt,
    /// There is no space.
    Full,
    /// The database may only be read.
    ReadOnly,
    /// The disk failed.
    Disk,
    /// Somebody else holds the database, or a lock in it.
    Busy,
    /// Two transactions were in each other's way; the same one may succeed when it is begun again.
    Conflict,
    /// The database cannot be opened, or refuses this user.
    Inaccessible,
    /// The server cannot be reached, is starting or is being shut down.
    Unreachable,
    /// Memory ran out.
    OutOfMemory,
    /// Anything else: the statement is wrong.
    Other,
}

impl Error {
    /// A stored value that makes no sense.
    pub(crate) fn value(column: impl std::fmt::Display, detail: impl std::fmt::Display) -> Self {
        Self::Value { column: column.to_string(), detail: detail.to_string() }
    }

    /// What the error is about.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            Self::Sqlite(error) => kind_of_sqlite(error),
            Self::Postgres(error) => kind_of_postgres(error),
            Self::NoRows | Self::Value { .. } => ErrorKind::Value,
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            rusqlite::Error::QueryReturnedNoRows => Self::NoRows,
            error => Self::Sqlite(error),
        }
    }
}

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

/// `None` instead of the error that there is no row.
pub(crate) trait OptionalExtension<T> {
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoRows) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn kind_of_sqlite(error: &rusqlite::Error) -> ErrorKind {
    use rusqlite::ErrorCode;
    match error.sqlite_error_code() {
        None => ErrorKind::Value,
        Some(ErrorCode::ConstraintViolation) => ErrorKind::Constraint,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => ErrorKind::Corrupt,
        Some(ErrorCode::DiskFull) => ErrorKind::Full,
        Some(ErrorCode::ReadOnly) => ErrorKind::ReadOnly,
        Some(ErrorCode::SystemIoFailure) => ErrorKind::Disk,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ErrorKind::Busy,
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => ErrorKind::Inaccessible,
        Some(ErrorCode::OutOfMemory) => ErrorKind::OutOfMemory,
        Some(_) => ErrorKind::Other,
    }
}

/// By the class of the SQLSTATE (PostgreSQL, appendix A).
fn kind_of_postgres(error: &postgres::Error) -> ErrorKind {
    let Some(state) = error.code() else {
        // Without a code the server has said nothing: the connection broke, or was never made.
        return match error.is_closed() || std::error::Error::source(error).is_some_and(is_io) {
            true => ErrorKind::Unreachable,
            false if error.to_string().contains("connect") => ErrorKind::Unreachable,
            false => ErrorKind::Value,
        };
    };
    match state.code() {
        // Serialization failure, deadlock.
        "40001" | "40P01" => ErrorKind::Conflict,
        "55P03" | "57014" => ErrorKind::Busy,
        "53100" => ErrorKind::Full,
        "53200" => ErrorKind::OutOfMemory,
        // Too many connections, and a server that starts, stops or was told to end this session.
        "53300" | "57P01" | "57P02" | "57P03" | "57P05" | "25P03" => ErrorKind::Unreachable,
        "25006" => ErrorKind::ReadOnly,
        "58030" => ErrorKind::Disk,
        "XX001" | "XX002" => ErrorKind::Corrupt,
        "42501" | "3D000" => ErrorKind::Inaccessible,
        code if code.starts_with("23") => ErrorKind::Constraint,
        code if code.starts_with("08") => ErrorKind::Unreachable,
        code if code.starts_with("28") => ErrorKind::Inaccessible,
        _ => ErrorKind::Other,
    }
}

fn is_io(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<std::io::Error>()
}

/// The server's own words; the crate's say only that there was an error.
fn of_postgres(error: &postgres::Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(said), _) => match said.detail() {
            Some(detail) => format!("{} ({detail})", said.message()),
            None => said.message().to_owned(),
        },
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}
