//! Live streams.

mod ended;
mod slow;
mod socket;
mod stage;
mod stream;
mod together;
