//! Checks of the page: its types, its style, its tests, and tests in a browser over the real binary.

use std::path::{Path, PathBuf};

use crate::node::{self, For, NPM};
use crate::page::{self, Unmade};
use crate::steps::{in_path, step, step_with};

/// The variable that makes every check of the page mandatory.
const REQUIRED: &str = "REQUIRE_BROWSER";

/// A missing tool of this machine, for the end of the report.
pub type Skipped = Option<&'static str>;

/// Builds the page, so that the binary of the tests has it.
///
/// # Errors
/// When it does not build, or when it must and this machine lacks something.
pub fn build() -> Result<Skipped, String> {
    match page::make(For::Everything) {
        Ok(()) => Ok(None),
        Err(Unmade::Lacking(what)) => skip("the page and all its tests", &what),
        Err(Unmade::Broken(step)) => Err(step),
    }
}

/// Checks what the page is written in, which takes seconds and comes before everything that takes minutes.
///
/// # Errors
/// With the name of what failed.
pub fn lint() -> Result<(), String> {
    node::install(For::Everything)?;
    for (name, arguments) in [
        ("the style of the page", &["run", "lint", "--workspace", "check"][..]),
        ("whether the types of the interface are stale", &["run", "stale", "--workspace", "codegen"]),
        ("the types of the page", &["run", "types", "--workspace", "app"]),
        ("the types of its tests", &["run", "types", "--workspace", "check"]),
    ] {
        step(name, NPM, arguments, "web")?;
    }
    Ok(())
}

/// Tests the page, which has been built.
///
/// # Errors
/// With the name of what failed.
pub fn test() -> Result<Skipped, String> {
    step("the tests of the page", NPM, &["test", "--workspace", "check"], "web")?;
    let Some(chromium) = chromium() else {
        let helps =
            "no Chromium is on this machine: install one, or say where one lies with CHROME=/path/to/it";
        return skip("the tests in a browser", helps);
    };
    let environment = [("CHROME", &*chromium), ("QUORATE_BIN", &*binary()?)];
    for (name, script) in [("the tests in a browser", "browser"), ("the budgets of the page", "budgets")] {
        step_with(name, NPM, &["run", script, "--workspace", "check"], "web", &environment)?;
    }
    Ok(None)
}

/// Leaves out what this machine lacks something for.
///
/// # Errors
/// When nothing may be left out.
pub fn skip(what: &'static str, why: &str) -> Result<Skipped, String> {
    if std::env::var_os(REQUIRED).is_some_and(|value| !value.is_empty() && value != "0") {
        eprintln!("\nxtask: {why}\n{REQUIRED} is set, so that nothing may be left out.");
        return Err(what.to_owned());
    }
    eprintln!("\nxtask: SKIPPED {what}: {why}");
    Ok(Some(what))
}

fn chromium() -> Option<PathBuf> {
    const NAMES: [&str; 6] =
        ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"];
    const PLACES: [&str; 2] = [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    ];
    let named = std::env::var_os("CHROME").filter(|named| !named.is_empty()).map(PathBuf::from);
    let usual = || PLACES.iter().map(PathBuf::from).find(|place| place.is_file());
    named.or_else(|| in_path(&NAMES)).or_else(usual)
}

/// The binary that earlier tests have built; it lies beside this program.
///
/// # Errors
/// When it is not there.
pub fn binary() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = own.parent().unwrap_or(Path::new("."));
    let binary = folder.join(format!("quorate{}", std::env::consts::EXE_SUFFIX));
    match binary.is_file() {
        true => Ok(binary),
        false => {
            eprintln!("\nxtask: the tests of Rust leave {}, and it is not there", binary.display());
            Err("finding the command".to_owned())
        }
    }
}
