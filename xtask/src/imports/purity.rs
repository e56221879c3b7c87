//! What the pure crates may use: parts of the standard library that only compute, and libraries that only compute. So
//! they have no clock, files, network, environment, threads or `async`.

use super::tokens::words;

/// The crates that only compute.
pub const PURE: [&str; 3] = ["contract", "core", "views"];

/// The modules of the standard library that only compute.
const STD: [&str; 16] = [
    "borrow",
    "cell",
    "cmp",
    "collections",
    "error",
    "fmt",
    "hash",
    "iter",
    "mem",
    "num",
    "ops",
    "slice",
    "str",
    "string",
    "sync",
    "vec",
];
/// Words that reach outside of a computation, or are none of it.
const OUTSIDE: [&str; 8] =
    ["async", "await", "SystemTime", "thread_local", "println", "eprintln", "unsafe", "extern"];
/// The libraries that they may depend on.
const LIBRARIES: [&str; 13] = [
    "caseless",
    "memchr",
    "minijinja",
    "pulldown-cmark",
    "serde",
    "serde_json",
    "sha2",
    "strum",
    "thiserror",
    "unicode-normalization",
    "unicode-script",
    "unicode-security",
    "utoipa",
];

/// The uses of the outside in a file of a pure crate.
pub fn check(file: &str, text: &str) -> Vec<String> {
    if !PURE.iter().any(|pure| file.starts_with(&format!("crates/{pure}/src/"))) {
        return Vec::new();
    }
    let words = words(text);
    let mut wrong = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let found = match word.as_str() {
            outside if OUTSIDE.contains(&outside) => Some(word.clone()),
            "std" if words.get(at + 1).is_some_and(|next| next == "::") => words
                .get(at + 2)
                .filter(|module| !STD.contains(&module.as_str()))
                .map(|module| format!("std::{module}")),
            _ => None,
        };
        wrong.extend(found.map(|found| format!("{file}: a pure crate must not use {found}")));
    }
    wrong
}

/// The libraries of a pure crate's manifest that are not among those that only compute.
pub fn check_manifest(name: &str, manifest: &str) -> Vec<String> {
    if !PURE.contains(&name) {
        return Vec::new();
    }
    super::dependencies(manifest)
        .into_iter()
        .filter(|library| !library.starts_with("quorate-") && !LIBRARIES.contains(library))
        .map(|library| {
            format!("crates/{name} is pure, and {library} is not among the libraries that only compute")
        })
        .collect()
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
        assert_eq!(check(file, "fn f() { let _ = std::time::Instant::now(); std::os::unix::x(); }").len(), 2);
        assert!(check("crates/engine/src/lib.rs", text).is_empty());
        assert!(check(file, "#[cfg(test)]\nmod tests { use std::fs; }").is_empty());
    }

    #[test]
    fn a_library_that_does_more_than_compute_is_named() {
        let manifest = "[dependencies]\nserde = \"1\"\nquorate-contract.workspace = true\ntokio.workspace = true\n\
            [dev-dependencies]\ntempfile = \"3\"\n[dependencies.rand]\nversion = \"1\"\n";
        let wrong = check_manifest("core", manifest);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].contains("tokio") && wrong[1].contains("rand"));
        assert!(check_manifest("engine", manifest).is_empty());
    }
}
