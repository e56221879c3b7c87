//! Small things one does to a text: shorten it, make it one line, close a sentence.

use quorate_contract::Language;

/// Whether the character belongs to Chinese writing (ideographs, not punctuation).
pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{2fa1f}')
}

/// The text with at most `most` characters, the last of them `…` when something is missing.
pub(super) fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// The text on one line, without control characters and double spaces.
pub(super) fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name as it can stand inside a sentence.
pub(super) fn plain_name(name: &str, language: Language) -> String {
    let name = clip(&one_line(name), 50);
    match (name.is_empty(), language) {
        (false, _) => name,
        (true, Language::Zh) => "某位参会者".to_owned(),
        (true, Language::En) => "somebody".to_owned(),
    }
}

/// Closes a sentence with its stop, and opens it with a capital in English.
pub(super) fn sentence(text: &str, language: Language) -> String {
    let text = text.trim();
    let closed = |c: char| "。！？；….!?;:：".contains(c);
    let mut done = match language {
        Language::Zh => text.to_owned(),
        Language::En => capital(text),
    };
    if !done.is_empty() && !done.ends_with(closed) {
        done.push_str(match language {
            Language::Zh => "。",
            Language::En => ".",
        });
    }
    done
}

/// The text with its first letter in upper case.
pub(super) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// The core of a message, short enough to be quoted inside a sentence: all of it, or a clause.
pub(super) fn excerpt(text: &str, language: Language) -> String {
    let line = one_line(text);
    let line = line.trim_end_matches(|c: char| "。！？；….!?;，,：:".contains(c));
    match language {
        Language::Zh => {
            // The weightiest clause that is short enough; openings such as "最坏的情况下" are light.
            if width(line) <= 24 {
                return within_quotes(line);
            }
            let clauses = line.split(['，', '；', '。', '：', ',', '？']).map(str::trim);
            let fitting = clauses.filter(|clause| (6..=20).contains(&width(clause)));
            match fitting.max_by_key(|clause| width(clause)) {
                Some(clause) => within_quotes(clause),
                None => within_quotes(&clip(line, 18)),
            }
        }
        Language::En => {
            let words = |text: &str| text.split_whitespace().count();
            if words(line) <= 13 && line.chars().count() <= 90 {
                return line.replace(['“', '”'], "'");
            }
            let openers = ["and ", "but ", "so ", "while ", "whereas ", "because ", "since ", "yet "];
            let clauses = line.split([',', ';', ':']).map(str::trim).map(|clause| {
                openers.iter().find_map(|opener| clause.strip_prefix(opener)).unwrap_or(clause)
            });
            let fitting = clauses.filter(|clause| (4..=11).contains(&words(clause)));
            let quoted = match fitting.max_by_key(|clause| words(clause)) {
                Some(clause) => clause.to_owned(),
                None if words(line) > 10 => {
                    line.split_whitespace().take(9).collect::<Vec<_>>().join(" ") + "…"
                }
                None => line.to_owned(),
            };
            clip(&quoted, 90).replace(['“', '”'], "'")
        }
    }
}

/// The point of an objection: the longest words that it quotes, such as the condition that it misses, or else its own.
pub(super) fn point_of(text: &str, language: Language) -> String {
    let (open, close, least, most) = match language {
        Language::Zh => ('「', '」', 5, 24),
        Language::En => ('“', '”', 18, 90),
    };
    let quoted = text.split(open).skip(1).filter_map(|rest| rest.split_once(close)).map(|(inside, _)| inside);
    match quoted.max_by_key(|inside| inside.chars().count()) {
        Some(inside) if inside.chars().count() >= least => within_quotes(&clip(&one_line(inside), most)),
        _ => excerpt(text, language),
    }
}

/// The width of a Chinese text in Chinese characters; two Latin letters count as one.
fn width(text: &str) -> usize {
    let latin = text.chars().filter(char::is_ascii).count();
    text.chars().count() - latin + latin.div_ceil(2)
}

/// The subject of a question: the words that it quotes, or else its own.
pub(super) fn gist(text: &str, language: Language) -> String {
    let line = one_line(text);
    let (open, close, most) = match language {
        Language::Zh => ('「', '」', 24),
        Language::En => ('“', '”', 70),
    };
    let quoted = line.split_once(open).and_then(|(_, rest)| rest.split_once(close));
    match quoted {
        Some((inside, _)) if inside.chars().count() >= 4 => within_quotes(&clip(inside, most)),
        _ => excerpt(&line, language),
    }
}

/// Quotation marks inside quotation marks take the other form, and are closed if a cut opened them.
pub(super) fn within_quotes(text: &str) -> String {
    let mut inner = text.replace('「', "『").replace('」', "』");
    let open = inner.matches('『').count();
    let closed = inner.matches('』').count();
    if open > closed {
        inner.push('』');
    }
    inner
}

/// Names (or other things) in a row, as the language does it.
pub(super) fn list(items: &[String], language: Language) -> String {
    match (items, language) {
        (items, Language::Zh) => items.join("、"),
        ([head @ .., last], Language::En) if !head.is_empty() => {
            format!("{} and {last}", head.join(", "))
        }
        (items, Language::En) => items.join(", "),
    }
}

/// The length of a text for a reader: characters in Chinese, words in English.
pub(super) fn length(text: &str, language: Language) -> usize {
    match language {
        Language::Zh => text.chars().filter(|c| !c.is_whitespace()).count(),
        Language::En => text.split_whitespace().count(),
    }
}

/// The likeness of two texts, 0.0-1.0: the share of the shorter one's pairs of letters in the other.
pub(super) fn likeness(one: &str, other: &str) -> f64 {
    let pairs = |text: &str| -> std::collections::BTreeSet<(char, char)> {
        let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
    };
    let (one, other) = (pairs(one), pairs(other));
    let least = one.len().min(other.len()).max(1);
    one.intersection(&other).count() as f64 / least as f64
}

/// Whether `text` contains `part`, ignoring case.
pub(super) fn mentions(text: &str, part: &str) -> bool {
    position_of(text, part).is_some()
}

/// The byte offset of `part` in `text`, ignoring the case of ASCII letters.
pub(super) fn position_of(text: &str, part: &str) -> Option<usize> {
    if part.is_empty() {
        return None;
    }
    let as_it_stands = text.find(part);
    // Chinese has no case; only Latin letters need the second search.
    if as_it_stands.is_some() || !part.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return as_it_stands;
    }
    text.to_ascii_lowercase().find(&part.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_inside_a_quote_is_closed_after_a_cut() {
        let long = "现有的班底就能做「把一个很大的单体拆成很多很多微服务」这件大事";
        assert_eq!(excerpt(long, Language::Zh), "现有的班底就能做『把一个很大的单体…』");
        let claim = "最坏的情况下，PostgreSQL 只影响一小块，其他部分照常运行";
        assert_eq!(excerpt(claim, Language::Zh), "PostgreSQL 只影响一小块");
        assert_eq!(point_of("还不行：少了「写明回退步骤」", Language::Zh), "写明回退步骤");
        assert_eq!(gist("怎样落实「写明回退步骤」，由谁检验？", Language::Zh), "写明回退步骤");
        assert_eq!(
            excerpt("Latency, not throughput, decides", Language::En),
            "Latency, not throughput, decides"
        );
    }

    #[test]
    fn names_stand_in_a_row() {
        let names = ["Ada".to_owned(), "Ben".to_owned(), "Cid".to_owned()];
        assert_eq!(list(&names, Language::En), "Ada, Ben and Cid");
        assert_eq!(list(&names, Language::Zh), "Ada、Ben、Cid");
        assert_eq!(list(&[], Language::En), "");
    }

    #[test]
    fn nothing_is_left_of_nothing() {
        assert_eq!(sentence("", Language::En), "");
        assert_eq!(clip("", 0), "");
        assert_eq!(one_line("\n\t\u{1b}"), "");
    }
}
