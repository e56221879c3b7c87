//! Checks of imports: no circle runs through several folders, crates and the folders of the core import only
//! those that they may, and the fold of events nothing that chooses.

mod circles;
mod entry_points;
mod folders;
mod formats;
mod page;
mod purity;
mod tokens;
mod tree;

use std::path::Path;

use circles::circles;
pub use purity::PURE;
use tree::Tree;

/// Each crate, and the crates of ours that it may know, from the bottom up.
const LAYERS: [(&str, &[&str]); 21] = [
    ("messages", &[]),
    ("contract", &["messages"]),
    ("core", &["messages", "contract"]),
    ("views", &["messages", "contract", "core"]),
    ("page", &[]),
    ("bus", &[]),
    ("fencing_model", &[]),
    ("test_database", &[]),
    ("mcp", &["messages"]),
    ("a2a", &["messages", "contract"]),
    ("vendor_emulators", &[]),
    ("engine", &["messages", "contract", "core"]),
    ("print", &["messages", "contract", "core", "views"]),
    ("telemetry", &["contract", "engine"]),
    ("runners", &["messages", "contract", "engine"]),
    ("store", &["messages", "contract", "core", "engine"]),
    ("app", &["messages", "contract", "core", "views", "engine", "runners", "store"]),
    (
        "sim",
        &["messages", "contract", "core", "views", "engine", "runners", "store", "app", "vendor-emulators"],
    ),
    ("server", &["messages", "contract", "core", "views", "app", "print", "page", "bus"]),
    ("fuzzing", &["contract", "core", "views", "print", "runners", "store", "app", "server"]),
    (
        "cli",
        &[
            "messages",
            "contract",
            "core",
            "views",
            "app",
            "server",
            "mcp",
            "a2a",
            "print",
            "page",
            "telemetry",
            "sim",
        ],
    ),
];

/// The violations in all crates of the repository at `root`; `files` are its sources, relative to it.
pub fn check(root: &Path, files: &[String]) -> Vec<String> {
    let mut wrong = arrows(root);
    let mut tree = Tree::default();
    for file in files {
        match std::fs::read_to_string(root.join(file)) {
            Ok(text) => {
                wrong.extend(reached_through(file, &text));
                wrong.extend(made_beside(file, &text));
                wrong.extend(purity::check(file, &text));
                wrong.extend(formats::check(file, &text));
                tree.add(file, tokens::read(&text));
            }
            Err(error) => wrong.push(format!("{file}: {error}")),
        }
    }
    wrong.extend(folders::check(&tree));
    wrong.extend(folders::check_fold(&tree));
    wrong.extend(folders::check_calls_of_fold(&tree));
    wrong.extend(entry_points::check(&tree));
    wrong.extend(through_folders(&tree).iter().map(Circle::told));
    wrong.extend(page::check(root));
    wrong
}

/// Which crates know which, as their manifests say, from the top.
pub fn layers(root: &Path) -> String {
    let line = |(name, _): &(&str, &[&str])| {
        let manifest = std::fs::read_to_string(root.join(format!("crates/{name}/Cargo.toml"))).ok()?;
        let below = known_crates(&manifest);
        Some(match below.is_empty() {
            true => format!("{name:<10} knows nobody"),
            false => format!("{name:<10} knows {}", below.join(", ")),
        })
    };
    let crates = LAYERS.iter().rev().filter_map(line).collect::<Vec<_>>().join("\n");
    format!("{crates}\n{}", folders::drawn())
}

/// Files that need each other, and the arrows between them that lead from one folder to another.
#[derive(Debug, PartialEq, Eq)]
struct Circle {
    files: Vec<String>,
    arrows: Vec<String>,
}

impl Circle {
    fn told(&self) -> String {
        let (files, arrows) = (self.files.join(", "), self.arrows.join("\n  "));
        format!("{files} form a circle of imports that runs through several folders:\n  {arrows}")
    }
}

/// The circles whose files lie in several folders.
fn through_folders(tree: &Tree) -> Vec<Circle> {
    let (paths, needs) = (tree.paths(), tree.needs());
    let folder_of = |one: usize| folder(paths[one], &paths);
    let mut found = Vec::new();
    for circle in circles(&needs) {
        let between = circle.iter().flat_map(|one| needs[*one].iter().map(|other| (*one, *other)));
        let arrows: Vec<String> = between
            .filter(|(one, other)| circle.contains(other) && folder_of(*one) != folder_of(*other))
            .map(|(one, other)| format!("{} -> {}", paths[one], paths[other]))
            .collect();
        if !arrows.is_empty() {
            found.push(Circle { files: circle.iter().map(|one| paths[*one].to_owned()).collect(), arrows });
        }
    }
    found
}

/// The folder that a file belongs to: `flow.rs` beside a folder `flow` belongs to it.
fn folder(path: &str, all: &[&str]) -> String {
    let own = path.rsplit_once('.').map_or_else(|| format!("{path}/"), |(name, _)| format!("{name}/"));
    match all.iter().any(|other| other.starts_with(&own)) {
        true => own,
        false => path.rsplit_once('/').map_or_else(String::new, |(folder, _)| format!("{folder}/")),
    }
}

/// The application layer hands out its database and its engine to tests alone.
fn reached_through(file: &str, text: &str) -> Vec<String> {
    let is_above = file.starts_with("crates/server/src/") || file.starts_with("crates/cli/src/");
    let found = [".store()", ".engine()"].into_iter().filter(|reach| is_above && text.contains(reach));
    found
        .map(|reach| {
            format!("{file}: {reach} reaches through the application layer; ask `App` for a use case")
        })
        .collect()
}

/// The one place that makes the envelopes of events.
const ENVELOPES: &str = "crates/core/src/decide/envelope.rs";

/// Outside of tests, no other file makes one: the field of the version is in each.
fn made_beside(file: &str, text: &str) -> Option<String> {
    let is_product = file.contains("/src/") && !file.starts_with("crates/contract/") && file != ENVELOPES;
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    (is_product && product.contains("version: ContractVersion"))
        .then(|| format!("{file}: only {ENVELOPES} makes the envelope of an event; use a step or an import"))
}

/// Crates that depend on a forbidden crate.
fn arrows(root: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(root.join("crates")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(manifest) = std::fs::read_to_string(entry.path().join("Cargo.toml")) else { continue };
        wrong.extend(forbidden(&name, &manifest));
        wrong.extend(purity::check_manifest(&name, &manifest));
    }
    wrong
}

fn forbidden(name: &str, manifest: &str) -> Vec<String> {
    let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
        return vec![format!("crates/{name} has no place among the layers of xtask/src/imports/mod.rs")];
    };
    known_crates(manifest)
        .into_iter()
        .filter(|other| !allowed.contains(other))
        .map(|other| format!("crates/{name} must not know crates/{other}"))
        .collect()
}

/// The crates of ours that a manifest names among its dependencies.
fn known_crates(manifest: &str) -> Vec<&str> {
    dependencies(manifest).into_iter().filter_map(|name| name.strip_prefix("quorate-")).collect()
}

/// What a manifest names among its dependencies, in whatever section; those of tests do not count.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut known = Vec::new();
    let mut counts = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            counts = section.ends_with("dependencies") && !section.contains("dev-dependencies");
            // A dependency that has a section of its own: `[dependencies.quorate-core]`.
            let own = section.rsplit_once("dependencies.").filter(|(before, _)| !before.ends_with("dev-"));
            known.extend(own.map(|(_, name)| name));
        } else if counts && line.starts_with(|first: char| first.is_ascii_alphabetic()) {
            known.extend(line.split(['.', ' ', '=']).next());
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository of these files in a folder of its own, and what is wrong with it.
    fn repository(name: &str, files: &[(&str, &str)]) -> (String, Vec<String>) {
        let root = std::env::temp_dir().join(format!("quorate-xtask-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let sources = files.iter().map(|(path, _)| (*path).to_owned()).filter(|path| path.ends_with(".rs"));
        let checked = (layers(&root), check(&root, &sources.collect::<Vec<_>>()));
        std::fs::remove_dir_all(&root).expect("gone");
        checked
    }

    #[test]
    fn a_planted_circle_and_a_planted_arrow_are_found() {
        let manifest =
            ("crates/engine/Cargo.toml", "[package]\n\n[dependencies]\nquorate-core.workspace = true\n");
        let sound = [
            manifest,
            ("crates/engine/src/lib.rs", "mod calls; mod state;"),
            ("crates/engine/src/state.rs", "pub struct State;"),
            ("crates/engine/src/calls/mod.rs", "use crate::state::State; pub struct Call(State);"),
        ];
        let (layers, wrong) = repository("sound", &sound);
        assert_eq!((layers.lines().next(), wrong), (Some("engine     knows core"), Vec::new()));

        let mut circle = sound;
        circle[2].1 = "use crate::calls::Call; pub struct State(Option<Box<Call>>);";
        let (_, wrong) = repository("circle", &circle);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("calls/mod.rs -> crates/engine/src/state.rs"), "{wrong:?}");

        let mut arrow = sound;
        arrow[0].1 = "[dependencies]\nquorate-core.workspace = true\nquorate-server.workspace = true\n";
        let (layers, wrong) = repository("arrow", &arrow);
        assert_eq!(
            layers.lines().next(),
            Some("engine     knows core, server"),
            "as it is, and not as it should be"
        );
        assert_eq!(wrong, ["crates/engine must not know crates/server"]);
    }

    #[test]
    fn the_command_line_and_the_server_know_what_lies_below_the_application_only_through_it() {
        for above in ["cli", "server"] {
            for below in ["store", "engine", "runners"] {
                let manifest = format!(
                    "[dependencies]\nquorate-app.workspace = true\nquorate-{below} = {{ workspace = true }}\n\n\
                     [dev-dependencies]\nquorate-vendor-emulators.workspace = true\n"
                );
                assert_eq!(
                    forbidden(above, &manifest),
                    [format!("crates/{above} must not know crates/{below}")]
                );
            }
        }
    }

    fn tree(files: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::default();
        for (path, text) in files {
            tree.add(path, tokens::read(text));
        }
        tree
    }

    #[test]
    fn a_circle_through_two_folders_is_found_also_behind_what_a_folder_hands_on() {
        let circle = through_folders(&tree(&[
            ("crates/a/src/flow/mod.rs", "mod round; pub use round::Round;"),
            ("crates/a/src/flow/round.rs", "use crate::rules::Budget; pub struct Round(Budget);"),
            ("crates/a/src/lib.rs", "mod flow; mod rules; pub use flow::*; pub use rules::Budget;"),
            ("crates/a/src/rules/budget.rs", "pub struct Budget; fn f(_: crate::Round) {}"),
            ("crates/a/src/rules/mod.rs", "mod budget; pub use budget::Budget;"),
        ]));
        let (round, budget) = ("crates/a/src/flow/round.rs", "crates/a/src/rules/budget.rs");
        assert_eq!(circle[0].files, [round, budget]);
        assert_eq!(circle[0].arrows, [format!("{round} -> {budget}"), format!("{budget} -> {round}")]);
        let told = circle[0].told();
        assert!(told.starts_with(&format!("{round}, {budget} form a circle")), "{told}");
    }

    #[test]
    fn within_one_folder_files_may_need_each_other_and_other_crates_stand_apart() {
        let circles = through_folders(&tree(&[
            ("crates/a/src/flow.rs", "mod round; use round::Round; pub struct Flow(Round);"),
            ("crates/a/src/flow/round.rs", "use super::Flow; pub struct Round(Box<Flow>);"),
            ("crates/a/src/lib.rs", "pub mod flow;"),
            ("crates/b/src/main.rs", "use quorate_a::flow::Flow; fn main() {}"),
        ]));
        assert!(circles.is_empty(), "{circles:?}");
    }

    #[test]
    fn an_arrow_that_points_upwards_is_named() {
        let manifest = "[package]\n\n[dependencies]\nquorate-core.workspace = true\nquorate-server = { path = \"\" }\n\n[dev-dependencies]\nquorate-cli.workspace = true\n";
        assert_eq!(forbidden("store", manifest), ["crates/store must not know crates/server"]);
        let reaching = "[dependencies]\nquorate-app.workspace = true\nquorate-store.workspace = true\n";
        assert_eq!(forbidden("server", reaching), ["crates/server must not know crates/store"]);
        assert_eq!(forbidden("core", "[dependencies]\nserde = \"1\"\n"), Vec::<String>::new());
        for section in [
            "[target.'cfg(unix)'.dependencies]\nquorate-cli = {}",
            "[dependencies.quorate-cli]\npath = \"\"",
            "[build-dependencies]\nquorate-cli = {}",
        ] {
            assert_eq!(forbidden("store", section), ["crates/store must not know crates/cli"], "{section}");
        }
        assert!(forbidden("store", "[dev-dependencies.quorate-cli]\npath = \"\"").is_empty());
        assert!(forbidden("new", manifest)[0].contains("no place among the layers"));
    }

    #[test]
    fn whoever_reaches_through_the_application_layer_is_named() {
        let wrong = reached_through("crates/server/src/rest/a.rs", "server.app().store().meetings()");
        assert!(wrong[0].starts_with("crates/server/src/rest/a.rs: .store() reaches through"), "{wrong:?}");
        assert!(reached_through("crates/server/tests/it/a.rs", "app.engine()").is_empty());
    }

    #[test]
    fn an_envelope_that_is_made_beside_the_one_place_is_named() {
        let text = "let event = Event { version: ContractVersion, seq: 1 };";
        let wrong = made_beside("crates/engine/src/engine.rs", text);
        assert!(wrong.is_some_and(|wrong| wrong.starts_with("crates/engine/src/engine.rs: only ")));
        assert_eq!(made_beside(ENVELOPES, text), None);
        assert_eq!(made_beside("crates/store/tests/it/main.rs", text), None);
        assert_eq!(
            made_beside("crates/store/src/log.rs", &format!("#[cfg(test)]\nmod tests {{ {text} }}")),
            None
        );
    }
}
