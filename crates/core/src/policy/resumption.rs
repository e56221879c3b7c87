//! What follows when a meeting is resumed, or closes: which failed tasks are asked for again, and what everybody reads.

use std::collections::BTreeMap;

use quorate_contract::{PauseReason, Resumption, TaskId};
use serde_json::Value;

use crate::state::closing::missing_records;
use crate::state::tasks::is_record;
use crate::state::{Meeting, RunState};

/// The answer at the gate that lets the rules write all records that are missing.
pub(crate) const ALL_BY_RULES: &str = "all_by_rules";

/// What follows from a resume with these answers.
pub(crate) fn of(m: &Meeting, answers: &BTreeMap<String, Value>) -> Resumption {
    let RunState::Paused { reason, questions, .. } = &m.run_state else { return Resumption::default() };
    match reason {
        PauseReason::GateFailed => match answers.get("gate").and_then(Value::as_str) {
            Some(ALL_BY_RULES) => {
                let mut by_rules = failed_records(m);
                by_rules.extend(missing_records(m).filter(|task| !m.given_up.contains_key(task)));
                Resumption { by_rules, ..Resumption::default() }
            }
            Some("by_rules") => Resumption { by_rules: failed_records(m), ..Resumption::default() },
            Some(_) | None => Resumption { asked_again: failed_records(m), ..Resumption::default() },
        },
        // Answers about the topic are for all participants to read; answers that steer the meeting are not.
        PauseReason::MissingInfo | PauseReason::CheckIn => {
            let asked = questions.iter().map(|question| &question.key).filter(|key| *key != "topic");
            let shared = asked.filter(|key| answers.contains_key(*key)).cloned().collect();
            Resumption { shared, ..Resumption::default() }
        }
        PauseReason::UserRequest | PauseReason::NobodyAnswered | PauseReason::NeedApproval => {
            Resumption::default()
        }
        PauseReason::AwaitingHost
        | PauseReason::NothingNew
        | PauseReason::BudgetLimit
        | PauseReason::ToolApproval => Resumption::default(),
    }
}

/// The records that failed: they are asked for once more before the end.
pub(crate) fn failed_records(m: &Meeting) -> Vec<TaskId> {
    m.given_up.keys().copied().filter(|task| is_record(*task)).collect()
}

#[cfg(test)]
mod tests {
    use quorate_contract::{
        ArtifactKind, ArtifactVersion, FailureKind, MeetingId, Question, QuestionKind, RunId, Timestamp,
    };
    use serde_json::json;

    use super::*;
    use crate::state::TaskFailure;

    fn paused(reason: PauseReason, keys: &[&str]) -> Meeting {
        let question = |key: &&str| Question {
            key: (*key).to_owned(),
            ask: format!("{key}?").into(),
            why: Default::default(),
            required: false,
            kind: QuestionKind::Text,
            default: None,
        };
        let questions = keys.iter().map(question).collect();
        let (token, since) = (String::new(), Timestamp(1));
        let run_state = RunState::Paused { reason, token, questions, since, budget: None };
        Meeting { run_state, ..Meeting::blank(MeetingId::new("m"), RunId::new("r")) }
    }

    fn answers(given: &[(&str, &str)]) -> BTreeMap<String, Value> {
        given.iter().map(|(key, answer)| ((*key).to_owned(), json!(answer))).collect()
    }

    #[test]
    fn a_failed_gate_is_tried_again_or_left_to_the_rules() {
        let adr = TaskId::Artifact(ArtifactKind::Adr, ArtifactVersion(1));
        let mut m = paused(PauseReason::GateFailed, &["gate"]);
        for task in [adr, TaskId::Summarize(1)] {
            m.given_up.insert(task, TaskFailure { kind: FailureKind::Malformed, detail: Default::default() });
        }
        let by_rules = of(&m, &answers(&[("gate", "by_rules")]));
        assert_eq!(by_rules, Resumption { by_rules: vec![adr], ..Resumption::default() });
        for given in [answers(&[("gate", "retry")]), answers(&[])] {
            assert_eq!(of(&m, &given), Resumption { asked_again: vec![adr], ..Resumption::default() });
        }
    }

    #[test]
    fn answers_about_the_topic_are_shared_and_the_topic_itself_is_not() {
        let m = paused(PauseReason::CheckIn, &["topic", "scale", "more"]);
        let then = of(&m, &answers(&[("topic", "other"), ("more", "yes")]));
        assert_eq!(then, Resumption { shared: vec!["more".to_owned()], ..Resumption::default() });
        let m = paused(PauseReason::NothingNew, &["next"]);
        assert_eq!(of(&m, &answers(&[("next", "continue")])), Resumption::default());
    }
}
