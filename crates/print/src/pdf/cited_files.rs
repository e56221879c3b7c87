//! Attached files at the end of the document, and citations as links to them.

use std::collections::BTreeSet;

use quorate_contract::AttachedFile;
use quorate_core::Meeting;
use quorate_messages::text;

use super::blocks::{Block, Line, Span};
use super::ink::Ink;

/// Appends the beginnings of the attached texts, as participants read them; the ids of these files.
pub(super) fn append(made: &mut Vec<Block>, meeting: &Meeting, ink: &mut Ink<'_>) -> BTreeSet<String> {
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
        made.push(Block::File { label: label(&file.id.to_string()), name, blocks });
    }
    shown.into_iter().map(|(file, _)| file.id.to_string()).collect()
}

fn label(id: &str) -> String {
    format!("file-{id}")
}

/// Makes citations of these files links to them: `f1#12-20`, `[f1]`.
pub(super) fn link(blocks: &mut [Block], files: &BTreeSet<String>) {
    for block in blocks {
        match block {
            Block::Paragraph { line } | Block::Heading { line, .. } | Block::Title { line } => {
                linked(line, files)
            }
            Block::Quote { blocks } | Block::Said { blocks, .. } => link(blocks, files),
            Block::List { items, .. } => items.iter_mut().for_each(|item| link(&mut item.blocks, files)),
            Block::Table { head, rows, .. } => {
                head.iter_mut().chain(rows.iter_mut().flatten()).for_each(|cell| linked(cell, files));
            }
            Block::Code { .. } | Block::Rule | Block::File { .. } => {}
        }
    }
}

fn linked(line: &mut Line, files: &BTreeSet<String>) {
    for span in std::mem::take(line) {
        match span {
            Span::Text { text } => split(&text, files, line),
            // What the report cites stands as code.
            Span::Code { text } => match citation(&text, 0, files) {
                Some((end, id)) if end == text.len() => {
                    let (target, inner) = (label(id), vec![Span::Code { text: text.clone() }]);
                    line.push(Span::Reference { target, line: inner });
                }
                Some(_) | None => line.push(Span::Code { text }),
            },
            Span::Strong { line: mut inner } => {
                linked(&mut inner, files);
                line.push(Span::Strong { line: inner });
            }
            Span::Emphasis { line: mut inner } => {
                linked(&mut inner, files);
                line.push(Span::Emphasis { line: inner });
            }
            Span::Strike { line: mut inner } => {
                linked(&mut inner, files);
                line.push(Span::Strike { line: inner });
            }
            other @ (Span::Link { .. } | Span::Reference { .. } | Span::Break) => line.push(other),
        }
    }
}

/// A text with its citations as links.
fn split(text: &str, files: &BTreeSet<String>, line: &mut Line) {
    let (mut from, mut at) = (0, 0);
    while let Some(next) = text[at..].find('f').map(|next| at + next) {
        match citation(text, next, files) {
            Some((end, id)) => {
                if from < next {
                    line.push(Span::Text { text: text[from..next].to_owned() });
                }
                let inner = vec![Span::Text { text: text[next..end].to_owned() }];
                line.push(Span::Reference { target: label(id), line: inner });
                (from, at) = (end, end);
            }
            None => at = next + 1,
        }
    }
    if from < text.len() {
        line.push(Span::Text { text: text[from..].to_owned() });
    }
}

/// The end of a citation that begins here, and the file that it cites. A file as a whole stands in brackets, or alone.
fn citation<'f>(text: &str, start: usize, files: &'f BTreeSet<String>) -> Option<(usize, &'f str)> {
    let before = text[..start].chars().next_back();
    if before.is_some_and(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '/' | '.' | '-')) {
        return None;
    }
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let id_end = start + 1 + digits(start + 1);
    let id = files.get(text.get(start..id_end)?)?;
    let number = |from: usize| {
        let from = from + usize::from(text[from..].starts_with(['L', 'l']));
        Some(from + digits(from)).filter(|end| *end > from)
    };
    let lines = text[id_end..].starts_with('#').then(|| number(id_end + 1)).flatten();
    let end = match lines {
        Some(first) => match text[first..].starts_with('-').then(|| number(first + 1)).flatten() {
            Some(last) => last,
            None => first,
        },
        None if before == Some('[') && text[id_end..].starts_with(']') => id_end,
        None if start == 0 && id_end == text.len() => id_end,
        None => return None,
    };
    let ends = !text[end..].starts_with(|sign: char| sign.is_ascii_alphanumeric());
    ends.then_some((end, id.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_of_printed_files_are_links_and_nothing_else_is() {
        let files = BTreeSet::from(["f1".to_owned(), "f12".to_owned()]);
        let mut line = Vec::new();
        split("of f1#12-20, [f1], f12#L3; not f2#1, af1#1, f1, f1#x, f1#2a 费用f1#2", &files, &mut line);
        let links: Vec<&str> = line
            .iter()
            .filter_map(|span| match span {
                Span::Reference { target, line } => match line.as_slice() {
                    [Span::Text { text }] => Some((target, text)),
                    _ => None,
                },
                _ => None,
            })
            .map(|(_, text)| text.as_str())
            .collect();
        assert_eq!(links, ["f1#12-20", "f1", "f12#L3"]);
        let text: String = line
            .iter()
            .map(|span| match span {
                Span::Text { text } => text.clone(),
                Span::Reference { line, .. } => match line.as_slice() {
                    [Span::Text { text }] => text.clone(),
                    _ => String::new(),
                },
                _ => String::new(),
            })
            .collect();
        assert_eq!(text, "of f1#12-20, [f1], f12#L3; not f2#1, af1#1, f1, f1#x, f1#2a 费用f1#2");
    }
}
