//! The tools of a folder: files are listed, read and searched. Nothing leaves the folder, by `..` or by a link; what
//! ignore files name, hidden files, what holds keys, and databases with what belongs to them are not shown.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use ignore::{Walk, WalkBuilder};
use quorate_contract::{ToolFailureKind, ToolOutcome, ToolRun};
use quorate_engine::ToolDefinition;
use quorate_messages::{Message, message};
use serde::Deserialize;
use serde_json::json;

use super::arguments::{Problem, arguments, failed, invalid, matcher, pattern, whole_number};
use super::page::{LINE_MAX_CHARS, Page, bounded};
use super::{ToolSource, definition};
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
    #[serde(default, deserialize_with = "whole_number")]
    from_line: Option<u32>,
    #[serde(default, deserialize_with = "whole_number")]
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
        // Asked before it is opened: opening a pipe waits for somebody to write.
        let metadata = fs::metadata(path).map_err(|_| unreadable())?;
        if !metadata.is_file() {
            return Err(invalid(message!("failure-tool-no-file", path = name)));
        }
        let file = File::open(path).map_err(|_| unreadable())?;
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
        match count {
            0 => Ok(Page::saying("No file matches.", false)),
            _ => Ok(page.end(false)),
        }
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
        if all == 0 {
            return Ok(Page::saying(&format!("{name} is empty."), false));
        }
        // The head names the lines that are shown, so that none are cited that nobody has read.
        let head = |shown: u32| {
            let more = if shown < all { format!(", more from line {}", shown + 1) } else { String::new() };
            format!("{name}, lines {first}-{shown} of {all}{more}; cite them as {name}#L{first}-L{shown}")
        };
        let mut page = Page::under(room, &head(u32::MAX));
        let most = LINE_MAX_CHARS.min(page.room());
        let mut shown = first;
        let skip = (first - 1) as usize;
        let lines = text.lines().zip(1u32..).skip(skip).take_while(|(_, number)| *number <= last);
        for (line, number) in lines {
            if !page.put(&bounded(&format!("{number}| {line}"), most)) {
                break;
            }
            shown = number;
            page.shows(&name, number);
        }
        Ok(page.end_under(&head(shown), false))
    }

    fn search(&self, given: &SearchArguments, room: u32, until: &Deadline) -> Result<ToolOutcome, Problem> {
        let pattern = pattern(given.text.as_deref(), given.regex.as_deref())?;
        let glob = given.glob.as_deref().map(matcher).transpose()?;
        let mut page = Page::new(room);
        let (mut files, mut bytes, mut found, mut read) = (0, 0u64, 0, 0u32);
        let mut is_whole = true;
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
                is_whole = false;
                break;
            }
            // A file that may not be shown, or is none of text, is passed over.
            let Ok(text) = self.text(entry.path()) else { continue };
            read += 1;
            for (line, number) in text.lines().zip(1u32..).filter(|(line, _)| pattern.is_match(line)) {
                found += 1;
                if found > MATCHES_MAX
                    || !page.put(&format!("{name}#L{number}| {}", bounded(line, LINE_MAX_CHARS)))
                {
                    return Ok(page.end(true));
                }
                page.shows(&name, number);
            }
        }
        match found {
            0 => Ok(Page::saying(&format!("No line matches; files of text searched: {read}."), !is_whole)),
            _ => Ok(page.end(!is_whole)),
        }
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
    fn definitions(&self) -> BoxFuture<'_, Result<Vec<ToolDefinition>, Message>> {
        Box::pin(std::future::ready(Ok(definitions())))
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
    let text = |description: &str| json!({ "type": "string", "description": description });
    let number = |description: &str| json!({ "type": "integer", "description": description });
    vec![
        definition(
            "list_files",
            "Lists the files of the folder, each with its size.",
            json!({
                "path": text("A folder in it; everything when left out."),
                "glob": text("Only files whose path matches, such as src/**/*.rs."),
            }),
            &[],
        ),
        definition(
            "read_file",
            "Reads lines of a file. Cite what you rely on as path#L10-L20.",
            json!({
                "path": text("The path as listed."),
                "from_line": number("The first line, counted from 1."),
                "to_line": number("The last line."),
            }),
            &["path"],
        ),
        definition(
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

#[cfg(test)]
mod tests;
