//! The text of a turn. A session remembers: what the agent has read is not sent again.

use std::borrow::Cow;

use quorate_contract::{Prompt, PromptImage, PromptRole};
use quorate_messages::text;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::images::text_of;

/// What a session has read so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadSoFar {
    /// The digest of the instruction.
    system: String,
    /// The length of the record, in bytes, and its digest.
    length: usize,
    record: String,
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
    let (record, shown, task) = parts(prompt, is_shown);
    let whole: String = record.iter().map(|(_, text)| text.as_str()).collect();
    let after = ReadSoFar { system: digest(&prompt.system), length: whole.len(), record: digest(&whole) };
    let goes_on = before.filter(|before| {
        before.system == after.system
            && whole.get(..before.length).is_some_and(|read| digest(read) == before.record)
    });
    let mut turn = String::new();
    match goes_on {
        // Its own messages are in the session already.
        Some(before) => {
            let mut at = 0;
            for (role, text) in &record {
                let unread = text.get(before.length.saturating_sub(at).min(text.len())..).unwrap_or("");
                at += text.len();
                if *role == PromptRole::User {
                    turn.push_str(unread);
                }
            }
        }
        None => {
            turn.push_str(&prompt.system);
            turn.push_str("\n\n");
            turn.push_str(match writable {
                true => text!(language, "turn-acp-folder-writable"),
                false => text!(language, "turn-acp-folder"),
            });
            turn.push_str("\n\n");
            turn.push_str(&whole);
        }
    }
    turn.push_str(&task);
    let seen = goes_on.map_or(0, |before| before.length);
    let images = shown.into_iter().filter(|(at, _)| *at > seen).map(|(_, image)| image).collect();
    if let Some(schema) = &prompt.schema {
        turn.push_str("\n\n");
        turn.push_str(&text!(language, "turn-acp-schema", schema = schema.schema.to_string()));
    }
    TurnPrompt { text: turn.trim().to_owned(), images, read: after }
}

/// The record before the task, with the agent's own messages in frames; the images in it, by their place in the whole
/// record; and the task.
#[expect(clippy::type_complexity, reason = "three parts of one text")]
fn parts<'p>(
    prompt: &'p Prompt,
    is_shown: impl Fn(&PromptImage) -> bool,
) -> (Vec<(PromptRole, String)>, Vec<(usize, &'p PromptImage)>, Cow<'p, str>) {
    let (mut record, mut shown, mut length) = (Vec::new(), Vec::new(), 0);
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
        let trimmed = content.trim();
        let leading = content.len() - content.trim_start().len();
        shown.extend(images.into_iter().map(|(at, image)| (length + at.saturating_sub(leading), image)));
        let text = match message.role {
            _ if trimmed.is_empty() => String::new(),
            PromptRole::User => format!("{trimmed}\n\n"),
            // No text of others can hold such a frame: in theirs a `<` before a letter is escaped.
            PromptRole::Assistant => {
                format!("<your-message>\n{}\n</your-message>\n\n", trimmed.replace('<', "‹"))
            }
        };
        length += text.len();
        record.push((message.role, text));
    }
    (record, shown, task)
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
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
        // Minutes have replaced what was read: the session is told the whole record.
        let (replaced, _) = turn_text(&prompt(&[], "minutes\n\n"), Some(&read), false);
        assert!(replaced.starts_with("You are Ada.") && replaced.contains("minutes"), "{replaced}");
    }
}
