//! The search index: what text becomes in it, how it follows the log, and what a query becomes.
//!
//! It knows nothing of the store around it: the store's `text_search` asks it, and the writer keeps it up to date.

mod follow;
pub(crate) mod index;
mod kind;
pub(crate) mod snippet;
pub(crate) mod words;

pub(crate) use follow::Follower;
pub use kind::SearchKind;
pub use snippet::Piece;
