//! Meetings of models behind an OpenAI-compatible server: how they are found, what they are sent, and
//! what happens when the server does not do its part.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::app::{App, Said, check_whole, of_type};
use crate::terminal_session::TerminalSession;
use crate::vendor::{Answer, Heard, Vendor, sensible, vote};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";
const KEY: &str = "sk-planted-0123456789abcdef";

fn at(vendor: &Vendor, path: &str) -> App {
    App::new().with("OPENAI_BASE_URL", vendor.url(path))
}

/// Two participants, as short as a meeting gets.
fn short(app: &App, more: &[&str]) -> Said {
    let seats: &[&str] = if more.contains(&"--participants") { &[] } else { &["--participants", "Ada,Ben"] };
    app.quorate(&[&["run", TOPIC, "--rounds", "1", "--yes", "--json"], seats, more].concat())
}

#[track_caller]
fn outcome(run: &Said) -> Value {
    check_whole(&run.out);
    run.events().last().expect("an event")["payload"].clone()
}

#[test]
fn the_address_may_be_written_in_any_way() {
    for path in ["", "/", "/v1", "/v1/"] {
        let vendor = Vendor::open();
        let app = at(&vendor, path);
        assert_eq!(outcome(&short(&app, &[]).ok())["outcome"], "accepted", "found by itself at {path:?}");
        assert!(vendor.heard().iter().all(|heard| heard.model() == "talker"), "the first that can talk");

        let named = app.with("OPENAI_MODEL", "thinker");
        let before = vendor.heard().len();
        assert_eq!(
            outcome(&short(&named, &[]).ok())["outcome"],
            "accepted",
            "named in the environment, {path:?}"
        );
        assert!(vendor.heard()[before..].iter().all(|heard| heard.model() == "thinker"));

        let before = vendor.heard().len();
        assert_eq!(
            outcome(&short(&named, &["--model", "openai/other"]).ok())["outcome"],
            "accepted",
            "{path:?}"
        );
        assert!(vendor.heard()[before..].iter().all(|heard| heard.model() == "other"));
    }
}

#[test]
fn a_meeting_is_resumed_where_its_models_are() {
    for path in ["", "/v1/"] {
        let vendor = Vendor::of(|heard| match heard.purpose() {
            "prose" => Answer::Thinking(Box::new(Answer::Whole(sensible(heard)))),
            _ => Answer::Whole(sensible(heard)),
        });
        let app = at(&vendor, path);
        let mut run = app.start(&["run", TOPIC, "-p", "2", "--rounds", "1", "--yes", "--json"]);
        run.hears_that("the first turn", |event| event["payload"]["task"] == "speak:r1t1");
        run.signal(rustix::process::Signal::TERM);
        let paused = run.end().ends(3);
        vendor.goes_on();
        let resumed = app.quorate(&["resume", "last", "--json", "--yes"]).ok();
        let log = app.quorate(&["replay", "last", "--json"]).ok();
        assert_eq!(paused.out + &resumed.out, log.out);
        assert_eq!(outcome(&log)["outcome"], "accepted");

        let elsewhere = App::new();
        let db = app.db();
        let db = db.to_str().expect("a plain path");
        let fork = app.quorate(&["fork", "last", "--at", "8"]).ok();
        let args = ["resume", fork.out.trim(), "--yes", "--db", db];
        elsewhere
            .quorate(&args)
            .fails(2, &["provider openai, which is not configured here", "OPENAI_BASE_URL"]);
    }
}

#[test]
fn a_key_is_sent_only_where_one_is_set() {
    let vendor = Vendor::open();
    let without = at(&vendor, "/v1");
    short(&without, &[]).ok();
    assert!(vendor.heard().iter().all(|heard| heard.key().is_none()));
    let before = vendor.heard().len();
    short(&without.with("OPENAI_API_KEY", format!(" {KEY}\n")), &[]).ok();
    let bearer = format!("Bearer {KEY}");
    assert!(vendor.heard()[before..].iter().all(|heard| heard.key() == Some(&bearer)));
}

#[test]
fn several_models_sit_in_turn() {
    let vendor = Vendor::open();
    let app = at(&vendor, "/v1");
    let args = ["--model", "openai/one", "--model", "openai/org/two:7b", "--participants", "3"];
    let run = short(&app, &args).ok();
    let events = run.events();
    let seats: Vec<&str> = of_type(&events, "participant_joined")
        .iter()
        .filter_map(|event| event["payload"]["participant"]["runner"]["model"].as_str())
        .collect();
    assert_eq!(seats, ["one", "org/two:7b", "one"]);
    let asked = |purpose: &str| {
        let mut counts = BTreeMap::new();
        for heard in vendor.heard().iter().filter(|heard| heard.purpose() == purpose) {
            *counts.entry(heard.model().to_owned()).or_insert(0) += 1;
        }
        counts
    };
    let two_to_one = BTreeMap::from([("one".to_owned(), 2), ("org/two:7b".to_owned(), 1)]);
    assert_eq!(asked("position"), two_to_one);
    assert_eq!(asked("vote"), two_to_one);
    app.quorate(&["run", TOPIC, "--model", "nowhere/one", "--yes", "--participants", "1", "--rounds", "1"])
        .ok();
    assert_eq!(vendor.heard().last().expect("a request").model(), "nowhere/one", "a name may hold slashes");
    App::new()
        .quorate(&["run", TOPIC, "--model", "nowhere/one", "--yes"])
        .fails(2, &["\"nowhere/one\" belongs to no configured provider", "PROVIDER/NAME"]);
}

#[test]
fn two_vendors_at_one_table_see_only_their_own_keys() {
    let (north, south) = (Vendor::open(), Vendor::of(|heard| Answer::Streamed(sensible(heard))));
    let app = App::new().with("NORTH_KEY", "sk-north-0123456789");
    let key_file = app.write("south.key", "sk-south-0123456789\n");
    let file = app.write(
        "meeting.toml",
        &format!(
            r#"
topic = "{TOPIC}"
[providers.north]
base_url = "{}"
key_env = "NORTH_KEY"
[providers.south]
base_url = "{}"
key_file = "{key_file}"
[[participants]]
name = "Ada"
model = "north/talker"
[[participants]]
name = "Ben"
model = "south/talker"
[[participants]]
name = "Cid"
temperament = "balanced"
[facilitator]
model = "south/thinker"
[rules.limits]
max_rounds = 2
"#,
            north.url("/v1"),
            south.url("/v1/")
        ),
    );
    let run = app.quorate(&["run", "--config", &file, "--yes", "--json"]).ok();
    outcome(&run);
    for (vendor, key) in [(&north, "Bearer sk-north-0123456789"), (&south, "Bearer sk-south-0123456789")] {
        assert!(vendor.heard().len() >= 3, "blind, a round, a vote");
        assert!(vendor.heard().iter().all(|heard| heard.key() == Some(key)));
    }
    assert!(north.heard().iter().all(|heard| heard.purpose() != "summary"), "south facilitates");
    assert!(south.heard().iter().any(|heard| heard.purpose() == "summary" && heard.model() == "thinker"));
    for (place, key) in [("north", "sk-north-0123456789"), ("south", "sk-south-0123456789")] {
        let found = app.files_with(key);
        let only_the_key_file = found.iter().all(|path| path.ends_with("south.key"));
        assert!(only_the_key_file, "the key of {place} lies in {found:?}");
        assert!(!run.out.contains(key) && !run.err.contains(key));
    }
}

#[test]
fn a_vendor_that_goes_down_is_a_pause_and_its_return_the_end_of_it() {
    let vendor = Vendor::of(|heard| match heard.purpose() {
        "prose" => Answer::Thinking(Box::new(Answer::Whole(sensible(heard)))),
        _ => Answer::Whole(sensible(heard)),
    });
    let app = App::new();
    let file = app.write(
        "meeting.toml",
        &format!(
            "topic = '{TOPIC}'\nmodels = ['lab/talker']\n[rules.limits]\nprovider_wait_ms = 0\n\
             [providers.lab]\nbase_url = '{}'\nretries = 1\n\
             [providers.lab.timeouts]\nbackoff_ms = 5\n",
            vendor.url("/v1")
        ),
    );
    let mut run = app.start(&["run", "--config", &file, "--yes", "--json", "-p", "3", "--rounds", "2"]);
    run.hears_that("the first turn", |event| event["payload"]["task"] == "speak:r1t1");
    vendor.is_asked_for("prose");
    vendor.goes_down();
    let paused = run.end().ends(3).says(&["to continue: quorate resume "]);
    let events = paused.events();
    let pause = &events.last().expect("an event")["payload"];
    assert_eq!(pause["pause_reason"], "nobody_answered");
    assert_eq!(pause["suggested_next"], "check_providers_then_resume");
    let failed = of_type(&events, "turn_failed");
    assert_eq!(failed.len(), 6, "the turns were offered once more before the meeting rests");
    for failure in failed {
        assert_eq!(failure["payload"]["hint"]["code"], "remedy-is-it-running", "{failure}");
    }

    // The printed command can be typed as it is, and `show` tells the state of the meeting.
    assert!(paused.err.contains(&format!(" --config {file}")), "{paused}");
    let shown = app.quorate(&["show", "last"]).ok();
    assert!(shown.err.contains("the meeting is paused: no participant gave an answer or a vote"), "{shown}");
    let still_down = app.quorate(&["resume", "last", "--config", &file, "--yes"]).ends(3);
    assert!(still_down.err.contains(&format!(" --config {file}")), "{still_down}");
    assert!(still_down.err.contains("no participant gave an answer or a vote"), "{still_down}");

    vendor.comes_back();
    let resumed = app.quorate(&["resume", "last", "--config", &file, "--yes", "--json"]).ok();
    let log = app.quorate(&["replay", "last", "--json"]).ok();
    assert!(log.out.starts_with(&paused.out) && log.out.ends_with(&resumed.out));
    assert_eq!(outcome(&log)["outcome"], "accepted");
    app.quorate(&["verify"]).ok();
}

#[test]
fn a_meeting_outlives_an_outage_of_its_vendor_and_loses_no_turn() {
    let vendor = Vendor::of(|heard| match heard.purpose() {
        "prose" => Answer::Thinking(Box::new(Answer::Whole(sensible(heard)))),
        _ => Answer::Whole(sensible(heard)),
    });
    let app = App::new();
    let file = app.write(
        "meeting.toml",
        &format!(
            "topic = '{TOPIC}'\nmodels = ['lab/talker']\n[providers.lab]\nbase_url = '{}'\nretries = 1\n\
             [providers.lab.timeouts]\nbackoff_ms = 5\n",
            vendor.url("/v1")
        ),
    );
    let mut run = app.start(&["run", "--config", &file, "--yes", "--json", "-p", "3", "--rounds", "2"]);
    run.hears_that("the first turn", |event| event["payload"]["task"] == "speak:r1t1");
    vendor.is_asked_for("prose");
    vendor.goes_down();
    run.hears_that("a second try that fails", |event| {
        event["type"] == "provider_wait_started" && event["payload"]["tries"] == 2
    });
    let shown = app.quorate(&["show", "last"]).ok();
    assert!(shown.err.contains("waiting for lab, next try at "), "{shown}");
    vendor.comes_back();
    let ended = run.end().ok();
    let events = ended.events();
    let waits = of_type(&events, "provider_wait_started");
    assert_eq!(waits[0]["payload"]["waiting_for"], json!(["lab"]));
    assert_eq!(of_type(&events, "provider_wait_ended")[0]["payload"]["reason"], "reachable");
    assert!(of_type(&events, "pause").is_empty() && of_type(&events, "turn_failed").is_empty());
    assert_eq!(outcome(&ended)["outcome"], "accepted");
    app.quorate(&["verify"]).ok();
}

#[test]
fn a_refused_key_is_said_at_once_with_the_variable_to_mend() {
    let vendor = Vendor::of(|heard| {
        let echo = format!("Incorrect API key provided: {}", heard.key().unwrap_or("none"));
        Answer::Refused(401, json!({ "error": { "message": echo, "code": "invalid_api_key" } }))
    });
    let app = at(&vendor, "/v1").with("OPENAI_API_KEY", KEY);
    let run = app.quorate(&["run", TOPIC, "--yes", "--participants", "2"]).ends(3);
    assert!(run.err.contains("OPENAI_API_KEY"), "the variable is named: {run}");
    assert!(run.err.contains("no participant gave an answer or a vote"), "{run}");
    assert_eq!(vendor.heard().len(), 4, "one question for each turn; the table's turns are offered twice");
    nowhere(&app, &[run]);
}

/// The planted key is in nothing that was said or written.
#[track_caller]
fn nowhere(app: &App, said: &[Said]) {
    for said in said {
        assert!(!said.out.contains(KEY) && !said.err.contains(KEY), "the key was said: {said}");
    }
    assert_eq!(app.files_with(KEY), Vec::<std::path::PathBuf>::new(), "the key was written");
}

#[test]
fn a_key_is_nowhere_but_on_the_wire() {
    // An echo of it in an error, a web page, and a log at its most talkative.
    let vendor = Vendor::of(|heard| match (heard.purpose(), heard.model()) {
        (_, "broken") => Answer::Refused(
            500,
            json!({ "error": { "message": format!("crashed with headers {:?}", heard.headers) } }),
        ),
        _ => Answer::Whole(sensible(heard)),
    });
    let app = at(&vendor, "/v1").with("OPENAI_API_KEY", KEY).with("QUORATE_LOG", "trace");
    let file = app.write("fast.toml", &format!(
        "models = ['lab/talker', 'lab/broken']\n[providers.lab]\nbase_url = '{}'\nkey_env = 'OPENAI_API_KEY'\nretries = 1\n\
         [providers.lab.timeouts]\nbackoff_ms = 5\n", vendor.url("/v1")));
    let exported = app.path("out.json");
    let exported = exported.to_str().expect("a plain path");
    let said = [
        app.quorate(&["run", TOPIC, "--config", &file, "--yes", "-p", "2", "--rounds", "1", "--json"]).ok(),
        app.quorate(&["run", TOPIC, "--config", &file, "--yes", "-p", "2", "--rounds", "1"]).ok(),
        app.quorate(&["export", "last"]).ok(),
        app.quorate(&["export", "last", "--format", "json", "--out", exported]).ok(),
        app.quorate(&["show", "last", "--json"]).ok(),
        app.quorate(&["replay", "last"]).ok(),
        app.quorate(&["doctor", "--config", &file, "--probe"]),
        app.quorate(&["doctor", "--config", &file, "--json"]),
    ];
    let bearer = format!("Bearer {KEY}");
    assert!(vendor.heard().iter().all(|heard| heard.key() == Some(&bearer)), "it was on the wire");
    assert!(
        said[0].out.contains("crashed with headers"),
        "the vendor's words are in the record: {}",
        said[0]
    );
    nowhere(&app, &said);
    assert!(app.db().with_extension("db-wal").exists() || app.db().exists());
}

#[test]
fn a_budget_of_tokens_is_never_passed() {
    let vendor = Vendor::of(|heard| match heard.purpose() {
        "vote" => Answer::Whole(vote(40)),
        _ => Answer::Whole(sensible(heard)),
    });
    let app = at(&vendor, "/v1");
    // The smallest has no room for any call, which is said before the meeting.
    let none = ["run", TOPIC, "-p", "3", "--budget-tokens", "3000", "--yes", "--json"];
    app.quorate(&none).fails(2, &["no room for the first answer", "raise the budget to at least"]);
    for budget in [12_000u64, 20_000] {
        let before = vendor.heard().len();
        let text = budget.to_string();
        let args = ["run", TOPIC, "-p", "3", "--budget-tokens", &text, "--yes", "--json"];
        let run = app.quorate(&args).ok();
        let finished = outcome(&run);
        assert_eq!(
            (&finished["outcome"], &finished["reason"]),
            (&json!("aborted"), &json!("budget")),
            "{budget}"
        );
        assert_eq!(finished["budget"], "tokens");
        let spent = |usage: &Value| {
            usage["input_tokens"].as_u64().unwrap_or(0) + usage["output_tokens"].as_u64().unwrap_or(0)
        };
        assert!(spent(&finished["usage"]) <= budget, "{} of {budget}", spent(&finished["usage"]));
        let events = run.events();
        let billed: u64 = of_type(&events, "call_ended").iter().map(|e| spent(&e["payload"]["usage"])).sum();
        assert_eq!(billed, spent(&finished["usage"]), "the sum of all calls");
        assert_eq!(
            of_type(&events, "call_started").len(),
            vendor.heard().len() - before,
            "each call is in the log"
        );
        assert_eq!(of_type(&events, "conclusion_written").len(), 1, "there is a conclusion all the same");
    }
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_once_more() {
    let vendor = Vendor::of(|heard| {
        let again = heard.messages().iter().rev().any(|message| message["content"] == "I would rather sing.");
        match (heard.purpose(), again) {
            ("position" | "vote", false) => Answer::Whole("I would rather sing.".to_owned()),
            _ => Answer::Whole(sensible(heard)),
        }
    });
    let run = short(&at(&vendor, "/v1"), &[]).ok();
    assert_eq!(outcome(&run)["outcome"], "accepted");
    assert_eq!(of_type(&run.events(), "answer_malformed").len(), 4, "two positions and two votes");
}

#[test]
fn what_is_streamed_and_what_comes_whole_are_the_same_meeting() {
    let words = |run: &Said| -> Vec<String> {
        let events = run.events();
        of_type(&events, "agent_message").iter().map(|e| e["payload"]["message"].to_string()).collect()
    };
    let whole = Vendor::open();
    let streamed = Vendor::of(|heard| Answer::Streamed(sensible(heard)));
    // One participant, for those who are asked at once are heard as they answer.
    let args = ["--participants", "Ada"];
    let [whole, streamed] = [whole, streamed].map(|vendor| short(&at(&vendor, "/v1"), &args).ok());
    assert_eq!(outcome(&whole)["usage"], outcome(&streamed)["usage"]);
    assert_eq!(words(&whole), words(&streamed));
}

#[test]
fn a_terminal_shows_words_while_they_are_written_and_nothing_that_could_command_it() {
    let vendor = Vendor::of(|heard| {
        let words = sensible(heard);
        Answer::Streamed(match heard.purpose() {
            "prose" => words.replace("one file", "one \u{1b}]0;owned\u{7}\u{1b}[2Jfile"),
            _ => words,
        })
    });
    let app = at(&vendor, "/v1");
    let args = ["run", TOPIC, "-p", "2", "--rounds", "1", "--yes"];
    let mut command = app.command(&args);
    command.stdin(std::process::Stdio::null()).env("TERM", "xterm-256color");
    let run = TerminalSession::in_terminal(command, &args).end().ok();
    assert!(vendor.heard().iter().all(|heard| heard.body["stream"] == true), "pieces were asked for");
    assert!(run.err.contains("\u{1b}[1m"), "{run}");
    assert!(crate::terminal::on_screen(&run).contains("IholdthatSQLiteisenough"), "{run}");
    assert!(!run.err.contains("\u{1b}]0;") && !run.err.contains('\u{7}'), "no title was set: {:?}", run.err);
    assert!(!run.err.contains("\u{1b}[2J"), "the screen was not wiped: {:?}", run.err);
    assert!(!run.err.contains("\"confidence\""), "the closing JSON is not for people: {run}");
}

/// The requests of one reader, in the order in which they came.
fn by_reader(heard: &[Heard]) -> BTreeMap<String, Vec<&Heard>> {
    let mut readers: BTreeMap<String, Vec<&Heard>> = BTreeMap::new();
    for request in heard {
        readers.entry(request.messages()[0]["content"].to_string()).or_default().push(request);
    }
    readers
}

#[test]
fn what_is_read_grows_at_its_end() {
    // Three ballots fail, so that the meeting grows.
    let vendor = Vendor::of(|heard| match heard.purpose() {
        "vote" => Answer::Whole(vote(60)),
        _ => Answer::Whole(sensible(heard)),
    });
    let app = at(&vendor, "/v1");
    let run = app.quorate(&["run", TOPIC, "-p", "4", "--rounds", "3", "--yes", "--json"]).ok();
    assert_eq!(outcome(&run)["reason"], "round_limit");
    let heard = vendor.heard();
    for request in &heard {
        let roles: Vec<&str> =
            request.messages().iter().filter_map(|message| message["role"].as_str()).collect();
        assert_eq!(roles[..2], ["system", "user"], "first the instruction, then the topic");
        assert_eq!(*roles.last().expect("a message"), "user", "the task is last");
        assert!(roles.windows(2).all(|pair| pair[0] != pair[1]), "roles alternate: {roles:?}");
        assert!(request.messages().iter().all(|message| message["content"] != ""));
    }
    let readers = by_reader(&heard);
    assert_eq!(readers.len(), 5, "four participants and the facilitator");
    let (mut shared, mut earlier, mut whole) = (0, 0, 0);
    for requests in readers.values() {
        for pair in requests.windows(2) {
            let [before, after] = [pair[0], pair[1]].map(|request| request.body["messages"].to_string());
            let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
            (shared, earlier, whole) = (shared + same, earlier + before.len(), whole + after.len());
        }
    }
    let ratio = shared as f64 / whole as f64;
    eprintln!(
        "{} calls; of what is read {:.0} % was read before, of what was read {:.0} % is read again",
        heard.len(),
        ratio * 100.0,
        shared as f64 / earlier as f64 * 100.0
    );
    assert!(ratio > 0.5, "a cache can take only {:.0} % of what is read", ratio * 100.0);
}
