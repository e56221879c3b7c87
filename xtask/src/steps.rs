//! The steps of a task: each is named before it runs, and the first that fails ends the task.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The steps so far, in their order, and how long each took.
static TOOK: Mutex<Vec<(String, Duration)>> = Mutex::new(Vec::new());

/// How long a step may be silent where no terminal shows its progress.
const SILENCE: Duration = Duration::from_secs(15);

/// Runs a program in a folder as a step; its output is shown.
///
/// # Errors
/// The name of the failed step.
pub fn step(name: &str, program: &str, arguments: &[&str], folder: &str) -> Result<(), String> {
    step_with(name, program, arguments, folder, &[])
}

/// The same, with more in the environment.
///
/// # Errors
/// With the step's name.
pub fn step_with(
    name: &str,
    program: &str,
    arguments: &[&str],
    folder: &str,
    environment: &[(&str, &Path)],
) -> Result<(), String> {
    eprintln!("\nxtask: {name} ({program} {})", arguments.join(" "));
    let mut command = if program == "cargo" { cargo() } else { Command::new(program) };
    command
        .args(arguments)
        .current_dir(folder)
        .envs(environment.iter().map(|(name, value)| (name, value.as_os_str())));
    let begun = Instant::now();
    let status = telling_the_time(name, || command.status());
    if let Ok(mut took) = TOOK.lock() {
        took.push((name.to_owned(), begun.elapsed()));
    }
    match status.is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => Err(name.to_owned()),
    }
}

/// How long each step took that was longer than a few seconds, a line each.
pub fn times() -> String {
    listed(&TOOK.lock().map(|took| took.clone()).unwrap_or_default())
}

fn listed(took: &[(String, Duration)]) -> String {
    let long = took.iter().filter(|(_, time)| *time >= WORTH_TELLING);
    long.map(|(name, time)| format!("  {:>13}  {name}\n", in_words(*time))).collect()
}

/// A step that took less is not listed.
const WORTH_TELLING: Duration = Duration::from_secs(5);

/// Does something that takes long. Where no terminal shows its progress, it is said every few seconds that it goes on.
fn telling_the_time<T>(name: &str, work: impl FnOnce() -> T) -> T {
    if std::io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (over, is_over) = mpsc::channel::<()>();
        scope.spawn(move || {
            let begun = Instant::now();
            while is_over.recv_timeout(SILENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("xtask: {name}, {} so far", in_words(begun.elapsed()));
            }
        });
        let done = work();
        drop(over);
        done
    })
}

fn in_words(time: Duration) -> String {
    match (time.as_secs() / 60, time.as_secs() % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

/// The cargo that runs this, without its variables about this program: some crates are rebuilt when these
/// change.
pub fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let of_this = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        if name.to_str().is_some_and(of_this) {
            command.env_remove(name);
        }
    }
    if std::env::var_os("CARGO_INCREMENTAL").is_none() && !is_developed() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Whether somebody builds this program again and again, by `cargo build` and its like. What such builds keep to be quicker
/// the next time takes as much of the disk as all else, and is of no use to those who build once.
fn is_developed() -> bool {
    let kept = std::fs::read_dir(target().join("debug/incremental")).into_iter().flatten().flatten();
    kept.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().starts_with("quorate"))
}

/// The folder in which cargo builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from)
}

/// Finds a program by one of several names in `PATH`.
pub fn in_path(names: &[&str]) -> Option<PathBuf> {
    among(&std::env::var_os("PATH")?, names)
}

fn among(path: &OsString, names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(path).collect();
    let ending = std::env::consts::EXE_SUFFIX;
    let places = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(format!("{name}{ending}"))));
    places.into_iter().find(|place| place.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_the_first_name_that_there_is() {
        let folder = std::env::temp_dir().join(format!("quorate-xtask-path-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let chrome = folder.join(format!("google-chrome{}", std::env::consts::EXE_SUFFIX));
        std::fs::write(&chrome, "").expect("a file");
        let path = std::env::join_paths([Path::new("/nowhere"), &folder]).expect("a path");
        assert_eq!(among(&path, &["chromium", "google-chrome"]), Some(chrome));
        assert_eq!(among(&path, &["chromium"]), None);
        std::fs::remove_dir_all(&folder).expect("gone");
    }

    #[test]
    fn times_are_told_in_minutes_and_seconds() {
        let told = [5, 60, 135].map(|seconds| in_words(Duration::from_secs(seconds)));
        assert_eq!(told, ["5 s", "1 min 0 s", "2 min 15 s"]);
    }

    #[test]
    fn short_steps_are_not_listed() {
        let took =
            [("clippy".to_owned(), Duration::from_secs(135)), ("a look".to_owned(), Duration::from_secs(1))];
        assert_eq!(listed(&took), "     2 min 15 s  clippy\n");
        assert_eq!(step("asking rustc", "rustc", &["--version"], "."), Ok(()));
        assert!(TOOK.lock().expect("no step panics").iter().any(|(name, _)| name == "asking rustc"));
    }

    #[test]
    fn a_step_that_fails_is_named() {
        assert_eq!(step("asking rustc", "rustc", &["--version"], "."), Ok(()));
        assert_eq!(
            step("asking nobody", "quorate-no-such-program", &[], "."),
            Err("asking nobody".to_owned())
        );
    }
}
