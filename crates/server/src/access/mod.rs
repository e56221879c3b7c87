//! Access: who calls, and what they may do.
//!
//! Every request is assigned a [`Principal`] before anything else; [`ROUTES`] says which use case each route
//! is, and the application says what a use case needs. Handlers check nothing themselves: a request that
//! reaches them is permitted.

mod accounts;
mod admission;
mod audit;
mod authenticate;
mod client;
mod cookies;
mod expiry;
mod guests;
mod identity;
mod local_sign_in;
mod open_connections;
mod options;
mod origin;
mod result_links;
mod routes;
mod sessions;
mod shared;
mod signed_in;
mod tokens;

use crate::api_router::ApiRouter;

pub(crate) use admission::{admission, cors};
pub(crate) use audit::Detail;
pub(crate) use authenticate::guard;
pub(crate) use client::Client;
pub use client::Peer;
pub use identity::Access;
pub(crate) use identity::{sign_in, token_needed, unknown_token};
pub(crate) use local_sign_in::sign_in_by_address;
pub(crate) use open_connections::hold;
pub use options::{AccessError, AccessOptions, AccessSecrets, TOKEN_VARIABLE};
pub(crate) use quorate_app::AccessCredential;
pub use quorate_app::{LocalToken, Principal, Scope};
pub use routes::{ROUTES, WITH_QUERY, is_a2a};
pub(crate) use routes::{a2a_paths, use_case};
pub(crate) use signed_in::SignedIn;

/// The routes of access.
pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .merge(sessions::routes())
        .merge(local_sign_in::routes())
        .merge(accounts::routes())
        .merge(tokens::routes())
        .merge(guests::routes())
        .merge(result_links::routes())
        .merge(audit::routes())
}
