//! Text that can be printed. A character without a font is written as its number, `[U+1F642]`, rather than as
//! an empty box; words that are longer than a line get places to break.

use std::collections::{BTreeSet, HashMap};

use unicode_normalization::char::is_combining_mark;

use crate::markdown::MARK;

/// A place to break that has no width.
const BREAK: char = '\u{200b}';
/// Longer words may be broken, at most this many letters apart.
const WORD_MAX: usize = 36;

/// The largest number of marks on one letter; further ones are left out. No script needs as many, and setting
/// a pile of them takes quadratic time.
const MARKS_MAX: usize = 8;

/// The characters that the fonts have.
pub(super) struct Ink<'a> {
    has: Box<dyn Fn(char) -> bool + 'a>,
    known: HashMap<char, bool>,
    /// The number of marks in a row, also across parts of a line.
    marks: usize,
    /// Characters that no font has.
    pub(super) missing: BTreeSet<char>,
}

impl<'a> Ink<'a> {
    pub(super) fn new(has: impl Fn(char) -> bool + 'a) -> Self {
        Self { has: Box::new(has), known: HashMap::new(), marks: 0, missing: BTreeSet::new() }
    }

    /// The text as it is printed.
    pub(super) fn text(&mut self, text: &str) -> String {
        let mut printed = String::with_capacity(text.len());
        let mut run = 0;
        for letter in text.chars() {
            let piled = is_combining_mark(letter) || modifies(letter);
            self.marks = if piled { self.marks + 1 } else { 0 };
            if self.marks > MARKS_MAX {
                continue;
            }
            match letter {
                MARK => continue,
                '\n' | '\t' => {}
                _ if letter.is_control() => continue,
                _ if !self.prints(letter) => {
                    // A mark without its letter is dropped.
                    if !modifies(letter) {
                        self.missing.insert(letter);
                        printed.push_str(&format!("[U+{:04X}]", u32::from(letter)));
                        run = 0;
                    }
                    continue;
                }
                _ => {}
            }
            printed.push(letter);
            run = if breaks(letter) { 0 } else { run + 1 };
            let may_break = matches!(letter, '/' | '.' | '-' | '_' | '?' | '&' | '=' | ',' | ';');
            if run >= WORD_MAX || (run > WORD_MAX / 2 && may_break) {
                printed.push(BREAK);
                run = 0;
            }
        }
        printed
    }

    fn prints(&mut self, letter: char) -> bool {
        let has = &self.has;
        letter == ' ' || *self.known.entry(letter).or_insert_with(|| has(letter))
    }
}

/// A line may break beside it.
fn breaks(letter: char) -> bool {
    letter.is_whitespace() || is_wide(letter)
}

/// Chinese, Japanese or Korean.
pub(super) fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Selectors, joiners and directions: they have no look of their own.
fn modifies(letter: char) -> bool {
    matches!(letter, '\u{fe00}'..='\u{fe0f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}
