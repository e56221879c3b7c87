//! Where the tests of this crate keep their databases.

use std::path::Path;

use crate::location::DatabaseLocation;

/// The database that a path means: a file, or with a server for tests a database there.
pub(crate) fn location(path: impl AsRef<Path>) -> DatabaseLocation {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or(Path::new(""));
    match DatabaseLocation::parse(&quorate_test_database::given(path), folder).expect("a path or an address")
    {
        DatabaseLocation::Postgres { url, .. } => DatabaseLocation::Postgres { url, beside: path.to_owned() },
        file => file,
    }
}
