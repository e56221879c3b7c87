//! A speech on the screen: shown while it is written, broken into by what happens meanwhile, and never shown twice.

use quorate_app::{FragmentKind, LiveFragment};
use quorate_contract::{AnswerForm, ParticipantId, RoundKind, TaskId};
use quorate_messages::text;

use super::{DIM, View};
use crate::live::stream::Streamed;

/// The turn that is shown while it is written.
pub(super) struct Speaking {
    task: TaskId,
    attempt: u32,
    words: Streamed,
    /// Whether other output stands below the shown part.
    pub(super) interrupted: bool,
}

impl Speaking {
    /// Whether some of its words stand on the screen.
    pub(super) fn is_shown(&self) -> bool {
        !self.words.is_empty()
    }
}

/// The relation of a message to its shown part.
enum Heading {
    /// No part has been shown.
    New,
    /// The message continues below other output.
    GoesOn,
}

impl View {
    /// Shows a piece of an answer, where one voice speaks at a time.
    pub(crate) fn fragment(&mut self, fragment: &LiveFragment) {
        if fragment.kind == FragmentKind::Reasoning {
            self.thinking_chars += fragment.text.chars().count();
            return;
        }
        let TaskId::Speak(_) = fragment.task else { return };
        if self.meeting.rules().turns.answer == AnswerForm::Structured {
            return; // half an object is not for reading, and may hold the speaker's own notes
        }
        let serial = self.meeting.round().is_some_and(|round| round.kind == RoundKind::Serial);
        let (true, true, Some(participant)) = (self.screen.paints(), serial, fragment.participant) else {
            return;
        };
        let (task, attempt) = (fragment.task, fragment.attempt);
        let mut speaking = match self.speaking.take() {
            Some(speaking) if (speaking.task, speaking.attempt) == (task, attempt) => speaking,
            other => {
                self.break_off(other);
                Speaking { task, attempt, words: Streamed::default(), interrupted: false }
            }
        };
        let is_first = speaking.words.is_empty();
        let mut fresh = speaking.words.push(fragment.offset, &fragment.text);
        if is_first && !fresh.is_empty() {
            let heading = self.heading_of(task, participant, &Heading::New);
            self.put(&format!("\n{heading}"));
            speaking.interrupted = false;
        } else if speaking.interrupted && !fresh.is_empty() {
            let heading = self.heading_of(task, participant, &Heading::GoesOn);
            self.put(&format!("\n{heading}"));
            speaking.interrupted = false;
            fresh = fresh.trim_start().to_owned();
        }
        if !fresh.is_empty() {
            self.screen.words(&fresh);
        }
        self.speaking = Some(speaking);
        self.tick();
    }

    /// Missed reasoning comes again, and is counted again.
    pub(crate) fn forget_thinking(&mut self) {
        self.thinking_chars = 0;
    }

    /// Shows a message whose text may already be on the screen, in part or completely.
    pub(super) fn words(&mut self, task: TaskId, participant: ParticipantId, content: &str) {
        self.thinking_chars = 0;
        let mut content = content;
        let mut heading = Heading::New;
        match self.speaking.take() {
            Some(speaking) if speaking.task == task && !speaking.words.is_empty() => {
                match speaking.words.rest_of(content) {
                    Some(rest) if rest.trim().is_empty() => return self.screen.end_words(),
                    Some(rest) if !speaking.interrupted => {
                        self.screen.words(rest.trim_end());
                        return self.screen.end_words();
                    }
                    Some(rest) => (content, heading) = (rest.trim(), Heading::GoesOn),
                    None => self.break_off(Some(speaking)),
                }
            }
            other => self.break_off(other),
        }
        let heading = self.heading_of(task, participant, &heading);
        self.put(&format!("\n{heading}"));
        match self.screen.paints() {
            true => {
                self.screen.words(content);
                self.screen.end_words();
            }
            false => self.put(content),
        }
    }

    /// Ends a shown message that will not continue.
    fn break_off(&mut self, speaking: Option<Speaking>) {
        let Some(speaking) = speaking else { return };
        self.screen.end_words();
        if !speaking.words.is_empty() {
            self.broken_off = Some(speaking.task);
        }
    }

    /// The heading of a message: its speaker, and whether it continues or starts again.
    fn heading_of(&mut self, task: TaskId, participant: ParticipantId, heading: &Heading) -> String {
        let name = self.name(participant);
        let began = self.broken_off.take() == Some(task);
        match (heading, began) {
            (Heading::GoesOn, _) => {
                format!("{name} {DIM}{}{DIM:#}", text!(self.language(), "cli-speech-goes"))
            }
            (Heading::New, true) => {
                format!("{name} {DIM}{}{DIM:#}", text!(self.language(), "cli-speech-begins-again"))
            }
            (Heading::New, false) => name,
        }
    }
}
