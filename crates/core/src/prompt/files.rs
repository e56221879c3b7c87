//! The attached files as participants read them: which there are, and the first lines of their texts.
//!
//! They stand behind the opening, so that they are read whichever part of the record a participant gets, and a
//! provider's prompt cache holds them. What does not fit is left out and said to be there.

use std::fmt::Write as _;

use quorate_contract::TaskId;
use quorate_messages::text;

use super::frame::put_frame;
use super::outcome::actor_name;
use super::tokens::estimate_tokens;
use super::windows;
use crate::state::{FileRecord, Meeting};

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
    let window = windows::of(m, task).map_or(u64::MAX, |window| window.tokens);
    let mut room = EXCERPTS_MAX_TOKENS.min(window / 4);
    out.push_str("\n<files>\n");
    out.push_str(text!(language, "records-files"));
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
    let (lines, shown_lines) = (text.lines.to_string(), format!("1-{shown}"));
    attributes.push(("lines", &lines));
    if shown < text.lines {
        attributes.push(("shown", if shown == 0 { "none" } else { &shown_lines }));
    }
    put_frame(out, "file", &attributes, &body);
}
