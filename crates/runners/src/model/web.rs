//! What an answer says of the vendor's own web search, put together from the pieces in which it comes.

use std::ops::Range;

use quorate_contract::{
    CitedPage, ToolFailureKind, WEB_PASSAGES_MAX, WebFindings, WebPage, WebSearch, shorten,
};

use super::redact::Secrets;

/// The most searches, pages of a search, and citations of an answer that are read.
const SEARCHES_MAX: usize = 50;
const PAGES_MAX: usize = 100;
const CITATIONS_MAX: usize = 200;
/// The longest passage that is kept, in characters.
const PASSAGE_MAX_CHARS: usize = 2000;
/// The longest query that is read, in bytes.
const QUERY_MAX_BYTES: usize = 10_000;

/// A citation as it came.
struct Citation {
    url: String,
    title: String,
    passage: Passage,
}

/// Which passage of the answer rests on a page.
enum Passage {
    Unknown,
    Text(String),
    /// The sentence before this character of the answer.
    Before(usize),
}

/// A search as it came.
#[derive(Default)]
struct Search {
    id: String,
    query: String,
    pages: Vec<(String, String)>,
    problem: Option<String>,
}

/// A page that the answer cites by a mark of its vendor, such as `ref_1`.
struct MarkedPage {
    mark: String,
    url: String,
    title: String,
}

/// Searches and citations while an answer comes in.
#[derive(Default)]
pub(crate) struct WebCollector {
    searches: Vec<Search>,
    citations: Vec<Citation>,
    marked: Vec<MarkedPage>,
    /// The vendor's count of the searches that it charges for.
    counted: Option<u64>,
    /// The arguments of a search, while they come in.
    arguments: Option<String>,
    /// The block of text that is coming in, and where its citations begin.
    block: Option<(String, usize)>,
    /// Whether a search lies between the words before and those that follow.
    ends_paragraph: bool,
}

impl WebCollector {
    /// A search was made; each is told once.
    pub(crate) fn searched(&mut self, id: &str, query: &str) {
        if let Some(known) = self.searches.iter_mut().find(|search| !id.is_empty() && search.id == id) {
            if known.query.is_empty() {
                query.clone_into(&mut known.query);
            }
        } else if self.searches.len() < SEARCHES_MAX {
            let (id, query) = (id.to_owned(), query.to_owned());
            self.searches.push(Search { id, query, ..Search::default() });
        }
    }

    /// A search found a page. Without the id of a search it was the last one.
    pub(crate) fn found(&mut self, id: &str, url: &str, title: &str) {
        let place = self.searches.iter().rposition(|search| id.is_empty() || search.id == id);
        let Some(search) = place.map(|place| &mut self.searches[place]) else { return };
        if search.pages.len() < PAGES_MAX && !search.pages.iter().any(|(known, _)| known == url) {
            search.pages.push((url.to_owned(), title.to_owned()));
        }
    }

    /// A search failed, with the vendor's word for it.
    pub(crate) fn failed(&mut self, id: &str, problem: &str) {
        if let Some(search) = self.searches.iter_mut().find(|search| search.id == id) {
            search.problem = Some(problem.to_owned());
        }
    }

    /// The answer cites a page, with the passage where it is known.
    pub(crate) fn cited(&mut self, url: &str, title: &str, passage: &str) {
        let passage = match passage {
            "" => Passage::Unknown,
            text => Passage::Text(shorten(text, PASSAGE_MAX_CHARS)),
        };
        self.cite(url, title, passage);
    }

    /// The answer cites a page at this character of its text.
    pub(crate) fn cited_at(&mut self, url: &str, title: &str, place: usize) {
        self.cite(url, title, Passage::Before(place));
    }

    fn cite(&mut self, url: &str, title: &str, passage: Passage) {
        if self.citations.len() < CITATIONS_MAX {
            self.citations.push(Citation { url: url.to_owned(), title: title.to_owned(), passage });
        }
    }

    /// A page that the answer cites where it holds this mark.
    pub(crate) fn marked(&mut self, mark: &str, url: &str, title: &str) {
        if self.marked.len() < PAGES_MAX && !self.marked.iter().any(|known| known.url == url) {
            let [mark, url, title] = [mark, url, title].map(str::to_owned);
            self.marked.push(MarkedPage { mark, url, title });
        }
    }

    /// The vendor's count of the searches, as far as it is known.
    pub(crate) fn counted(&mut self, count: u64) {
        self.counted = Some(self.counted.unwrap_or(0).max(count));
    }

    /// The arguments of a search follow in pieces.
    pub(crate) fn begin_arguments(&mut self) {
        self.arguments = Some(String::new());
    }

    /// Whether arguments of a search follow; then this piece is one of them.
    pub(crate) fn takes_argument(&mut self, piece: &str) -> bool {
        match &mut self.arguments {
            Some(arguments) => {
                if arguments.len() < QUERY_MAX_BYTES {
                    arguments.push_str(piece);
                }
                true
            }
            None => false,
        }
    }

    /// The arguments of a search are complete.
    pub(crate) fn end_arguments(&mut self) -> Option<String> {
        self.arguments.take()
    }

    /// A block of text begins, to which citations belong as a whole.
    pub(crate) fn begin_block(&mut self) {
        self.block = Some((String::new(), self.citations.len()));
    }

    /// A piece of the block.
    pub(crate) fn block_piece(&mut self, piece: &str) {
        if let Some((text, _)) = &mut self.block
            && text.len() < 4 * PASSAGE_MAX_CHARS
        {
            text.push_str(piece);
        }
    }

    /// The block is complete.
    pub(crate) fn end_block(&mut self) {
        let Some((text, first)) = self.block.take() else { return };
        let text = shorten(text.trim(), PASSAGE_MAX_CHARS);
        for citation in self.citations.iter_mut().skip(first).filter(|_| !text.is_empty()) {
            citation.passage = Passage::Text(text.clone());
        }
    }

    /// A search lies between the words before and those that follow.
    pub(crate) fn end_paragraph(&mut self) {
        self.ends_paragraph = true;
    }

    /// Whether a search lies between the words before and those that follow; said once.
    pub(crate) fn ends_paragraph(&mut self) -> bool {
        std::mem::take(&mut self.ends_paragraph)
    }

    /// The number of searches that are charged.
    pub(crate) fn count(&self) -> u32 {
        let worked = self.searches.iter().filter(|search| search.problem.is_none()).count();
        u32::try_from(self.counted.unwrap_or(worked as u64).min(1000)).unwrap_or(1000)
    }

    /// All of it, without secrets. `answer` is the complete text.
    pub(crate) fn findings(mut self, answer: &str, secrets: &Secrets) -> WebFindings {
        // Some vendors name a page by its title only where the answer cites it.
        for (url, title) in self.searches.iter_mut().flat_map(|search| &mut search.pages) {
            let cited = self.citations.iter().find(|citation| title.is_empty() && citation.url == *url);
            if let Some(citation) = cited {
                title.clone_from(&citation.title);
            }
        }
        let clean = |text: String| secrets.redact(text);
        let page = |url: String, title: String| WebPage::new(&clean(url), &clean(title));
        let searches = self.searches.into_iter().map(|search| WebSearch {
            query: clean(search.query),
            pages: search.pages.into_iter().filter_map(|(url, title)| page(url, title)).collect(),
            problem: search.problem.map(|word| (failure(&word), clean(word))),
        });
        let mut findings = WebFindings { searches: searches.collect(), cited: Vec::new() };
        for Citation { url, title, passage } in self.citations {
            let passage = match passage {
                Passage::Unknown => String::new(),
                Passage::Text(text) => clean(text),
                Passage::Before(place) => {
                    let end = answer.char_indices().nth(place).map_or(answer.len(), |(at, _)| at);
                    sentence_before(answer, end).to_owned()
                }
            };
            if let Some(page) = page(url, title) {
                add(&mut findings.cited, page, passage);
            }
        }
        let is_marked = self.marked.iter().any(|one| marks(answer, &one.mark).next().is_some());
        for MarkedPage { mark, url, title } in self.marked {
            let Some(page) = page(url, title) else { continue };
            // An answer without marks rests on all that its vendor found.
            if !is_marked {
                add(&mut findings.cited, page, String::new());
                continue;
            }
            for place in marks(answer, &mark) {
                add(&mut findings.cited, page.clone(), sentence_before(answer, place.start).to_owned());
            }
        }
        findings
    }
}

fn add(cited: &mut Vec<CitedPage>, page: WebPage, passage: String) {
    let known = cited.iter().position(|one| one.page.address() == page.address());
    let place = known.unwrap_or_else(|| {
        cited.push(CitedPage { page, passages: Vec::new() });
        cited.len() - 1
    });
    let passages = &mut cited[place].passages;
    if !passage.is_empty() && passages.len() < WEB_PASSAGES_MAX && !passages.contains(&passage) {
        passages.push(passage);
    }
}

/// Why a search found nothing, by the vendor's word.
fn failure(word: &str) -> ToolFailureKind {
    match word {
        "max_uses_exceeded" => ToolFailureKind::TooMany,
        "invalid_input" | "invalid_tool_input" | "query_too_long" => ToolFailureKind::InvalidArguments,
        _ => ToolFailureKind::Failed,
    }
}

/// Where a mark stands in a text; `ref_1` is no part of `ref_12`.
fn marks<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let all = text.match_indices(mark).filter(|_| !mark.is_empty());
    let ends = move |end: usize| !text[end..].starts_with(|next: char| next.is_alphanumeric());
    all.map(|(at, mark)| at..at + mark.len()).filter(move |place| ends(place.end))
}

/// The sentence that ends at a place, without the brackets that open there.
fn sentence_before(text: &str, end: usize) -> &str {
    let line = text[..end].rsplit('\n').next().unwrap_or_default();
    let line = line.trim_end_matches(|sign: char| sign.is_whitespace() || "([（【".contains(sign));
    let inner = line.trim_end_matches(|sign: char| ".!?。！？；;".contains(sign));
    let mut ends = inner.char_indices().filter(|&(at, sign)| match sign {
        '。' | '！' | '？' | '；' => true,
        '.' | '!' | '?' | ')' => inner[at + 1..].starts_with(' '),
        _ => false,
    });
    let start = ends.next_back().map_or(0, |(at, sign)| at + sign.len_utf8());
    line[start..].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_before_a_citation_is_what_rests_on_it() {
        let text = "First. Costs fell by 12 % in 2025. ([a.example](https://a.example))\n- 价格上涨。成本下降了[ref_1]";
        let before = |mark: &str| sentence_before(text, text.find(mark).expect("it is there"));
        assert_eq!(before("([a.example"), "Costs fell by 12 % in 2025.");
        assert_eq!(before("[ref_1]"), "成本下降了");
        assert_eq!(sentence_before(text, 0), "");
    }

    #[test]
    fn a_mark_is_no_part_of_another() {
        let mut found = marks("a ref_1, ref_12", "ref_1");
        assert_eq!((found.next(), found.next()), (Some(2..7), None));
        assert_eq!(marks("a", "").count(), 0);
    }
}
