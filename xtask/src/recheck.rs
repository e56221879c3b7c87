//! The second reader, `tools/recheck`: it reads raw rows, shares nothing with the product, and compares both.
//!
//! It reads the logs in `fixtures`, the databases that the tests have left behind, and those of meetings that are held,
//! killed, forked and disturbed for it.

use std::fs;
use std::path::Path;

use crate::clients::python;
use crate::steps::{step, step_with};
use crate::web::{Skipped, binary, skip};

/// Where tests leave their databases: the variable, and the folder.
const KEEP: (&str, &str) = ("QUORATE_KEEP_DATABASES", "target/kept-databases");
/// Tests that write wrong rows, or whose meetings go on while their databases are copied.
const DAMAGED: &str = "tools/damaged.txt";

/// Tells the tests that follow where their databases are to stay.
///
/// # Errors
/// When what an earlier run has left cannot be removed.
pub fn keep_databases() -> Result<Vec<(&'static str, std::path::PathBuf)>, String> {
    if Path::new(KEEP.1).exists() {
        fs::remove_dir_all(KEEP.1).map_err(|error| format!("{}: {error}", KEEP.1))?;
    }
    let folder = std::env::current_dir().map_err(|error| error.to_string())?.join(KEEP.1);
    Ok(vec![(KEEP.0, folder)])
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
    let kept = ["tools/recheck", "--skip", DAMAGED, "fixtures/meetings", "fixtures/contract"];
    let kept: Vec<&str> = kept.into_iter().chain(Path::new(KEEP.1).is_dir().then_some(KEEP.1)).collect();
    go("the second reader, over what the tests left behind", &kept)?;
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
