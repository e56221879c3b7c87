//! References within the document as links: to messages, claims and calls of tools (`[m3, c4]`), and to attached files
//! (`f1#12-20`, `[f1]`).

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::leading_references;
use quorate_core::Meeting;

use super::blocks::{Block, Line, Span};

/// Where references may lead.
#[derive(Debug, Default)]
struct Targets {
    /// The label of each message, claim and call that is in the document. A claim without a place of its own leads to the
    /// message that raised it.
    labels: BTreeMap<String, String>,
    /// The attached files that are printed.
    files: BTreeSet<String>,
}

impl Targets {
    fn of(blocks: &[Block], meeting: &Meeting) -> Self {
        let mut targets = Self::default();
        for block in blocks {
            match block {
                Block::Said { label: Some(label), .. } | Block::Note { label: Some(label), .. } => {
                    targets.labels.insert(label.clone(), label.clone());
                }
                Block::File { label, .. } => _ = targets.files.insert(label.clone()),
                Block::Paragraph { .. }
                | Block::Heading { .. }
                | Block::Title { .. }
                | Block::Code { .. }
                | Block::Quote { .. }
                | Block::List { .. }
                | Block::Table { .. }
                | Block::Rule
                | Block::Note { label: None, .. }
                | Block::Said { label: None, .. } => {}
            }
        }
        for claim in &meeting.claims {
            let message = claim.message.map(|message| message.to_string());
            if let Some(message) = message.filter(|message| targets.labels.contains_key(message)) {
                targets.labels.entry(claim.claim.id.to_string()).or_insert(message);
            }
        }
        targets
    }
}

/// Makes the references in these blocks links to what the same blocks hold.
pub(super) fn link(blocks: &mut [Block], meeting: &Meeting) {
    let targets = Targets::of(blocks, meeting);
    each(blocks, &targets);
}

fn each(blocks: &mut [Block], targets: &Targets) {
    for block in blocks {
        match block {
            Block::Paragraph { line } | Block::Heading { line, .. } | Block::Title { line } => {
                linked(line, targets)
            }
            Block::Quote { blocks } | Block::Said { blocks, .. } | Block::Note { blocks, .. } => {
                each(blocks, targets);
            }
            Block::List { items, .. } => {
                items.iter_mut().for_each(|item| each(&mut item.blocks, targets));
            }
            Block::Table { head, rows, .. } => {
                head.iter_mut().chain(rows.iter_mut().flatten()).for_each(|cell| linked(cell, targets));
            }
            Block::Code { .. } | Block::Rule | Block::File { .. } => {}
        }
    }
}

fn linked(line: &mut Line, targets: &Targets) {
    for span in joined(std::mem::take(line)) {
        match span {
            Span::Text { text } => split(&text, targets, line),
            // What the report cites stands as code.
            Span::Code { text } => match citation(&text, 0, &targets.files) {
                Some((end, id)) if end == text.len() => {
                    let (target, inner) = (id.to_owned(), vec![Span::Code { text: text.clone() }]);
                    line.push(Span::Reference { target, line: inner });
                }
                Some(_) | None => line.push(Span::Code { text }),
            },
            Span::Strong { line: mut inner } => {
                linked(&mut inner, targets);
                line.push(Span::Strong { line: inner });
            }
            Span::Emphasis { line: mut inner } => {
                linked(&mut inner, targets);
                line.push(Span::Emphasis { line: inner });
            }
            Span::Strike { line: mut inner } => {
                linked(&mut inner, targets);
                line.push(Span::Strike { line: inner });
            }
            other @ (Span::Link { .. } | Span::Reference { .. } | Span::Break) => line.push(other),
        }
    }
}

/// The same line with texts that follow each other as one: a parser of Markdown divides them at brackets.
fn joined(line: Line) -> Line {
    let mut made = Line::new();
    for span in line {
        match (made.last_mut(), span) {
            (Some(Span::Text { text }), Span::Text { text: more }) => text.push_str(&more),
            (_, span) => made.push(span),
        }
    }
    made
}

/// A text with its references as links.
fn split(text: &str, targets: &Targets, line: &mut Line) {
    let plain = |line: &mut Line, text: &str| {
        if !text.is_empty() {
            line.push(Span::Text { text: text.to_owned() });
        }
    };
    let refer = |line: &mut Line, target: &str, text: &str| {
        let inner = vec![Span::Text { text: text.to_owned() }];
        line.push(Span::Reference { target: target.to_owned(), line: inner });
    };
    let (mut from, mut at) = (0, 0);
    while let Some(next) = text[at..].find(['f', '[']).map(|next| at + next) {
        if let Some((end, id)) = citation(text, next, &targets.files) {
            plain(line, &text[from..next]);
            refer(line, id, &text[next..end]);
            (from, at) = (end, end);
            continue;
        }
        let places = leading_references(&text[next..]).map(|(places, _)| places).unwrap_or_default();
        for (begin, end) in places.into_iter().map(|place| (next + place.start, next + place.end)) {
            let word = &text[begin..end];
            let file = word.split_once('#').map_or(word, |(file, _)| file);
            if let Some(target) = targets.labels.get(word).or_else(|| targets.files.get(file)) {
                plain(line, &text[from..begin]);
                refer(line, target, word);
                from = end;
            }
        }
        at = from.max(next + 1);
    }
    plain(line, &text[from..]);
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

    /// The text, and what is a link in it, with its target.
    fn read(text: &str, targets: &Targets) -> (String, Vec<(String, String)>) {
        let mut line = Vec::new();
        split(text, targets, &mut line);
        let words = |line: &[Span]| -> String {
            let texts = line.iter().map(|span| match span {
                Span::Text { text } => text.as_str(),
                _ => "",
            });
            texts.collect()
        };
        let links = line.iter().filter_map(|span| match span {
            Span::Reference { target, line } => Some((words(line), target.clone())),
            _ => None,
        });
        let links = links.collect();
        let text = line.iter().map(|span| match span {
            Span::Reference { line, .. } => words(line),
            other => words(std::slice::from_ref(other)),
        });
        (text.collect(), links)
    }

    #[test]
    fn citations_of_printed_files_are_links_and_nothing_else_is() {
        let files = BTreeSet::from(["f1".to_owned(), "f12".to_owned()]);
        let targets = Targets { files, ..Targets::default() };
        let text = "of f1#12-20, [f1], f12#L3; not f2#1, af1#1, f1, f1#x, f1#2a 费用f1#2";
        let (read, links) = read(text, &targets);
        let links: Vec<&str> = links.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!((read.as_str(), links), (text, vec!["f1#12-20", "f1", "f12#L3"]));
    }

    #[test]
    fn a_list_may_name_files_beside_messages() {
        let (files, labels) =
            (BTreeSet::from(["f1".to_owned()]), [("m3".to_owned(), "m3".to_owned())].into());
        let text = "[f1#2-4, m3] [m3, f1] [f2, m3]";
        let (read, links) = read(text, &Targets { labels, files });
        let links: Vec<&str> = links.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!((read.as_str(), links), (text, vec!["f1#2-4", "m3", "m3", "f1", "m3"]));
    }

    #[test]
    fn messages_claims_and_calls_are_links_where_they_are_printed() {
        let labels = [("m3", "m3"), ("m12", "m12"), ("c4", "m3"), ("t1", "t1")];
        let labels = labels.map(|(id, label)| (id.to_owned(), label.to_owned())).into();
        let targets = Targets { labels, ..Targets::default() };
        let text = "[m3] says, [c4, m12]: so [t1、m9] [m3，c4]; not m3, [m3 is], [m], [m99999999], [[m12] [x";
        let (read, links) = read(text, &targets);
        assert_eq!(read, text);
        let links: Vec<String> = links.iter().map(|(text, target)| format!("{text}>{target}")).collect();
        assert_eq!(links, ["m3>m3", "c4>m3", "m12>m12", "t1>t1", "m3>m3", "c4>m3", "m12>m12"]);
    }

    #[test]
    fn texts_that_the_parser_divided_are_one() {
        let text = |text: &str| Span::Text { text: text.to_owned() };
        let mut line = vec![text("see "), text("["), text("m3"), text("]")];
        let targets = Targets { labels: [("m3".to_owned(), "m3".to_owned())].into(), ..Targets::default() };
        linked(&mut line, &targets);
        let target = "m3".to_owned();
        let reference = Span::Reference { target, line: vec![text("m3")] };
        assert_eq!(line, [text("see ["), reference, text("]")]);
    }
}
