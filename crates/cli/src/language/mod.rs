//! In which language the command speaks, and its help in other languages than English.

mod usage;

use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};

use clap::Command;
use quorate_app::language_of;
use quorate_contract::Language;
use quorate_messages::keyed;

pub(crate) use self::usage::{message, replaced, whole};
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
    let hint = "(Chinese, because LANG names no language. For English: QUORATE_LANG=en)";
    // It is no reason to end that this cannot be written.
    _ = writeln!(anstream::stderr(), "{hint}");
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
    let store = place.has_database().then(|| place.read().ok())??;
    let id = store.find(id).await.ok()?;
    store.language_of(&id).await.map(Speech)
}

/// The help in the language of the command. The English one stands beside the arguments, from where a test copies it
/// into the catalogue; the others stand there, each text under the path of its command: `help-agents-create-about`.
pub(crate) fn translated(command: Command, speech: Speech) -> Command {
    match speech.0 {
        Language::En => command,
        Language::Zh => in_language(command, speech, "help"),
    }
}

fn in_language(mut command: Command, speech: Speech, path: &str) -> Command {
    let told = |name: &str| keyed(speech, &format!("{path}-{name}"));
    if let Some(about) = told("about") {
        command = command.about(about);
    }
    if let Some(after) = told("after") {
        command = command.after_help(after);
    }
    command = command.mut_args(|argument| {
        let names = argument.get_value_names().unwrap_or_default().iter();
        let names: Vec<String> = names.map(|name| value_name(name, speech)).collect();
        let argument = match names.is_empty() {
            true => argument,
            false => argument.value_names(names),
        };
        match told(argument.get_id().as_str()) {
            Some(help) => argument.help(help),
            None => argument,
        }
    });
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let path = format!("{path}-{name}");
        command = command.mut_subcommand(name, |sub| in_language(sub, speech, &path));
    }
    command
}

/// What stands for a value in a usage; a name that is the same in every language is left out of the catalogue.
fn value_name(name: &str, speech: Speech) -> String {
    keyed(speech, &value_id(name)).unwrap_or(name).to_owned()
}

/// `help-value-provider-name` for `PROVIDER/NAME`.
fn value_id(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.map(str::to_ascii_lowercase);
    ["help".to_owned(), "value".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clap::CommandFactory;
    use quorate_messages::keys;

    use super::*;

    /// Values whose name is the same in every language.
    const SAME: [&str; 3] = ["ID", "URL", "SHELL"];

    /// Every text of the English help under its id in the catalogue.
    fn gather(command: &Command, path: &str, texts: &mut BTreeMap<String, String>) {
        let mut found: Vec<_> = command
            .get_arguments()
            .filter(|argument| {
                let id = argument.get_id().as_str();
                !(id == "help" || (id == "version" && path == "help") || (id == "db" && path != "help"))
            })
            .map(|argument| (argument.get_id().to_string(), argument.get_help()))
            .collect();
        found.push(("about".to_owned(), command.get_about()));
        if command.get_after_help().is_some() {
            found.push(("after".to_owned(), command.get_after_help()));
        }
        for (name, text) in found {
            texts.insert(format!("{path}-{name}"), text.map(ToString::to_string).unwrap_or_default());
        }
        for argument in command.get_arguments().filter(|argument| argument.get_action().takes_values()) {
            for name in argument.get_value_names().unwrap_or_default() {
                if name.len() > 1 && !SAME.iter().any(|same| name.split('|').next() == Some(*same)) {
                    texts.insert(value_id(name), name.to_string());
                }
            }
        }
        for sub in command.get_subcommands() {
            gather(sub, &format!("{path}-{}", sub.get_name()), texts);
        }
    }

    #[test]
    fn the_english_help_of_the_catalogue_is_that_of_the_arguments() {
        let mut texts = BTreeMap::new();
        gather(&crate::args::Args::command(), "help", &mut texts);
        if std::env::var_os("QUORATE_BLESS").is_some() {
            let head = "### The help of the command line: `help-COMMAND-ARGUMENT`; a test writes this file from the arguments.\n";
            let entry = |(id, text): (&String, &String)| {
                let text = text.replace('{', "\u{1}").replace('}', "{\"}\"}").replace('\u{1}', "{\"{\"}");
                match text.contains('\n') {
                    true => {
                        format!("{id} =\n    {}\n", text.replace('\n', "\n    ").replace("\n    \n", "\n\n"))
                    }
                    false => format!("{id} = {text}\n"),
                }
            };
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../messages/locales/en/help.ftl");
            let text = texts.iter().map(entry).collect::<String>();
            std::fs::write(file, format!("{head}\n{text}")).expect("the catalogue");
            return;
        }
        let known = keys(Language::En, "help").map(|id| (id, keyed(Language::En, id).unwrap_or_default()));
        let known: BTreeMap<_, _> = known.collect();
        let texts: BTreeMap<_, _> = texts.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
        assert_eq!(
            known, texts,
            "write it anew: QUORATE_BLESS=1 cargo test --workspace --bin quorate english_help"
        );
    }

    #[test]
    fn no_text_of_the_help_is_left_over() {
        let help = translated(crate::args::Args::command(), Speech(Language::Zh));
        fn add(help: &Command, shown: &mut String) {
            shown.push_str(&help.clone().render_long_help().to_string());
            help.get_subcommands().for_each(|sub| add(sub, shown));
        }
        let mut shown = String::new();
        add(&help, &mut shown);
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let shown = bare(&shown);
        for id in keys(Language::Zh, "help") {
            let text = keyed(Language::Zh, id).expect("a text");
            assert!(shown.contains(&bare(text)), "{id} is shown nowhere");
        }
    }
}
