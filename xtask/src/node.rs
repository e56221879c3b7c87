//! Node.js, which builds the page: whether it is there and new enough, and its packages.

use std::fs;
use std::process::Command;

use crate::fingerprint::fingerprint;
use crate::steps::{in_path, step};

/// The oldest that the page's tools run on.
const OLDEST: (u32, u32) = (20, 19);
/// Which packages were installed for which lock file.
const STAMP: &str = "web/node_modules/.quorate-installed";
/// The files that decide which packages are installed.
const LISTS: [&str; 5] = [
    "web/package.json",
    "web/package-lock.json",
    "web/app/package.json",
    "web/check/package.json",
    "web/codegen/package.json",
];

/// The name of npm on this platform.
pub const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// For what packages are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// For the page alone.
    Page,
    /// For its tests and its generated types, too.
    Everything,
}

/// Checks that Node.js and npm are installed.
///
/// # Errors
/// What is missing, and how it is installed here.
pub fn look() -> Result<(), String> {
    let version = said("node", "--version");
    let lacking = match version.as_deref().and_then(parse) {
        Some(found) if found < OLDEST => {
            format!("Node.js is too old ({})", version.unwrap_or_default().trim())
        }
        Some(_) if said(NPM, "--version").is_none() => "npm is missing".to_owned(),
        Some(_) => return Ok(()),
        None => "Node.js is missing".to_owned(),
    };
    let old = lacking.contains("too old");
    Err(format!(
        "{lacking}; the page is built with {}.{} or newer.\n{}",
        OLDEST.0,
        OLDEST.1,
        install_line(old)
    ))
}

fn said(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `v20.19.4` as a number that can be compared.
fn parse(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// The install command of this platform. An installer that gave an outdated Node.js is not suggested again.
fn install_line(old: bool) -> String {
    const BY_MANAGER: [(&str, &str); 5] = [
        ("apt-get", "sudo apt-get install nodejs npm"),
        ("dnf", "sudo dnf install nodejs npm"),
        ("pacman", "sudo pacman -S nodejs npm"),
        ("apk", "sudo apk add nodejs npm"),
        ("brew", "brew install node"),
    ];
    let line = match std::env::consts::OS {
        "windows" => Some("winget install OpenJS.NodeJS.LTS"),
        _ if old => None,
        _ => BY_MANAGER.iter().find(|(manager, _)| in_path(&[manager]).is_some()).map(|(_, line)| *line),
    };
    match line {
        Some(line) => format!("To install it: {line}   (or from https://nodejs.org/en/download)"),
        None => "To install it: https://nodejs.org/en/download".to_owned(),
    }
}

/// Installs the packages, unless those of this lock file are there.
///
/// # Errors
/// When npm fails.
pub fn install(wanted: For) -> Result<(), String> {
    let lists = fingerprint(&LISTS)?;
    if fs::read_to_string(STAMP).is_ok_and(|stamp| suffices(&stamp, wanted, &lists)) {
        return Ok(());
    }
    let all = ["ci", "--include=dev"];
    let of_page = ["ci", "--include=dev", "--workspace", "app"];
    let arguments = if wanted == For::Page { &of_page[..] } else { &all[..] };
    step("fetching the packages of the page", NPM, arguments, "web")?;
    fs::write(STAMP, stamp(wanted, &lists)).map_err(|error| format!("{STAMP}: {error}"))
}

fn stamp(installed: For, lists: &str) -> String {
    let what = if installed == For::Page { "page" } else { "everything" };
    format!("{what} {lists}\n")
}

fn suffices(there: &str, wanted: For, lists: &str) -> bool {
    there == stamp(For::Everything, lists) || there == stamp(wanted, lists)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(parse("v20.19.4\n"), Some((20, 19)));
        assert!(parse("v20.9.0").is_some_and(|version| version < OLDEST));
        assert!(parse("v22.0.0").is_some_and(|version| version > OLDEST));
        assert_eq!((parse("20"), parse("vx.1"), parse("")), (None, None, None));
    }

    #[test]
    fn packages_for_everything_do_for_the_page_and_not_the_other_way() {
        for (there, wanted, enough) in [
            (stamp(For::Everything, "a1"), For::Page, true),
            (stamp(For::Everything, "a1"), For::Everything, true),
            (stamp(For::Page, "a1"), For::Page, true),
            (stamp(For::Page, "a1"), For::Everything, false),
            (stamp(For::Everything, "b2"), For::Page, false),
        ] {
            assert_eq!(suffices(&there, wanted, "a1"), enough, "{there}");
        }
    }

    #[test]
    fn what_is_missing_comes_with_a_way_to_get_it() {
        assert!(
            [true, false]
                .map(install_line)
                .iter()
                .all(|line| line.contains("nodejs") || line.contains("winget"))
        );
    }
}
