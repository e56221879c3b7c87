//! The texts of clap in another language: headings, usage, errors in a command line.

use std::cmp::Reverse;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use quorate_contract::Language;
use quorate_messages::{keyed, keys, own_decoding_problem, text};

use super::Speech;

/// A text with the English words of these messages in this language, the longer before what they contain.
pub(crate) fn replaced(text: &str, ids: impl Iterator<Item = &'static str>, speech: Speech) -> String {
    let words = ids.filter_map(|id| Some((keyed(Language::En, id)?, keyed(speech, id)?)));
    let mut words: Vec<_> = words.collect();
    words.sort_by_key(|(english, _)| (Reverse(english.len()), *english));
    words.iter().fold(text.to_owned(), |text, (english, ours)| text.replace(english, ours))
}

/// A help or a usage in the language of the command.
pub(super) fn help(text: &str, speech: Speech) -> String {
    match speech.0 {
        Language::En => text.to_owned(),
        Language::Zh => {
            let text = replaced(text, keys(Language::En, "clap"), speech);
            // A Chinese colon takes no space behind it.
            let text = text.replace("：\u{1b}[0m ", "：\u{1b}[0m").replace("： ", "：");
            choices(&text, speech)
        }
    }
}

/// `[possible values: …]`, which may be broken into two lines anywhere.
fn choices(text: &str, speech: Speech) -> String {
    let mut parts = text.split("[possible");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start();
        let space = &part[..part.len() - rest.len()];
        let line = if space.contains('\n') { space } else { "" };
        let rest = rest.trim_start_matches("values:").trim_start_matches(' ');
        out.push_str(&format!("{line}{}{rest}", text!(speech, "cli-usage-possible")));
    }
    out
}

/// The error in the command line, the likely meaning, and the usage, in the language of the command.
pub(crate) fn message(error: &clap::Error, speech: Speech) -> String {
    match speech.0 {
        Language::En => english(error),
        Language::Zh => of_catalogue(error, speech),
    }
}

/// The complete output of clap, with colours.
pub(crate) fn whole(error: &clap::Error, speech: Speech) -> String {
    let rendered = error.render().ansi().to_string();
    if !error.use_stderr() {
        return help(&rendered, speech);
    }
    match (speech.0, error.kind()) {
        (_, ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand) => help(&rendered, speech),
        (Language::En, _) => plain_reason(&plain_ranges(&rendered), error),
        (Language::Zh, _) => {
            let red = anstyle::AnsiColor::Red.on_default().bold();
            let cyan = anstyle::AnsiColor::Cyan.on_default();
            let mut text =
                format!("{red}{}{red:#}{}\n", text!(speech, "cli-usage-error"), of_catalogue(error, speech));
            let near = near(error);
            if !near.is_empty() {
                let tip = text!(speech, "cli-usage-tip");
                text.push_str(&format!("\n{cyan}{tip}{cyan:#}{}\n", text!(speech, "cli-usage-near", near)));
            }
            if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
                text.push_str(&format!("\n{}\n", help(&usage.ansi().to_string(), speech)));
            }
            format!("{text}\n{}\n", text!(speech, "cli-usage-more"))
        }
    }
}

fn english(error: &clap::Error) -> String {
    let text = plain_reason(&plain_ranges(&error.render().to_string()), error);
    let first = text.lines().next().unwrap_or_default();
    first.split_once(": ").map_or(first, |(_, message)| message).to_owned()
}

/// `900 is not in 0..=100`, as people write it.
fn plain_ranges(text: &str) -> String {
    let lines = text.lines().map(|line| {
        match line
            .split_once(" is not in ")
            .and_then(|(before, range)| Some((before, range.split_once("..=")?)))
        {
            Some((before, (from, to))) => {
                let value = before.rfind(": ").map_or("", |at| &before[at + 2..]);
                let before = before.strip_suffix(value).unwrap_or(before);
                format!("{before}write a number in the range {from}-{to}")
            }
            None => line.to_owned(),
        }
    });
    let joined = lines.collect::<Vec<_>>().join("\n");
    if text.ends_with('\n') { joined + "\n" } else { joined }
}

/// The text with what the parser of a number said put in our words.
fn plain_reason(text: &str, error: &clap::Error) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    match source.is_empty() {
        true => text.to_owned(),
        false => text.replace(&source, &reason(&source, Speech(Language::En))),
    }
}

fn near(error: &clap::Error) -> Vec<String> {
    let kinds = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    kinds.into_iter().flat_map(|kind| strings(error, kind)).collect()
}

fn strings(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(one)) => vec![one.clone()],
        Some(ContextValue::Strings(all)) => all.clone(),
        Some(_) | None => Vec::new(),
    }
}

fn number(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::Number(number)) => number.to_string(),
        Some(_) | None => String::new(),
    }
}

fn of_catalogue(error: &clap::Error, speech: Speech) -> String {
    let list = |kind| strings(error, kind).join(text!(speech, "common-list-separator"));
    let argument = help(&list(ContextKind::InvalidArg), speech);
    let value = list(ContextKind::InvalidValue);
    let choices = |kind| match list(kind) {
        all if all.is_empty() => String::new(),
        all => text!(speech, "cli-usage-choices", all),
    };
    match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => {
            text!(speech, "cli-usage-needs-value", argument, choices = choices(ContextKind::ValidValue))
        }
        ErrorKind::InvalidValue => {
            text!(speech, "cli-usage-cannot-be", argument, value, choices = choices(ContextKind::ValidValue))
        }
        ErrorKind::UnknownArgument => text!(speech, "cli-usage-no-argument", argument),
        ErrorKind::InvalidSubcommand => {
            let command = strings(error, ContextKind::InvalidSubcommand).join(" ");
            text!(speech, "cli-usage-no-command", command)
        }
        ErrorKind::NoEquals => text!(speech, "cli-usage-no-equals", argument),
        ErrorKind::ValueValidation => {
            let source = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            text!(speech, "cli-usage-not-valid", argument, value, reason = reason(&source, speech))
        }
        ErrorKind::TooManyValues => text!(speech, "cli-usage-too-many", argument, value),
        ErrorKind::TooFewValues => {
            let (least, given) =
                (number(error, ContextKind::MinValues), number(error, ContextKind::ActualNumValues));
            text!(speech, "cli-usage-too-few", argument, least, given)
        }
        ErrorKind::WrongNumberOfValues => {
            let (wanted, given) =
                (number(error, ContextKind::ExpectedNumValues), number(error, ContextKind::ActualNumValues));
            text!(speech, "cli-usage-wrong-number", argument, wanted, given)
        }
        ErrorKind::ArgumentConflict => {
            let others = help(&list(ContextKind::PriorArg), speech);
            match others == argument || others.is_empty() {
                true => text!(speech, "cli-usage-only-once", argument),
                false => text!(speech, "cli-usage-conflict", argument, others),
            }
        }
        ErrorKind::MissingRequiredArgument => text!(speech, "cli-usage-missing", argument),
        ErrorKind::MissingSubcommand => {
            text!(speech, "cli-usage-command-missing", choices = choices(ContextKind::ValidSubcommand))
        }
        ErrorKind::InvalidUtf8 => text!(speech, "cli-usage-not-utf-8").to_owned(),
        _ => english(error),
    }
}

/// The reason why a value was refused, from the errors of the number parsers.
fn reason(source: &str, speech: Speech) -> String {
    if let Some((from, to)) = source.split_once(" is not in ").and_then(|(_, range)| range.split_once("..="))
    {
        return text!(speech, "cli-usage-range", from, to);
    }
    match source {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            text!(speech, "cli-usage-whole-number")
        }
        "number too large to fit in target type" => text!(speech, "cli-usage-too-large"),
        "number too small to fit in target type" => text!(speech, "cli-usage-too-small"),
        "invalid float literal" | "cannot parse float from empty string" => text!(speech, "cli-usage-number"),
        other => {
            let own = own_decoding_problem(other);
            return own.map_or_else(|| other.to_owned(), |own| own.text(speech.0));
        }
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::language::translated;

    fn said(words: &[&str], language: Language) -> String {
        let command = translated(crate::args::Args::command(), Speech(language));
        let error = command.try_get_matches_from(words).expect_err("it is wrong, or asks for help");
        anstream::adapter::strip_str(&whole(&error, Speech(language))).to_string()
    }

    #[test]
    fn nothing_of_clap_s_own_is_left_in_the_chinese_help() {
        let english = [
            "Usage",
            "Options",
            "Arguments",
            "Commands:",
            "Print ",
            "possible",
            "default:",
            "env:",
            "[OPTIONS",
        ];
        fn look(command: &clap::Command, path: &[String], english: &[&str]) {
            let words: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
            let help = said(&words, Language::Zh);
            for word in english {
                assert!(!help.contains(word), "{word:?} in {path:?}:\n{help}");
            }
            for sub in command.get_subcommands() {
                let path = [path, &[sub.get_name().to_owned()]].concat();
                look(sub, &path, english);
            }
        }
        look(&crate::args::Args::command(), &["quorate".to_owned()], &english);
    }

    #[test]
    fn every_word_that_is_replaced_is_one_of_the_help() {
        fn add(command: &clap::Command, shown: &mut String) {
            shown.push_str(&command.clone().render_long_help().to_string());
            shown.push_str(&command.clone().render_help().to_string());
            command.get_subcommands().for_each(|sub| add(sub, shown));
        }
        let (mut command, mut shown) = (crate::args::Args::command(), String::new());
        command.build();
        add(&command, &mut shown);
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let shown = bare(&shown);
        for id in keys(Language::En, "clap") {
            let word = keyed(Language::En, id).expect("a text");
            assert!(shown.contains(&bare(word)), "{id}: {word} is shown nowhere");
        }
    }

    #[test]
    fn what_a_value_means_is_said_in_both_languages() {
        fn look(command: &clap::Command, known: &[&str]) {
            for argument in command.get_arguments() {
                for value in argument.get_possible_values() {
                    // The languages have their own names.
                    let Some(help) = value.get_help().map(ToString::to_string) else { continue };
                    let is_known = known.contains(&help.as_str()) || argument.get_id() == "lang";
                    assert!(is_known, "{} {}: {help}", command.get_name(), argument.get_id());
                }
            }
            command.get_subcommands().for_each(|sub| look(sub, known));
        }
        let known: Vec<&str> = keys(Language::En, "clap").filter_map(|id| keyed(Language::En, id)).collect();
        look(&crate::args::Args::command(), &known);
    }

    #[test]
    fn what_is_wrong_is_said_in_both_languages() {
        let cases: [(&[&str], &str, &str); 10] = [
            (&["list", "--nonsense"], "没有参数 --nonsense", "unexpected argument '--nonsense' found"),
            (&["lst"], "没有命令 lst", "unrecognized subcommand 'lst'"),
            (
                &["run", "A?", "--threshold", "900"],
                "请写一个 0-100 之间的数",
                "write a number in the range 0-100",
            ),
            (&["whatif", "last", "--threshold", "900"], "0-100 之间", "range 0-100"),
            (&["run", "A?", "--rounds", "many"], "请写一个整数", "write a whole number"),
            (&["replay", "last", "--speed", "fast"], "请写一个数字", "write a number"),
            (
                &["run", "A?", "--pace", "slow"],
                "可选：live、brisk、instant",
                "[possible values: live, brisk, instant]",
            ),
            (&["resume"], "缺少 <ID>", "required arguments were not provided"),
            (&["run", "A?", "--agent", "x", "-p", "2"], "同时使用", "cannot be used with"),
            (&["run", "A?", "--seed"], "需要一个值", "a value is required"),
        ];
        for (words, zh, en) in cases {
            let words = [&["quorate"], words].concat();
            let (chinese, english) = (said(&words, Language::Zh), said(&words, Language::En));
            assert!(chinese.contains(zh) && chinese.starts_with("错误："), "{words:?}: {chinese}");
            assert!(english.contains(en), "{words:?}: {english}");
            for word in ["Usage", "error", "For more", "tip:"] {
                assert!(!chinese.contains(word), "{word} in {chinese}");
            }
        }
    }
}
