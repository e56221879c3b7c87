//! Citations of what tools returned: `src/main.rs#L10-L20` for lines of a file that a result shows, `[src/main.rs]` for
//! the file, `[t3]` or `t3#4-9` for another result, its address for a page of the web. What no tool returned is no evidence.

use quorate_contract::{
    CITATIONS_MAX, CitedPage, Evidence, ParticipantId, RoundKind, ToolCallId, ToolSource, is_web_address,
};

use super::citations::lines;
use crate::state::{Meeting, ToolResultRecord};

/// The most places of a text that are looked at.
const PLACES_MAX: usize = 500;

/// The citations of results in a text, in their order in it, each once. A speaker cites its own results, and those of
/// others that it may know.
pub(crate) fn cited(m: &Meeting, text: &str, speaker: Option<ParticipantId>) -> Vec<Evidence> {
    if m.tools.results.is_empty() {
        return Vec::new();
    }
    let marks = text.match_indices('#').take(PLACES_MAX);
    let of_lines = marks.filter_map(|(mark, _)| at_mark(m, text, mark, speaker));
    let of_all = in_brackets(text).filter_map(|(at, name)| Some((at, whole(m, name, speaker)?)));
    let mut all: Vec<(usize, Evidence)> = of_lines.chain(of_all).chain(addresses(m, text, speaker)).collect();
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

/// What stands in brackets of a text, part by part where commas separate it, each with its place.
fn in_brackets(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let inner = |(open, sign): (usize, &str)| {
        let start = open + sign.len();
        let close = text[start..].find(['[', '【', ']', '】', '\n'])?;
        text[start + close..].starts_with([']', '】']).then(|| (start, &text[start..start + close]))
    };
    text.match_indices(['[', '【']).take(PLACES_MAX).filter_map(inner).flat_map(|(start, inner)| {
        let mut at = start;
        inner.split_inclusive([',', ';', '，', '、', '；']).map(move |part| {
            let begins = at;
            at += part.len();
            (begins, part.trim_matches(|c: char| c.is_whitespace() || ",;，、；`".contains(c)))
        })
    })
}

/// The evidence that a part in brackets names as a whole: `t3`, or the path of a file.
fn whole(m: &Meeting, name: &str, speaker: Option<ParticipantId>) -> Option<Evidence> {
    let mut known = known(m, speaker);
    if let Ok(call) = name.parse::<ToolCallId>() {
        let result = known.find(|result| result.call == call)?;
        return Some(Evidence { call, seq: result.seq, path: None, title: None, first: None, last: None });
    }
    known.find_map(|result| {
        let named = named_by(result, name);
        let path = result
            .sources
            .iter()
            .map(|one| &one.path)
            .find(|path| named.contains(&path.as_str()) && !is_web_address(path))?;
        let (call, seq) = (result.call, result.seq);
        Some(Evidence { call, seq, path: Some(path.clone()), title: None, first: None, last: None })
    })
}

/// The paths that a name can mean: itself, without the name of its source, without `./`.
fn named_by<'n>(result: &ToolResultRecord, name: &'n str) -> [&'n str; 2] {
    let name = name.strip_prefix("./").unwrap_or(name);
    let inner = name.strip_prefix(source_of(result)).and_then(|rest| rest.strip_prefix(':')).unwrap_or(name);
    [name, inner.strip_prefix("./").unwrap_or(inner)]
}

fn source_of(result: &ToolResultRecord) -> &str {
    result.tool.split_once("__").map_or("", |(source, _)| source)
}

/// The evidence at a `#` with lines behind it: of the result, or the file, whose name ends there. A name may hold any sign;
/// the longest one that was shown is meant.
fn at_mark(
    m: &Meeting,
    text: &str,
    mark: usize,
    speaker: Option<ParticipantId>,
) -> Option<(usize, Evidence)> {
    let (first, last, end) = lines(text, mark)?;
    let last = last.unwrap_or(first);
    let goes_on = text[end..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if first > last || goes_on {
        return None;
    }
    let before = &text[..mark];
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if let Some(start) = mark.checked_sub(digits + 1).filter(|_| digits > 0)
        && before.is_char_boundary(start)
        && !before[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && let Ok(call) = before[start..].parse::<ToolCallId>()
    {
        let result = known(m, speaker).find(|result| result.call == call)?;
        return (last <= result.lines).then(|| (start, evidence(result, None, first, last)));
    }
    let mut found: Option<(usize, Evidence)> = None;
    for result in known(m, speaker) {
        for shown in result.sources.iter().filter(|one| one.first <= first && last <= one.last) {
            let path = shown.path.as_str();
            let is_longer = found.as_ref().is_none_or(|(start, _)| path.len() > mark - start);
            if !is_longer || is_web_address(path) || !before.ends_with(path) {
                continue;
            }
            let start = mark - path.len();
            let mut lead = before[..start].strip_suffix("./").unwrap_or(&before[..start]);
            lead =
                lead.strip_suffix(':').and_then(|lead| lead.strip_suffix(source_of(result))).unwrap_or(lead);
            // A longer path is another file's.
            let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./\\:@~".contains(c);
            if !lead.ends_with(is_part) {
                found = Some((start, evidence(result, Some(path.to_owned()), first, last)));
            }
        }
    }
    found
}

/// The results that a speaker may know, the last first.
fn known(m: &Meeting, speaker: Option<ParticipantId>) -> impl Iterator<Item = &ToolResultRecord> {
    m.tools.results.iter().rev().map(AsRef::as_ref).filter(move |result| knows(m, speaker, result))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{TurnId, WEB_SEARCH_TOOL, WebPage};

    use super::*;
    use crate::tests::{round_of, seated};

    #[test]
    fn an_address_is_cited_where_no_longer_one_goes_on() {
        let at = |text: &str| place_of(text, "https://a.org/x");
        for (text, place) in [
            ("https://a.org/x", 0),
            ("see https://a.org/x.", 4),
            ("(https://a.org/x) says", 1),
            ("https://a.org/x/ says", 0),
            ("https://a.org/x? Yes", 0),
            ("https://a.org/x，如上", 0),
            ("https://a.org/xy and https://a.org/x", 21),
        ] {
            assert_eq!(at(text), Some(place), "{text}");
        }
        for text in ["https://a.org/x/y", "https://a.org/x.html", "https://a.org/x?q=1", "https://a.org/x-y"]
        {
            assert_eq!(at(text), None, "{text}");
        }
    }

    #[test]
    fn brackets_are_read_part_by_part_where_they_close_on_their_line() {
        let read: Vec<_> = in_brackets("[a, `b`] 【c】 [d\n] [e[f]").collect();
        assert_eq!(read, [(1, "a"), (3, "b"), (12, "c"), (25, "f")]);
    }

    #[test]
    fn a_passage_supports_a_claim_that_holds_it_or_stands_in_it_and_is_no_mere_word() {
        let supports = |passage: &str, claim: &str| {
            let page = WebPage::new("https://a.org/x", "X").expect("it is an address");
            super::supports(&CitedPage { page, passages: vec![passage.into()] }, claim)
        };
        assert!(supports("One file is easy", "it is known: one  FILE is easy to keep"));
        assert!(supports("It is known: one file is easy to keep", "one file is easy"));
        assert!(supports("a file", "Keep a file."));
        assert!(!supports("files", "Keep files."), "five letters");
        assert!(!supports("One file is easy", "Two writers are many"));
    }

    /// A result of a participant in a serial round.
    fn result(call: u32, participant: u32, tool: &str, sources: Vec<ToolSource>) -> Arc<ToolResultRecord> {
        Arc::new(ToolResultRecord {
            call: ToolCallId(call),
            seq: u64::from(call),
            turn: TurnId { round: 1, place: call },
            participant: ParticipantId(participant),
            tool: tool.to_owned(),
            lines: 5,
            sources,
        })
    }

    fn with_results(results: Vec<Arc<ToolResultRecord>>) -> Meeting {
        let mut m = seated(2);
        m.rounds.push(round_of(1, &[]));
        Arc::make_mut(&mut m.tools).results = results;
        m
    }

    #[test]
    fn a_result_is_cited_by_its_number_however_long_that_is() {
        let m = with_results(vec![result(12, 1, "repo__search", Vec::new())]);
        let calls = |text: &str| -> Vec<(ToolCallId, Option<u32>)> {
            cited(&m, text, None).iter().map(|one| (one.call, one.first)).collect()
        };
        assert_eq!(calls("As t12#2 says."), [(ToolCallId(12), Some(2))]);
        assert_eq!(calls("#2 says so, and so does 2#2."), []);
    }

    #[test]
    fn what_was_read_twice_is_cited_as_it_was_read_last() {
        let read = |call| result(call, 1, "repo__read_file", vec![ToolSource::lines("src/a.rs", 1, 5)]);
        let m = with_results(vec![read(1), read(2)]);
        let found = cited(&m, "It is so (src/a.rs#L2).", None);
        assert_eq!(found.iter().map(|one| one.call).collect::<Vec<_>>(), [ToolCallId(2)]);
    }

    #[test]
    fn a_page_that_another_has_found_since_is_cited_once() {
        let page = || ToolSource { path: "https://a.org/x".into(), title: None, first: 1, last: 1 };
        let found = |number| result(number, number, WEB_SEARCH_TOOL, vec![page()]);
        let m = with_results(vec![found(1), found(2)]);
        let ada = ParticipantId(1);
        let page = WebPage::new("https://a.org/x", "X").expect("it is an address");
        let page = CitedPage { page, passages: Vec::new() };
        let calls = |text: &str| -> Vec<ToolCallId> {
            let found = cited(&m, text, Some(ada));
            with_pages(&m, found, ada, [&page]).iter().map(|one| one.call).collect()
        };
        assert_eq!(calls("As https://a.org/x says."), [ToolCallId(2)]);
        assert_eq!(calls("So it is."), [ToolCallId(1)], "her own, where she names none");
    }
}
