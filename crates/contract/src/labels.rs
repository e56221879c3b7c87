//! Fixed labels of what the contract names, in both languages.

use crate::ids::BallotId;
use crate::outcome::FailureKind;
use crate::tool::{ToolDecision, ToolFailureKind};
use crate::verdict::{ClauseKind, ClauseResult};
use quorate_messages::{Language, text};

/// A clause with what it needed and what it got.
pub fn clause_text(language: Language, clause: &ClauseResult) -> String {
    let name = clause_name(language, clause.clause);
    let (got, needed) = figures(language, clause);
    text!(language, "labels-needed", %name, %got, %needed)
}

/// The name of a clause.
pub fn clause_name(language: Language, clause: ClauseKind) -> &'static str {
    match clause {
        ClauseKind::Quorum => text!(language, "labels-votes-cast"),
        ClauseKind::MeanScore => text!(language, "labels-mean-score"),
        ClauseKind::PassRatio => text!(language, "labels-pass-ratio"),
        ClauseKind::MinScore => text!(language, "labels-lowest-score"),
    }
}

/// A ballot as people call it.
pub fn ballot_name(language: Language, ballot: BallotId) -> String {
    text!(language, "labels-ballot", ballot = %ballot.0)
}

/// What a clause got and what it needed, with as many digits as it takes to tell a miss from a hit. The page
/// does the same (`web/app/src/components/ballot/clause-amounts.ts`).
pub fn figures(language: Language, clause: &ClauseResult) -> (String, String) {
    let number = |value: f64, digits: usize| match clause.clause {
        ClauseKind::PassRatio => percent(value, digits),
        ClauseKind::Quorum | ClauseKind::MeanScore | ClauseKind::MinScore => rounded(value, digits),
    };
    let Some(got) = clause.got else {
        return (text!(language, "labels-none").to_owned(), number(clause.needed, 1));
    };
    let tells = |digits: &usize| clause.met || number(got, *digits) != number(clause.needed, *digits);
    let digits = (1..=6).find(tells).unwrap_or(6);
    (number(got, digits), number(clause.needed, digits))
}

/// A share in hundredths, with at most `digits` digits after the point.
pub fn percent(share: f64, digits: usize) -> String {
    format!("{}%", rounded(share * 100.0, digits))
}

/// A number with at most `digits` digits after the point, rounded half up.
pub fn rounded(value: f64, digits: usize) -> String {
    let unit = 10_f64.powi(digits as i32);
    let text = format!("{:.digits$}", (value * unit).round() / unit);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// At most one digit after the point.
pub fn trimmed(value: f64) -> String {
    rounded(value, 1)
}

/// The name of a kind of failure, in a word or two.
pub fn failure_text(language: Language, kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Authentication => text!(language, "labels-key-not-accepted"),
        FailureKind::RateLimit => text!(language, "labels-rate-limited"),
        FailureKind::Quota => text!(language, "labels-out-quota"),
        FailureKind::Overloaded => text!(language, "labels-provider-overloaded"),
        FailureKind::ContextTooLong => text!(language, "labels-context-too-long"),
        FailureKind::ContentRefused => text!(language, "labels-content-refused"),
        FailureKind::ModelUnknown => text!(language, "labels-unknown-model"),
        FailureKind::BadRequest => text!(language, "labels-request-not-accepted"),
        FailureKind::Network => text!(language, "labels-network-trouble"),
        FailureKind::TimedOut => text!(language, "labels-timed-out"),
        FailureKind::Malformed => text!(language, "labels-unreadable-answer"),
        FailureKind::Empty => text!(language, "labels-empty-answer"),
        FailureKind::Left => text!(language, "labels-left"),
        FailureKind::Budget => text!(language, "labels-out-budget"),
        FailureKind::NotConfigured => text!(language, "labels-not-configured"),
        FailureKind::AgentFailed => text!(language, "labels-agent-failed"),
    }
}

/// Why a call of a tool has no result, in a few words.
pub fn tool_failure_text(language: Language, kind: ToolFailureKind) -> &'static str {
    match kind {
        ToolFailureKind::Denied => text!(language, "labels-tool-denied"),
        ToolFailureKind::UnknownTool => text!(language, "labels-tool-unknown"),
        ToolFailureKind::InvalidArguments => text!(language, "labels-tool-invalid-arguments"),
        ToolFailureKind::Failed => text!(language, "labels-tool-failed"),
        ToolFailureKind::TimedOut => text!(language, "labels-timed-out"),
        ToolFailureKind::TooMany => text!(language, "labels-tool-too-many"),
        ToolFailureKind::Budget => text!(language, "labels-out-budget"),
        ToolFailureKind::Lost => text!(language, "labels-tool-lost"),
        ToolFailureKind::Cancelled => text!(language, "labels-tool-cancelled"),
    }
}

/// A person's answer to a call of a tool, in a few words.
pub fn tool_decision_text(language: Language, decision: ToolDecision) -> &'static str {
    match decision {
        ToolDecision::Once => text!(language, "labels-tool-once"),
        ToolDecision::Meeting => text!(language, "labels-tool-meeting"),
        ToolDecision::Refused => text!(language, "labels-tool-refused"),
    }
}

/// What a person can do about a kind of failure, in a sentence. What a provider says about it is quoted
/// separately.
pub fn failure_advice(language: Language, kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Authentication => {
            text!(language, "labels-check-key-provider")
        }
        FailureKind::RateLimit => {
            text!(language, "labels-go-minute-lower-concurrency")
        }
        FailureKind::Quota => {
            text!(language, "labels-add-credit-choose-another-provider")
        }
        FailureKind::Overloaded => {
            text!(language, "labels-go-later-choose-another-model")
        }
        FailureKind::ContextTooLong => text!(language, "labels-choose-model-longer-context-let"),
        FailureKind::ContentRefused => text!(language, "labels-put-topic-other-words-choose"),
        FailureKind::ModelUnknown => {
            text!(language, "labels-choose-one-provider-lists")
        }
        FailureKind::BadRequest => text!(language, "labels-check-address-provider-models-parameters"),
        FailureKind::Network => text!(language, "labels-check-network-address-provider-whether"),
        FailureKind::TimedOut => {
            text!(language, "labels-give-more-time-choose-faster")
        }
        FailureKind::Malformed | FailureKind::Empty => {
            text!(language, "labels-try-again-choose-another-model")
        }
        FailureKind::Left => text!(language, "labels-nothing-has-done"),
        FailureKind::Budget => text!(language, "labels-raise-budget-end-meeting"),
        FailureKind::NotConfigured => text!(language, "labels-set-provider-up-first"),
        FailureKind::AgentFailed => text!(language, "labels-see-why-agent-failed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(clause: ClauseKind, got: f64, needed: f64) -> ClauseResult {
        ClauseResult { clause, needed, got: Some(got), met: got >= needed }
    }

    #[test]
    fn a_mean_reads_the_same_wherever_it_stands() {
        // 74.25 is exact in binary: half to even would make 74.2 of it, and the page says 74.3.
        let clause = clause(ClauseKind::MeanScore, 74.25, 75.0);
        assert_eq!(figures(Language::En, &clause), ("74.3".into(), "75".into()));
        assert_eq!(clause_text(Language::En, &clause), "mean score 74.3 (needed ≥ 75)");
    }

    #[test]
    fn a_miss_does_not_read_like_a_hit() {
        let mean = clause(ClauseKind::MeanScore, 74.96, 75.0);
        assert_eq!(clause_text(Language::Zh, &mean), "平均分 74.96（需要 ≥ 75）");
        let share = clause(ClauseKind::PassRatio, 2.0 / 3.0, 0.75);
        assert_eq!(clause_text(Language::Zh, &share), "赞成比例 66.7%（需要 ≥ 75%）");
    }
}
