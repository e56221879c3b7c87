//! In which language the command speaks, and its help in Chinese.

mod usage;

use std::sync::atomic::{AtomicU8, Ordering};

use clap::Command;
use quorate_app::language_of;
use quorate_contract::{Event, EventBody, Language};

pub(crate) use self::usage::{message, whole};
use crate::place::Place;
pub(crate) use quorate_app::Speech;

/// The language of this command; 0 before it is decided.
static CURRENT: AtomicU8 = AtomicU8::new(0);

/// In which language this command speaks.
pub(crate) fn current() -> Speech {
    match CURRENT.load(Ordering::Relaxed) {
        2 => Speech(Language::En),
        _ => Speech(Language::Zh),
    }
}

/// From now on this command speaks so.
pub(crate) fn speak(speech: Speech) -> Speech {
    CURRENT.store(speech.pick(1, 2), Ordering::Relaxed);
    speech
}

/// How to change the language, for a reader who may not understand the guessed one.
pub(crate) fn say_how_to_change() {
    anstream::eprintln!("(Chinese, because LANG names no language. For English: QUORATE_LANG=en)");
}

/// The language of the topic that these words ask a meeting about, where they do.
pub(crate) fn of_topic(words: &[String]) -> Option<Speech> {
    let run = words.iter().position(|word| word == "run")?;
    let texts = words[run + 1..].iter().filter(|word| !word.starts_with('-'));
    let topic = texts.max_by_key(|word| word.split_whitespace().count() + usize::from(!word.is_ascii()))?;
    let is_text = topic.contains(char::is_whitespace) || !topic.is_ascii() || topic.ends_with('?');
    is_text.then(|| Speech(language_of(topic)))
}

/// The language of the meeting that is named, where there is one.
pub(crate) async fn of_meeting(place: &Place, id: &str) -> Option<Speech> {
    let store = place.db.exists().then(|| place.read().ok())??;
    let id = store.find(id).await.ok()?;
    let lines = store.lines(&id, 0).await.ok()?;
    lines.iter().find_map(|(_, line)| match Event::from_json(line).ok()?.body {
        EventBody::MeetingCreated { language, .. } => Some(Speech(language)),
        _ => None,
    })
}

/// The help in the language of the command. The English one stands beside the arguments; the
/// Chinese one in `zh.txt`, a line `path = text` each.
pub(crate) fn translated(command: Command, speech: Speech) -> Command {
    match speech.0 {
        Language::En => command,
        Language::Zh => in_chinese(command, ""),
    }
}

const ZH: &str = include_str!("zh.txt");

fn chinese(path: &str) -> Option<String> {
    let line = ZH.lines().find_map(|line| line.strip_prefix(path)?.strip_prefix(" = "))?;
    Some(line.replace("\\n", "\n"))
}

fn in_chinese(mut command: Command, path: &str) -> Command {
    let under = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    if let Some(about) = chinese(&under("about")) {
        command = command.about(about);
    }
    if let Some(after) = chinese(&under("after")) {
        command = command.after_help(after);
    }
    command = command.mut_args(|argument| {
        let names: Vec<&str> =
            argument.get_value_names().unwrap_or_default().iter().map(|n| n.as_str()).collect();
        let names: Vec<String> = names.into_iter().map(value_name).collect();
        let argument = match names.is_empty() {
            true => argument,
            false => argument.value_names(names),
        };
        match chinese(&under(argument.get_id().as_str())) {
            Some(help) => argument.help(help),
            None => argument,
        }
    });
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let path = under(&name);
        command = command.mut_subcommand(name, |sub| in_chinese(sub, &path));
    }
    command
}

/// The Chinese names of values in a usage. Names that are the same in both languages are left out.
const VALUE_NAMES: [(&str, &str); 58] = [
    ("ACCOUNT", "账户"),
    ("ACTION", "操作"),
    ("ADDRESS", "地址"),
    ("ADDRESS|CIDR", "地址|网段"),
    ("AGENT", "代理"),
    ("AMOUNT", "金额"),
    ("BOOL", "是否"),
    ("COMMAND", "命令"),
    ("CURSOR", "游标"),
    ("DATE", "日期"),
    ("DAYS", "天数"),
    ("EFFORT", "力度"),
    ("FACTOR", "倍数"),
    ("FILE", "文件"),
    ("FILTER", "筛选"),
    ("FOLDER", "目录"),
    ("FORMAT", "形式"),
    ("FROM", "来源"),
    ("HEADER", "头部"),
    ("HOST", "主机名"),
    ("KEY=VALUE", "键=值"),
    ("KIND", "类型"),
    ("KIND=SECONDS", "类型=秒数"),
    ("LANG", "语言"),
    ("LEVELS", "级别"),
    ("LINE", "内容"),
    ("LOG_FORMAT", "形式"),
    ("MINUTES", "分钟"),
    ("MODE", "方式"),
    ("NAME", "名字"),
    ("NAME=LENGTH", "名字=长度"),
    ("NOTE", "说明"),
    ("N|NAMES", "人数|名字"),
    ("PACE", "速度"),
    ("PATH", "路径"),
    ("PORT", "端口"),
    ("PRESET", "厂商"),
    ("PROVIDER", "供应商"),
    ("PROVIDER/NAME", "供应商/名称"),
    ("PROVIDER/NAME|none", "供应商/名称|none"),
    ("ROLE", "角色"),
    ("SCOPE", "权限"),
    ("SCORE", "分数"),
    ("SHARE", "比例"),
    ("STYLE", "风格"),
    ("TEXT", "文字"),
    ("SEQ", "事件号"),
    ("SHELL", "shell"),
    ("TITLE", "标题"),
    ("TO", "目标"),
    ("TOKEN", "令牌"),
    ("TOPIC", "主题"),
    ("VARIABLE", "变量名"),
    ("WHO", "谁"),
    ("WORDS", "词"),
    ("JSON", "正文"),
    ("METHOD", "方法"),
    ("NAME: VALUE", "名称: 值"),
];

fn value_name(name: &str) -> String {
    let known = VALUE_NAMES.iter().find(|(english, _)| *english == name);
    known.map_or(name, |(_, chinese)| chinese).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn missing(command: &Command, path: &str, found: &mut Vec<String>) {
        let under = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let mut names: Vec<String> = command.get_arguments().map(|a| a.get_id().to_string()).collect();
        names.retain(|name| !(name == "help" || name == "version" || (name == "db" && !path.is_empty())));
        names.push("about".to_owned());
        if command.get_after_help().is_some() {
            names.push("after".to_owned());
        }
        found.extend(names.iter().map(|name| under(name)).filter(|path| chinese(path).is_none()));
        for sub in command.get_subcommands() {
            missing(sub, &under(sub.get_name()), found);
        }
    }

    #[test]
    fn all_of_the_help_is_there_in_chinese() {
        let mut found = Vec::new();
        missing(&crate::args::Args::command(), "", &mut found);
        assert_eq!(found, Vec::<String>::new(), "add these to speech/zh.txt");
    }

    #[test]
    fn what_stands_for_a_value_is_chinese_or_the_same_in_both() {
        fn look(command: &Command, found: &mut Vec<String>) {
            for argument in command.get_arguments().filter(|argument| argument.get_action().takes_values()) {
                let names = argument.get_value_names().unwrap_or_default().iter().map(ToString::to_string);
                let english = names.filter(|name| name.len() > 3 && name.is_ascii() && name != "shell");
                found.extend(english.filter(|name| !["URL|none"].contains(&name.as_str())));
            }
            command.get_subcommands().for_each(|sub| look(sub, found));
        }
        let mut found = Vec::new();
        look(&translated(crate::args::Args::command(), Speech(Language::Zh)), &mut found);
        assert_eq!(found, Vec::<String>::new(), "add these to VALUE_NAMES");
    }

    #[test]
    fn no_line_of_the_chinese_help_is_left_over() {
        let help = translated(crate::args::Args::command(), Speech(Language::Zh));
        fn add(help: &Command, shown: &mut String) {
            shown.push_str(&help.clone().render_long_help().to_string());
            help.get_subcommands().for_each(|sub| add(sub, shown));
        }
        let mut shown = String::new();
        add(&help, &mut shown);
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let shown = bare(&shown);
        for line in ZH.lines().filter(|line| !line.is_empty()) {
            let (path, text) = line.split_once(" = ").expect("a line is `path = text`");
            assert!(shown.contains(&bare(&text.replace("\\n", "\n"))), "{path} is shown nowhere");
        }
    }
}
