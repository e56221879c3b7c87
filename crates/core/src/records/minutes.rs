//! Minutes: read, checked against the messages, edited.

use quorate_contract::{MINUTES_MAX_CHARS, Minutes, MinutesItem, Refusal, clean, length, shorten};
use quorate_messages::{Message, message};
use serde_json::{Map, Value};

use super::reader::Reader;
use crate::prompt::record_shapes::{LINE_MAX_CHARS, SUMMARY_MAX_CHARS, minutes as shape};
use crate::state::Meeting;

/// The most lines of one section.
pub(super) const ITEMS_MAX: usize = 50;
/// The most messages that a line may name when a person writes it.
const SOURCES_MAX: usize = 50;

/// Minutes as a model wrote them. `Err` says what does not hold, for the model that is asked again.
pub(crate) fn read_minutes(m: &Meeting, object: &Map<String, Value>) -> Result<Minutes, Message> {
    let reader = Reader { meeting: m, known: m.visible_messages(), lenient: Some(ITEMS_MAX) };
    let read = reader.read(&shape(), "", Value::Object(object.clone()))?;
    serde_json::from_value(read).map_err(|_| message!("answer-no-json"))
}

/// Minutes that a person has edited. A person may add statements without a source; a quote has to be word for
/// word.
pub(crate) fn edited(m: &Meeting, minutes: Minutes) -> Result<Minutes, Refusal> {
    let minutes = tidied(minutes)?;
    let sections =
        [("decisions", &minutes.decisions), ("actions", &minutes.actions), ("risks", &minutes.risks)];
    for (section, items) in sections {
        for (place, item) in items.iter().enumerate() {
            if item.sources.is_empty() && item.quote.is_none() {
                continue;
            }
            let field = format!("minutes.{section}[{place}]");
            super::gate::rests_on(m, m.said.len(), &field, &item.sources, item.quote.as_deref()).map_err(
                |problem| {
                    let hint = message!("records-name-and-quote-messages");
                    Refusal::Invalid { field, problem: problem.into(), hint: hint.into() }
                },
            )?;
        }
    }
    Ok(minutes)
}

/// A person's words are never cut behind its back: what is too long is refused.
fn tidied(minutes: Minutes) -> Result<Minutes, Refusal> {
    let content = clean(&minutes.content);
    length("minutes.content", &content, 1, MINUTES_MAX_CHARS)?;
    let summary = clean(&minutes.summary);
    length("minutes.summary", &summary, 0, SUMMARY_MAX_CHARS)?;
    Ok(Minutes {
        content,
        summary,
        decisions: tidied_items("decisions", minutes.decisions)?,
        actions: tidied_items("actions", minutes.actions)?,
        risks: tidied_items("risks", minutes.risks)?,
    })
}

fn tidied_items(section: &str, items: Vec<MinutesItem>) -> Result<Vec<MinutesItem>, Refusal> {
    if items.len() > ITEMS_MAX {
        return Err(Refusal::Invalid {
            field: format!("minutes.{section}"),
            problem: message!("records-too-many-lines", count = items.len()).into(),
            hint: message!("records-keep-at-most", max = ITEMS_MAX).into(),
        });
    }
    let tidied = items.into_iter().enumerate().map(|(place, item)| {
        let text = clean(&item.text);
        length(&format!("minutes.{section}[{place}].text"), &text, 0, LINE_MAX_CHARS)?;
        if item.sources.len() > SOURCES_MAX {
            let count = item.sources.len();
            return Err(Refusal::Invalid {
                field: format!("minutes.{section}[{place}].sources"),
                problem: message!("records-too-many-sources", count).into(),
                hint: message!("records-name-at-most", max = SOURCES_MAX).into(),
            });
        }
        Ok(MinutesItem {
            text,
            who: item.who.map(|who| shorten(&clean(&who), 60)).filter(|who| !who.is_empty()),
            sources: item.sources,
            quote: item.quote.map(|quote| clean(&quote)).filter(|quote| !super::gate::bare(quote).is_empty()),
        })
    });
    let tidied: Result<Vec<_>, Refusal> = tidied.collect();
    Ok(tidied?.into_iter().filter(|item| !item.text.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use quorate_contract::MessageId;

    use super::*;

    #[test]
    fn a_section_has_so_many_lines_and_a_line_so_many_sources() {
        let section = |lines: usize, sources: usize| {
            let sources = vec![MessageId(1); sources];
            let item = MinutesItem { text: "One file.".into(), who: None, sources, quote: None };
            tidied_items("decisions", vec![item; lines]).map(|kept| kept.len()).ok()
        };
        assert_eq!((section(0, 0), section(2, 3)), (Some(0), Some(2)));
        assert_eq!((section(ITEMS_MAX, 1), section(ITEMS_MAX + 1, 1)), (Some(ITEMS_MAX), None));
        assert_eq!((section(1, SOURCES_MAX), section(1, SOURCES_MAX + 1)), (Some(1), None));
    }
}
