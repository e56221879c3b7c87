//! Hints over HTTP name no terminal commands: the reader may have no terminal.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_server::Rig;

/// The commands of the terminal; a program's name before one of them is a command to be typed.
const COMMANDS: [&str; 30] = [
    "run",
    "serve",
    "url",
    "resume",
    "say",
    "pause",
    "end",
    "minutes",
    "delete",
    "list",
    "show",
    "export",
    "replay",
    "verify",
    "fork",
    "whatif",
    "search",
    "agents",
    "providers",
    "prices",
    "accounts",
    "tokens",
    "backup",
    "restore",
    "import",
    "estimate",
    "doctor",
    "sim",
    "completions",
    "audit",
];

/// The first command of ours that a text tells to type.
fn command_in(text: &str) -> Option<&str> {
    text.split("quorate ").skip(1).find_map(|rest| {
        let word = rest.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default();
        COMMANDS.contains(&word).then_some(word)
    })
}

#[tokio::test]
async fn no_problem_tells_to_type_a_command_in_either_language() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let over = rig.meeting(json!({})).await;
    rig.post(&format!("{over}/start"), json!({})).await;
    rig.to_the_end(&over).await;
    let model = |model: &str| json!({"topic": "x", "models": [model]});
    let requests: Vec<(Method, String, Option<Value>)> = vec![
        (Method::GET, "/meetings/nowhere".into(), None),
        (Method::GET, "/meetings/last".into(), None),
        (Method::POST, "/meetings".into(), Some(json!({"simulate": true}))),
        (Method::POST, "/meetings".into(), Some(model("openai/gpt-5"))),
        (Method::POST, "/meetings".into(), Some(model("opnai/gpt-5"))),
        (Method::POST, "/meetings".into(), Some(model("nobody/x"))),
        (Method::POST, "/meetings".into(), Some(model("x"))),
        (Method::POST, "/meetings".into(), Some(json!({"topic": "x", "participants": [{"agent": "Zoe"}]}))),
        (Method::POST, "/meetings/estimate".into(), Some(model("anthropic/claude"))),
        (Method::POST, format!("{over}/messages"), Some(json!({"content": "late"}))),
        (Method::POST, format!("{over}/resume"), Some(json!({}))),
        (Method::POST, format!("{meeting}/pause"), None),
        (Method::POST, format!("{meeting}/what-if"), Some(json!({"mean_score": 10}))),
        (Method::POST, format!("{meeting}/fork"), Some(json!({"seq": 900}))),
        (Method::GET, "/agents/nobody".into(), None),
        (Method::DELETE, "/agents/nobody".into(), None),
        (Method::GET, "/providers/nobody".into(), None),
        (Method::DELETE, "/providers/nobody".into(), None),
        (Method::PATCH, "/providers/x".into(), Some(json!({}))),
        (Method::PATCH, "/providers/openai".into(), Some(json!({}))),
        (Method::PATCH, "/providers/opnai".into(), Some(json!({"api_key": "sk-1234567890"}))),
        (Method::PATCH, "/providers/x".into(), Some(json!({"vendor": "opnai", "api_key": "sk-1234567890"}))),
        (Method::POST, "/providers/nobody/test".into(), Some(json!({}))),
        (Method::POST, "/providers/openai/test".into(), Some(json!({}))),
        (Method::DELETE, "/accounts/nobody".into(), None),
        (Method::POST, "/tokens".into(), Some(json!({"name": ""}))),
    ];
    let mut refusals = 0;
    for (method, path, body) in requests {
        for language in ["zh-CN", "en"] {
            let headers = [("accept-language", language)];
            let answer = rig.send(method.clone(), &path, &headers, body.clone()).await;
            if answer.status.is_success() {
                continue;
            }
            refusals += 1;
            let told = answer.body.to_string();
            assert_eq!(command_in(&told), None, "{method} {path}: {told}");
            assert!(!told.contains(" --"), "{method} {path} names a flag of the terminal: {told}");
        }
    }
    assert!(refusals > 40, "{refusals}");
}

/// Texts of the layers below the terminal are read on the page and over HTTP, too.
#[test]
fn no_text_below_the_terminal_tells_to_type_a_command() {
    fn look(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("the sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                look(&path, found);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            for line in text.lines().filter(|line| line.contains('"') && !line.trim_start().starts_with("//"))
            {
                if let Some(command) = command_in(line) {
                    found.push(format!("{}: {command}: {}", path.display(), line.trim()));
                }
            }
        }
    }
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for name in ["core", "engine", "store", "runners", "server"] {
        look(&crates.join(name).join("src"), &mut found);
    }
    // What the terminal alone reads.
    found.retain(|line| !line.contains("access/options.rs"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}
