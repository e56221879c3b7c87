//! Finds the options that a topic names itself: "A or B", "A、B 还是 C".
//!
//! There is no grammar here, only the words that people use around options. What does not look
//! like a list of short options is left to the open questions.

use quorate_contract::Language;

use crate::simulated::text::is_han;

/// The options, two to five of them.
pub(super) fn alternatives(topic: &str, language: Language) -> Option<Vec<String>> {
    let words: &[&str] = match language {
        Language::Zh => &["还是", "或者", " vs. ", " vs ", " VS ", " or "],
        Language::En => &[" or ", " vs. ", " vs ", " VS ", " versus ", "还是"],
    };
    let (at, word) = words.iter().find_map(|word| Some((topic.find(word)?, *word)))?;
    // In "要不要 … 还是先等等" the question before the word is the option itself.
    let (left, right) = (&topic[..at], &topic[at + word.len()..]);
    let separators: &[char] = match language {
        Language::Zh => &['、', ','],
        Language::En => &[',', '、'],
    };
    let mut parts: Vec<&str> = match language {
        // A comma in Chinese separates clauses; only the last clause lists options.
        Language::Zh => left.split('、').collect(),
        Language::En => left.split(separators).collect(),
    };
    parts.extend(right.split(word));
    // A question that ends before its options is none of them: "Which colour should it be, blue or green?"
    if language == Language::En && parts.len() > 2 && is_question(parts[0]) {
        parts.remove(0);
    }
    let first = first_option(parts.first()?.trim(), language);
    let last = parts.len() - 1;
    let mut options = vec![first];
    for (place, part) in parts.iter().enumerate().skip(1) {
        options.push(tidy_option(part, place == last, language));
    }
    let longest = match language {
        Language::Zh => 24,
        Language::En => 60,
    };
    match language {
        Language::En => without_shared_verb(&mut options),
        Language::Zh => without_shared_beginning(&mut options),
    }
    options.retain(|option| !option.is_empty());
    options.dedup();
    let fit = options.iter().all(|option| option.chars().count() <= longest);
    (fit && (2..=5).contains(&options.len())).then_some(options)
}

/// Whether it asks for something that follows it.
fn is_question(part: &str) -> bool {
    let part = part.trim().to_ascii_lowercase();
    let asks = ["which ", "what ", "where ", "who ", "when ", "how "];
    !part.contains(": ") && asks.iter().any(|word| part.starts_with(word))
}

/// Leaves out what stands before the first of some options that are alike: 刷成蓝色 beside 绿色.
fn without_shared_beginning(options: &mut [String]) {
    let Some((first, others)) = options.split_first_mut() else { return };
    let Some(other) = others.first() else { return };
    let (length, end) = (other.chars().count(), other.chars().next_back());
    let is_alike = |option: &String| option.chars().count() == length && option.chars().next_back() == end;
    let longer = first.chars().count().saturating_sub(length);
    if length >= 2 && longer > 0 && first.chars().next_back() == end && others.iter().all(is_alike) {
        *first = first.chars().skip(longer).collect();
    }
}

const ZH_VERBS: [&str; 22] = [
    "应该选择",
    "应该采用",
    "应该使用",
    "应该选",
    "应该用",
    "选择",
    "采用",
    "使用",
    "选用",
    "改用",
    "应该",
    "优先做",
    "先做",
    "该",
    "选",
    "用",
    "做",
    "去",
    "吃",
    "买",
    "是",
    "先",
];

/// Words that merely contain one of the verbs.
const ZH_NOT_VERBS: [&str; 16] = [
    "用户", "用途", "用于", "用量", "费用", "应用", "通用", "去年", "过去", "是否", "但是", "选手", "先生",
    "作用", "信用", "要是",
];

/// The first option, without what stands before it: "SQLite" of "新项目数据库选 SQLite".
fn first_option(text: &str, language: Language) -> String {
    match language {
        Language::Zh => {
            let clause_start = text
                .rfind(['：', ':', '，', ','])
                .map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
            let clause = &text[clause_start..];
            for verb in ZH_VERBS {
                let found = clause.match_indices(verb).map(|(at, _)| at).find(|at| {
                    let inside = |word: &str| {
                        clause.match_indices(word).any(|(start, _)| (start..start + word.len()).contains(at))
                    };
                    !ZH_NOT_VERBS.iter().any(|word| inside(word))
                });
                let Some(at) = found else { continue };
                let option = tidy_option(&clause[at + verb.len()..], false, language);
                if !option.is_empty() {
                    return option;
                }
            }
            // "数据库 SQLite": the Latin tail is the option.
            let tail =
                clause.rfind(is_han).map(|at| at + clause[at..].chars().next().map_or(0, char::len_utf8));
            match tail {
                Some(at) if !clause[at..].trim().is_empty() => clause[at..].trim().to_owned(),
                _ => tidy_option(clause, false, language),
            }
        }
        Language::En => {
            let markers = [
                "should we ",
                "should i ",
                "should our team ",
                "shall we ",
                "do we ",
                "can we ",
                "could we ",
                "whether to ",
                "better to ",
                "between ",
                "is it better to ",
            ];
            let lower = text.to_ascii_lowercase();
            let after_question = markers
                .iter()
                .filter_map(|marker| lower.rfind(marker).map(|at| at + marker.len()))
                .chain(text.rfind(": ").map(|at| at + 2))
                .max()
                .or_else(|| after_subject(&lower))
                .unwrap_or(0);
            let option = tidy_option(&text[after_question..], false, language);
            // "… database for the journal, SQLite": nothing to strip, the option is the tail.
            let starts = ["is ", "are ", "will ", "would "];
            let lower = option.to_ascii_lowercase();
            let skip = starts.iter().find(|start| lower.starts_with(**start)).map_or(0, |s| s.len());
            option[skip..].to_owned()
        }
    }
}

/// The start of the option in "should our service use SQLite": after the verb of choosing, or after the
/// subject.
fn after_subject(lower: &str) -> Option<usize> {
    let asks = ["should ", "must ", "shall ", "can ", "could ", "will ", "would ", "do ", "does "];
    let question = asks.iter().find(|word| lower.starts_with(**word))?;
    let verbs = [
        " use ",
        " choose ",
        " pick ",
        " adopt ",
        " prefer ",
        " buy ",
        " run on ",
        " build on ",
        " go with ",
    ];
    let after_verb = verbs.iter().filter_map(|verb| Some(lower.find(verb)? + verb.len())).min();
    after_verb.or_else(|| {
        let mut at = question.len();
        let mut words = lower[at..].split_inclusive(' ');
        let first = words.next()?;
        at += first.len();
        if ["our ", "the ", "my ", "this ", "a ", "an ", "your "].contains(&first) {
            at += words.next()?.len();
        }
        (at < lower.len()).then_some(at)
    })
}

/// Leaves the verb out that stands before the first option alone: "learn the violin" beside "the cello".
fn without_shared_verb(options: &mut [String]) {
    let articles = ["the ", "a ", "an "];
    let is_thing = |option: &String| articles.iter().any(|article| option.starts_with(article));
    let Some((first, others)) = options.split_first_mut() else { return };
    if others.is_empty() || is_thing(first) || !others.iter().all(is_thing) {
        return;
    }
    let thing = articles.iter().filter_map(|article| first.find(&format!(" {article}"))).min();
    if let Some(at) = thing {
        *first = first[at + 1..].to_owned();
    }
}

fn tidy_option(text: &str, last: bool, language: Language) -> String {
    let mut option = text.trim();
    match language {
        Language::Zh => {
            if last {
                option = option.split(['？', '?', '，', ',', '。', '；', '：']).next().unwrap_or(option);
            }
            for verb in ["继续用", "选择", "采用", "使用", "选", "用", "做", "去", "吃", "买", "是"]
            {
                let is_word = ZH_NOT_VERBS.iter().any(|word| option.starts_with(word));
                if let Some(rest) = option.strip_prefix(verb)
                    && !is_word
                    && rest.trim().chars().count() >= 2
                {
                    option = rest.trim();
                    break;
                }
            }
            for tail in ["比较好", "更合适", "更好", "更划算", "呢", "好"] {
                if let Some(rest) = option.strip_suffix(tail)
                    && rest.chars().count() >= 2
                {
                    option = rest.trim();
                    break;
                }
            }
        }
        Language::En => {
            if last {
                for cut in [" for ", " when ", " given ", " if ", " better", " this ", " next ", "?", ";"] {
                    option = option.split(cut).next().unwrap_or(option);
                }
                // An age, an hour or a price is not part of it.
                let number = option
                    .find(" at ")
                    .filter(|at| option[at + 4..].starts_with(|c: char| c.is_ascii_digit()));
                option = number.map_or(option, |at| &option[..at]);
            }
            let starts = [
                "or ", "either ", "choose ", "pick ", "adopt ", "prefer ", "use ", "go with ", "to ", "and ",
            ];
            while let Some(rest) = starts.iter().find_map(|start| option.strip_prefix(start)) {
                option = rest.trim_start();
            }
        }
    }
    option.trim_matches(|c: char| c.is_whitespace() || "，,？?。.；;、".contains(c)).to_owned()
}
