//! Meeting files: every field is heard, and what is wrong is named with its line and column.

use crate::app::{App, check_whole, of_type};
use crate::vendor::Vendor;

fn whole_file(vendor: &Vendor) -> String {
    format!(
        r#"topic = "Should our service use SQLite or PostgreSQL?"
background = "One team, 40 GB, one writer."
format = "consensus"
lang = "en"
seed = 7
simulate = false
models = ["lab/talker"]

[[participants]]
name = "Ada Long"
role = {{ name = "Keeper", description = "Looks after the data.", system_prompt = "Speak of backups." }}
model = "lab/thinker"
parameters = {{ temperature = 0.2, top_p = 0.9, max_tokens = 700 }}

[[participants]]
name = "本"
temperament = "stubborn"

[[participants]]
name = "Cid"

[facilitator]
enabled = true
model = "lab/writer"
system_prompt = "Be brief."
parameters = {{ temperature = 0.0 }}

[rules.turns]
mode = "serial_turn"
order = "sequential"
blind_round = true
cross_reply_targets = 1
max_message_chars = 900
[rules.context]
recent_messages = 8
summary_max_chars = 600
[rules.decision]
mean_score = 60
quorum = 0.5
on_steering = "queue"
[rules.limits]
max_rounds = 2
tokens = 900000

[providers.lab]
base_url = "{}"
concurrency = 2
retries = 0
structured = "json_schema"
streaming = "on"
timeouts = {{ total_ms = 20000, backoff_ms = 1 }}
extra_headers = {{ x-team = "founders" }}

[prices]
"lab/thinker" = {{ input = 1.0, output = 2.0 }}
talker = {{ input = 0.5, output = 0.5 }}
"lab/writer" = {{ input = 0.1, output = 0.1 }}
"#,
        vendor.url("/v1")
    )
}

#[test]
fn every_field_of_a_meeting_file_is_heard() {
    let (app, vendor) = (App::new(), Vendor::open());
    let file = app.write("meeting.toml", &whole_file(&vendor));
    let run = app.quorate(&["run", "--config", &file, "--yes", "--json", "--budget-cost", "5"]).ok();
    check_whole(&run.out);
    let events = run.events();
    let created = &events[0]["payload"];
    assert_eq!(created["background"], "One team, 40 GB, one writer.");
    assert_eq!((&created["seed"], &created["language"]), (&7.into(), &"en".into()));
    let rules = &created["rules"];
    assert_eq!(rules["turns"]["mode"], "serial_turn");
    assert_eq!(rules["decision"]["on_steering"], "queue");
    assert_eq!(rules["limits"]["cost_micros"], 5_000_000);
    assert_eq!(rules["limits"]["answer_tokens"], 1500, "what the file leaves out is the format's");
    let seats: Vec<_> =
        of_type(&events, "participant_joined").iter().map(|e| e["payload"]["participant"].clone()).collect();
    assert_eq!(seats[0]["role"]["name"], "Keeper");
    assert_eq!(seats[1]["runner"]["temperament"], "stubborn");
    assert_eq!((&seats[2]["name"], &seats[2]["runner"]["model"]), (&"Cid".into(), &"talker".into()));

    let heard = vendor.heard();
    assert!(heard.iter().all(|heard| heard.headers["x-team"] == "founders"));
    let ada = heard.iter().find(|heard| heard.model() == "thinker").expect("Ada was asked");
    assert!(ada.words().contains("Speak of backups.") && ada.words().contains("One team, 40 GB"));
    assert_eq!((&ada.body["temperature"], &ada.body["max_tokens"]), (&0.2.into(), &700.into()));
    let writer = heard.iter().find(|heard| heard.model() == "writer").expect("the facilitator was asked");
    assert!(writer.words().contains("Be brief."));
    let cost = events.last().expect("an event")["payload"]["cost_micros"].as_u64().expect("prices are known");
    assert!(cost > 0 && cost <= 5_000_000, "{cost} millionths");
}

#[test]
fn the_command_line_wins_over_the_file() {
    let (app, vendor) = (App::new(), Vendor::open());
    let file = app.write("meeting.toml", &whole_file(&vendor));
    let args =
        ["run", "别的主题", "--config", &file, "--simulate", "-p", "2", "--rounds", "1", "--seed", "9"];
    let more =
        ["--threshold", "10", "--lang", "zh", "--no-facilitator", "--background", "无", "--yes", "--json"];
    let run = app.quorate(&[&args[..], &more].concat()).ok();
    let events = run.events();
    let created = &events[0]["payload"];
    assert_eq!((&created["topic"], &created["background"]), (&"别的主题".into(), &"无".into()));
    assert_eq!((&created["seed"], &created["language"]), (&9.into(), &"zh".into()));
    assert_eq!(created["facilitator"], serde_json::Value::Null);
    assert_eq!(created["rules"]["limits"]["max_rounds"], 1);
    assert_eq!(created["rules"]["decision"]["mean_score"], 10);
    assert_eq!(of_type(&events, "participant_joined").len(), 2);
    assert!(vendor.heard().is_empty(), "a simulation asks nobody");
}

/// Runs a meeting of this file, and expects it to be refused there.
#[track_caller]
fn refused(text: &str, place: &str, words: &[&str]) {
    let app = App::new();
    app.write("meeting.toml", text);
    let run = app.quorate(&["run", "--config", "meeting.toml", "--simulate", "--yes"]);
    run.fails(2, &[&[format!("error: meeting.toml{place}: ").as_str()], words].concat());
    assert!(!app.db().exists(), "nothing was begun");
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_its_line_and_column() {
    refused("topic = 'A or B'\n\nbackgroud = 'x'\n", ":3:1", &["unknown field `backgroud`", "background"]);
    refused("topic = 'A or B'\n[rules.limit]\nmax_rounds = 1\n", ":2:8", &["unknown field `limit`"]);
    refused("topic = 'A'\n[rules.limits]\nmax_round = 3\n", ":3:1", &["unknown field `max_round`"]);
    refused("topic = 'A'\n[[participants]]\nnam = 'Ada'\n", ":3:1", &["unknown field `nam`"]);
    refused("topic = 'A'\nseed = 'seven'\n", ":2:8", &["invalid type: string"]);
    refused("topic = 'A'\n  [rules.limits]\n  max_rounds = \"3\"\n", ":3:16", &["invalid type: string"]);
    refused("topic = 'A'\nlang = 'fr'\n", ":2:8", &["unknown variant `fr`"]);
    refused("topic = 'A\n", ":1:11", &[]);
    refused("topic = 'A'\n[prices]\nx = { input = 1 }\n", ":3:5", &["missing field `output`"]);
    refused(
        "topic = 'A'\n[providers.lab]\nbase_url = 'http://x/v1'\nkey = 'sk'\n",
        ":4:1",
        &["unknown field `key`"],
    );
}

#[test]
fn what_only_shows_when_all_is_together_is_found_in_the_file_too() {
    refused(
        "topic = 'A'\n[rules.limits]\nmax_rounds = 0\n",
        ":3:1",
        &["limits.max_rounds: 0", "from 1 to 1000"],
    );
    refused("topic = 'A'\n# 注释\n[rules]\ndecision.quorum = 1.5\n", ":4:10", &["decision.quorum: 1.5"]);
    refused(&format!("topic = '{}'\n", "字".repeat(201)), ":1:1", &["has 201 characters", "shorten"]);
    let two = "topic = 'A'\n[[participants]]\nname = 'Ada'\n[[participants]]\nname = '@Ben'\n";
    refused(two, ":5:1", &["cannot be called by @name"]);
    let role = "topic = 'A'\n[[participants]]\nname = 'Ada'\nrole = { name = 'X', description = '' }\n";
    refused(role, ":4:22", &["participants[0].role.description: is empty"]);
}

#[test]
fn a_budget_of_money_needs_prices() {
    let (app, vendor) = (App::new(), Vendor::open());
    let app = app.with("OPENAI_BASE_URL", vendor.url("/v1"));
    let begin = ["run", "A or B?", "-p", "2", "--rounds", "4", "--yes", "--json"];
    let run = app.quorate(&[&begin[..], &["--budget-cost", "0.01"]].concat());
    run.fails(2, &["the price of openai/talker is not known", "give its price in the configuration"]);
    assert!(vendor.heard().is_empty() && !app.db().exists(), "nothing was begun");

    let prices = "[prices]\n\"openai/talker\" = { input = 2.0, output = 10.0 }\n";
    let file = app.write("prices.toml", prices);
    // Too little for what the facilitator may write, which is kept back from the beginning.
    let poor = app.quorate(&[&begin[..], &["--config", &file, "--budget-cost", "0.03"]].concat());
    check_whole(&poor.out);
    let events = poor.events();
    let finished = &events.last().expect("an event")["payload"];
    assert_eq!((&finished["reason"], &finished["budget"]), (&"budget".into(), &"cost".into()), "{poor}");
    assert!(finished["cost_micros"].as_u64().is_some_and(|cost| cost <= 30_000), "{finished}");
    let rich = app.quorate(&[&begin[..], &["--config", &file, "--budget-cost", "5"]].concat()).ok();
    assert_eq!(rich.events().last().expect("an event")["payload"]["outcome"], "accepted");
    for wrong in ["0", "-1", "NaN"] {
        let budget = format!("--budget-cost={wrong}");
        app.quorate(&[&begin[..], &["--simulate", &budget]].concat()).fails(2, &["give a number above 0"]);
    }
}

#[test]
fn the_result_goes_where_it_is_wanted() {
    let app = App::new();
    let begin = ["run", "A or B?", "--simulate", "--seed", "5", "--yes"];
    let markdown = app.quorate(&[&begin[..], &["--out", "result.md"]].concat()).ok();
    assert!(markdown.err.contains("the result is in result.md"), "{markdown}");
    let text = std::fs::read_to_string(app.path("result.md")).expect("it was written");
    assert_eq!(text.trim_end(), app.quorate(&["show", "last"]).ok().out.trim_end());
    app.quorate(&[&begin[..], &["--out", "result.json", "--json"]].concat()).ok();
    let text = std::fs::read_to_string(app.path("result.json")).expect("it was written");
    let report: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(report, app.quorate(&["show", "last", "--json"]).ok().json());

    let held = app.quorate(&["list"]).ok().lines().len();
    let lost = app.quorate(&[&begin[..], &["--out", "no/such/folder/x.md"]].concat()).ends(2);
    assert!(lost.err.contains("no/such/folder/x.md cannot be written"), "{lost}");
    assert_eq!(app.quorate(&["list"]).ok().lines().len(), held, "it is said before a meeting is paid for");
}

#[test]
fn the_users_own_configuration_holds_for_all_meetings() {
    let (app, vendor) = (App::new(), Vendor::open());
    let url = vendor.url("/v1");
    let config =
        app.write("own.toml", &format!("models = ['lab/thinker']\n[providers.lab]\nbase_url = '{url}'\n"));
    let app = app.with("QUORATE_CONFIG", config);
    app.quorate(&["run", "A or B?", "-p", "2", "--rounds", "1", "--yes"]).ok();
    assert!(!vendor.heard().is_empty() && vendor.heard().iter().all(|heard| heard.model() == "thinker"));
    app.write("own.toml", "model = ['lab/thinker']\n");
    app.quorate(&["run", "A or B?", "--yes"]).fails(2, &["own.toml:1:1: unknown field `model`"]);
}
