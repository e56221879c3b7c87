//! Extractors for bodies, queries and paths. Each refuses invalid input with a problem that says where and
//! why.

use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use quorate_messages::message;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// A body of JSON.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let is_json = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| {
                let media = value.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
                media == "application/json" || (media.starts_with("application/") && media.ends_with("+json"))
            });
        let bytes = bytes(request, state).await?;
        if bytes.is_empty() {
            // An object whose fields are all optional is itself optional.
            return read(b"{}").map(Self);
        }
        if !is_json {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unreadable",
                message!("server-body-not-declared"),
            )
            .hint(message!("server-body-not-declared-hint")));
        }
        read(&bytes).map(Self)
    }
}

/// The bytes of a body as they were sent, such as a signature covers.
pub(crate) struct RawBody(pub(crate) axum::body::Bytes);

impl<S: Send + Sync> FromRequest<S> for RawBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        bytes(request, state).await.map(Self)
    }
}

async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<axum::body::Bytes, Problem> {
    axum::body::Bytes::from_request(request, state).await.map_err(|rejection| match rejection {
        BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
            let detail = message!("server-body-too-large");
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
                .hint(message!("server-body-too-large-files-hint"))
        }
        other => Problem::unreadable(other.to_string()),
    })
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // A list in the order of the fields would be taken for the object.
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return Err(Problem::invalid("", message!("server-body-is-list"), message!("server-see-docs-body")));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value: T = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        match inner.classify() {
            serde_json::error::Category::Data => {
                let field = if path == "." { String::new() } else { path };
                let detail = inner.to_string();
                let detail = detail.split(" at line ").next().unwrap_or(&detail).to_owned();
                Problem::invalid(&field, detail, message!("server-see-docs-body"))
            }
            _ if is_too_deep(&inner) => Problem::unreadable(message!("server-body-too-deep", %inner)),
            _ => Problem::unreadable(message!("server-body-not-json", %inner)),
        }
    })?;
    reader.end().map_err(|error| Problem::unreadable(message!("server-body-goes-on", %error)))?;
    Ok(value)
}

/// Whether the parser gave up because the values are nested too deeply. It has no code for it, only these
/// words.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

/// The query of a request.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(rejection) => {
                let detail = rejection.body_text();
                let detail = detail.strip_prefix("Failed to deserialize query string: ").unwrap_or(&detail);
                let (field, detail) = detail.split_once(": ").unwrap_or(("", detail));
                Err(Problem::invalid(field, detail, message!("server-see-docs-query")))
            }
        }
    }
}

/// The parameters in the path.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(rejection) => Err(Problem::new(StatusCode::NOT_FOUND, "not-found", rejection.body_text())
                .hint(message!("server-see-docs-path"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Asked {
        #[expect(dead_code, reason = "only read")]
        names: Vec<String>,
    }

    #[test]
    fn a_wrong_field_is_named() {
        let problem = read::<Asked>(br#"{"names": ["a", 1]}"#).expect_err("a number is no name");
        let json = serde_json::to_value(&problem).expect("plain");
        assert_eq!(json["status"], 422);
        assert_eq!(json["errors"][0]["pointer"], "/names/1");
    }

    #[test]
    fn what_is_no_json_is_told_apart() {
        for text in ["{", "{} {}", "nonsense", "\u{feff}{}"] {
            let problem = read::<serde_json::Value>(text.as_bytes()).expect_err(text);
            assert_eq!(problem.status(), StatusCode::BAD_REQUEST, "{text}");
        }
    }

    #[test]
    fn values_that_lie_too_deep_in_one_another_are_refused_as_such() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let nested = |depth: usize| format!("{{\"a\":{}0{}}}", open.repeat(depth), close.repeat(depth));
            assert!(read::<serde_json::Value>(nested(100).as_bytes()).is_ok());
            let problem = read::<serde_json::Value>(nested(200_000).as_bytes()).expect_err("too deep");
            assert_eq!(problem.status(), StatusCode::BAD_REQUEST);
            let told = serde_json::to_value(&problem).expect("plain");
            assert!(told["detail"].as_str().is_some_and(|text| text.contains("too deep")), "{told}");
        }
        assert!(read::<serde_json::Value>(br#""[[[[""#).is_ok());
    }
}
