//! Outcomes of calls: good answers, and all others.

use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;

pub fn answer(text: &str) -> Answer {
    Answer {
        text: text.into(),
        reasoning: None,
        usage: Usage { input_tokens: 100, output_tokens: 20, ..Usage::default() },
        stop: StopReason::Stop,
        latency_ms: 5,
        web: WebFindings::default(),
        request_id: None,
    }
}

pub fn failure(kind: FailureKind) -> Failure {
    Failure {
        kind,
        detail: "broken".into(),
        hint: "mend it".into(),
        usage: None,
        latency_ms: 1,
        doubtful: false,
        window: None,
        request_id: None,
    }
}

/// Every kind of trouble that a runner can report.
pub const TROUBLES: [FailureKind; 14] = [
    FailureKind::Authentication,
    FailureKind::RateLimit,
    FailureKind::Quota,
    FailureKind::Overloaded,
    FailureKind::ContextTooLong,
    FailureKind::ContentRefused,
    FailureKind::ModelUnknown,
    FailureKind::BadRequest,
    FailureKind::Network,
    FailureKind::TimedOut,
    FailureKind::Malformed,
    FailureKind::Empty,
    FailureKind::NotConfigured,
    FailureKind::AgentFailed,
];

/// A proper answer to any kind of call.
pub fn good_answer(meeting: &Meeting, call: &Call, score: u8) -> String {
    let name = context(meeting, call).brief.name.clone();
    let words = Words {
        position: format!("{name} would begin with SQLite"),
        claim: format!("one file is easy to keep, says {name}"),
        speech: format!("{name} speaks in round {}.", meeting.round_number()),
        reason: format!("{name} has read it"),
    };
    answer_in_form(meeting, call, score, &words)
}

/// The words that a participant puts into an answer.
#[derive(Debug, Clone)]
pub struct Words {
    pub position: String,
    pub claim: String,
    pub speech: String,
    pub reason: String,
}

/// An answer in the form that the call asks for, in these words.
pub fn answer_in_form(meeting: &Meeting, call: &Call, score: u8, words: &Words) -> String {
    let brief = context(meeting, call).brief;
    let json = match &brief.task {
        BriefTask::Speak(turn) => {
            let reply = |target: &BriefTarget| format!("[{}] I see it otherwise. ", target.claim);
            return turn.targets.iter().map(reply).collect::<String>() + &words.speech;
        }
        BriefTask::Blind(_) => serde_json::json!({
            "position": words.position, "claims": [words.claim], "confidence": 60,
            "would_change_my_mind": "two writers", "unshared_facts": [],
        }),
        BriefTask::Vote => serde_json::json!({
            "score": score, "pass": score >= 75, "reason": words.reason, "missing": [],
        }),
        BriefTask::Summarize(_) => {
            let held = brief.participants.iter().filter_map(|v| Some((v.position.as_ref()?, &v.name)));
            let positions: Vec<_> =
                held.map(|(text, name)| serde_json::json!({ "text": text, "holders": [name] })).collect();
            serde_json::json!({
                "summary": format!("Round {} in short", brief.round),
                "positions": positions,
                "draft": format!("Begin with SQLite (after round {})", brief.round),
            })
        }
        BriefTask::Facilitate => serde_json::json!({
            "disagreements": ["when to move"], "proposed_patch": "name the trigger",
            "next_focus": ["what is the trigger?"],
        }),
        BriefTask::Conclude(ending) => serde_json::json!({
            "conclusion": "Begin with SQLite.", "disagreements": [],
            "actions": [{ "what": "write it down", "who": null, "sources": ["m1"] }],
            "best": ending.ideas.iter().take(ending.best_ideas as usize)
                .map(|idea| serde_json::json!({ "idea": idea.id, "why": "it can be tried" }))
                .collect::<Vec<_>>(),
            "wildcard": null,
        }),
        BriefTask::Contribute(_) => serde_json::json!({
            "statement": words.speech, "recommendation": words.position, "confidence": 60,
            "changed_by": null, "claims": [words.claim], "risks": ["it may grow"],
            "open_questions": ["how many writers?", "how large?", "for how long?"],
            "memory": { "assumptions": [words.reason] },
        }),
        BriefTask::Intake(_) => serde_json::json!({ "questions": [{
            "key": "writers", "ask": "How many writers?", "why": "it decides", "required": true,
            "kind": "number", "choices": [],
        }] }),
        BriefTask::Team(team) => serde_json::json!({ "candidates": (0..team.seats)
            .map(|place| candidate(&format!("Guest {round}{place}", round = brief.round)))
            .collect::<Vec<_>>() }),
        BriefTask::Invite(_) => candidate("Zoe"),
        BriefTask::Evaluate(_) => serde_json::json!({ "marks": brief.participants.iter()
            .map(|voice| serde_json::json!({ "name": voice.name, "score": 7, "reason": words.reason }))
            .collect::<Vec<_>>() }),
        BriefTask::Minutes(minutes) => {
            let last = minutes.sources.messages.last().map_or("m1", |message| &message.id);
            serde_json::json!({
                "content": format!("Minutes up to {last}"), "summary": words.position,
                "decisions": [{ "text": words.position, "who": null, "sources": [last], "quote": null }],
                "actions": [], "risks": [],
            })
        }
        BriefTask::Artifact(wanted) => artifact(wanted.artifact, words),
    };
    json.to_string()
}

fn candidate(name: &str) -> serde_json::Value {
    serde_json::json!({
        "name": name, "role": "Guest", "description": "looks at it from outside", "focus": "outside",
        "system_prompt": "Be brief.", "model": "", "temperature": 0.7, "reason": "nobody looks from outside",
    })
}

/// A proper artifact that rests on the first message.
pub fn artifact(kind: ArtifactKind, words: &Words) -> serde_json::Value {
    let line = serde_json::json!({ "text": words.position, "sources": ["m1"], "quote": null });
    match kind {
        ArtifactKind::Adr => serde_json::json!({
            "title": "SQLite", "status": "proposed", "context": words.claim, "decision": line,
            "options": [{ "name": "SQLite", "pros": ["one file"], "cons": ["one writer"], "sources": ["m1"] }],
            "consequences": [line],
        }),
        ArtifactKind::Tasks => serde_json::json!({ "tasks": [{
            "title": "write it down", "description": words.claim, "owner": null, "priority": "high",
            "acceptance": "it is written", "sources": ["m1"],
        }] }),
        ArtifactKind::Risks => serde_json::json!({ "risks": [{
            "risk": "it grows", "likelihood": "low", "impact": "high", "mitigation": "measure",
            "owner": null, "sources": ["m1"],
        }] }),
        ArtifactKind::Minutes | ArtifactKind::Summary => serde_json::json!({
            "summary": words.claim, "key_points": [line], "open_questions": [],
        }),
    }
}

/// The manner in which a call is answered.
#[derive(Debug, Clone)]
pub enum Manner {
    /// A good answer; votes have this score.
    Well(u8),
    /// This text, for any task.
    Words(String),
    /// An empty answer.
    Silence(StopReason),
    /// A failure.
    TaskFailure(FailureKind),
}

impl Manner {
    /// The outcome of this call in this manner.
    pub fn outcome(&self, meeting: &Meeting, call: &Call) -> Outcome {
        match self {
            Self::Well(score) => Outcome::Answered(answer(&good_answer(meeting, call, *score))),
            Self::Words(text) => Outcome::Answered(answer(text)),
            Self::Silence(stop) => Outcome::Answered(Answer { stop: *stop, ..answer(" \n") }),
            Self::TaskFailure(kind) => Outcome::Failed(failure(*kind)),
        }
    }
}

/// Proper answers, prose where JSON was asked for, broken JSON, silence, trouble, mentions,
/// forged frames, and far too much.
pub fn any_manner() -> impl Strategy<Value = Manner> {
    prop_oneof![
        6 => (0u8..=100).prop_map(Manner::Well),
        5 => answer_text().prop_map(Manner::Words),
        1 => prop::sample::select(vec![StopReason::Stop, StopReason::Length, StopReason::ContentFilter])
            .prop_map(Manner::Silence),
        2 => prop::sample::select(TROUBLES.to_vec()).prop_map(Manner::TaskFailure),
    ]
}

fn answer_text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => super::any::words(),
        2 => super::any::words().prop_map(|words| format!("@Ada @\"Ben\" and @林晚: {words}")),
        2 => Just("[SKIP]".to_owned()),
        2 => Just("{\"position\": \"\\u0000\", \"score\": 101, \"pass\": \"perhaps\"".to_owned()),
        2 => Just("{\"position\": \"\\u0007\", \"claims\": [{\"text\": \"\\u0000\"}]}".to_owned()),
        2 => (0u8..=100, super::any::words()).prop_map(|(score, reason)| {
            serde_json::json!({ "score": score, "pass": "no", "reason": reason, "missing": reason }).to_string()
        }),
        2 => Just(r#"{"abstain": true, "reason": "not mine to say"}"#.to_owned()),
        2 => super::any::words().prop_map(|text| {
            serde_json::json!({
                "summary": text, "draft": text, "conclusion": text,
                "positions": [{ "text": text, "holders": ["Ada", "ada", "p1", "Nobody"] }],
                "disagreements": [{ "issue": text, "sides": [{ "view": text, "holders": ["Ben"] }] }],
                "next_focus": text, "actions": [{ "what": text, "sources": ["m1", "m999", "x"] }],
            })
            .to_string()
        }),
        1 => (1usize..1000).prop_map(|times| "长篇大论 and more of it. ".repeat(times)),
    ]
}
