//! The order of the folders of the core: each knows only those before it. And what the fold of events knows: nothing
//! that chooses.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::Tree;

/// The folders of `crates/core/src`, from the bottom up; those of one line do not know each other.
const CORE: [&[&str]; 6] =
    [&["state"], &["policy"], &["prompt"], &["accounting"], &["records"], &["decide", "interpret"]];

/// The fold of events.
const FOLD: &str = "state/fold/";
/// What it may know besides itself: what a meeting consists of, and who answers a task.
const FOLD_KNOWS: [&str; 12] = [
    "state/ballot.rs",
    "state/call.rs",
    "state/forked.rs",
    "state/mod.rs",
    "state/model_spent.rs",
    "state/record.rs",
    "state/round.rs",
    "state/running_time.rs",
    "state/seat.rs",
    "state/settings.rs",
    "state/tasks.rs",
    "state/tools.rs",
];

/// Imports by which the fold of events could choose: it records what `decide` chose.
pub fn check_fold(tree: &Tree) -> Vec<String> {
    let (paths, needs) = (tree.paths(), tree.needs());
    let in_core = |at: usize| paths[at].strip_prefix("crates/core/src/");
    let mut wrong = Vec::new();
    for (one, needed) in needs.iter().enumerate() {
        if !in_core(one).is_some_and(|inside| inside.starts_with(FOLD)) {
            continue;
        }
        let may_know = |inside: &str| inside.starts_with(FOLD) || FOLD_KNOWS.contains(&inside);
        let chooses = needed.iter().filter(|other| in_core(**other).is_some_and(|inside| !may_know(inside)));
        wrong.extend(
            chooses.map(|other| {
                format!("the fold records and never chooses: {} -> {}", paths[one], paths[*other])
            }),
        );
    }
    wrong
}

/// Methods that the fold of events calls although they are defined where something is chosen. A name that what it may
/// know defines as well counts as that one.
pub fn check_calls_of_fold(tree: &Tree) -> Vec<String> {
    let (mut known, mut chosen, mut called) = (BTreeSet::new(), BTreeMap::new(), Vec::new());
    for (path, source) in tree.sources() {
        let Some(inside) = path.strip_prefix("crates/core/src/") else { continue };
        if inside.starts_with(FOLD) {
            called.push((path, source));
        }
        match inside.starts_with(FOLD) || FOLD_KNOWS.contains(&inside) {
            true => known.extend(source.methods.iter()),
            false => chosen.extend(source.methods.iter().map(|method| (method, path))),
        }
    }
    let mut wrong = Vec::new();
    for (path, source) in called {
        let calls: BTreeSet<&String> = source.calls.iter().filter(|call| !known.contains(call)).collect();
        wrong.extend(calls.into_iter().filter_map(|call| {
            let at = chosen.get(call)?;
            Some(format!("the fold records and never chooses: {path} calls {call} of {at}"))
        }));
    }
    wrong
}

/// Imports that lead upwards or sideways, and files that stand in no folder.
pub fn check(tree: &Tree) -> Vec<String> {
    let (paths, needs) = (tree.paths(), tree.needs());
    let mut wrong = Vec::new();
    for (one, needed) in needs.iter().enumerate() {
        let Some(inside) = paths[one].strip_prefix("crates/core/src/") else { continue };
        if inside == "lib.rs" {
            continue;
        }
        let Some((folder, rank)) = place(inside) else {
            wrong.push(format!("{} stands in no folder of xtask/src/imports/folders.rs", paths[one]));
            continue;
        };
        for other in needed {
            let Some((above, other_rank)) = paths[*other].strip_prefix("crates/core/src/").and_then(place)
            else {
                continue;
            };
            if above != folder && other_rank >= rank {
                wrong.push(format!("{folder} must not know {above}: {} -> {}", paths[one], paths[*other]));
            }
        }
    }
    wrong
}

/// The allowed order of folders, for a reader.
pub fn drawn() -> String {
    let order: Vec<String> = CORE.iter().map(|folders| folders.join(" | ")).collect();
    format!("within core: {}", order.join(" -> "))
}

/// The folder that a file of the core belongs to, and its place in the order.
fn place(inside: &str) -> Option<(&'static str, usize)> {
    let first = inside.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    CORE.iter().enumerate().find_map(|(rank, folders)| {
        let folder = folders.iter().find(|folder| **folder == first)?;
        Some((*folder, rank))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tokens;
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::default();
        for (path, text) in files {
            tree.add(path, tokens::read(text));
        }
        tree
    }

    const LIB: (&str, &str) = (
        "crates/core/src/lib.rs",
        "mod state; mod policy; mod decide; mod interpret; pub use decide::decide;",
    );

    #[test]
    fn a_folder_may_know_those_before_it() {
        let downwards = tree(&[
            (
                "crates/core/src/decide/mod.rs",
                "use crate::policy::order; use crate::state::Meeting; pub fn decide() {}",
            ),
            LIB,
            ("crates/core/src/policy/mod.rs", "use crate::state::Meeting; pub fn order(_: Meeting) {}"),
            ("crates/core/src/state/mod.rs", "pub struct Meeting;"),
        ]);
        assert!(check(&downwards).is_empty(), "{:?}", check(&downwards));
    }

    #[test]
    fn an_import_that_leads_upwards_or_sideways_is_named() {
        let wrong = check(&tree(&[
            ("crates/core/src/decide/mod.rs", "pub fn decide() {}"),
            ("crates/core/src/interpret/mod.rs", "use crate::decide; fn f() { decide::decide() }"),
            LIB,
            ("crates/core/src/odd.rs", "fn f() {}"),
            ("crates/core/src/policy/mod.rs", "pub fn order() {}"),
            ("crates/core/src/state/mod.rs", "fn f() { crate::policy::order() }"),
        ]));
        assert_eq!(
            wrong,
            [
                "interpret must not know decide: crates/core/src/interpret/mod.rs -> crates/core/src/decide/mod.rs",
                "crates/core/src/odd.rs stands in no folder of xtask/src/imports/folders.rs",
                "state must not know policy: crates/core/src/state/mod.rs -> crates/core/src/policy/mod.rs",
            ]
        );
    }

    #[test]
    fn a_fold_that_imports_what_chooses_is_named() {
        let core = |fold| {
            tree(&[
                ("crates/core/src/lib.rs", "mod state; mod policy;"),
                ("crates/core/src/policy/mod.rs", "pub fn order() {}"),
                ("crates/core/src/state/closing.rs", "pub fn next_record() {}"),
                ("crates/core/src/state/fold/mod.rs", fold),
                ("crates/core/src/state/fold/round.rs", "pub fn start() {}"),
                ("crates/core/src/state/mod.rs", "mod closing; mod fold; mod round; pub use round::Round;"),
                ("crates/core/src/state/round.rs", "pub struct Round;"),
            ])
        };
        let records =
            core("mod round; use crate::state::Round; use self::round::start; fn f(_: Round) { start() }");
        assert!(check_fold(&records).is_empty(), "{:?}", check_fold(&records));
        let chooses =
            core("mod round; use crate::state::closing::next_record; fn f() { crate::policy::order() }");
        assert_eq!(
            check_fold(&chooses),
            [
                "the fold records and never chooses: crates/core/src/state/fold/mod.rs -> crates/core/src/policy/mod.rs",
                "the fold records and never chooses: crates/core/src/state/fold/mod.rs -> crates/core/src/state/closing.rs",
            ]
        );
    }

    #[test]
    fn a_fold_that_calls_a_method_that_chooses_is_named() {
        let core = |fold| {
            tree(&[
                (
                    "crates/core/src/policy/mod.rs",
                    "impl Meeting { pub fn order(&self) {} pub fn len(&self) {} }",
                ),
                ("crates/core/src/state/fold/mod.rs", fold),
                (
                    "crates/core/src/state/mod.rs",
                    "impl Meeting { pub fn seat(&self) {} pub fn len(&self) {} }",
                ),
            ])
        };
        assert!(check_calls_of_fold(&core("fn f(m: Meeting) { m.seat().len(); m.said.push(1) }")).is_empty());
        assert_eq!(
            check_calls_of_fold(&core("fn f(m: Meeting) { m.order() }")),
            [
                "the fold records and never chooses: crates/core/src/state/fold/mod.rs calls order of crates/core/src/policy/mod.rs"
            ]
        );
    }

    #[test]
    fn what_the_root_hands_on_counts_where_it_is_defined() {
        let wrong = check(&tree(&[
            ("crates/core/src/decide/mod.rs", "pub fn decide() {}"),
            LIB,
            ("crates/core/src/state/mod.rs", "use crate::decide; fn f() { decide() }"),
        ]));
        assert_eq!(wrong.len(), 1, "{wrong:?}");
    }
}
