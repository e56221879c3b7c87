//! Extractors for bodies, queries and paths. Each refuses invalid input with a problem that says where and
//! why.

use axum::extract::path::ErrorKind;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody, PathRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use quorate_contract::Wording;
use quorate_messages::{decoding_problem, message};
use serde::de::DeserializeOwned;

use crate::problem::Problem;
use crate::requests::whole_numbers::whole_numbers;

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
    let bytes = whole_numbers(bytes);
    let mut reader = serde_json::Deserializer::from_slice(&bytes);
    let mut track = serde_path_to_error::Track::new();
    let mut unknown = None;
    let tracked = serde_path_to_error::Deserializer::new(&mut reader, &mut track);
    // A field that no type knows would be left out in silence, whatever was meant by it.
    let value = serde_ignored::deserialize(tracked, |path| {
        unknown.get_or_insert_with(|| place(&path.to_string()));
    });
    let value: T =
        value.map_err(|inner| serde_path_to_error::Error::new(track.path(), inner)).map_err(|error| {
            let path = error.path().to_string();
            let inner = error.into_inner();
            match inner.classify() {
                serde_json::error::Category::Data => {
                    let field = if path == "." { String::new() } else { path };
                    Problem::invalid(
                        &field,
                        decoding_problem(&inner.to_string()),
                        message!("server-see-docs-body"),
                    )
                }
                _ if is_too_deep(&inner) => Problem::unreadable(message!("server-body-too-deep", %inner)),
                _ => Problem::unreadable(message!("server-body-not-json", %inner)),
            }
        })?;
    reader.end().map_err(|error| Problem::unreadable(message!("server-body-goes-on", %error)))?;
    match unknown {
        Some(path) => {
            let name = path.rsplit('.').next().unwrap_or_default();
            Err(Problem::invalid(
                &path,
                message!("server-unknown-field", name),
                message!("server-see-docs-body"),
            ))
        }
        None => Ok(value),
    }
}

/// The place of a field as all problems name it, `participants[0].role.name`, from `participants.0.role.?.name`.
fn place(path: &str) -> String {
    let mut place = String::new();
    for part in path.split('.').filter(|part| *part != "?") {
        match part.bytes().all(|byte| byte.is_ascii_digit()) {
            true => place.push_str(&format!("[{part}]")),
            false if place.is_empty() => place.push_str(part),
            false => place.push_str(&format!(".{part}")),
        }
    }
    place
}

/// Whether the parser gave up because the values are nested too deeply. It has no code for it, only these
/// words.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

/// The longest value that a parameter of a query can have, in characters.
pub(crate) const QUERY_VALUE_MAX_CHARS: usize = 2000;

/// The query of a request.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = parts.uri.query().unwrap_or_default();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            if value.chars().nth(QUERY_VALUE_MAX_CHARS).is_some() {
                let detail = message!("server-query-value-length", most = %QUERY_VALUE_MAX_CHARS);
                return Err(Problem::invalid(&name, detail, message!("server-see-docs-query")));
            }
        }
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(rejection) => {
                let detail = rejection.body_text();
                let detail = detail.strip_prefix("Failed to deserialize query string: ").unwrap_or(&detail);
                let (field, detail) = detail.split_once(": ").unwrap_or(("", detail));
                Err(Problem::invalid(field, decoding_problem(detail), message!("server-see-docs-query")))
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
            Err(rejection) => Err(Problem::new(StatusCode::NOT_FOUND, "not-found", path_problem(&rejection))
                .hint(message!("server-see-docs-path"))),
        }
    }
}

/// What is wrong with a parameter in the path.
fn path_problem(rejection: &PathRejection) -> Wording {
    let PathRejection::FailedToDeserializePathParams(failed) = rejection else {
        return rejection.body_text().into();
    };
    match failed.kind() {
        ErrorKind::ParseErrorAtKey { key, value, .. } => {
            message!("server-path-part", part = key, value).into()
        }
        ErrorKind::DeserializeError { key, value, message } => {
            let why = decoding_problem(message);
            message!("server-path-part-because", part = key, value, why).into()
        }
        ErrorKind::ParseErrorAtIndex { value, .. } | ErrorKind::ParseError { value, .. } => {
            message!("server-path-value", value).into()
        }
        ErrorKind::InvalidUtf8InPathParam { key } => message!("server-path-not-utf8", part = key).into(),
        ErrorKind::Message(message) => decoding_problem(message).into(),
        _ => rejection.body_text().into(),
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

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Limits {
        rounds: u32,
        share: f64,
        note: String,
    }

    #[test]
    fn a_number_without_a_fraction_is_whole_however_it_is_written() {
        let read = |text: &str| read::<Limits>(text.as_bytes());
        let limits =
            read(r#"{"rounds": 18.0, "share": 1.0, "note": "18.0 \"2.0\" {3.0}"}"#).expect("18 is whole");
        assert_eq!((limits.rounds, limits.share), (18, 1.0));
        assert_eq!(limits.note, "18.0 \"2.0\" {3.0}", "a text stays as it is");
        assert_eq!(read(r#"{"rounds":1.8e1,"share":0.5,"note":""}"#).expect("18 is whole").rounds, 18);
        assert_eq!(read(r#"{"rounds":-0.0,"share":0.5,"note":""}"#).expect("0 is whole").rounds, 0);
        for wrong in ["18.5", "1e30", "-1.0", "4294967296.0", "18.", "1e", "\"18.0\""] {
            assert!(read(&format!(r#"{{"rounds": {wrong}, "share": 1, "note": ""}}"#)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_mistake_is_named_in_the_language_of_the_reader() {
        for (json, detail) in [
            (r#"{"share": 1, "note": ""}"#, "缺少字段 `rounds`"),
            (r#"{"rounds": 1, "shares": 1}"#, "shares：没有字段 `shares`，可用的有：rounds、share、note"),
            (r#"{"rounds": "1"}"#, "rounds：类型不对：应当是整数，收到的是文字 \"1\""),
            (r#"{"rounds": 4294967296.0}"#, "rounds：4294967296 超出范围：0 到 4294967295"),
        ] {
            let problem = read::<Limits>(json.as_bytes()).expect_err(json);
            let told = serde_json::to_value(problem.told_in(quorate_contract::Language::Zh)).expect("plain");
            assert_eq!(told["detail"], detail, "{json}");
        }
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
