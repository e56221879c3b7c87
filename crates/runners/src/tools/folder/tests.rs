//! What the tools of a folder show, and what they do not.

use quorate_contract::{MeetingId, ParticipantId, ToolCallId, ToolSource as Shown, TurnId};

use super::*;

/// What a search without a hit says of the files of [`Tree::new`].
const NO_LINE: &str = "No line matches; files of text searched: 2.";

struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let tree = Self(dir);
        tree.write("repo/.gitignore", "target/\n");
        tree.write("repo/src/main.rs", "fn main() {\n    run();\n}\n");
        tree.write("repo/README.md", "# It\nRuns.\n");
        tree.write("repo/target/out.txt", "built");
        tree.write("repo/.env", "KEY=1");
        tree.write("repo/notes.txt", &format!("key = AKIA{}\n", "ABCDEFGH12345678"));
        tree.write("outside.txt", "secret plans");
        tree
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    fn call(&self, tool: &str, arguments: serde_json::Value) -> ToolOutcome {
        let folder = Folder::open(&self.0.path().join("repo")).expect("it is there");
        let run = ToolRun {
            meeting: MeetingId::new("meeting"),
            files: Vec::new(),
            call: ToolCallId(1),
            turn: TurnId { round: 1, place: 1 },
            participant: ParticipantId(1),
            tool: tool.to_owned(),
            arguments: arguments.to_string(),
            approved: false,
            timeout_ms: 10_000,
            max_chars: 1000,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(folder.run(tool, &run))
    }

    fn text(&self, tool: &str, arguments: serde_json::Value) -> String {
        match self.call(tool, arguments) {
            ToolOutcome::Returned { text, .. } => text,
            ToolOutcome::Failed { kind, detail } => panic!("{kind:?} {detail:?}"),
        }
    }

    fn failure(&self, tool: &str, arguments: serde_json::Value) -> ToolFailureKind {
        match self.call(tool, arguments) {
            ToolOutcome::Failed { kind, .. } => kind,
            ToolOutcome::Returned { text, .. } => panic!("{text}"),
        }
    }
}

#[test]
fn a_list_leaves_out_what_is_ignored_hidden_or_secret() {
    let list = Tree::new().text("list_files", json!({}));
    assert_eq!(list, "README.md (11 bytes)\nnotes.txt (27 bytes)\nsrc/main.rs (25 bytes)");
    let some = Tree::new().text("list_files", json!({ "glob": "src/**/*.rs" }));
    assert_eq!(some, "src/main.rs (25 bytes)");
}

#[test]
fn lines_that_were_read_can_be_cited() {
    let tree = Tree::new();
    let read = tree.call("read_file", json!({ "path": "src/main.rs", "from_line": 2, "to_line": 9 }));
    let ToolOutcome::Returned { text, truncated, sources } = read else { panic!("{read:?}") };
    assert_eq!(text.lines().nth(1), Some("2|     run();"));
    assert_eq!(sources, [Shown { path: "src/main.rs".into(), first: 2, last: 3, title: None }]);
    assert!(!truncated);
}

#[test]
fn a_result_says_which_lines_it_had_room_for() {
    let tree = Tree::new();
    tree.write("repo/long.txt", &"a line of some words\n".repeat(500));
    let read = tree.call("read_file", json!({ "path": "long.txt" }));
    let ToolOutcome::Returned { text, truncated, sources } = read else { panic!("{read:?}") };
    assert!(truncated && text.chars().count() <= 1000);
    assert_eq!(sources[0].last as usize, text.lines().count() - 1);
}

#[test]
fn a_search_finds_lines_with_their_numbers_and_no_keys() {
    let tree = Tree::new();
    assert_eq!(
        tree.text("search_files", json!({ "text": "RUN" })),
        "README.md#L2| Runs.\nsrc/main.rs#L2|     run();"
    );
    assert_eq!(
        tree.text("search_files", json!({ "regex": "^fn", "glob": "**/*.rs" })),
        "src/main.rs#L1| fn main() {"
    );
    for hidden in ["KEY", "AKIA", "built", "plans"] {
        assert_eq!(tree.text("search_files", json!({ "text": hidden })), NO_LINE, "{hidden}");
    }
}

#[test]
fn that_there_is_nothing_is_a_result() {
    let tree = Tree::new();
    let nothing = tree.call("search_files", json!({ "text": "retry", "glob": "**/*.rs" }));
    let text = "No line matches; files of text searched: 1.".to_owned();
    assert_eq!(nothing, ToolOutcome::Returned { text, truncated: false, sources: Vec::new() });
    assert_eq!(tree.text("list_files", json!({ "glob": "*.py" })), "No file matches.");
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let tree = Tree::new();
    for path in
        ["../outside.txt", "/etc/passwd", "src/../../outside.txt", "target/out.txt", ".env", "nowhere"]
    {
        let kind = tree.failure("read_file", json!({ "path": path }));
        assert_eq!(kind, ToolFailureKind::InvalidArguments, "{path}");
    }
    assert_eq!(tree.failure("read_file", json!({ "path": "notes.txt" })), ToolFailureKind::Failed);
    assert_eq!(tree.failure("list_files", json!({ "path": ".." })), ToolFailureKind::InvalidArguments);
}

#[test]
fn a_database_in_the_folder_is_not_shown_with_what_belongs_to_it() {
    let tree = Tree::new();
    tree.write("repo/data/q.db", "SQLite format 3\0 rows");
    let beside = ["q.db-wal", "q.db-shm", "q.db.server", "q.db.audit", "q.db.files/ab/cdef", "q.acp/a.json"];
    for name in beside {
        tree.write(&format!("repo/data/{name}"), "words of another meeting");
    }
    tree.write("repo/data/notes.md", "plain words");
    assert_eq!(tree.text("list_files", json!({ "path": "data" })), "data/notes.md (11 bytes)");
    let found = tree.text("search_files", json!({ "text": "words" }));
    assert_eq!(found, "data/notes.md#L1| plain words");
    for name in ["q.db"].into_iter().chain(beside) {
        let kind = tree.failure("read_file", json!({ "path": format!("data/{name}") }));
        assert_eq!(kind, ToolFailureKind::InvalidArguments, "{name}");
    }
    let within = json!({ "path": "data/q.db.files" });
    assert_eq!(tree.failure("list_files", within), ToolFailureKind::InvalidArguments);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    let tree = Tree::new();
    let repo = tree.0.path().join("repo");
    std::os::unix::fs::symlink(tree.0.path().join("outside.txt"), repo.join("link.txt")).expect("linked");
    std::os::unix::fs::symlink(tree.0.path(), repo.join("up")).expect("linked");
    for path in ["link.txt", "up/outside.txt"] {
        let kind = tree.failure("read_file", json!({ "path": path }));
        assert_eq!(kind, ToolFailureKind::InvalidArguments, "{path}");
    }
    assert!(!tree.text("list_files", json!({})).contains("outside"));
    assert_eq!(tree.text("search_files", json!({ "text": "plans" })), NO_LINE);
}

#[test]
fn wrong_arguments_are_named() {
    let tree = Tree::new();
    for (tool, wrong) in [
        ("read_file", json!({})),
        ("read_file", json!({ "path": "README.md", "lines": 3 })),
        ("read_file", json!({ "path": "README.md", "from_line": 9 })),
        ("read_file", json!({ "path": "" })),
        ("read_file", json!({ "path": "README.md", "from_line": "one" })),
        ("read_file", json!({ "path": "README.md", "from_line": 1.5 })),
        ("read_file", json!({ "path": "README.md", "to_line": -1 })),
        ("search_files", json!({ "text": "", "regex": null })),
        ("search_files", json!({ "text": "a", "regex": "b" })),
        ("search_files", json!({ "regex": "(" })),
        ("search_files", json!({ "regex": "(a{1000}){1000}" })),
        ("list_files", json!({ "glob": "[" })),
    ] {
        assert_eq!(tree.failure(tool, wrong.clone()), ToolFailureKind::InvalidArguments, "{wrong}");
    }
}

#[test]
fn arguments_are_taken_as_models_write_them() {
    let tree = Tree::new();
    let found = "src/main.rs#L2|     run();";
    for given in [
        json!({ "text": "run()", "glob": "" }),
        json!({ "text": "run()", "regex": "", "glob": null }),
        json!({ "text": null, "regex": r"run\(\)", "glob": "" }),
    ] {
        assert_eq!(tree.text("search_files", given.clone()), found, "{given}");
    }
    assert_eq!(tree.text("list_files", json!({ "path": null, "glob": "*.md" })), "README.md (11 bytes)");
    assert_eq!(tree.text("list_files", json!({ "path": "", "glob": "*.md" })), "README.md (11 bytes)");
    for (first, last) in [(json!("2"), json!("2")), (json!(2.0), json!(2)), (json!(" 2 "), json!(2.0))] {
        let given = json!({ "path": "README.md", "from_line": first, "to_line": last });
        let read = tree.text("read_file", given.clone());
        assert_eq!(read.lines().nth(1), Some("2| Runs."), "{given}");
        assert_eq!(read.lines().count(), 2, "{given}");
    }
    let open = json!({ "path": "README.md", "from_line": null, "to_line": "" });
    assert_eq!(tree.text("read_file", open).lines().count(), 3);
}

#[test]
fn the_definitions_of_a_folder_are_within_what_is_reserved_for_them() {
    let length: usize = definitions()
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.parameters.to_string().len() + 200)
        .sum();
    assert!(length < 2500, "{length}");
}
