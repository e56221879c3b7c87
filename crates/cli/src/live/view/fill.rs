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
    fn what_is_still_being_written_keeps_its_last_space() {
        let text = "one two ";
        let last = rows(text, 20).pop().expect("a last row");
        assert_eq!(&text[last], "one two ");
    }
}
