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
    ("GET", "/api/v1/docs/{file}", Open),
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
    ("POST", "/api/v1/meetings", Manage),
    ("POST", "/api/v1/meetings/estimate", Manage),
    ("GET", "/api/v1/meetings/{id}", Read),
    ("PATCH", "/api/v1/meetings/{id}", Manage),
    ("DELETE", "/api/v1/meetings/{id}", Manage),
    ("GET", "/api/v1/meetings/{id}/rules", Read),
    ("PUT", "/api/v1/meetings/{id}/rules", Manage),
    ("POST", "/api/v1/meetings/{id}/start", Manage),
    ("POST", "/api/v1/meetings/{id}/pause", Manage),
    ("POST", "/api/v1/meetings/{id}/resume", Speak),
    ("POST", "/api/v1/meetings/{id}/end", Manage),
    ("POST", "/api/v1/meetings/{id}/fork", Manage),
    ("POST", "/api/v1/meetings/{id}/advance", Manage),
    ("POST", "/api/v1/meetings/{id}/what-if", Read),
    ("GET", "/api/v1/meetings/{id}/messages", Read),
    ("POST", "/api/v1/meetings/{id}/messages", Speak),
    ("GET", "/api/v1/meetings/{id}/messages/{message}", Read),
    ("POST", "/api/v1/meetings/{id}/speaker", Speak),
    ("GET", "/api/v1/meetings/{id}/participants", Read),
    ("POST", "/api/v1/meetings/{id}/participants", Manage),
    ("GET", "/api/v1/meetings/{id}/participants/{participant}", Read),
    ("PATCH", "/api/v1/meetings/{id}/participants/{participant}", Manage),
    ("DELETE", "/api/v1/meetings/{id}/participants/{participant}", Manage),
    ("GET", "/api/v1/meetings/{id}/agenda", Read),
    ("POST", "/api/v1/meetings/{id}/agenda", Manage),
    ("PATCH", "/api/v1/meetings/{id}/agenda/{item}", Manage),
    ("DELETE", "/api/v1/meetings/{id}/agenda/{item}", Manage),
    ("GET", "/api/v1/meetings/{id}/ballots", Read),
    ("GET", "/api/v1/meetings/{id}/ballots/{ballot}", Read),
    ("GET", "/api/v1/meetings/{id}/ballots/{ballot}/votes", Read),
    ("GET", "/api/v1/meetings/{id}/minutes", Read),
    ("POST", "/api/v1/meetings/{id}/minutes", Manage),
    ("PUT", "/api/v1/meetings/{id}/minutes", Manage),
    ("GET", "/api/v1/meetings/{id}/minutes/diff", Read),
    ("GET", "/api/v1/meetings/{id}/minutes/versions", Read),
    ("GET", "/api/v1/meetings/{id}/minutes/versions/{version}", Read),
    ("GET", "/api/v1/meetings/{id}/artifacts", Read),
    ("POST", "/api/v1/meetings/{id}/artifacts", Manage),
    ("GET", "/api/v1/meetings/{id}/artifacts/{kind}", Read),
    ("GET", "/api/v1/meetings/{id}/artifacts/{kind}/{version}", Read),
    ("GET", "/api/v1/meetings/{id}/evaluations", Manage),
    ("GET", "/api/v1/meetings/{id}/usage", Read),
    ("GET", "/api/v1/meetings/{id}/report", Read),
    ("GET", "/api/v1/meetings/{id}/log", Read),
    ("GET", "/api/v1/meetings/{id}/claims", Read),
    ("GET", "/api/v1/meetings/{id}/health", Read),
    ("GET", "/api/v1/meetings/{id}/export", Read),
    ("GET", "/api/v1/meetings/{id}/uploads", Read),
    ("POST", "/api/v1/meetings/{id}/uploads", Speak),
    ("GET", "/api/v1/meetings/{id}/uploads/{upload}", Read),
    ("DELETE", "/api/v1/meetings/{id}/uploads/{upload}", Manage),
    // Whoever is bound to one meeting searches that one.
    ("GET", "/api/v1/search", SignedIn),
    ("GET", "/api/v1/agents", Read),
    ("POST", "/api/v1/agents", Manage),
    ("GET", "/api/v1/agents/{name}", Read),
    ("PATCH", "/api/v1/agents/{name}", Manage),
    ("DELETE", "/api/v1/agents/{name}", Manage),
    ("POST", "/api/v1/agents/{name}/test", Manage),
    ("GET", "/api/v1/providers", Manage),
    ("GET", "/api/v1/presets", Read),
    ("PUT", "/api/v1/providers/{name}", Owner),
    ("DELETE", "/api/v1/providers/{name}", Owner),
    ("GET", "/api/v1/providers/{name}/models", Manage),
    ("POST", "/api/v1/providers/{name}/test", Manage),
    ("GET", "/api/v1/templates", Read),
    ("POST", "/api/v1/templates", Manage),
    ("GET", "/api/v1/templates/{id}", Read),
    ("PUT", "/api/v1/templates/{id}", Manage),
    ("DELETE", "/api/v1/templates/{id}", Manage),
    ("GET", "/api/v1/settings", Owner),
    ("PATCH", "/api/v1/settings", Owner),
    ("GET", "/api/v1/meetings/{id}/events", Read),
    // A browser can set no header here, so signing in may be the first message.
    ("GET", "/api/v1/ws", Open),
];

/// What a route needs; `None` for one that nobody has thought of.
pub(crate) fn need(method: &str, path: &str) -> Option<Need> {
    let method = if method == "HEAD" { "GET" } else { method };
    MATRIX.iter().find(|(m, p, _)| *m == method && *p == path).map(|(_, _, need)| *need)
}
