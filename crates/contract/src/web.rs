//! What a provider's own web search found: searches, pages, and which of them an answer rests on.
//!
//! All of it came from a model and from strangers. It is shown, and never fetched.

use crate::text::{clean, shorten};
use crate::tool::ToolFailureKind;

/// The name under which a meeting allows the web search of its participants' providers. No source of tools that an
/// operator configures has it.
pub const WEB_SEARCH: &str = "web-search";
/// The name of the tool under which a search of a provider stands in the log.
pub const WEB_SEARCH_TOOL: &str = "web-search__search";
/// The most searches that one request may make, where its provider takes a limit; budgets reserve for as many.
pub const WEB_SEARCHES_PER_REQUEST: u32 = 3;
/// The most tokens that the pages of one search usually add to what is read. Budgets reserve for as many.
pub const WEB_SEARCH_MOST_TOKENS: u64 = 10_000;
/// The most pages of one search that are recorded.
pub const WEB_PAGES_MAX: usize = 20;
/// The most passages of an answer that are read as resting on one page.
pub const WEB_PASSAGES_MAX: usize = 20;
/// The longest address of a page, in bytes.
pub const WEB_ADDRESS_MAX_BYTES: usize = 2000;
/// The longest title of a page, in characters; longer ones are cut.
pub const WEB_TITLE_MAX_CHARS: usize = 200;
/// The longest words of a search, in characters; longer ones are cut.
pub const WEB_QUERY_MAX_CHARS: usize = 300;

/// What a provider's own web search found for one answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebFindings {
    /// The searches, in their order.
    pub searches: Vec<WebSearch>,
    /// The pages that the answer cites, each once.
    pub cited: Vec<CitedPage>,
}

impl WebFindings {
    /// Whether nothing was searched.
    pub fn is_empty(&self) -> bool {
        self.searches.is_empty() && self.cited.is_empty()
    }
}

/// One web search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebSearch {
    /// What was searched for; empty when the provider does not say.
    pub query: String,
    /// The pages that were found, as far as the provider says.
    pub pages: Vec<WebPage>,
    /// Why it found nothing, with the provider's word for it.
    pub problem: Option<(ToolFailureKind, String)>,
}

/// A page of the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebPage {
    address: String,
    title: String,
}

impl WebPage {
    /// A page, when its address is one that can be shown as a link.
    pub fn new(address: &str, title: &str) -> Option<Self> {
        let address = address.trim();
        is_web_address(address).then(|| Self {
            address: address.to_owned(),
            title: shorten(
                &clean(title).split_whitespace().collect::<Vec<_>>().join(" "),
                WEB_TITLE_MAX_CHARS,
            ),
        })
    }

    /// The address: `http` or `https`, at most 2,000 bytes, without blanks, quotes and brackets of markup.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The title, on one line; may be empty.
    pub fn title(&self) -> &str {
        &self.title
    }
}

/// A page that an answer cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedPage {
    /// The page.
    pub page: WebPage,
    /// The passages of the answer that rest on it, as far as the provider says.
    pub passages: Vec<String>,
}

/// Whether a text is an address of the web that can be a link: `http` or `https` with a host, without a user name, blanks,
/// control characters, or anything that ends an address in Markdown or HTML.
pub fn is_web_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let in_host = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    let unsafe_sign = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '"' | '<' | '>' | '\\' | '`' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    is_web
        && host.starts_with(|c: char| c.is_alphanumeric() || c == '[')
        && host.chars().all(in_host)
        && text.len() <= WEB_ADDRESS_MAX_BYTES
        && !text.contains(unsafe_sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_links() {
        for good in
            ["https://a.example/b?c=d#e", "HTTP://a.example", "https://[::1]:8/x", "https://例子.中国/页"]
        {
            assert!(is_web_address(good), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "javascript://a.example/%0aalert(1)",
            "data:text/html,x",
            "ftp://a.example",
            "https://",
            "https:///path",
            "https://bank.example@evil.example/",
            "https://a.example/ b",
            "https://a.example/\"onclick=x",
            "https://a.example/<script>",
            "https://a.example/\u{202e}gpj",
            "//a.example",
            "src/main.rs",
            &format!("https://a.example/{}", "x".repeat(2000)),
        ] {
            assert!(!is_web_address(bad), "{bad}");
            assert_eq!(WebPage::new(bad, "x"), None);
        }
    }

    #[test]
    fn a_title_is_one_line() {
        let page = WebPage::new(" https://a.example ", "One\n\ttwo \u{1b}[2J").expect("an address");
        assert_eq!((page.address(), page.title()), ("https://a.example", "One two [2J"));
    }
}
