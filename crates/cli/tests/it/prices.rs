//! Prices, and what a meeting will take before it begins.

use serde_json::Value;

use crate::app::{App, of_type};

const FORMATS: [&str; 5] = ["consensus", "discussion", "decision", "room", "brainstorm"];
const TOPICS: [&str; 2] =
    ["Should our service use SQLite or PostgreSQL?", "事件日志用 SQLite 还是 PostgreSQL？"];

fn json(text: &str) -> Value {
    serde_json::from_str(text.trim()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_simulated_meeting_takes_as_many_calls_as_was_said_before() {
    for format in FORMATS {
        for topic in TOPICS {
            let app = App::new();
            let run = ["run", topic, "--simulate", "--seed", "7", "--format", format, "--yes", "--json"];
            let said = app.quorate(&[&run[..], &["--estimate"]].concat()).ok();
            assert!(!app.db().exists(), "nothing is written");
            let estimate = json(&said.out);
            let held = app.quorate(&run).ok();
            let calls = of_type(&held.events(), "call_started").len() as u64;
            let bound = |at: usize| estimate["range"]["calls"][at].as_u64().expect("a number");
            assert!(
                (bound(0)..=bound(1)).contains(&calls),
                "{format}, {topic}: {calls} calls, {}",
                estimate["range"]
            );
            // The same cast gives similar numbers: mentions can cause extra turns.
            let likely = estimate["likely"]["calls"].as_u64().expect("a number");
            assert!(
                likely.abs_diff(calls) <= 2,
                "{format}, {topic}: {likely} calls likely, and {calls} held"
            );
            assert_eq!(
                estimate["range"]["known_cost_micros"],
                serde_json::json!([0, 0]),
                "a simulation is free"
            );
        }
    }
}

#[test]
fn an_estimate_names_the_price_its_day_and_what_is_not_known() {
    let app = App::new().with("OPENAI_API_KEY", "sk-estimate");
    let run = ["run", TOPICS[0], "--model", "openai/gpt-5-mini", "--estimate"];
    let said = app.quorate(&run).ok();
    for words in [
        "nobody was asked",
        "openai/gpt-5-mini",
        "$0.",
        "(prices of 2026-11-12)",
        "from a cache",
        "within 7 %",
    ] {
        assert!(said.out.contains(words), "{words}: {said}");
    }
    let zh = app.quorate(&["run", TOPICS[1], "--model", "openai/gpt-5-mini", "--lang", "zh", "--estimate"]);
    assert!(zh.ok().out.contains("gpt-5-mini"));
    let unknown = app.quorate(&["run", TOPICS[0], "--model", "openai/gpt-99", "--estimate"]).ok();
    assert!(unknown.out.contains("price unknown") && !unknown.out.contains('$'), "{unknown}");
    let both = ["run", TOPICS[0], "--model", "openai/gpt-5-mini", "--model", "openai/gpt-99", "--estimate"];
    assert!(app.quorate(&both).ok().out.contains("cost unknown"));
    let file =
        app.write("own.toml", "[prices]\n\"gpt-9*\" = { input = 1, output = 2, cached_input = 0.1 }\n");
    let own =
        app.quorate(&["run", TOPICS[0], "--model", "openai/gpt-99", "--config", &file, "--estimate"]).ok();
    assert!(!own.out.contains("price unknown") && !own.out.contains('$'), "in whatever currency: {own}");
    assert!(!app.db().exists(), "nothing is written");
}

#[test]
fn a_ceiling_can_be_set_for_a_model_whose_price_the_table_knows() {
    let app = App::new().with("OPENAI_API_KEY", "sk-estimate");
    let run = |model: &'static str| {
        ["run", TOPICS[0], "--model", model, "--budget-cost", "0.02", "--estimate", "--json"]
    };
    let estimate = json(&app.quorate(&run("openai/gpt-5-mini")).ok().out);
    let most = estimate["most"]["known_cost_micros"].as_u64().expect("it is known");
    assert!(most <= 20_000, "the budget ends the meeting: {most}");
    app.quorate(&run("openai/gpt-99")).fails(2, &["the price of openai/gpt-99 is not known"]);
}

#[test]
fn prices_are_listed_with_day_and_source_and_what_a_user_wrote_holds_instead() {
    let app = App::new();
    let all = app.quorate(&["prices"]).ok();
    assert!(all.out.contains("openai/gpt-5-mini  0.25 / 2  cached 0.025"), "{all}");
    assert!(all.out.contains("2026-11-12  https://developers.openai.com/api/docs/pricing"), "{all}");
    app.write("config.toml", "[prices]\n\"gpt-5-mini\" = { input = 3, output = 4 }\n");
    let app = app.with("QUORATE_CONFIG", "config.toml");
    let own = app.quorate(&["prices", "GPT-5-mini"]).ok();
    assert!(own.out.contains("gpt-5-mini (your own)  3 / 4"), "{own}");
    assert!(own.out.contains("your own price for gpt-5-mini holds instead"), "{own}");
    assert!(!own.out.contains("claude"), "{own}");
    let rows = json(&app.quorate(&["prices", "gpt-5-mini", "--json"]).ok().out);
    assert_eq!((&rows["items"][0]["input"], &rows["currency"]), (&3.0.into(), &"USD".into()));
    assert_eq!(rows["items"][1]["overridden_by"], "gpt-5-mini");
    assert!(app.quorate(&["prices", "nothing-like-it"]).ok().out.contains("unknown is not zero"));
}

#[test]
fn a_users_table_of_vendors_is_heard_and_a_slip_in_it_is_named() {
    let app = App::new();
    std::fs::create_dir_all(app.path("config/quorate")).expect("the home can be written");
    app.write("config/quorate/vendors.toml", "[[vendor]]\nname = 'openai'\nkey_env = ['MY_KEY']\n");
    app.quorate(&["prices"]).ok();
    app.write("config/quorate/vendors.toml", "[[vendor]]\nname = 'openai'\nkey_nev = ['MY_KEY']\n");
    app.quorate(&["prices"]).fails(2, &["vendors.toml", "key_nev", "docs/providers-data.md"]);
}
