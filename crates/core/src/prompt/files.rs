//! The attached files as participants read them: which there are, and the first lines of their texts.
//!
//! They stand behind the opening, so that they are read whichever part of the record a participant gets, and a
//! provider's prompt cache holds them. What does not fit is left out and said to be there.

use std::fmt::Write as _;

use quorate_contract::{FILE_EXCERPT_MAX_CHARS, FileText, RunnerSpec, TaskId};
use quorate_messages::text;

use super::frame::put_frame;
use super::outcome::actor_name;
use super::tokens::estimate_tokens;
use super::windows;
use crate::state::{FileRecord, Meeting, tasks};

/// The most tokens of all excerpts in a prompt.
const EXCERPTS_MAX_TOKENS: u64 = 8000;
/// The most files that a prompt names.
const NAMED_MAX: usize = 200;

/// The files in the prompt of a task; empty when the meeting has none.
pub(super) fn of(m: &Meeting, task: TaskId) -> String {
    let mut out = String::new();
    if m.files.is_empty() {
        return out;
    }
    let language = m.language();
    let mut room = room(m, task);
    out.push_str("\n<files>\n");
    out.push_str(text!(language, "records-files"));
    if can_be_read_on(m, task) {
        out.push_str(text!(language, "records-files-read-on"));
    }
    for record in m.files.iter().take(NAMED_MAX) {
        out.push('\n');
        put(m, record, &mut room, &mut out);
    }
    if let Some(more) = m.files.len().checked_sub(NAMED_MAX).filter(|more| *more > 0) {
        out.push('\n');
        out.push_str(&text!(language, "records-more-files", %more));
    }
    out.push_str("\n</files>");
    out
}

/// Whether who carries out this task reads more of the files with tools: it is a model that may call some, and not all of
/// their texts stands in its prompt.
pub(super) fn can_be_read_on(m: &Meeting, task: TaskId) -> bool {
    if !m.has_texts() || tasks::answerer(m, task).is_none() {
        return false;
    }
    let limits = &m.rules().limits;
    let calls_tools = match tasks::runner(m, task) {
        Some(RunnerSpec::Model { .. } | RunnerSpec::Simulated { .. }) => true,
        // They bring tools of their own.
        Some(RunnerSpec::Process { .. } | RunnerSpec::Acp { .. } | RunnerSpec::External { .. }) | None => {
            false
        }
    };
    let mut room = room(m, task);
    let is_whole = |(place, record): (usize, &FileRecord)| {
        let Some(text) = &record.file.text else { return true };
        place < NAMED_MAX && shows_all(text, excerpt(text, &mut room).0)
    };
    let files = || m.files.iter().map(AsRef::as_ref).enumerate();
    calls_tools && limits.tool_calls_per_turn.min(limits.tool_calls) > 0 && !files().all(is_whole)
}

/// How many tokens all excerpts in the prompt of a task may have.
fn room(m: &Meeting, task: TaskId) -> u64 {
    let window = windows::of(m, task).map_or(u64::MAX, |window| window.tokens);
    EXCERPTS_MAX_TOKENS.min(window / 4)
}

/// How many of the first lines of a text there is room for, and these lines.
fn excerpt(text: &FileText, room: &mut u64) -> (u32, String) {
    let mut shown = 0_u32;
    let mut body = String::new();
    for line in text.excerpt.lines() {
        let cost = estimate_tokens(line) + 3;
        if cost > *room {
            break;
        }
        *room -= cost;
        shown += 1;
        _ = writeln!(body, "{shown}| {line}");
    }
    body.truncate(body.trim_end_matches('\n').len());
    (shown, body)
}

/// Whether so many lines are all of a text. Of a single line that fills an excerpt, the end is missing.
fn shows_all(text: &FileText, shown: u32) -> bool {
    shown >= text.lines && !(shown == 1 && text.excerpt.chars().count() >= FILE_EXCERPT_MAX_CHARS)
}

/// Appends a file with as many of its first lines as there is room for.
fn put(m: &Meeting, record: &FileRecord, room: &mut u64, out: &mut String) {
    let file = &record.file;
    let (id, by) = (file.id.to_string(), actor_name(m, &record.by));
    let mut attributes = vec![("id", id.as_str()), ("name", file.name.as_str()), ("by", by.as_ref())];
    let Some(text) = &file.text else {
        attributes.push(("type", &file.media_type));
        if let Some(image) = file.image {
            let (size, pixels) = (file.size.to_string(), image.to_string());
            attributes.extend([("size", size.as_str()), ("pixels", pixels.as_str())]);
            return put_frame(out, "file", &attributes, text!(m.language(), "records-file-image"));
        }
        return put_frame(out, "file", &attributes, text!(m.language(), "records-file-without-text"));
    };
    let (shown, body) = excerpt(text, room);
    let (lines, shown_lines) = (text.lines.to_string(), format!("1-{shown}"));
    attributes.push(("lines", &lines));
    if shown < text.lines {
        attributes.push(("shown", if shown == 0 { "none" } else { &shown_lines }));
    }
    put_frame(out, "file", &attributes, &body);
}
