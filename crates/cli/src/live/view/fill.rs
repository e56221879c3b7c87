//! Text in rows as wide as the terminal, broken where the script allows it (UAX 14).

use std::ops::Range;

use unicode_linebreak::linebreaks;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The rows of `text`, as ranges of it. White space at which a row was broken belongs to the row before it, and a
/// line break to none. There is always a last row, which may be empty.
pub(super) fn rows(text: &str, width: usize) -> Vec<Range<usize>> {
    let width = width.max(2);
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        fill(text, start..start + line.len(), width, &mut rows);
        start += line.len() + 1;
    }
    rows
}

/// A line with its colours, in rows as wide as the terminal. Further rows are indented as the text of the first one.
pub(crate) fn wrapped(line: &str, width: usize) -> Vec<String> {
    let (plain, colours) = apart(line);
    if plain.width() <= width {
        return vec![line.to_owned()];
    }
    let head = hanging(&plain, width);
    let indent = plain[..head].width();
    let filled = rows(&plain[head..], width.saturating_sub(indent));
    let last = filled.len().saturating_sub(1);
    let mut colours = colours.into_iter().peekable();
    let mut told = Vec::with_capacity(filled.len());
    for (number, row) in filled.into_iter().enumerate() {
        let (start, end) = (row.start + head, row.end + head);
        let kept = start + plain[start..end].trim_end().len();
        let (mut at, mut out) = match number {
            0 => (0, String::new()),
            _ => (start, " ".repeat(indent)),
        };
        while let Some((place, colour)) = colours.next_if(|(place, _)| *place < end || number == last) {
            let place = place.clamp(at, kept);
            out.push_str(&plain[at..place]);
            out.push_str(colour);
            at = place;
        }
        out.push_str(&plain[at..kept]);
        told.push(out);
    }
    told
}

/// The width of the widest piece of a text that no row breaks.
pub(crate) fn widest_piece(text: &str) -> usize {
    let mut start = 0;
    let mut widest = 0;
    for (end, _) in linebreaks(text) {
        widest = widest.max(text[start..end].trim_end().width());
        start = end;
    }
    widest
}

/// The length of what stands before the text of a line: its indentation, and the sign of an item of a list.
fn hanging(plain: &str, width: usize) -> usize {
    let text = plain.trim_start_matches(' ');
    let indent = plain.len() - text.len();
    let mut chars = text.chars();
    let head = match (chars.next(), chars.next()) {
        (Some(sign), Some(' ')) if !sign.is_alphanumeric() => indent + sign.len_utf8() + 1,
        _ => indent,
    };
    if plain[..head].width() > width / 2 { 0 } else { head }
}

/// A line without its colours, and each colour with the place where it stands.
fn apart(line: &str) -> (String, Vec<(usize, &str)>) {
    let (mut plain, mut colours, mut rest) = (String::with_capacity(line.len()), Vec::new(), line);
    while let Some(at) = rest.find("\x1b[") {
        let (before, sequence) = rest.split_at(at);
        plain.push_str(before);
        let end =
            sequence[2..].find(|c: char| ('@'..='~').contains(&c)).map_or(sequence.len(), |end| end + 3);
        colours.push((plain.len(), &sequence[..end]));
        rest = &sequence[end..];
    }
    plain.push_str(rest);
    (plain, colours)
}

fn fill(text: &str, line: Range<usize>, width: usize, rows: &mut Vec<Range<usize>>) {
    let (mut start, mut fits) = (line.start, line.start);
    for (end, _) in linebreaks(&text[line.clone()]) {
        let end = line.start + end;
        if text[start..end].trim_end().width() > width && fits > start {
            rows.push(start..fits);
            start = fits;
        }
        // A word that is wider than the terminal is cut.
        while text[start..end].trim_end().width() > width {
            let cut = start + prefix(&text[start..end], width);
            rows.push(start..cut);
            start = cut;
        }
        fits = end;
    }
    rows.push(start..line.end);
}

/// The number of bytes of the text that fit into this many columns, at least one character.
fn prefix(text: &str, width: usize) -> usize {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        taken += c.width().unwrap_or(0);
        if taken > width && at > 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, width: usize, expected: &[&str]) {
        let found: Vec<&str> = rows(text, width).into_iter().map(|row| text[row].trim_end()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_stay_whole_and_wide_characters_count_twice() {
        check("one two three", 8, &["one two", "three"]);
        check("a\n\nb", 8, &["a", "", "b"]);
        check("", 8, &[""]);
        check("数据库选型，先看数据", 8, &["数据库选", "型，先看", "数据"]);
        check("先看数据量，再选", 10, &["先看数据", "量，再选"]);
        check("abcdefghij kl", 4, &["abcd", "efgh", "ij", "kl"]);
        check("多", 1, &["多"]);
    }

    #[test]
    fn a_line_is_broken_between_words_with_its_colours_and_its_indentation() {
        assert_eq!(wrapped("one two", 20), ["one two"]);
        assert_eq!(wrapped("- one two three", 9), ["- one two", "  three"]);
        assert_eq!(wrapped("  one two three", 9), ["  one two", "  three"]);
        let (red, off) = ("\x1b[31m", "\x1b[0m");
        let line = format!("{red}✗{off} one {red}two three{off}");
        let rows = [format!("{red}✗{off} one {red}two"), format!("  three{off}")];
        assert_eq!(wrapped(&line, 9), rows);
        assert_eq!(
            wrapped(&format!("{red}one two {off}three"), 7),
            [format!("{red}one two"), format!("{off}three"),]
        );
    }

    #[test]
    fn what_is_still_being_written_keeps_its_last_space() {
        let text = "one two ";
        let last = rows(text, 20).pop().expect("a last row");
        assert_eq!(&text[last], "one two ");
    }
}
