//! The last seconds of what was told, for those who are a little behind.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use quorate_contract::Language;
use quorate_messages::text;
use tokio::time::Instant;

use super::data::RecoveredFrame;
use super::frame::{EventFrame, TokenBatch};
use crate::problem::Problem;

/// Something that was told.
#[derive(Clone)]
pub(super) enum FrameEntry {
    Event(Arc<EventFrame>),
    Tokens(Arc<TokenBatch>),
    /// The journal has a problem, or has it no longer.
    MeetingProblem(Arc<MeetingProblem>),
}

/// What is told of problems with the journal, in JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MeetingProblem {
    english: Box<str>,
    chinese: Box<str>,
    over: bool,
}

impl MeetingProblem {
    /// Something is wrong.
    pub(super) fn of(problem: &Problem) -> Self {
        let told = |language| serde_json::to_string(&problem.clone().told_in(language)).unwrap_or_default();
        Self { english: told(Language::En).into(), chinese: told(Language::Zh).into(), over: false }
    }

    /// It is over.
    pub(super) fn over() -> Self {
        let told = |language| {
            let detail = text!(language, "server-database-recovered");
            serde_json::to_string(&RecoveredFrame { over: true, detail }).unwrap_or_default()
        };
        Self { english: told(Language::En).into(), chinese: told(Language::Zh).into(), over: true }
    }

    /// Whether it is over.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// As this reader reads it.
    pub(crate) fn told_in(&self, language: Language) -> &str {
        language.pick(&self.chinese, &self.english)
    }
}

impl FrameEntry {
    fn weight(&self) -> usize {
        match self {
            Self::Event(frame) => frame.weight(),
            Self::Tokens(batch) => batch.weight(),
            Self::MeetingProblem(problem) => problem.english.len() + problem.chinese.len() + 200,
        }
    }
}

/// What was told last, in order, each with its place counted from 0.
#[derive(Default)]
pub(super) struct FrameBuffer {
    kept: VecDeque<(Instant, FrameEntry)>,
    /// The place of the first that is kept.
    first: u64,
    bytes: usize,
}

impl FrameBuffer {
    /// Keeps one more; of those before it, what fits into `most` bytes. The newest always stays.
    pub(super) fn push(&mut self, told: FrameEntry, most: usize) {
        self.bytes += told.weight();
        self.kept.push_back((Instant::now(), told));
        while self.bytes > most && self.kept.len() > 1 {
            self.drop_first();
        }
    }

    /// Drops what is older than so long.
    pub(super) fn trim(&mut self, keep: Duration) {
        while self.kept.front().is_some_and(|(at, _)| at.elapsed() >= keep) {
            self.drop_first();
        }
        if self.kept.is_empty() {
            self.kept = VecDeque::new();
        }
    }

    fn drop_first(&mut self) {
        if let Some((_, told)) = self.kept.pop_front() {
            self.first += 1;
            self.bytes -= told.weight();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The place of the next that will be told.
    pub(super) fn end(&self) -> u64 {
        self.first + self.kept.len() as u64
    }

    /// What was told from a place on, at most so many; `None` when that is not kept any more.
    pub(super) fn from(&self, place: u64, most: usize) -> Option<impl Iterator<Item = &FrameEntry>> {
        let skip = usize::try_from(place.checked_sub(self.first)?).ok()?;
        Some(self.kept.range(skip.min(self.kept.len())..).take(most).map(|(_, told)| told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> FrameEntry {
        FrameEntry::MeetingProblem(Arc::new(MeetingProblem {
            english: text.into(),
            chinese: "".into(),
            over: false,
        }))
    }

    #[test]
    fn it_never_keeps_more_than_it_may() {
        let mut ring = FrameBuffer::default();
        for place in 0..100 {
            ring.push(told(&"x".repeat(100)), 3_000);
            assert!(ring.bytes <= 3_000 && ring.end() == place + 1);
        }
        assert_eq!(ring.from(90, 100).expect("kept").count(), 10);
        assert_eq!(ring.from(100, 9).expect("the end").count(), 0);
        assert!(ring.from(10, 1).is_none(), "lost");
        ring.push(told(&"x".repeat(9_000)), 3_000);
        assert_eq!(ring.from(100, 9).expect("the newest stays").count(), 1);
        ring.trim(Duration::ZERO);
        assert!(ring.is_empty() && ring.end() == 101 && ring.bytes == 0);
    }
}
