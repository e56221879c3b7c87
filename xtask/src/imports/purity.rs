//! What the pure crates must not use: a clock, files, the network, the environment, threads, `async`.

use super::tokens::words;

/// The crates that only compute.
pub const PURE: [&str; 3] = ["contract", "core", "views"];

/// Modules of the standard library that reach outside of the process, or into its time.
const OUTSIDE: [&str; 7] = ["env", "fs", "io", "net", "process", "thread", "time"];

/// The uses of the outside in a file of a pure crate.
pub fn check(file: &str, text: &str) -> Vec<String> {
    if !PURE.iter().any(|pure| file.starts_with(&format!("crates/{pure}/src/"))) {
        return Vec::new();
    }
    let words = words(text);
    let mut wrong = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let found = match word.as_str() {
            "async" | "await" | "SystemTime" => Some(word.clone()),
            "std" if words.get(at + 1).is_some_and(|next| next == "::") => words
                .get(at + 2)
                .filter(|module| OUTSIDE.contains(&module.as_str()))
                .map(|module| format!("std::{module}")),
            _ => None,
        };
        wrong.extend(found.map(|found| format!("{file}: a pure crate must not use {found}")));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_a_file_or_a_future_in_a_pure_crate_is_named() {
        let text = "// std::fs\nuse std::collections::BTreeMap; fn f() { std::fs::read(\"std::net\"); let _ = SystemTime::now(); }";
        let file = "crates/core/src/state/mod.rs";
        assert_eq!(
            check(file, text),
            [
                format!("{file}: a pure crate must not use std::fs"),
                format!("{file}: a pure crate must not use SystemTime")
            ]
        );
        assert_eq!(check(file, "async fn f() {}").len(), 1);
        assert!(check("crates/engine/src/lib.rs", text).is_empty());
        assert!(check(file, "#[cfg(test)]\nmod tests { use std::fs; }").is_empty());
    }
}
