//! A few words around what was found.

use serde::Serialize;

use super::tokenize::{Needle, QueryPart, is_character, is_letter, small};

/// Characters that stand before the first mark.
const BEFORE: usize = 30;
/// Characters of a snippet.
const LENGTH: usize = 120;

/// A part of a snippet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SnippetPart {
    /// The text, without line breaks.
    pub text: String,
    /// Whether this part matches the query.
    pub hit: bool,
}

/// The text around the first of what was found, in pieces.
pub(crate) fn of(text: &str, parts: &[QueryPart]) -> Vec<SnippetPart> {
    let text: Vec<char> = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    let letters = small(&text);
    let needles: Vec<&Needle> = parts.iter().flat_map(|part| &part.needles).collect();
    let mut marked = vec![false; text.len()];
    for at in 0..letters.len() {
        for needle in &needles {
            if let Some(end) = end_of(&letters, at, needle) {
                marked[at..end].fill(true);
            }
        }
    }
    let first = marked.iter().position(|mark| *mark).unwrap_or(0);
    // Near the end of the text there is more room before the mark.
    let from = first.saturating_sub(BEFORE).min(text.len().saturating_sub(LENGTH));
    let to = (from + LENGTH).min(text.len());
    let mut pieces: Vec<SnippetPart> = Vec::new();
    for at in from..to {
        match pieces.last_mut() {
            Some(piece) if piece.hit == marked[at] => piece.text.push(text[at]),
            _ => pieces.push(SnippetPart { text: text[at].to_string(), hit: marked[at] }),
        }
    }
    if from > 0 {
        pieces.insert(0, SnippetPart { text: "…".to_owned(), hit: false });
    }
    if to < text.len() {
        pieces.push(SnippetPart { text: "…".to_owned(), hit: false });
    }
    pieces
}

/// The end of the needle that begins here, if one does.
fn end_of(letters: &[char], at: usize, needle: &Needle) -> Option<usize> {
    let end = at + needle.letters.len();
    if letters.get(at..end)? != needle.letters {
        return None;
    }
    let inside = |place: Option<usize>| {
        place.and_then(|place| letters.get(place)).is_some_and(|l| is_letter(*l) && !is_character(*l))
    };
    let begins = !needle.whole || !inside(at.checked_sub(1));
    let ends = needle.open || !inside(Some(end));
    (begins && ends).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tokenize::parse;

    fn marked(text: &str, query: &str) -> String {
        let pieces = of(text, &parse(query).unwrap());
        pieces.iter().map(|p| if p.hit { format!("[{}]", p.text) } else { p.text.clone() }).collect()
    }

    #[test]
    fn what_was_found_is_marked() {
        assert_eq!(marked("SQLite 够用吗？\n够用。", "够用 sql"), "[SQL]ite [够用]吗？ [够用]。");
        assert_eq!(marked("cat concat catalogue", "\"cat\""), "[cat] concat catalogue");
        assert_eq!(marked("two  writers, two", "\"two writers\""), "[two] [writers], [two]");
        let long = format!("{}收敛{}", "前".repeat(200), "后".repeat(200));
        let snippet = marked(&long, "收敛");
        assert!(
            snippet.starts_with("…前前") && snippet.contains("[收敛]") && snippet.ends_with("后…"),
            "{snippet}"
        );
        assert_eq!(snippet.chars().count(), LENGTH + 4);
    }
}
