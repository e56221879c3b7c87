//! The HTTP server.
//!
//! `connections/` accepts them, `requests/` reads what they ask, `access/` says who is asking, and `limits/` how much
//! they may take. `rest/` holds the routes, `live/` the event streams, `api_router` and `document/` the OpenAPI and AsyncAPI documents,
//! `exports/` the threads that render, `nodes/` what several nodes tell each other, `ops/` health and metrics, and
//! `page` the web page. Every error leaves as a [`Problem`]. There is no rule of deliberation,
//! no vendor and no SQL in this crate.

mod access;
mod api_router;
mod connections;
mod document;
mod documentation;
mod exports;
mod limits;
mod live;
mod nodes;
mod ops;
mod options;
mod page;
mod problem;
mod requests;
mod rest;
mod router;
mod server;
mod settings;
mod state;

pub use access::{
    Access, AccessError, AccessOptions, AccessSecrets, LocalToken, Peer, Principal, ROUTES, Scope,
    TOKEN_VARIABLE, WITH_QUERY, is_a2a,
};
pub use connections::delivered::{OnDelivered, watched};
pub use connections::serve::{ServeOptions, serve, serve_with};
pub use connections::tls::{Tls, TlsError};
pub use document::asyncapi;
pub use exports::ExportOptions;
pub use limits::bodies::UPLOAD_MAX;
pub use limits::rates::{LimitOptions, LimitOutOfBounds};
pub use live::{LiveOptions, WriteTimeout};
pub use ops::Metrics;
pub use ops::log_levels::LogLevels;
pub use options::{LogFormat, Options, PORT, log_filter};
pub use problem::Problem;
pub use router::{McpEndpoint, Protocols, openapi, router, router_with, router_with_mcp};
pub use server::{Server, ServerError};
pub use state::ServerState;
