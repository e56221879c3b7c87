//! Retired names of machinery, which must not come back.
//!
//! `xtask/retired.txt` holds them, a word a line. A name in code is read as the words that it is made of: with `gizmo`
//! retired, neither `LOCAL_GIZMO` nor `GizmoList` may stand. What participants say, what is generated, and what tells the past
//! (the change log, the decisions) may use any word.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const LIST: &str = "xtask/retired.txt";

/// Folders and files in which such words are not our names.
const ELSEWHERE: [&str; 9] = [
    "CHANGELOG.md",
    "docs/decisions/",
    "docs/openapi.json",
    "fixtures/",
    "crates/runners/src/simulated/",
    "/snapshots/",
    "web/package-lock.json",
    "web/app/src/api/schema.d.ts",
    "xtask/retired.txt",
];

/// An icon of another library has the name that it has there.
const ICONS: &str = "lucide-react/icons/";

/// The lines that use one of them.
pub fn check(root: &Path) -> Vec<String> {
    let list = match std::fs::read_to_string(root.join(LIST)) {
        Ok(list) => list,
        Err(error) => return vec![format!("{LIST}: {error}")],
    };
    let retired: BTreeSet<&str> = list.lines().map(str::trim).filter(|word| !word.is_empty()).collect();
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = match git.output() {
        Ok(output) if output.status.success() => output,
        Ok(output) => {
            return vec![format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr).trim())];
        }
        Err(error) => return vec![format!("git ls-files: {error}")],
    };
    let files = String::from_utf8_lossy(&output.stdout);
    let files = files.split('\0').filter(|file| !file.is_empty() && !is_elsewhere(file));
    let mut wrong = Vec::new();
    for file in files {
        wrong.extend(
            word_in(file, &retired)
                .map(|word| format!("a retired word ({LIST}) in the name of {file}: {word}")),
        );
        // What is no text, and what was deleted and not committed, holds no names.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        let lines = text.lines().enumerate().filter(|(_, line)| !line.contains(ICONS));
        wrong.extend(lines.filter_map(|(at, line)| {
            word_in(line, &retired)?;
            Some(format!("a retired word ({LIST}): {file}:{}:{}", at + 1, line.trim()))
        }));
    }
    wrong
}

fn is_elsewhere(file: &str) -> bool {
    ELSEWHERE.iter().any(|path| match path.strip_prefix('/') {
        Some(_) => file.contains(path),
        None => file.starts_with(path),
    })
}

/// The first retired word of a line, whose names are read as the words that they are made of.
fn word_in(line: &str, retired: &BTreeSet<&str>) -> Option<String> {
    let mut word = String::new();
    let mut before = ' ';
    for letter in line.chars().chain([' ']) {
        let begins_word = letter.is_ascii_uppercase() && before.is_ascii_lowercase();
        if !letter.is_ascii_alphabetic() || begins_word {
            if retired.contains(word.as_str()) {
                return Some(word);
            }
            word.clear();
        }
        if letter.is_ascii_alphabetic() {
            word.push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retired_word_is_found_where_it_is_written_and_passed_over_where_it_may_stand() {
        let root = std::env::temp_dir().join(format!("quorate-retired-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("written");
        };
        write(LIST, "gizmo\ngizmos\n");
        write("docs/a.md", "Every setting.\nTurn the Gizmos.\n");
        write("docs/b.md", "A gizmology thing.\n");
        write("docs/decisions/1.md", "We had gizmos once.\n");
        write("crates/a/src/lib.rs", "const LOCAL_GIZMO: u8 = 1;\nstruct MyGizmo;\nlet gizmo_kind = 1;\n");
        write("crates/a/src/gizmos.rs", "");
        write("CHANGELOG.md", "The gizmos are gone.\n");
        let made = Command::new("git").args(["init", "-q"]).current_dir(&root).status();
        assert!(made.is_ok_and(|status| status.success()));
        let found = check(&root);
        std::fs::remove_dir_all(&root).expect("removed");
        let found: Vec<&str> =
            found.iter().map(|line| line.split_once("): ").map_or(line.as_str(), |(_, at)| at)).collect();
        assert_eq!(
            found,
            [
                "a retired word (xtask/retired.txt) in the name of crates/a/src/gizmos.rs: gizmos",
                "crates/a/src/lib.rs:1:const LOCAL_GIZMO: u8 = 1;",
                "crates/a/src/lib.rs:2:struct MyGizmo;",
                "crates/a/src/lib.rs:3:let gizmo_kind = 1;",
                "docs/a.md:2:Turn the Gizmos.",
            ]
        );
    }
}
