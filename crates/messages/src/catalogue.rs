//! The messages of one language, parsed once.

use std::collections::HashMap;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

use crate::language::Language;
use crate::message::Value;

/// Declares the files of the catalogue, and embeds those of each language; an id begins with the name of its file.
macro_rules! files {
    ($($file:literal)*) => {
        /// The files that each language has, without `.ftl`.
        pub const FILES: &[&str] = &[$($file),*];

        fn sources(language: Language) -> Vec<&'static str> {
            match language {
                Language::Zh => vec![$(include_str!(concat!("../locales/zh/", $file, ".ftl"))),*],
                Language::En => vec![$(include_str!(concat!("../locales/en/", $file, ".ftl"))),*],
            }
        }
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
pub const KEYED: &[&str] = &["clap", "help", "line", "problem", "report", "rules", "turn"];

struct Catalogue {
    bundle: FluentBundle<FluentResource>,
    /// The ids of all messages.
    ids: Vec<&'static str>,
    /// Messages without fields, which are the same each time.
    fixed: HashMap<String, &'static str>,
}

impl Catalogue {
    fn read(language: Language) -> Self {
        let tag = language.tag().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        // The marks of direction would travel into files and commands that people copy.
        bundle.set_use_isolating(false);
        let mut ids = Vec::new();
        for source in sources(language) {
            // What parses is used; a test refuses files in which something does not.
            let resource =
                FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource);
            ids.extend(source.lines().filter_map(id_of));
            bundle.add_resource_overriding(resource);
        }
        let mut fixed = HashMap::new();
        for id in ids.iter().copied() {
            let mut errors = Vec::new();
            let Some(pattern) = bundle.get_message(id).and_then(|message| message.value()) else { continue };
            let text = bundle.format_pattern(pattern, None, &mut errors).into_owned();
            if errors.is_empty() {
                // Once for each message of the catalogue, which lives as long as the program.
                fixed.insert(id.to_owned(), &*text.leak());
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

static ZH: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(Language::Zh));
static EN: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(Language::En));

fn catalogue(language: Language) -> &'static Catalogue {
    match language {
        Language::Zh => &ZH,
        Language::En => &EN,
    }
}

/// The text of a message without fields. One that is unknown is its own text: a test holds every id that the sources
/// use against the catalogue.
pub fn fixed(language: impl Into<Language>, id: &'static str) -> &'static str {
    catalogue(language.into()).fixed.get(id).copied().unwrap_or(id)
}

/// The text of a message whose id is composed while the program runs; its file is one of [`KEYED`].
pub fn keyed(language: impl Into<Language>, id: &str) -> Option<&'static str> {
    catalogue(language.into()).fixed.get(id).copied()
}

/// The ids of the messages without fields in a file.
pub fn keys(language: impl Into<Language>, file: &str) -> impl Iterator<Item = &'static str> {
    let ids = catalogue(language.into()).fixed.keys().map(String::as_str);
    ids.filter(move |id| id.strip_prefix(file).is_some_and(|rest| rest.starts_with('-')))
}

/// The ids of all messages in a file, with fields and without.
pub fn ids(language: impl Into<Language>, file: &str) -> impl Iterator<Item = &'static str> {
    let ids = catalogue(language.into()).ids.iter().copied();
    ids.filter(move |id| id.strip_prefix(file).is_some_and(|rest| rest.starts_with('-')))
}

/// Whether there is a message with this id.
pub(crate) fn is_known(id: &str) -> bool {
    catalogue(Language::En).bundle.has_message(id)
}

/// Whether the message stands in one of the [`EVENT_FILES`].
pub(crate) fn is_of_events(id: &str) -> bool {
    let of = |file: &&str| id.strip_prefix(*file).is_some_and(|rest| rest.starts_with('-'));
    EVENT_FILES.iter().any(of) && is_known(id)
}

/// The text of a message with these fields. One that is unknown is its id with them.
pub fn filled<N: AsRef<str>>(language: impl Into<Language>, id: &str, fields: &[(N, Value)]) -> String {
    let language = language.into();
    let catalogue = catalogue(language);
    if let Some(text) = catalogue.fixed.get(id) {
        return (*text).to_owned();
    }
    let Some(pattern) = catalogue.bundle.get_message(id).and_then(|message| message.value()) else {
        return unknown(language, id, fields);
    };
    let mut values = FluentArgs::with_capacity(fields.len());
    for (name, value) in fields {
        match value {
            Value::Number(number) => values.set(name.as_ref(), *number),
            other => values.set(name.as_ref(), text_of(language, other)),
        }
    }
    catalogue.bundle.format_pattern(pattern, Some(&values), &mut Vec::new()).into_owned()
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
