//! Five wire formats at one table, each spoken to as strictly as its vendor is.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use quorate_vendor_emulators::{KEY, VendorServer};

use crate::app::{App, check_whole, of_type};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

fn vendors() -> VendorServer {
    VendorServer::open(0, Duration::ZERO).expect("a free port")
}

/// A PNG of 3 × 2 pixels.
pub(crate) const PNG: &[u8] =
    b"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x03\x00\x00\x00\x02\
      \x08\x02\x00\x00\x00\x12\x16\xf1\x4d\x00\x00\x00\x10\x49\x44\x41\x54\x78\x9c\x63\x38\x21\x27\x07\
      \x41\x0c\x70\x16\x00\x41\x00\x06\x19\x3c\x45\x41\x96\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\
      \x82";

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

#[test]
fn an_image_is_seen_by_models_that_see_and_named_to_the_others() {
    let vendors = vendors();
    let app = home(&vendors);
    let path = app.path("chart.png");
    std::fs::write(&path, PNG).expect("written");
    let path = path.to_string_lossy();
    let seeing = [
        "chat/gpt-5-mini",
        "resp/gpt-4o-mini",
        "claude/claude-sonnet",
        "google/gemini-flash",
        "local/qwen3:8b",
    ];
    let blind = [
        "chat/deepseek-chat",
        "resp/reasoner-chat",
        "claude/reasoner-claude",
        "google/reasoner-gemini",
        "local/reasoner:8b",
    ];
    for (models, see) in [(seeing, true), (blind, false)] {
        let before = vendors.heard().len();
        let chosen = models.iter().flat_map(|model| ["-m", *model]);
        let args = [
            "run",
            TOPIC,
            "--attach",
            &path,
            "--format",
            "discussion",
            "-p",
            "Ada,Ben,Cid,Dora,Eli",
            "--rounds",
            "2",
            "--yes",
            "--json",
        ];
        let run = app.quorate(&args.into_iter().chain(chosen).collect::<Vec<_>>()).ok();
        let events = run.events();
        let file = &of_type(&events, "file_attached")[0]["payload"]["file"];
        assert_eq!(file["image"], serde_json::json!({ "width": 3, "height": 2 }), "{file}");
        let spoke = of_type(&events, "agent_message");
        let words = |event: &serde_json::Value| {
            event["payload"]["message"]["content"].as_str().unwrap_or_default().contains("I see 1 image.")
        };
        assert_eq!(
            spoke.iter().filter(|event| words(event)).count(),
            if see { spoke.len() } else { 0 },
            "{run}"
        );
        assert_eq!(spoke.len(), 10, "{run}");
        let heard = vendors.heard().split_off(before);
        let image = |body: &serde_json::Value| {
            ["image_url", "input_image", "\"type\":\"image\"", "inlineData", "\"images\""]
                .iter()
                .any(|form| body.to_string().contains(form))
        };
        let refused: Vec<_> =
            heard.iter().filter(|heard| heard.status >= 400 && image(&heard.body)).collect();
        let shown = heard.iter().filter(|heard| image(&heard.body)).count();
        match see {
            // Other parts of a request may be refused once.
            true => assert!(refused.len() <= 3 && shown > 10, "{shown}: {refused:#?}"),
            // Each is asked without it at once, and not shown it again.
            false => {
                assert_eq!(refused.len(), shown, "{refused:#?}");
                assert!((5..=8).contains(&shown), "{refused:#?}");
            }
        }
        let page = app.quorate(&["export", "last", "--format", "html"]).ok().out;
        assert!(page.contains("img-src data:") && page.contains("data:image/png;base64,"));
        let ended = of_type(&events, "call_ended");
        assert!(ended.iter().all(|event| event["payload"]["failure"].is_null()), "{run}");
    }
}
