//! What happened at a meeting beside what was said, in the order of the log: for Markdown and PDF, which do not hold the
//! log. The page shows the same of each event (`page/record.js`), in the same words.

mod events;
mod work_told;

use quorate_contract::{ClaimId, Event, EventBody, Evidence, Language, Question, RoundKind};
use quorate_core::{Meeting, MeetingMessage};
use quorate_views::{Viewer, Work, work};
use serde::{Deserialize, Serialize};

use crate::sections::Section;
use work_told::WorkSoFar;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordEntry {
    /// The number of messages that had been said before.
    pub(crate) said_before: usize,
    /// The section in which it stands.
    pub(crate) section: Section,
    /// What it tells.
    pub(crate) content: EntryContent,
}

/// What an entry tells. Texts of people and participants stay texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum EntryContent {
    /// A participant called a tool, or a coding agent reported an action.
    Work {
        /// The name of who did it.
        by: String,
        /// What it was.
        work: Work,
    },
    /// A line of the record.
    Line {
        /// The text.
        text: String,
    },
    /// Several lines under a title.
    List {
        /// The title.
        title: String,
        /// The lines.
        items: Vec<String>,
    },
    /// Somebody's text in Markdown, under a title.
    Card {
        /// The title.
        title: String,
        /// The text.
        text: String,
    },
    /// The beginning of a ballot.
    Ballot {
        /// Its title.
        title: String,
    },
    /// A vote, with the objection that it is.
    Vote {
        /// The name of who voted.
        by: String,
        /// The score and whether it passes the draft.
        about: String,
        /// The reason, and what is missing.
        lines: Vec<String>,
        /// The objection.
        claim: Option<ClaimId>,
    },
    /// A claim that rests on evidence, of the message before.
    Claim {
        /// The claim.
        id: ClaimId,
        /// Its text.
        text: String,
        /// What it rests on.
        evidence: Vec<Evidence>,
    },
}

/// What a reader may see of what happened.
pub fn record<'a>(
    m: &Meeting,
    events: impl IntoIterator<Item = &'a Event>,
    reader: Viewer,
    language: Language,
) -> Vec<RecordEntry> {
    let events: Vec<&Event> = events.into_iter().collect();
    let done = work(m, events.iter().copied(), reader, language);
    let mut recorder = Recorder {
        m,
        reader,
        language,
        entries: Vec::new(),
        said_before: 0,
        section: Section::Before,
        started: false,
        asked: Vec::new(),
        work: WorkSoFar::of(done),
    };
    for event in events {
        recorder.enter(&event.body);
        recorder.see(event);
    }
    recorder.entries
}

/// A part of the record as it is read.
pub(crate) enum RecordPart<'r> {
    /// The beginning of a section.
    Section(Section),
    /// Something that happened.
    Entry(&'r RecordEntry),
    /// A message.
    Said(&'r MeetingMessage),
}

/// Messages and what happened between them, section by section. A section that has begun is not left for an earlier one.
pub(crate) fn in_order<'r>(meeting: &'r Meeting, entries: &'r [RecordEntry]) -> Vec<RecordPart<'r>> {
    fn begin(section: Section, now: &mut Option<Section>, parts: &mut Vec<RecordPart<'_>>) {
        if now.is_none_or(|now| section > now) {
            *now = Some(section);
            parts.push(RecordPart::Section(section));
        }
    }
    let (mut parts, mut now) = (Vec::new(), None);
    let mut entries = entries.iter().peekable();
    for (place, said) in meeting.said.iter().enumerate() {
        while let Some(entry) = entries.next_if(|entry| entry.said_before <= place) {
            begin(entry.section, &mut now, &mut parts);
            parts.push(RecordPart::Entry(entry));
        }
        begin(Section::of(meeting, said), &mut now, &mut parts);
        parts.push(RecordPart::Said(said));
    }
    for entry in entries {
        begin(entry.section, &mut now, &mut parts);
        parts.push(RecordPart::Entry(entry));
    }
    parts
}

/// The record so far.
struct Recorder<'m> {
    m: &'m Meeting,
    reader: Viewer,
    language: Language,
    entries: Vec<RecordEntry>,
    said_before: usize,
    section: Section,
    /// Whether the meeting has started: who was there from the beginning is no news.
    started: bool,
    /// The questions of the last pause.
    asked: Vec<Question>,
    work: WorkSoFar,
}

impl Recorder<'_> {
    /// Counts messages and rounds.
    fn enter(&mut self, body: &EventBody) {
        match body {
            EventBody::AgentMessage { .. }
            | EventBody::UserMessage { .. }
            | EventBody::FacilitationWritten { .. } => self.said_before += 1,
            EventBody::MeetingStarted { .. } => self.started = true,
            EventBody::RoundStarted { round, kind, .. } => {
                self.section = match kind {
                    RoundKind::Blind => Section::Blind,
                    RoundKind::Serial | RoundKind::Parallel => Section::Round(*round),
                };
            }
            EventBody::RoundEnded { .. } if self.section == Section::Blind => {
                self.section = Section::AfterBlind;
            }
            _ => {}
        }
    }

    fn put(&mut self, content: EntryContent) {
        let (said_before, section) = (self.said_before, self.section);
        self.entries.push(RecordEntry { said_before, section, content });
    }

    fn line(&mut self, text: impl Into<String>) {
        self.put(EntryContent::Line { text: text.into() });
    }

    fn card(&mut self, title: impl Into<String>, text: &str) {
        self.put(EntryContent::Card { title: title.into(), text: text.to_owned() });
    }

    fn list(&mut self, title: impl Into<String>, items: Vec<String>) {
        match items.is_empty() {
            true => self.line(title),
            false => self.put(EntryContent::List { title: title.into(), items }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quorate_core::apply;

    use super::*;

    pub(super) fn told(fixture: &str, hidden: bool) -> Vec<RecordEntry> {
        let path = format!("{}/../../fixtures/meetings/{fixture}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("it is there");
        let log: Vec<Event> = text.lines().map(|line| Event::from_json(line).expect("an event")).collect();
        let mut meeting = Meeting::blank(log[0].meeting_id.clone(), log[0].run_id.clone());
        log.iter().for_each(|event| apply(&mut meeting, event));
        record(&meeting, &log, Viewer::of_export(&meeting, hidden), meeting.language())
    }

    #[test]
    fn summaries_drafts_votes_and_positions_stand_in_the_record() {
        let entries = told("en/consensus", false);
        let cards: BTreeSet<&str> = entries
            .iter()
            .filter_map(|entry| match &entry.content {
                EntryContent::Card { title, .. } => Some(title.as_str()),
                _ => None,
            })
            .collect();
        assert!(cards.contains("Summary") && cards.contains("Draft · version 1"), "{cards:?}");
        assert!(entries.iter().any(|entry| matches!(entry.content, EntryContent::Vote { .. })));
        let is_position = |entry: &&RecordEntry| match &entry.content {
            EntryContent::Line { text } => text.starts_with("Position: "),
            _ => false,
        };
        assert!(entries.iter().filter(is_position).count() > 2);
        assert!(entries.is_sorted_by_key(|entry| entry.said_before));
        assert!(entries.is_sorted_by_key(|entry| entry.section));
    }

    #[test]
    fn what_is_hidden_is_told_to_those_who_may_see_it() {
        let titles = |entries: &[RecordEntry]| -> String {
            let titles = entries.iter().filter_map(|entry| match &entry.content {
                EntryContent::List { title, .. } => Some(title.as_str()),
                _ => None,
            });
            titles.collect()
        };
        for hidden in [false, true] {
            let entries = told("zh/decision", hidden);
            assert_eq!(titles(&entries).contains("私有记忆"), hidden);
        }
    }
}
