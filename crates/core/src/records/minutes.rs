//! Minutes: read, checked against what was said, edited (requirement 000, properties 47 to 54).

use serde_json::{Map, Value};

use crate::event::{Minutes, MinutesItem};
use crate::meeting::Meeting;
use crate::refusal::Refusal;
use crate::rules::length;
use crate::text::{clean, shorten};

/// The longest course of a meeting, in characters.
pub const MINUTES_MAX_CHARS: usize = 20_000;
const SUMMARY_MAX_CHARS: usize = 2000;
const LINE_MAX_CHARS: usize = 500;
const ITEMS_MAX: usize = 50;

/// Minutes as a model wrote them. `Err` says what does not hold, for the model that is asked again.
pub(crate) fn read_minutes(m: &Meeting, object: &Map<String, Value>) -> Result<Minutes, String> {
    let read: Minutes =
        serde_json::from_value(Value::Object(object.clone())).map_err(|error| error.to_string())?;
    let minutes = tidied(read);
    if minutes.content.is_empty() {
        return Err(m.language().pick("缺少 `content`", "`content` is missing").to_owned());
    }
    let lines = [("decisions", &minutes.decisions), ("actions", &minutes.actions), ("risks", &minutes.risks)];
    for (field, items) in lines {
        for (place, item) in items.iter().enumerate() {
            super::gate::rests_on(m, &format!("{field}[{place}]"), &item.sources, item.quote.as_deref())?;
        }
    }
    Ok(minutes)
}

/// Minutes as a person has edited them. A person may state what nobody said; a quote has to be one.
pub(crate) fn edited(m: &Meeting, minutes: Minutes) -> Result<Minutes, Refusal> {
    length("minutes.content", &minutes.content, 1, MINUTES_MAX_CHARS)?;
    let minutes = tidied(minutes);
    let all = minutes.decisions.iter().chain(&minutes.actions).chain(&minutes.risks);
    for item in all.filter(|item| !item.sources.is_empty() || item.quote.is_some()) {
        super::gate::rests_on(m, &item.text, &item.sources, item.quote.as_deref()).map_err(|problem| {
            let hint = "name messages that are there, and quote them as they stand".to_owned();
            Refusal::Invalid { field: "minutes".into(), problem, hint }
        })?;
    }
    Ok(minutes)
}

fn tidied(minutes: Minutes) -> Minutes {
    let items = |items: Vec<MinutesItem>| -> Vec<MinutesItem> {
        let tidied = items.into_iter().map(|item| MinutesItem {
            text: shorten(&clean(&item.text), LINE_MAX_CHARS),
            who: item.who.map(|who| shorten(&clean(&who), 50)).filter(|who| !who.is_empty()),
            sources: item.sources,
            quote: item.quote.map(|quote| clean(&quote)).filter(|quote| !quote.is_empty()),
        });
        tidied.filter(|item| !item.text.is_empty()).take(ITEMS_MAX).collect()
    };
    Minutes {
        content: shorten(&clean(&minutes.content), MINUTES_MAX_CHARS),
        summary: shorten(&clean(&minutes.summary), SUMMARY_MAX_CHARS),
        decisions: items(minutes.decisions),
        actions: items(minutes.actions),
        risks: items(minutes.risks),
    }
}
