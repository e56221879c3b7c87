//! Reasons for a pause, and the questions that it asks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;
use crate::phrase::Phrase;

/// The reason for a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// A person asked for it.
    UserRequest,
    /// All participants who had a turn in the round failed.
    NobodyAnswered,
    /// Something that matters is not known.
    MissingInfo,
    /// Before a round: whether the topic still fits, and what is missing.
    CheckIn,
    /// A person is to approve of who comes and goes.
    NeedApproval,
    /// The host is to say who speaks.
    AwaitingHost,
    /// Agents talk among themselves and say nothing new, or have done so for long.
    NothingNew,
    /// An artifact did not pass the gate.
    GateFailed,
    /// A budget is used up.
    BudgetLimit,
    /// The host is to allow or refuse calls of tools with effects.
    ToolApproval,
}

/// The step that ends a pause, as a code for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SuggestedStep {
    /// Resume the meeting.
    Resume,
    /// Check the providers, then resume.
    CheckProvidersThenResume,
    /// Answer the questions.
    AnswerQuestions,
    /// Approve or reject the proposed change of the team.
    ApproveOrReject,
    /// Say who speaks next.
    SayWhoSpeaks,
    /// Continue the meeting, or end it.
    ContinueOrEnd,
    /// Let the author try again, or let the rules write the artifact.
    RetryOrLetTheRulesWrite,
    /// Raise the budget, or end the meeting.
    RaiseTheBudgetOrEnd,
    /// Allow or refuse the call of a tool.
    AllowOrRefuseTheTool,
}

impl SuggestedStep {
    /// The code: `answer_questions`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Resume => "resume",
            Self::CheckProvidersThenResume => "check_providers_then_resume",
            Self::AnswerQuestions => "answer_questions",
            Self::ApproveOrReject => "approve_or_reject",
            Self::SayWhoSpeaks => "say_who_speaks",
            Self::ContinueOrEnd => "continue_or_end",
            Self::RetryOrLetTheRulesWrite => "retry_or_let_the_rules_write",
            Self::RaiseTheBudgetOrEnd => "raise_the_budget_or_end",
            Self::AllowOrRefuseTheTool => "allow_or_refuse_the_tool",
        }
    }
}

impl PauseReason {
    /// The suggested next step.
    pub fn suggested_next(self) -> SuggestedStep {
        match self {
            Self::UserRequest => SuggestedStep::Resume,
            Self::NobodyAnswered => SuggestedStep::CheckProvidersThenResume,
            Self::MissingInfo | Self::CheckIn => SuggestedStep::AnswerQuestions,
            Self::NeedApproval => SuggestedStep::ApproveOrReject,
            Self::AwaitingHost => SuggestedStep::SayWhoSpeaks,
            Self::NothingNew => SuggestedStep::ContinueOrEnd,
            Self::GateFailed => SuggestedStep::RetryOrLetTheRulesWrite,
            Self::BudgetLimit => SuggestedStep::RaiseTheBudgetOrEnd,
            Self::ToolApproval => SuggestedStep::AllowOrRefuseTheTool,
        }
    }

    /// The answers of a run that nobody attends, where they differ from the defaults: there is nobody to end a
    /// meeting in which nothing new is said.
    pub fn unattended_answers(self) -> BTreeMap<String, serde_json::Value> {
        match self {
            Self::NothingNew => BTreeMap::from([("next".to_owned(), "end".into())]),
            Self::UserRequest | Self::NobodyAnswered | Self::MissingInfo | Self::CheckIn => BTreeMap::new(),
            Self::NeedApproval | Self::AwaitingHost | Self::GateFailed | Self::BudgetLimit => BTreeMap::new(),
            // The default refuses the call.
            Self::ToolApproval => BTreeMap::new(),
        }
    }
}

/// The consequences of a resume.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Resumption {
    /// Failed tasks that are asked again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_again: Vec<TaskId>,
    /// Failed tasks whose work the rules do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_rules: Vec<TaskId>,
    /// The keys of the questions whose answers all participants read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<String>,
}

/// The reason why a meeting stopped waiting for its providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProviderWaitEndReason {
    /// A provider is reachable again.
    Reachable,
    /// The longest wait that the rules allow is over.
    GaveUp,
    /// A person asked to try again at once.
    Resumed,
}

/// How far a meeting runs before it pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stride {
    /// Until one turn has ended, or a ballot is counted.
    Turn,
    /// Until a round is over and summed up.
    Round,
    /// Until a ballot is counted.
    Ballot,
}

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Question {
    /// The key of the answer: letters, digits and underscores.
    pub key: String,
    /// The question.
    pub ask: Phrase,
    /// What depends on the answer.
    #[serde(default, skip_serializing_if = "Phrase::is_empty")]
    pub why: Phrase,
    /// Whether the meeting needs an answer to continue, unless the defaults are taken.
    #[serde(default)]
    pub required: bool,
    /// The kind of answer.
    #[serde(default)]
    pub kind: QuestionKind,
    /// The answer when none is given; without a default, the answer is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
}

/// The kind of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QuestionKind {
    /// A text.
    #[default]
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of several choices.
    Choice {
        /// The choices.
        choices: Vec<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggested_step_has_one_code_in_events_and_responses() {
        let steps = [
            SuggestedStep::Resume,
            SuggestedStep::CheckProvidersThenResume,
            SuggestedStep::AnswerQuestions,
            SuggestedStep::ApproveOrReject,
            SuggestedStep::SayWhoSpeaks,
            SuggestedStep::ContinueOrEnd,
            SuggestedStep::RetryOrLetTheRulesWrite,
            SuggestedStep::RaiseTheBudgetOrEnd,
            SuggestedStep::AllowOrRefuseTheTool,
        ];
        for step in steps {
            assert_eq!(serde_json::to_value(step).expect("a word"), step.as_str());
        }
    }
}
