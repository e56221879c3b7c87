//! The answers of a meeting that are under way, and how much of each has been told.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_app::{FragmentKind, LiveFragment};
use quorate_contract::{ParticipantId, TaskId};
use quorate_views::{Moment, PublicText, Viewer};

use super::frame::{TokenBatch, TokenFrame};

/// Which answer: the task, the attempt, and whether it is the reasoning before it.
type Key = (TaskId, u32, bool);

/// The answers that are under way.
#[derive(Default)]
pub(super) struct PartialAnswers {
    answers: BTreeMap<Key, PartialAnswer>,
    /// Those of which something has not been told.
    news: Vec<Key>,
    /// What was told so far, written once for all who ask before there is more.
    so_far: Option<Arc<TokenBatch>>,
}

#[derive(Default)]
struct PartialAnswer {
    participant: Option<ParticipantId>,
    text: String,
    /// How much of it was told to those who may see everything, and to all others, in bytes.
    told: usize,
    told_plain: usize,
    plain: PublicText,
    is_news: bool,
}

impl PartialAnswers {
    /// Takes a piece; false when one before it is missing.
    pub(super) fn take(&mut self, piece: &LiveFragment) -> bool {
        let reasoning = matches!(piece.kind, FragmentKind::Reasoning);
        let key = (piece.task, piece.attempt, reasoning);
        let answer = self.answers.entry(key).or_default();
        answer.participant = piece.participant;
        if piece.offset == answer.text.len() {
            answer.text.push_str(&piece.text);
        } else if piece.offset == 0 && piece.text.starts_with(&answer.text) {
            answer.text.clone_from(&piece.text); // the text so far, once more
        } else if piece.offset == 0 {
            *answer = PartialAnswer {
                participant: piece.participant,
                text: piece.text.clone(),
                ..PartialAnswer::default()
            };
        } else {
            return piece.offset < answer.text.len(); // heard before
        }
        if Viewer::public(Moment::default()).fragment(piece.task, reasoning) {
            answer.plain.advance(&answer.text);
        }
        if !answer.is_news {
            answer.is_news = true;
            self.news.push(key);
        }
        true
    }

    /// What has not been told yet.
    pub(super) fn news(&mut self) -> TokenBatch {
        let mut batch = TokenBatch::default();
        if !self.news.is_empty() {
            self.so_far = None;
        }
        for key in std::mem::take(&mut self.news) {
            let Some(answer) = self.answers.get_mut(&key) else { continue };
            let (told, plain) = (answer.told, answer.told_plain);
            (answer.told, answer.told_plain) = (answer.text.len(), answer.plain.len);
            answer.is_news = false;
            answer.tell(key, told, plain, &mut batch);
        }
        batch
    }

    /// What has been told so far of all answers under way, each from its beginning.
    pub(super) fn so_far(&mut self) -> Arc<TokenBatch> {
        let answers = &self.answers;
        let write = || {
            let mut batch = TokenBatch::default();
            for (key, answer) in answers {
                answer.tell(*key, 0, 0, &mut batch);
            }
            Arc::new(batch)
        };
        Arc::clone(self.so_far.get_or_insert_with(write))
    }

    /// The answer is there, or will never be.
    pub(super) fn end(&mut self, task: TaskId, attempt: u32) {
        self.so_far = None;
        self.answers.remove(&(task, attempt, false));
        self.answers.remove(&(task, attempt, true));
    }

    /// Nothing is under way any more.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl PartialAnswer {
    /// Puts what was told after `from` into a batch: `told` and `told_plain` say up to where.
    fn tell(&self, (task, attempt, reasoning): Key, from: usize, from_plain: usize, batch: &mut TokenBatch) {
        let kind = if reasoning { FragmentKind::Reasoning } else { FragmentKind::Answer };
        let frame = |from: usize, to: usize| {
            let text = &self.text[from..to];
            Arc::new(TokenFrame::new(task, attempt, self.participant, kind, from, text))
        };
        let whole = (self.told > from).then(|| frame(from, self.told));
        let plain = (self.told_plain > from_plain).then(|| match &whole {
            Some(whole) if (from, self.told) == (from_plain, self.told_plain) => Arc::clone(whole),
            Some(_) | None => frame(from_plain, self.told_plain),
        });
        batch.all.extend(whole);
        batch.plain.extend(plain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(offset: usize, text: &str) -> LiveFragment {
        LiveFragment {
            task: "speak:r1t1".parse().expect("a task"),
            attempt: 1,
            participant: None,
            kind: FragmentKind::Answer,
            offset,
            text: text.to_owned(),
        }
    }

    fn texts(batch: &TokenBatch, sees_all: bool) -> Vec<(usize, usize, String)> {
        batch.frames(sees_all).iter().map(|one| (one.offset, one.end, one.text.clone())).collect()
    }

    #[test]
    fn pieces_are_told_once_and_together() {
        let mut writing = PartialAnswers::default();
        assert!(writing.take(&piece(0, "先说")) && writing.take(&piece(6, "结论")));
        assert_eq!(texts(&writing.news(), true), [(0, 12, "先说结论".to_owned())]);
        assert!(writing.news().is_empty());
        assert!(writing.take(&piece(12, "。")) && writing.take(&piece(6, "结论")), "heard before");
        assert!(!writing.take(&piece(99, "?")), "something is missing");
        assert_eq!(
            texts(&writing.so_far(), true),
            [(0, 12, "先说结论".to_owned())],
            "the rest comes with the news"
        );
        assert_eq!(texts(&writing.news(), false), [(12, 15, "。".to_owned())]);
    }

    #[test]
    fn the_record_is_for_those_who_see_everything() {
        let mut writing = PartialAnswers::default();
        assert!(writing.take(&piece(0, "Yes. {\"memory\":{\"notes\":[\"secret\"]}}")));
        let news = writing.news();
        assert_eq!(texts(&news, false), [(0, 5, "Yes. ".to_owned())]);
        assert!(texts(&news, true)[0].2.contains("secret"));
    }

    #[test]
    fn votes_and_thoughts_are_written_unseen() {
        let mut writing = PartialAnswers::default();
        let vote = LiveFragment { task: "vote:b1:p1".parse().expect("a task"), ..piece(0, "90 points") };
        let thought = LiveFragment { kind: FragmentKind::Reasoning, ..piece(0, "hm") };
        assert!(writing.take(&vote) && writing.take(&thought));
        let news = writing.news();
        assert_eq!((news.frames(true).len(), news.frames(false).len()), (2, 0));
    }
}
