//! Citations of what tools returned: `src/main.rs#L10-L20` for lines of a file that a result shows, `[src/main.rs]` for
//! the file, `[t3]` or `t3#4-9` for another result, its address for a page of the web. What no tool returned is no evidence.

use quorate_contract::{
    CITATIONS_MAX, CitedPage, Evidence, ParticipantId, RoundKind, ToolCallId, ToolSource, is_web_address,
};

use crate::state::{Meeting, ToolResultRecord};

/// The most places of a text that are looked at.
const PLACES_MAX: usize = 500;

/// The citations of results in a text, in their order in it, each once. A speaker cites its own results, and those of
/// others that it may know.
pub(crate) fn cited(m: &Meeting, text: &str, speaker: Option<ParticipantId>) -> Vec<Evidence> {
    if m.tools.results.is_empty() {
        return Vec::new();
    }
    let words = words(text).take(PLACES_MAX).filter_map(|(word, in_brackets)| {
        let at = word.as_ptr().addr() - text.as_ptr().addr();
        Some((at, read(m, word, in_brackets, speaker)?))
    });
    let mut all: Vec<(usize, Evidence)> = words.chain(addresses(m, text, speaker)).collect();
    all.sort_by_key(|(at, _)| *at);
    let mut found: Vec<Evidence> = Vec::new();
    for (_, one) in all {
        add(&mut found, one);
    }
    found
}

fn add(found: &mut Vec<Evidence>, one: Evidence) {
    if found.len() < CITATIONS_MAX && !found.contains(&one) {
        found.push(one);
    }
}

/// The evidence of a message or claim, and the pages of the web that it rests on, as the provider of its author says.
pub(crate) fn with_pages<'a>(
    m: &Meeting,
    mut found: Vec<Evidence>,
    author: ParticipantId,
    pages: impl IntoIterator<Item = &'a CitedPage>,
) -> Vec<Evidence> {
    for cited in pages {
        let address = cited.page.address();
        let mut own = m.tools.results.iter().rev().filter(|result| result.participant == author);
        let source = own.find_map(|result| {
            Some((result.as_ref(), result.sources.iter().find(|source| source.path == address)?))
        });
        let is_known = found.iter().any(|one| one.path.as_deref() == Some(address));
        if let Some((result, source)) = source.filter(|_| !is_known) {
            add(&mut found, page(result, source));
        }
    }
    found
}

/// Whether a claim stands in a passage that rests on a page, or holds one.
pub(crate) fn supports(cited: &CitedPage, claim: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let claim = plain(claim);
    cited.passages.iter().map(|passage| plain(passage)).any(|passage| {
        let shorter = passage.chars().count().min(claim.chars().count());
        shorter >= PASSAGE_MIN_CHARS && (passage.contains(&claim) || claim.contains(&passage))
    })
}

/// The shortest passage that says something.
const PASSAGE_MIN_CHARS: usize = 6;

/// The pages of the web whose addresses stand in a text, each with its place. Results of the same page are one: the last.
fn addresses<'m>(
    m: &'m Meeting,
    text: &'m str,
    speaker: Option<ParticipantId>,
) -> impl Iterator<Item = (usize, Evidence)> + 'm {
    let known =
        m.tools.results.iter().rev().map(AsRef::as_ref).filter(move |result| knows(m, speaker, result));
    let pages = known.flat_map(|result| result.sources.iter().map(move |source| (result, source)));
    let pages = pages.filter(|(_, source)| is_web_address(&source.path));
    let any = text.contains("://");
    let mut seen: Vec<&str> = Vec::new();
    pages.filter(move |_| any).filter_map(move |(result, source)| {
        let at = place_of(text, &source.path)?;
        if seen.contains(&source.path.as_str()) {
            return None;
        }
        seen.push(&source.path);
        Some((at, page(result, source)))
    })
}

/// Where an address stands in a text, not as the beginning of a longer one.
fn place_of(text: &str, address: &str) -> Option<usize> {
    let ends = |rest: &str| {
        let mut signs = rest.chars();
        match signs.next() {
            None => true,
            Some('/') => signs.next().is_none_or(|next| !next.is_alphanumeric()),
            Some('.' | ',' | ';' | ':' | '!' | '?' | '\'') => {
                signs.next().is_none_or(|next| !next.is_alphanumeric())
            }
            Some(next) => {
                !(next.is_ascii_alphanumeric()
                    || matches!(next, '-' | '_' | '~' | '%' | '&' | '=' | '#' | '+' | '@'))
            }
        }
    };
    text.match_indices(address).map(|(at, _)| at).find(|at| ends(&text[at + address.len()..]))
}

fn page(result: &ToolResultRecord, source: &ToolSource) -> Evidence {
    let (path, title) = (Some(source.path.clone()), source.title.clone());
    Evidence { call: result.call, seq: result.seq, path, title, first: None, last: None }
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
                in_brackets.then_some(Evidence { call, seq, path, title: None, first: None, last: None })
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
        let mut shown = result.sources.iter().filter(|one| one.path == path && !is_web_address(path));
        match lines {
            Some((first, last)) if shown.any(|one| one.first <= first && last <= one.last) => {
                return Some(evidence(result, Some(path.to_owned()), first, last));
            }
            None if shown.next().is_some() => {
                let (call, seq, path) = (result.call, result.seq, Some(path.to_owned()));
                return Some(Evidence { call, seq, path, title: None, first: None, last: None });
            }
            Some(_) | None => {}
        }
    }
    None
}

fn evidence(result: &ToolResultRecord, path: Option<String>, first: u32, last: u32) -> Evidence {
    let (call, seq) = (result.call, result.seq);
    Evidence { call, seq, path, title: None, first: Some(first), last: (last != first).then_some(last) }
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
