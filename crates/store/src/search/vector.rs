//! The entries and queries of the index in PostgreSQL, as text of `tsvector` and `tsquery`.
//!
//! Words are written in lower case and without accents, as SQLite's tokenizer does by itself. Facets begin with a sign
//! that no word has, since both lie in one vector.

use std::collections::HashMap;
use std::fmt::Write;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::tokenize::QueryPart;

/// The first character of a facet.
const FACET: char = '#';
/// The last place of a word that PostgreSQL tells from others.
const LAST_PLACE: usize = 16_383;
/// The number of places of one word that PostgreSQL keeps.
const PLACES: usize = 255;
/// The size of an entry, a little below what PostgreSQL takes. The end of a longer text is not indexed.
const ENTRY_BYTES: usize = 900_000;

/// The entry of an event: its words with their places, and its facets. Both come separated by spaces.
pub(crate) fn entry(words: &str, facets: &str) -> String {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    let mut bytes = 0;
    for (place, word) in (1..).zip(words.split(' ').filter(|word| !word.is_empty())) {
        let word = folded(word);
        bytes += 2;
        let known = places.entry(word).or_insert_with_key(|word| {
            bytes += word.len() + 4;
            Vec::new()
        });
        if bytes > ENTRY_BYTES {
            break;
        }
        if known.len() < PLACES {
            known.push(place.min(LAST_PLACE));
        }
    }
    let mut entry = String::with_capacity(bytes * 2);
    for (word, places) in &places {
        push(&mut entry, word);
        for (number, place) in places.iter().enumerate() {
            // A string takes any text.
            let _ = write!(entry, "{}{place}", if number == 0 { ':' } else { ',' });
        }
        entry.push(' ');
    }
    for facet in facets.split(' ') {
        push(&mut entry, &format!("{FACET}{facet}"));
        entry.push(' ');
    }
    entry
}

/// A query: the words and phrases, all of which must occur, and for each narrowing one of its facets.
pub(crate) fn query(parts: &[QueryPart], narrowings: &[Vec<String>]) -> String {
    let mut all = Vec::new();
    for part in parts {
        let mut phrase = String::new();
        for (number, token) in part.tokens.iter().enumerate() {
            if number > 0 {
                phrase.push_str(" <-> ");
            }
            push(&mut phrase, &folded(token));
        }
        if part.open {
            phrase.push_str(":*");
        }
        all.push(format!("({phrase})"));
    }
    for facets in narrowings {
        let mut any = String::new();
        for facet in facets {
            if !any.is_empty() {
                any.push_str(" | ");
            }
            push(&mut any, &format!("{FACET}{facet}"));
        }
        all.push(format!("({any})"));
    }
    all.join(" & ")
}

/// A word in lower case and without accents.
fn folded(word: &str) -> String {
    word.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase).nfc().collect()
}

/// Adds a word in quotes, in which nothing is an operator.
fn push(to: &mut String, word: &str) {
    to.push('\'');
    for letter in word.chars() {
        if matches!(letter, '\'' | '\\') {
            to.push(letter);
        }
        to.push(letter);
    }
    to.push('\'');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tokenize::{parse, words_of};

    #[test]
    fn words_have_their_places_and_facets_have_none() {
        let one = entry(&words_of("Été été 库"), "m1 kmessage");
        for part in ["'ete':1,2 ", "'库':3 ", "'#m1' ", "'#kmessage' "] {
            assert!(one.contains(part), "{part} in {one}");
        }
        let long = "word ".repeat(1_000_000);
        assert!(entry(&words_of(&long), "m1").len() < 2 * ENTRY_BYTES);
    }

    #[test]
    fn nothing_that_is_typed_is_an_operator() {
        let asked = |text: &str| {
            query(&parse(text).unwrap(), &[vec!["m1".to_owned()], vec!["ka".to_owned(), "kb".to_owned()]])
        };
        assert_eq!(
            asked("收敛条件 \"a' | b\""),
            "('收敛' <-> '敛条' <-> '条件') & ('a' <-> 'b') & ('#m1') & ('#ka' | '#kb')"
        );
        assert_eq!(asked("Data:* !x"), "('data':*) & ('x') & ('#m1') & ('#ka' | '#kb')");
    }
}
