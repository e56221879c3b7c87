//! The language in which a client is spoken to.

use http::header;
use http::request::Parts;
use quorate_messages::Language;

/// The first language of `Accept-Language` that the product speaks; `otherwise` when it names none.
pub(crate) fn preferred(caller: Option<&Parts>, otherwise: Language) -> Language {
    let given = caller.into_iter().flat_map(|parts| parts.headers.get_all(header::ACCEPT_LANGUAGE));
    let tags = given.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    tags.filter_map(|tag| named(tag.split(';').next().unwrap_or_default())).next().unwrap_or(otherwise)
}

/// The language of a tag: `zh-CN` is Chinese.
pub(crate) fn named(tag: &str) -> Option<Language> {
    let primary = tag.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    Language::ALL.into_iter().find(|language| language.tag() == primary)
}
