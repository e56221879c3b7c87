//! The public data of Quorate: ids, events, rules, tasks and answers, commands, refusals.
//!
//! What is stored, streamed and served is made of these types. They know how they are written and whether they
//! are valid, and nothing of how a meeting goes.

pub mod chain;
pub mod signature;

mod actor;
mod artifact;
mod brief;
mod command;
mod details;
mod event;
mod file;
pub mod hex;
mod ids;
mod labels;
mod localized;
mod names;
mod outcome;
mod participant;
mod phrase;
mod references;
mod refusal;
mod rules;
mod task;
mod text;
mod text_bounds;
mod timestamp;
mod tool;
mod verdict;
mod web;

pub use actor::{Actor, Person};
pub use artifact::*;
pub use brief::*;
pub use command::*;
pub use details::*;
pub use event::*;
pub use file::*;
pub use ids::*;
pub use labels::*;
pub use localized::Wording;
pub use names::{NameOf, check_name, folded, is_blank, is_same};
pub use outcome::*;
pub use participant::*;
pub use phrase::Phrase;
pub use quorate_messages::{Language, as_said};
pub use references::{leading_references, without_references};
pub use refusal::{CannotCallUp, Refusal, RefusalKind};
pub use rules::*;
pub use task::*;
pub use text::{clean, clean_within, first_sentence, shorten};
pub use text_bounds::{invalid, length};
pub use timestamp::milliseconds;
pub use tool::*;
pub use verdict::{ClauseKind, ClauseResult, Verdict};
pub use web::*;
