//! Where tests keep their databases: in files, or on a PostgreSQL server.
//!
//! A test names a path in a folder of its own. With `QUORATE_TEST_POSTGRES` in the environment (the address of a server
//! on which databases may be made) that path means a database on the server, made when it is named first. So one suite
//! runs against both: `cargo xtask postgres` starts a server for it.

mod keep;

use std::ffi::OsString;
use std::path::Path;

use postgres::{Client, NoTls};
use sha2::{Digest, Sha256};

pub use keep::{KEEP, keep};

/// The variable with the address of a server, which ends with a slash: `postgres://USER@HOST:PORT/`.
pub const SERVER: &str = "QUORATE_TEST_POSTGRES";

/// What a test gives as its database: the path itself, or the address of the database on the server that it means.
///
/// # Panics
/// When the server cannot be reached.
pub fn given(path: &Path) -> OsString {
    let Ok(server) = std::env::var(SERVER) else { return path.into() };
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let hash = Sha256::digest(path.as_os_str().as_encoded_bytes());
    let name: String =
        std::iter::once("t_".to_owned()).chain(hash[..10].iter().map(|byte| format!("{byte:02x}"))).collect();
    let address = format!("{server}{name}");
    // The client waits, which no task may.
    std::thread::spawn(move || create(&server, &name)).join().expect("a database for the test");
    address.into()
}

fn create(server: &str, name: &str) {
    let mut client =
        Client::connect(&format!("{server}postgres"), NoTls).expect("the server of the tests runs");
    let exists =
        client.query_opt("SELECT 1 FROM pg_database WHERE datname = $1", &[&name]).expect("it answers");
    if exists.is_none() {
        client.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0")).expect("a new database");
    }
}

/// Whether databases of tests are on a server. What is about files of SQLite alone is then not tested.
pub fn is_on_server() -> bool {
    std::env::var_os(SERVER).is_some()
}

/// Runs statements in the database on the server that a path means.
///
/// # Panics
/// When there is no server, or it refuses one.
pub fn execute(path: &Path, sql: &str) {
    with(path, |client| client.batch_execute(sql).expect("the statements are right"));
}

/// The number that a query for one number gives in the database on the server that a path means.
///
/// # Panics
/// When there is no server, or the query gives no number.
pub fn number(path: &Path, sql: &str) -> i64 {
    with(path, |client| client.query_one(sql, &[]).expect("one row").get(0))
}

/// The texts that a query for one column gives in the database on the server that a path means.
///
/// # Panics
/// When there is no server, or the query gives no texts.
pub fn texts(path: &Path, sql: &str) -> Vec<String> {
    with(path, |client| client.query(sql, &[]).expect("rows").iter().map(|row| row.get(0)).collect())
}

fn with<T: Send>(path: &Path, action: impl FnOnce(&mut Client) -> T + Send) -> T {
    let address = given(path);
    let address = address.to_str().expect("an address");
    let action = || action(&mut Client::connect(address, NoTls).expect("the server of the tests runs"));
    std::thread::scope(|scope| scope.spawn(action).join()).expect("it is done")
}
