//! The texts of clap in Chinese: headings, usage, errors in a command line.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use quorate_contract::Language;

use super::Speech;

/// Clap's own words in a help text, and in ours. The longer before what they contain.
const WORDS: [(&str, &str); 23] = [
    ("Usage:", "用法："),
    ("Commands:", "命令："),
    ("Arguments:", "参数："),
    ("Options:", "选项："),
    ("Possible values:", "可选值："),
    ("[default:", "[默认："),
    ("[env:", "[环境变量："),
    ("[aliases:", "[别名："),
    ("[alias:", "[别名："),
    ("[OPTIONS]", "[选项]"),
    ("[COMMAND]", "[命令]"),
    ("<COMMAND>", "<命令>"),
    ("Print this message or the help of the given subcommand(s)", "显示本说明，或某个命令的说明"),
    ("Print help for the subcommand(s)", "显示命令的说明"),
    ("Print help (see more with '--help')", "显示说明（--help 更详细）"),
    ("Print help (see a summary with '-h')", "显示说明（-h 只列概要）"),
    ("Print help", "显示说明"),
    ("Print version", "显示版本"),
    ("As fast as a person reads", "按人的阅读速度"),
    ("A few milliseconds each", "每次几毫秒"),
    ("At once", "立即"),
    ("For people", "给人看"),
    ("An object a line, for programs", "每行一个对象，给程序看"),
];

/// A help or a usage in the language of the command.
pub(super) fn help(text: &str, speech: Speech) -> String {
    match speech.0 {
        Language::En => text.to_owned(),
        Language::Zh => {
            let text = WORDS.iter().fold(text.to_owned(), |text, (word, ours)| text.replace(word, ours));
            // A Chinese colon takes no space behind it.
            let text = text.replace("：\u{1b}[0m ", "：\u{1b}[0m").replace("： ", "：");
            choices(&text)
        }
    }
}

/// `[possible values: …]`, which may be broken into two lines anywhere.
fn choices(text: &str) -> String {
    let mut parts = text.split("[possible");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start();
        let space = &part[..part.len() - rest.len()];
        let line = if space.contains('\n') { space } else { "" };
        out.push_str(&format!("{line}[可选：{}", rest.trim_start_matches("values:").trim_start_matches(' ')));
    }
    out
}

/// The error in the command line, the likely meaning, and the usage, in the language of the command.
pub(crate) fn message(error: &clap::Error, speech: Speech) -> String {
    match speech.0 {
        Language::En => english(error),
        Language::Zh => chinese(error),
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
        (Language::En, _) => plain_ranges(&rendered),
        (Language::Zh, _) => {
            let red = anstyle::AnsiColor::Red.on_default().bold();
            let cyan = anstyle::AnsiColor::Cyan.on_default();
            let mut text = format!("{red}错误：{red:#}{}\n", chinese(error));
            let near = near(error);
            if !near.is_empty() {
                text.push_str(&format!("\n{cyan}建议：{cyan:#}相近的有 {}\n", near.join("、")));
            }
            if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
                text.push_str(&format!("\n{}\n", help(&usage.ansi().to_string(), speech)));
            }
            text + "\n更多说明见 --help。\n"
        }
    }
}

fn english(error: &clap::Error) -> String {
    let text = plain_ranges(&error.render().to_string());
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

fn chinese(error: &clap::Error) -> String {
    let argument = help(&strings(error, ContextKind::InvalidArg).join("、"), Speech(Language::Zh));
    let value = strings(error, ContextKind::InvalidValue).join("、");
    let choices = |kind| match strings(error, kind) {
        all if all.is_empty() => String::new(),
        all => format!("（可选：{}）", all.join("、")),
    };
    match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("{argument} 需要一个值{}", choices(ContextKind::ValidValue))
        }
        ErrorKind::InvalidValue => {
            format!("{argument} 不能是“{value}”{}", choices(ContextKind::ValidValue))
        }
        ErrorKind::UnknownArgument => format!("没有参数 {argument}"),
        ErrorKind::InvalidSubcommand => {
            format!("没有命令 {}", strings(error, ContextKind::InvalidSubcommand).join(" "))
        }
        ErrorKind::NoEquals => format!("{argument} 的值要用等号连接"),
        ErrorKind::ValueValidation => {
            let source = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            format!("{argument} 不能是“{value}”：{}", reason(&source))
        }
        ErrorKind::TooManyValues => format!("{argument} 不再接受更多的值：“{value}”"),
        ErrorKind::TooFewValues => {
            let (least, given) =
                (number(error, ContextKind::MinValues), number(error, ContextKind::ActualNumValues));
            format!("{argument} 至少需要 {least} 个值，只给了 {given} 个")
        }
        ErrorKind::WrongNumberOfValues => {
            let (wanted, given) =
                (number(error, ContextKind::ExpectedNumValues), number(error, ContextKind::ActualNumValues));
            format!("{argument} 需要 {wanted} 个值，给了 {given} 个")
        }
        ErrorKind::ArgumentConflict => {
            let others = help(&strings(error, ContextKind::PriorArg).join("、"), Speech(Language::Zh));
            match others == argument || others.is_empty() {
                true => format!("{argument} 不能写多次"),
                false => format!("{argument} 不能与 {others} 同时使用"),
            }
        }
        ErrorKind::MissingRequiredArgument => format!("缺少 {argument}"),
        ErrorKind::MissingSubcommand => {
            format!("还需要一个命令{}", choices(ContextKind::ValidSubcommand))
        }
        ErrorKind::InvalidUtf8 => "命令行里有不是 UTF-8 的文字".to_owned(),
        _ => english(error),
    }
}

/// The reason why a value was refused, from the errors of the number parsers.
fn reason(source: &str) -> String {
    if let Some((from, to)) = source.split_once(" is not in ").and_then(|(_, range)| range.split_once("..="))
    {
        return format!("请写一个 {from}-{to} 之间的数");
    }
    match source {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "请写一个整数".to_owned()
        }
        "number too large to fit in target type" => "这个数太大".to_owned(),
        "number too small to fit in target type" => "这个数太小".to_owned(),
        "invalid float literal" | "cannot parse float from empty string" => "请写一个数字".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::speech::translated;

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
    fn what_is_wrong_is_said_in_both_languages() {
        let cases: [(&[&str], &str, &str); 9] = [
            (&["list", "--nonsense"], "没有参数 --nonsense", "unexpected argument '--nonsense' found"),
            (&["lst"], "没有命令 lst", "unrecognized subcommand 'lst'"),
            (
                &["run", "A?", "--threshold", "900"],
                "请写一个 0-100 之间的数",
                "write a number in the range 0-100",
            ),
            (&["whatif", "last", "--threshold", "900"], "0-100 之间", "range 0-100"),
            (&["run", "A?", "--rounds", "many"], "请写一个整数", "invalid digit"),
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
