//! Retired names of machinery, which must not come back.
//!
//! `xtask/retired.txt` holds them, a regular expression for whole words a line. What participants say, what
//! is generated, and what tells the past (the change log, the decisions) may use any word.

use std::path::Path;
use std::process::Command;

const LIST: &str = "xtask/retired.txt";

/// Folders in which such words are not our names.
const ELSEWHERE: [&str; 9] = [
    "CHANGELOG.md",
    "docs/decisions",
    "docs/openapi.json",
    "fixtures",
    "crates/runners/src/simulated",
    "**/snapshots/**",
    "web/package-lock.json",
    "web/app/src/api/schema.d.ts",
    "xtask/retired.txt",
];

/// An icon of another library has the name that it has there.
const ICONS: &str = "lucide-react/icons/";

/// The lines that use one of them.
pub fn check(root: &Path) -> Vec<String> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["grep", "--no-color", "--untracked", "-nwiIE", "-f", LIST, "--", "."]);
    git.args(ELSEWHERE.map(|path| format!(":(exclude,glob){}", path_pattern(path))));
    let output = match git.output() {
        Ok(output) => output,
        Err(error) => return vec![format!("git grep: {error}")],
    };
    match output.status.code() {
        // Nothing was found.
        Some(1) => Vec::new(),
        Some(0) => {
            let found = String::from_utf8_lossy(&output.stdout);
            let ours = found.lines().filter(|line| !line.contains(ICONS));
            ours.map(|line| format!("a retired word ({LIST}): {line}")).collect()
        }
        _ => vec![format!("git grep: {}", String::from_utf8_lossy(&output.stderr).trim())],
    }
}

/// The pattern of a path; a folder stands for everything in it.
fn path_pattern(path: &str) -> String {
    match path.rsplit('/').next().is_some_and(|name| name.contains(['.', '*'])) {
        true => path.to_owned(),
        false => format!("{path}/**"),
    }
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
        write(LIST, "gizmos?\n");
        write("docs/a.md", "Every setting.\nTurn the Gizmos.\n");
        write("docs/b.md", "A gizmology thing, and its gizmo_kind.\n");
        write("docs/decisions/1.md", "We had gizmos once.\n");
        write("CHANGELOG.md", "The gizmos are gone.\n");
        let made = Command::new("git").args(["init", "-q"]).current_dir(&root).status();
        assert!(made.is_ok_and(|status| status.success()));
        let found = check(&root);
        std::fs::remove_dir_all(&root).expect("removed");
        assert_eq!(found, ["a retired word (xtask/retired.txt): docs/a.md:2:Turn the Gizmos."]);
    }
}
