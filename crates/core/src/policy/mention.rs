//! Mentions: finds the participants and the people whose names are called in a message.
//!
//! A participant goes before a person of the same name. A person who is mentioned gets no turn by it, but through a seat
//! that they hold.
//!
//! Recognizes `@name` and `@"name with spaces"`, also beside full-width punctuation and without a space in
//! Chinese text. Names are compared without case and however their letters are composed; a name that
//! continues as a longer word is another name. The longest name wins. Code and quotations contain no
//! mentions. `fixtures/mentions.json` holds this and the page to the same answers.

use quorate_contract::{ParticipantId, Person, folded};
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};

use crate::state::{AtTable, Meeting};

/// Whom a message mentions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Mentioned {
    /// The participants, and the seats of people.
    pub(crate) participants: Vec<ParticipantId>,
    /// The people.
    pub(crate) people: Vec<Person>,
}

/// Whom at the table a text mentions, in order of first mention, each once.
pub(crate) fn at_table(m: &Meeting, text: &str) -> Mentioned {
    let mut mentioned = Mentioned::default();
    for one in find(text, m.at_table()) {
        let participant = match one {
            AtTable::Participant(id) => Some(id),
            AtTable::Person(person) => {
                mentioned.people.push(person.clone());
                m.seat_of_person(&person.id).map(|seat| seat.participant.id)
            }
        };
        mentioned.participants.extend(participant.filter(|id| !mentioned.participants.contains(id)));
    }
    mentioned
}

/// The mentioned in order of first mention, each once. Of two with the same name it is the last.
fn find<'a, Who: Copy + PartialEq>(text: &str, names: impl Iterator<Item = (Who, &'a str)>) -> Vec<Who> {
    let mut found = Vec::new();
    if !text.contains(SIGNS) {
        return found;
    }
    let names: Vec<(Who, String)> =
        names.map(|(id, name)| (id, folded(name))).filter(|(_, name)| !name.trim().is_empty()).collect();
    for line in spoken_lines(text).iter().filter(|line| line.contains(SIGNS)) {
        let line = folded(line);
        for (at, _) in line.match_indices('@') {
            // As in ada@example.org; in a script that writes no spaces a name is called in mid-sentence.
            if line[..at].chars().next_back().is_some_and(|before| is_word(before) && !may_touch(before)) {
                continue;
            }
            if let Some(id) = named(&line[at + 1..], &names)
                && !found.contains(&id)
            {
                found.push(id);
            }
        }
    }
    found
}

/// The signs before a name, as keyboards of all kinds type them.
const SIGNS: [char; 3] = ['@', '＠', '﹫'];

/// The lines of a text without code and quotations.
fn spoken_lines(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && !start.starts_with('>') {
            // Between backticks is code; an unpaired backtick opens nothing.
            let parts: Vec<&str> = line.split('`').collect();
            let paired = parts.len() - (parts.len() + 1) % 2;
            let spoken = parts.iter().enumerate().filter(|(i, _)| i % 2 == 0 || *i >= paired);
            let spoken = spoken.map(|(_, part)| *part).collect::<Vec<_>>().join(" ");
            lines.push(without_quotations(&spoken));
        }
    }
    lines
}

/// Opening quotation marks with their closing ones.
const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('「', '」'), ('『', '』')];

/// A line without its quotations; the quotation marks of a name, right after the `@`, stay.
fn without_quotations(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    // A mark that nothing closes is looked for once, not again from each mark that opens.
    let mut unpaired = [false; QUOTES.len()];
    while let Some((at, which)) = rest.char_indices().find_map(|(at, c)| {
        let which = QUOTES.iter().position(|(open, _)| *open == c)?;
        (!unpaired[which]).then_some((at, which))
    }) {
        let (before, quoted) = rest.split_at(at);
        let (open, close) = QUOTES[which];
        let inner = &quoted[open.len_utf8()..];
        kept.push_str(before);
        match inner.find(close) {
            // A name in quotation marks is what is called.
            Some(end) if before.ends_with(SIGNS) => {
                let end = open.len_utf8() + end + close.len_utf8();
                kept.push_str(&quoted[..end]);
                rest = &quoted[end..];
            }
            Some(end) => {
                kept.push(' ');
                rest = &inner[end + close.len_utf8()..];
            }
            // An unpaired mark opens nothing.
            None => {
                unpaired[which] = true;
                kept.push(open);
                rest = inner;
            }
        }
    }
    kept + rest
}

/// Whose name stands here, behind an `@`.
fn named<Who: Copy>(rest: &str, names: &[(Who, String)]) -> Option<Who> {
    const MARKS: [char; 7] = ['"', '“', '”', '「', '」', '『', '』'];
    let (quoted, rest) = match rest.strip_prefix(MARKS) {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let fits = |name: &str| {
        let Some(after) = rest.strip_prefix(name) else { return false };
        match (name.chars().next_back(), after.chars().next()) {
            _ if quoted => after.starts_with(MARKS),
            (Some(last), Some(next)) => ends_between(last, next),
            (_, None) | (None, _) => true,
        }
    };
    let fitting = names.iter().filter(|(_, name)| fits(name));
    fitting.max_by_key(|(_, name)| name.len()).map(|(id, _)| *id)
}

/// Whether a word may end between these two: at a Unicode word boundary. A sign between two letters, as in
/// `Ben's`, ends a name, too.
fn ends_between(last: char, next: char) -> bool {
    if is_combining_mark(next) {
        return false; // it changes the letter before it
    }
    let katakana = |c: char| c.script() == Script::Katakana || c == 'ー';
    let hangul = |c: char| c.script() == Script::Hangul;
    !is_word(last)
        || !is_word(next)
        || runs_on(last)
        || runs_on(next)
        || katakana(last) != katakana(next)
        // A Korean particle follows a foreign name directly.
        || (next.is_alphabetic() && hangul(last) != hangul(next))
}

/// Whether a character is a letter, a digit, a mark on one, or joins words into one.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c) || matches!(c, '_' | '‿' | '⁀' | '⁔')
}

/// Written without spaces between words.
fn runs_on(c: char) -> bool {
    matches!(
        c.script(),
        Script::Han
            | Script::Hiragana
            | Script::Thai
            | Script::Lao
            | Script::Khmer
            | Script::Myanmar
            | Script::Tai_Le
            | Script::New_Tai_Lue
            | Script::Tai_Tham
            | Script::Tai_Viet
    )
}

/// Whether a mention may follow this character directly.
fn may_touch(c: char) -> bool {
    runs_on(c) || matches!(c.script(), Script::Katakana | Script::Hangul) || c == 'ー'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Cases {
        names: Vec<String>,
        cases: Vec<(String, Vec<String>)>,
    }

    /// The cases that the page is held to, too.
    #[test]
    fn mentions_are_found_as_the_cases_say() {
        let Cases { names, cases } =
            serde_json::from_str(include_str!("../../../../fixtures/mentions.json")).expect("the cases");
        assert!(cases.len() > 30);
        for (text, called) in cases {
            let table = names.iter().enumerate().map(|(i, name)| (ParticipantId(i as u32), name.as_str()));
            let found: Vec<&String> =
                find(&text, table).into_iter().map(|id| &names[id.0 as usize]).collect();
            assert_eq!(found, called.iter().collect::<Vec<_>>(), "{text:?}");
        }
    }

    fn called(text: &str, names: &[&str]) -> Vec<u32> {
        let table = names.iter().zip(1..).map(|(name, id)| (ParticipantId(id), *name));
        find(text, table).into_iter().map(|id| id.0).collect()
    }

    #[test]
    fn code_and_quotations_call_nobody() {
        let names = ["Ada", "Bo"];
        assert_eq!(called("`@Ada` @Bo", &names), [2]);
        assert_eq!(called("@Bo ` @Ada", &names), [2, 1], "an unpaired backtick opens nothing");
        assert_eq!(called("`code` ` @Ada", &names), [1]);
        assert_eq!(called("“So said @Bo” is what he said, @Ada", &names), [1]);
    }

    #[test]
    fn a_name_ends_where_its_word_or_its_quotation_ends() {
        assert!(called("@\"Ada and others\"", &["Ada"]).is_empty());
        assert_eq!(called("@\"Ada\" and others", &["Ada"]), [1]);
        assert_eq!(called("@アダA", &["アダ"]), [1], "another script begins");
        assert!(called("@アダー", &["アダ"]).is_empty());
    }
}
