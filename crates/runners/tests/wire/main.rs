//! The runner for OpenAI-compatible providers against a server that answers by script, as real
//! ones do on good and on bad days. What was sent is asserted as well as what came back.

mod anthropic;
mod capabilities;
mod connection;
mod dialect;
mod faults;
mod formats;
mod gemini;
mod glm;
mod helpers;
mod images;
mod keys;
mod limits;
mod lookup;
mod ollama;
mod proxies;
mod remote_agents;
mod requests;
mod responses;
mod server;
mod streams;
mod timeouts;
mod tools;
mod web_search;
mod windows;
