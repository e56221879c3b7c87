//! Citations of attached files in a text: `[f1]`, `f1#12` or `f1#12-20`, also in brackets and with an `L` before a
//! line number, as many models write them.

use quorate_contract::{CITATIONS_MAX, Citation, FileId};

use crate::state::Meeting;

/// The citations in a text, in their order in it, each once. What names no file of the meeting, or lines that it
/// does not have, is no citation.
pub fn cited(m: &Meeting, text: &str) -> Vec<Citation> {
    let mut found: Vec<Citation> = Vec::new();
    if m.files.is_empty() {
        return found;
    }
    let mut before = None;
    let mut in_brackets = false;
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        in_brackets = sign == '[' || in_brackets && !matches!(sign, ']' | '\n');
        let after_word = before.is_some_and(|before: char| before.is_ascii_alphanumeric() || before == '_');
        let read = (sign == 'f' && !after_word).then(|| citation(rest)).flatten();
        let length = match read {
            Some((citation, length)) => {
                // A word such as `f1` may mean something else; a whole file is cited in brackets.
                let is_meant = citation.first.is_some() || in_brackets;
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
        before = rest[..length].chars().next_back();
        rest = &rest[length..];
    }
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
    let line = |at: usize| {
        let at = at + usize::from(matches!(text.as_bytes().get(at), Some(b'L' | b'l')));
        number(text, at)
    };
    if text.as_bytes().get(length) == Some(&b'#')
        && let Some((first, end)) = line(length + 1)
    {
        (citation.first, length) = (Some(first), end);
        let dash = ["-", "–", "—"].iter().find(|dash| text[end..].starts_with(**dash));
        if let Some(dash) = dash
            && let Some((last, end)) = line(end + dash.len())
        {
            (citation.last, length) = (Some(last).filter(|last| *last != first), end);
        }
    }
    Some((citation, length))
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
