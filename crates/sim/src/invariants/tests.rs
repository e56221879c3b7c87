//! What the checks of logs find.

use serde_json::{Value, json};

use super::*;

/// The lines of a meeting that has turns, votes and a conclusion.
fn log() -> Vec<Value> {
    let lines = (0..)
        .filter_map(|seed| crate::play(seed).ok())
        .map(|story| story.log)
        .find(|log| ["vote_cast", "agent_message", "finished"].iter().all(|kind| has(log, kind)));
    let lines = lines.expect("some seed brings one");
    lines.iter().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn has(log: &[String], kind: &str) -> bool {
    log.iter().any(|line| line.contains(&format!(r#""type":"{kind}""#)))
}

fn place(log: &[Value], kind: &str) -> usize {
    log.iter().position(|event| event["type"] == kind).expect("it is there")
}

/// Repeats an event at the end of its step, and renumbers.
fn doubled(mut log: Vec<Value>, kind: &str) -> Vec<Value> {
    let at = place(&log, kind);
    log.insert(at + 1, log[at].clone());
    numbered(log)
}

fn numbered(mut log: Vec<Value>) -> Vec<Value> {
    for (event, seq) in log.iter_mut().zip(1..) {
        event["seq"] = json!(seq);
    }
    log
}

fn verdict(log: &[Value]) -> String {
    let lines: Vec<String> = log.iter().map(Value::to_string).collect();
    match check_log(lines.iter().map(String::as_str)) {
        Ok(_) => "nothing".into(),
        Err(what) => what,
    }
}

#[track_caller]
fn caught(log: &[Value], words: &str) {
    let verdict = verdict(log);
    assert!(verdict.contains(words), "{verdict:?} does not say {words:?}");
}

#[test]
fn what_breaks_a_rule_is_caught_and_named() {
    assert_eq!(verdict(&log()), "nothing", "the log as it was played is right");
    caught(&doubled(log(), "vote_cast"), "votes twice");
    caught(&doubled(log(), "agent_message"), "ends twice");
    caught(&doubled(log(), "speaker_selected"), "was given twice");
    caught(&doubled(log(), "call_started"), "is called while it is under way");
    caught(&doubled(log(), "call_ended"), "and is not under way");
    caught(&doubled(log(), "meeting_created"), "created twice");
    caught(&doubled(log(), "meeting_closing"), "closes twice");
    caught(&doubled(log(), "conclusion_written"), "two conclusions");
    caught(&doubled(log(), "finished"), "something follows `finished`");
}

#[test]
fn a_gap_a_lie_about_time_and_an_unknown_line_are_caught() {
    let mut gap = log();
    gap.remove(4);
    caught(&gap, "a gap: event 6 follows event 4");
    let mut back = log();
    let late = back.len() - 1;
    back[late]["ts_ms"] = json!(1);
    caught(&back, "runs backwards");
    let mut unknown = log();
    unknown[3]["type"] = json!("meeting_dissolved");
    caught(&unknown, "event 4 cannot be read");
    let mut foreign = log();
    foreign[3]["meeting_id"] = json!("another");
    caught(&foreign, "belongs to meeting another");
}

#[test]
fn a_choice_that_is_left_to_the_fold_is_caught() {
    for (kind, field) in [("meeting_started", "silence_max_ms"), ("meeting_closing", "asked_again")] {
        let mut silent = log();
        let at = place(&silent, kind);
        silent[at]["payload"].as_object_mut().expect("a payload").remove(field).expect("it is said");
        caught(&silent, "leaves to the fold what follows");
    }
}

#[test]
fn attempts_that_jump_and_people_who_left_are_caught() {
    let mut jump = log();
    let at = place(&jump, "call_started");
    jump[at]["payload"]["attempt"] = json!(3);
    caught(&jump, "attempt 3 of");
    let mut gone = log();
    let at = place(&gone, "speaker_selected");
    let participant = gone[at]["payload"]["participant"].clone();
    let mut left = gone[at].clone();
    left["type"] = json!("participant_left");
    left["payload"] = json!({ "participant": participant, "by": Actor::owner() });
    gone.insert(at, left);
    caught(&numbered(gone), "is asked and has left");
}

#[test]
fn a_budget_that_is_passed_is_caught() {
    let mut dear = log();
    dear[0]["payload"]["rules"]["limits"]["tokens"] = json!(10);
    let at = place(&dear, "call_started");
    dear[at]["payload"]["reserved"]["tokens"] = json!(11);
    caught(&dear, "tokens spent and 11 held of 10");
}
