//! Skip lists: when a participant need not be asked, because only phrases of its list were said since its last word.
//!
//! A message is such a phrase when both are equal without case, compatibility forms, invisible marks, and blanks and
//! punctuation around them. A phrase that begins with `/` or `!` is a command: a message that begins with it, as a
//! whole word, counts whatever follows.

use quorate_contract::{Actor, ParticipantId, SKIP_MESSAGES_MAX, folded};

use crate::state::Meeting;

/// The phrases of a participant's skip list that were said since its last word, or since it joined, each once and in
/// the order of the list; `None` when it is to be asked: nothing was said, something else was, or too much to compare.
pub(crate) fn only_listed(m: &Meeting, id: ParticipantId) -> Option<Vec<String>> {
    let seat = m.seats.iter().find(|seat| seat.participant.id == id)?;
    let list = &seat.participant.skip_list;
    if list.is_empty() {
        return None;
    }
    let phrases: Vec<Phrase> = list.iter().map(|phrase| Phrase::of(phrase)).collect();
    let from = m.own_word_until(id).unwrap_or(seat.joined_after as usize);
    let own = Actor::participant(id);
    let since = m.said[from.min(m.said.len())..].iter().rev();
    let others = since.filter(|said| said.speaker != own && m.visible_at(said, Some(id)).is_some());
    let mut said_phrases = vec![false; list.len()];
    for (count, said) in others.enumerate() {
        let message = folded(&said.content);
        let place = phrases.iter().position(|phrase| phrase.is_all_of(&message))?;
        said_phrases[place] = true;
        if count >= SKIP_MESSAGES_MAX {
            return None;
        }
    }
    let said_phrases: Vec<String> =
        list.iter().zip(said_phrases).filter(|(_, said)| *said).map(|(phrase, _)| phrase.clone()).collect();
    (!said_phrases.is_empty()).then_some(said_phrases)
}

/// A phrase as messages are compared with it.
enum Phrase {
    /// The message is this, without what stands around it.
    Whole(String),
    /// The message begins with this.
    Command(String),
}

impl Phrase {
    fn of(phrase: &str) -> Self {
        let phrase = folded(phrase);
        let command = phrase.trim().trim_end_matches(is_fringe);
        match command.strip_prefix(['/', '!']).is_some_and(|name| name.starts_with(char::is_alphanumeric)) {
            true => Self::Command(command.to_owned()),
            false => Self::Whole(bare(&phrase).to_owned()),
        }
    }

    /// Whether a folded message says nothing else.
    fn is_all_of(&self, message: &str) -> bool {
        match self {
            Self::Whole(phrase) => bare(message) == phrase,
            Self::Command(command) => {
                let rest = message.trim_start().strip_prefix(command.as_str());
                let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
                rest.is_some_and(|rest| !rest.starts_with(goes_on))
            }
        }
    }
}

/// A text without the blanks and the punctuation around it; all of it when it consists of them alone.
fn bare(text: &str) -> &str {
    match text.trim_matches(is_fringe) {
        "" => text.trim(),
        bare => bare,
    }
}

/// A blank or a punctuation mark. Signs such as `+`, `$` and emoji say something.
fn is_fringe(c: char) -> bool {
    c.is_whitespace()
        || matches!(c,
            '!'..='#' | '%'..='*' | ','..='/' | ':' | ';' | '?' | '@' | '['..=']' | '_' | '{' | '}'
            | '¡' | '§' | '«' | '¶' | '·' | '»' | '¿'
            | '‐'..='‧' | '‰'..='⁞' | '、'..='〃' | '〈'..='】' | '〔'..='〟' | '〰' | '・')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(phrase: &str, message: &str) -> bool {
        Phrase::of(phrase).is_all_of(&folded(message))
    }

    #[test]
    fn a_message_is_a_phrase_without_case_forms_and_what_stands_around_it() {
        for (phrase, message) in [
            ("ok", "  OK!! "),
            ("Ｏｋ。", "“ok”"),
            ("收到", "收到。"),
            ("thank you", "Thank\n you…"),
            ("+1", "＋1"),
            ("👍", "👍!"),
            ("...", "…"),
            ("straße", "STRASSE"),
        ] {
            assert!(fits(phrase, message), "{phrase:?} {message:?}");
        }
        for (phrase, message) in [
            ("ok", "ok, but why?"),
            ("ok", "o k"),
            ("+1", "1"),
            ("...", "!"),
            ("ok", ""),
            ("收到", "收到吗我"),
        ] {
            assert!(!fits(phrase, message), "{phrase:?} {message:?}");
        }
    }

    #[test]
    fn a_command_counts_whatever_follows_it() {
        for (phrase, message) in [
            ("/status", "/status"),
            ("/Status", " ／STATUS of everything?"),
            ("!roll", "！roll: 2d6"),
            ("/状态", "/状态 现在"),
        ] {
            assert!(fits(phrase, message), "{phrase:?} {message:?}");
        }
        for (phrase, message) in [
            ("/status", "/statuses"),
            ("/status", "/status-page"),
            ("/status", "see /status"),
            ("/status", "status"),
            ("/", "/status"),
            ("!", "!roll"),
        ] {
            assert!(!fits(phrase, message), "{phrase:?} {message:?}");
        }
    }
}
