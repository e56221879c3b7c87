//! Every edge of the program that takes bytes, each as a function of one input that panics when something does not hold.
//!
//! `fuzz/` gives them to libFuzzer (`cargo xtask fuzz`), which finds its way by what an input reaches and needs nightly Rust. The
//! tests of this crate change the same corpora at random, with the Rust of the product, in each run of the tests.

mod events;
mod fixtures;
mod frames;
mod imports;
mod json_repair;
mod markdown;
mod meeting_files;
mod mentions;
#[cfg(feature = "pdf")]
mod pdf;
mod search;
mod tokens;
mod uploads;
mod wires;

pub use events::events;
pub use frames::frames;
pub use imports::imports;
pub use json_repair::json_repair;
pub use markdown::markdown;
pub use meeting_files::meeting_files;
pub use mentions::mentions;
#[cfg(feature = "pdf")]
pub use pdf::pdf;
pub use search::search;
pub use tokens::tokens;
pub use uploads::uploads;
pub use wires::wires;
