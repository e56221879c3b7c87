//! Five wire formats at one table, each spoken to as strictly as its vendor is.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use quorate_vendors::{KEY, VendorServer};

use crate::app::{App, check_whole, of_type};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

fn vendors() -> VendorServer {
    VendorServer::open(0, Duration::ZERO).expect("a free port")
}

/// All formats as providers of this home.
fn home(vendors: &VendorServer) -> App {
    let app = App::new().with("STREET_KEY", KEY);
    let formats = [
        ("chat", "openai", "/v1"),
        ("resp", "responses", "/v1"),
        ("claude", "anthropic", ""),
        ("google", "gemini", ""),
    ];
    for (name, wire, path) in formats {
        let url = vendors.url(path);
        let args =
            ["providers", "add", name, "--wire", wire, "--base-url", &url, "--api-key-env", "STREET_KEY"];
        app.quorate(&args).ok();
    }
    let url = vendors.url("");
    app.quorate(&["providers", "add", "local", "--wire", "ollama", "--base-url", &url]).ok();
    app
}

/// The first part of each path that was asked, and how often; nothing was refused.
fn asked(vendors: &VendorServer) -> BTreeMap<String, usize> {
    let mut paths = BTreeMap::new();
    for heard in vendors.heard() {
        let path = heard.path.split([':', '?']).next().unwrap_or_default().to_owned();
        *paths.entry(path).or_default() += 1;
    }
    paths
}

#[test]
fn five_wire_formats_hold_a_meeting_together_in_every_format_of_meeting() {
    for format in ["consensus", "discussion", "decision", "room", "brainstorm"] {
        let vendors = vendors();
        let app = home(&vendors);
        let models = [
            "chat/gpt-5-mini",
            "resp/gpt-4o-mini",
            "claude/claude-sonnet",
            "google/gemini-flash",
            "local/qwen3:8b",
        ];
        let models = models.iter().flat_map(|model| ["-m", model]);
        let args = [
            "run",
            TOPIC,
            "--format",
            format,
            "-p",
            "Ada,Ben,Cid,Dora,Eli",
            "--rounds",
            "1",
            "--yes",
            "--json",
        ];
        let run = app.quorate(&args.into_iter().chain(models).collect::<Vec<_>>()).ok();
        check_whole(&run.out);
        let events = run.events();
        assert_eq!(events.last().expect("an event")["type"], "finished", "{format}");
        let spoke = of_type(&events, "agent_message");
        let names: BTreeSet<&str> =
            spoke.iter().filter_map(|event| event["payload"]["message"]["name"].as_str()).collect();
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["Ada", "Ben", "Cid", "Dora", "Eli"], "{format}");
        // The stand-ins cannot quote messages, so minutes and artifacts do not pass their gates.
        let malformed = of_type(&events, "answer_malformed");
        let at_the_table = malformed.iter().filter(|event| {
            let task = event["payload"]["task"].as_str().unwrap_or_default();
            task.starts_with("speak") || task.starts_with("vote") || task.starts_with("summarize")
        });
        assert_eq!(at_the_table.count(), 0, "{format}: {malformed:?}");
        let paths = asked(&vendors);
        assert_eq!(paths.len(), 5, "{format}: {paths:?}");
        // A part that a model does not take is left out after the first time, and that is all.
        let refused: Vec<_> = vendors.heard().into_iter().filter(|heard| heard.status >= 400).collect();
        assert!(refused.len() <= 3, "{format}: {refused:#?}");
    }
}

#[test]
fn reasoning_is_kept_apart_and_caches_are_counted() {
    let vendors = vendors();
    let app = home(&vendors);
    let models = ["-m", "claude/reasoner-claude", "-m", "google/reasoner-gemini", "-m", "local/reasoner:8b"];
    let args = ["run", TOPIC, "-p", "Ada,Ben,Cid", "--rounds", "1", "--yes"];
    app.quorate(&[&args[..], &models].concat()).ok();
    let log = app.quorate(&["replay", "last", "--json"]).ok().events();
    for event in of_type(&log, "agent_message") {
        assert!(event["payload"]["reasoning"].as_str().is_some_and(|text| text.starts_with("Let me see.")));
        assert!(!event["payload"]["message"]["content"].as_str().unwrap_or_default().contains("Let me see."));
    }
    let cached = of_type(&log, "call_ended").iter().any(|event| {
        let usage = &event["payload"]["usage"];
        usage["cached_tokens"].as_u64() > Some(0) || usage["cache_write_tokens"].as_u64() > Some(0)
    });
    assert!(cached, "Anthropic's marks are where it can cache");
}

#[test]
fn a_vendor_that_is_down_or_busy_is_news_and_another_stands_in() {
    let vendors = vendors();
    let app = home(&vendors);
    let args = [
        "run",
        TOPIC,
        "-p",
        "Ada,Ben",
        "--rounds",
        "1",
        "--yes",
        "-m",
        "claude/down-claude",
        "-m",
        "chat/busy-chat",
        "--fallback",
        "local/qwen3:8b",
        "--set",
        "turns.blind_round=false",
    ];
    let run = app.quorate(&args).ok();
    assert!(run.out.contains("local/qwen3:8b") || run.err.contains("local/qwen3:8b"), "{run}");
    let log = app.quorate(&["replay", "last", "--json"]).ok().events();
    assert_eq!(log.last().expect("an event")["type"], "finished");
    let started = of_type(&log, "call_started");
    let stand_ins = started.iter().filter(|event| event["payload"]["fallback"] == "local/qwen3:8b").count();
    assert!(stand_ins > 0, "{run}");
    let retried = of_type(&log, "call_retried");
    assert!(retried.iter().any(|event| event["payload"]["kind"] == "rate_limit"), "{retried:?}");
    assert!(retried.iter().any(|event| event["payload"]["kind"] == "overloaded"), "{retried:?}");
    assert_eq!(of_type(&log, "agent_message").len(), 2, "both have spoken");
}

#[test]
fn each_format_passes_the_test_of_its_provider() {
    let vendors = vendors();
    let app = home(&vendors);
    let models = [
        ("chat", "gpt-5-mini"),
        ("resp", "gpt-4o-mini"),
        ("claude", "claude-haiku"),
        ("google", "gemini-flash"),
        ("local", "qwen3:8b"),
    ];
    for (provider, model) in models {
        let tested = app.quorate(&["providers", "test", provider, "--model", model]).ok();
        assert_eq!(tested.out.matches('✓').count(), 4, "{tested}");
    }
    let listed = app.quorate(&["providers", "models", "claude"]).ok();
    assert!(
        listed.out.contains("claude-sonnet") && listed.out.contains("down-claude"),
        "all pages: {listed}"
    );
    let unknown = app.quorate(&["providers", "test", "google", "--model", "gemini-flsh"]);
    assert!(unknown.out.contains("google has gemini-flash"), "{unknown}");
}
