//! The tokenization of indexed text and of queries.
//!
//! SQLite's tokenizer takes a run of Chinese characters for one word. So each such run is written as its
//! pairs, 收敛条件 as 收敛 敛条 条件 件, and queried in the same way: two characters are a word of the index, longer
//! queries a phrase of pairs. The last character is repeated alone, so that a query of one character is found
//! as the beginning of a word wherever it stands.

use quorate_contract::Refusal;
use quorate_messages::{Message, message};

/// The longest query, in characters.
const QUERY_CHARS: usize = 500;
/// The most words and phrases of a query.
const QUERY_PARTS: usize = 32;
/// The number of letters from which on a word also matches words that begin with it.
const PREFIX_CHARS: usize = 3;

/// A word, or several in a row, that must occur.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryPart {
    /// The tokens as the index holds them.
    pub(super) tokens: Vec<String>,
    /// Whether the last token is a prefix.
    pub(super) open: bool,
    /// The parts of the text that are marked in a hit.
    pub(crate) needles: Vec<Needle>,
}

/// A part of the query that is marked in the text of a hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needle {
    /// The letters in lower case.
    pub(crate) letters: Vec<char>,
    /// Whether it has to match whole words, as in scripts that separate words.
    pub(crate) whole: bool,
    /// Whether the word may continue after it.
    pub(crate) open: bool,
}

/// The tokens of a text for the index.
pub(crate) fn words_of(text: &str) -> String {
    let mut words = String::with_capacity(text.len() * 2);
    for run in runs(text) {
        match run {
            Run::Letters(letters) => push(&mut words, letters),
            Run::Characters(characters) => {
                pairs(characters).for_each(|pair| push(&mut words, pair));
                push(&mut words, last_of(characters));
            }
        }
    }
    words
}

/// Parses a query: words that must all occur; words in quotes must occur in a row.
///
/// # Errors
/// When the query is empty, or too long.
pub(crate) fn parse(query: &str) -> Result<Vec<QueryPart>, Refusal> {
    let invalid = |problem: Message, hint: Message| {
        let (field, problem, hint) = ("words".to_owned(), problem.into(), hint.into());
        Refusal::Invalid { field, problem, hint }
    };
    let fewer = message!("store-search-fewer");
    if query.chars().count() > QUERY_CHARS {
        return Err(invalid(message!("store-search-characters", most = QUERY_CHARS), fewer));
    }
    let mut parts = Vec::new();
    // Every second piece is quoted, in any kind of quotation marks; the last one may be left open.
    for (number, piece) in query.split(['"', '“', '”', '„', '「', '」', '『', '』', '＂']).enumerate()
    {
        match number % 2 {
            1 => parts.extend(part(piece, false)),
            _ => parts.extend(piece.split_whitespace().filter_map(|word| part(word, true))),
        }
    }
    match parts.len() {
        0 => Err(invalid(message!("store-search-nothing"), message!("store-search-nothing-hint"))),
        1..=QUERY_PARTS => Ok(parts),
        _ => Err(invalid(message!("store-search-words", most = QUERY_PARTS), fewer)),
    }
}

/// The query in the syntax of SQLite's index, narrowed to one of the facets each. It contains only quoted letters, so that no typed character acts as
/// an operator.
pub(crate) fn in_index(parts: &[QueryPart], narrowings: &[Vec<String>]) -> String {
    let phrases: Vec<_> = parts
        .iter()
        .map(|part| format!("\"{}\"{}", part.tokens.join(" "), if part.open { " *" } else { "" }))
        .collect();
    let mut query = format!("words : ({})", phrases.join(" AND "));
    for facets in narrowings {
        query.push_str(&format!(" AND facets : ({})", facets.join(" OR ")));
    }
    query
}

fn part(text: &str, may_go_on: bool) -> Option<QueryPart> {
    let runs: Vec<Run<'_>> = runs(text).collect();
    let last = runs.len().checked_sub(1)?;
    let (mut tokens, mut needles, mut open) = (Vec::new(), Vec::new(), false);
    for (place, run) in runs.iter().enumerate() {
        match run {
            Run::Letters(letters) => {
                open = place == last && may_go_on && letters.chars().count() >= PREFIX_CHARS;
                tokens.push((*letters).to_owned());
                needles.push(Needle { letters: small(letters), whole: true, open });
            }
            Run::Characters(characters) => {
                tokens.extend(pairs(characters).map(str::to_owned));
                // In the text the run may continue; then its last character is the first of a pair.
                open = place == last && pairs(characters).next().is_none();
                if place != last || open {
                    tokens.push(last_of(characters).to_owned());
                }
                needles.push(Needle { letters: small(characters), whole: false, open: true });
            }
        }
    }
    Some(QueryPart { tokens, open, needles })
}

fn push(words: &mut String, word: &str) {
    if !words.is_empty() {
        words.push(' ');
    }
    words.push_str(word);
}

/// The characters of a run, each with the one after it.
fn pairs(characters: &str) -> impl Iterator<Item = &str> {
    let ends = characters.char_indices().skip(1).map(|(at, second)| at + second.len_utf8());
    characters.char_indices().zip(ends).map(|((from, _), to)| &characters[from..to])
}

fn last_of(characters: &str) -> &str {
    let last = characters.char_indices().next_back().map_or(0, |(at, _)| at);
    &characters[last..]
}

/// Converts letters to lower case, one for one.
pub(crate) fn small(letters: &str) -> Vec<char> {
    letters.chars().map(|letter| letter.to_lowercase().next().unwrap_or(letter)).collect()
}

/// A run of letters of one sort.
enum Run<'t> {
    /// Letters of a script that separates words with spaces.
    Letters(&'t str),
    /// Letters of a script that does not.
    Characters(&'t str),
}

fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|letter| !is_letter(letter));
        let is_run_of_characters = is_character(rest.chars().next()?);
        let goes_on = |letter| is_letter(letter) && is_character(letter) == is_run_of_characters;
        let end = rest.find(|letter| !goes_on(letter)).unwrap_or(rest.len());
        let (run, others) = rest.split_at(end);
        rest = others;
        Some(if is_run_of_characters { Run::Characters(run) } else { Run::Letters(run) })
    })
}

/// Whether a character is a letter, a digit, or an accent that is written after its letter.
pub(crate) fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '\u{300}'..='\u{36F}')
}

/// Han, Kana and Hangul.
pub(crate) fn is_character(letter: char) -> bool {
    matches!(letter,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &str) -> String {
        in_index(&parse(query).unwrap(), &[])
    }

    #[test]
    fn characters_come_in_pairs_and_letters_in_words() {
        assert_eq!(words_of("收敛条件：SQLite够用吗？ok"), "收敛 敛条 条件 件 SQLite 够用 用吗 吗 ok");
        assert_eq!(words_of("—…"), "");
    }

    #[test]
    fn a_query_is_asked_as_the_text_was_written() {
        assert_eq!(asked("收敛"), r#"words : ("收敛")"#);
        assert_eq!(asked("收敛条件 SQL"), r#"words : ("收敛 敛条 条件" AND "SQL" *)"#);
        assert_eq!(asked("库"), r#"words : ("库" *)"#);
        assert_eq!(asked("“two writers” at"), r#"words : ("two writers" AND "at")"#);
        assert_eq!(asked("数据库SQLite 「够用」"), r#"words : ("数据 据库 库 SQLite" * AND "够用")"#);
    }

    #[test]
    fn nothing_that_is_typed_is_an_operator() {
        assert_eq!(
            asked("a* OR b) NOT: {c} \"d"),
            r#"words : ("a" AND "OR" AND "b" AND "NOT" * AND "c" AND "d")"#
        );
        for nothing in ["", " ", "\"\"", "*", "——"] {
            assert!(matches!(parse(nothing), Err(Refusal::Invalid { .. })), "{nothing:?}");
        }
        assert!(parse(&"长".repeat(501)).is_err());
        assert!(parse(&"a ".repeat(33)).is_err());
    }
}
