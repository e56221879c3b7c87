//! `cargo xtask page`: builds the page when its sources changed, for the binary to take (`crates/page`).

use std::fs;

use crate::fingerprint::fingerprint;
use crate::node::{self, For, NPM};
use crate::steps::step;

/// The inputs of the page.
const SOURCES: [&str; 4] = ["web/app", "web/package.json", "web/package-lock.json", "docs/openapi.json"];
/// The file that identifies the sources of a built page; written last, so that a page with it is complete.
const BUILD_ID: &str = "web/app/dist/.build-id";

/// The reason why there is no page of these sources.
#[derive(Debug)]
pub enum Unmade {
    /// This machine lacks Node.js, or access to its packages.
    Lacking(String),
    /// The step that failed; its own words stand above.
    Broken(String),
}

/// Builds the page as a command of its own.
///
/// # Errors
/// When it cannot be built, with the reason.
pub fn page() -> Result<(), String> {
    match make(For::Page) {
        Ok(()) => Ok(()),
        Err(Unmade::Broken(step)) => Err(step),
        Err(Unmade::Lacking(what)) => {
            eprintln!("\nxtask: {what}");
            Err("building the page".to_owned())
        }
    }
}

/// Builds the page, unless the one that is there is of these sources.
///
/// # Errors
/// When it cannot be built.
pub fn make(packages: For) -> Result<(), Unmade> {
    if is_made().map_err(Unmade::Broken)? {
        return Ok(());
    }
    node::look().map_err(Unmade::Lacking)?;
    install(packages)?;
    types()?;
    step("checking the types of the page", NPM, &["run", "types", "--workspace", "app"], "web")
        .and_then(|()| step("building the page", NPM, &["run", "build", "--workspace", "app"], "web"))
        .and_then(|()| mark())
        .map_err(Unmade::Broken)
}

/// Whether there is a built page, possibly of other sources.
pub fn is_there() -> bool {
    fs::exists("web/app/dist/index.html").unwrap_or(false)
}

fn is_made() -> Result<bool, String> {
    let sources = fingerprint(&SOURCES)?;
    Ok(is_there() && fs::read_to_string(BUILD_ID).is_ok_and(|made| made.trim() == sources))
}

fn install(packages: For) -> Result<(), Unmade> {
    node::install(packages).map_err(|step| {
        let tried = format!("{step} did not work out, as npm says above.");
        let helps = "Look whether this machine reaches the registry of npm (`npm config get registry`).";
        Unmade::Lacking(format!("{tried}\n{helps}"))
    })
}

/// Generates the types of the interface from its document. Their generator is needed only when the interface
/// changes.
fn types() -> Result<(), Unmade> {
    let types = |name, how: &[&str]| step(name, "node", &[&["generate.mjs"], how].concat(), "web/codegen");
    if types("whether the types of the interface are fresh", &["--fresh"]).is_ok() {
        return Ok(());
    }
    install(For::Everything)?;
    types("writing the types of the interface", &[]).map_err(Unmade::Broken)
}

/// Says of what sources the page is. They may be others than before: the types are among them.
fn mark() -> Result<(), String> {
    let new = format!("{BUILD_ID}.new");
    fs::write(&new, fingerprint(&SOURCES)? + "\n")
        .and_then(|()| fs::rename(&new, BUILD_ID))
        .map_err(|error| format!("{BUILD_ID}: {error}"))
}
