//! Keys that were planted everywhere a key can lie, and a vendor that throws them back in every way
//! there is: none of them is ever said or written.

use std::process::Stdio;

use serde_json::json;

use crate::app::{App, Said};
use crate::terminal_session::TerminalSession;
use crate::vendor::{Answer, Heard, Vendor, sensible};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// The place and the value of each planted secret.
const PLANTED: [(&str, &str); 5] = [
    ("a variable", "sk-env-Aa0123456789planted"),
    ("a key file", "sk-file-Bb0123456789planted"),
    ("the vault", "sk-vault-Cc0123456789planted"),
    ("a header of a file", "hdr-file-Dd0123456789planted"),
    ("a sealed header", "hdr-vault-Ee0123456789planted"),
];
/// In the address of a proxy, which is not used.
const PROXY: &str = "pw-proxy-Ff0123456789planted";

/// All that came in the heads of a request, as a vendor throws it back that means no good.
fn echo(heard: &Heard) -> String {
    let secret = |name: &str| heard.headers.get(name).cloned().unwrap_or_default();
    let key = secret("authorization").replace("Bearer ", "");
    format!("you sent {key} and {} ({})", secret("x-team"), base64(&key))
}

fn hostile() -> Vendor {
    Vendor::listing(&["{key}", "gossip"], |heard| match heard.model() {
        "refuses" => {
            Answer::Refused(400, json!({ "error": { "message": echo(heard), "code": echo(heard) } }))
        }
        "unpaid" => Answer::Refused(402, json!({ "error": echo(heard) })),
        "breaks" => Answer::Refused(500, json!({ "message": format!("crashed: {:?}", heard.headers) })),
        "unknown" => {
            Answer::Refused(404, json!({ "error": { "message": format!("no model for {}", echo(heard)) } }))
        }
        "gossip" => Answer::Streamed(match heard.purpose() {
            "prose" => format!("{}\n\n{}", echo(heard), sensible(heard)),
            _ => sensible(heard).replace("SQLite", &echo(heard)),
        }),
        _ => Answer::Whole(sensible(heard)),
    })
}

fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits =
            chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            match at <= chunk.len() {
                true => out.push(char::from(LETTERS[(bits >> (18 - 6 * at)) as usize & 63])),
                false => out.push('='),
            }
        }
    }
    out
}

/// A home with every key in its place.
fn planted(vendor: &Vendor) -> App {
    let [env, file, vault, header, sealed] = PLANTED.map(|(_, key)| key);
    let app = App::new().with("NORTH_KEY", env).with("QUORATE_LOG", "trace").with("RUST_LOG", "trace");
    let url = vendor.url("/v1");
    let key_file = app.write("south.key", file);
    let tables = format!(
        "[providers.north]\nbase_url = '{url}'\nkey_env = 'NORTH_KEY'\nretries = 1\n\
         extra_headers = {{ 'X-Team' = '{header}' }}\ntimeouts = {{ backoff_ms = 5 }}\n\
         [providers.south]\nbase_url = '{url}'\nkey_file = '{key_file}'\nretries = 0\n\
         [providers.far]\nbase_url = 'https://far.example/v1'\nproxy = 'http://me:{PROXY}@127.0.0.1:9'\nretries = 0\n"
    );
    let config = app.write("config.toml", &tables);
    let app = app.with("QUORATE_CONFIG", config);
    let args = ["providers", "add", "vault", "--base-url", &url, "--api-key-stdin", "--retries", "1"];
    let header = format!("X-Team: {sealed}");
    let proxy = format!("http://me:{PROXY}@127.0.0.1:9");
    app.quorate_reading(&[&args[..], &["--header", &header, "--timeout", "total=20"]].concat(), vault).ok();
    let args = ["providers", "add", "sealed", "--base-url", "https://far.example/v1", "--proxy", &proxy];
    app.quorate(&[&args[..], &["--retries", "0"]].concat()).ok();
    app
}

/// Whether a path is one where a user put a secret, and where it may be.
fn its_place(path: &std::path::Path) -> bool {
    path.ends_with("config.toml") || path.ends_with("south.key")
}

#[track_caller]
fn nowhere(app: &App, said: &[Said], from: &str) {
    let mut leaks = Vec::new();
    for (place, key) in PLANTED.iter().copied().chain([("a proxy", PROXY)]) {
        for (form, text) in [("as it is", key.to_owned()), ("in base64", base64(key))] {
            // Not what was said: a test's message is no place for keys either.
            let said = said.iter().filter(|said| said.out.contains(&text) || said.err.contains(&text));
            leaks.extend(said.map(|said| format!("{place} {form}: said by {:?}", said.args)));
            let written = app.files_with(&text).into_iter().filter(|path| !its_place(path));
            leaks.extend(written.map(|path| format!("{place} {form}: written to {}", path.display())));
        }
    }
    assert!(leaks.is_empty(), "{from}:\n{}", leaks.join("\n"));
}

/// A meeting of three whose first speaks through this model, as it is shown in these ways.
fn meetings(app: &App, model: &str) -> Vec<Said> {
    let named: Vec<String> =
        ["north", "south", "vault"].iter().map(|provider| format!("{provider}/{model}")).collect();
    let mut args = vec!["run", TOPIC, "-p", "3", "--rounds", "1", "--provider-wait", "0", "--yes"];
    named.iter().for_each(|name| args.extend(["--model", name.as_str()]));
    let json = app.quorate(&[&args[..], &["--json"]].concat());
    let mut command = app.command(&args);
    command.stdin(Stdio::null()).env("TERM", "xterm-256color");
    let live = TerminalSession::in_terminal(command, &args).end();
    let folder = app.path(&format!("files-{model}"));
    let file = app.path(&format!("{model}.json"));
    let [folder, file] = [&folder, &file].map(|path| path.to_str().expect("a plain path"));
    vec![
        json,
        live,
        app.quorate(&["show", "last"]),
        app.quorate(&["show", "last", "--json"]),
        app.quorate(&["replay", "last"]),
        app.quorate(&["replay", "last", "--json"]),
        app.quorate(&["export", "last"]),
        app.quorate(&["export", "last", "--format", "json", "--out", file]),
        app.quorate(&["export", "last", "--format", "files", "--out", folder]),
        app.quorate(&["list", "--json"]),
    ]
}

#[test]
fn what_a_vendor_throws_back_when_it_refuses_is_nowhere() {
    let vendor = hostile();
    let app = planted(&vendor);
    for model in ["refuses", "unpaid", "breaks", "unknown"] {
        let said = meetings(&app, model);
        assert!(
            said[0].out.contains("you sent") || said[0].out.contains("crashed"),
            "its words are kept: {}",
            said[0]
        );
        nowhere(&app, &said, model);
    }
    let sent = |key: &str| vendor.heard().iter().any(|heard| heard.key() == Some(&format!("Bearer {key}")));
    assert!(PLANTED[..3].iter().all(|(_, key)| sent(key)), "all three were on the wire");
    let headers: Vec<String> =
        vendor.heard().iter().filter_map(|heard| heard.headers.get("x-team").cloned()).collect();
    assert!(
        PLANTED[3..].iter().all(|(_, value)| headers.iter().any(|sent| sent == value)),
        "both headers were"
    );
}

#[test]
fn what_a_vendor_throws_back_as_an_answer_is_nowhere() {
    let vendor = hostile();
    let app = planted(&vendor);
    let said = meetings(&app, "gossip");
    assert!(said[0].out.contains("you sent"), "its words are kept: {}", said[0]);
    nowhere(&app, &said, "answers");
}

#[test]
fn no_command_about_providers_shows_a_key() {
    let vendor = hostile();
    let app = planted(&vendor);
    let mut said = Vec::new();
    for provider in ["north", "south", "vault", "far", "sealed"] {
        said.push(app.quorate(&["providers", "models", provider]));
        said.push(app.quorate(&["providers", "test", provider, "--model", "refuses", "--json"]));
        said.push(app.quorate(&["providers", "test", provider, "--model", "gossip"]));
    }
    for args in [
        &["providers", "list"][..],
        &["providers", "list", "--json"],
        &["providers", "list", "--presets", "--json"],
        &["providers", "add", "vault", "--retries", "2", "--json"],
        &["providers", "add", "vault", "--header", "X-Other: \u{1}"],
        &["providers", "rotate", "--json"],
        &["doctor", "--probe"],
        &["doctor", "--json"],
        &[
            "run",
            TOPIC,
            "--model",
            "far/x",
            "-p",
            "1",
            "--rounds",
            "1",
            "--provider-wait",
            "0",
            "--yes",
            "--json",
        ],
        &["run", TOPIC, "--model", "sealed/x", "-p", "1", "--rounds", "1", "--provider-wait", "0", "--yes"],
    ] {
        said.push(app.quorate(args));
    }
    nowhere(&app, &said, "commands");
}
