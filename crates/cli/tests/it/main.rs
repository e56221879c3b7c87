//! The command as people and scripts meet it: the real binary, a real database, real signals.
//!
//! Each test has a home of its own, and no network but this machine's loopback.
#![cfg(unix)]

mod contract;
mod errors;
mod files;
mod house;
mod killed;
mod library;
mod models;
mod places;
mod processes;
mod signals;
mod sitting;
mod steering;
mod vendor;
mod whatif;
