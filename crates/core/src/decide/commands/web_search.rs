//! Searches that the provider of a participant made for its answer, as its vendor reports them.
//!
//! Each stands in the log as a call of a tool with its result, so that it is shown, counted and cited like one. It was made
//! already: nothing is owed to it.

use quorate_contract::{
    CitedPage, EventBody, TOOL_CALLS_PER_ANSWER, TOOL_RESULT_MAX_CHARS, ToolCallId, ToolOutcome, ToolSource,
    TurnId, WEB_PAGES_MAX, WEB_PASSAGES_MAX, WEB_QUERY_MAX_CHARS, WEB_SEARCH, WEB_SEARCH_TOOL, WebFindings,
    WebPage, WebSearch, clean, shorten,
};
use serde_json::json;

use crate::decide::transaction::Transaction;
use crate::state::number_after;

/// The longest passage that is read.
const PASSAGE_MAX_CHARS: usize = 2000;
/// The longest word of a provider for why it found nothing.
const PROBLEM_MAX_CHARS: usize = 100;

/// Records the searches of an answer, and returns the pages that it cites. Searches that the participant was not allowed
/// are charged and not recorded.
pub(super) fn searched(t: &mut Transaction, turn: TurnId, findings: WebFindings) -> Vec<CitedPage> {
    let Some(participant) = t.meeting.turn(turn).map(|turn| turn.participant) else { return Vec::new() };
    let is_allowed = t.meeting.tools_of(participant).any(|name| name == WEB_SEARCH);
    if findings.is_empty() || !is_allowed || t.meeting.tool_calls_left(turn) == 0 {
        return Vec::new();
    }
    let step = number_after(t.meeting.tool_answers(turn).len());
    let WebFindings { searches, mut cited } = findings;
    cited.truncate(WEB_PAGES_MAX);
    for page in &mut cited {
        page.passages.truncate(WEB_PASSAGES_MAX);
        page.passages.iter_mut().for_each(|passage| *passage = shorten(passage, PASSAGE_MAX_CHARS));
    }
    for search in complete(searches, &cited) {
        let call = ToolCallId(t.meeting.tools.called.saturating_add(1));
        let WebSearch { query, pages, problem } = search;
        let query = shorten(&clean(&query), WEB_QUERY_MAX_CHARS);
        t.emit(EventBody::ToolCalled {
            call,
            turn,
            participant,
            step,
            tool: WEB_SEARCH_TOOL.to_owned(),
            arguments: json!({ "query": query }).to_string(),
            effects: false,
            max_chars: TOOL_RESULT_MAX_CHARS,
            text: String::new(),
            continuation: String::new(),
        });
        let outcome = match problem {
            Some((kind, word)) => ToolOutcome::failed(kind, shorten(&clean(&word), PROBLEM_MAX_CHARS)),
            None => result(&pages),
        };
        t.end_tool(turn, participant, call, outcome, 0);
    }
    cited
}

/// The searches, each page once in each. A cited page that no search names belongs to the last that found something.
fn complete(mut searches: Vec<WebSearch>, cited: &[CitedPage]) -> Vec<WebSearch> {
    searches.truncate(TOOL_CALLS_PER_ANSWER);
    for search in &mut searches {
        let mut pages: Vec<WebPage> = Vec::new();
        for page in std::mem::take(&mut search.pages) {
            if !pages.iter().any(|known| known.address() == page.address()) {
                pages.push(page);
            }
        }
        // What is cited stays, however much was found.
        let is_cited = |page: &WebPage| cited.iter().any(|one| one.page.address() == page.address());
        pages.sort_by_key(|page| !is_cited(page));
        pages.truncate(WEB_PAGES_MAX);
        search.pages = pages;
    }
    let is_named = |searches: &[WebSearch], page: &WebPage| {
        searches.iter().flat_map(|search| &search.pages).any(|known| known.address() == page.address())
    };
    for CitedPage { page, .. } in cited {
        if is_named(&searches, page) {
            continue;
        }
        match searches.iter_mut().rev().find(|search| search.problem.is_none()) {
            Some(search) => search.pages.push(page.clone()),
            None => searches.push(WebSearch { pages: vec![page.clone()], ..WebSearch::default() }),
        }
    }
    searches
}

/// The result of a search: a line for each page.
fn result(pages: &[WebPage]) -> ToolOutcome {
    let (mut text, mut sources, mut truncated) = (String::new(), Vec::new(), false);
    for (page, line) in pages.iter().zip(1..) {
        let named = match page.title() {
            "" => page.address().to_owned(),
            title => format!("{title} — {}", page.address()),
        };
        if text.chars().count() + named.chars().count() + 1 > TOOL_RESULT_MAX_CHARS as usize {
            truncated = true;
            break;
        }
        if line > 1 {
            text.push('\n');
        }
        text.push_str(&named);
        let title = Some(page.title().to_owned()).filter(|title| !title.is_empty());
        sources.push(ToolSource { path: page.address().to_owned(), title, first: line, last: line });
    }
    ToolOutcome::Returned { text, truncated, sources }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(address: &str, title: &str) -> WebPage {
        WebPage::new(address, title).expect("it is an address")
    }

    #[test]
    fn a_result_has_a_line_for_each_page() {
        let ToolOutcome::Returned { text, truncated, sources } =
            result(&[page("https://a.org", "A"), page("https://b.org", "")])
        else {
            panic!()
        };
        assert_eq!((text.as_str(), truncated), ("A — https://a.org\nhttps://b.org", false));
        let shown: Vec<_> =
            sources.iter().map(|one| (one.path.as_str(), one.title.as_deref(), one.first)).collect();
        assert_eq!(shown, [("https://a.org", Some("A"), 1), ("https://b.org", None, 2)]);
    }

    #[test]
    fn a_result_is_full_when_the_next_line_has_no_room() {
        let max = TOOL_RESULT_MAX_CHARS as usize;
        let address = |chars: usize| format!("https://a.org/{}", "x".repeat(chars - 14));
        // Eleven lines with their breaks, and a last one that just fits, or does not.
        let pages = |last: usize| {
            let mut pages: Vec<WebPage> = (0..11).map(|_| page(&address(999), "")).collect();
            pages.push(page(&address(last), ""));
            result(&pages)
        };
        let shown = |outcome| match outcome {
            ToolOutcome::Returned { text, truncated, sources } => {
                (text.chars().count(), truncated, sources.len())
            }
            ToolOutcome::Failed { .. } => panic!(),
        };
        let room = max - 11 * 1000;
        assert_eq!(shown(pages(room)), (max, false, 12));
        assert_eq!(shown(pages(room + 1)), (11 * 1000 - 1, true, 11));
    }
}
