//! Whole meetings of each format, as they are written: what changes in them shows in review.
//!
//! `QUORATE_BLESS=1 cargo test -p quorate-cli --test it golden` writes them anew.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::app::App;

const TOPICS: [(&str, &str); 2] = [
    ("zh", "我们的服务该用 SQLite 还是 PostgreSQL？"),
    ("en", "Should our service use SQLite or PostgreSQL?"),
];

fn fixture(language: &str, format: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/meetings");
    root.join(language).join(format!("{format}.jsonl"))
}

/// The events without what differs from run to run: ids of meetings, moments, how long calls took.
fn normal(lines: &str) -> String {
    let mut tokens: BTreeMap<String, String> = BTreeMap::new();
    let mut text = String::new();
    for line in lines.lines() {
        let mut event: Value = serde_json::from_str(line).expect("a line is JSON");
        event["meeting_id"] = "meeting".into();
        event["run_id"] = "run".into();
        event["ts_ms"] = 0.into();
        let payload = &mut event["payload"];
        if payload.get("latency_ms").is_some() {
            payload["latency_ms"] = 0.into();
        }
        if let Some(token) = payload.get("resume_token").and_then(Value::as_str).map(str::to_owned) {
            let number = tokens.len() + 1;
            payload["resume_token"] =
                tokens.entry(token).or_insert(format!("token {number}")).as_str().into();
        }
        text.push_str(&event.to_string());
        text.push('\n');
    }
    text
}

#[test]
fn every_format_writes_the_meeting_that_it_wrote_before() {
    let app = App::new();
    let bless = std::env::var_os("QUORATE_BLESS").is_some();
    for (language, topic) in TOPICS {
        for format in ["consensus", "discussion", "decision", "room", "brainstorm"] {
            let simulated = ["--simulate", "--seed", "3", "--yes", "--json", "--rounds", "2"];
            let run = app.quorate(&[&["run", topic, "--format", format], &simulated[..]].concat()).ok();
            let (now, path) = (normal(&run.out), fixture(language, format));
            if bless {
                std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
                std::fs::write(&path, &now).expect("it can be written");
                continue;
            }
            let before = std::fs::read_to_string(&path).unwrap_or_default();
            let differs = before.lines().zip(now.lines()).find(|(before, now)| before != now);
            assert!(before == now, "{} differs, first here: {differs:#?}", path.display());
        }
    }
}
