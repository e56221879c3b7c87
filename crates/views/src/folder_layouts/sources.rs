//! What a message rests on in a folder: results of tools and pages of the web. An import makes calls of them that have their
//! results, so that they are cited as before.

use std::collections::BTreeMap;

use quorate_contract::{
    EventBody, Evidence, ParticipantId, TOOL_RESULT_MAX_CHARS, Timestamp, ToolCallId, ToolOutcome,
    ToolSource, TurnId, WEB_PAGES_MAX, WEB_SEARCH_TOOL, WebPage, clean, is_web_address, shorten,
};
use quorate_core::MeetingMessage;
use serde::{Deserialize, Serialize};

use super::import::LogBuilder;

/// The longest path, in characters.
const PATH_MAX_CHARS: usize = 500;
/// The longest name of a tool, in characters.
const TOOL_MAX_CHARS: usize = 100;
/// The last line that can be cited.
const LINE_MAX: u32 = 10_000_000;

/// What the fields of a message have no place for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageExtension {
    /// The results that it cites.
    #[serde(default)]
    pub sources: Vec<MessageSource>,
}

/// A result that a message cites.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageSource {
    /// The tool that returned it.
    pub tool: String,
    /// The path of the file, or the address of the page of the web; empty when the result is cited as a whole.
    pub path: String,
    /// The title of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The first line that is cited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// The last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
}

/// What a message rests on, for its file; `tools` are the names of the tools by their calls.
pub(super) fn of(said: &MeetingMessage, tools: &BTreeMap<ToolCallId, String>) -> Option<MessageExtension> {
    let source = |one: &Evidence| MessageSource {
        tool: tools.get(&one.call).cloned().unwrap_or_default(),
        path: one.path.clone().unwrap_or_default(),
        title: one.title.clone(),
        first: one.first,
        last: one.last,
    };
    let sources: Vec<MessageSource> = said.evidence.iter().map(source).collect();
    (!sources.is_empty()).then_some(MessageExtension { sources })
}

/// The sources of a message, as far as they can be.
pub(super) fn read(extension: Option<&MessageExtension>) -> Vec<MessageSource> {
    let sources = extension.map(|extension| extension.sources.as_slice()).unwrap_or_default();
    let mut read: Vec<MessageSource> = Vec::new();
    for one in sources.iter().take(WEB_PAGES_MAX) {
        let tool = shorten(clean(&one.tool).trim(), TOOL_MAX_CHARS);
        let path = clean(&one.path).trim().to_owned();
        let (path, title) = match is_web_address(&path) {
            true => {
                let Some(page) = WebPage::new(&path, one.title.as_deref().unwrap_or_default()) else {
                    continue;
                };
                let title = Some(page.title().to_owned()).filter(|title| !title.is_empty());
                (page.address().to_owned(), title)
            }
            false => (shorten(&path, PATH_MAX_CHARS), None),
        };
        let lines = one.first.filter(|first| (1..=LINE_MAX).contains(first));
        let last = one.last.filter(|last| lines.is_some_and(|first| (first..=LINE_MAX).contains(last)));
        if !tool.is_empty() {
            read.push(MessageSource { tool, path, title, first: lines, last });
        }
    }
    read
}

/// Makes calls of what a message rests on: one for each tool.
pub(super) fn called(
    t: &mut LogBuilder,
    at: Timestamp,
    (turn, participant): (TurnId, ParticipantId),
    sources: &[MessageSource],
) -> Vec<Evidence> {
    let mut by_tool: Vec<(&str, Vec<&MessageSource>)> = Vec::new();
    for one in sources {
        match by_tool.iter_mut().find(|(tool, _)| *tool == one.tool) {
            Some((_, known)) => known.push(one),
            None => by_tool.push((&one.tool, vec![one])),
        }
    }
    let mut evidence = Vec::new();
    for ((tool, cited), step) in by_tool.into_iter().zip(1..) {
        let call = t.next_call();
        let tool = tool.to_owned();
        let (text, shown) = result(&tool, &cited);
        t.emit(
            at,
            EventBody::ToolCalled {
                call,
                turn,
                participant,
                step,
                tool,
                arguments: "{}".to_owned(),
                effects: false,
                max_chars: TOOL_RESULT_MAX_CHARS,
                text: String::new(),
                continuation: String::new(),
            },
        );
        let outcome = ToolOutcome::Returned { text, truncated: true, sources: shown };
        t.emit(at, EventBody::ToolReturned { call, turn, participant, outcome, latency_ms: 0 });
        let seq = t.meeting().seq;
        evidence.extend(cited.into_iter().map(|one| Evidence {
            call,
            seq,
            path: Some(one.path.clone()).filter(|path| !path.is_empty()),
            title: one.title.clone(),
            first: one.first,
            last: one.last,
        }));
    }
    evidence
}

/// A result as far as a folder knows it: a line for each thing that is cited.
fn result(tool: &str, cited: &[&MessageSource]) -> (String, Vec<ToolSource>) {
    let (mut lines, mut shown) = (Vec::new(), Vec::new());
    for (one, line) in cited.iter().zip(1..) {
        let title = one.title.as_deref().map(|title| format!("{title} — ")).unwrap_or_default();
        lines.push(format!("{title}{}", one.path));
        let is_page = tool == WEB_SEARCH_TOOL || is_web_address(&one.path);
        let (first, last) = match (is_page, one.first) {
            (false, Some(first)) => (first, one.last.unwrap_or(first)),
            _ => (line, line),
        };
        if !one.path.is_empty() {
            shown.push(ToolSource { path: one.path.clone(), title: one.title.clone(), first, last });
        }
    }
    (shorten(&lines.join("\n"), TOOL_RESULT_MAX_CHARS as usize), shown)
}
