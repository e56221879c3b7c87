//! `cargo xtask page`: builds the page when its sources changed, for the binary to take (`crates/page`).

use std::fs;

use crate::fingerprint::fingerprint;
use crate::node::{self, For, NPM};
use crate::steps::step;

/// What the page is made of.
const SOURCES: [&str; 4] = ["web/app", "web/package.json", "web/package-lock.json", "docs/openapi.json"];
/// Says of what sources the built page is; written last, so that whatever has it is whole.
const BUILD_ID: &str = "web/app/dist/.build-id";

/// Why there is no page of these sources.
#[derive(Debug)]
pub enum Unmade {
    /// This machine lacks something: Node.js, or a way to its packages.
    Lacking(String),
    /// The step that failed; its own words stand above.
    Broken(String),
}

/// Builds the page for whoever asked for it and nothing else.
///
/// # Errors
/// With what failed, when it cannot be built.
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

/// Whether some page is there, if not of these sources.
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

/// Brings the types of the interface up to its document. Only whoever changes the interface needs what writes them.
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
