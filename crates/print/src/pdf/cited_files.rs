//! Attached files at the end of the document.

use quorate_contract::AttachedFile;
use quorate_core::Meeting;
use quorate_messages::text;

use super::blocks::{Block, Span};
use super::ink::Ink;

/// Appends the beginnings of the attached texts, as participants read them.
pub(super) fn append(made: &mut Vec<Block>, meeting: &Meeting, ink: &mut Ink<'_>) {
    let language = meeting.language();
    let shown = meeting.files.iter().map(|record| &record.file);
    let shown: Vec<(&AttachedFile, &str)> = shown
        .filter_map(|file| Some((file, file.text.as_ref()?.excerpt.as_str())))
        .filter(|(_, excerpt)| !excerpt.is_empty())
        .collect();
    if !shown.is_empty() {
        let line = vec![Span::Text { text: text!(language, "print-pdf-files").to_owned() }];
        made.push(Block::Heading { level: 1, line });
    }
    for (file, excerpt) in &shown {
        let numbered: Vec<String> =
            excerpt.lines().zip(1..).map(|(line, number)| format!("{number}| {line}")).collect();
        let blocks = vec![Block::Code { text: ink.text(&numbered.join("\n")), lang: None }];
        let name = ink.text(&format!("{} {}", file.id, file.name));
        made.push(Block::File { label: file.id.to_string(), name, blocks });
    }
}
