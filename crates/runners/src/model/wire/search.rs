//! The vendor's own web search: which models have one, and by which means of their format it is requested.

use serde_json::Value;

use super::{ModelRequest, tools};
use crate::provider::ProviderConfig;
use crate::vendor::vendor_of;
use crate::wire_format::WireFormat;

/// The means by which a web search is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchForm {
    /// A tool of the format that runs at the vendor.
    ServerTool,
    /// GLM's tool beside functions, with the search engine that it names.
    Engine(&'static str),
    /// A model that searches before each answer.
    SearchModel,
}

/// Whether a model can be asked to search the web by its vendor's own means. Of a server that is no known vendor it is
/// assumed where its format has such a search; a refusal tells.
pub fn has_web_search(config: &ProviderConfig, model: &str) -> bool {
    form(config, model).is_some()
}

pub(crate) fn form(config: &ProviderConfig, model: &str) -> Option<SearchForm> {
    let vendor = vendor_of(config);
    match config.wire {
        WireFormat::Openai => {
            let vendor = vendor?;
            let engine = vendor.search_engine.as_deref().map(SearchForm::Engine);
            let searches = vendor.note(model).is_some_and(|note| note.always_searches);
            engine.or(searches.then_some(SearchForm::SearchModel))
        }
        WireFormat::Anthropic | WireFormat::Responses | WireFormat::Gemini => {
            vendor.is_none_or(|vendor| vendor.web_search).then_some(SearchForm::ServerTool)
        }
        WireFormat::Ollama | WireFormat::A2a => None,
    }
}

/// Whether a vendor takes functions or its search in one request, and not both. Gemini takes both only where the
/// history of its own tools is sent back, which is not done here.
pub fn searches_without_tools(config: &ProviderConfig) -> bool {
    config.wire == WireFormat::Gemini
}

/// Whether a model's vendor charges all searches of an answer as one.
pub(crate) fn charges_one_search(config: &ProviderConfig, model: &str) -> bool {
    vendor_of(config).and_then(|vendor| vendor.note(model)).is_some_and(|note| note.charges_one_search)
}

/// Adds a tool to those of the body.
pub(super) fn add_tool(body: &mut Value, tool: Value) {
    tools::list(body, "tools").push(tool);
}

impl ModelRequest<'_> {
    /// How the request asks for a web search, and how many may be made; `None` when it does not.
    pub(crate) fn search(&self) -> Option<(SearchForm, u32)> {
        let count = self.prompt.tools.web_searches;
        if count == 0 || self.capabilities.no_search {
            return None;
        }
        let form = form(self.config, self.model)?;
        // Google takes functions or the search; functions come first.
        let excluded = searches_without_tools(self.config) && self.offers_tools();
        (!excluded).then_some((form, count))
    }
}
