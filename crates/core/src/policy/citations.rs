//! Citations of attached files in a text: `[f1]`, `f1#12` or `f1#12-20`, also in brackets and with an `L` before a
//! line number, as many models write them. A file that no other one of the meeting shares its name with is cited by its
//! name, too: `[src/main.rs]`, `src/main.rs#L2-L3`.

use std::collections::HashMap;

use quorate_contract::{CITATIONS_MAX, Citation, FileId};

use crate::state::Meeting;

/// The most places of a text at which a name is looked for.
const PLACES_MAX: usize = 500;

/// The citations in a text, in their order in it, each once. What names no file of the meeting, or lines that it
/// does not have, is no citation.
pub fn cited(m: &Meeting, text: &str) -> Vec<Citation> {
    let mut found: Vec<Citation> = Vec::new();
    if m.files.is_empty() {
        return found;
    }
    let mut named = by_name(m, text).into_iter().peekable();
    let mut before = None;
    let mut in_brackets = false;
    let mut at = 0;
    while let Some(sign) = text[at..].chars().next() {
        let name = named.next_if(|(start, ..)| *start == at);
        in_brackets = sign == '[' || in_brackets && !matches!(sign, ']' | '\n');
        let after_word = before.is_some_and(|before: char| before.is_ascii_alphanumeric() || before == '_');
        let read = match name {
            Some((_, citation, length)) => Some((citation, length, true)),
            None => (sign == 'f' && !after_word).then(|| citation(&text[at..])).flatten().map(
                // A word such as `f1` may mean something else; a whole file is cited in brackets.
                |(citation, length)| (citation, length, citation.first.is_some() || in_brackets),
            ),
        };
        let length = match read {
            Some((citation, length, is_meant)) => {
                if is_meant && is_there(m, citation) && !found.contains(&citation) {
                    found.push(citation);
                    if found.len() == CITATIONS_MAX {
                        break;
                    }
                }
                length
            }
            None => sign.len_utf8(),
        };
        before = text[at..at + length].chars().next_back();
        at += length;
        while named.next_if(|(start, ..)| *start < at).is_some() {}
    }
    found
}

/// The citations by the names of files, with their places and lengths: of lines wherever they stand, of a whole file when
/// its name is all that stands in brackets or between commas in them.
fn by_name(m: &Meeting, text: &str) -> Vec<(usize, Citation, usize)> {
    if !text.contains(['#', '[']) {
        return Vec::new();
    }
    let mut files: HashMap<&str, Option<FileId>> = HashMap::new();
    for record in &m.files {
        let (name, id) = (record.file.name.as_str(), record.file.id);
        files.entry(name).and_modify(|only| *only = None).or_insert(Some(id));
    }
    files.retain(|name, only| only.is_some() && name.parse::<FileId>().is_err());
    let mut found = Vec::new();
    for (mark, _) in text.match_indices('#').take(PLACES_MAX) {
        let Some((first, last, end)) = lines(text, mark) else { continue };
        let ends_here = files.iter().filter(|(name, _)| text[..mark].ends_with(**name));
        let Some((name, Some(file))) = ends_here.max_by_key(|(name, _)| name.len()) else { continue };
        let start = mark - name.len();
        // A longer path is another file's.
        let is_part = |c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '\\' | ':' | '@' | '~')
        };
        if !text[..start].chars().next_back().is_some_and(is_part) {
            found.push((start, Citation { file: *file, first: Some(first), last }, end - start));
        }
    }
    for (open, _) in text.match_indices('[').take(PLACES_MAX) {
        let inner = &text[open + 1..];
        let Some(close) = inner.find([']', '[', '\n']).filter(|close| inner[*close..].starts_with(']'))
        else {
            continue;
        };
        // A link says where it leads, not what it rests on.
        if inner[close..].starts_with("](") {
            continue;
        }
        let mut start = open + 1;
        for part in inner[..close].split_inclusive([',', ';', '，', '、', '；']) {
            let name = part.trim_end_matches([',', ';', '，', '、', '；']).trim();
            if let Some(Some(file)) = files.get(name) {
                let at = start + part.find(name).unwrap_or(0);
                found.push((at, Citation { file: *file, first: None, last: None }, name.len()));
            }
            start += part.len();
        }
    }
    found.sort_by_key(|(start, ..)| *start);
    found
}

/// The citation with which a text begins, and its length in bytes.
fn citation(text: &str) -> Option<(Citation, usize)> {
    let (file, mut length) = number(text, 1)?;
    let mut citation = Citation { file: FileId(file), first: None, last: None };
    let follows =
        |at: usize| text.as_bytes().get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if follows(length) {
        return None;
    }
    if let Some((first, last, end)) = lines(text, length) {
        (citation.first, citation.last, length) = (Some(first), last, end);
    }
    Some((citation, length))
}

/// The lines that stand at this byte, such as `#12-20`: the first, the last when it is another, and where they end.
pub(super) fn lines(text: &str, at: usize) -> Option<(u32, Option<u32>, usize)> {
    let line = |at: usize| {
        let at = at + usize::from(matches!(text.as_bytes().get(at), Some(b'L' | b'l')));
        number(text, at)
    };
    if text.as_bytes().get(at) != Some(&b'#') {
        return None;
    }
    let (first, end) = line(at + 1)?;
    let dash = ["-", "–", "—"].iter().find(|dash| text[end..].starts_with(**dash));
    match dash.and_then(|dash| line(end + dash.len())) {
        Some((last, end)) => Some((first, Some(last).filter(|last| *last != first), end)),
        None => Some((first, None, end)),
    }
}

/// The number that begins at this byte, and where it ends.
fn number(text: &str, at: usize) -> Option<(u32, usize)> {
    let digits = text.as_bytes().get(at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = at + digits;
    Some((text.get(at..end)?.parse().ok().filter(|number| *number > 0)?, end))
}

/// Whether the file is attached and has these lines.
fn is_there(m: &Meeting, citation: Citation) -> bool {
    let Some(file) = m.file(citation.file) else { return false };
    let Some(first) = citation.first else { return true };
    let last = citation.last.unwrap_or(first);
    file.file.text.as_ref().is_some_and(|text| first <= last && last <= text.lines)
}
