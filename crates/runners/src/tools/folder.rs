//! The tools of a folder: files are listed, read and searched. Nothing leaves the folder, by `..` or by a link; what
//! ignore files name, hidden files, what holds keys, and databases with what belongs to them are not shown.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use globset::{Glob, GlobMatcher};
use ignore::{Walk, WalkBuilder};
use quorate_contract::{ToolFailureKind, ToolOutcome, ToolRun, ToolSource as Shown};
use quorate_engine::ToolDefinition;
use quorate_messages::{Message, message};
use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::ToolSource;
use crate::database_files::belongs_to_database;
use crate::file_text::{decode, find_secret, is_secret_name};

/// The largest file that is read, in bytes.
const FILE_MAX_BYTES: u64 = 5 << 20;
/// The most files that one search reads, and one list names.
const FILES_MAX: usize = 20_000;
/// The most bytes that one search reads.
const SEARCH_MAX_BYTES: u64 = 64 << 20;
/// The most lines that one search finds.
const MATCHES_MAX: usize = 200;
/// The longest line that is shown, in characters.
const LINE_MAX_CHARS: usize = 400;
/// The longest pattern, in characters.
const PATTERN_MAX_CHARS: usize = 300;
/// The most memory of a regular expression, in bytes.
const REGEX_MAX_BYTES: usize = 1 << 20;
/// What is left of a result for the line that says that it is cut.
const NOTE_CHARS: usize = 120;

/// A folder.
pub(super) struct Folder {
    /// The folder itself, links resolved.
    root: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    #[serde(default)]
    path: String,
    #[serde(default)]
    glob: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    path: String,
    #[serde(default)]
    from_line: Option<u32>,
    #[serde(default)]
    to_line: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArguments {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    regex: Option<String>,
    #[serde(default)]
    glob: Option<String>,
}

/// A failure of a tool.
struct Problem(ToolFailureKind, Message);

impl From<Problem> for ToolOutcome {
    fn from(Problem(kind, detail): Problem) -> Self {
        Self::failed(kind, detail)
    }
}

fn invalid(detail: Message) -> Problem {
    Problem(ToolFailureKind::InvalidArguments, detail)
}

fn failed(detail: Message) -> Problem {
    Problem(ToolFailureKind::Failed, detail)
}

/// A result while it is written: whole lines, as many as there is room for.
struct Page {
    text: String,
    chars: usize,
    room: usize,
    is_full: bool,
    sources: Vec<Shown>,
}

impl Page {
    fn new(max_chars: u32) -> Self {
        let room = (max_chars as usize).saturating_sub(NOTE_CHARS);
        Self { text: String::new(), chars: 0, room, is_full: false, sources: Vec::new() }
    }

    /// Appends a line; whether there was room for it.
    fn put(&mut self, line: &str) -> bool {
        let length = line.chars().count() + 1;
        if self.is_full || self.chars + length > self.room {
            self.is_full = true;
            return false;
        }
        self.chars += length;
        self.text.push_str(line);
        self.text.push('\n');
        true
    }

    /// Notes that a line of a file is shown.
    fn shows(&mut self, path: &str, line: u32) {
        match self.sources.last_mut() {
            Some(last) if last.path == path && last.last + 1 == line => last.last = line,
            _ => self.sources.push(Shown::lines(path, line, line)),
        }
    }

    fn end(self, truncated: bool) -> ToolOutcome {
        let text = self.text.trim_end_matches('\n').to_owned();
        ToolOutcome::Returned { text, truncated: truncated || self.is_full, sources: self.sources }
    }
}

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let root = fs::canonicalize(path)?;
        fs::read_dir(&root)?;
        Ok(Self { root })
    }

    /// The file or folder at a path in the folder; refused when it leads out of it or is not shown.
    fn resolve(&self, path: &str) -> Result<PathBuf, Problem> {
        let relative = Path::new(path);
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !relative.components().all(plain) {
            return Err(invalid(message!("failure-tool-path-outside", %path)));
        }
        let not_there = || invalid(message!("failure-tool-no-file", %path));
        let found = fs::canonicalize(self.root.join(relative)).map_err(|_| not_there())?;
        if !found.starts_with(&self.root) {
            return Err(invalid(message!("failure-tool-path-outside", %path)));
        }
        if found == self.root {
            return Ok(found);
        }
        // Only what a walk would come by is shown: neither what is hidden nor what is ignored.
        let target = found.clone();
        let mut walk = self.walk(&self.root, move |at| target.starts_with(at));
        let is_shown = walk.any(|entry| entry.is_ok_and(|entry| entry.path() == found));
        is_shown.then_some(found).ok_or_else(not_there)
    }

    fn walk(&self, from: &Path, enters: impl Fn(&Path) -> bool + Send + Sync + 'static) -> Walk {
        let mut builder = WalkBuilder::new(from);
        builder.require_git(false).follow_links(false).sort_by_file_path(Ord::cmp);
        builder.filter_entry(move |entry| {
            let is_root = entry.depth() == 0;
            enters(entry.path()) && (is_root || !belongs_to_database(entry.path()))
        });
        builder.build()
    }

    /// The path of a file in the folder, with `/` between the parts.
    fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }

    /// The text of a file that may be shown.
    fn text(&self, path: &Path) -> Result<String, Problem> {
        let name = self.name(path);
        if is_secret_name(&name) {
            return Err(failed(message!("failure-tool-secret", path = name)));
        }
        let unreadable = || failed(message!("failure-tool-unreadable", path = self.name(path)));
        let file = File::open(path).map_err(|_| unreadable())?;
        let metadata = file.metadata().map_err(|_| unreadable())?;
        if !metadata.is_file() {
            return Err(invalid(message!("failure-tool-no-file", path = name)));
        }
        let mut bytes = Vec::new();
        file.take(FILE_MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|_| unreadable())?;
        if bytes.len() as u64 > FILE_MAX_BYTES {
            return Err(failed(message!("failure-tool-too-large", path = name, max = FILE_MAX_BYTES >> 20)));
        }
        let text = decode(&bytes).ok_or_else(|| failed(message!("failure-tool-no-text", path = name)))?;
        match find_secret(&text) {
            Some(_) => Err(failed(message!("failure-tool-secret", path = self.name(path)))),
            None => Ok(text),
        }
    }

    fn list(&self, given: &ListArguments, room: u32, until: &Deadline) -> Result<ToolOutcome, Problem> {
        let from = self.resolve(&given.path)?;
        let glob = given.glob.as_deref().map(matcher).transpose()?;
        let mut page = Page::new(room);
        let mut count = 0;
        for entry in self.walk(&from, |_| true).filter_map(Result::ok) {
            let name = self.name(entry.path());
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if !is_file || is_secret_name(&name) || glob.as_ref().is_some_and(|glob| !glob.is_match(&name)) {
                continue;
            }
            count += 1;
            let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
            if count > FILES_MAX || until.is_over() || !page.put(&format!("{name} ({bytes} bytes)")) {
                return Ok(page.end(true));
            }
        }
        if count == 0 {
            return Err(failed(message!("failure-tool-nothing-found")));
        }
        Ok(page.end(false))
    }

    fn read(&self, given: &ReadArguments, room: u32) -> Result<ToolOutcome, Problem> {
        let path = self.resolve(&given.path)?;
        let text = self.text(&path)?;
        let name = self.name(&path);
        let all = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let first = given.from_line.unwrap_or(1).max(1);
        let last = given.to_line.unwrap_or(u32::MAX).min(all);
        if all > 0 && first > last {
            return Err(invalid(message!("failure-tool-no-such-lines", path = name, lines = all)));
        }
        let mut page = Page::new(room);
        page.put(&format!("{name}, lines {first}-{last} of {all}; cite them as {name}#L{first}-L{last}"));
        let skip = (first - 1) as usize;
        let lines = text.lines().zip(1u32..).skip(skip).take_while(|(_, number)| *number <= last);
        for (line, number) in lines {
            if !page.put(&format!("{number}| {}", bounded(line))) {
                break;
            }
            page.shows(&name, number);
        }
        Ok(page.end(false))
    }

    fn search(&self, given: &SearchArguments, room: u32, until: &Deadline) -> Result<ToolOutcome, Problem> {
        let pattern = pattern(given)?;
        let glob = given.glob.as_deref().map(matcher).transpose()?;
        let mut page = Page::new(room);
        let (mut files, mut bytes, mut found) = (0, 0u64, 0);
        for entry in self.walk(&self.root, |_| true).filter_map(Result::ok) {
            let name = self.name(entry.path());
            if !entry.file_type().is_some_and(|kind| kind.is_file())
                || glob.as_ref().is_some_and(|glob| !glob.is_match(&name))
            {
                continue;
            }
            files += 1;
            bytes = bytes
                .saturating_add(entry.metadata().map_or(0, |metadata| metadata.len()).min(FILE_MAX_BYTES));
            if files > FILES_MAX || bytes > SEARCH_MAX_BYTES || until.is_over() {
                return Ok(page.end(true));
            }
            // A file that may not be shown, or is none of text, is passed over.
            let Ok(text) = self.text(entry.path()) else { continue };
            for (line, number) in text.lines().zip(1u32..).filter(|(line, _)| pattern.is_match(line)) {
                found += 1;
                if found > MATCHES_MAX || !page.put(&format!("{name}#L{number}| {}", bounded(line))) {
                    return Ok(page.end(true));
                }
                page.shows(&name, number);
            }
        }
        if found == 0 {
            return Err(failed(message!("failure-tool-nothing-found")));
        }
        Ok(page.end(false))
    }

    fn carry_out(&self, tool: &str, run: &ToolRun, until: &Deadline) -> Result<ToolOutcome, Problem> {
        match tool {
            "list_files" => self.list(&arguments(run)?, run.max_chars, until),
            "read_file" => self.read(&arguments(run)?, run.max_chars),
            "search_files" => self.search(&arguments(run)?, run.max_chars, until),
            _ => Ok(ToolOutcome::failed(ToolFailureKind::UnknownTool, "")),
        }
    }
}

/// When a run has to stop: its thread cannot be stopped from outside.
struct Deadline {
    at: Instant,
    dropped: Arc<AtomicBool>,
}

impl Deadline {
    fn is_over(&self) -> bool {
        Instant::now() >= self.at || self.dropped.load(Ordering::Relaxed)
    }
}

/// Tells the thread when nobody waits any more.
struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl ToolSource for Folder {
    fn definitions(&self) -> BoxFuture<'_, Vec<ToolDefinition>> {
        Box::pin(std::future::ready(definitions()))
    }

    fn run<'a>(&'a self, tool: &'a str, run: &'a ToolRun) -> BoxFuture<'a, ToolOutcome> {
        let (folder, tool, run) = (Self { root: self.root.clone() }, tool.to_owned(), run.clone());
        let dropped = Arc::new(AtomicBool::new(false));
        let until = Deadline {
            at: Instant::now() + Duration::from_millis(run.timeout_ms),
            dropped: Arc::clone(&dropped),
        };
        Box::pin(async move {
            let _dropped = Dropped(dropped);
            let carried = tokio::task::spawn_blocking(move || {
                folder.carry_out(&tool, &run, &until).unwrap_or_else(ToolOutcome::from)
            });
            carried.await.unwrap_or_else(|error| {
                tracing::error!(%error, "a tool of a folder broke down");
                ToolOutcome::failed(ToolFailureKind::Failed, "")
            })
        })
    }
}

fn definitions() -> Vec<ToolDefinition> {
    let tool = |name: &str, description: &str, properties: serde_json::Value, required: &[&str]| {
        let parameters = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        ToolDefinition {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters,
            effects: false,
        }
    };
    let text = |description: &str| json!({ "type": "string", "description": description });
    let number = |description: &str| json!({ "type": "integer", "description": description });
    vec![
        tool(
            "list_files",
            "Lists the files of the folder, each with its size.",
            json!({
                "path": text("A folder in it; everything when left out."),
                "glob": text("Only files whose path matches, such as src/**/*.rs."),
            }),
            &[],
        ),
        tool(
            "read_file",
            "Reads lines of a file. Cite what you rely on as path#L10-L20.",
            json!({
                "path": text("The path as listed."),
                "from_line": number("The first line, counted from 1."),
                "to_line": number("The last line."),
            }),
            &["path"],
        ),
        tool(
            "search_files",
            "Finds lines of files that contain a text or match a regular expression; give one of them.",
            json!({
                "text": text("A text, in any case of letters."),
                "regex": text("A regular expression in the syntax of Rust."),
                "glob": text("Only files whose path matches, such as **/*.md."),
            }),
            &[],
        ),
    ]
}

fn arguments<T: DeserializeOwned>(run: &ToolRun) -> Result<T, Problem> {
    serde_json::from_str(&run.arguments)
        .map_err(|error| invalid(message!("failure-tool-arguments", problem = error.to_string())))
}

fn matcher(glob: &str) -> Result<GlobMatcher, Problem> {
    let wrong = || invalid(message!("failure-tool-glob", glob = glob.chars().take(80).collect::<String>()));
    if glob.chars().count() > PATTERN_MAX_CHARS {
        return Err(wrong());
    }
    Glob::new(glob).map(|glob| glob.compile_matcher()).map_err(|_| wrong())
}

fn pattern(given: &SearchArguments) -> Result<Regex, Problem> {
    let (pattern, insensitive) = match (&given.text, &given.regex) {
        (Some(text), None) => (regex::escape(text), true),
        (None, Some(regex)) => (regex.clone(), false),
        (Some(_), Some(_)) | (None, None) => return Err(invalid(message!("failure-tool-text-or-regex"))),
    };
    let wrong = || invalid(message!("failure-tool-regex"));
    if pattern.trim().is_empty() || pattern.chars().count() > PATTERN_MAX_CHARS * 2 {
        return Err(wrong());
    }
    RegexBuilder::new(&pattern)
        .case_insensitive(insensitive)
        .size_limit(REGEX_MAX_BYTES)
        .dfa_size_limit(REGEX_MAX_BYTES)
        .build()
        .map_err(|_| wrong())
}

/// A line that is not too long.
fn bounded(line: &str) -> String {
    match line.char_indices().nth(LINE_MAX_CHARS) {
        None => line.to_owned(),
        Some((end, _)) => {
            let mut cut = line[..end].to_owned();
            _ = write!(cut, "…");
            cut
        }
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::{ParticipantId, ToolCallId, TurnId};

    use super::*;

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
            assert_eq!(
                tree.failure("search_files", json!({ "text": hidden })),
                ToolFailureKind::Failed,
                "{hidden}"
            );
        }
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
        let beside =
            ["q.db-wal", "q.db-shm", "q.db.server", "q.db.audit", "q.db.files/ab/cdef", "q.acp/a.json"];
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
        assert_eq!(tree.failure("search_files", json!({ "text": "plans" })), ToolFailureKind::Failed);
    }

    #[test]
    fn wrong_arguments_are_named() {
        let tree = Tree::new();
        for (tool, wrong) in [
            ("read_file", json!({})),
            ("read_file", json!({ "path": "README.md", "lines": 3 })),
            ("read_file", json!({ "path": "README.md", "from_line": 9 })),
            ("search_files", json!({ "text": "a", "regex": "b" })),
            ("search_files", json!({ "regex": "(" })),
            ("search_files", json!({ "regex": "(a{1000}){1000}" })),
            ("list_files", json!({ "glob": "[" })),
        ] {
            assert_eq!(tree.failure(tool, wrong.clone()), ToolFailureKind::InvalidArguments, "{wrong}");
        }
    }

    #[test]
    fn the_definitions_of_a_folder_are_within_what_is_reserved_for_them() {
        let length: usize = definitions()
            .iter()
            .map(|tool| tool.name.len() + tool.description.len() + tool.parameters.to_string().len() + 200)
            .sum();
        assert!(length < 2500, "{length}");
    }
}
