//! What each route needs, in one table.

/// What a route needs of whoever asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Nothing: health, the documentation, signing in.
    Open,
    /// Somebody who has signed in, whatever they may do.
    SignedIn,
    /// [`Scope::Read`](super::Scope::Read), at the meeting of the path when it names one.
    Read,
    /// [`Scope::Speak`](super::Scope::Speak), likewise.
    Speak,
    /// [`Scope::Manage`](super::Scope::Manage), likewise.
    Manage,
    /// [`Scope::Owner`](super::Scope::Owner).
    Owner,
}

use Need::*;

/// Method, path, need. A route that is not here answers nobody (a test holds it against the OpenAPI document).
pub const MATRIX: &[(&str, &str, Need)] = &[
    ("GET", "/healthz", Open),
    ("GET", "/readyz", Open),
    ("GET", "/metrics", Read),
    ("GET", "/api/v1/openapi.json", Open),
    ("GET", "/api/v1/docs", Open),
    ("GET", "/api/v1/problems", Open),
    ("GET", "/api/v1/me", SignedIn),
    ("POST", "/api/v1/sessions", Open),
    ("POST", "/api/v1/sessions/refresh", Open),
    ("GET", "/api/v1/sessions", SignedIn),
    ("DELETE", "/api/v1/sessions", SignedIn),
    ("DELETE", "/api/v1/sessions/{session}", SignedIn),
    ("GET", "/api/v1/accounts", Owner),
    ("POST", "/api/v1/accounts", Owner),
    ("DELETE", "/api/v1/accounts/{name}", Owner),
    ("PUT", "/api/v1/accounts/{name}/password", SignedIn),
    ("GET", "/api/v1/tokens", Manage),
    ("POST", "/api/v1/tokens", Manage),
    ("DELETE", "/api/v1/tokens/{token}", Manage),
    ("POST", "/api/v1/join", Open),
    ("POST", "/api/v1/meetings/{id}/enter", Open),
    ("GET", "/api/v1/meetings/{id}/invitations", Manage),
    ("POST", "/api/v1/meetings/{id}/invitations", Manage),
    ("DELETE", "/api/v1/meetings/{id}/invitations/{invitation}", Manage),
    ("GET", "/api/v1/meetings/{id}/guests", Manage),
    ("DELETE", "/api/v1/meetings/{id}/guests/{session}", Manage),
    ("GET", "/api/v1/audit", Owner),
    ("GET", "/api/v1/meetings", Read),
    ("GET", "/api/v1/meetings/{id}", Read),
];

/// What a route needs; `None` for one that nobody has thought of.
pub(crate) fn need(method: &str, path: &str) -> Option<Need> {
    let method = if method == "HEAD" { "GET" } else { method };
    MATRIX.iter().find(|(m, p, _)| *m == method && *p == path).map(|(_, _, need)| *need)
}
