//! Whether two positions say the same, as far as their wording shows it.
//!
//! Models reword what they hold in each answer, so a difference counts only where it is plain: hardly a pair of
//! characters in common, the same words with and without a negation, or one name in place of another within the same words.

use std::collections::BTreeSet;

use quorate_contract::clean;

use super::novelty::alike;

/// Words that turn a sentence around, in lower case.
const NEGATIONS: [&str; 20] = [
    "not",
    "no",
    "never",
    "nor",
    "neither",
    "without",
    "against",
    "cannot",
    "can't",
    "don't",
    "doesn't",
    "isn't",
    "mustn't",
    "shouldn't",
    "won't",
    "wouldn't",
    "avoid",
    "oppose",
    "reject",
    "refuse",
];
/// The same in Chinese, the longer ones first.
const CHINESE_NEGATIONS: [&str; 13] =
    ["不应该", "不应", "不该", "不要", "不必", "反对", "拒绝", "避免", "无需", "暂缓", "没有", "不", "别"];
/// Words that come and go with a negation.
const AUXILIARIES: [&str; 12] =
    ["do", "does", "did", "should", "will", "would", "can", "must", "to", "support", "accept", "favour"];
/// The same in Chinese.
const CHINESE_AUXILIARIES: [&str; 6] = ["应该", "支持", "赞成", "同意", "应", "要"];
/// What a text may begin with that answers somebody.
const NO: &str = "no";
/// The same in Chinese.
const CHINESE_NO: &str = "不";
/// The most words that may stand in place of others where a name has changed.
const REPLACED_MAX: usize = 2;

/// Whether two positions are the same but for case, punctuation and spaces.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (a, b) = (letters(one), letters(other));
    if a.is_empty() && b.is_empty() { one.trim() == other.trim() } else { a == b }
}

/// Whether two positions cannot be wordings of the same one.
pub(crate) fn differs(one: &str, other: &str) -> bool {
    one != other && (shares_little(one, other) || is_opposed(one, other))
}

/// Whether two positions are the same, or one says more than the other in the same words.
pub(crate) fn is_wording_of(one: &str, other: &str) -> bool {
    let (a, b) = (letters(one), letters(other));
    !a.is_empty() && !b.is_empty() && (a.contains(&b) || b.contains(&a)) || says_the_same(one, other)
}

/// Whether two positions say the same in words that are alike.
pub(crate) fn says_the_same(one: &str, other: &str) -> bool {
    alike(one, other) && !is_opposed(one, other)
}

/// Whether two positions exclude each other although their words are much the same.
pub(crate) fn is_opposed(one: &str, other: &str) -> bool {
    if one == other {
        return false;
    }
    let (one, other) = (WordsOf::read(one), WordsOf::read(other));
    is_turned_around(&one, &other) || names_another(&one.words, &other.words)
}

/// The letters and digits of a text, in lower case, with the signs that distinguish names and numbers: C++, 1.5, 20%.
fn letters(text: &str) -> String {
    let text: Vec<char> = clean(text).chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(char::is_ascii_digit);
    let is_kept = |(at, c): &(usize, &char)| {
        let is_point = **c == '.' && is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1));
        c.is_alphanumeric() || matches!(c, '+' | '#' | '%') || is_point
    };
    text.iter().enumerate().filter(is_kept).flat_map(|(_, c)| c.to_lowercase()).collect()
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
fn is_turned_around(one: &WordsOf, other: &WordsOf) -> bool {
    let ((one, one_negates), (other, other_negates)) = (without_negation(one), without_negation(other));
    one_negates != other_negates && !one.is_empty() && one == other
}

/// The words of a text without negations and what comes with them, and whether there was a negation. A "no" with which the
/// text answers is none of its own.
fn without_negation(text: &WordsOf) -> (String, bool) {
    let (mut kept, mut negates) = (String::new(), false);
    for Word { text: word, .. } in text.words.iter().skip(usize::from(text.answers_no)) {
        match word.as_str() {
            word if NEGATIONS.contains(&word) => negates = true,
            word if AUXILIARIES.contains(&word) => {}
            word => kept.push_str(word),
        }
    }
    if kept.is_ascii() {
        return (kept, negates);
    }
    for negation in CHINESE_NEGATIONS {
        negates |= kept.contains(negation);
        kept = kept.replace(negation, "");
    }
    (CHINESE_AUXILIARIES.iter().fold(kept, |kept, word| kept.replace(word, "")), negates)
}

/// Whether the words are the same but for one or two, in whose place each has a name or a number that the other lacks.
fn names_another(one: &[Word], other: &[Word]) -> bool {
    let (only_one, only_other) = (lacking(one, other), lacking(other, one));
    let has_frame = |all: &[Word], only: &[&Word]| {
        (1..=REPLACED_MAX).contains(&only.len()) && 2 * only.len() <= all.len()
    };
    let names = |only: &[&Word]| only.iter().any(|word| word.is_name);
    let is_known = only_one.iter().any(|a| only_other.iter().any(|b| is_same_name(&a.text, &b.text)));
    has_frame(one, &only_one)
        && has_frame(other, &only_other)
        && names(&only_one)
        && names(&only_other)
        && !is_known
}

/// The words that the others lack.
fn lacking<'w>(these: &'w [Word], those: &[Word]) -> Vec<&'w Word> {
    these.iter().filter(|word| !those.iter().any(|other| other.text == word.text)).collect()
}

/// Whether a name is the other one, or how it is shortened: Postgres and PostgreSQL, K8s and Kubernetes.
fn is_same_name(one: &str, other: &str) -> bool {
    let begins = |short: &str, long: &str| short.chars().count() >= 3 && long.starts_with(short);
    let counts = |short: &str, long: &str| {
        let (first, last) = (short.chars().next(), short.chars().next_back());
        let inner = short.get(1..short.len().saturating_sub(1)).unwrap_or_default();
        let is_count = !inner.is_empty() && inner.chars().all(|c| c.is_ascii_digit());
        is_count && first == long.chars().next() && last == long.chars().next_back()
    };
    let shortens = |short: &str, long: &str| begins(short, long) || counts(short, long);
    one == other || shortens(one, other) || shortens(other, one)
}

/// The words of a text.
struct WordsOf {
    words: Vec<Word>,
    /// Whether the first one is a "no" with which the text answers.
    answers_no: bool,
}

impl WordsOf {
    fn read(text: &str) -> Self {
        let begins = text.trim_start();
        let is_answer = |rest: &str| rest.starts_with([',', '.', '!', '，', '。', '！']);
        let answers_no = [NO, CHINESE_NO].iter().any(|no| {
            let (first, rest) = begins.split_at_checked(no.len()).unwrap_or_default();
            first.eq_ignore_ascii_case(no) && is_answer(rest)
        });
        Self { words: words(text), answers_no }
    }
}

/// A word of a text.
struct Word {
    /// In lower case.
    text: String,
    /// Whether it may be a name or a number: it has a capital or a digit in it that does not come from its place.
    is_name: bool,
}

/// The words of a text. Letters of other scripts than Latin stand by themselves between them.
fn words(text: &str) -> Vec<Word> {
    let text: Vec<char> = text.chars().map(|c| if c == '’' { '\'' } else { c }).collect();
    let is_digit = |at: usize| text.get(at).is_some_and(char::is_ascii_digit);
    let is_in_number = |at: usize| at > 0 && is_digit(at - 1) && is_digit(at + 1);
    let is_in_word = |at: usize| match text[at] {
        '\'' | '+' | '#' | '%' => true,
        '.' | ',' => is_in_number(at),
        c => c.is_alphanumeric(),
    };
    let mut found: Vec<Word> = Vec::new();
    let mut begins_sentence = true;
    let mut at = 0;
    while at < text.len() {
        if !is_in_word(at) {
            // What follows a space or a comma is in the middle of a sentence.
            begins_sentence |= !matches!(text[at], ' ' | '\t' | ',' | '，' | '、' | '-');
            at += 1;
            continue;
        }
        let from = at;
        while at < text.len() && is_in_word(at) && text[at].is_ascii() == text[from].is_ascii() {
            at += 1;
        }
        let word = &text[from..at];
        let own: String = word.iter().filter(|c| **c != ',').collect();
        let mut marks = word.iter().skip(usize::from(begins_sentence));
        let is_name = own != "I" && word[0].is_ascii() && marks.any(|c| c.is_uppercase() || c.is_numeric());
        // A number at the beginning is one all the same.
        let is_name = is_name || word[0].is_ascii_digit();
        found.push(Word { text: own.to_lowercase(), is_name });
        begins_sentence = false;
    }
    found
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
            ("We should adopt it", "We shouldn’t adopt it"),
            ("Support adopting microservices", "Oppose adopting microservices"),
            ("今年应该采用 Kubernetes", "今年不应该采用 Kubernetes"),
            ("支持采用微服务", "反对采用微服务"),
            ("采用微服务", "避免采用微服务"),
            ("先上线", "不要先上线"),
            ("Choose SQLite", "Choose PostgreSQL"),
            ("Choose “SQLite”", "Choose “PostgreSQL”"),
            ("选 SQLite", "选 PostgreSQL"),
            ("先用SQLite上线", "先用PostgreSQL上线"),
            ("Wait for 2 weeks", "Wait for 3 weeks"),
            ("Write it in C++", "Write it in C#"),
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
            ("Begin with SQLite. Then measure.", "Begin with SQLite. Measure later."),
            ("Start small. Grow later.", "Start small. We grow later."),
            ("Keep the monolith: I see no need to split", "Keep the monolith; We see no need to split"),
            ("Postgres now, with a review in Q3", "Start with Postgres now and review it in autumn"),
            ("Use Event Sourcing", "We should use event sourcing on AWS"),
            ("“Use SQLite now”", "“Begin with SQLite now”"),
            ("Limit it to 1,000 users", "Limit it to 1000 users"),
            ("限制为1,000个用户", "限制为1000个用户"),
            ("Publish the API", "Publish the APIs"),
            ("Adopt K8s", "Adopt Kubernetes"),
            ("No, we should not adopt it", "We should not adopt it"),
            ("不，我们不应该采用微服务", "我们不应该采用微服务"),
            ("We will not migrate", "We will never, never migrate"),
        ] {
            assert!(!differs(one, other) && !differs(other, one), "{one} / {other}");
        }
        assert!(is_same("Begin with SQLite.", "begin with  SQLite") && is_wording_of("Begin", "Begin now"));
    }

    #[test]
    fn signs_that_make_a_name_or_a_number_are_no_punctuation() {
        for (one, other) in [("Pay 1.5% more", "Pay 15% more"), ("Use C++", "Use C#"), ("👍", "👎")] {
            assert!(!is_same(one, other), "{one} / {other}");
        }
        assert!(is_same("1,000 users", "1000 users") && is_same("👍", " 👍 "));
    }

    #[test]
    fn a_sentence_that_only_names_somebody_opposes_nothing() {
        for sentence in [
            "I agree with Ben that the team begins with it.",
            "@Ben the team knows it, so it is the simplest thing to begin with.",
            "Before we decide, let me answer Ben: the write load in Q3 is within its limits.",
        ] {
            assert!(!is_opposed("Begin with SQLite", sentence), "{sentence}");
        }
        let still = "I still think that this is the year to adopt it, as Ben said in C3.";
        assert!(!is_opposed("Adopt Kubernetes this year", still));
        assert!(is_opposed("Begin with SQLite", "Begin with PostgreSQL."));
    }
}
