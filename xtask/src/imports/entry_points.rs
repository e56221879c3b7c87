//! What `server` and `cli` know of the core: the state of a meeting, and how it is folded. What is chosen, asked or
//! read is a use case of `app` or a read model of `views`.

use std::collections::BTreeSet;

use super::tree::Tree;

/// The crates through which callers come in.
const ENTRY_POINTS: [&str; 2] = ["crates/server/src/", "crates/cli/src/"];
/// The folder of the core that they may know.
const STATE: &str = "crates/core/src/state/";

/// Names of the core that they use although its state does not define them.
pub fn check(tree: &Tree) -> Vec<String> {
    let defined = tree.sources().filter(|(path, _)| path.starts_with(STATE));
    let state: BTreeSet<&String> = defined.flat_map(|(_, source)| &source.defines).collect();
    let mut wrong = Vec::new();
    for (path, source) in
        tree.sources().filter(|(path, _)| ENTRY_POINTS.iter().any(|one| path.starts_with(one)))
    {
        let imported = source.imports.iter().map(|import| &import.path);
        for used in imported.chain(&source.paths) {
            let [first, name, ..] = used.as_slice() else { continue };
            if first == "quorate_core" && !state.contains(name) {
                wrong.push(format!(
                    "{path}: {name} of the core is no state of a meeting; ask `app` for a use case or `views` for a read model"
                ));
            }
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::super::tokens;
    use super::*;

    #[test]
    fn server_and_cli_fold_a_meeting_and_decide_nothing() {
        let mut tree = Tree::default();
        for (path, text) in [
            ("crates/core/src/state/mod.rs", "pub struct Meeting; pub fn apply() {}"),
            ("crates/core/src/decide/mod.rs", "pub fn decide() {}"),
            ("crates/app/src/lib.rs", "use quorate_core::{Meeting, decide};"),
            ("crates/server/src/rest/meetings.rs", "use quorate_core::{Meeting, apply};"),
            (
                "crates/cli/src/commands/run.rs",
                "use quorate_core::Meeting; fn f() { quorate_core::decide(); }",
            ),
            ("crates/cli/src/commands/say.rs", "use quorate_core::{policy::tally, Meeting};"),
        ] {
            tree.add(path, tokens::read(text));
        }
        let wrong = check(&tree);
        let named: Vec<&str> = wrong.iter().map(|line| line.split(" of the core").next().unwrap()).collect();
        assert_eq!(
            named,
            ["crates/cli/src/commands/run.rs: decide", "crates/cli/src/commands/say.rs: policy"]
        );
    }
}
