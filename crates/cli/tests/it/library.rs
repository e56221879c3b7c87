//! Agents, credentials and the end of a meeting, as people and scripts meet them.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};
use serde_json::{Value, json};

use crate::app::{App, Said, check_whole, meeting_of, of_type};
use crate::terminal_session::TerminalSession;
use crate::vendor::{Answer, Vendor, sensible};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";
const KEY: &str = "sk-planted-0123456789abcdef";

/// Creates an agent of the vendor's, with its key from standard input.
fn create(app: &App, name: &str, vendor: &Vendor, more: &[&str]) -> Said {
    let url = vendor.url("/v1");
    let args =
        ["agents", "create", "--name", name, "--role", "Keeper", "--description", "Looks after the data."];
    let voice = ["--model", "lab/talker", "--base-url", &url, "--api-key-stdin"];
    app.quorate_reading(&[&args[..], &voice, more].concat(), KEY)
}

fn simulated(app: &App, name: &str) -> Said {
    let args = [
        "agents",
        "create",
        "--name",
        name,
        "--role",
        "Sceptic",
        "--description",
        "Asks what could go wrong.",
    ];
    app.quorate(&[&args[..], &["--temperament", "stubborn"]].concat()).ok()
}

fn show(app: &App, name: &str) -> Value {
    app.quorate(&["agents", "show", name, "--json"]).ok().json()
}

#[test]
fn an_agent_is_created_shown_changed_and_deleted() {
    let (app, vendor) = (App::new(), Vendor::open());
    assert!(app.quorate(&["agents", "list"]).ok().err.contains("the library is empty"));
    let prompt = app.write("prompt.txt", "Speak of backups.\n");
    let prompt = format!("@{prompt}");
    let more = ["--prompt", &prompt, "--temperature", "0.2", "--max-tokens", "700", "--json"];
    let created = create(&app, "Ada Long", &vendor, &more).ok().json();
    assert_eq!(created["role"]["name"], "Keeper");
    assert_eq!(created["role"]["description"], "Looks after the data.");
    assert_eq!(created["role"]["system_prompt"], "Speak of backups.");
    let runner = json!({
        "kind": "model", "provider": "lab", "model": "talker",
        "parameters": { "temperature": 0.2, "max_tokens": 700 },
    });
    assert_eq!(created["runner"], runner);
    simulated(&app, "本");

    let list = app.quorate(&["agents", "list"]).ok();
    let lines = list.lines();
    assert_eq!(lines, ["Ada Long  Keeper   lab/talker", "本        Sceptic  simulated (stubborn)"]);
    let rows = app.quorate(&["agents", "list", "--json"]).ok().events();
    assert_eq!(rows[0], created);
    assert_eq!(rows[1]["runner"]["temperament"], "stubborn");

    let shown = show(&app, "Ada Long");
    assert_eq!((&shown["key"], &shown["base_url"]), (&"stored".into(), &vendor.url("/v1").into()));
    let page = app.quorate(&["agents", "show", "Ada Long"]).ok();
    for word in
        ["Ada Long · Keeper", "Looks after the data.", "Speak of backups.", "lab/talker", "stored encrypted"]
    {
        assert!(page.out.contains(word), "{page}");
    }

    let changed =
        ["agents", "update", "Ada Long", "--name", "Ada", "--temperature", "default", "--prompt", ""];
    app.quorate(&changed).ok();
    let after = show(&app, "Ada");
    assert_eq!(after["id"], created["id"], "it is the same agent");
    assert_eq!(after["runner"]["parameters"], json!({ "max_tokens": 700 }));
    assert_eq!(after["role"], json!({ "name": "Keeper", "description": "Looks after the data." }));
    assert!(after["updated_at"].as_str() > created["updated_at"].as_str());
    app.quorate(&["agents", "show", "Ada Long"]).fails(1, &["there is no agent \"Ada Long\"", "agents list"]);

    let deleted = app.quorate(&["agents", "delete", "Ada"]).ok();
    assert!(
        deleted.err.contains("quorate providers remove lab"),
        "the key is still there, and said to be: {deleted}"
    );
    app.quorate(&["agents", "show", "Ada"]).fails(1, &["there is no agent"]);
    app.quorate(&["agents", "delete", "Ada"]).fails(1, &["there is no agent"]);
    assert_eq!(app.quorate(&["agents", "list"]).ok().lines().len(), 1);
    app.quorate(&["providers", "remove", "lab"]).ok();
    assert!(!app.quorate(&["providers", "list"]).ok().out.contains("lab"));
}

#[test]
fn what_is_not_right_about_an_agent_is_refused_by_its_field() {
    let app = App::new();
    let long = "字".repeat(2001);
    let sound =
        ["agents", "create", "--name", "Ada", "--role", "R", "--description", "d", "--temperament", "slow"];
    let with = |option: &str, value: &str| {
        let mut args = sound.map(str::to_owned);
        let at = args.iter().position(|arg| arg == option).expect("it is given");
        args[at + 1] = value.to_owned();
        let args: Vec<&str> = args.iter().map(String::as_str).chain(["--json"]).collect();
        app.quorate(&args)
    };
    for (option, value, field, word) in [
        ("--name", "", "agent.name", "is empty"),
        ("--name", "@Ada", "agent.name", "cannot be called by @name"),
        ("--name", &"名".repeat(51), "agent.name", "has 51 characters"),
        ("--description", " \n", "agent.role.description", "is empty"),
        ("--description", &long, "agent.role.description", "has 2001 characters"),
        ("--role", "", "agent.role.name", "is empty"),
    ] {
        let refused = with(option, value).fails(2, &[word]);
        assert_eq!(
            (&refused.error()["kind"], &refused.error()["field"]),
            (&"validation".into(), &field.into())
        );
    }
    app.quorate(&sound).ok();
    app.quorate(&sound).fails(2, &["there is already an agent \"Ada\"", "agents update"]);
    let begin = ["agents", "create", "--name", "Ben", "--role", "R", "--description", "d"];
    let fails = |more: &[&str], words: &[&str]| _ = app.quorate(&[&begin[..], more].concat()).fails(2, words);
    fails(&[], &["nothing answers for this agent", "--model PROVIDER/NAME"]);
    fails(&["--model", "talker"], &["does not say whose model"]);
    fails(&["--model", "a b/talker"], &["is not a provider's name"]);
    fails(&["--model", "lab/x", "--temperature", "3"], &["agent.temperature", "from 0 to 2"]);
    fails(&["--model", "lab/x", "--base-url", "ftp://h/v1"], &["http://"]);
    fails(&["--model", "lab/x", "--api-key-env", "NO_SUCH_KEY"], &["NO_SUCH_KEY is not set"]);
    fails(&["--temperament", "slow", "--base-url", "http://h/v1"], &["needs no key and no address"]);
    fails(&["--temperament", "slow", "--top-p", "0.5"], &["no temperature, top-p, max-tokens"]);
    app.quorate(&["agents", "update", "Ada"]).fails(2, &["there is nothing to change"]);
    app.quorate(&["agents", "update", "Ada", "--description", ""])
        .fails(2, &["agent.role.description: is empty"]);
    let keys = [&begin[..], &["--model", "lab/x", "--api-key-stdin"]].concat();
    app.quorate_reading(&keys, " \n").fails(2, &["the key is empty"]);
    app.quorate_reading(&keys, "two\nlines").fails(2, &["line breaks"]);
    assert_eq!(app.quorate(&["agents", "list"]).ok().lines().len(), 1, "nothing of it was stored");
    assert!(!app.quorate(&["providers", "list", "--json"]).ok().out.contains("stored"));
}

#[test]
fn a_test_tells_whether_the_model_answers() {
    let vendor = Vendor::of(|heard| match heard.model() {
        "talker" => Answer::Whole("ready".to_owned()),
        _ => Answer::Refused(402, json!({ "error": { "message": format!("no credit for {KEY}") } })),
    });
    let app = App::new();
    create(&app, "Ada", &vendor, &["--temperature", "0.5"]).ok();
    let tested = app.quorate(&["agents", "test", "Ada"]).ok();
    assert!(
        tested.out.starts_with("Ada (lab/talker) answered in ") && tested.out.contains("ready"),
        "{tested}"
    );
    let heard = vendor.heard();
    assert_eq!(heard[0].key(), Some(format!("Bearer {KEY}").as_str()), "really asked, with the stored key");
    assert_eq!(heard[0].body["temperature"], 0.5);
    let tested = app.quorate(&["agents", "test", "Ada", "--json"]).ok().json();
    assert_eq!((&tested["ok"], &tested["said"]), (&true.into(), &"ready".into()));

    app.quorate(&["agents", "update", "Ada", "--model", "lab/poor"]).ok();
    let refused = app.quorate(&["agents", "test", "Ada", "--json"]).fails(1, &["lab answered 402"]);
    let error = refused.error();
    assert_eq!(
        (&error["kind"], &error["provider"], &error["status_code"]),
        (&"api".into(), &"lab".into(), &402.into())
    );
    vendor.goes_down();
    let gone = app.quorate(&["agents", "test", "Ada", "--json"]).fails(1, &["lab could not be reached"]);
    assert_eq!(gone.error()["status_code"], Value::Null);
    for said in [&refused, &gone] {
        assert!(!said.err.contains(KEY), "{said}");
    }

    simulated(&app, "Ben");
    assert_eq!(app.quorate(&["agents", "test", "Ben", "--json"]).ok().json()["simulated"], true);
    let nobody =
        ["agents", "create", "--name", "Cid", "--role", "R", "--description", "d", "--model", "nowhere/x"];
    app.quorate(&nobody).ok();
    app.quorate(&["agents", "test", "Cid"])
        .fails(1, &["nowhere, which is not configured", "providers add nowhere"]);
    app.quorate(&["agents", "test", "Dan"]).fails(1, &["there is no agent \"Dan\""]);
}

#[test]
fn agents_sit_down_in_the_order_in_which_they_are_named() {
    let (app, vendor) = (App::new(), Vendor::open());
    create(&app, "Ada", &vendor, &["--prompt", "Speak of backups.", "--max-tokens", "700"]).ok();
    simulated(&app, "Ben");
    let args = ["run", TOPIC, "--agent", "Ben", "--agent", "Ada", "--rounds", "1", "--yes", "--json"];
    let run = app.quorate(&args).ok();
    check_whole(&run.out);
    let events = run.events();
    let seats = of_type(&events, "participant_joined");
    let seat = |at: usize| &seats[at]["payload"]["participant"];
    assert_eq!((&seat(0)["name"], &seat(1)["name"]), (&"Ben".into(), &"Ada".into()));
    assert_eq!(seat(0)["runner"]["temperament"], "stubborn");
    assert_eq!(seat(1)["role"]["system_prompt"], "Speak of backups.");
    assert_eq!(seat(1)["runner"]["parameters"]["max_tokens"], 700);
    assert!(events[0]["payload"]["facilitator"]["runner"]["provider"] == "lab", "through the first model");
    let bearer = format!("Bearer {KEY}");
    assert!(vendor.heard().iter().any(|heard| heard.words().contains("Speak of backups.")));
    assert!(vendor.heard().iter().all(|heard| heard.key() == Some(&bearer)));

    app.quorate(&["agents", "update", "Ada", "--prompt", "Speak of something else."]).ok();
    app.quorate(&["agents", "delete", "Ada"]).ok();
    assert_eq!(app.quorate(&["replay", "last", "--json"]).ok().out, run.out, "the meeting stays as it was");
    app.quorate(&["run", TOPIC, "--agent", "Ada", "--yes"])
        .fails(1, &["there is no agent \"Ada\"", "agents list"]);
    app.quorate(&["run", TOPIC, "--agent", "Ben", "-p", "3"]).ends(2).says(&["cannot be used with"]);
    let twice = app.quorate(&["run", TOPIC, "--agent", "Ben", "--agent", "Ben", "--yes"]);
    twice.fails(2, &["there is already a participant \"Ben\""]);
    assert_eq!(app.quorate(&["list"]).ok().lines().len(), 1);
}

#[test]
fn a_meeting_file_seats_agents_beside_others() {
    let (app, vendor) = (App::new(), Vendor::open());
    create(&app, "Ada", &vendor, &[]).ok();
    let file = |seat: &str| {
        format!(
            "topic = '{TOPIC}'\n[[participants]]\nname = 'Cid'\ntemperament = 'agreeable'\n[[participants]]\n{seat}"
        )
    };
    app.write("meeting.toml", &file("agent = 'Ada'\n"));
    let run = app.quorate(&["run", "--config", "meeting.toml", "--rounds", "1", "--yes", "--json"]).ok();
    let events = run.events();
    let seats = of_type(&events, "participant_joined");
    assert_eq!(seats[1]["payload"]["participant"]["role"]["description"], "Looks after the data.");
    assert!(vendor.heard().iter().all(|heard| heard.model() == "talker"));

    let asked = vendor.heard().len();
    app.quorate(&["run", "--config", "meeting.toml", "--simulate", "--rounds", "1", "--yes"]).ok();
    assert_eq!(vendor.heard().len(), asked, "a simulation asks nobody");

    app.write("meeting.toml", &file("agent = 'Ada'\nmodel = 'lab/other'\n"));
    app.quorate(&["run", "--config", "meeting.toml", "--yes"]).fails(
        2,
        &["meeting.toml:5:1: participants[1]: the agent \"Ada\" has its own", "leave out everything"],
    );
    app.write("meeting.toml", &file("role = { name = 'R', description = 'd' }\n"));
    app.quorate(&["run", "--config", "meeting.toml", "--yes", "--simulate"])
        .fails(2, &["participants[1].name: is empty"]);
}

#[test]
fn stored_keys_are_found_by_run_and_resume_and_the_environment_wins() {
    let vendor = Vendor::of(|heard| match heard.purpose() {
        "prose" => Answer::Thinking(Box::new(Answer::Whole(sensible(heard)))),
        _ => Answer::Whole(sensible(heard)),
    });
    let mut app = App::new();
    let url = vendor.url("/v1");
    app.quorate_reading(&["providers", "add", "openai", "--base-url", &url, "--api-key-stdin"], KEY).ok();
    let stored = app.quorate(&["providers", "list", "--json"]).ok().events();
    let stored = stored.iter().find(|row| row["provider"] == "openai").expect("it is stored");
    assert_eq!((&stored["base_url"], &stored["key"]), (&json!(url), &json!(true)));

    let mut run = app.start(&["run", TOPIC, "-p", "2", "--rounds", "1", "--yes", "--json"]);
    run.hears_that("the first turn", |event| event["payload"]["task"] == "speak:r1t1");
    run.signal(Signal::TERM);
    run.end().ends(3);
    vendor.goes_on();
    app.quorate(&["resume", "last", "--json", "--yes"]).ok();
    let stored = format!("Bearer {KEY}");
    assert!(!vendor.heard().is_empty() && vendor.heard().iter().all(|heard| heard.key() == Some(&stored)));
    assert!(app.quorate(&["doctor"]).out.contains("✓ provider openai"));

    let asked = vendor.heard().len();
    app.set("OPENAI_BASE_URL", url);
    app.set("OPENAI_API_KEY", "sk-from-the-environment");
    app.quorate(&["run", TOPIC, "-p", "1", "--rounds", "1", "--yes"]).ok();
    let heard = vendor.heard();
    assert!(heard.len() > asked);
    assert!(heard[asked..].iter().all(|heard| heard.key() == Some("Bearer sk-from-the-environment")));
}

#[test]
fn a_key_file_that_others_can_read_is_refused_where_keys_are_needed() {
    let (app, vendor) = (App::new(), Vendor::open());
    create(&app, "Ada", &vendor, &[]).ok();
    let key_file = app.path("data/quorate/quorate.db.key");
    std::fs::set_permissions(&key_file, Permissions::from_mode(0o644)).expect("it is our file");
    let run = ["run", TOPIC, "--agent", "Ada", "--rounds", "1", "--yes"];
    for command in [&run[..], &["agents", "test", "Ada"], &["providers", "list"]] {
        app.quorate(command).fails(1, &["(its mode is 644)", "chmod 600"]);
    }
    assert!(app.quorate(&["doctor"]).ends(1).out.contains("✗ stored credentials: "));
    app.quorate(&[&run[..], &["--simulate"]].concat()).ok();
    app.quorate(&["fork", "last", "--at", "8"]).ok();
    app.quorate(&["resume", "last", "--yes"]).ok();
    std::fs::remove_file(&key_file).expect("it is our file");
    app.quorate(&run).fails(1, &["is missing", "sealed with it", "providers remove"]);
    app.quorate(&["providers", "remove", "lab"]).ok();
    app.quorate(&run).fails(2, &["Ada uses the provider lab, which is not configured"]);
    assert!(vendor.heard().is_empty());
}

#[test]
fn a_stored_key_shows_up_nowhere() {
    let (app, vendor) = (App::new(), Vendor::open());
    let app = app.with("QUORATE_LOG", "trace");
    let mut said = vec![create(&app, "Ada", &vendor, &["--json"]).ok()];
    said.push(app.quorate(&["run", TOPIC, "--agent", "Ada", "--rounds", "1", "--yes", "--json"]).ok());
    for command in [
        &["agents", "show", "Ada"][..],
        &["agents", "list", "--json"],
        &["agents", "test", "Ada"],
        &["providers", "list"],
        &["export", "last", "--format", "json"],
        &["replay", "last", "--json"],
    ] {
        said.push(app.quorate(command).ok());
    }
    said.push(app.quorate(&["doctor", "--probe"]));
    for said in said {
        assert!(!said.out.contains(KEY) && !said.err.contains(KEY), "the key was said: {said}");
    }
    assert_eq!(app.files_with(KEY), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_meeting_file_from_elsewhere_gets_no_stored_key() {
    let (app, vendor, elsewhere) = (App::new(), Vendor::open(), Vendor::open());
    create(&app, "Ada", &vendor, &[]).ok();
    let file = format!("[providers.lab]\nbase_url = '{}'\n", elsewhere.url("/v1"));
    app.write("meeting.toml", &file);
    app.quorate(&["run", TOPIC, "--config", "meeting.toml", "--agent", "Ada", "--rounds", "1", "--yes"]).ok();
    assert!(!elsewhere.heard().is_empty() && elsewhere.heard().iter().all(|heard| heard.key().is_none()));
}

#[test]
fn a_deleted_meeting_is_gone_and_the_rest_is_sound() {
    let app = App::new();
    let hold = |topic: &str| {
        let run =
            app.quorate(&["run", topic, "--simulate", "--seed", "5", "--rounds", "1", "--yes", "--json"]);
        meeting_of(&run.ok().out)
    };
    let (first, second) = (hold(TOPIC), hold("Tabs or xylophones?"));
    app.quorate(&["delete", &second]).fails(2, &["nobody can be asked here", "--yes"]);
    app.quorate(&["delete", &second, "--json"]).fails(2, &["--yes"]);
    let deleted = app.quorate(&["delete", &second, "--yes", "--json"]).ok().json();
    assert_eq!(deleted, json!({ "meeting_id": second, "deleted": true }));
    assert!(!app.quorate(&["list"]).ok().out.contains(&second));
    for command in ["show", "replay", "export", "resume"] {
        app.quorate(&[command, &second]).fails(1, &["no meeting's id begins with"]);
    }
    let again =
        app.quorate(&["delete", &second, "--yes", "--json"]).fails(1, &["no meeting's id begins with"]);
    let error = again.error();
    assert_eq!((&error["kind"], &error["resource_type"]), (&"not_found".into(), &"meeting".into()));
    assert_eq!(error["resource_id"], second);
    assert!(app.quorate(&["verify"]).ok().out.starts_with("sound: 1 meeting (1 ended)"));
    app.quorate(&["show", &first]).ok();
    assert_eq!(app.files_with("xylophone"), Vec::<std::path::PathBuf>::new(), "no word of it is left");
    App::new().quorate(&["delete", "last", "--yes"]).fails(1, &["there is no database at "]);
}

#[test]
fn a_meeting_that_runs_elsewhere_is_not_deleted() {
    let app = App::new();
    let mut run = app.start(&["run", TOPIC, "--simulate", "--seed=5", "--json", "--pace=live"]);
    run.hears("speaker_selected");
    app.quorate(&["delete", "last", "--yes"]).fails(1, &["is in use by process"]);
    run.signal(Signal::TERM);
    run.end().ends(3);
    app.quorate(&["delete", "last", "--yes"]).ok();
    assert!(app.quorate(&["list"]).ok().out.is_empty());
}

#[test]
fn in_a_terminal_a_key_can_be_typed_and_is_not_shown() {
    let app = App::new();
    let args = ["providers", "add", "openai", "--api-key-stdin"];
    let (mut keyboard, end) = terminal();
    let mut command = app.command(&args);
    command.stdin(end);
    let terminal_session = TerminalSession::in_terminal(command, &args);
    let hidden = || !tcgetattr(&keyboard).expect("a terminal").local_modes.contains(LocalModes::ECHO);
    while !hidden() {
        assert!(terminal_session.began.elapsed().as_secs() < 30, "what is typed is shown");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    writeln!(keyboard, "{KEY}").expect("somebody types");
    let said = terminal_session.end().ok();
    assert!(said.err.contains("key of openai: ") && !said.err.contains(KEY), "{said}");
    let mut seen = Vec::new();
    // Ends with an error on some systems, once the other end is closed.
    _ = keyboard.read_to_end(&mut seen);
    assert!(!String::from_utf8_lossy(&seen).contains(KEY), "the terminal showed the key");
    let stored = app.quorate(&["providers", "list"]).ok();
    let line = stored.lines().into_iter().find(|line| line.starts_with("openai ")).expect("it is stored");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words, ["openai", "https://api.openai.com/v1", "openai", "with", "a", "key", "stored"]);
    let local = ["providers", "add", "openai", "--base-url", "http://localhost:1/v1"];
    app.quorate(&local).fails(2, &["belongs to another address", "--api-key-stdin"]);
}

/// A terminal: the keyboard's end, and the process's end.
fn terminal() -> (File, File) {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&keyboard).and_then(|()| unlockpt(&keyboard)).expect("a terminal");
    let name = ptsname(&keyboard, Vec::new()).expect("it has a name").into_string().expect("a plain one");
    let end = OpenOptions::new().read(true).write(true).open(name).expect("its other end");
    (File::from(keyboard), end)
}

/// Runs a command in a terminal with typed input.
fn in_terminal(app: &App, args: &[&str], typed: &str) -> Said {
    let (mut keyboard, end) = terminal();
    writeln!(keyboard, "{typed}").expect("somebody types");
    let mut command = app.command(args);
    command.stdin(end);
    let said = TerminalSession::in_terminal(command, args).end();
    drop(keyboard);
    said
}

#[test]
fn in_a_terminal_one_is_asked_before_a_meeting_is_deleted() {
    let app = App::new();
    app.quorate(&["run", TOPIC, "--simulate", "--seed", "5", "--rounds", "1", "--yes"]).ok();
    for no in ["n", "", "maybe"] {
        let kept = in_terminal(&app, &["delete", "last"], no).ends(1);
        assert!(kept.err.contains(TOPIC) && kept.err.contains("[y/N]"), "it is said which one: {kept}");
        assert!(kept.err.contains("nothing was deleted"), "{kept}");
    }
    assert_eq!(app.quorate(&["list"]).ok().lines().len(), 1);
    in_terminal(&app, &["delete", "last"], "y").ok();
    assert!(app.quorate(&["list"]).ok().out.is_empty());
}

#[test]
fn a_token_acts_for_the_only_owner_whatever_the_account_is_called() {
    let app = App::new();
    let add = |name: &str, scope: &str| {
        let args = ["accounts", "add", name, "--scope", scope, "--password-stdin"];
        app.quorate_reading(&args, "correct horse battery\n").ok();
    };
    let token = ["tokens", "add", "build", "--json"];
    assert_eq!(app.quorate(&token).ok().json()["by"], "owner", "without accounts");
    add("ada", "owner");
    add("ben", "manage");
    assert_eq!(app.quorate(&token).ok().json()["by"], "ada");
    add("cid", "owner");
    app.quorate(&token).fails(2, &["several accounts are owners: ada, cid", "--by ACCOUNT"]);
    assert_eq!(app.quorate(&["tokens", "add", "build", "--json", "--by", "cid"]).ok().json()["by"], "cid");
}

#[test]
fn each_change_at_this_machine_leaves_a_line_in_the_audit_log() {
    let app = App::new();
    simulated(&app, "Ada");
    app.quorate(&["agents", "update", "Ada", "--temperament", "agreeable"]).ok();
    app.quorate(&["agents", "delete", "Ada"]).ok();
    app.quorate(&["agents", "delete", "Ada"]).fails(1, &["Ada"]);
    let url = ["providers", "add", "lab", "--base-url", "http://127.0.0.1:9/v1", "--api-key-stdin"];
    app.quorate_reading(&url, KEY).ok();
    app.quorate(&["providers", "rotate"]).ok();
    app.quorate(&["providers", "remove", "lab"]).ok();
    app.quorate_reading(&["accounts", "add", "ada", "--password-stdin"], "correct horse battery\n").ok();
    app.quorate_reading(&["accounts", "password", "ADA", "--password-stdin"], "another horse battery\n").ok();
    let token = app.quorate(&["tokens", "add", "build", "--by", "ada", "--json"]).ok().json();
    let ben = ["accounts", "add", "ben", "--scope", "speak", "--password-stdin"];
    app.quorate_reading(&ben, "correct horse battery\n").ok();
    let more = ["tokens", "add", "build", "--scope", "manage", "--by", "ben"];
    app.quorate(&more).fails(2, &["more than that account may do", "its scope is speak"]);
    app.quorate(&["accounts", "remove", "ben"]).ok();
    app.quorate(&["tokens", "remove", token["id"].as_str().expect("an id")]).ok();
    app.quorate(&["accounts", "remove", "ada"]).ok();
    let lines = app.quorate(&["audit", "--json"]).ok().events();
    let mut noted: Vec<(&str, &str)> = Vec::new();
    let (refused, lines): (Vec<Value>, Vec<Value>) =
        lines.into_iter().partition(|line| line["detail"]["status"] == 422);
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(refused[0]["action"], "tokens.post");
    for line in &lines {
        assert_eq!((&line["by"], &line["address"]), (&json!("user:owner"), &json!("local")), "{line}");
        assert_eq!(
            (&line["detail"]["via"], &line["detail"]["status"]),
            (&json!("command_line"), &json!(200)),
            "{line}"
        );
        let about = ["token", "name"].iter().find_map(|field| line["detail"][field].as_str());
        noted.push((line["action"].as_str().expect("an action"), about.unwrap_or_default()));
    }
    noted.reverse();
    let expected = [
        ("agents.post", "Ada"),
        ("agents.patch", "Ada"),
        ("agents.delete", "Ada"),
        ("providers.put", "lab"),
        ("keys.rotate.post", ""),
        ("providers.delete", "lab"),
        ("accounts.post", "ada"),
        ("accounts.password.put", "ada"),
        ("tokens.post", token["id"].as_str().expect("an id")),
        ("accounts.post", "ben"),
        ("accounts.delete", "ben"),
        ("tokens.delete", token["id"].as_str().expect("an id")),
        ("accounts.delete", "ada"),
    ];
    assert_eq!(noted, expected);
    assert!(!lines.iter().any(|line| line.to_string().contains(KEY)), "no key");
}

#[test]
fn doctor_finds_a_place_where_no_database_can_be_made() {
    let app = App::new();
    app.write("file", "no folder");
    let below = app.path("file").join("quorate.db");
    let found = app.quorate(&["doctor", "--db", below.to_str().expect("a plain path")]).ends(1);
    assert!(found.out.contains("✗ database"), "{found}");
    let new = app.path("new").join("quorate.db");
    let found = app.quorate(&["doctor", "--db", new.to_str().expect("a plain path")]);
    assert!(found.out.contains("the first meeting makes it"), "{found}");
    assert!(!app.path("new").exists(), "looking makes nothing");
}
