//! The texts that people read, in every language: one catalogue of [Fluent](https://projectfluent.org) messages.
//!
//! A language is a folder of `locales/` and a variant of [`Language`]. Code names a message by its id and gives its
//! fields; [`text!`] makes the text, [`message!`] carries both to where the reader's language is known. The tests read
//! the sources of all crates: every id that they use is in every language with the same fields, and none is left over.

mod catalogue;
mod codec;
mod decoding;
mod language;
mod message;
mod system;

pub use catalogue::{EVENT_FILES, FILES, KEYED, filled, fixed, ids, keyed, keys};
pub use decoding::{as_said, decoding_problem, own_decoding_problem};
pub use language::Language;
pub use message::{Message, Value};
pub use system::io_problem;
