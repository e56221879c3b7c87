//! What is told as it happens.

mod ended;
mod slow;
mod socket;
mod stage;
mod stream;
mod together;
