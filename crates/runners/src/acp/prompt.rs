//! The text of a turn. A session remembers: what the agent has read is not sent again.

use std::borrow::Cow;

use quorate_contract::{Prompt, PromptImage, PromptRole};
use quorate_messages::text;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::images::text_of;

/// The number of pieces, from the end of what a session has read, that are remembered one by one.
const RECENT: usize = 64;

/// What a session has read so far. Records that only grow are recognized by all that stands in front; ones that begin with
/// the reader's last message, or in which minutes have replaced what they cover, by their last pieces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadSoFar {
    /// The digest of the instruction.
    system: String,
    /// The number of pieces in front of the recent ones, and their digest.
    count: usize,
    front: String,
    /// The digest of each of the recent pieces.
    recent: Vec<String>,
}

impl ReadSoFar {
    fn of(system: &str, pieces: &[Piece<'_>]) -> Self {
        let count = pieces.len().saturating_sub(RECENT);
        let recent = pieces[count..].iter().map(|piece| digest(&[&piece.text])).collect();
        Self { system: digest(&[system]), count, front: front(&pieces[..count]), recent }
    }

    /// Whether each of these pieces has been read.
    fn has_read(&self, pieces: &[Piece<'_>]) -> Vec<bool> {
        let known = pieces.get(..self.count).is_some_and(|before| front(before) == self.front);
        let mut recent = self.recent.clone();
        let told = pieces.iter().enumerate().map(|(place, piece)| {
            if known && place < self.count {
                return true;
            }
            let digest = digest(&[&piece.text]);
            let at = recent.iter().position(|one| *one == digest);
            at.inspect(|at| _ = recent.remove(*at)).is_some()
        });
        told.collect()
    }
}

/// A piece of the record that others wrote: a message, a summary, what opens the meeting.
struct Piece<'p> {
    text: String,
    /// The images that it names.
    images: Vec<&'p PromptImage>,
}

/// A part of the record before the task.
enum Part<'p> {
    /// A message of the agent itself, which its session holds.
    Own(String),
    Other(Piece<'p>),
}

/// A turn as it is sent to an agent.
pub(super) struct TurnPrompt<'p> {
    /// The text.
    pub(super) text: String,
    /// The images that the session has not seen yet; frames in the text name them in this order.
    pub(super) images: Vec<&'p PromptImage>,
    /// What the session has read after it.
    pub(super) read: ReadSoFar,
}

/// What is sent for a turn. Images for which `is_shown` are given apart from the text.
pub(super) fn turn_prompt<'p>(
    prompt: &'p Prompt,
    before: Option<&ReadSoFar>,
    writable: bool,
    is_shown: impl Fn(&PromptImage) -> bool,
) -> TurnPrompt<'p> {
    let language = prompt.brief.language;
    let (record, task) = parts(prompt, is_shown);
    let mut turn = String::new();
    let goes_on = before.filter(|before| before.system == digest(&[&prompt.system]));
    if goes_on.is_none() {
        turn.push_str(&prompt.system);
        turn.push_str("\n\n");
        turn.push_str(match writable {
            true => text!(language, "turn-acp-folder-writable"),
            false => text!(language, "turn-acp-folder"),
        });
        turn.push_str("\n\n");
        for part in &record {
            match part {
                // No text of others can hold such a frame: in theirs a `<` before a letter is escaped.
                Part::Own(text) => {
                    let text = text.replace('<', "‹");
                    turn.push_str(&format!("<your-message>\n{text}\n</your-message>\n\n"));
                }
                Part::Other(piece) => turn.push_str(&format!("{}\n\n", piece.text)),
            }
        }
    }
    let others = record.into_iter().filter_map(|part| match part {
        Part::Own(_) => None,
        Part::Other(piece) => Some(piece),
    });
    let pieces: Vec<Piece<'_>> = others.collect();
    let has_read = goes_on.map(|before| before.has_read(&pieces));
    if let Some(has_read) = &has_read {
        for (piece, _) in pieces.iter().zip(has_read).filter(|(_, read)| !**read) {
            turn.push_str(&format!("{}\n\n", piece.text));
        }
    }
    turn.push_str(&task);
    let is_new = |place: usize| has_read.as_ref().is_none_or(|read| !read[place]);
    let images = pieces.iter().enumerate().filter(|(place, _)| is_new(*place));
    let images = images.flat_map(|(_, piece)| piece.images.iter().copied()).collect();
    if let Some(schema) = &prompt.schema {
        turn.push_str("\n\n");
        turn.push_str(&text!(language, "turn-acp-schema", schema = schema.schema.to_string()));
    }
    TurnPrompt { text: turn.trim().to_owned(), images, read: ReadSoFar::of(&prompt.system, &pieces) }
}

/// The record before the task, in its pieces, and the task.
fn parts<'p>(prompt: &'p Prompt, is_shown: impl Fn(&PromptImage) -> bool) -> (Vec<Part<'p>>, Cow<'p, str>) {
    let mut record = Vec::new();
    let mut task = Cow::Borrowed("");
    for (place, message) in prompt.messages.iter().enumerate() {
        let (told, images) = text_of(message, prompt.brief.language, &is_shown);
        let mut content = &*told;
        if place + 1 == prompt.messages.len() {
            // Remarks stand before the task, which is the end of the message.
            let task_length = message.content.len().saturating_sub(prompt.task_at);
            let (before, last) = content
                .len()
                .checked_sub(task_length)
                .and_then(|at| content.split_at_checked(at))
                .unwrap_or((content, ""));
            task = Cow::Owned(last.to_owned());
            content = before;
        }
        match message.role {
            PromptRole::Assistant => record.push(Part::Own(content.trim().to_owned())),
            PromptRole::User => {
                let mut images = images.into_iter().peekable();
                for (end, text) in framed(content) {
                    let mut piece = Piece { text: text.to_owned(), images: Vec::new() };
                    while let Some((_, image)) = images.next_if(|(at, _)| *at <= end) {
                        piece.images.push(image);
                    }
                    if !text.is_empty() || !piece.images.is_empty() {
                        record.push(Part::Other(piece));
                    }
                }
            }
        }
    }
    (record, task)
}

/// The pieces of a text, each with the place where it ends. A piece begins with a frame at the beginning of a paragraph: no
/// text of a participant holds a `<` before a letter.
fn framed(text: &str) -> Vec<(usize, &str)> {
    let begins = text.match_indices("\n\n<").map(|(at, _)| at);
    let mut pieces = Vec::new();
    let mut from = 0;
    for end in begins.chain([text.len()]) {
        pieces.push((end, text[from..end].trim()));
        from = end;
    }
    pieces
}

fn front(pieces: &[Piece<'_>]) -> String {
    let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
    digest(&texts)
}

fn digest(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.len().to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{Brief, BriefTask, BriefTurn, Language, PromptMessage};

    use super::*;

    fn prompt(messages: &[(PromptRole, &str)], record: &str) -> Prompt {
        let message = |(role, content): &(PromptRole, &str)| PromptMessage::text(*role, *content);
        let mut messages: Vec<PromptMessage> = messages.iter().map(message).collect();
        messages.push(PromptMessage::text(PromptRole::User, format!("{record}<task>now</task>")));
        Prompt {
            system: "You are Ada.".to_owned(),
            messages,
            task_at: record.len(),
            tools: Default::default(),
            schema: None,
            max_tokens: 300,
            brief: Arc::new(Brief::new(BriefTask::Speak(BriefTurn::default()), Language::En, "Why?")),
        }
    }

    fn turn_text(prompt: &Prompt, before: Option<&ReadSoFar>, writable: bool) -> (String, ReadSoFar) {
        let turn = turn_prompt(prompt, before, writable, |_| true);
        (turn.text, turn.read)
    }

    #[test]
    fn a_session_sees_each_image_once_and_one_that_cannot_is_told() {
        let mut with_image = prompt(&[], "<image file=\"f1\">\n\n");
        with_image.messages[0].images.push(PromptImage {
            offset: 17,
            file: quorate_contract::FileId(1),
            name: "a.png".to_owned(),
            media_type: "image/png".to_owned(),
            size: 9,
            sha256: "a".to_owned(),
            width: 1,
            height: 1,
        });
        let first = turn_prompt(&with_image, None, false, |_| true);
        assert_eq!(first.images.len(), 1);
        let second = turn_prompt(&with_image, Some(&first.read), false, |_| true);
        assert_eq!((second.images.len(), second.text.as_str()), (0, "<task>now</task>"));
        let told = turn_prompt(&with_image, None, false, |_| false);
        assert!(
            told.images.is_empty() && told.text.contains("<image file=\"f1\">\n\n(You do not see"),
            "{}",
            told.text
        );
        assert!(told.text.ends_with("<task>now</task>"));
    }

    #[test]
    fn a_session_reads_each_message_once() {
        let (first, read) = turn_text(&prompt(&[], "one\n\n"), None, false);
        assert!(first.starts_with("You are Ada.") && first.contains("one\n\n<task>now</task>"), "{first}");
        let (user, own) = (PromptRole::User, PromptRole::Assistant);
        let next = prompt(&[(user, "one"), (own, "mine <b>")], "two\n\n");
        let (second, again) = turn_text(&next, Some(&read), false);
        assert_eq!(second, "two\n\n<task>now</task>");
        let (third, _) = turn_text(&next, Some(&again), false);
        assert_eq!(third, "<task>now</task>", "nothing was said since");
        let (fresh, _) = turn_text(&next, None, false);
        assert!(fresh.contains("<your-message>\nmine ‹b>\n</your-message>"), "{fresh}");
        // Minutes have replaced what was read: they are what is new.
        let (replaced, _) = turn_text(&prompt(&[], "<minutes>\n\n"), Some(&read), false);
        assert_eq!(replaced, "<minutes>\n\n<task>now</task>");
    }

    #[test]
    fn an_agent_that_speaks_twice_in_a_row_is_sent_nothing_again() {
        let (user, own) = (PromptRole::User, PromptRole::Assistant);
        let (_, read) = turn_text(&prompt(&[], "<m>one</m>\n\n"), None, false);
        let (again, read) =
            turn_text(&prompt(&[(user, "<m>one</m>"), (own, "mine")], ""), Some(&read), false);
        assert_eq!(again, "<task>now</task>");
        // Messages of one role in a row are one message of the prompt.
        let twice = [(user, "<m>one</m>"), (own, "mine\n\nmine again")];
        let (third, _) = turn_text(&prompt(&twice, "<m>two</m>\n\n"), Some(&read), false);
        assert_eq!(third, "<m>two</m>\n\n<task>now</task>");
        let (fresh, _) = turn_text(&prompt(&twice, ""), None, false);
        assert!(fresh.contains("<your-message>\nmine\n\nmine again\n</your-message>"), "{fresh}");
    }

    #[test]
    fn a_record_that_begins_with_the_own_last_message_brings_what_is_new() {
        let (user, own) = (PromptRole::User, PromptRole::Assistant);
        let (_, read) = turn_text(&prompt(&[], "The topic.\n\n<m>one</m>\n\n<m>two</m>\n\n"), None, false);
        let next = prompt(&[(user, "The topic."), (own, "mine")], "<m>three</m>\n\n");
        let (second, read) = turn_text(&next, Some(&read), false);
        assert_eq!(second, "<m>three</m>\n\n<task>now</task>");
        let next = prompt(&[(user, "The topic."), (own, "more")], "<m>three</m>\n\n<m>three</m>\n\n");
        let (third, _) = turn_text(&next, Some(&read), false);
        assert_eq!(third, "<m>three</m>\n\n<task>now</task>", "the same words were said again");
    }

    #[test]
    fn a_long_record_is_recognized_by_its_front() {
        let long = |count: usize| (0..count).map(|n| format!("<m>{n}</m>\n\n")).collect::<String>();
        let (_, read) = turn_text(&prompt(&[], &long(3 * RECENT)), None, false);
        assert_eq!((read.count, read.recent.len()), (2 * RECENT, RECENT));
        let (next, _) = turn_text(&prompt(&[], &long(3 * RECENT + 1)), Some(&read), false);
        assert_eq!(next, format!("<m>{}</m>\n\n<task>now</task>", 3 * RECENT));
    }
}
