//! The text of a turn. A session remembers: what the agent has read is not sent again.

use quorate_contract::{Prompt, PromptRole};
use quorate_messages::text;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a session has read so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadSoFar {
    /// The digest of the instruction.
    system: String,
    /// The length of the record, in bytes, and its digest.
    length: usize,
    record: String,
}

/// The text of a turn, and what the session has read after it.
pub(super) fn turn_text(prompt: &Prompt, before: Option<&ReadSoFar>, writable: bool) -> (String, ReadSoFar) {
    let language = prompt.brief.language;
    let (record, task) = parts(prompt);
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
    turn.push_str(task);
    if let Some(schema) = &prompt.schema {
        turn.push_str("\n\n");
        turn.push_str(&text!(language, "turn-acp-schema", schema = schema.schema.to_string()));
    }
    (turn.trim().to_owned(), after)
}

/// The record before the task, with the agent's own messages in frames, and the task.
fn parts(prompt: &Prompt) -> (Vec<(PromptRole, String)>, &str) {
    let Some((last, before)) = prompt.messages.split_last() else { return (Vec::new(), "") };
    let (record, task) = last.content.split_at_checked(prompt.task_at).unwrap_or((&last.content, ""));
    let framed = |(role, content): (PromptRole, &str)| {
        let content = content.trim();
        let text = match role {
            _ if content.is_empty() => String::new(),
            PromptRole::User => format!("{content}\n\n"),
            // No text of others can hold such a frame: in theirs a `<` before a letter is escaped.
            PromptRole::Assistant => {
                format!("<your-message>\n{}\n</your-message>\n\n", content.replace('<', "‹"))
            }
        };
        (role, text)
    };
    let all = before.iter().map(|message| (message.role, message.content.as_str()));
    (all.chain([(last.role, record)]).map(framed).collect(), task)
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
        let message = |(role, content): &(PromptRole, &str)| PromptMessage {
            role: *role,
            content: (*content).to_owned(),
        };
        let mut messages: Vec<PromptMessage> = messages.iter().map(message).collect();
        messages.push(PromptMessage { role: PromptRole::User, content: format!("{record}<task>now</task>") });
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
