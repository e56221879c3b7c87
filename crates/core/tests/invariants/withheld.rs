//! A reader with the smallest permission sees no marks, notes, reasoning and open votes in any event.

use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;

use super::cases;
use super::views::{answered, any_format};
use crate::support::*;

/// Texts that no withheld line may hold.
fn hidden_texts(event: &Event, open: Option<BallotId>) -> Vec<String> {
    match &event.body {
        EventBody::EvaluationWritten { marks, .. } => marks
            .iter()
            .flat_map(|mark| [mark.reason.to_string(), format!("\"score\":{}", mark.score)])
            .collect(),
        EventBody::MemoryWritten { memory, .. } => memory.notes.clone(),
        EventBody::AgentMessage { reasoning, .. } => reasoning.iter().cloned().collect(),
        EventBody::AnswerMalformed { excerpt, .. } => vec![excerpt.clone()],
        EventBody::VoteCast { ballot, vote, .. } if open == Some(*ballot) => {
            vec![vote.reason.clone(), format!("\"score\":{}", vote.score)]
        }
        _ => Vec::new(),
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn what_is_withheld_holds_nothing_hidden_and_leaves_no_hole(spec in any_format(), malformed in any::<bool>()) {
        let mut spec = spec;
        spec.rules.roster.leave_below = 9; // marks cause a departure, whose reason is hidden
        spec.rules.roster.min_team = 1;
        let mut table = Transaction::started(spec);
        for step in 0..400 {
            let Some(call) = table.calls().into_iter().next() else { break };
            let mut answer = answered(&table, &call);
            if malformed && step % 5 == 1 && call.attempt == 1 && !matches!(call.id, TaskId::Speak(_)) {
                answer.text = "mark-of-somebody thought-of-somebody notes-of-nobody, and no object".to_owned();
            }
            let command = interpret(&table.meeting, &call, Outcome::Answered(answer));
            table.execute(command);
        }
        let mut open = None;
        for event in &table.log {
            match &event.body {
                EventBody::BallotOpened { ballot, .. } => open = Some(*ballot),
                EventBody::BallotClosed { .. } | EventBody::BallotInterrupted { .. } => open = None,
                _ => {}
            }
            let line = Visibility::Public.line(event, open);
            let shown = line.clone().unwrap_or_else(|| event.to_json());
            for secret in hidden_texts(event, open).iter().filter(|secret| !secret.is_empty()) {
                prop_assert!(!shown.contains(secret.as_str()), "{secret:?} is told in {shown}");
            }
            for secret in ["mark-of-somebody", "thought-of-somebody", "notes-of-"] {
                prop_assert!(!shown.contains(secret), "{secret:?} is told in {shown}");
            }
            let json: serde_json::Value = serde_json::from_str(&shown).expect("a line is JSON");
            prop_assert_eq!(json["seq"].as_u64(), Some(event.seq));
            prop_assert_eq!(json["type"].as_str(), Some(event.body.kind()));
            prop_assert!(line.is_none() || may_be_withheld(event.body.kind()), "{} is not looked at", event.body.kind());
            // What stays is worded as ever, unless it says that it lacks something.
            if json["payload"]["withheld"] != true {
                prop_assert!(Event::from_json(&shown).is_ok(), "{shown}");
            }
            // A vote is public once it is counted.
            if matches!(event.body, EventBody::VoteCast { .. }) {
                prop_assert!(line.is_some() && Visibility::Public.line(event, None).is_none());
            }
        }
    }
}
