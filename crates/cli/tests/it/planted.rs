//! Keys that were planted everywhere a key can lie, and a vendor that throws them back in every way
//! there is: none of them is ever said or written.

use std::process::Stdio;

use serde_json::json;

use crate::house::{House, Said};
use crate::sitting::Sitting;
use crate::vendor::{Answer, Heard, Vendor, sensible};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// Where each was planted, and what it is.
const PLANTED: [(&str, &str); 5] = [
    ("a variable", "sk-env-Aa0123456789planted"),
    ("a key file", "sk-file-Bb0123456789planted"),
    ("the vault", "sk-vault-Cc0123456789planted"),
    ("a header of a file", "hdr-file-Dd0123456789planted"),
    ("a sealed header", "hdr-vault-Ee0123456789planted"),
];
/// In the address of a proxy, which nobody is asked through.
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
fn planted(vendor: &Vendor) -> House {
    let [env, file, vault, header, sealed] = PLANTED.map(|(_, key)| key);
    let house = House::new().with("NORTH_KEY", env).with("QUORATE_LOG", "trace").with("RUST_LOG", "trace");
    let url = vendor.url("/v1");
    let key_file = house.write("south.key", file);
    let tables = format!(
        "[providers.north]\nbase_url = '{url}'\nkey_env = 'NORTH_KEY'\nretries = 1\n\
         extra_headers = {{ 'X-Team' = '{header}' }}\ntimeouts = {{ backoff_ms = 5 }}\n\
         [providers.south]\nbase_url = '{url}'\nkey_file = '{key_file}'\nretries = 0\n\
         [providers.far]\nbase_url = 'https://far.example/v1'\nproxy = 'http://me:{PROXY}@127.0.0.1:9'\nretries = 0\n"
    );
    let config = house.write("config.toml", &tables);
    let house = house.with("QUORATE_CONFIG", config);
    let args = ["providers", "add", "vault", "--base-url", &url, "--api-key-stdin", "--retries", "1"];
    let header = format!("X-Team: {sealed}");
    let proxy = format!("http://me:{PROXY}@127.0.0.1:9");
    house.quorate_reading(&[&args[..], &["--header", &header, "--timeout", "total=20"]].concat(), vault).ok();
    let args = ["providers", "add", "sealed", "--base-url", "https://far.example/v1", "--proxy", &proxy];
    house.quorate(&[&args[..], &["--retries", "0"]].concat()).ok();
    house
}

/// Where a secret lies that a user put there, and nothing else may.
fn its_place(path: &std::path::Path) -> bool {
    path.ends_with("config.toml") || path.ends_with("south.key")
}

#[track_caller]
fn nowhere(house: &House, said: &[Said], from: &str) {
    let mut leaks = Vec::new();
    for (place, key) in PLANTED.iter().copied().chain([("a proxy", PROXY)]) {
        for (form, text) in [("as it is", key.to_owned()), ("in base64", base64(key))] {
            // Not what was said: a test's message is no place for keys either.
            let said = said.iter().filter(|said| said.out.contains(&text) || said.err.contains(&text));
            leaks.extend(said.map(|said| format!("{place} {form}: said by {:?}", said.args)));
            let written = house.files_with(&text).into_iter().filter(|path| !its_place(path));
            leaks.extend(written.map(|path| format!("{place} {form}: written to {}", path.display())));
        }
    }
    assert!(leaks.is_empty(), "{from}:\n{}", leaks.join("\n"));
}

/// A meeting of three whose first speaks through this model, as it is shown in these ways.
fn meetings(house: &House, model: &str) -> Vec<Said> {
    let named: Vec<String> =
        ["north", "south", "vault"].iter().map(|provider| format!("{provider}/{model}")).collect();
    let mut args = vec!["run", TOPIC, "-p", "3", "--rounds", "1", "--provider-wait", "0", "--yes"];
    named.iter().for_each(|name| args.extend(["--model", name.as_str()]));
    let json = house.quorate(&[&args[..], &["--json"]].concat());
    let mut command = house.command(&args);
    command.stdin(Stdio::null()).env("TERM", "xterm-256color");
    let live = Sitting::in_terminal(command, &args).end();
    let folder = house.path(&format!("files-{model}"));
    let file = house.path(&format!("{model}.json"));
    let [folder, file] = [&folder, &file].map(|path| path.to_str().expect("a plain path"));
    vec![
        json,
        live,
        house.quorate(&["show", "last"]),
        house.quorate(&["show", "last", "--json"]),
        house.quorate(&["replay", "last"]),
        house.quorate(&["replay", "last", "--json"]),
        house.quorate(&["export", "last"]),
        house.quorate(&["export", "last", "--format", "json", "--out", file]),
        house.quorate(&["export", "last", "--format", "files", "--out", folder]),
        house.quorate(&["list", "--json"]),
    ]
}

#[test]
fn what_a_vendor_throws_back_when_it_refuses_is_nowhere() {
    let vendor = hostile();
    let house = planted(&vendor);
    for model in ["refuses", "unpaid", "breaks", "unknown"] {
        let said = meetings(&house, model);
        assert!(
            said[0].out.contains("you sent") || said[0].out.contains("crashed"),
            "its words are kept: {}",
            said[0]
        );
        nowhere(&house, &said, model);
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
    let house = planted(&vendor);
    let said = meetings(&house, "gossip");
    assert!(said[0].out.contains("you sent"), "its words are kept: {}", said[0]);
    nowhere(&house, &said, "answers");
}

#[test]
fn no_command_about_providers_shows_a_key() {
    let vendor = hostile();
    let house = planted(&vendor);
    let mut said = Vec::new();
    for provider in ["north", "south", "vault", "far", "sealed"] {
        said.push(house.quorate(&["providers", "models", provider]));
        said.push(house.quorate(&["providers", "test", provider, "--model", "refuses", "--json"]));
        said.push(house.quorate(&["providers", "test", provider, "--model", "gossip"]));
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
        said.push(house.quorate(args));
    }
    nowhere(&house, &said, "commands");
}
