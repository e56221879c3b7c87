//! Whether two positions say the same, as far as their wording shows it.

use std::collections::BTreeSet;

use quorate_contract::clean;

use super::novelty::alike;

/// Words that turn a sentence around, in small letters.
const NEGATIONS: [&str; 16] = [
    "not",
    "no",
    "never",
    "without",
    "against",
    "don't",
    "doesn't",
    "shouldn't",
    "won't",
    "can't",
    "cannot",
    "nor",
    "reject",
    "oppose",
    "avoid",
    "neither",
];
/// The same in Chinese.
const CHINESE_NEGATIONS: [&str; 9] = ["不应该", "不应", "不要", "不", "别", "勿", "反对", "未", "没有"];
/// Words that come and go with a negation.
const AUXILIARIES: [&str; 9] = ["do", "does", "did", "should", "will", "would", "can", "must", "to"];

/// Whether two positions are the same but for case, punctuation and spaces.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    letters(one) == letters(other)
}

/// Whether two positions cannot be wordings of the same one: hardly a pair of letters is shared, one is the other turned
/// around, or each names something where the other names something else.
pub(crate) fn differs(one: &str, other: &str) -> bool {
    shares_little(one, other) || is_opposed(one, other)
}

/// Whether a sentence states, in words that are much the same, something else than a position.
pub(crate) fn takes_back(position: &str, sentence: &str) -> bool {
    !shares_little(position, sentence) && is_opposed(position, sentence)
}

/// Whether two positions say the same in words that are alike.
pub(crate) fn says_the_same(one: &str, other: &str) -> bool {
    alike(one, other) && !is_opposed(one, other)
}

/// Whether two positions that may look alike exclude each other.
fn is_opposed(one: &str, other: &str) -> bool {
    is_turned_around(one, other) || names_another(one, other)
}

fn letters(text: &str) -> String {
    clean(text).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether they share less than a quarter of their pairs of letters.
fn shares_little(one: &str, other: &str) -> bool {
    let pairs = |text: &str| -> BTreeSet<(char, char)> {
        let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
    };
    let (one, other) = (pairs(one), pairs(other));
    4 * one.intersection(&other).count() < one.len().min(other.len())
}

/// Whether the words are the same but for a negation.
fn is_turned_around(one: &str, other: &str) -> bool {
    let ((one, one_negates), (other, other_negates)) = (without_negation(one), without_negation(other));
    one_negates != other_negates && !one.is_empty() && one == other
}

/// The letters of a text without negations and what comes with them, and whether an odd number of them was there.
fn without_negation(text: &str) -> (String, bool) {
    let (mut kept, mut count) = (String::new(), 0usize);
    for word in words(&text.to_lowercase()) {
        if NEGATIONS.contains(&word) {
            count += 1;
        } else if !AUXILIARIES.contains(&word) {
            kept.push_str(word);
        }
    }
    for negation in CHINESE_NEGATIONS {
        count += kept.matches(negation).count();
        kept = kept.replace(negation, "");
    }
    (kept.replace('应', "").replace('该', "").replace('要', ""), count % 2 == 1)
}

/// Whether each has a name or a number that the other lacks. A name is a word with a capital or a digit in it, but for the
/// first word, which may have its capital from its place.
fn names_another(one: &str, other: &str) -> bool {
    let (one, other) = (names(one), names(other));
    let lacks = |these: &[&str], those: &[&str]| {
        these.iter().any(|name| !those.iter().any(|known| is_same_name(name, known)))
    };
    lacks(&one, &other) && lacks(&other, &one)
}

fn names(text: &str) -> Vec<&str> {
    let is_name = |(place, word): (usize, &str)| {
        let mut rest = word.chars().skip(usize::from(place == 0));
        rest.any(|c| c.is_uppercase() || c.is_numeric())
    };
    let begins_with_word = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    words(text)
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphanumeric()))
        .enumerate()
        .filter(|(place, word)| is_name((place + usize::from(!begins_with_word), *word)))
        .map(|(_, word)| word)
        .collect()
}

/// Whether a name is the other one, or how it is shortened: Postgres and PostgreSQL.
fn is_same_name(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let is_short = |short: &str, long: &str| short.chars().count() >= 4 && long.starts_with(short);
    one == other || is_short(&one, &other) || is_short(&other, &one)
}

/// The words of a text. Letters of other scripts than Latin stand by themselves between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_in_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c| !is_in_word(c));
        let is_latin = rest.starts_with(|c: char| c.is_ascii());
        let end = rest.find(|c: char| !is_in_word(c) || c.is_ascii() != is_latin).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_differ_that_share_less_than_a_quarter_of_their_pairs_of_letters() {
        assert!(shares_little("abcdef", "abuvwx"), "one of five");
        assert!(!shares_little("abcde", "abxyz"), "one of four");
        assert!(shares_little("abcde", "vwxyz") && !shares_little("abcde", "abcde"));
    }

    #[test]
    fn a_position_differs_when_it_is_turned_around_or_names_something_else() {
        for (one, other) in [
            ("The team should adopt Kubernetes this year", "The team should not adopt Kubernetes this year."),
            ("We should adopt it", "We shouldn't adopt it"),
            ("今年应该采用 Kubernetes", "今年不应该采用 Kubernetes"),
            ("先上线", "不要先上线"),
            ("Choose SQLite", "Choose PostgreSQL"),
            ("选 SQLite", "选 PostgreSQL"),
            ("Wait for 2 weeks", "Wait for 3 weeks"),
        ] {
            assert!(differs(one, other) && differs(other, one), "{one} / {other}");
        }
    }

    #[test]
    fn a_position_that_is_only_reworded_is_the_same() {
        for (one, other) in [
            ("Begin with SQLite", "We begin with SQLite"),
            ("Begin with SQLite", "Begin with SQLite, not with a cluster"),
            ("Use Postgres for now", "For now, use PostgreSQL"),
            ("First migrate the orders", "The orders are migrated first"),
            ("先用 SQLite 上线", "建议先用 SQLite 上线"),
            ("No change is needed this year", "This year, no change is needed"),
        ] {
            assert!(!differs(one, other) && !differs(other, one), "{one} / {other}");
        }
        assert!(is_same("Begin with SQLite.", "begin with  SQLite"));
    }
}
