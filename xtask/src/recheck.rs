//! The second reader, `tools/recheck`: it reads raw rows, shares nothing with the product, and compares both.
//!
//! It reads the logs in `fixtures`, the databases that the tests have left behind, and those of meetings that are held,
//! killed, forked and disturbed for it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::TREE;
use crate::clients::python;
use crate::steps::{step, step_with};
use crate::web::{Skipped, binary, skip};

/// The folder in which tests leave their databases, if they were told to.
pub const KEEP: &str = "QUORATE_KEEP_DATABASES";
/// That folder when nobody has named one.
const FOLDER: &str = "target/databases";
/// Tests that write wrong rows.
const DAMAGED: &str = "tools/damaged.txt";

/// The folder in which the tests are to leave their databases; empty when it is ours.
///
/// # Errors
/// When it cannot be made.
pub fn folder() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os(KEEP) {
        return Ok(named.into());
    }
    let folder = Path::new(TREE).join(FOLDER);
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("making {FOLDER}: {error}"))?;
    Ok(folder)
}

/// Reads everything once.
///
/// # Errors
/// With the name of what failed, or when this machine lacks something and nothing may be left out.
pub fn test() -> Result<Skipped, String> {
    let Some(python) = python() else {
        return skip("the second reader", "Python 3.11 or newer is missing");
    };
    let go = |name: &str, arguments: &[&str]| step(name, &python, arguments, ".");
    go("the tests of the second reader", &["-m", "unittest", "discover", "-s", "tools/tests"])?;
    let kept = std::env::var(KEEP).unwrap_or_else(|_| FOLDER.to_owned());
    let all = ["tools/recheck", "--skip", DAMAGED, "fixtures/meetings", "fixtures/contract", &kept];
    go("the second reader, over what the tests left behind", &all)?;
    // It is large, and has been read.
    _ = fs::remove_dir_all(Path::new(TREE).join(FOLDER));
    meetings(&["--seed", "1", "--count", "1"])
}

/// Holds meetings and reads their databases; what follows goes to `tools/runs.py`.
///
/// # Errors
/// With the name of what failed.
pub fn meetings(arguments: &[&str]) -> Result<Skipped, String> {
    let Some(python) = python() else {
        return skip("the second reader", "Python 3.11 or newer is missing");
    };
    let program = binary()?.display().to_string();
    let all: Vec<&str> =
        ["tools/runs.py", "--quorate", &program].into_iter().chain(arguments.iter().copied()).collect();
    step_with("the second reader, over meetings that are disturbed and killed", &python, &all, ".", &[])?;
    Ok(None)
}
