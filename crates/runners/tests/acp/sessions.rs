//! Turns and sessions of agents that keep to the protocol.

use quorate_contract::{ActionKind, ActionPermission, ActionStatus, RunnerSpec, StopReason};
use quorate_engine::Runner;

use super::agents::{TestAgent, answered, ear, failed, request, root, watched};

#[tokio::test]
async fn an_answer_is_heard_live_and_what_was_read_is_reported() {
    let agent = TestAgent::new(
        r#"
def turn(session, text):
    think(session, "Let me look.")
    say(session, "Looking.")
    tool(session, "t1", "read", "Read main.rs", status="in_progress", locations=[{"path": CWD + "/src/main.rs", "line": 1}])
    update(session, sessionUpdate="tool_call_update", toolCallId="t1", status="completed")
    read1 = ask("fs/read_text_file", sessionId=session, path=CWD + "/src/main.rs", line=2)
    secret = ask("fs/read_text_file", sessionId=session, path=CWD + "/.env")
    write = ask("fs/write_text_file", sessionId=session, path=CWD + "/x", content="x")
    say(session, "It says " + read1["result"]["content"].strip() + f' {secret["error"]["code"]} {write["error"]["code"]}')
    return {"stopReason": "end_turn", "usage": {"inputTokens": 900, "outputTokens": 30, "totalTokens": 930}}
old = handle
def handle(message):
    global CWD
    if message.get("method") == "session/new": CWD = message["params"]["cwd"]
    return old(message)
"#,
    );
    let (asked, seen) = watched(request(&[(false, "one")], 1));
    let (sink, heard) = ear();
    let answer = answered(agent.runner.run(asked, sink).await);
    assert_eq!(answer.text, "Looking.\n\nIt says // second -32603 -32601");
    assert_eq!((answer.usage.input_tokens, answer.usage.output_tokens), (900, 30));
    assert!(!answer.usage.estimated && answer.stop == StopReason::Stop);
    assert_eq!(answer.reasoning.as_deref(), Some("Let me look."));
    let heard = heard.lock().expect("no panic").clone();
    assert_eq!(heard, (answer.text, "Let me look.".to_owned()));
    let seen = seen.lock().expect("no panic").clone();
    let told: Vec<_> = seen
        .iter()
        .map(|one| (one.number, one.kind, one.locations[0].path.as_str(), one.status, one.permission))
        .collect();
    // The file that the agent read through us is the one that it had told of.
    let not_needed = ActionPermission::NotNeeded;
    assert_eq!(
        told,
        [
            (1, ActionKind::Read, "src/main.rs", ActionStatus::Completed, not_needed),
            (2, ActionKind::Read, ".env", ActionStatus::Failed, not_needed),
        ]
    );
    let capabilities =
        r#"initialize {"fs": {"readTextFile": true, "writeTextFile": false}, "terminal": false}"#;
    assert_eq!(agent.notes()[..2], [capabilities.to_owned(), format!("new {}", root(&agent))]);
}

#[tokio::test]
async fn a_session_is_kept_and_reads_each_message_once_also_after_a_restart() {
    let mut agent = TestAgent::new("LOADS = True");
    answered(agent.ask(request(&[(false, "one")], 1)).await);
    let said = [(false, "one"), (true, "SQLite will do."), (false, "two")];
    answered(agent.ask(request(&said, 2)).await);
    agent.runner.close().await;
    agent.restarted();
    let more = [said[0], said[1], said[2], (true, "SQLite will do."), (false, "three")];
    answered(agent.ask(request(&more, 3)).await);
    let asked = agent.asked();
    assert!(asked[0].starts_with("You are Ada.") && asked[0].contains("one\n\n<task>"), "{}", asked[0]);
    assert_eq!(asked[1..], ["two\n\n<task>\nSpeak.\n</task>", "three\n\n<task>\nSpeak.\n</task>"]);
    let notes = agent.notes();
    assert_eq!(notes.iter().filter(|note| note.starts_with("new ")).count(), 1, "{notes:?}");
    assert_eq!(notes.iter().filter(|note| note.starts_with("load ")).count(), 1, "{notes:?}");
    // What it told of its history again is no part of the answer.
    agent.runner.close().await;
}

#[tokio::test]
async fn an_agent_that_forgets_is_told_the_whole_record_again() {
    let mut agent = TestAgent::new("");
    answered(agent.ask(request(&[(false, "one")], 1)).await);
    agent.runner.close().await;
    agent.restarted();
    answered(agent.ask(request(&[(false, "one"), (true, "mine"), (false, "two")], 2)).await);
    let asked = agent.asked();
    assert!(asked[1].contains("You are Ada.") && asked[1].contains("one") && asked[1].contains("mine"));
}

#[tokio::test]
async fn an_agent_that_died_between_two_turns_is_started_again() {
    let agent = TestAgent::new(
        r#"
def turn(session, text):
    say(session, "Done.")
    threading.Timer(0.05, lambda: os._exit(3)).start()
    return {"stopReason": "end_turn"}
"#,
    );
    assert_eq!(answered(agent.ask(request(&[], 1)).await).text, "Done.");
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(answered(agent.ask(request(&[], 2)).await).text, "Done.");
}

#[tokio::test]
async fn a_seat_works_in_the_folder_that_it_names_and_in_no_other() {
    let agent = TestAgent::new("");
    let seat = |folder: &str| {
        let runner = RunnerSpec::Acp { name: "coder".to_owned(), folder: folder.to_owned() };
        quorate_engine::Request { runner, ..request(&[], 1) }
    };
    answered(agent.ask(seat("project/src")).await);
    assert!(agent.notes().contains(&format!("new {}/src", root(&agent))));
    for folder in ["project/none", "other", "project/.."] {
        let failure = failed(agent.ask(seat(folder)).await);
        assert!(failure.hint.in_language(quorate_contract::Language::En).contains("[acp.coder.folders]"));
    }
}

#[tokio::test]
async fn a_form_is_the_last_part_of_an_answer_alone() {
    let agent = TestAgent::new(
        r#"
def turn(session, text):
    assert "JSON Schema" in text
    say(session, "First I look.")
    tool(session, "t", "search", "grep", status="completed")
    say(session, '{"score": 80}')
    return {"stopReason": "end_turn"}
"#,
    );
    let mut asked = request(&[], 1);
    let schema = std::sync::Arc::new(serde_json::json!({ "type": "object" }));
    asked.prompt.schema = Some(quorate_contract::AnswerSchema { name: "vote", schema });
    assert_eq!(answered(agent.ask(asked).await).text, r#"{"score": 80}"#);
}

#[tokio::test]
async fn a_writable_agent_writes_in_its_folder() {
    let script = r#"
def turn(session, text):
    one = ask("fs/write_text_file", sessionId=session, path="new.txt", content="new")
    two = ask("fs/write_text_file", sessionId=session, path="../new.txt", content="new")
    say(session, f'{"result" in one} {"error" in two}')
    return {"stopReason": "end_turn"}
"#;
    let agent = TestAgent::with(script, |config| config.writable = true);
    let (asked, seen) = watched(request(&[], 1));
    assert_eq!(answered(agent.ask(asked).await).text, "True True");
    assert_eq!(std::fs::read_to_string(agent.folder.join("new.txt")).expect("written"), "new");
    let seen = seen.lock().expect("no panic").clone();
    assert_eq!(
        seen.iter().map(|one| (one.kind, one.status)).collect::<Vec<_>>(),
        [(ActionKind::Edit, ActionStatus::Completed), (ActionKind::Edit, ActionStatus::Failed),]
    );
}

#[tokio::test]
async fn images_go_to_agents_whose_prompts_take_them_once_in_a_session() {
    const SEES: &str = r#"
old = handle
def handle(message):
    answer = old(message)
    if message.get("method") == "initialize": answer["agentCapabilities"]["promptCapabilities"] = {"image": IMAGES}
    if message.get("method") == "session/prompt": note("blocks " + json.dumps(message["params"]["prompt"][1:]))
    return answer
"#;
    let showing = |place| {
        let mut asked = request(&[(false, "<image file=\"f1\"></image>")], place);
        asked.prompt.messages[0].images.push(quorate_contract::PromptImage {
            offset: 25,
            file: quorate_contract::FileId(1),
            name: "chart.png".to_owned(),
            media_type: "image/png".to_owned(),
            size: 9,
            sha256: "a1".to_owned(),
            width: 3,
            height: 2,
        });
        let loaded = quorate_engine::LoadedImage {
            sha256: "a1".to_owned(),
            media_type: "image/png",
            base64: "iVBORw0KGgo=".into(),
        };
        asked.images = std::sync::Arc::from([loaded]);
        asked
    };
    for sees in [true, false] {
        let agent = TestAgent::new(&format!("IMAGES = {}\n{SEES}", if sees { "True" } else { "False" }));
        for place in [1, 2] {
            answered(agent.ask(showing(place)).await);
        }
        let notes = agent.notes();
        let blocks: Vec<_> = notes.iter().filter_map(|note| note.strip_prefix("blocks ")).collect();
        let image = r#"[{"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}]"#;
        let mut sorted: Vec<serde_json::Value> =
            blocks.iter().map(|block| serde_json::from_str(block).expect("JSON")).collect();
        let expected: serde_json::Value = serde_json::from_str(image).expect("JSON");
        let second = sorted.pop().expect("a second turn");
        assert_eq!(second, serde_json::json!([]), "the session has seen it");
        assert_eq!(sorted, [if sees { expected } else { serde_json::json!([]) }]);
        let told = agent.asked()[0].contains("You do not see this image");
        assert_eq!(told, !sees);
    }
}
