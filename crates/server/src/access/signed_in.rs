//! Who asks, as a handler takes it from its request.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use quorate_app::Principal;

use crate::problem::Problem;

/// Whoever was let in. A route that anybody may call has none for strangers.
pub(crate) struct SignedIn(pub(crate) Principal);

impl<S: Send + Sync> FromRequestParts<S> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let known = parts.extensions.get::<Principal>().cloned().map(Self);
        known.ok_or_else(|| Problem::not_found("page", parts.uri.path()))
    }
}
