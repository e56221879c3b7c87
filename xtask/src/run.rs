//! `cargo xtask run`: the page, then the server that shows it.

use std::env;
use std::io::IsTerminal;
use std::path::Path;
use std::process::Command;

use crate::node::For;
use crate::page::{self, Unmade};
use crate::steps::{cargo, step};

/// Builds what changed, and serves from a folder until it is stopped. Missing tools for the page are
/// reported, and the server starts all the same.
///
/// # Errors
/// When the page does not build, or the server fails.
pub fn run(given: &[String], from: &Path) -> Result<(), String> {
    if !page::is_there() {
        eprintln!("{FIRST_TIME}");
    }
    match page::make(For::Page) {
        Ok(()) => {}
        Err(Unmade::Lacking(what)) => {
            let shown = if page::is_there() { "the page that was built before" } else { "no page" };
            eprintln!(
                "\nxtask: {what}\nThe server starts with {shown}; meetings, commands and the interface work."
            );
        }
        Err(Unmade::Broken(step)) => return Err(step),
    }
    let (features, given) = features(given);
    let build = [&["build", "-p", "quorate-cli"], features].concat();
    step("building the server", "cargo", &build, ".")?;
    let arguments = arguments(features, given, somebody_sits_here());
    eprintln!("\nxtask: starting the server (cargo {})", arguments.join(" "));
    become_it(cargo().args(&arguments).current_dir(from))
}

/// What is said where nothing has been built yet.
const FIRST_TIME: &str = "xtask: the page is built first (a minute or two), then the server. The first time this takes several \
minutes, afterwards seconds. PDF export, which takes minutes more, is built with `cargo xtask run --pdf`.";

/// Which features are built, and what is left for the server.
fn features(given: &[String]) -> (&'static [&'static str], &[String]) {
    let given = given.strip_prefix(&["--".to_owned()]).unwrap_or(given);
    match given.strip_prefix(&["--pdf".to_owned()]) {
        Some(rest) => (&[], rest),
        None => (&["--no-default-features"], given),
    }
}

fn arguments(features: &[&str], given: &[String], open: bool) -> Vec<String> {
    let given = given.strip_prefix(&["--".to_owned()]).unwrap_or(given);
    let open = open && !given.iter().any(|word| ["--open", "--help", "-h"].contains(&word.as_str()));
    let fixed = [&["run", "--quiet", "-p", "quorate-cli"], features, &["--", "serve"]].concat();
    fixed
        .into_iter()
        .map(str::to_owned)
        .chain(open.then(|| "--open".to_owned()))
        .chain(given.iter().cloned())
        .collect()
}

/// Whether there is a person with a screen at this machine.
fn somebody_sits_here() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let screen = match env::consts::OS {
        "macos" | "windows" => !is_set("SSH_CONNECTION"),
        _ => is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"),
    };
    screen && std::io::stdout().is_terminal() && !is_set("CI")
}

/// The server takes the place of this process, so that Ctrl-C is its own.
#[cfg(unix)]
fn become_it(command: &mut Command) -> Result<(), String> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(format!("starting the server ({error})"))
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the server ({status})")),
        Err(error) => Err(format!("starting the server ({error})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_goes_to_the_server_and_the_browser_opens_once() {
        for (given, open, wanted) in [
            (&[][..], false, "serve"),
            (&[], true, "serve --open"),
            (&["--", "--port", "80"], true, "serve --open --port 80"),
            (&["--port", "80"], false, "serve --port 80"),
            (&["--open"], true, "serve --open"),
            (&["--help"], true, "serve --help"),
        ] {
            let given: Vec<String> = given.iter().map(|word| (*word).to_owned()).collect();
            let told = arguments(&["--no-default-features"], &given, open).join(" ");
            assert_eq!(told, format!("run --quiet -p quorate-cli --no-default-features -- {wanted}"));
        }
    }

    #[test]
    fn pdf_is_built_when_it_is_asked_for() {
        let given = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let without = given(&["--", "--port", "80"]);
        assert_eq!(features(&without), (&["--no-default-features"][..], &without[1..]));
        let with = given(&["--pdf", "--port", "80"]);
        assert_eq!(features(&with), (&[][..], &with[1..]));
    }
}
