//! The names under which the tools of a server are offered.
//!
//! Servers may use dots, other letters and any length; vendors take letters, digits, `_` and `-`, at most 64 with the name
//! of the source. What does not fit is offered under a name that does, and called by its own.

use std::collections::HashMap;
use std::fmt::Write as _;

use quorate_contract::TOOL_NAME_MARK;
use sha2::{Digest as _, Sha256};

/// The longest whole name of a tool that vendors take.
const NAME_MAX_CHARS: usize = 64;
/// The length of what tells names apart that would otherwise be the same.
const MARK_CHARS: usize = 8;

/// For each tool of a server the name under which it is offered, unique among them. It depends on the names alone, not on
/// their order: what a meeting has allowed stays what it is.
pub(super) fn offered_names(source: &str, names: &[&str]) -> Vec<String> {
    let room = NAME_MAX_CHARS.saturating_sub(source.len() + TOOL_NAME_MARK.len());
    let mut count: HashMap<String, usize> = HashMap::new();
    for name in names {
        *count.entry(cleaned(name)).or_default() += 1;
    }
    let offered = |name: &&str| {
        let clean = cleaned(name);
        let says_something = clean.chars().any(|c| c.is_ascii_alphanumeric());
        let is_only = count[&clean] == 1 || clean == **name;
        if clean.len() <= room && says_something && is_only {
            return clean;
        }
        let mut short: String = clean.chars().take(room.saturating_sub(MARK_CHARS + 1)).collect();
        _ = write!(short, "_{}", mark(name));
        short
    };
    names.iter().map(offered).collect()
}

fn cleaned(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    name.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

fn mark(name: &str) -> String {
    let sum = Sha256::digest(name.as_bytes());
    sum.iter().take(MARK_CHARS / 2).fold(String::new(), |mut mark, byte| {
        _ = write!(mark, "{byte:02x}");
        mark
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_fits_stays_and_another_is_made_to() {
        let names = offered_names("tracker", &["find_issue", "issues.create", "a/b c", "find-it"]);
        assert_eq!(names, ["find_issue", "issues_create", "a_b_c", "find-it"]);
    }

    #[test]
    fn names_are_unique_short_and_the_same_in_any_order() {
        let long = "list_all_the_issues_of_a_project_that_are_open_and_were_changed_lately";
        let longer = format!("{long}_by_me");
        let names = ["a.b", "a_b", "a/b", long, &longer, "查询", "搜索", "x"];
        let offered = offered_names("a-source-with-a-name-of-thirty", &names);
        for (name, offered) in names.iter().zip(&offered) {
            assert!("a-source-with-a-name-of-thirty__".len() + offered.len() <= 64, "{name}: {offered}");
            assert!(
                offered.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')),
                "{offered}"
            );
        }
        let distinct: std::collections::BTreeSet<&String> = offered.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{offered:?}");
        assert_eq!((offered[1].as_str(), offered[7].as_str()), ("a_b", "x"), "what fits keeps its name");
        let mut turned: Vec<&str> = names.to_vec();
        turned.reverse();
        let mut again = offered_names("a-source-with-a-name-of-thirty", &turned);
        again.reverse();
        assert_eq!(again, offered);
    }
}
