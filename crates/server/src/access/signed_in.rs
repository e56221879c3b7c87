//! The caller of a request, as a handler extracts it.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use quorate_app::Principal;

use crate::problem::Problem;

/// The principal of a request. A route that is open to all has none for clients that have not signed in.
pub(crate) struct SignedIn(pub(crate) Principal);

impl<S: Send + Sync> FromRequestParts<S> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let known = parts.extensions.get::<Principal>().cloned().map(Self);
        known.ok_or_else(|| Problem::no_route(parts.uri.path()))
    }
}
