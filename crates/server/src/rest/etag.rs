//! Versions in headers: `ETag`, `If-None-Match`, `If-Match` (RFC 9110).
//!
//! The tag of everything about a meeting is the sequence number of its last event. A meeting that runs has
//! a new one every moment, so that `If-Match` is read for what it guards: the number is where the editor
//! looked, and the edit is refused when *what it edits* was changed after that.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quorate_messages::{Message, message};

use crate::problem::Problem;

/// A number as a tag.
pub(crate) fn etag(number: u64) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{number}\"")).expect("digits in quotes")
}

/// The versions that a header names.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Tags {
    Any,
    Numbers(Vec<u64>),
}

/// The versions that the caller has, and those that an edit is based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Versions {
    has: Option<Tags>,
    goes_by: Option<Tags>,
}

impl Versions {
    /// Nothing is known, and nothing is gone by.
    pub(crate) fn none() -> Self {
        Self { has: None, goes_by: None }
    }

    /// Whether the version with this number is known already.
    pub(crate) fn has(&self, number: u64) -> bool {
        match &self.has {
            None => false,
            Some(Tags::Any) => true,
            Some(Tags::Numbers(numbers)) => numbers.contains(&number),
        }
    }

    /// The latest version that an edit goes by; `None` when it is made whatever there is.
    pub(crate) fn goes_by(&self) -> Option<u64> {
        match &self.goes_by {
            None | Some(Tags::Any) => None,
            // No tag of ours matches nothing.
            Some(Tags::Numbers(numbers)) => Some(numbers.iter().max().copied().unwrap_or(0)),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Versions {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Self {
            has: tags(&parts.headers, &header::IF_NONE_MATCH)?,
            goes_by: tags(&parts.headers, &header::IF_MATCH)?,
        })
    }
}

fn tags(headers: &HeaderMap, name: &HeaderName) -> Result<Option<Tags>, Problem> {
    let mut numbers = Vec::new();
    let (mut given, mut any) = (false, false);
    for value in headers.get_all(name) {
        given = true;
        let Ok(text) = value.to_str() else { return Err(unreadable(name)) };
        for one in text.split(',').map(str::trim).filter(|one| !one.is_empty()) {
            any = true;
            if one == "*" {
                return Ok(Some(Tags::Any));
            }
            let quoted = one.trim_start_matches("W/");
            let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let inner = inner.ok_or_else(|| unreadable(name))?;
            // A tag that is none of ours is one that we do not have.
            numbers.extend(inner.parse::<u64>().ok());
        }
    }
    if given && !any {
        return Err(unreadable(name));
    }
    Ok(given.then_some(Tags::Numbers(numbers)))
}

fn unreadable(name: &HeaderName) -> Problem {
    let detail = message!("server-no-tag", %name);
    Problem::new(StatusCode::BAD_REQUEST, "unreadable", detail).hint(message!("server-no-tag-hint"))
}

/// The refusal of an edit that is based on an outdated version.
pub(crate) fn outdated(detail: Message, now: u64) -> Problem {
    Problem::new(StatusCode::PRECONDITION_FAILED, "changed-meanwhile", detail)
        .hint(message!("server-changed-meanwhile-hint", %now))
}

/// A body with its tag, or that there is nothing new. It is cached for its caller alone: two who may
/// see different things get the same number.
pub(crate) fn tagged(versions: &Versions, number: u64, body: impl IntoResponse) -> Response {
    let tag = [
        (header::ETAG, etag(number)),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
        (header::VARY, HeaderValue::from_static("authorization, cookie")),
    ];
    match versions.has(number) {
        true => (StatusCode::NOT_MODIFIED, tag).into_response(),
        false => (tag, body).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: HeaderName, value: &str) -> Result<Option<Tags>, Problem> {
        tags(&HeaderMap::from_iter([(name.clone(), value.parse().expect("a header"))]), &name)
    }

    #[test]
    fn tags_are_read_as_they_are_sent() {
        let read = |value| read(header::IF_MATCH, value).expect(value);
        assert_eq!(read("\"7\""), Some(Tags::Numbers(vec![7])));
        assert_eq!(read("W/\"7\", \"x\" , \"12\""), Some(Tags::Numbers(vec![7, 12])));
        assert_eq!(read("*"), Some(Tags::Any));
        assert_eq!(tags(&HeaderMap::new(), &header::IF_MATCH).expect("nothing"), None);
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        for value in ["", " , ", "7", "\"7", "'7'"] {
            assert!(read(header::IF_MATCH, value).is_err(), "{value}");
        }
    }

    #[test]
    fn a_foreign_tag_goes_by_nothing_that_there_is() {
        let goes_by = Some(Tags::Numbers(Vec::new()));
        let versions = Versions { has: None, goes_by };
        assert_eq!(versions.goes_by(), Some(0));
        assert!(!versions.has(0));
    }
}
