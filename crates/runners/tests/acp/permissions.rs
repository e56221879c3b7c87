//! What agents ask for, and who answers.

use std::time::Duration;

use quorate_contract::{ActionKind, ActionPermission, ActionStatus};
use quorate_runners::PermissionKey;

use super::agents::{TestAgent, answered, failed, request, watched};

const RUNS: &str = r#"
def turn(session, text):
    outcome = permission(session, "t1", "execute", "cargo test")
    if outcome.get("optionId") == "yes":
        update(session, sessionUpdate="tool_call_update", toolCallId="t1", status="completed")
    say(session, outcome.get("optionId", outcome["outcome"]))
    return {"stopReason": "end_turn"}
"#;

fn key(number: u32) -> PermissionKey {
    let asked = request(&[], 1);
    PermissionKey { meeting: asked.meeting, task: asked.task, attempt: 1, number }
}

#[tokio::test]
async fn a_person_permits_once_while_the_agent_waits() {
    for (allowed, said) in [(true, "yes"), (false, "no")] {
        let agent = TestAgent::new(RUNS);
        let (asked, seen) = watched(request(&[], 1));
        let answers = async {
            loop {
                if let Some(answer) = agent.board.take(&key(1)) {
                    return answer.give(allowed);
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let (outcome, ()) = tokio::join!(agent.ask(asked), answers);
        assert_eq!(answered(outcome).text, said);
        assert!(agent.board.take(&key(1)).is_none(), "a question takes one answer");
        let seen = seen.lock().expect("no panic").clone();
        assert_eq!(
            (seen[0].kind, seen[0].permission, seen[0].status),
            (ActionKind::Execute, ActionPermission::Asked, ActionStatus::Pending)
        );
        if allowed {
            assert_eq!(seen.last().map(|one| one.status), Some(ActionStatus::Completed));
        }
    }
}

#[tokio::test]
async fn nobody_answers_in_time_and_the_agent_is_refused() {
    let agent = TestAgent::with(RUNS, |config| config.permission_ms = 200);
    let (asked, seen) = watched(request(&[], 1));
    assert_eq!(answered(agent.ask(asked).await).text, "no");
    let seen = seen.lock().expect("no panic").clone();
    let told: Vec<_> = seen.iter().map(|one| (one.permission, one.by.clone())).collect();
    assert_eq!(told, [(ActionPermission::Asked, None), (ActionPermission::Refused, None)]);
}

#[tokio::test]
async fn where_nobody_is_there_an_agent_is_refused_at_once() {
    let agent = TestAgent::with(RUNS, |config| config.permission_ms = 3_600_000);
    agent.board.refuse_all();
    let (asked, seen) = watched(request(&[], 1));
    let outcome = tokio::time::timeout(Duration::from_secs(20), agent.ask(asked)).await;
    assert_eq!(answered(outcome.expect("nobody is waited for")).text, "no");
    let seen = seen.lock().expect("no panic").clone();
    let told: Vec<_> = seen.iter().map(|one| (one.permission, one.by.clone())).collect();
    assert_eq!(told, [(ActionPermission::Refused, None)]);
    assert!(agent.board.take(&key(1)).is_none(), "there is nothing to answer");
}

#[tokio::test]
async fn reading_in_the_folder_needs_nobody_and_reading_outside_of_it_does() {
    let agent = TestAgent::with(
        r#"
def turn(session, text):
    one = permission(session, "t1", "read", "main.rs", locations=[{"path": "src/main.rs"}])
    two = permission(session, "t2", "read", "hosts", locations=[{"path": "/etc/hosts"}])
    three = permission(session, "t3", "teleport", "away")
    four = permission(session, "t4", "read", ".env", locations=[{"path": ".env"}])
    five = permission(session, "t5", "read", "cat /etc/passwd", rawInput={"command": "cat /etc/passwd"})
    six = permission(session, "t6", "think", "about it")
    say(session, " ".join(outcome.get("optionId", "") for outcome in (one, two, three, four, five, six)))
    return {"stopReason": "end_turn"}
"#,
        |config| config.permission_ms = 100,
    );
    assert_eq!(answered(agent.ask(request(&[], 1)).await).text, "yes no no no no yes");
}

#[tokio::test]
async fn an_agent_that_asks_for_ever_is_stopped() {
    let agent = TestAgent::with(
        r#"
def turn(session, text):
    number = 0
    while True:
        number += 1
        permission(session, f"t{number}", "execute", "again")
"#,
        |config| config.permission_ms = 1,
    );
    let failure = failed(agent.ask(request(&[], 1)).await);
    let detail = failure.detail.in_language(quorate_contract::Language::En).into_owned();
    assert!(detail.contains("again and again"), "{detail}");
}
