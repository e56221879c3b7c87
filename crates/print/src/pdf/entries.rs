//! What happened beside what was said, as blocks of the page.

use quorate_contract::Language;
use quorate_views::Work;

use super::blocks::{Block, Headings, Span, blocks};
use super::evidence;
use super::ink::Ink;
use crate::record::EntryContent;

/// All letters of an entry, of which the fonts have to have each.
pub(super) fn letters(content: &EntryContent) -> String {
    match content {
        EntryContent::Work { by, work: Work::Call { call: _, tool, arguments, result, returned: _ } } => {
            [by.as_str(), tool, arguments, result].concat()
        }
        EntryContent::Work { by, work: Work::Action { line } } => [by.as_str(), line].concat(),
        EntryContent::Line { text } => text.clone(),
        EntryContent::List { title, items } => title.clone() + &items.concat(),
        EntryContent::Card { title, text } => [title.as_str(), text].concat(),
        EntryContent::Ballot { title } => title.clone(),
        EntryContent::Vote { by, about, lines, claim: _ } => [by.as_str(), about].concat() + &lines.concat(),
        EntryContent::Claim { id: _, text, evidence } => {
            let titles = evidence.iter().filter_map(|one| one.title.as_deref());
            text.clone() + &titles.collect::<String>()
        }
    }
}

/// Appends an entry; its length in bytes. Arguments and results of calls are data, set as code.
pub(super) fn put(
    made: &mut Vec<Block>,
    content: &EntryContent,
    language: Language,
    ink: &mut Ink<'_>,
) -> usize {
    match content {
        EntryContent::Work { by, work: Work::Call { call, tool, arguments, result, returned: _ } } => {
            let code = |text: &String, ink: &mut Ink<'_>| Block::Code { text: ink.text(text), lang: None };
            let blocks = vec![code(arguments, ink), code(result, ink)];
            let about = format!("{call} · {}", ink.text(tool));
            made.push(Block::Said { label: Some(call.to_string()), name: ink.text(by), about, blocks });
        }
        EntryContent::Work { by, work: Work::Action { line } } => {
            let blocks = vec![plain(line, ink)];
            made.push(Block::Said { label: None, name: ink.text(by), about: String::new(), blocks });
        }
        EntryContent::Line { text } => {
            made.push(Block::Note { label: None, blocks: blocks(&one_line(text), Headings::Kept, ink) });
        }
        EntryContent::List { title, items } => {
            let items: String = items.iter().map(|item| format!("- {}\n", one_line(item))).collect();
            let mut inner = vec![plain(title, ink)];
            inner.extend(blocks(&items, Headings::Kept, ink));
            made.push(Block::Note { label: None, blocks: inner });
        }
        EntryContent::Card { title, text } => {
            let quote = Block::Quote { blocks: blocks(text, Headings::Kept, ink) };
            let (name, about) = (ink.text(title), String::new());
            made.push(Block::Said { label: None, name, about, blocks: vec![quote] });
        }
        EntryContent::Ballot { title } => {
            let line = vec![Span::Text { text: title.clone() }];
            made.push(Block::Heading { level: 3, line });
        }
        EntryContent::Vote { by, about, lines, claim } => {
            let label = claim.map(|claim| claim.to_string());
            let about = label.iter().fold(about.clone(), |about, label| format!("{about} · {label}"));
            let inner = lines.iter().flat_map(|line| blocks(&one_line(line), Headings::Kept, ink)).collect();
            made.push(Block::Said { label, name: ink.text(by), about, blocks: inner });
        }
        EntryContent::Claim { id, text, evidence: cited } => {
            let mut inner = blocks(&format!("[{id}] {}", one_line(text)), Headings::Kept, ink);
            if !cited.is_empty() {
                inner.push(Block::Paragraph { line: evidence(cited, language, ink) });
            }
            made.push(Block::Note { label: Some(id.to_string()), blocks: inner });
        }
    }
    letters(content).len()
}

/// A text that is no Markdown.
fn plain(text: &str, ink: &mut Ink<'_>) -> Block {
    Block::Paragraph { line: vec![Span::Text { text: ink.text(text) }] }
}

/// A text as one line, in which nothing begins a heading or a list.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.starts_with(['#', '>', '-', '+', '*', '|', '~', '`', '=']) {
        true => format!("\\{line}"),
        false => line,
    }
}
