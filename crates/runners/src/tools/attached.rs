//! The tools of the files that are attached to a meeting: lines of them are read and searched. Lines are cited with the id
//! of their file, like those that stand in the prompt.

use std::sync::Arc;

use futures::future::BoxFuture;
use quorate_contract::{
    FileId, MEETING_FILES, TOOL_NAME_MARK, ToolFailureKind, ToolOutcome, ToolRun, ToolRunFile,
};
use quorate_engine::ToolDefinition;
use quorate_messages::message;
use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{Problem, arguments, failed, invalid, pattern, whole_number};
use super::definition;
use super::page::{LINE_MAX_CHARS, Page, bounded};

/// The longest line that is shown beside others, in characters. One that is read alone fills the result.
const READ_LINE_MAX_CHARS: usize = 2000;
/// The most lines that one search finds.
const MATCHES_MAX: usize = 200;
/// The most files that a failure names.
const NAMED_MAX: usize = 20;

/// The texts of the files of meetings, wherever they are stored.
pub trait AttachedTexts: Send + Sync {
    /// The text of a file of the meeting that calls; `None` when its content is not here or cannot be read.
    fn text<'a>(&'a self, run: &'a ToolRun, file: &'a ToolRunFile) -> BoxFuture<'a, Option<Arc<str>>>;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GetArguments {
    file: String,
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
    file: Option<String>,
}

/// The tools, by their whole names.
pub fn attached_file_tools() -> Vec<ToolDefinition> {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let number = |description: &str| json!({ "type": "integer", "description": description });
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| {
        let name = format!("{MEETING_FILES}{TOOL_NAME_MARK}{name}");
        definition(&name, description, properties, required)
    };
    vec![
        tool(
            "get_file",
            "Reads lines of a file of the meeting. Cite what you rely on as f1#10-20.",
            json!({
                "file": text("The id of the file, such as f1."),
                "from_line": number("The first line, counted from 1."),
                "to_line": number("The last line."),
            }),
            &["file"],
        ),
        tool(
            "search",
            "Finds lines of the files of the meeting that contain a text or match a regular expression; give one of them.",
            json!({
                "text": text("A text, in any case of letters."),
                "regex": text("A regular expression in the syntax of Rust."),
                "file": text("The id of a file, such as f1; all files when left out."),
            }),
            &[],
        ),
    ]
}

/// Runs one of them.
pub async fn run_attached_file_tool(run: &ToolRun, texts: &dyn AttachedTexts) -> ToolOutcome {
    let tool = run.tool.split_once(TOOL_NAME_MARK).map_or("", |(_, tool)| tool);
    let ran = match tool {
        "get_file" => get(run, texts).await,
        "search" => search(run, texts).await,
        _ => return ToolOutcome::failed(ToolFailureKind::UnknownTool, ""),
    };
    ran.unwrap_or_else(ToolOutcome::from)
}

async fn get(run: &ToolRun, texts: &dyn AttachedTexts) -> Result<ToolOutcome, Problem> {
    let given: GetArguments = arguments(run)?;
    let file = file_of(run, &given.file)?;
    let text = text_of(run, file, texts).await?;
    let all = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let first = given.from_line.unwrap_or(1).max(1);
    let last = given.to_line.unwrap_or(u32::MAX).min(all);
    if first > last {
        return Err(invalid(message!("failure-tool-no-such-lines", path = &file.name, lines = all)));
    }
    let id = file.id;
    let head = |shown: u32| {
        let more = if shown < all { format!(", more from line {}", shown + 1) } else { String::new() };
        format!("{id} {}, lines {first}-{shown} of {all}{more}; cite them as {id}#{first}-{shown}", file.name)
    };
    let mut page = Page::under(run.max_chars, &head(u32::MAX));
    let most = if first == last { page.room() } else { READ_LINE_MAX_CHARS.min(page.room()) };
    let (mut shown, mut is_cut) = (first, false);
    let lines = text.lines().zip(1u32..).skip((first - 1) as usize);
    for (line, number) in lines.take_while(|(_, number)| *number <= last) {
        let line = format!("{number}| {line}");
        let part = bounded(&line, most);
        is_cut |= part.len() < line.len();
        if !page.put(&part) {
            break;
        }
        shown = number;
    }
    Ok(page.end_under(&head(shown), is_cut))
}

async fn search(run: &ToolRun, texts: &dyn AttachedTexts) -> Result<ToolOutcome, Problem> {
    let given: SearchArguments = arguments(run)?;
    let pattern = pattern(given.text.as_deref(), given.regex.as_deref())?;
    let files: Vec<&ToolRunFile> = match &given.file {
        Some(name) => vec![file_of(run, name)?],
        None => run.files.iter().filter(|file| file.has_text).collect(),
    };
    let is_one = given.file.is_some();
    let mut page = Page::new(run.max_chars);
    let (mut searched, mut found) = (0, 0);
    for file in files {
        let text = match text_of(run, file, texts).await {
            Ok(text) => text,
            Err(problem) if is_one => return Err(problem),
            Err(_) => continue,
        };
        searched += 1;
        for (line, number) in matches(text, pattern.clone(), MATCHES_MAX + 1 - found).await {
            found += 1;
            if found > MATCHES_MAX || !page.put(&format!("{}#{number}| {line}", file.id)) {
                return Ok(page.end(true));
            }
        }
    }
    match found {
        0 => Ok(Page::saying(&format!("No line matches; files of text searched: {searched}."), false)),
        _ => Ok(page.end(false)),
    }
}

/// The first lines of a text that match, with their numbers.
async fn matches(text: Arc<str>, pattern: Regex, most: usize) -> Vec<(String, u32)> {
    let find = move || {
        let matching = text.lines().zip(1u32..).filter(|(line, _)| pattern.is_match(line)).take(most);
        matching.map(|(line, number)| (bounded(line, LINE_MAX_CHARS), number)).collect()
    };
    tokio::task::spawn_blocking(find).await.unwrap_or_default()
}

/// The file of this id, or the only one of this name.
fn file_of<'a>(run: &'a ToolRun, given: &str) -> Result<&'a ToolRunFile, Problem> {
    let given = given.trim();
    let by_id = given.parse().ok().and_then(|id: FileId| run.files.iter().find(|file| file.id == id));
    let mut named = run.files.iter().filter(|file| file.name == given);
    let by_name = || named.next().filter(|_| named.next().is_none());
    by_id.or_else(by_name).ok_or_else(|| {
        let known: Vec<String> =
            run.files.iter().take(NAMED_MAX).map(|file| format!("{} {}", file.id, file.name)).collect();
        let file: String = given.chars().take(80).collect();
        invalid(message!("failure-tool-no-attached-file", %file, known))
    })
}

async fn text_of(run: &ToolRun, file: &ToolRunFile, texts: &dyn AttachedTexts) -> Result<Arc<str>, Problem> {
    if !file.has_text {
        return Err(failed(message!("failure-tool-no-text", path = &file.name)));
    }
    let text = texts.text(run, file).await;
    text.ok_or_else(|| failed(message!("failure-tool-unreadable", path = &file.name)))
}

#[cfg(test)]
mod tests {
    use quorate_contract::{MeetingId, ParticipantId, ToolCallId, TurnId};

    use super::*;

    struct Texts(Vec<(&'static str, String)>);

    impl AttachedTexts for Texts {
        fn text<'a>(&'a self, _run: &'a ToolRun, file: &'a ToolRunFile) -> BoxFuture<'a, Option<Arc<str>>> {
            let text =
                self.0.iter().find(|(name, _)| *name == file.name).map(|(_, text)| text.as_str().into());
            Box::pin(std::future::ready(text))
        }
    }

    impl Texts {
        fn new() -> Self {
            let log = (1..=400).map(|line| format!("row {line} of the log\n")).collect();
            Self(vec![("log.txt", log), ("min.json", "x".repeat(5000)), ("empty.txt", String::new())])
        }

        fn call(&self, tool: &str, arguments: &Value) -> ToolOutcome {
            let file = |number: u32, name: &str, has_text| ToolRunFile {
                id: FileId(number),
                name: name.to_owned(),
                media_type: "text/plain".to_owned(),
                sha256: String::new(),
                has_text,
            };
            let run = ToolRun {
                meeting: MeetingId::new("meeting"),
                call: ToolCallId(1),
                turn: TurnId { round: 1, place: 1 },
                participant: ParticipantId(1),
                tool: format!("files__{tool}"),
                arguments: arguments.to_string(),
                approved: false,
                timeout_ms: 10_000,
                max_chars: 3000,
                files: vec![
                    file(1, "log.txt", true),
                    file(2, "min.json", true),
                    file(3, "plan.png", false),
                    file(4, "gone.txt", true),
                    file(5, "twice.txt", true),
                    file(6, "twice.txt", true),
                    file(7, "empty.txt", true),
                ],
            };
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(run_attached_file_tool(&run, self))
        }

        fn text(&self, tool: &str, arguments: Value) -> (String, bool) {
            match self.call(tool, &arguments) {
                ToolOutcome::Returned { text, truncated, .. } => (text, truncated),
                ToolOutcome::Failed { kind, detail } => panic!("{arguments}: {kind:?} {detail:?}"),
            }
        }
    }

    #[test]
    fn lines_beyond_the_excerpt_are_read_and_cited_with_the_id_of_the_file() {
        let texts = Texts::new();
        let (read, truncated) =
            texts.text("get_file", json!({ "file": "f1", "from_line": "147", "to_line": 149 }));
        assert_eq!(
            read,
            "f1 log.txt, lines 147-149 of 400, more from line 150; cite them as f1#147-149\n\
             147| row 147 of the log\n148| row 148 of the log\n149| row 149 of the log"
        );
        assert!(!truncated);
        let (read, _) = texts.text("get_file", json!({ "file": "log.txt", "from_line": 400, "to_line": "" }));
        assert_eq!(
            read,
            "f1 log.txt, lines 400-400 of 400; cite them as f1#400-400\n400| row 400 of the log"
        );
    }

    #[test]
    fn a_long_file_is_read_in_portions_without_gap() {
        let texts = Texts::new();
        let (mut next, mut lines) = (1, 0);
        while next <= 400 {
            let (read, truncated) = texts.text("get_file", json!({ "file": "f1", "from_line": next }));
            assert!(read.chars().count() <= 3000);
            let numbers: Vec<u32> =
                read.lines().skip(1).filter_map(|line| line.split_once('|')?.0.parse().ok()).collect();
            assert_eq!(numbers.first(), Some(&next));
            lines += numbers.len();
            next = numbers.last().expect("lines") + 1;
            assert_eq!(read.contains(&format!("more from line {next};")), next <= 400, "{read:.200}");
            assert_eq!(truncated, next <= 400);
        }
        assert_eq!(lines, 400);
    }

    #[test]
    fn an_endless_line_fills_a_result() {
        let (read, truncated) = Texts::new().text("get_file", json!({ "file": "f2" }));
        assert!(truncated && (2700..=3000).contains(&read.chars().count()), "{}", read.len());
    }

    #[test]
    fn lines_are_found_in_all_files_or_in_one() {
        let texts = Texts::new();
        let (found, truncated) = texts.text("search", json!({ "text": "ROW 39", "regex": "", "file": null }));
        assert_eq!(found.lines().next(), Some("f1#39| row 39 of the log"));
        assert_eq!((found.lines().count(), truncated), (11, false));
        assert!(texts.text("search", json!({ "text": "row" })).1, "there are more");
        let nothing = texts.text("search", json!({ "text": "row", "file": "f2" }));
        assert_eq!(nothing.0, "No line matches; files of text searched: 1.");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let texts = Texts::new();
        for (tool, wrong, kind) in [
            ("get_file", json!({}), ToolFailureKind::InvalidArguments),
            ("get_file", json!({ "file": "f9" }), ToolFailureKind::InvalidArguments),
            ("get_file", json!({ "file": "../log.txt" }), ToolFailureKind::InvalidArguments),
            ("get_file", json!({ "file": "twice.txt" }), ToolFailureKind::InvalidArguments),
            ("get_file", json!({ "file": "f1", "from_line": 401 }), ToolFailureKind::InvalidArguments),
            ("get_file", json!({ "file": "f7" }), ToolFailureKind::InvalidArguments),
            ("get_file", json!({ "file": "f3" }), ToolFailureKind::Failed),
            ("get_file", json!({ "file": "f4" }), ToolFailureKind::Failed),
            ("search", json!({}), ToolFailureKind::InvalidArguments),
            ("search", json!({ "text": "x", "file": "f4" }), ToolFailureKind::Failed),
            ("write", json!({}), ToolFailureKind::UnknownTool),
        ] {
            match texts.call(tool, &wrong) {
                ToolOutcome::Failed { kind: found, .. } => assert_eq!(found, kind, "{tool} {wrong}"),
                ToolOutcome::Returned { text, .. } => panic!("{tool} {wrong}: {text}"),
            }
        }
    }

    #[test]
    fn the_definitions_are_within_what_is_reserved_for_them_and_change_nothing() {
        let tools = attached_file_tools();
        let sizes = tools.iter().map(|tool| tool.description.len() + tool.parameters.to_string().len() + 200);
        assert!(sizes.sum::<usize>() < 2500);
        assert!(tools.iter().all(|tool| !tool.effects && tool.name.starts_with("files__")));
    }
}
