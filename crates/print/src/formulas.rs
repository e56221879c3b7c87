//! Where formulas stand in a text: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`.
//!
//! They are found before the Markdown is read. Each is put into a span of code with a sign of our own, so that nothing
//! in it is read as Markdown; prices and variables stay text. The rules are those of the page
//! (`web/app/src/markdown/formulas.ts`); `fixtures/formulas.json` holds cases for both.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// Stands on both sides of a formula; it is never printed.
pub(crate) const SIGN: char = '\u{fdd1}';
const SIGN_BYTES: usize = SIGN.len_utf8();
const LONGEST_LINE: usize = 1_000;
const LONGEST_BLOCK: usize = 4_000;
/// More backticks in a row are in no text that people read.
const TICKS: usize = 16;
/// What may stand before a formula in its line is looked at so far.
const PREFIX: usize = 200;

/// The text with each formula in a span of code.
pub(crate) fn with_formulas(written: &str) -> Cow<'_, str> {
    let text = if written.contains(SIGN) { written.replace(SIGN, "").into() } else { Cow::Borrowed(written) };
    let places = formulas(&text);
    if places.is_empty() {
        return text;
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    let mut made = String::with_capacity(text.len() + places.len() * 8);
    let mut copied = 0;
    for place in places {
        made.push_str(&text[copied..place.start]);
        made.push_str(&ticks);
        made.push(SIGN);
        // On one line no part of it can begin a list or a heading.
        made.extend(text[place.clone()].chars().map(|letter| if letter == '\n' { ' ' } else { letter }));
        made.push(SIGN);
        made.push_str(&ticks);
        copied = place.end;
    }
    made.push_str(&text[copied..]);
    Cow::Owned(made)
}

/// A formula, as it was written and without its delimiters.
#[derive(Debug, PartialEq)]
pub(crate) struct Formula<'a> {
    pub(crate) tex: &'a str,
    pub(crate) display: bool,
    pub(crate) source: &'a str,
}

/// The formula that a span of code holds.
pub(crate) fn formula_of(code: &str) -> Option<Formula<'_>> {
    let source = code.strip_prefix(SIGN)?.strip_suffix(SIGN)?;
    let width = if source.starts_with('$') && !source.starts_with("$$") { 1 } else { 2 };
    let tex = source.get(width..source.len().checked_sub(width)?)?;
    Some(Formula { tex, display: source.starts_with("$$") || source.starts_with("\\["), source })
}

/// What was put around formulas in such a text: the places of its signs with the backticks beside them.
pub(crate) fn added(text: &str) -> Vec<Range<usize>> {
    let ticks_before = |at: usize| text[..at].bytes().rev().take_while(|byte| *byte == b'`').count();
    let ticks_after = |at: usize| text[at..].bytes().take_while(|byte| *byte == b'`').count();
    let signs = text.match_indices(SIGN).enumerate();
    let range = |(count, (at, _)): (usize, (usize, &str))| match count % 2 {
        0 => at - ticks_before(at)..at + SIGN_BYTES,
        _ => at..at + SIGN_BYTES + ticks_after(at + SIGN_BYTES),
    };
    signs.map(range).collect()
}

/// A text as it was written, where a formula stands in what is no Markdown after all.
pub(crate) fn restored(text: &str) -> Cow<'_, str> {
    if !text.contains(SIGN) {
        return Cow::Borrowed(text);
    }
    let mut made = String::with_capacity(text.len());
    let mut copied = 0;
    for range in added(text) {
        made.push_str(text.get(copied..range.start).unwrap_or_default());
        copied = range.end;
    }
    made.push_str(&text[copied..]);
    Cow::Owned(made)
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

/// Where formulas stand, in order.
pub(crate) fn formulas(text: &str) -> Vec<Range<usize>> {
    let has_any = text.contains('$') || text.contains("\\(") || text.contains("\\[");
    if !has_any || longest_run(text) > TICKS {
        return Vec::new();
    }
    let mut scan = Scan { text, bytes: text.as_bytes(), found: Vec::new(), missing: BTreeMap::new() };
    let mut fence: Option<&str> = None;
    let mut at = 0;
    while at < text.len() {
        let end = scan.line_end(at);
        let line = &text[at..end];
        let mark = fence_of(line);
        match (fence, mark) {
            (Some(open), mark) => {
                let closes = mark.is_some_and(|mark| mark.starts_with(open) && line.trim().ends_with(mark));
                fence = if closes { None } else { fence };
                at = end + 1;
            }
            (None, Some(mark)) if !(mark.starts_with('`') && after(line, mark).contains('`')) => {
                fence = Some(mark);
                at = end + 1;
            }
            _ => at = scan.line(at, end),
        }
    }
    scan.found
}

/// What follows a part of a line.
fn after<'a>(line: &'a str, part: &str) -> &'a str {
    line.split_once(part).map_or("", |(_, after)| after)
}

/// The run of backticks or tildes that begins or ends a block of code.
fn fence_of(line: &str) -> Option<&str> {
    let rest = &line[markers(line, true)..];
    let sign = rest.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let length = rest.bytes().take_while(|byte| *byte == sign as u8).count();
    (length >= 3).then(|| &rest[..length])
}

/// How many bytes of a line are indents and the marks of lists and quotations. `blanks`: whether any number of blanks
/// belongs to a mark.
fn markers(line: &str, blanks: bool) -> usize {
    let bytes = line.as_bytes();
    let is_blank = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t'));
    let mut at = 0;
    loop {
        let digits = bytes[at..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let mark = match bytes.get(at) {
            Some(b' ' | b'\t' | b'>') => {
                at += 1;
                continue;
            }
            Some(b'-' | b'+' | b'*') => 1,
            Some(b'0'..=b'9') if digits < 10 && matches!(bytes.get(at + digits), Some(b'.' | b')')) => {
                digits + 1
            }
            _ => return at,
        };
        if !is_blank(at + mark) {
            return at;
        }
        at += mark + usize::from(!blanks);
    }
}

struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    found: Vec<Range<usize>>,
    /// For each length of a run of backticks, up to where no other one follows.
    missing: BTreeMap<usize, usize>,
}

impl Scan<'_> {
    /// Looks through a line, and gives where the next one begins.
    fn line(&mut self, start: usize, end: usize) -> usize {
        let is_row = self.text[start..end].trim_start().starts_with('|');
        let (mut at, mut last, mut begins) = (start, end, start);
        while at < last {
            let sign = self.bytes[at];
            let mut next = at + 1;
            match sign {
                b'`' => next = self.after_code(at),
                b'h' => next = self.after_address(at).unwrap_or(next),
                b'$' | b'\\' => {
                    let to = self.formula(at, begins).filter(|to| {
                        let ticks =
                            at > 0 && self.bytes[at - 1] == b'`' || self.bytes.get(*to) == Some(&b'`');
                        let ends_cell = is_row && self.text[at..*to].contains('|');
                        !(ticks || ends_cell)
                    });
                    next = match to {
                        Some(to) => {
                            self.found.push(at..to);
                            to
                        }
                        None if sign == b'\\' => at + 2,
                        None => at + self.run(at),
                    };
                }
                _ => {}
            }
            at = next;
            if at > last {
                // A span of code, or a formula, went on over the end of the line.
                at = at.min(self.bytes.len());
                begins =
                    self.bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
                last = self.line_end(at);
            }
        }
        at.max(last) + 1
    }

    /// The end of the formula that begins here, if one does.
    fn formula(&self, at: usize, line_start: usize) -> Option<usize> {
        let before = &self.bytes[line_start..at];
        let first = before.len() <= PREFIX
            && std::str::from_utf8(before).is_ok_and(|before| markers(before, false) == before.len());
        let many = first && !before.contains(&b'>');
        if self.bytes[at] == b'\\' {
            return match self.bytes.get(at + 1)? {
                b'(' => {
                    let to = self.closing(at + 2, b"\\)", false)?;
                    (!self.text[at + 2..to].trim().is_empty()).then_some(to + 2)
                }
                b'[' if first => {
                    let to = self.closing(at + 2, b"\\]", many)?;
                    self.is_block(at + 2, to, true).then_some(to + 2)
                }
                _ => None,
            };
        }
        match self.run(at) {
            1 => {
                let is_joined = at > 0 && self.bytes[at - 1].is_ascii_alphanumeric();
                if is_joined || self.bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace) {
                    return None;
                }
                let to = self.closing(at + 1, b"$", false)?;
                let ends = !self.bytes[to - 1].is_ascii_whitespace();
                let goes_on = self.bytes.get(to + 1);
                let goes_on = goes_on.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'$');
                (ends && !goes_on && !is_prose(&self.text[at + 1..to])).then_some(to + 1)
            }
            2 => {
                let to = self.closing(at + 2, b"$$", many)?;
                self.is_block(at + 2, to, false).then_some(to + 2)
            }
            _ => None,
        }
    }

    /// Whether a formula that stands by itself has something in it, and ends where its line does.
    fn is_block(&self, from: usize, to: usize, alone: bool) -> bool {
        let inside = &self.text[from..to];
        let rest = self.text[to + 2..self.line_end(to)].trim_matches([' ', '\t']);
        let ends = rest.is_empty() || matches!(rest, "." | "," | ";" | ":" | "。" | "，" | "；" | "：");
        let blank = |byte: Option<u8>| matches!(byte, Some(b' ' | b'\t'));
        let is_words = blank(inside.bytes().next())
            && blank(inside.bytes().next_back())
            && inside.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic))
            && inside
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'.' | b',' | b' ' | b'\t'));
        !inside.trim().is_empty() && (ends || (!alone && !inside.contains('\n'))) && (alone || !is_words)
    }

    /// Where the formula's end is written: on the same line, or before a blank one.
    fn closing(&self, from: usize, end: &[u8], lines: bool) -> Option<usize> {
        let most = if lines || end != b"$" { LONGEST_BLOCK } else { LONGEST_LINE };
        let most = (from + most).min(self.bytes.len());
        let opens = if end == b"\\)" { b'(' } else { b'[' };
        let mut at = from;
        while at < most {
            match self.bytes[at] {
                b'`' => return None,
                b'\n' if !lines || self.is_blank(at + 1) => return None,
                b'$' => return (end[0] == b'$' && self.run(at) == end.len()).then_some(at),
                b'\\' => match self.bytes.get(at + 1) {
                    Some(next) if end[0] == b'\\' && *next == end[1] => return Some(at),
                    Some(next) if end[0] == b'\\' && *next == opens => return None,
                    Some(b'\n') | None => {}
                    Some(_) => at += 1,
                },
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Whether the line that begins here is blank, or there is none.
    fn is_blank(&self, at: usize) -> bool {
        let line = &self.bytes[at.min(self.bytes.len())..self.line_end(at)];
        line.iter().take(PREFIX).all(u8::is_ascii_whitespace)
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        rest.iter().position(|byte| *byte == b'\n').map_or(self.bytes.len(), |place| at + place)
    }

    fn run(&self, at: usize) -> usize {
        let sign = self.bytes[at];
        self.bytes[at..].iter().take_while(|byte| **byte == sign).count()
    }

    /// The end of an address, in which no formula begins.
    fn after_address(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let is_address = rest.starts_with("http://") || rest.starts_with("https://");
        let end = || rest.find(|letter: char| letter.is_whitespace() || matches!(letter, '<' | '>'));
        is_address.then(|| at + end().unwrap_or(rest.len()))
    }

    /// What follows a span of code, or the backticks that begin none.
    fn after_code(&mut self, at: usize) -> usize {
        let length = self.run(at);
        if self.missing.get(&length).is_some_and(|until| *until > at) {
            return at + length;
        }
        let mut next = at + length;
        while next < self.bytes.len() {
            match self.bytes[next] {
                b'\n' if self.is_blank(next + 1) => break,
                b'`' => {
                    let run = self.run(next);
                    if run == length {
                        return next + run;
                    }
                    next += run;
                }
                _ => next += 1,
            }
        }
        self.missing.insert(length, next);
        at + length
    }
}

/// Whether what stands between two dollar signs is rather words about money, or about variables.
fn is_prose(inside: &str) -> bool {
    let plain = plain(inside);
    let has_any = inside.bytes().any(|byte| byte.is_ascii_alphanumeric() || byte == b'\\');
    let has_stops = plain.contains(['，', '。', '；', '：', '、', '！', '？', '“', '”']);
    if !has_any || has_stops || has_word(&plain, 3, &[' ', '\t'], &[' ', '\t']) {
        return true;
    }
    let count = |of: char| plain.chars().filter(|letter| *letter == of).count();
    inside.starts_with(|letter: char| letter.is_ascii_digit())
        && (plain.chars().any(|letter| ('\u{2e80}'..='\u{ffff}').contains(&letter))
            || has_word(&plain, 3, &[' ', '\t', '(', '/'], &[])
            || has_word(&plain, 2, &[' ', '\t'], &[' ', '\t'])
            || count('(') != count(')'))
}

/// A formula with dots in place of commands and groups.
fn plain(inside: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0_usize;
    let mut letters = inside.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut shown = letter;
        let before = depth;
        match letter {
            '\\' => {
                if letters.peek().is_some_and(char::is_ascii_alphabetic) {
                    while letters.next_if(char::is_ascii_alphabetic).is_some() {}
                } else {
                    letters.next();
                }
                shown = '.';
            }
            '{' => {
                depth += 1;
                shown = '.';
            }
            '}' => {
                depth = depth.saturating_sub(1);
                continue;
            }
            _ => {}
        }
        if before == 0 {
            plain.push(shown);
        }
    }
    plain
}

/// Whether a word with so many letters follows one of these signs, and goes before one of those; none: anything.
fn has_word(plain: &str, least: usize, follows: &[char], ends: &[char]) -> bool {
    let mut rest = plain;
    let mut before = None;
    while let Some(first) = rest.chars().next() {
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters > 0 {
            let next = rest[letters..].chars().next();
            let is_end = ends.is_empty() || next.is_some_and(|next| ends.contains(&next));
            if letters >= least && before.is_some_and(|before| follows.contains(&before)) && is_end {
                return true;
            }
        }
        let step = letters.max(first.len_utf8());
        before = rest[..step].chars().next_back();
        rest = &rest[step..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: &str = include_str!("../../../fixtures/formulas.json");

    #[test]
    fn page_and_exports_find_the_same_formulas() {
        let cases: Vec<(String, Vec<String>)> = serde_json::from_str(CASES).expect("cases");
        assert!(cases.len() > 40, "{}", cases.len());
        for (text, expected) in cases {
            let found: Vec<&str> = formulas(&text).into_iter().map(|place| &text[place]).collect();
            assert_eq!(found, expected, "{text:?}");
            let lines = |text: &str| text.replace('\n', " ");
            assert_eq!(lines(&restored(&with_formulas(&text))), lines(&text), "it can be taken back");
        }
    }

    #[test]
    fn delimiters_are_no_part_of_a_formula() {
        let read = |source: &str| {
            let code = format!("{SIGN}{source}{SIGN}");
            formula_of(&code).map(|formula| (formula.tex.to_owned(), formula.display))
        };
        assert_eq!(read("$x$"), Some(("x".to_owned(), false)));
        assert_eq!(read("$$x$$"), Some(("x".to_owned(), true)));
        assert_eq!(read("\\(x\\)"), Some(("x".to_owned(), false)));
        assert_eq!(read("\\[x\\]"), Some(("x".to_owned(), true)));
        assert_eq!(formula_of("x"), None);
        assert_eq!(formula_of(&format!("{SIGN}{SIGN}")), None);
    }

    #[test]
    fn any_text_is_read_in_linear_time() {
        for part in
            ["$", "$a", "\\(", "\\[\n", "$$", "`$", "``a`", "$1 ", "- $$\n", "https://$ ", "{$}", "|$a|"]
        {
            let text = part.repeat(100_000);
            let begun = std::time::Instant::now();
            formulas(&text);
            assert!(begun.elapsed().as_secs() < 5, "{part:?} took {:?}", begun.elapsed());
        }
    }
}
