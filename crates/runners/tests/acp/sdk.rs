//! An agent that is made with the protocol's own SDK (`sdk/test.sh` installs it).

use std::time::Duration;

use quorate_contract::{ActionKind, ActionPermission, ActionStatus};
use quorate_engine::{FragmentSink, Runner};
use quorate_runners::PermissionKey;

use super::agents::{TestAgent, answered, ear, request, watched};

fn agent(permission_ms: u64) -> TestAgent {
    let place =
        std::env::var("QUORATE_ACP_SDK").expect("crates/runners/tests/acp/sdk/test.sh names the folder");
    TestAgent::with("", |config| {
        config.command = vec!["node".to_owned(), format!("{place}/agent.mjs")];
        config.permission_ms = permission_ms;
    })
}

#[tokio::test]
#[ignore = "needs the SDK: crates/runners/tests/acp/sdk/test.sh"]
async fn an_agent_of_the_sdk_reads_asks_and_answers() {
    let agent = agent(60_000);
    let (asked, seen) = watched(request(&[(false, "one")], 1));
    let key = PermissionKey { meeting: asked.meeting.clone(), task: asked.task, attempt: 1, number: 2 };
    let answers = async {
        loop {
            if let Some(answer) = agent.board.take(&key) {
                return answer.give(true);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let (sink, heard) = ear();
    let (outcome, ()) = tokio::join!(agent.runner.run(asked, sink), answers);
    let answer = answered(outcome);
    assert_eq!(answer.text, "I read 2 lines, the same. I ran the tests. SQLite will do.");
    assert!(answer.reasoning.as_deref().unwrap_or_default().contains("- Read main.rs"), "{answer:?}");
    assert_eq!(heard.lock().expect("no panic").0, answer.text);
    let seen = seen.lock().expect("no panic").clone();
    let told: Vec<_> = seen.iter().map(|one| (one.number, one.kind, one.status, one.permission)).collect();
    assert_eq!(
        told,
        [
            (1, ActionKind::Read, ActionStatus::Completed, ActionPermission::NotNeeded),
            (2, ActionKind::Execute, ActionStatus::Pending, ActionPermission::Asked),
            (2, ActionKind::Execute, ActionStatus::Completed, ActionPermission::Allowed),
        ]
    );
}

#[tokio::test]
#[ignore = "needs the SDK: crates/runners/tests/acp/sdk/test.sh"]
async fn an_agent_of_the_sdk_is_cancelled_and_goes_on() {
    let agent = agent(60_000);
    // Nobody waits for this turn any more while the agent asks.
    let call = agent.runner.run(request(&[(false, "one")], 1), FragmentSink::nobody());
    _ = tokio::time::timeout(Duration::from_secs(3), call).await;
    let mut short = request(&[(false, "two")], 2);
    short.timeout_ms = 3_000;
    let answer = answered(agent.ask(short).await);
    assert_eq!(answer.text, "I read 2 lines, the same. I did not run the tests. SQLite will do.");
    agent.runner.close().await;
}
