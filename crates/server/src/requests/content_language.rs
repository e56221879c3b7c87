//! Content negotiation: the language of a problem is the one of the two that the client prefers
//! (`Accept-Language`); English when it asks for neither. To an agent that calls tools (`Prefer: hints=tools`, RFC 7240,
//! and at the endpoint of the Model Context Protocol) it names tools instead of addresses.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use quorate_contract::Language;

use crate::problem::Problem;

/// What a client prefers of an answer (RFC 7240).
const PREFER: HeaderName = HeaderName::from_static("prefer");

/// Translates a problem into the reader's language. Every other response is left unchanged.
pub(crate) async fn content_language(request: Request, next: Next) -> Response {
    let language = chosen(request.uri(), request.headers());
    let for_tools = request.uri().path() == "/mcp" || prefers_tools(request.headers());
    let mut response = next.run(request).await;
    let Some(problem) = response.extensions_mut().remove::<Problem>() else { return response };
    let problem = if for_tools { problem.for_tools() } else { problem };
    if (for_tools || language == Language::Zh)
        && let Ok(told) = serde_json::to_vec(&problem.told_in(language))
    {
        *response.body_mut() = Body::from(told);
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    let tag = language.pick("zh-CN", "en");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(tag));
    headers.append(header::VARY, HeaderValue::from_static("accept-language"));
    response
}

/// Whether the client prefers hints that name tools.
fn prefers_tools(headers: &HeaderMap) -> bool {
    let given = headers.get_all(PREFER).iter().filter_map(|value| value.to_str().ok());
    let preferences = given.flat_map(|value| value.split([',', ';']));
    preferences.map(str::trim).any(|one| one.eq_ignore_ascii_case("hints=tools"))
}

/// The language in which a file is made: the one that is asked for; else the one that the client prefers; else that
/// of the meeting.
pub(crate) fn of_export(asked: Option<Language>, headers: &HeaderMap, meeting: Language) -> Language {
    asked.or_else(|| ranked(headers)).unwrap_or(meeting)
}

/// The language of a request: as `lang` says in the query, since browsers let no page set headers there;
/// otherwise the preferred one.
pub(crate) fn chosen(uri: &Uri, headers: &HeaderMap) -> Language {
    let named = uri.query().into_iter().flat_map(|query| query.split('&'));
    let named = named
        .filter_map(|pair| pair.strip_prefix("lang="))
        .find_map(|tag| Language::ALL.into_iter().find(|language| language.tag() == tag));
    named.unwrap_or_else(|| preferred(headers))
}

/// The language in which words are made for whoever asks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReaderLanguage(pub(crate) Language);

impl<S: Send + Sync> FromRequestParts<S> for ReaderLanguage {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(chosen(&parts.uri, &parts.headers)))
    }
}

/// The preferred language; the first of several with equal weight, and English when neither is named.
pub(crate) fn preferred(headers: &HeaderMap) -> Language {
    ranked(headers).unwrap_or(Language::En)
}

/// The preferred language, when one of the two is named.
fn ranked(headers: &HeaderMap) -> Option<Language> {
    let given = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let ranges = given.flat_map(|value| value.split(',')).filter_map(|range| {
        let (tag, weight) = range.split_once(';').unwrap_or((range, ""));
        let weight = match weight.trim().strip_prefix("q=") {
            Some(weight) => {
                weight.trim().parse::<f32>().ok().filter(|weight| (0.0..=1.0).contains(weight))?
            }
            None => 1.0,
        };
        let language = match tag.trim().split('-').next()?.to_ascii_lowercase().as_str() {
            "zh" => Language::Zh,
            "en" | "*" => Language::En,
            _ => return None,
        };
        (weight > 0.0).then_some((language, weight))
    });
    let best = ranges.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(language, _)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_for_tools_are_preferred_by_a_header() {
        for (given, prefers) in [
            ("hints=tools", true),
            ("respond-async, Hints=Tools", true),
            ("hints=all", false),
            ("tools", false),
            ("", false),
        ] {
            let value = HeaderValue::from_static(given);
            assert_eq!(prefers_tools(&HeaderMap::from_iter([(PREFER, value)])), prefers, "{given:?}");
        }
        assert!(!prefers_tools(&HeaderMap::new()));
    }

    #[test]
    fn a_language_in_the_query_goes_before_the_header() {
        let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static("en"))]);
        for (uri, language) in [
            ("/api/v1/ws?lang=zh", Language::Zh),
            ("/api/v1/ws?after=1&lang=zh", Language::Zh),
            ("/api/v1/ws?lang=fr", Language::En),
            ("/api/v1/ws?slang=zh", Language::En),
            ("/api/v1/ws", Language::En),
        ] {
            assert_eq!(chosen(&Uri::from_static(uri), &headers), language, "{uri}");
        }
    }

    #[test]
    fn the_language_that_is_wanted_most_is_spoken() {
        for (wanted, language) in [
            ("", Language::En),
            ("zh", Language::Zh),
            ("zh-CN,zh;q=0.9,en;q=0.8", Language::Zh),
            ("zh-Hant-TW", Language::Zh),
            ("ZH-cn", Language::Zh),
            ("en-US,en;q=0.9,zh;q=0.8", Language::En),
            ("fr, zh;q=0.2", Language::Zh),
            ("fr-FR, de", Language::En),
            ("en;q=0.1, zh;q=0.2", Language::Zh),
            ("zh;q=0, en;q=0.1", Language::En),
            ("zh;q=0", Language::En),
            ("*", Language::En),
            ("zh;q=x", Language::En),
            ("zhongwen", Language::En),
        ] {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, wanted.parse().expect("a header"))]);
            assert_eq!(preferred(&headers), language, "{wanted:?}");
        }
        assert_eq!(preferred(&HeaderMap::new()), Language::En);
    }
}
