//! Web searches of the vendors: who may search, what stands in the log and in exports, and what it costs.

use std::time::Duration;

use quorate_vendor_emulators::{KEY, VendorServer};
use serde_json::Value;

use crate::app::{App, check_whole, of_type};

const TOPIC: &str = "Should the city build more flats?";
const TOOL: &str = "web-search__search";
const PAGE: &str = "https://stats.example/rents?year=2026";

fn vendors() -> VendorServer {
    VendorServer::open(0, Duration::ZERO).expect("a free port")
}

/// Providers of each format that has a web search, and of one that has none.
fn home(vendors: &VendorServer) -> App {
    let app = App::new().with("STREET_KEY", KEY);
    let formats = [
        ("claude", "anthropic", ""),
        ("resp", "responses", "/v1"),
        ("google", "gemini", ""),
        ("glm", "openai", "/v1"),
        ("openai", "openai", "/v1"),
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

fn run<'a>(models: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let names =
        ["Ada", "Ada,Ben", "Ada,Ben,Cid", "Ada,Ben,Cid,Dora", "Ada,Ben,Cid,Dora,Eli"][models.len() - 1];
    let mut args =
        vec!["run", TOPIC, "--format", "discussion", "-r", "1", "-p", names, "--lang", "en", "--yes"];
    models.iter().for_each(|model| args.extend(["-m", model]));
    args.extend(more);
    args
}

fn log(app: &App) -> Vec<Value> {
    let said = app.quorate(&["replay", "last", "--json"]).ok();
    check_whole(&said.out);
    said.events()
}

/// The payload of each event of a kind that belongs to a participant.
fn of_participant<'a>(events: &'a [Value], kind: &str, participant: &str) -> Vec<&'a Value> {
    let all = of_type(events, kind).into_iter().map(|event| &event["payload"]);
    all.filter(|payload| payload["participant"] == participant).collect()
}

/// The addresses that a message or claim cites.
fn addresses(of: &Value) -> Vec<&str> {
    let evidence = of["evidence"].as_array().map(Vec::as_slice).unwrap_or_default();
    evidence.iter().filter_map(|one| one["path"].as_str()).collect()
}

#[test]
fn models_of_every_vendor_with_a_search_cite_what_they_found() {
    let models = [
        "claude/claude-sonnet",
        "resp/gpt-4o-mini",
        "google/gemini-flash",
        "glm/glm-4.6",
        "openai/gpt-4o-search-preview",
    ];
    // Shown as it comes, and as lines of JSON: streamed, and whole.
    for more in [&["--tools", "web-search"][..], &["--tools", "web-search", "--json"]] {
        let vendors = vendors();
        let app = home(&vendors);
        app.quorate(&run(&models, more)).ok();
        let events = log(&app);
        for (seat, model) in ["p1", "p2", "p3", "p4", "p5"].into_iter().zip(models) {
            let called = of_participant(&events, "tool_called", seat);
            assert!(called.iter().any(|call| call["tool"] == TOOL), "{model}: {called:?}");
            let returned = of_participant(&events, "tool_returned", seat);
            assert!(returned.iter().any(|call| call["outcome"] == "returned"), "{model}: {returned:?}");
            let said = of_participant(&events, "agent_message", seat)[0];
            let address = match seat {
                // Google names pages by addresses of its own.
                "p3" => "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ0=",
                _ => PAGE,
            };
            assert!(addresses(&said["message"]).contains(&address), "{model}: {said}");
            let title = &said["message"]["evidence"][0]["title"];
            assert!(title.as_str().is_some_and(|title| !title.is_empty()), "{model}: {said}");
            let claims = said["stance"]["claims"].as_array().expect("claims");
            let cited = claims.iter().find(|claim| addresses(claim).contains(&address));
            assert!(cited.is_some(), "{model}: {said}");
            let content = said["message"]["content"].as_str().unwrap_or_default();
            assert!(content.contains("Official figures show a fall of 3 %."), "{model}: {content}");
            assert!(!content.contains("srvtoolu") && !content.contains("\"query\""), "{model}: {content}");
        }
        let ended = of_type(&events, "call_ended").into_iter();
        let searches: u64 = ended.filter_map(|event| event["payload"]["usage"]["searches"].as_u64()).sum();
        assert!(searches >= 5, "{searches}");
        let refused: Vec<_> = vendors.heard().into_iter().filter(|heard| heard.status >= 400).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        // The address is a link in every export.
        let markdown = app.quorate(&["export", "last"]).ok().out;
        let link = "[Rents in 2026 \\| Statistics](<https://stats.example/rents?year=2026>)";
        assert!(markdown.contains(link), "{markdown}");
        assert!(app.quorate(&["export", "last", "--format", "html"]).ok().out.contains(PAGE));
        assert!(app.quorate(&["export", "last", "--format", "json"]).ok().out.contains(PAGE));
        let health = app.quorate(&["show", "last", "--health", "--json"]).ok().json();
        assert!(health["cited"]["cited"].as_u64() >= Some(5), "{}", health["cited"]);
    }
}

#[test]
fn only_those_search_who_are_allowed_to() {
    let vendors = vendors();
    let app = home(&vendors);
    let models = ["claude/claude-sonnet", "claude/claude-haiku"];
    app.quorate(&run(&models, &["--tools", "web-search=Ada"])).ok();
    let events = log(&app);
    assert!(!of_participant(&events, "tool_called", "p1").is_empty());
    assert!(of_participant(&events, "tool_called", "p2").is_empty());
    for heard in vendors.heard() {
        let offers = heard.body["tools"].to_string().contains("web_search");
        assert!(!offers || heard.body["model"] == "claude-sonnet", "{}", heard.body);
    }
    // A fork keeps the permission, and a replay asks nobody.
    let asked = vendors.heard().len();
    app.quorate(&["replay", "last"]).ok();
    assert_eq!(vendors.heard().len(), asked);
}

#[test]
fn a_model_without_a_search_is_asked_again_without_and_a_failed_search_is_told() {
    let vendors = vendors();
    let app = home(&vendors);
    let models =
        ["claude/offline-claude", "resp/offline-gpt", "google/offline-gemini", "claude/flaky-claude"];
    app.quorate(&run(&models, &["--tools", "web-search"])).ok();
    let events = log(&app);
    for seat in ["p1", "p2", "p3"] {
        assert!(of_participant(&events, "tool_called", seat).is_empty(), "{seat}");
        assert_eq!(of_participant(&events, "agent_message", seat).len(), 1, "{seat} speaks");
    }
    let retried = of_type(&events, "call_retried");
    let told = |word: &str| retried.iter().any(|event| event["payload"]["detail"].to_string().contains(word));
    assert!(told("web_search_20250305") && told("web_search") && told("Search Grounding"), "{retried:?}");
    let returned = of_participant(&events, "tool_returned", "p4");
    assert_eq!((&returned[0]["outcome"], &returned[1]["kind"]), (&"returned".into(), &"too_many".into()));
    let refused = vendors.heard().into_iter().filter(|heard| heard.status >= 400).count();
    assert_eq!(refused, 3, "what is learned is not asked again");
}

#[test]
fn whoever_has_no_search_is_refused_with_what_helps() {
    let vendors = vendors();
    let app = home(&vendors);
    let local = run(&["local/qwen3:8b", "claude/claude-sonnet"], &["--tools", "web-search=Ada"]);
    app.quorate(&local).fails(2, &["Ada", "no web search", "Anthropic, Gemini"]);
    let nobody = run(&["local/qwen3:8b"], &["--tools", "web-search"]);
    app.quorate(&nobody).fails(2, &["no participant", "web search"]);
    assert!(vendors.heard().is_empty());
}

#[test]
fn a_search_has_its_price_and_a_budget_holds() {
    let vendors = vendors();
    let app = home(&vendors);
    let prices = |search: &str| format!("[prices.\"claude-sonnet\"]\ninput = 0.0\noutput = 0.0\n{search}\n");
    let priced = app.write("priced.toml", &prices("search = 10.0"));
    let of = |events: &[Value]| -> u64 {
        let ended = of_type(events, "call_ended").into_iter();
        ended.filter_map(|event| event["payload"]["cost_micros"].as_u64()).sum()
    };
    let models = ["claude/claude-sonnet", "claude/claude-sonnet"];
    let more = ["--tools", "web-search", "--no-facilitator", "--config", &priced];
    app.quorate(&run(&models, &more)).ok();
    assert_eq!(of(&log(&app)), 20_000, "two searches of a cent");
    // Three searches are reserved for a turn: a budget of four allows one turn with a search.
    let budget = [&more[..], &["--budget-cost", "0.04"]].concat();
    app.quorate(&run(&models, &budget));
    let events = log(&app);
    assert!(of(&events) <= 40_000, "{}", of(&events));
    let small = [&more[..], &["--budget-cost", "0.02"]].concat();
    app.quorate(&run(&models, &small))
        .fails(2, &["no room for the first answer", "0.03", "leave web search out"]);
    let unpriced = app.write("unpriced.toml", &prices(""));
    let more = ["--tools", "web-search", "--config", &unpriced, "--budget-cost", "1"];
    app.quorate(&run(&models, &more)).fails(2, &["price of a web search", "search"]);
}
