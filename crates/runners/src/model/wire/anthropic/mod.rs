//! Anthropic's messages, and the gateways of other vendors that speak it.

mod reply;
mod request;

use reqwest::header::HeaderName;
use serde_json::{Value, json};
use url::Url;

use super::search::SearchForm;
use super::{ModelPage, ModelRequest, Wire, search};
use crate::model::capabilities::SentFeatures;
use crate::model::failure::AttemptFailure;
use crate::model::response::ResponseDecoder;
use crate::provider::ProviderConfig;

/// `POST …/v1/messages`.
pub(crate) struct Messages;

impl Wire for Messages {
    fn title(&self) -> &'static str {
        "Anthropic messages"
    }

    fn question_url(&self, config: &ProviderConfig, _: &ModelRequest<'_>) -> Url {
        endpoint(config, "messages")
    }

    fn models_url(&self, config: &ProviderConfig, page: Option<&str>) -> Url {
        let mut url = endpoint(config, "models");
        url.query_pairs_mut().append_pair("limit", "1000");
        if let Some(last) = page {
            url.query_pairs_mut().append_pair("after_id", last);
        }
        url
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-api-key"), key.to_owned())
    }

    /// Gateways end so what they have translated.
    fn ends_with_done(&self) -> bool {
        true
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8> {
        request::body(ask)
    }

    fn sent(&self, ask: &ModelRequest<'_>) -> SentFeatures {
        request::sent(ask)
    }

    fn add_tools(&self, body: &mut Value, ask: &ModelRequest<'_>) {
        request::add_tools(body, ask);
    }

    fn add_search(&self, body: &mut Value, _: SearchForm, count: u32) {
        search::add_tool(
            body,
            json!({ "type": "web_search_20250305", "name": "web_search", "max_uses": count }),
        );
    }

    fn takes_tools_with_schema(&self) -> bool {
        true
    }

    fn take(&self, data: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
        reply::take(data, decoder)
    }

    fn models(&self, body: &[u8]) -> Result<ModelPage, serde_json::Error> {
        reply::models(body)
    }
}

/// The address of one resource. The vendor's own clients are given an address without `/v1`, other
/// clients one with it; both are meant the same way.
fn endpoint(config: &ProviderConfig, resource: &str) -> Url {
    let path = config.base_url.path().trim_end_matches('/');
    match path.rsplit('/').next() {
        Some("v1") => config.endpoint(&[resource]),
        _ => config.endpoint(&["v1", resource]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_in_the_address_once() {
        for (base, expected) in [
            ("https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
            ("https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"),
            ("https://api.anthropic.com/v1/", "https://api.anthropic.com/v1/messages"),
            ("https://api.deepseek.com/anthropic", "https://api.deepseek.com/anthropic/v1/messages"),
            ("https://h/api/v1?tenant=7", "https://h/api/v1/messages?tenant=7"),
        ] {
            let config = ProviderConfig::new("lab", base.parse().expect("a URL"));
            assert_eq!(endpoint(&config, "messages").as_str(), expected);
        }
    }
}
