//! The differences between two versions of the minutes.

use std::collections::BTreeMap;

use quorate_contract::{Minutes, MinutesItem};
use serde::Serialize;

/// A part of the minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MinutesSection {
    /// The course of the meeting.
    Content,
    /// The summary.
    Summary,
    /// Decisions.
    Decisions,
    /// Action items.
    Actions,
    /// Risks.
    Risks,
}

/// The removed and added lines of one section, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MinutesChange {
    /// The section.
    pub section: MinutesSection,
    /// The lines that only the first version has.
    pub removed: Vec<String>,
    /// The lines that only the second version has.
    pub added: Vec<String>,
}

/// The changes from one version of the minutes to another, by section; unchanged sections are left out. A
/// line that only moved is no change.
pub fn compare_minutes(before: &Minutes, after: &Minutes) -> Vec<MinutesChange> {
    let sections = [
        (MinutesSection::Content, lines(&before.content), lines(&after.content)),
        (MinutesSection::Summary, lines(&before.summary), lines(&after.summary)),
        (MinutesSection::Decisions, items(&before.decisions), items(&after.decisions)),
        (MinutesSection::Actions, items(&before.actions), items(&after.actions)),
        (MinutesSection::Risks, items(&before.risks), items(&after.risks)),
    ];
    let changes = sections.into_iter().map(|(section, before, after)| MinutesChange {
        section,
        removed: without(&before, &after),
        added: without(&after, &before),
    });
    changes.filter(|change| !change.removed.is_empty() || !change.added.is_empty()).collect()
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// A line of minutes with all that belongs to it.
fn items(items: &[MinutesItem]) -> Vec<String> {
    let line = |item: &MinutesItem| {
        let who = item.who.as_ref().map(|who| format!(" ({who})")).unwrap_or_default();
        let sources: Vec<String> = item.sources.iter().map(ToString::to_string).collect();
        let sources = if sources.is_empty() { String::new() } else { format!(" [{}]", sources.join(", ")) };
        let quote = item.quote.as_ref().map(|quote| format!(" “{quote}”")).unwrap_or_default();
        format!("{}{who}{sources}{quote}", item.text)
    };
    items.iter().map(line).collect()
}

/// The lines of one that the other has not, each as often as it is more.
fn without(one: &[String], other: &[String]) -> Vec<String> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    other.iter().for_each(|line| *left.entry(line).or_default() += 1);
    let mut is_new = |line: &&String| match left.get_mut(line.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        Some(_) | None => true,
    };
    one.iter().filter(|line| is_new(line)).cloned().collect()
}
