//! The store from outside: what it promises to the engine, what it survives, what it notices.

#![allow(clippy::print_stdout, reason = "tests that try many points say how many")]

mod catalogue;
mod contract;
mod fixtures;
mod journal;
mod library;
mod mentions;
mod moving;
mod nodes;
mod pages;
mod properties;
mod search;
mod snapshot;
mod sqlite;
mod uploads;
