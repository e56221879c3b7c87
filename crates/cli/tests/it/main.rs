//! The command as people and scripts meet it: the real binary, a real database, real signals.
//!
//! Each test has a home of its own, and no network but this machine's loopback.
#![cfg(unix)]

mod app;
mod audited;
mod backup;
mod client;
mod contract;
mod errors;
mod export;
mod files;
mod folders;
mod formats;
mod golden;
mod health;
mod killed;
mod library;
mod locked;
mod mcp;
mod mcp_client;
mod mcp_garbage;
mod mcp_hints;
mod mcp_killed;
mod mcp_protocol;
mod mcp_resources;
mod mcp_schema;
mod mcp_subscriptions;
mod mixed_room;
mod models;
mod off_record;
mod outside;
mod pauses;
mod people;
mod places;
mod planted;
mod prices;
mod processes;
mod providers;
mod remote;
mod restarts;
mod said;
mod search;
mod seat;
mod serve;
mod served;
mod signals;
mod signed;
mod steering;
mod street;
mod telemetry;
mod terminal;
mod terminal_session;
mod together;
mod vendor;
mod webhook_receiver;
mod whatif;
