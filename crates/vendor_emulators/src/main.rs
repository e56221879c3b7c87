//! Opens the emulators of the vendors for people: `cargo run -p quorate-vendor-emulators [PORT]`.

#![allow(clippy::print_stdout, reason = "this is all that it has to say to people")]

use std::process::ExitCode;
use std::time::Duration;

use quorate_vendor_emulators::{KEY, VendorServer};

fn main() -> ExitCode {
    let port = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 8710,
        Some(Ok(port)) => port,
        Some(Err(_)) => {
            eprintln!("the only argument is a port, such as 8710");
            return ExitCode::from(2);
        }
    };
    let vendors = match VendorServer::open(port, Duration::from_millis(4)) {
        Ok(vendors) => vendors,
        Err(error) => {
            eprintln!("port {port} cannot be used: {error}; name another one");
            return ExitCode::FAILURE;
        }
    };
    println!("The key of all of them is {KEY}");
    for (format, path, models) in [
        (
            "openai",
            "/v1",
            "gpt-5-mini, gpt-4o-mini, deepseek-chat, reasoner-chat, busy-chat, down-chat, dumb-chat",
        ),
        ("responses", "/v1", "the same"),
        ("anthropic", "", "claude-sonnet, claude-haiku, reasoner-claude, busy-claude, down-claude"),
        ("gemini", "", "gemini-flash, reasoner-gemini, busy-gemini, down-gemini"),
        ("ollama", "", "qwen3:8b, reasoner:8b, dumb:1b, down:8b; no key"),
    ] {
        println!("{format:<10} {:<28} {models}", vendors.url(path));
    }
    println!("Ctrl-C closes it.");
    loop {
        std::thread::park();
    }
}
