//! The other nodes: several processes can share one database, and each meeting runs in one of them.
//!
//! A request about a meeting that runs elsewhere is sent on to that node. Listeners are served where they are: this node
//! hears from the other one when there is something to read in the database, and what is being written just now.

mod all_nodes;
mod asked;
mod bus;
mod forward;
mod notices;
mod remote;
mod turns;
mod waiting;

pub(crate) use asked::TurnsElsewhere;
pub(crate) use bus::tell_others;
pub(crate) use forward::{Forwarded, Forwarder, NODE_MESSAGES, NodeMessage, not_here};
pub(crate) use remote::RemoteSubscription;
pub(crate) use turns::{follow_turns, turns_elsewhere};
pub(crate) use waiting::{ForwardedRequest, Forwarding};

/// What only other nodes may ask for; no part of the public interface.
pub(crate) fn routes() -> axum::Router<crate::state::ServerState> {
    notices::routes().merge(turns::routes())
}

/// Whether a path is for other nodes alone.
pub(crate) fn is_internal(path: &str) -> bool {
    path.starts_with("/internal/")
}
