//! In which language the command speaks, and its help in Chinese.

use clap::Command;
use quorate_core::Language;

pub(crate) use quorate_service::Speech;

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
    command = command.mut_args(|argument| match chinese(&under(argument.get_id().as_str())) {
        Some(help) => argument.help(help),
        None => argument,
    });
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let path = under(&name);
        command = command.mut_subcommand(name, |sub| in_chinese(sub, &path));
    }
    command
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
