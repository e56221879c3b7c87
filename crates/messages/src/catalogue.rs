//! The messages of each language. A file is parsed when one of its messages is asked for first: a process needs few of them.

use std::collections::HashMap;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

use crate::language::Language;
use crate::message::Value;

/// Declares the files of the catalogue, and embeds those of each language; an id begins with the name of its file.
macro_rules! files {
    ($($file:literal)*) => {
        /// The files that each language has, without `.ftl`.
        pub const FILES: &[&str] = &[$($file),*];

        const ZH: &[&str] = &[$(include_str!(concat!("../locales/zh/", $file, ".ftl"))),*];
        const EN: &[&str] = &[$(include_str!(concat!("../locales/en/", $file, ".ftl"))),*];
    };
}

files! {
    "a2a"
    "answer"
    "app"
    "clap"
    "cli"
    "common"
    "contract"
    "engine"
    "failure"
    "health"
    "help"
    "labels"
    "line"
    "mcp"
    "note"
    "prices"
    "print"
    "problem"
    "question"
    "records"
    "refusal"
    "remedy"
    "report"
    "rules"
    "runners"
    "server"
    "store"
    "turn"
    "views"
}

/// The files whose messages stand in events. The page reads these, too; a message that is none of theirs is read as
/// one of a newer version.
pub const EVENT_FILES: &[&str] = &["answer", "failure", "note", "question", "remedy"];

/// The files whose messages [`keyed`] or a template finds; the crate that composes their ids tests that none is missing or unused.
pub const KEYED: &[&str] = &["clap", "help", "line", "prices", "problem", "report", "rules", "turn"];

/// One file in one language.
struct Catalogue {
    bundle: FluentBundle<FluentResource>,
    /// The ids of all its messages.
    ids: Vec<&'static str>,
    /// Messages without fields, which are the same each time.
    fixed: HashMap<&'static str, &'static str>,
}

impl Catalogue {
    fn read(language: Language, source: &'static str) -> Self {
        let tag = language.tag().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        // The marks of direction would travel into files and commands that people copy.
        bundle.set_use_isolating(false);
        // What parses is used; a test refuses files in which something does not.
        let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
        let ids: Vec<_> = source.lines().filter_map(id_of).collect();
        let mut fixed = HashMap::new();
        for id in ids.iter().copied() {
            let mut errors = Vec::new();
            let Some(pattern) = bundle.get_message(id).and_then(|message| message.value()) else { continue };
            let text = bundle.format_pattern(pattern, None, &mut errors).into_owned();
            if errors.is_empty() {
                // Once for each message of the catalogue, which lives as long as the program.
                fixed.insert(id, &*text.leak());
            }
        }
        Self { bundle, ids, fixed }
    }
}

/// The id of the message that begins on a line.
fn id_of(line: &str) -> Option<&str> {
    let starts = line.starts_with(|first: char| first.is_ascii_alphabetic());
    starts.then(|| line.split_once('=')).flatten().map(|(id, _)| id.trim_end())
}

/// The file of this name; `None` when there is none.
fn file(language: Language, name: &str) -> Option<&'static Catalogue> {
    static ZH_FILES: [OnceLock<Catalogue>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    static EN_FILES: [OnceLock<Catalogue>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    let number = FILES.binary_search(&name).ok()?;
    let (file, source) = match language {
        Language::Zh => (&ZH_FILES[number], ZH[number]),
        Language::En => (&EN_FILES[number], EN[number]),
    };
    Some(file.get_or_init(|| Catalogue::read(language, source)))
}

/// The file that a message is in: its id begins with the file's name.
fn file_of(language: Language, id: &str) -> Option<&'static Catalogue> {
    file(language, id.split_once('-')?.0)
}

/// The text of a message without fields. One that is unknown is its own text: a test holds every id that the sources
/// use against the catalogue.
pub fn fixed(language: impl Into<Language>, id: &'static str) -> &'static str {
    keyed(language, id).unwrap_or(id)
}

/// The text of a message whose id is composed while the program runs; its file is one of [`KEYED`].
pub fn keyed(language: impl Into<Language>, id: &str) -> Option<&'static str> {
    file_of(language.into(), id)?.fixed.get(id).copied()
}

/// The ids of the messages without fields in a file.
pub fn keys(language: impl Into<Language>, name: &str) -> impl Iterator<Item = &'static str> {
    file(language.into(), name).into_iter().flat_map(|file| file.fixed.keys().copied())
}

/// The ids of all messages in a file, with fields and without.
pub fn ids(language: impl Into<Language>, name: &str) -> impl Iterator<Item = &'static str> {
    file(language.into(), name).into_iter().flat_map(|file| file.ids.iter().copied())
}

/// Whether there is a message with this id.
pub(crate) fn is_known(id: &str) -> bool {
    file_of(Language::En, id).is_some_and(|file| file.bundle.has_message(id))
}

/// Whether the message stands in one of the [`EVENT_FILES`].
pub(crate) fn is_of_events(id: &str) -> bool {
    let of = |file: &&str| id.strip_prefix(*file).is_some_and(|rest| rest.starts_with('-'));
    EVENT_FILES.iter().any(of) && is_known(id)
}

/// The text of a message with these fields. One that is unknown is its id with them.
pub fn filled<N: AsRef<str>>(language: impl Into<Language>, id: &str, fields: &[(N, Value)]) -> String {
    let language = language.into();
    let Some(file) = file_of(language, id) else { return unknown(language, id, fields) };
    if let Some(text) = file.fixed.get(id) {
        return (*text).to_owned();
    }
    let Some(pattern) = file.bundle.get_message(id).and_then(|message| message.value()) else {
        return unknown(language, id, fields);
    };
    let mut values = FluentArgs::with_capacity(fields.len());
    for (name, value) in fields {
        match value {
            Value::Number(number) => values.set(name.as_ref(), *number),
            other => values.set(name.as_ref(), text_of(language, other)),
        }
    }
    file.bundle.format_pattern(pattern, Some(&values), &mut Vec::new()).into_owned()
}

/// What is said of a message that this version does not know: its id and its fields.
pub(crate) fn unknown<N: AsRef<str>>(language: Language, id: &str, fields: &[(N, Value)]) -> String {
    let fields =
        fields.iter().map(|(name, value)| format!("{}: {}", name.as_ref(), text_of(language, value)));
    match fields.collect::<Vec<_>>() {
        fields if fields.is_empty() => id.to_owned(),
        fields => format!("{id} ({})", fields.join("; ")),
    }
}

fn text_of(language: Language, value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(items) => items.join(fixed(language, "common-list-separator")),
        Value::Message(message) => message.text(language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_names_and_hold_only_ids_that_begin_with_them() {
        assert!(FILES.is_sorted(), "they are found by binary search");
        for language in Language::ALL {
            for name in FILES {
                let file = file(language, name).expect("a file");
                assert!(!file.ids.is_empty(), "{name}");
                for id in &file.ids {
                    assert_eq!(id.split_once('-').map(|(first, _)| first), Some(*name), "{id}");
                }
            }
            assert!(file(language, "none").is_none() && file_of(language, "none").is_none());
        }
    }
}
