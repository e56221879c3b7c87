//! Providers as people and scripts meet them: added, listed, tried out, removed; their keys sealed
//! anew; another model that answers where one does not.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::app::{App, Said, check_whole, of_type};
use crate::terminal_session::TerminalSession;
use crate::vendor::{Answer, Vendor, sensible};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";
const KEY: &str = "sk-planted-0123456789abcdef";

fn add(app: &App, name: &str, vendor: &Vendor, more: &[&str]) -> Said {
    let url = vendor.url("/v1");
    let args = ["providers", "add", name, "--base-url", &url, "--api-key-stdin"];
    app.quorate_reading(&[&args[..], more].concat(), KEY)
}

/// The row of one provider.
#[track_caller]
fn row(app: &App, name: &str) -> Value {
    let rows = app.quorate(&["providers", "list", "--json"]).ok().events();
    rows.into_iter().find(|row| row["provider"] == name).unwrap_or(Value::Null)
}

#[test]
fn a_provider_is_added_changed_listed_and_removed() {
    let (app, vendor) = (App::new(), Vendor::open());
    let more =
        ["--requests-per-minute", "60", "--header", "X-Team: planted-header-0123", "--timeout", "idle=30"];
    let added = add(&app, "lab", &vendor, &more).ok();
    assert!(added.err.contains("lab was stored"), "{added}");
    assert!(added.err.contains("quorate providers test lab"), "{added}");
    assert!(added.err.contains("--model lab/MODEL"), "{added}");
    let shown = row(&app, "lab");
    assert_eq!(
        shown,
        json!({
            "provider": "lab", "source": "stored", "vendor": null, "wire": "openai", "base_url": vendor.url("/v1"),
            "key": true, "requests_per_minute": 60, "headers": ["x-team"],
        })
    );
    let changes = ["providers", "add", "lab", "--requests-per-minute", "default", "--retries", "1"];
    let changed = app.quorate(&changes).ok();
    assert!(changed.err.contains("lab was changed: requests_per_minute, retries"), "{changed}");
    assert!(app.quorate(&changes).ok().err.contains("lab is unchanged"));
    assert_eq!(row(&app, "lab")["requests_per_minute"], Value::Null);
    let changed = app.quorate(&["providers", "add", "lab", "--concurrency", "3", "--json"]).ok().json();
    assert_eq!((&changed["changed"], &changed["concurrency"]), (&json!(["concurrency"]), &json!(3)));
    assert_eq!((&changed["retries"], &changed["timeouts"]), (&json!(1), &json!({ "idle_ms": 30000 })));

    app.quorate(&["run", TOPIC, "--model", "lab/talker", "-p", "1", "--rounds", "1", "--yes"]).ok();
    let heard = vendor.heard();
    assert!(heard.iter().all(|heard| heard.headers["x-team"] == "planted-header-0123"));
    assert_eq!(app.files_with("planted-header-0123"), Vec::<std::path::PathBuf>::new(), "it is sealed");

    let elsewhere = ["providers", "add", "lab", "--base-url", "http://localhost:1/v1"];
    app.quorate(&elsewhere).fails(2, &["belongs to another address"]);
    app.quorate_reading(&[&elsewhere[..], &["--api-key-stdin"]].concat(), KEY)
        .fails(2, &["belongs to another address"]);
    let without = [&elsewhere[..], &["--api-key-stdin", "--header", "X-Team:"]].concat();
    app.quorate_reading(&without, KEY).ok();
    let removed = app.quorate(&["providers", "remove", "lab"]).ok();
    assert!(removed.err.contains("forgotten: lab"), "{removed}");
    assert_eq!(row(&app, "lab"), Value::Null);
    app.quorate(&["providers", "remove", "lab"]).fails(1, &["no credential is stored for \"lab\""]);
}

#[test]
fn a_terminal_is_told_what_is_waited_for() {
    let app = App::new();
    // It takes connections and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/v1", silent.local_addr().expect("an address"));
    app.quorate(&["providers", "add", "lab", "--base-url", &url]).ok();
    let args = ["providers", "models", "lab"];
    let mut asked = TerminalSession::in_terminal(app.command(&args), &args);
    asked.notes_part("lab");
    asked.notes_part("2 s");
    asked.kill();
}

#[test]
fn the_name_of_a_preset_is_enough_and_a_slip_is_noticed() {
    let app = App::new();
    app.quorate_reading(&["providers", "add", "deepseek", "--api-key-stdin"], KEY).ok();
    let shown = row(&app, "deepseek");
    assert_eq!((&shown["vendor"], &shown["key"]), (&json!("deepseek"), &json!(true)));
    assert!(
        shown["base_url"].as_str().is_some_and(|url| url.starts_with("https://api.deepseek.com")),
        "{shown}"
    );
    let named = ["providers", "add", "work", "--vendor", "openai", "--api-key-stdin"];
    app.quorate_reading(&named, KEY).ok();
    assert_eq!(row(&app, "work")["base_url"], "https://api.openai.com/v1");
    app.quorate(&["providers", "add", "work", "--vendor", "deepseek"])
        .fails(2, &["belongs to another address"]);

    let fails = |args: &[&str], words: &[&str]| {
        let args = [&["providers", "add"], args].concat();
        app.quorate_reading(&args, KEY).fails(2, words);
    };
    fails(
        &["depseek", "--api-key-stdin"],
        &["the address of depseek is not known", "did you mean deepseek?"],
    );
    fails(&["lab", "--vendor", "opneai"], &["there is no vendor \"opneai\"", "did you mean openai?"]);
    fails(&["openai", "--wire", "telex"], &["--wire cannot be \"telex\"", "openai"]);
    fails(&["openai", "--structured", "yes"], &["--structured cannot be \"yes\"", "json_object"]);
    fails(&["openai", "--streaming", "yes"], &["--streaming cannot be \"yes\"", "auto"]);
    fails(&["openai", "--concurrency", "0"], &["concurrency must be 1 to 1024"]);
    fails(&["openai", "--retries", "99"], &["retries must be 0 to 10"]);
    fails(&["openai", "--timeout", "wait=3"], &["there is no timeout \"wait\"", "first-byte"]);
    fails(&["openai", "--header", "sk-planted"], &["a header has a name, a colon and a value"]);
    fails(&["openai", "--header", "Host: elsewhere"], &["header \"host\" cannot be sent"]);
    fails(&["openai", "--base-url", "ftp://h/v1", "--api-key-stdin"], &["http://"]);
    fails(&["glm"], &["there is no key for glm", "set ZHIPUAI_API_KEY"]);
    assert_eq!(row(&app, "openai"), Value::Null, "nothing of it was stored");

    let presets = app.quorate(&["providers", "list", "--presets"]).ok();
    assert!(presets.out.contains("OPENAI_API_KEY") && presets.out.contains("DEEPSEEK_API_KEY"), "{presets}");
    let rows = app.quorate(&["providers", "list", "--presets", "--json"]).ok().events();
    assert!(rows.iter().any(|row| row["vendor"] == "openai" && row["set"] == false), "{rows:?}");
}

#[test]
fn a_variable_of_a_vendor_makes_its_provider() {
    let app = App::new().with("DEEPSEEK_API_KEY", KEY).with("OPENAI_BASE_URL", "http://127.0.0.1:9/v1");
    let found = row(&app, "deepseek");
    assert_eq!(
        (&found["source"], &found["variable"], &found["key"]),
        (&json!("environment"), &json!("DEEPSEEK_API_KEY"), &json!(true))
    );
    assert_eq!(row(&app, "openai")["variable"], "OPENAI_BASE_URL");
    assert_eq!(row(&app, "glm"), Value::Null);
    let stored =
        app.quorate_reading(&["providers", "add", "deepseek", "--api-key-stdin"], "sk-other-0123456").ok();
    assert!(stored.err.contains("DEEPSEEK_API_KEY wins over what is stored"), "{stored}");
    assert!(
        app.quorate(&["providers", "remove", "deepseek"]).ok().err.contains("it can still be used: variable")
    );
    let list = app.quorate(&["providers", "list"]).ok();
    assert!(list.out.contains("variable DEEPSEEK_API_KEY") && !list.out.contains("sk-"), "{list}");
}

#[test]
fn a_table_of_a_file_needs_only_what_differs_from_the_preset() {
    let vendor = Vendor::open();
    let app = App::new().with("MY_KEY", KEY).with("OPENAI_BASE_URL", vendor.url("/v1"));
    let file = format!(
        "topic = '{TOPIC}'\nmodels = ['openai/talker', 'mine/talker']\n[providers.openai]\nkey_env = 'MY_KEY'\n\
        [providers.mine]\nvendor = 'openai'\nbase_url = '{}'\n",
        vendor.url("/v1")
    );
    app.write("meeting.toml", &file);
    app.quorate(&["run", "--config", "meeting.toml", "-p", "2", "--rounds", "1", "--yes"]).ok();
    let bearer = format!("Bearer {KEY}");
    let with: Vec<bool> = vendor.heard().iter().map(|heard| heard.key() == Some(&bearer)).collect();
    assert!(
        with.contains(&true) && with.contains(&false),
        "the address that was written got no key: {with:?}"
    );
    app.write("wrong.toml", "topic = 'A or B?'\n[providers.lab]\nconcurrency = 2\n");
    app.quorate(&["run", "--config", "wrong.toml", "--yes"])
        .fails(2, &["provider lab has no base_url", "openai"]);
    app.write("wrong.toml", "topic = 'A or B?'\n[providers.lab]\nbase_url = 'http://h/v1'\nkee_env = 'X'\n");
    app.quorate(&["run", "--config", "wrong.toml", "--yes"]).fails(2, &["wrong.toml:4:1", "kee_env"]);
}

#[test]
fn a_provider_that_nobody_knows_is_refused_before_the_meeting() {
    let vendor = Vendor::open();
    let app = App::new().with("OPENAI_API_KEY", KEY);
    let run = |app: &App, model: &str| app.quorate(&["run", TOPIC, "--model", model, "--yes", "-p", "1"]);
    run(&app, "opnai/gpt-5").fails(2, &["belongs to no configured provider", "did you mean openai?"]);
    run(&app, "nowhere/gpt-5").fails(2, &["belongs to no configured provider", "with one of ollama, openai"]);
    run(&app, "deepseek/deepseek-chat").fails(2, &["set DEEPSEEK_API_KEY", "providers add deepseek"]);
    assert!(app.quorate(&["list"]).ok().out.is_empty(), "no meeting was begun");
    // A server of one's own may call its models anything, but hardly almost as another provider.
    add(&app, "laboratory", &vendor, &[]).ok();
    let own = app.with("OPENAI_BASE_URL", vendor.url("/v1"));
    run(&own, "laboratry/talker").fails(2, &["did you mean laboratory?"]);
    run(&own, "anybody/talker").ok();
}

#[test]
fn the_models_of_a_provider_are_listed_with_their_prices() {
    let (app, vendor) = (App::new(), Vendor::open());
    add(&app, "lab", &vendor, &[]).ok();
    let config = app.write("config.toml", "[prices.'lab/talker']\ninput = 0.5\noutput = 2.0\n");
    let app = app.with("QUORATE_CONFIG", config);
    let listed = app.quorate(&["providers", "models", "lab"]).ok();
    assert_eq!(
        listed.lines(),
        ["lab/embed-small", "lab/talker  per million tokens: 0.5 in, 2 out", "lab/thinker"]
    );
    let rows = app.quorate(&["providers", "models", "lab", "TALK", "--json"]).ok().events();
    assert_eq!(
        rows,
        [
            json!({ "provider": "lab", "model": "talker", "price": { "input": 0.5, "output": 2.0 }, "can_chat": true })
        ]
    );
    app.quorate(&["providers", "models", "labb"])
        .fails(2, &["there is no provider \"labb\"", "did you mean lab?"]);
    vendor.goes_down();
    app.quorate(&["providers", "models", "lab"]).fails(1, &["lab could not be reached"]);
}

#[test]
fn a_test_is_of_the_first_model_that_the_account_may_use() {
    let vendor = Vendor::of(|heard| match (heard.model(), heard.purpose(), heard.body["stream"] == true) {
        ("talker", ..) => Answer::Refused(404, json!({ "error": { "message": "model talker not found" } })),
        (_, "ready", _) => Answer::Whole("{\"ready\":true}".to_owned()),
        (_, _, true) => Answer::Streamed("I am ready, willing and able.".to_owned()),
        _ => Answer::Whole("ready".to_owned()),
    });
    let app = App::new();
    add(&app, "lab", &vendor, &[]).ok();
    let tested = app.quorate(&["providers", "test", "lab", "--json"]).ok().json();
    assert_eq!((&tested["ok"], &tested["model"]), (&json!(true), &json!("thinker")), "{tested}");
    // A model that was named is the one that is judged.
    let named = app.quorate(&["providers", "test", "lab", "--model", "talker"]).ends(1);
    assert!(named.out.contains("✗ answer") && named.out.contains("talker"), "{named}");
}

#[test]
fn a_test_says_what_works_and_what_to_do_about_the_rest() {
    let vendor = Vendor::of(|heard| match (heard.model(), heard.purpose(), heard.body["stream"] == true) {
        ("poor", ..) => {
            Answer::Refused(402, json!({ "error": { "message": format!("no credit for {KEY}") } }))
        }
        ("loose", "ready", _) => Answer::Whole("Sure! I am ready.".to_owned()),
        (_, "ready", _) => Answer::Whole("{\"ready\":true}".to_owned()),
        (_, _, true) => Answer::Streamed("I am ready, willing and able.".to_owned()),
        _ => Answer::Whole("ready".to_owned()),
    });
    let app = App::new();
    add(&app, "lab", &vendor, &[]).ok();
    let tested = app.quorate(&["providers", "test", "lab"]).ok();
    let marks: Vec<char> = tested.lines().iter().filter_map(|line| line.chars().next()).collect();
    assert_eq!(marks, ['✓'; 4], "{tested}");
    for words in ["3 models", "“ready”", "pieces", "tokens in"] {
        assert!(tested.out.contains(words), "{words}: {tested}");
    }
    assert_eq!(vendor.heard()[0].model(), "talker", "the first that can talk");
    let tested = app.quorate(&["providers", "test", "lab", "--json"]).ok().json();
    assert_eq!((&tested["ok"], &tested["model"]), (&json!(true), &json!("talker")));
    assert!(tested["tried"][1]["usage"]["input_tokens"].is_u64(), "{tested}");

    let loose = app.quorate(&["providers", "test", "lab", "--model", "loose"]).ends(1);
    assert!(loose.out.contains("✗ structured output") && loose.out.contains("structured"), "{loose}");
    let asked = vendor.heard().len();
    let poor = app.quorate(&["providers", "test", "lab", "--model", "poor"]).ends(1);
    assert!(poor.out.contains("✗ answer") && poor.out.contains("add credit"), "{poor}");
    assert_eq!(vendor.heard().len(), asked + 1, "what cannot work is not tried twice");
    assert!(!poor.out.contains(KEY), "{poor}");
    vendor.goes_down();
    let gone = app.quorate(&["providers", "test", "lab"]).ends(1);
    assert!(gone.out.contains("✗ models") && gone.out.contains("is it running?"), "{gone}");
}

#[test]
fn keys_are_sealed_anew_and_a_kill_in_the_middle_loses_none() {
    let (app, vendor) = (App::new(), Vendor::open());
    assert!(app.quorate(&["providers", "rotate"]).code == Some(1), "there is no database yet");
    for name in ["lab", "other", "third"] {
        add(&app, name, &vendor, &[]).ok();
    }
    let key_file = app.path("data/quorate/quorate.db.key");
    let read = || std::fs::read(&key_file).expect("it is there");
    let before = read();
    let rotated = app.quorate(&["providers", "rotate", "--json"]).ok().json();
    assert_eq!(rotated, json!({ "resealed": ["lab", "other", "third"] }));
    assert_ne!(read(), before);
    for delay in 0..24u64 {
        let rotate = app.start(&["providers", "rotate"]);
        std::thread::sleep(std::time::Duration::from_micros(delay * 500));
        rotate.signal(Signal::KILL);
        rotate.end();
        let rows = app.quorate(&["providers", "list", "--json"]).ok().events();
        let keys = rows.iter().filter(|row| row["key"] == true).count();
        assert_eq!(keys, 3, "killed after {} ms: {rows:?}", delay as f64 / 2.0);
    }
    app.quorate(&["providers", "rotate"]).ok();
    app.quorate(&["providers", "test", "lab", "--model", "talker"]);
    let bearer = format!("Bearer {KEY}");
    assert!(!vendor.heard().is_empty() && vendor.heard().iter().all(|heard| heard.key() == Some(&bearer)));
}

#[test]
fn a_fallback_is_said_for_everybody_for_one_or_for_none() {
    let vendor = Vendor::open();
    let app = App::new();
    add(&app, "lab", &vendor, &[]).ok();
    let agent =
        ["agents", "create", "--name", "Dan", "--role", "R", "--description", "d", "--model", "lab/talker"];
    app.quorate(&[&agent[..], &["--fallback", "lab/thinker", "--effort", "low"]].concat()).ok();
    let shown = app.quorate(&["agents", "show", "Dan", "--json"]).ok().json();
    assert_eq!(shown["runner"]["fallback"]["model"], "thinker");
    assert_eq!(shown["runner"]["parameters"]["effort"], "low");
    assert!(app.quorate(&["agents", "show", "Dan"]).ok().out.contains("fallback: lab/thinker"));
    app.quorate(&["agents", "update", "Dan", "--effort", "default", "--temperature", "0.3"]).ok();
    let shown = app.quorate(&["agents", "show", "Dan", "--json"]).ok().json();
    assert_eq!(shown["runner"]["fallback"]["parameters"], json!({ "temperature": 0.3 }), "it samples alike");
    app.write(
        "meeting.toml",
        &format!(
            "topic = '{TOPIC}'\nmodels = ['lab/talker']\n[facilitator]\nfallback = 'none'\n\
             [[participants]]\nname = 'Ada'\n[[participants]]\nname = 'Ben'\nfallback = 'none'\n\
             [[participants]]\nname = 'Cid'\nfallback = 'lab/other'\nparameters = {{ effort = 'high' }}\n\
             [[participants]]\nagent = 'Dan'\n[[participants]]\nname = 'Eve'\nmodel = 'lab/thinker'\n"
        ),
    );
    let args =
        ["run", "--config", "meeting.toml", "--fallback", "lab/thinker", "--rounds", "1", "--yes", "--json"];
    let run = app.quorate(&args).ok();
    check_whole(&run.out);
    let events = run.events();
    let fallbacks: Vec<Value> = of_type(&events, "participant_joined")
        .iter()
        .map(|event| event["payload"]["participant"]["runner"]["fallback"]["model"].clone())
        .collect();
    assert_eq!(fallbacks, [json!("thinker"), Value::Null, json!("other"), json!("thinker"), Value::Null]);
    assert_eq!(events[0]["payload"]["facilitator"]["runner"]["fallback"], Value::Null);
    for (fallback, words) in [
        ("thinker", "belongs to no configured provider"),
        ("nowhere/x", "belongs to no configured provider"),
        ("process/x", "no process"),
    ] {
        app.quorate(&["run", TOPIC, "--model", "lab/talker", "--fallback", fallback]).fails(2, &[words]);
    }
    app.quorate(&["agents", "update", "Dan", "--fallback", "thinker"])
        .fails(2, &["does not say whose model"]);
    app.quorate(&["agents", "update", "Dan", "--fallback", "none"]).ok();
    let shown = app.quorate(&["agents", "show", "Dan", "--json"]).ok().json();
    assert_eq!(shown["runner"]["fallback"], Value::Null);
}

#[test]
fn requests_that_are_sent_again_are_shown_and_counted() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let asked = AtomicUsize::new(0);
    let vendor = Vendor::of(move |heard| match asked.fetch_add(1, Ordering::Relaxed) {
        0 => Answer::Refused(429, json!({ "error": { "message": "too much to do" } })),
        _ => Answer::Whole(sensible(heard)),
    });
    let app = App::new();
    app.write("meeting.toml", &format!(
        "topic = '{TOPIC}'\nmodels = ['lab/talker']\n[providers.lab]\nbase_url = '{}'\ntimeouts = {{ backoff_ms = 5 }}\n",
        vendor.url("/v1")));
    let args = ["run", "--config", "meeting.toml", "-p", "1", "--rounds", "1", "--yes"];
    for lang in ["en", "zh"] {
        let mut command = app.command(&args);
        command.stdin(std::process::Stdio::null()).env("QUORATE_LANG", lang);
        let run = TerminalSession::of(command, &args).end().ok();
        if lang == "en" {
            assert!(run.err.contains("↻ ") && run.err.contains("lab answered 429"), "{run}");
            assert!(run.err.contains("asks again") && run.err.contains("(2)"), "{run}");
            assert!(run.err.contains("1 sent again"), "{run}");
            let shown = app.quorate(&["show", "last"]).ok();
            assert!(shown.err.contains("Calls: ") && shown.err.contains("1 sent again"), "{shown}");
            let row = app.quorate(&["list", "--json"]).ok().events();
            assert_eq!(row[0]["calls"]["retries"], 1, "{row:?}");
            assert_eq!(row[0]["calls"]["cached_tokens"], 0, "{row:?}");
        }
    }
}

#[test]
fn the_doctor_tells_of_a_stored_provider_that_fails() {
    let app = App::new();
    app.quorate(&["providers", "add", "lab", "--base-url", "http://127.0.0.1:9/v1"]).ok();
    let doctor = app.quorate(&["doctor"]).ends(1);
    for line in ["✗ provider lab (http://127.0.0.1:9/v1)", "✗ models: no provider that is configured works"]
    {
        assert!(doctor.out.contains(line), "{doctor}");
    }
    assert!(
        !doctor.out.contains("[providers.") && !doctor.out.contains("simulated participants hold"),
        "{doctor}"
    );
}

#[test]
fn seats_go_round_all_providers_when_no_model_is_named() {
    let (one, other) = (Vendor::open(), Vendor::open());
    let app = App::new();
    for (name, vendor) in [("east", &one), ("west", &other)] {
        add(&app, name, vendor, &[]).ok();
    }
    app.quorate(&["providers", "add", "gone", "--base-url", "http://127.0.0.1:9/v1"]).ok();
    let run = app.quorate(&["run", TOPIC, "--format", "discussion", "--rounds", "1", "--yes"]).ok();
    assert!(one.heard().len() > 1 && other.heard().len() > 1, "{run}");
    for words in ["No model was named", "seats east/talker", "seats west/talker", "left out: gone"] {
        assert!(run.err.contains(words), "{run}");
    }
}
