//! Agents that keep to nothing. Each fault is told apart, with what to do next.

use std::time::Duration;

use quorate_contract::{FailureKind, Language};
use quorate_engine::{FragmentSink, Runner};

use super::agents::{TestAgent, answered, failed, request};

/// The failure of a turn with this agent: kind, detail and hint.
async fn failure(agent: &TestAgent) -> (FailureKind, String, String) {
    let failure = failed(agent.ask(request(&[], 1)).await);
    let [detail, hint] =
        [&failure.detail, &failure.hint].map(|text| text.in_language(Language::En).into_owned());
    assert!(!failure.hint.in_language(Language::Zh).is_empty());
    (failure.kind, detail, hint)
}

#[tokio::test]
async fn a_program_that_is_not_there_is_to_be_installed() {
    let agent = TestAgent::with("", |config| config.command = vec!["no-such-agent".to_owned()]);
    let (kind, detail, hint) = failure(&agent).await;
    assert_eq!(kind, FailureKind::NotConfigured);
    assert!(
        detail.contains("\"no-such-agent\" was not found") && hint.contains("[acp.coder]"),
        "{detail}; {hint}"
    );
}

#[tokio::test]
async fn a_program_that_ends_at_once_says_why_on_stderr() {
    let agent = TestAgent::new("sys.stderr.write('no such flag\\n'); sys.exit(2)");
    let (kind, detail, _) = failure(&agent).await;
    assert_eq!(kind, FailureKind::AgentFailed);
    assert!(
        detail.contains("exit code 2 before it was ready") && detail.contains("no such flag"),
        "{detail}"
    );
}

#[tokio::test]
async fn a_program_that_speaks_something_else_is_no_agent() {
    let agent = TestAgent::new("print('Welcome!'); print('> ', flush=True); sys.exit(0)");
    let (kind, detail, hint) = failure(&agent).await;
    assert_eq!(kind, FailureKind::Malformed);
    assert!(detail.contains("2 lines") && hint.contains("agent for editors"), "{detail}; {hint}");
    let agent = TestAgent::new("while True: print('y')");
    let (kind, detail, _) = failure(&agent).await;
    assert_eq!(kind, FailureKind::Malformed);
    assert!(detail.contains("does not speak the Agent Client Protocol"), "{detail}");
}

#[tokio::test]
async fn a_seat_never_speaks_in_another_mode_than_it_is_configured_for() {
    let agent = TestAgent::with("", |config| config.mode = Some("plan".to_owned()));
    for _ in 0..2 {
        let (kind, detail, hint) = failure(&agent).await;
        assert_eq!(kind, FailureKind::NotConfigured);
        assert!(detail.contains("\"plan\"") && hint.contains("[acp.coder]"), "{detail}; {hint}");
    }
    assert!(!agent.notes().iter().any(|note| note.starts_with("prompt")), "{:?}", agent.notes());
}

#[tokio::test]
async fn another_version_of_the_protocol_is_named() {
    let (kind, detail, _) = failure(&TestAgent::new("VERSION = 2")).await;
    assert_eq!(kind, FailureKind::BadRequest);
    assert!(detail.contains("version 2"), "{detail}");
}

#[tokio::test]
async fn a_sign_in_is_asked_for_with_the_ways_there_are() {
    let script = r#"
AUTH = [{"id": "login", "name": "Log in with a browser"}, {"id": "key", "name": "API key"}]
old, signed_in = handle, False
def handle(message):
    global signed_in
    if message["method"] == "authenticate": signed_in = message["params"]["methodId"] == "key"; return {}
    return old(message)
def serve():
    while True:
        message = read()
        if "id" not in message: continue
        if message["method"] == "session/new" and not signed_in:
            put({"id": message["id"], "error": {"code": -32000, "message": "Authentication required"}})
        else: put({"id": message["id"], "result": handle(message)})
"#;
    let (kind, detail, hint) = failure(&TestAgent::new(script)).await;
    assert_eq!(kind, FailureKind::Authentication);
    assert!(detail.contains("Log in with a browser (login)") && detail.contains("API key (key)"), "{detail}");
    assert!(hint.contains("in a terminal and sign in"), "{hint}");
    let agent = TestAgent::with(script, |config| config.auth = Some("key".to_owned()));
    answered(agent.ask(request(&[], 1)).await);
}

#[tokio::test]
async fn an_error_of_an_agent_is_told_by_what_it_says() {
    let refused = |words: &str| format!("def turn(session, text): raise Refused({words:?})");
    for (words, expected, helps) in [
        (
            "API error: 404 model: opus-9 not_found_error",
            FailureKind::ModelUnknown,
            "a model that the agent's account has",
        ),
        ("429 Too Many Requests", FailureKind::RateLimit, "later"),
        ("Your credit balance is too low", FailureKind::Quota, "add credit"),
        ("Something broke", FailureKind::AgentFailed, "by hand"),
    ] {
        let (kind, detail, hint) = failure(&TestAgent::new(&refused(words))).await;
        assert!(kind == expected && detail.contains(words), "{words}: {kind:?} {detail}");
        assert!(hint.to_lowercase().contains(helps), "{words}: {hint}");
    }
}

#[tokio::test]
async fn hints_about_an_agent_of_the_command_line_name_its_flags() {
    let script =
        "AUTH = [{'id': 'key', 'name': 'API key'}]\ndef turn(session, text):\n    raise SystemExit(3)\n";
    let of_flag = |script: &str| TestAgent::with(script, |config| config.of_command_line = true);
    let (_, _, hint) = failure(&of_flag(script)).await;
    assert!(hint.contains("python3") && !hint.contains("[acp."), "{hint}");
    let asks = r#"
def handle(message): raise Refused("Authentication required")
class Refused(Exception): pass
def serve():
    while True:
        message = read()
        if message.get("method") == "initialize": put({"id": message["id"], "result": {"protocolVersion": 1}})
        elif "id" in message: put({"id": message["id"], "error": {"code": -32000, "message": "Authentication required"}})
"#;
    let (kind, _, hint) = failure(&of_flag(asks)).await;
    assert_eq!(kind, FailureKind::Authentication);
    assert!(hint.contains("--acp-env") && !hint.contains("[acp."), "{hint}");
    let missing = TestAgent::with("", |config| {
        (config.of_command_line, config.command) = (true, vec!["no-such-agent".to_owned()]);
    });
    let (_, _, hint) = failure(&missing).await;
    assert!(hint.contains("--acp") && !hint.contains("[acp."), "{hint}");
}

#[tokio::test]
async fn an_agent_that_hangs_is_told_to_stop_and_then_stopped() {
    let mut asked = request(&[], 1);
    asked.timeout_ms = 700;
    // It ends its turn when it is told to, and goes on.
    let agent = TestAgent::new(
        r#"
turns = 0
def turn(session, text):
    global turns
    turns += 1
    if turns == 1:
        while read().get("method") != "session/cancel": pass
        note("cancelled")
        return {"stopReason": "cancelled"}
    say(session, "Better now.")
    return {"stopReason": "end_turn"}
"#,
    );
    let late = failed(agent.ask(asked.clone()).await);
    assert_eq!(late.kind, FailureKind::TimedOut);
    assert_eq!(answered(agent.ask(request(&[], 2)).await).text, "Better now.");
    assert_eq!(agent.notes().iter().filter(|note| note.starts_with("new ")).count(), 1, "the same session");
    // It does not listen.
    let deaf = TestAgent::new("def turn(session, text): time.sleep(60)");
    assert_eq!(failed(deaf.ask(asked).await).kind, FailureKind::TimedOut);
}

#[tokio::test]
async fn a_turn_that_nobody_waits_for_is_cancelled() {
    let agent = TestAgent::new(
        r#"
def turn(session, text):
    while read().get("method") != "session/cancel": pass
    note("cancelled")
    return {"stopReason": "cancelled"}
"#,
    );
    let call = agent.runner.run(request(&[], 1), FragmentSink::nobody());
    _ = tokio::time::timeout(Duration::from_millis(800), call).await;
    for _ in 0..200 {
        if agent.notes().contains(&"cancelled".to_owned()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it was not told: {:?}", agent.notes());
}

#[tokio::test]
async fn an_agent_that_dies_within_a_turn_is_told_from_one_that_never_was_ready() {
    let agent =
        TestAgent::new("def turn(session, text): say(session, 'SQL'); sys.stdout.flush(); os._exit(9)");
    let (kind, detail, _) = failure(&agent).await;
    assert_eq!(kind, FailureKind::AgentFailed);
    assert!(detail.contains("exit code 9 in the middle of a turn"), "{detail}");
}

#[tokio::test]
async fn a_flood_is_cut_off() {
    let agent = TestAgent::new("def turn(session, text):\n    while True: say(session, 'x' * 100_000)");
    let (kind, detail, _) = failure(&agent).await;
    assert_eq!(kind, FailureKind::Malformed);
    assert!(detail.contains("more than is taken"), "{detail}");
    let agent = TestAgent::new(
        "def turn(session, text):\n    sys.stdout.write('x' * (2 << 20)); sys.stdout.flush(); time.sleep(60)",
    );
    assert_eq!(failure(&agent).await.0, FailureKind::Malformed);
    let agent = TestAgent::new(
        "def turn(session, text):\n    for n in range(1000): tool(session, f't{n}', 'read', 'again')\n    time.sleep(60)",
    );
    assert!(failure(&agent).await.1.contains("more than 500 things"));
}

#[tokio::test]
async fn what_the_agent_says_of_its_end_is_the_failure() {
    let ends = |reason: &str| {
        TestAgent::new(&format!("def turn(session, text): return {{'stopReason': '{reason}'}}"))
    };
    assert_eq!(failure(&ends("refusal")).await.0, FailureKind::ContentRefused);
    assert_eq!(failure(&ends("end_turn")).await.0, FailureKind::Empty);
    assert!(failure(&ends("cancelled")).await.1.contains("cancelled its turn"));
    let agent = TestAgent::new(
        r#"
def serve():
    while True:
        message = read()
        if message.get("method") == "session/prompt":
            sys.stderr.write("a long trace\n"); sys.stderr.flush(); time.sleep(0.2)
            put({"id": message["id"], "error": {"code": -32603, "message": "Internal error", "data": {"details": "quota used up"}}})
        elif "id" in message: put({"id": message["id"], "result": handle(message)})
"#,
    );
    let (_, detail, _) = failure(&agent).await;
    assert!(detail.contains("quota used up") && !detail.contains("a long trace"), "{detail}");
}
