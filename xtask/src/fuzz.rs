//! `cargo xtask fuzz`: the fuzz targets of `fuzz`, each for a minute or as long as one likes.
//!
//! An input that takes more than five seconds or two gigabytes fails like one that panics. What fails stays in
//! `fuzz/artifacts`; what is new and interesting in `fuzz/work`.

use std::fs;
use std::process::{Command, Stdio};

use crate::steps::step;

/// The workspace of the targets.
const FOLDER: &str = "fuzz";
/// How long a target runs, in seconds, when nobody says.
const SECONDS: u64 = 60;
/// The longest time that one input may take, and the most memory of the process.
const BOUNDS: [&str; 3] = ["-timeout=5", "-rss_limit_mb=2048", "-max_len=65536"];

/// Runs one target, or all: `[--seconds N] [TARGET]`.
///
/// # Errors
/// With the target that failed, or with what is not installed.
pub fn fuzz(arguments: &[String]) -> Result<(), String> {
    let (seconds, wanted) = read(arguments)?;
    let all = targets()?;
    let chosen: Vec<&String> =
        all.iter().filter(|name| wanted.as_ref().is_none_or(|one| one == *name)).collect();
    if chosen.is_empty() {
        return Err(format!("finding the target (there are {})", all.join(", ")));
    }
    installed()?;
    step("building the targets", "cargo", &["+nightly", "fuzz", "build", "--fuzz-dir", FOLDER], ".")?;
    for name in chosen {
        let (work, corpus) = (format!("{FOLDER}/work/{name}"), format!("{FOLDER}/corpus/{name}"));
        fs::create_dir_all(&work).map_err(|error| format!("{work}: {error}"))?;
        let time = format!("-max_total_time={seconds}");
        let mut arguments =
            vec!["+nightly", "fuzz", "run", "--fuzz-dir", FOLDER, name, &work, &corpus, "--", &time];
        arguments.extend(BOUNDS);
        step(&format!("fuzzing {name} for {seconds} s"), "cargo", &arguments, ".")?;
    }
    Ok(())
}

/// How long, and which target; all without one.
fn read(arguments: &[String]) -> Result<(u64, Option<String>), String> {
    let (mut seconds, mut wanted) = (SECONDS, None);
    let mut rest = arguments.iter();
    while let Some(one) = rest.next() {
        match one.as_str() {
            "--seconds" => {
                let given = rest.next().and_then(|number| number.parse().ok());
                seconds = given.ok_or("reading --seconds (it needs a number)")?;
            }
            name => wanted = Some(name.to_owned()),
        }
    }
    Ok((seconds, wanted))
}

/// All targets, by name.
fn targets() -> Result<Vec<String>, String> {
    let folder = format!("{FOLDER}/fuzz_targets");
    let files = fs::read_dir(&folder).map_err(|error| format!("{folder}: {error}"))?;
    let names = files.flatten().filter_map(|file| file.path().file_stem()?.to_str().map(str::to_owned));
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

/// Looks for what is needed beside Rust itself.
fn installed() -> Result<(), String> {
    let runs = |program: &str, arguments: &[&str]| {
        let status =
            Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if !runs("rustc", &["+nightly", "--version"]) {
        return Err(
            "finding the nightly toolchain (rustup toolchain install nightly --profile minimal)".to_owned()
        );
    }
    if !runs("cargo", &["fuzz", "--version"]) {
        return Err("finding cargo-fuzz (cargo install cargo-fuzz --locked)".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_and_a_target_can_be_given_in_any_order() {
        let read = |words: &[&str]| read(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(read(&[]), Ok((60, None)));
        assert_eq!(read(&["wires", "--seconds", "5"]), Ok((5, Some("wires".to_owned()))));
        assert!(read(&["--seconds", "long"]).is_err());
    }
}
