//! Minutes as a text that a person can read and edit: five headings, and items with what they rest on.

use quorate_contract::{Language, MessageId, Minutes, MinutesItem};
use quorate_messages::{Message, message, text};

use crate::language::Speech;

/// The headings, in their order.
fn heads(language: impl Into<Language>) -> [&'static str; 5] {
    let language = language.into();
    [
        text!(language, "cli-form-record"),
        text!(language, "cli-form-summary"),
        text!(language, "cli-form-decisions"),
        text!(language, "cli-form-actions"),
        text!(language, "cli-form-risks"),
    ]
}

/// The fields of an item.
fn fields(language: impl Into<Language>) -> [&'static str; 3] {
    let language = language.into();
    [text!(language, "cli-form-who"), text!(language, "cli-form-from"), text!(language, "cli-form-quote")]
}

/// Which heading this is, in any language.
fn head_of(line: &str) -> Option<usize> {
    Language::ALL.into_iter().find_map(|language| heads(language).iter().position(|head| line == *head))
}

/// Which field this is, in any language.
fn field_of(name: &str) -> Option<usize> {
    Language::ALL.into_iter().find_map(|language| fields(language).iter().position(|field| name == *field))
}

/// The minutes in this form.
pub(super) fn write(minutes: &Minutes, speech: Speech) -> String {
    let head = |place: usize| heads(speech)[place];
    // A line of the words that looks like a heading of ours is set apart from one.
    let words = |text: &str| {
        let lines = text.lines().map(|line| match head_of(line.trim_start_matches('\\')) {
            Some(_) => format!("\\{line}\n"),
            None => format!("{line}\n"),
        });
        lines.collect::<String>()
    };
    let items = |items: &[MinutesItem]| items.iter().map(|one| item(one, speech)).collect::<String>();
    format!(
        "{}\n\n{}\n{}\n\n{}\n{}\n\n{}\n{}\n\n{}\n{}\n\n{}",
        head(0),
        words(&minutes.content),
        head(1),
        words(&minutes.summary),
        head(2),
        items(&minutes.decisions),
        head(3),
        items(&minutes.actions),
        head(4),
        items(&minutes.risks),
    )
}

fn item(item: &MinutesItem, speech: Speech) -> String {
    let field = |place: usize, text: &str| {
        let name = fields(speech)[place];
        format!("  {name}: {text}\n")
    };
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = format!("- {}\n", one_line(&item.text));
    if let Some(who) = &item.who {
        text.push_str(&field(0, who));
    }
    if !item.sources.is_empty() {
        let sources: Vec<String> = item.sources.iter().map(ToString::to_string).collect();
        text.push_str(&field(1, &sources.join(", ")));
    }
    if let Some(quote) = &item.quote {
        text.push_str(&field(2, &one_line(quote)));
    }
    text
}

/// Minutes out of this form; otherwise the number of a line and what is wrong with it.
pub(super) fn read(text: &str) -> Result<Minutes, (usize, Message)> {
    let mut minutes = Minutes::default();
    let mut part = None;
    for (line, number) in text.lines().zip(1..) {
        let bare = line.trim_end();
        if let Some(head) = head_of(bare) {
            part = Some(head);
            continue;
        }
        let items = match part {
            None if bare.trim().is_empty() => continue,
            None => return Err((number, message!("cli-form-begins", head = heads(Language::En)[0]))),
            Some(0 | 1) => {
                let words = if part == Some(0) { &mut minutes.content } else { &mut minutes.summary };
                let escaped = bare.starts_with('\\') && head_of(bare.trim_start_matches('\\')).is_some();
                words.push_str(if escaped { &bare[1..] } else { bare });
                words.push('\n');
                continue;
            }
            Some(2) => &mut minutes.decisions,
            Some(3) => &mut minutes.actions,
            Some(_) => &mut minutes.risks,
        };
        match (bare.strip_prefix("- "), bare.trim()) {
            (_, "") => {}
            (Some(text), _) => items.push(MinutesItem { text: text.trim().to_owned(), ..Default::default() }),
            (None, text) => {
                let problem = || (number, message!("cli-form-item"));
                belongs(items.last_mut().ok_or_else(problem)?, text).map_err(|problem| (number, problem))?;
            }
        }
    }
    minutes.content = minutes.content.trim().to_owned();
    minutes.summary = minutes.summary.trim().to_owned();
    Ok(minutes)
}

/// A line below an item.
fn belongs(item: &mut MinutesItem, text: &str) -> Result<(), Message> {
    let (name, value) = text.split_once([':', '：']).unwrap_or((text, ""));
    let field = field_of(name.trim());
    let value = value.trim();
    match field {
        Some(0) => item.who = Some(value.to_owned()).filter(|who| !who.is_empty()),
        Some(1) => {
            let ids = value.split([',', '，', '、', ' ']).map(str::trim).filter(|id| !id.is_empty());
            let ids =
                ids.map(|id| id.parse::<MessageId>().map_err(|_| message!("cli-form-no-id", text = id)));
            item.sources = ids.collect::<Result<_, _>>()?;
        }
        Some(_) => item.quote = Some(value.to_owned()).filter(|quote| !quote.is_empty()),
        None => return Err(message!("cli-form-no-field", text)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Minutes {
        let item = |text: &str, who: Option<&str>| MinutesItem {
            text: text.to_owned(),
            who: who.map(str::to_owned),
            sources: vec![MessageId(1), MessageId(12)],
            quote: Some("one file, no server: that is all".to_owned()),
        };
        Minutes {
            content: "They met.\n\n# Decisions\n\n- a list: of words".to_owned(),
            summary: "SQLite: it is enough.".to_owned(),
            decisions: vec![item("Use SQLite", None)],
            actions: vec![
                item("Measure: writes", Some("Ada")),
                MinutesItem { text: "Ask".into(), ..Default::default() },
            ],
            risks: Vec::new(),
        }
    }

    #[test]
    fn what_was_written_is_read_again_in_both_languages() {
        for language in [Language::Zh, Language::En] {
            let text = write(&full(), Speech(language));
            assert_eq!(read(&text), Ok(full()), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_by_its_line() {
        assert_eq!(read("hello").expect_err("no heading").0, 1);
        let (line, problem) = read("# Record\nx\n# Risks\n- a\n  whose: b").expect_err("no such field");
        assert_eq!(line, 5);
        let told = problem.text(Language::En);
        assert!(told.contains("whose"), "{told}");
        assert_eq!(read("# Record\nx\n# Risks\n  from: m1").expect_err("no item").0, 4);
        assert_eq!(read("# Record\nx\n# Risks\n- a\n  from: one").expect_err("no message").0, 5);
    }
}
