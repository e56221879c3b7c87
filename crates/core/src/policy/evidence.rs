//! Citations of what tools returned: `src/main.rs#L10-L20` for lines of a file that a result shows, `[src/main.rs]` for
//! the file, `[t3]` or `t3#4-9` for another result. What no tool returned is no evidence.

use quorate_contract::{CITATIONS_MAX, Evidence, ParticipantId, RoundKind, ToolCallId};

use crate::state::{Meeting, ToolResultRecord};

/// The most places of a text that are looked at.
const PLACES_MAX: usize = 500;

/// The citations of results in a text, in their order in it, each once. A speaker cites its own results, and those of
/// others that it may know.
pub(crate) fn cited(m: &Meeting, text: &str, speaker: Option<ParticipantId>) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = Vec::new();
    if m.tools.results.is_empty() {
        return found;
    }
    let words = words(text).take(PLACES_MAX);
    for (word, in_brackets) in words {
        let Some(one) = read(m, word, in_brackets, speaker) else { continue };
        if !found.contains(&one) {
            found.push(one);
            if found.len() == CITATIONS_MAX {
                break;
            }
        }
    }
    found
}

/// The words of a text that can be a citation, each with whether it stands alone in brackets.
fn words(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let apart = |c: char| {
        c.is_whitespace()
            || matches!(c, '[' | ']' | '(' | ')' | '{' | '}' | '<' | '>' | '"' | '\'' | '`' | '|' | ',' | ';')
            || matches!(
                c,
                '，' | '。' | '、' | '；' | '：' | '（' | '）' | '【' | '】' | '「' | '」' | '《' | '》'
            )
    };
    text.split(apart).filter_map(move |word| {
        let at = word.as_ptr().addr() - text.as_ptr().addr();
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let in_brackets = matches!(before, Some('[' | '【')) && matches!(after, Some(']' | '】'));
        let word = word.trim_end_matches(['.', ':', '!', '?']);
        (in_brackets || word.contains('#')).then_some((word, in_brackets))
    })
}

fn read(m: &Meeting, word: &str, in_brackets: bool, speaker: Option<ParticipantId>) -> Option<Evidence> {
    let known = m.tools.results.iter().rev().map(AsRef::as_ref).filter(|result| knows(m, speaker, result));
    let (name, lines) = match word.rsplit_once('#') {
        Some((name, lines)) => (name, Some(line_range(lines)?)),
        None => (word, None),
    };
    if let Ok(call) = name.parse::<ToolCallId>() {
        let mut of_call = known.filter(|result| result.call == call);
        let result = of_call.next()?;
        return match lines {
            Some((_, last)) if last > result.lines => None,
            Some((first, last)) => Some(evidence(result, None, first, last)),
            None => {
                let (seq, path) = (result.seq, None);
                in_brackets.then_some(Evidence { call, seq, path, first: None, last: None })
            }
        };
    }
    if lines.is_none() && !in_brackets {
        return None; // a path may stand in a text without citing anything
    }
    for result in known {
        let source = result.tool.split_once("__").map_or("", |(source, _)| source);
        let path = name.strip_prefix(source).and_then(|rest| rest.strip_prefix(':')).unwrap_or(name);
        let path = path.strip_prefix("./").unwrap_or(path);
        let mut shown = result.sources.iter().filter(|one| one.path == path);
        match lines {
            Some((first, last)) if shown.any(|one| one.first <= first && last <= one.last) => {
                return Some(evidence(result, Some(path.to_owned()), first, last));
            }
            None if shown.next().is_some() => {
                let (call, seq, path) = (result.call, result.seq, Some(path.to_owned()));
                return Some(Evidence { call, seq, path, first: None, last: None });
            }
            Some(_) | None => {}
        }
    }
    None
}

fn evidence(result: &ToolResultRecord, path: Option<String>, first: u32, last: u32) -> Evidence {
    let (call, seq) = (result.call, result.seq);
    Evidence { call, seq, path, first: Some(first), last: (last != first).then_some(last) }
}

/// Whether somebody may know a result: its own, or that of a turn that all can read.
fn knows(m: &Meeting, speaker: Option<ParticipantId>, result: &ToolResultRecord) -> bool {
    if speaker == Some(result.participant) {
        return true;
    }
    let round = m.rounds.iter().find(|round| round.number == result.turn.round);
    round.is_some_and(|round| round.kind == RoundKind::Serial || round.ended_seq.is_some())
}

/// Lines as they are cited: `L10-L20`, `10-20`, `L10`.
fn line_range(text: &str) -> Option<(u32, u32)> {
    let number = |text: &str| text.strip_prefix(['L', 'l']).unwrap_or(text).parse::<u32>().ok();
    let (first, last) = match text.split_once(['-', '–', '—']) {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    (first > 0 && first <= last).then_some((first, last))
}
