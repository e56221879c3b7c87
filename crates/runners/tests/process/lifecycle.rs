//! The life of a process: started when it is needed, asked, cancelled, replaced, gone.

use std::time::Duration;

use quorate_contract::{FailureKind, RunnerSpec};
use quorate_engine::{FragmentSink, Runner, RunnerDirectory};
use quorate_runners::{Directory, Pace, ProcessConfig, ProcessMode, SimulatedRunner};
use serde_json::{Value, json};

use crate::children::*;

/// Answers each call with its own line.
const MIRROR: &str = "
while True:
    call = read(); answer(json.dumps(call))
";

/// Answers with its own id.
const NUMBERED: &str = "
while True:
    call = read(); answer(str(os.getpid()))
";

const SILENT: &str = "call = read(); put('token', text='Us'); time.sleep(600)";

async fn said(child: &Child) -> String {
    answered(child.ask(request()).await).text
}

#[tokio::test]
async fn the_context_is_that_of_the_protocol() {
    let child = Child::new(ProcessMode::PerCall, MIRROR);
    let seen: Value = serde_json::from_str(&said(&child).await).expect("the line is JSON");
    let expected = json!({
        "type": "run", "protocol": 1, "id": "1",
        "meeting_id": "m-1", "run_id": "r-1", "task": "speak:r1t2", "attempt": 1, "kind": "speak",
        "language": "en", "round": 1, "speaker": "Ada", "can_skip": true,
        "context_mode": "shared",
        "public_messages": [
            { "role": "user", "content": "<meeting>\nTopic: Which database?\n</meeting>" },
            { "role": "assistant", "name": "Ada", "content": "SQLite." },
            { "role": "user", "content": "<message id=\"m2\" from=\"Ben\">\nWhy?\n</message>" },
        ],
        "private_memory": {},
        "system_instructions": "You are Ada.",
        "user_task": "<task>\nSpeak.\n</task>",
        "answer_schema": null,
        "limits": { "max_tokens": 300, "max_time_ms": 60_000 },
    });
    assert_eq!(seen, expected);

    let mut vote = request();
    vote.prompt.schema = Some(vote_schema());
    vote.timeout_ms = 600_000;
    let seen: Value = serde_json::from_str(&answered(child.ask(vote).await).text).expect("JSON");
    assert_eq!(seen["answer_schema"], json!({ "name": "vote", "schema": { "type": "object" } }));
    assert_eq!(seen["limits"]["max_time_ms"], 180_000, "the shorter of both limits");
}

#[tokio::test]
async fn pieces_are_heard_and_what_was_counted_is_billed() {
    let script = "call = read(); put('token', text='Use '); put('token', text='SQLite.')
answer('Use SQLite.', reasoning='hm', usage={'input_tokens': 20, 'output_tokens': 5}); stay()";
    let child = Child::new(ProcessMode::PerCall, script);
    let (sink, heard) = ear();
    let answer = answered(child.runner.run(request(), sink).await);
    assert_eq!(*heard.lock().expect("no panic"), ["Use ", "SQLite."]);
    assert_eq!((answer.text.as_str(), answer.reasoning.as_deref()), ("Use SQLite.", Some("hm")));
    assert_eq!((answer.usage.input_tokens, answer.usage.output_tokens), (20, 5));
    assert!(!answer.usage.estimated);
    let uncounted = Child::new(ProcessMode::PerCall, "call = read(); answer(); stay()");
    let usage = answered(uncounted.ask(request()).await).usage;
    assert!(usage.estimated && usage.input_tokens > 10 && usage.output_tokens > 3, "{usage:?}");
}

#[tokio::test]
async fn each_call_has_its_own_process_or_all_have_one() {
    let child = Child::new(ProcessMode::PerCall, NUMBERED);
    assert_ne!(said(&child).await, said(&child).await);
    let child = Child::new(ProcessMode::Persistent, NUMBERED);
    assert_eq!(said(&child).await, said(&child).await);
    child.runner.close().await;
    assert!(child.left().is_empty(), "{:?}", child.left());
    said(&child).await;
    assert_eq!(child.ids().len(), 2, "whoever asks after that is given another process");
}

#[tokio::test]
async fn answers_of_one_process_find_their_calls_in_any_order() {
    let script = "first = read(); second = read(); noise = {'message': {'content': 'nobody asked'}}
write(event('agent_message', noise, id='77') + b'\\n')
write(json.dumps({'type': 'agent_message', 'payload': noise}).encode() + b'\\n')
for call in [second, first]: answer(call['id'])
stay()";
    let (mut config, notes) = scripted(ProcessMode::Persistent, script);
    config.concurrency = Some(2);
    let child = Child::of((config, notes));
    let (one, other) = futures::join!(child.ask(request()), child.ask(request()));
    assert_eq!((answered(one).text.as_str(), answered(other).text.as_str()), ("1", "2"));
    assert_eq!(child.ids().len(), 1);
}

#[tokio::test]
async fn whoever_stops_waiting_ends_the_process() {
    for mode in [ProcessMode::PerCall, ProcessMode::Persistent] {
        for (script, within) in [
            (SILENT.to_owned(), Duration::from_millis(1500)),
            (format!("signal.signal(signal.SIGTERM, signal.SIG_IGN); {SILENT}"), Duration::from_secs(4)),
        ] {
            let child = Child::new(mode, &script);
            tokio::select! {
                outcome = child.ask(request()) => panic!("no answer comes: {outcome:?}"),
                () = child.has_started(1) => {}
            }
            let took = child.is_gone().await;
            assert!(took < within, "{mode:?}: {took:?}");
        }
    }
}

#[tokio::test]
async fn a_process_that_was_taken_a_call_from_is_replaced_and_others_are_not_disturbed() {
    let script = "
while True:
    call = read()
    if call['type'] == 'cancel': put('metric'); continue
    if call['attempt'] == 1: first = call; continue
    other = call; cancelled = read()
    call = other; answer(cancelled['type'] + cancelled['id'])
";
    let (mut config, notes) = scripted(ProcessMode::Persistent, script);
    config.concurrency = Some(2);
    let child = Child::of((config, notes));
    let mut second = request();
    second.attempt = 2;
    let short = async { tokio::time::timeout(Duration::from_millis(1500), child.ask(request())).await };
    let (first, second) = futures::join!(short, child.ask(second));
    assert!(first.is_err(), "nobody waits for it any more");
    assert_eq!(answered(second).text, "cancel1");
    child.is_gone().await;
}

#[tokio::test]
async fn a_process_that_ended_between_two_calls_is_started_again() {
    let script = "call = read(); answer(str(os.getpid())); os.close(0); time.sleep(0.3); os._exit(0)";
    let child = Child::new(ProcessMode::Persistent, script);
    let first = said(&child).await;
    // It reads no more, and is gone before it could answer.
    assert_ne!(said(&child).await, first);
    child.is_gone().await;
    said(&child).await;
    assert_eq!(child.ids().len(), 3);
}

#[tokio::test]
async fn a_process_sees_of_our_environment_what_it_is_given_and_keys_stay_with_it() {
    // Cargo sets these for every test.
    let script = "call = read(); seen = os.environ; secret = seen.get('CARGO_PKG_NAME', '')
put('error', kind='authentication', detail=' '.join(sorted(seen)) + ' ' + seen.get('CARGO_MANIFEST_DIR', '-'))";
    let (mut config, notes) = scripted(ProcessMode::PerCall, script);
    config.env = vec!["CARGO_MANIFEST_DIR".to_owned(), "NOT_SET_ANYWHERE".to_owned()];
    assert_eq!(config.unset_variables(), ["NOT_SET_ANYWHERE"]);
    let failure = failed(Child::of((config, notes)).ask(request()).await);
    assert_eq!(failure.kind, FailureKind::Authentication);
    assert!(
        failure.detail.to_string().contains("CARGO_MANIFEST_DIR")
            && failure.detail.to_string().contains("PATH"),
        "{failure:?}"
    );
    assert!(!failure.detail.to_string().contains("CARGO_PKG_NAME"), "{failure:?}");
}

#[tokio::test]
async fn what_a_process_said_is_told_when_the_meeting_has_no_more_time() {
    let script =
        "call = read(); sys.stderr.write('waiting for the model\\n'); sys.stderr.flush(); time.sleep(600)";
    let child = Child::new(ProcessMode::PerCall, script);
    let mut short = request();
    short.timeout_ms = 2_000;
    // As the engine does it.
    let outcome = tokio::time::timeout(Duration::from_millis(2_000), child.ask(short)).await;
    let failure = failed(outcome.expect("the process is given up before the meeting gives up"));
    assert_eq!(failure.kind, FailureKind::TimedOut);
    assert_eq!(failure.detail.to_string(), "lab: no answer within 2 s; its stderr: waiting for the model");
    assert!(failure.hint.to_string().contains("turns.timeout_ms"), "{failure:?}");
}

#[tokio::test]
async fn what_a_process_states_needs_no_stderr_beside_it() {
    let script = "call = read(); sys.stderr.write('a long trace\\n'); sys.stderr.flush(); put('error', kind='quota', detail='used up'); stay()";
    let failure = failed(Child::new(ProcessMode::PerCall, script).ask(request()).await);
    assert_eq!(failure.detail.to_string(), "lab: used up");
}

#[tokio::test]
async fn the_time_of_the_first_call_begins_when_the_process_is_ready() {
    let script = "time.sleep(1.5); write(b'{\"type\": \"ready\"}\\n')\nwhile True: call = read(); answer()";
    let (mut config, notes) = scripted(ProcessMode::Persistent, script);
    config.ready_ms = 20_000;
    let child = Child::of((config, notes));
    let mut short = request();
    short.timeout_ms = 1_000;
    // As the engine does it.
    child.runner.ready(&short).await;
    answered(child.ask(short.clone()).await);
    // It is ready now: nothing is waited for.
    let began = std::time::Instant::now();
    child.runner.ready(&short).await;
    assert!(began.elapsed() < Duration::from_millis(500));
    answered(child.ask(short).await);
}

#[tokio::test]
async fn the_directory_knows_processes_by_name_and_says_which_when_it_does_not() {
    let mut directory = Directory::new(std::sync::Arc::new(SimulatedRunner::new(Pace::Instant)));
    let spec = |name: &str| RunnerSpec::Process { name: name.to_owned() };
    let nobody = directory.find(&spec("lob"));
    let failure = failed(nobody.run(request(), FragmentSink::nobody()).await);
    assert_eq!(failure.kind, FailureKind::NotConfigured);
    assert_eq!(failure.hint.to_string(), "no process is configured; add [processes.lob] with its command");
    let (config, _notes) = scripted(ProcessMode::PerCall, "call = read(); answer()");
    directory.add_process(config).expect("a good configuration");
    answered(directory.find(&spec("lab")).run(request(), FragmentSink::nobody()).await);
    let failure = failed(directory.find(&spec("lob")).run(request(), FragmentSink::nobody()).await);
    assert_eq!(failure.detail.to_string(), "there is no process named lob");
    assert_eq!(failure.hint.to_string(), "choose from lab, or add [processes.lob] with its command");
    let empty: [&str; 0] = [];
    let error = directory.add_process(ProcessConfig::new("lab", empty)).expect_err("no command");
    assert_eq!(error.to_string(), "process lab: command is empty");
}

#[tokio::test]
async fn a_process_is_told_of_images_and_sent_their_content_where_it_says_so() {
    let script = r#"
call = read()
first = call["public_messages"][0]
content = first["images"][0].get("content")
answer(json.dumps([first["images"][0]["file"], content, "You do not see" in first["content"]]))
"#;
    for sees in [true, false] {
        let (mut config, notes) = scripted(ProcessMode::PerCall, script);
        config.images = sees;
        let child = Child::of((config, notes));
        let mut asked = request();
        let offset = asked.prompt.messages[0].content.len();
        asked.prompt.messages[0].images.push(quorate_contract::PromptImage {
            offset,
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
        assert_eq!(child.runner.takes_images(), sees);
        let told = answered(child.ask(asked).await).text;
        let expected = match sees {
            true => r#"["f1", {"media_type": "image/png", "base64": "iVBORw0KGgo="}, false]"#,
            false => r#"["f1", null, true]"#,
        };
        assert_eq!(told, expected);
    }
}
