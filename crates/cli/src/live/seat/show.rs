//! What a turn asks, and what is wrong with a line, in words.

use std::time::Duration;

use quorate_messages::{keyed, text};

use super::shape::{Empty, Fault, InputKind, Question};
use super::turn::Turn;
use crate::language::Speech;

/// What a turn asks, without its first question.
pub(super) fn asked(turn: &Turn, speech: Speech) -> String {
    let mut lines = vec![kind(turn, speech)];
    if let Some(problem) = &turn.problem {
        lines.push(text!(speech, "cli-seat-not-read", %problem));
    }
    if !turn.focus.is_empty() {
        lines.push(text!(speech, "cli-seat-focus").to_owned());
        lines.extend(turn.focus.iter().map(|question| format!("  · {question}")));
    }
    if !turn.targets.is_empty() {
        lines.push(text!(speech, "cli-seat-targets").to_owned());
        let target =
            |target: &super::turn::Target| format!("  {} · {}  {}", target.claim, target.owner, target.text);
        lines.extend(turn.targets.iter().map(target));
    }
    if let Some(draft) = turn.draft.as_deref().filter(|_| turn.is_vote()) {
        lines.push(text!(speech, "cli-seat-draft").to_owned());
        lines.extend(draft.lines().map(|line| format!("  {line}")));
    }
    let skip = match turn.can_skip {
        true => text!(speech, "cli-seat-may-skip"),
        false => text!(speech, "cli-seat-may-not-skip"),
    };
    lines.push(format!("{} {skip}", text!(speech, "cli-seat-how")));
    lines.join("\n")
}

/// The headline of a turn.
pub(super) fn headline(turn: &Turn, speech: Speech) -> String {
    let yours = match turn.is_vote() {
        true => text!(speech, "cli-seat-your-vote"),
        false => text!(speech, "cli-seat-your-turn"),
    };
    let name = &turn.participant;
    let who = match turn.role.as_str() {
        "" => name.clone(),
        role => text!(speech, "cli-seat-as-role", %name, %role),
    };
    format!("{yours} · {who} · {}", left(turn.left(), speech))
}

/// How much time is left.
pub(super) fn left(left: Duration, speech: Speech) -> String {
    match left.as_secs() {
        0 => text!(speech, "cli-seat-time-up").to_owned(),
        seconds @ 1..120 => text!(speech, "cli-seat-seconds-left", %seconds),
        seconds => {
            let minutes = seconds.div_ceil(60);
            text!(speech, "cli-seat-minutes-left", %minutes)
        }
    }
}

/// The kind of answer, in a sentence.
fn kind(turn: &Turn, speech: Speech) -> String {
    let known = keyed(speech, &format!("turn-kind-{}", turn.kind));
    known.or_else(|| keyed(speech, "turn-kind-speak")).unwrap_or_default().to_owned()
}

/// The name of a field; one that is not known is shown as it is.
fn field(name: &str, speech: Speech) -> String {
    let known = keyed(speech, &format!("turn-field-{}", name.replace('_', "-")));
    known.map_or_else(|| name.replace('_', " "), str::to_owned)
}

/// A question in a line.
pub(super) fn question(question: &Question, speech: Speech) -> String {
    let names: Vec<String> = question.path.iter().map(|name| field(name, speech)).collect();
    let mut label = match names.is_empty() {
        true => text!(speech, "cli-seat-answer").to_owned(),
        false => names.join(" › "),
    };
    if let Some(number) = question.item {
        label.push_str(&format!(" {number}"));
    }
    let wanted = match &question.wanted {
        InputKind::Text { most: Some(most) } => text!(speech, "cli-seat-at-most-characters", %most),
        InputKind::Text { most: None } => String::new(),
        InputKind::Number { least: Some(least), most: Some(most), .. } => format!("{least}–{most}"),
        InputKind::Number { .. } => text!(speech, "cli-seat-number").to_owned(),
        InputKind::Choice(choices) => {
            let numbered = choices.iter().zip(1..).map(|(choice, number)| format!("{number} {choice}"));
            numbered.collect::<Vec<_>>().join(text!(speech, "common-comma"))
        }
        InputKind::Truth => text!(speech, "cli-seat-yes-no").to_owned(),
        InputKind::Json => text!(speech, "cli-seat-json").to_owned(),
    };
    let empty = match question.empty {
        Empty::Refused | Empty::TooFew(_) => "",
        Empty::Left => text!(speech, "cli-seat-may-be-empty"),
        Empty::Ends => text!(speech, "cli-seat-empty-ends"),
    };
    let hints: Vec<&str> = [wanted.as_str(), empty].into_iter().filter(|hint| !hint.is_empty()).collect();
    match hints.is_empty() {
        true => label,
        false => {
            let hints = hints.join(text!(speech, "common-semicolon"));
            text!(speech, "cli-seat-question", %label, %hints)
        }
    }
}

/// What is wrong with a line, and what to write instead.
pub(super) fn fault(fault: &Fault, speech: Speech) -> String {
    match fault {
        Fault::Missing => text!(speech, "cli-seat-fault-missing").to_owned(),
        Fault::Long { most, length } => text!(speech, "cli-seat-fault-long", %most, %length),
        Fault::Few(least) => text!(speech, "cli-seat-fault-few", least = *least),
        Fault::NoNumber => text!(speech, "cli-seat-fault-number").to_owned(),
        Fault::NotWhole => text!(speech, "cli-seat-fault-whole").to_owned(),
        Fault::Least(least) => text!(speech, "cli-seat-fault-least", %least),
        Fault::Most(most) => text!(speech, "cli-seat-fault-most", %most),
        Fault::NoChoice(choices) => {
            let list = choices.join(text!(speech, "common-list-separator"));
            text!(speech, "cli-asking-choose-one", %list)
        }
        Fault::NoTruth => text!(speech, "cli-asking-write-yes-no").to_owned(),
        Fault::NoJson(problem) => text!(speech, "cli-seat-fault-json", %problem),
        Fault::TooManyLines => text!(speech, "cli-seat-fault-lines").to_owned(),
    }
}

/// What was filled in, a field in each line.
pub(super) fn summary(value: &serde_json::Value, order: &[String], speech: Speech) -> String {
    let Some(fields) = value.as_object() else { return String::new() };
    let ordered = order.iter().filter_map(|name| fields.get_key_value(name.as_str()));
    let line = |(name, value): (&String, &serde_json::Value)| {
        format!("  {}{}{}", field(name, speech), text!(speech, "common-colon"), shown(value, speech))
    };
    ordered.map(line).collect::<Vec<_>>().join("\n")
}

fn shown(value: &serde_json::Value, speech: Speech) -> String {
    use serde_json::Value;
    match value {
        Value::Null => "—".to_owned(),
        Value::String(text) if text.is_empty() => "—".to_owned(),
        Value::String(text) => text.replace('\n', " ␤ "),
        Value::Bool(true) => text!(speech, "cli-seat-yes").to_owned(),
        Value::Bool(false) => text!(speech, "cli-seat-no").to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) if items.is_empty() => "—".to_owned(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| shown(item, speech)).collect();
            items.join(text!(speech, "common-semicolon"))
        }
        Value::Object(fields) => {
            let fields: Vec<String> = fields.values().map(|value| shown(value, speech)).collect();
            fields.join(" · ")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quorate_contract::Language;
    use quorate_messages::keys;

    use super::*;

    #[test]
    fn every_kind_of_turn_has_its_sentence() {
        let kinds: BTreeSet<String> = keys(Language::En, "turn")
            .filter_map(|id| id.strip_prefix("turn-kind-"))
            .map(str::to_owned)
            .collect();
        let known = [
            "blind",
            "speak",
            "vote",
            "summarize",
            "facilitate",
            "conclude",
            "contribute",
            "intake",
            "team",
            "evaluate",
            "invite",
            "minutes",
            "artifact",
        ];
        assert_eq!(kinds, known.map(str::to_owned).into_iter().collect());
        assert!(
            keys(Language::En, "turn").all(|id| ["turn-kind-", "turn-field-", "turn-acp-"]
                .iter()
                .any(|start| id.starts_with(start)))
        );
    }

    #[test]
    fn a_question_says_what_fits_and_what_an_empty_line_means() {
        let claim = Question {
            path: vec!["claims".to_owned()],
            item: Some(2),
            empty: Empty::Ends,
            wanted: InputKind::Text { most: Some(300) },
        };
        assert_eq!(
            question(&claim, Speech(Language::En)),
            "Your claims 2 (at most 300 characters; an empty line ends the list)"
        );
        let score = Question {
            path: vec!["score".to_owned()],
            item: None,
            empty: Empty::Refused,
            wanted: InputKind::Number { whole: true, least: Some(0.0), most: Some(100.0) },
        };
        assert_eq!(question(&score, Speech(Language::En)), "Score of the draft (0–100)");
    }
}
