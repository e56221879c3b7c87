//! One real server on a database file while everything goes wrong (`xtask/torture/run.py`), and the tests of that program.

use crate::clients::python;
use crate::steps::{step, step_with};
use crate::web::{Skipped, binary, skip};

/// How long things go wrong, in minutes, when nothing is said.
const MINUTES: &str = "5";

/// The tests of the program: wrong histories are planted, and found.
///
/// # Errors
/// With the name of what failed, or when this machine lacks something and nothing may be left out.
pub fn test() -> Result<Skipped, String> {
    let Some(python) = python() else {
        return skip("the run in which everything goes wrong", "Python 3.11 or newer is missing");
    };
    let arguments = ["-m", "unittest", "discover", "-s", "xtask/torture/tests"];
    step("the tests of the run in which everything goes wrong", &python, &arguments, ".")?;
    Ok(None)
}

/// Runs it; what follows goes to the program.
///
/// # Errors
/// With the name of what failed.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let python = python().ok_or("Python 3.11 or newer is missing")?;
    let program = binary()?.display().to_string();
    let mut all = vec!["xtask/torture/run.py", "--quorate", &program];
    if !arguments.iter().any(|word| word == "--minutes" || word.starts_with("--minutes=")) {
        all.extend(["--minutes", MINUTES]);
    }
    all.extend(arguments.iter().map(String::as_str));
    step_with("one server while everything goes wrong", &python, &all, ".", &[])
}
