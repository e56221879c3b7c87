//! A few words around what was found.

use serde::Serialize;

use super::tokenize::{Needle, QueryPart, is_character, is_letter, small};

/// Characters that stand before the first mark.
const BEFORE: usize = 30;
/// Characters of a snippet, and those by which it may be longer at either end so that no word is cut.
const LENGTH: usize = 120;
const LONGER: usize = 24;

/// A part of a snippet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SnippetPart {
    /// The text, without line breaks.
    pub text: String,
    /// Whether this part matches the query.
    pub hit: bool,
}

/// The text around the first of what was found, in pieces. Words are neither cut nor marked in part; those of a script
/// without spaces begin and end anywhere.
pub(crate) fn of(text: &str, parts: &[QueryPart]) -> Vec<SnippetPart> {
    let text = on_one_line(text);
    let letters = small(&text);
    let text: Vec<char> = text.chars().collect();
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
    let from = (from.saturating_sub(LONGER)..=from).rev().find(|at| is_border(&letters, *at)).unwrap_or(from);
    let to = (to..=text.len().min(to + LONGER)).find(|at| is_border(&letters, *at)).unwrap_or(to);
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

/// The text without line breaks. What begins a line of its own (an item of a list, a heading, a paragraph) is kept apart from
/// what is before it, where no mark does.
fn on_one_line(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    let mut begins = false;
    for line in text.lines() {
        let (item, words) = without_marker(line.trim());
        begins |= item || words.is_empty();
        for word in words.split_whitespace() {
            if !all.is_empty() {
                let closed = all.ends_with(|sign: char| {
                    !sign.is_alphanumeric() && !matches!(sign, ')' | '）' | '"' | '”' | '`' | '*' | '_')
                });
                all.push_str(if begins && !closed { " · " } else { " " });
            }
            begins = false;
            all.push_str(word);
        }
        // What comes after a heading is none of it.
        begins |= item && line.trim_start().starts_with('#');
    }
    all
}

/// Whether a line begins with the mark of a list's item or of a heading, and what comes after it.
fn without_marker(line: &str) -> (bool, &str) {
    let numbered = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let rest = match numbered.len() < line.len() {
        true => numbered.strip_prefix(['.', ')']),
        false => line
            .strip_prefix(['-', '*', '+'])
            .or_else(|| line.strip_prefix('#').map(|rest| rest.trim_start_matches('#'))),
    };
    // A number and a dot may also end a sentence that began on the line before.
    match rest.filter(|rest| rest.starts_with(' ') || (rest.is_empty() && numbered.len() == line.len())) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    }
}

/// The end of what is marked for a needle that begins here, if one does: of the whole word where only its beginning was
/// looked for.
fn end_of(letters: &[char], at: usize, needle: &Needle) -> Option<usize> {
    let end = at + needle.letters.len();
    if letters.get(at..end)? != needle.letters {
        return None;
    }
    if !needle.whole {
        return Some(end);
    }
    let rest = letters[end..].iter().take_while(|letter| is_of_word(**letter)).count();
    let begins = at.checked_sub(1).is_none_or(|before| !is_of_word(letters[before]));
    (begins && (needle.open || rest == 0)).then_some(end + rest)
}

/// Whether no word goes on from before this place to after it.
fn is_border(letters: &[char], at: usize) -> bool {
    let is_inside = |place: Option<usize>| {
        place.and_then(|place| letters.get(place)).is_some_and(|letter| is_of_word(*letter))
    };
    !(is_inside(at.checked_sub(1)) && is_inside(Some(at)))
}

/// Whether a letter belongs to a word of a script that separates words with spaces.
fn is_of_word(letter: char) -> bool {
    is_letter(letter) && !is_character(letter)
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
        assert_eq!(marked("SQLite 够用吗？\n够用。", "够用 sql"), "[SQLite] [够用]吗？ [够用]。");
        assert_eq!(marked("mySQL 与 SQLite够用", "sql"), "mySQL 与 [SQLite]够用");
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

    #[test]
    fn items_headings_and_paragraphs_do_not_run_into_each_other() {
        let text = "## Order\n- first the *queue*\n- then 2) the rest:\n  1. one\n  2. two,\n\nAnd a line\nthat goes on\n\nlast -1";
        assert_eq!(
            on_one_line(text),
            "Order · first the *queue* · then 2) the rest: one · two, And a line that goes on · last -1"
        );
        assert_eq!(on_one_line("共识。\n- 甲\n- 乙；\n\n丙"), "共识。 甲 · 乙； 丙");
        assert_eq!(on_one_line("\n\n- \n"), "");
        assert_eq!(marked("- the queue\n- a cache", "queue"), "the [queue] · a cache");
    }

    #[test]
    fn no_word_is_cut_but_one_without_end() {
        let text = format!("{} write-ahead {}", "before ".repeat(20), "afterwards ".repeat(20));
        let snippet = marked(&text, "write");
        assert!(snippet.starts_with("…before") || snippet.starts_with("… before"), "{snippet}");
        assert!(snippet.contains("[write]-ahead") && snippet.ends_with("afterwards…"), "{snippet}");
        let endless = marked(&format!("x {}", "a".repeat(1_000)), "x");
        assert_eq!(endless.chars().count(), LENGTH + 3, "{endless}");
    }
}
