//! The command as people and scripts meet it: the real binary, a real database, real signals.
//!
//! Each test has a home of its own, and no network but this machine's loopback.
#![cfg(unix)]

mod backup;
mod client;
mod contract;
mod door;
mod errors;
mod export;
mod files;
mod folders;
mod formats;
mod golden;
mod health;
mod house;
mod killed;
mod library;
mod locked;
mod models;
mod off_record;
mod outside;
mod pauses;
mod places;
mod planted;
mod prices;
mod processes;
mod providers;
mod restarts;
mod said;
mod search;
mod serve;
mod served;
mod signals;
mod sitting;
mod steering;
mod street;
mod telemetry;
mod terminal;
mod together;
mod vendor;
mod whatif;
