//! Databases that stay when their test is over, so that another program can read them.

use std::path::{Path, PathBuf};
use std::{env, fs, process, thread};

/// The variable with the folder in which databases stay.
pub const KEEP: &str = "QUORATE_KEEP_DATABASES";

/// Copies the databases in the folder of a test to where they stay, if the environment asks for it. The test calls it
/// when it is over; each copy is named after the test.
pub fn keep(folder: &Path) {
    let Some(kept) = env::var_os(KEEP).map(PathBuf::from) else { return };
    // The folder of a test that fails may be in any state.
    let _ = fs::create_dir_all(&kept);
    let thread = thread::current();
    let name = thread.name().unwrap_or("test").replace("::", "-");
    for (number, database) in databases(folder).iter().enumerate() {
        let copy = kept.join(format!("{name}-{}-{number}.db", process::id()));
        for end in ["", "-wal", ".key"] {
            let beside = |path: &Path| {
                let mut name = path.as_os_str().to_owned();
                name.push(end);
                PathBuf::from(name)
            };
            let _ = fs::copy(beside(database), beside(&copy));
        }
    }
}

/// The database files in a folder, at any depth.
fn databases(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).collect::<Vec<_>>();
    let here = paths.iter().filter(|path| path.is_file() && path.extension().is_some_and(|end| end == "db"));
    let below = paths.iter().filter(|path| path.is_dir()).flat_map(|path| databases(path));
    here.cloned().chain(below).collect()
}
