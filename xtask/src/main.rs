//! The chores of this repository, the same on every machine: `cargo xtask`.
//!
//! It needs nothing but Rust itself, so that it is built in a second.

mod archive;
mod clients;
mod fingerprint;
mod fuzz;
mod imports;
mod node;
mod page;
mod postgres;
mod properties;
mod recheck;
mod retired;
mod run;
mod steps;
mod torture;
mod web;
mod windows;

use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use crate::steps::{step, step_with};

/// The root of the repository; all paths here are relative to it.
const TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

const HELP: &str = "\
cargo xtask run         builds the page if it changed, and starts the server; what follows goes to `quorate serve`
                        (--pdf, if first, builds the export of PDFs as well: minutes more, once)
cargo xtask page        only builds the page, if its sources changed (Node.js 20.19 or newer)
cargo xtask test        everything that must pass: formatting, clippy, all tests, the page in a browser
cargo xtask clients     generated clients of the interface hold meetings with the real server (Node.js, Python 3.11)
cargo xtask nodes       three nodes share a PostgreSQL server and are killed; what follows goes to xtask/nodes/run.py
cargo xtask recheck     meetings are held and killed, and a second reader checks their rows; what follows goes to tools/runs.py
cargo xtask fuzz        each fuzz target with libFuzzer for a minute: [--seconds N] [TARGET] (needs nightly Rust and cargo-fuzz)
cargo xtask torture     one server while everything goes wrong, for five minutes; what follows goes to xtask/torture/run.py
cargo xtask tidy        only what is quick: formatting and the tidiness of the tree
cargo xtask properties  writes docs/properties.md, which says where each property is tested
cargo xtask archive     one archive for people who do not build: page, program, manual and completions, in target/archives
                        [--target TRIPLE] [--without-pdf]
cargo xtask bench       the measurements of docs/performance.md (builds in release; takes minutes); --compare BASE [--runs N]
                        measures this build and the binary BASE in turns, through the server, beside a bare loop";

fn main() -> ExitCode {
    let from = std::env::current_dir().unwrap_or_default();
    if let Err(error) = std::env::set_current_dir(TREE) {
        eprintln!("xtask: {TREE}: {error}");
        return ExitCode::FAILURE;
    }
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    let done = match task.as_str() {
        "run" => run::run(&arguments.collect::<Vec<_>>(), &from),
        "page" => page::page(),
        "test" => test(),
        "clients" => clients_alone(),
        "nodes" => nodes(&arguments.collect::<Vec<_>>()),
        "fuzz" => fuzz::fuzz(&arguments.collect::<Vec<_>>()),
        "torture" => torture(&arguments.collect::<Vec<_>>()),
        "recheck" => recheck(&arguments.collect::<Vec<_>>()),
        "tidy" => tidy(),
        "properties" => properties::write(&sources("crates")),
        "archive" => archive::archive(&arguments.collect::<Vec<_>>()),
        "bench" => bench(&arguments.collect::<Vec<_>>(), &from),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(step) => {
            eprintln!("\nxtask: {step} failed");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    let begun = Instant::now();
    let without_page = web::build()?;
    if without_page.is_none() {
        web::lint()?;
    }
    tidy()?;
    cargo("clippy", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    // nextest runs tests in parallel over all crates; cargo's own runner will do without it.
    let tests: &[&str] = match has_nextest() {
        true => &["nextest", "run", "--workspace", "--locked"],
        false => &["test", "--workspace", "--locked", "--bins", "--lib", "--tests"],
    };
    step_with("tests", "cargo", tests, ".", &[(recheck::KEEP, &recheck::folder()?)])?;
    let without_reader = recheck::test()?;
    let without_torture = torture::test()?;
    let without_windows = windows::test()?;
    let without_postgres = postgres::test()?;
    let without_clients = clients::test()?;
    let without_browser = if without_page.is_some() { without_page } else { web::test()? };
    let skipped: [web::Skipped; 6] = [
        without_browser,
        without_clients,
        without_postgres,
        without_reader,
        without_torture,
        without_windows,
    ];
    let skipped = skipped.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    let seconds = begun.elapsed().as_secs();
    eprintln!("\nxtask: the time of the steps\n{}", steps::times());
    match skipped.as_str() {
        "" => eprintln!("\nxtask: everything passed in {seconds} s"),
        what => eprintln!("\nxtask: SKIPPED {what}; the rest passed in {seconds} s"),
    }
    Ok(())
}

/// The generated clients, with the server as it is now.
fn clients_alone() -> Result<(), String> {
    cargo("building the server", &["build", "--workspace", "--bins", "--locked"])?;
    clients::test().map(|_| ())
}

/// Nodes that are killed, with the program as it is now.
fn nodes(arguments: &[String]) -> Result<(), String> {
    cargo("building the server", &["build", "--workspace", "--bins", "--locked"])?;
    postgres::nodes(arguments)
}

/// Meetings for the second reader, with the program as it is now.
fn recheck(arguments: &[String]) -> Result<(), String> {
    cargo("building the server", &["build", "--workspace", "--bins", "--locked"])?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    recheck::meetings(&arguments).map(|_| ())
}

/// A server while everything goes wrong, with the program as it is now.
fn torture(arguments: &[String]) -> Result<(), String> {
    cargo("building the server", &["build", "--workspace", "--bins", "--locked"])?;
    torture::run(arguments)
}

fn tidy() -> Result<(), String> {
    cargo("formatting", &["fmt", "--all", "--check"])?;
    tree()
}

/// Measures everything; with `--compare BASE`, what meetings cost through the program as it ships, this build and the binary
/// BASE in turns beside the bare loop. What follows goes to `benches/shipped.rs`.
fn bench(arguments: &[String], from: &Path) -> Result<(), String> {
    if let [flag, base, rest @ ..] = arguments
        && flag == "--compare"
    {
        let base = from.join(base).display().to_string();
        cargo("building the program", &["build", "--release", "-p", "quorate-cli"])?;
        let built = Path::new(TREE).join("target/release/quorate").display().to_string();
        let mut measured = vec!["bench", "-p", "quorate-cli", "--bench", "shipped", "--", &base, &built];
        measured.extend(rest.iter().map(String::as_str));
        return cargo("comparing", &measured);
    }
    if let Some(unknown) = arguments.first() {
        return Err(format!("bench takes --compare BASE, and not {unknown}; it"));
    }
    cargo("measuring the store", &["bench", "-p", "quorate-store", "--bench", "append"])?;
    cargo("measuring meetings", &["bench", "-p", "quorate-cli", "--bench", "meetings"])?;
    cargo("measuring the program as it ships", &["bench", "-p", "quorate-cli", "--bench", "shipped"])
}

/// Checks that no other tool makes: every file states its purpose, the core stays pure, and imports point one
/// way.
fn tree() -> Result<(), String> {
    let mut wrong = Vec::new();
    for file in sources("crates").into_iter().chain(sources("xtask")) {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        if !text.trim_start().starts_with("//!") && file.contains("/src/") {
            wrong.push(format!("{file} does not begin with what it is for (`//!`)"));
        }
    }
    for pure in imports::PURE {
        let manifest = format!("crates/{pure}/Cargo.toml");
        let text = std::fs::read_to_string(&manifest).map_err(|error| format!("{manifest}: {error}"))?;
        let dependencies = text.split("[dependencies]").nth(1).and_then(|rest| rest.split("\n[").next());
        for outside in ["tokio", "reqwest", "rusqlite", "rand", "jiff"] {
            if dependencies.is_some_and(|list| list.contains(outside)) {
                wrong.push(format!("crates/{pure} depends on {outside}, and it has to stay pure"));
            }
        }
    }
    wrong.extend(properties::check(&sources("crates")).err());
    wrong.extend(retired::check(Path::new(".")));
    eprintln!("\nxtask: layers, from the top\n{}", imports::layers(Path::new(".")));
    wrong.extend(imports::check(Path::new("."), &code()));
    if wrong.is_empty() {
        return Ok(());
    }
    for line in &wrong {
        eprintln!("xtask: {line}");
    }
    Err("tidiness".to_owned())
}

/// The files of the program, without those of its tests.
fn code() -> Vec<String> {
    let is_code =
        |path: &String| path.contains("/src/") && !path.contains("/tests/") && !path.ends_with("/tests.rs");
    sources("crates").into_iter().chain(sources("xtask")).filter(is_code).collect()
}

fn sources(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries.flatten() {
        let path = entry.path().display().to_string();
        if entry.path().is_dir() {
            found.extend(sources(&path));
        } else if path.ends_with(".rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn has_nextest() -> bool {
    let probe =
        steps::cargo().args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

fn cargo(name: &str, arguments: &[&str]) -> Result<(), String> {
    step(name, "cargo", arguments, ".")
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_property_of_requirement_000_has_its_test() {
        std::env::set_current_dir(super::TREE).expect("the tree is there");
        super::properties::check(&super::sources("crates")).unwrap();
    }
}
