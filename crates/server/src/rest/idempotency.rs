//! The header by which a request is done once: `Idempotency-Key`.
//!
//! What it means is the application's; here it is read, and described.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use quorate_app::IDEMPOTENCY_KEY_BYTES;
use quorate_messages::message;
use utoipa::openapi::path::{ParameterBuilder, ParameterIn};
use utoipa::openapi::{ObjectBuilder, OpenApi, Required};

use crate::access::ROUTES;
use crate::problem::Problem;

pub(crate) const KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The key of a request.
///
/// # Errors
/// When there are several, or it is no key.
pub(super) fn key(headers: &HeaderMap) -> Result<String, Problem> {
    let mut keys = headers.get_all(KEY).iter();
    let key = keys.next().map(HeaderValue::as_bytes).unwrap_or_default();
    let sound = (1..=IDEMPOTENCY_KEY_BYTES).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
    match (sound, keys.next(), std::str::from_utf8(key)) {
        (true, None, Ok(key)) => Ok(key.to_owned()),
        _ => Err(Problem::new(StatusCode::BAD_REQUEST, "unreadable", message!("server-idempotency-header"))
            .hint(message!("server-idempotency-key-hint"))),
    }
}

/// Tells of the header at every request that knows it.
pub(crate) fn describe(document: &mut OpenApi) {
    let once = ROUTES.iter().filter(|(_, _, use_case)| use_case.definition().idempotent);
    for (_, path, _) in once {
        let Some(item) = document.paths.paths.get_mut(*path) else { continue };
        let Some(post) = item.post.as_mut() else { continue };
        let text = ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .min_length(Some(1))
            .max_length(Some(IDEMPOTENCY_KEY_BYTES));
        let parameter = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(
                "A key of 1-255 visible ASCII characters, chosen by the client. A request is carried out once per key; \
                 for 24 hours, a repeated request gets the same response, with the header `Idempotent-Replayed: true`",
            ))
            .schema(Some(text))
            .build();
        post.parameters.get_or_insert_default().push(parameter.into());
    }
}
