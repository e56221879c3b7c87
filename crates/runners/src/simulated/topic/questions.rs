//! The action that a question asks for, without its question words.

use quorate_contract::Language;

use crate::simulated::phrases::Bank;

/// The action that a yes-or-no question asks for.
pub(super) fn action_in_question(topic: &str, language: Language) -> Option<String> {
    let after = |at: usize, marker: &str| topic[at + marker.len()..].to_owned();
    let action = match language {
        Language::Zh => {
            let markers = [
                "要不要",
                "该不该",
                "应不应该",
                "是否应该",
                "是否需要",
                "是否要",
                "是否",
                "能不能",
                "可不可以",
                "需不需要",
                "值不值得",
                "有没有必要",
                "有必要",
            ];
            let found = markers.iter().find_map(|marker| Some(after(topic.find(marker)?, marker)));
            found.or_else(|| {
                let statement = topic.strip_suffix('吗').or_else(|| topic.strip_suffix('么'))?;
                Some(without_question_words(statement, language))
            })?
        }
        Language::En => {
            let lower = topic.to_ascii_lowercase();
            let markers = [
                "should we ",
                "should i ",
                "should our team ",
                "should the team ",
                "shall we ",
                "do we need to ",
                "do we want to ",
                "can we ",
                "could we ",
                "is it time to ",
                "is it worth ",
                "whether to ",
                "whether we should ",
            ];
            if ["how ", "what ", "which ", "who ", "where ", "when ", "why "]
                .iter()
                .any(|word| lower.starts_with(word))
            {
                return None;
            }
            let found = markers.iter().find_map(|marker| Some(after(lower.find(marker)?, marker)));
            found.or_else(|| {
                let starts = ["should ", "must ", "is ", "are ", "do ", "does ", "can ", "will "];
                let start = starts.iter().find(|start| lower.starts_with(**start))?;
                Some(topic[start.len()..].to_owned())
            })?
        }
    };
    let action = action.trim_end_matches(['吗', '呢', '么']).trim().to_owned();
    (action.chars().count() >= 2).then_some(action)
}

pub(super) fn without_question_words(text: &str, language: Language) -> String {
    let mut rest = text.trim();
    let openings: &[&str] = match language {
        Language::Zh => &[
            "请讨论",
            "请问",
            "讨论一下",
            "讨论",
            "我们的",
            "我们应该",
            "我们需要",
            "我们该",
            "我们",
            "大家",
            "我",
            "应该",
            "到底",
            "究竟",
            "下一步",
            "如何",
            "怎么样",
            "怎样",
            "怎么",
            "什么是",
            "为什么",
            "该",
        ],
        Language::En => &[
            "how should we ",
            "how can we ",
            "how do we ",
            "how could we ",
            "how might we ",
            "how to ",
            "how will ",
            "how ",
            "what should we do about ",
            "what is the best way to ",
            "what are the ",
            "what is the ",
            "what should ",
            "which ",
            "what ",
            "why do we ",
            "why ",
            "let us discuss ",
            "discuss ",
            "please ",
            "we ",
            "our ",
            "the ",
        ],
    };
    loop {
        let lower = rest.to_ascii_lowercase();
        let Some(opening) = openings.iter().find(|opening| lower.starts_with(**opening)) else {
            break;
        };
        let shorter = rest[opening.len()..].trim_start();
        if shorter.is_empty() {
            break;
        }
        rest = shorter;
    }
    rest.trim_end_matches(['呢', '吗']).trim().to_owned()
}

/// "move to Berlin" as something that can stand where a noun stands: "moving to Berlin".
pub(super) fn gerund_of(option: &str, bank: &Bank) -> Option<String> {
    let verb = option.split_whitespace().next()?;
    let known = bank.lines("topic.verbs").contains(&verb);
    // One word alone is as likely a noun: "work or play", "plan".
    if !known || option.split_whitespace().count() < 2 {
        return None;
    }
    let doubled =
        ["get", "put", "run", "cut", "set", "stop", "plan", "begin", "ship", "drop", "split", "let", "rent"];
    let stem = match verb {
        _ if verb.ends_with("ee") => verb.to_owned(),
        _ if verb.ends_with('e') => verb[..verb.len() - 1].to_owned(),
        "rent" => verb.to_owned(),
        _ if doubled.contains(&verb) => {
            let last = &verb[verb.len() - 1..];
            format!("{verb}{last}")
        }
        _ => verb.to_owned(),
    };
    Some(format!("{stem}ing{}", &option[verb.len()..]))
}
