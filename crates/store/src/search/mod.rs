//! The search index: tokenization of text, indexing of the log, and parsing of queries.
//!
//! It knows nothing of the store around it: the store's `text_search` queries it, and the writer updates it.

mod follow;
pub(crate) mod index;
mod kind;
pub(crate) mod snippet;
pub(crate) mod tokenize;
pub(crate) mod vector;

pub(crate) use follow::Follower;
pub use kind::SearchKind;
pub use snippet::SnippetPart;
