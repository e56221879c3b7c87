//! The store from outside: what it promises to the engine, what it survives, what it notices.

#![allow(clippy::print_stdout, reason = "tests that try many points say how many")]

mod backup;
mod catalogue;
mod contract;
mod crash;
mod damage;
mod fixtures;
mod journal;
mod library;
mod mentions;
mod opening;
mod pages;
mod properties;
mod search;
mod snapshot;
mod storage;
mod uploads;
