//! The numbered properties of the requirements that the store can break, each as a proptest whose name begins
//! with its number, over a real database; `cargo xtask tidy` counts them over all crates.

#[path = "properties/agents.rs"]
mod agents;
#[path = "properties/any.rs"]
mod any;
#[path = "properties/credentials.rs"]
mod credentials;
#[path = "properties/endings.rs"]
mod endings;
#[path = "properties/meetings.rs"]
mod meetings;

use proptest::test_runner::Config;
use quorate_store::{DatabaseLocation, Store};

/// At least a hundred cases for each property.
fn cases() -> Config {
    Config { cases: 128, failure_persistence: None, ..Config::default() }
}

/// A database for all the cases of one property: what is acknowledged is on the disk each time, and
/// only the making of the file is shared.
struct Bench {
    folder: tempfile::TempDir,
    store: Store,
    runtime: tokio::runtime::Runtime,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let given = quorate_test_database::given(&folder.path().join("meetings.db"));
        let location = DatabaseLocation::parse(&given, folder.path()).expect("a path or an address");
        let store = Store::open(location).expect("a new database");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Self { folder, store, runtime: runtime.expect("a runtime") }
    }

    /// The file, opened by another process.
    fn reopened(&self) -> Store {
        Store::open_read_only(self.store.location()).expect("the database is there")
    }

    fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }
}
