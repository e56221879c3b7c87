//! The language in which a client is spoken to.

use http::header;
use http::request::Parts;
use quorate_messages::Language;

/// The language that `lang` in the query names; else the first of `Accept-Language` that the product speaks; else `otherwise`.
pub(crate) fn preferred(caller: &Parts, otherwise: Language) -> Language {
    let query = caller.uri.query().into_iter().flat_map(|query| query.split('&'));
    let asked = query.filter_map(|pair| pair.strip_prefix("lang=")).find_map(named);
    let given = caller.headers.get_all(header::ACCEPT_LANGUAGE).iter();
    let tags = given.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let mut ranked = tags.filter_map(|tag| named(tag.split(';').next().unwrap_or_default()));
    asked.or_else(|| ranked.next()).unwrap_or(otherwise)
}

/// The language of a tag: `zh-CN` is Chinese.
fn named(tag: &str) -> Option<Language> {
    let primary = tag.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    Language::ALL.into_iter().find(|language| language.tag() == primary)
}
