//! A meeting judged once more under other rules, from its log and without a model: which ballot
//! would have passed, what would have ended earlier, and which clause makes the difference.
//!
//! Votes are taken as they were cast. What would have been said after the point at which the record
//! ends is not known, and is not made up.

mod change;
mod judge;
mod judgement_text;
mod sensitivity;
mod text;

use quorate_contract::{
    BallotId, DecisionRules, Language, MeetingId, MeetingOutcome, ParticipantId, Verdict,
};
use quorate_core::{Meeting, outcome_text};
use serde::Serialize;

pub use change::{CannotRejudge, WhatIf, WhatIfChange};

/// The result of evaluating a meeting under other rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhatIfReport {
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The question.
    pub topic: String,
    /// The language of the meeting and of all texts in the response.
    pub language: Language,
    /// Whether participants were simulated.
    pub simulated: bool,
    /// Whether the meeting has ended; if not, the result reflects the meeting so far.
    pub finished: bool,
    /// The outcome; `null` before the end.
    pub outcome: Option<MeetingOutcome>,
    /// The same as a text.
    pub outcome_text: String,
    /// The assumed changes; may be empty.
    pub changes: Vec<WhatIfChange>,
    /// The rules by which the last ballot was counted; each ballot has its own.
    pub rules_before: DecisionRules,
    /// The changed rules.
    pub rules_after: DecisionRules,
    /// The course of the meeting under the changes.
    pub course: WhatIfCourse,
    /// The course as a text.
    pub course_text: String,
    /// All ballots, in order.
    pub ballots: Vec<BallotReview>,
    /// Notes that help to interpret the result.
    pub notes: Vec<String>,
    /// What another outcome would need; only for a request without changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
}

/// The course of the meeting under the changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WhatIfCourse {
    /// The course is the same as in the log.
    Same,
    /// A failed ballot would have passed and ended the meeting.
    Earlier {
        /// The ballot.
        ballot: BallotId,
        /// The round before the ballot.
        round: u32,
        /// The usage that would have been saved.
        saved: WhatIfSavings,
    },
    /// The meeting would have ended at the same point with a different decision.
    Otherwise {
        /// The ballot whose result changes.
        ballot: BallotId,
        /// The round before the ballot.
        round: u32,
        /// Whether that ballot would have passed.
        accepted: bool,
    },
    /// The passed ballot would have failed. The log ends there; what would have followed is not known.
    Later {
        /// The ballot.
        ballot: BallotId,
        /// The round before the ballot.
        round: u32,
        /// The number of rounds that the rules would have left, at least 1.
        rounds_left: u32,
    },
}

impl WhatIfCourse {
    /// The ballot whose result changes.
    fn ballot(&self) -> Option<BallotId> {
        match self {
            Self::Same => None,
            Self::Earlier { ballot, .. } | Self::Otherwise { ballot, .. } | Self::Later { ballot, .. } => {
                Some(*ballot)
            }
        }
    }
}

/// The usage that the meeting would have saved, without the conclusion, which is written in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhatIfSavings {
    /// The number of discussion rounds.
    pub rounds: u32,
    /// The number of calls.
    pub calls: u32,
    /// The number of input and output tokens.
    pub tokens: u64,
    /// The cost in millionths of the currency; `null` when a price is not known.
    pub cost_micros: Option<u64>,
    /// Whether some of the usage is an estimate.
    pub estimated: bool,
}

/// The state of a ballot in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BallotStanding {
    /// The ballot was counted.
    Counted,
    /// A steering message ended it; its votes do not count under any rules.
    Interrupted,
    /// Votes are still being cast, or the meeting ended before all of them were.
    Open,
}

/// The result of a ballot under changed rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BallotReview {
    /// The ballot.
    pub id: BallotId,
    /// The round before the ballot.
    pub round: u32,
    /// The version of the draft that the ballot is about.
    pub draft_version: u32,
    /// The state of the ballot in the log.
    pub standing: BallotStanding,
    /// The rules by which the ballot was counted; the current rules when it was not counted.
    pub rules: DecisionRules,
    /// Whether the ballot would have been held; `false` after the ballot that would have ended the meeting.
    pub held: bool,
    /// The verdict in the log; `null` when the ballot was not counted.
    pub before: Option<Verdict>,
    /// The verdict under the changed rules.
    pub after: Option<Verdict>,
    /// Whether the result changes from failed to passed, or from passed to failed.
    pub turns: bool,
    /// If the result changes: whether each change alone is enough.
    pub alone: Vec<SingleChangeEffect>,
    /// A description in words.
    pub text: String,
}

/// The effect of one change alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SingleChangeEffect {
    /// The change.
    #[serde(flatten)]
    pub change: WhatIfChange,
    /// Whether the change alone changes the result of the ballot.
    pub enough: bool,
}

/// What another outcome would need.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sensitivity {
    /// The lowest and highest `mean_score` with which the outcome stays the same; `null` when no `mean_score`
    /// alone leads to the outcome in the log.
    pub mean_score: Option<(u8, u8)>,
    /// All values of `mean_score` from 0 to 100, in ranges with the same outcome.
    pub thresholds: Vec<ThresholdRange>,
    /// All participants, past and present, in the order of joining.
    pub participants: Vec<PivotalParticipant>,
}

/// A range of thresholds with the same outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ThresholdRange {
    /// The lowest `mean_score`.
    pub from: u8,
    /// The highest `mean_score`.
    pub to: u8,
    /// The ballot that would have passed first; `null` for none.
    pub ballot: Option<BallotId>,
    /// The round before the ballot.
    pub round: Option<u32>,
    /// Whether the outcome is the same as in the log.
    pub stays: bool,
}

/// The effect of one participant's votes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PivotalParticipant {
    /// The participant.
    pub participant: ParticipantId,
    /// The participant's name.
    pub name: String,
    /// Whether the outcome would have been different without the participant's votes.
    pub pivotal: bool,
    /// The course of the meeting without the participant's votes.
    pub course: WhatIfCourse,
}

/// Judges a meeting again under changes. It counts every counted ballot again, in order and by the rules that
/// held at the time; the first that passes would have ended the meeting. No model is called, and the meeting
/// stays as it is.
pub fn what_if(meeting: &Meeting, change: &WhatIf) -> Result<WhatIfReport, CannotRejudge> {
    change.check(meeting)?;
    if judge::counted(meeting).next().is_none() {
        let ballots = meeting.rules().decision.ballots;
        return Err(CannotRejudge::NoBallot { ballots, over: meeting.is_over() });
    }
    let held = meeting.last_counted_ballot().map(|(ballot, _)| judge::rules_of(meeting, ballot).clone());
    let held = held.unwrap_or_else(|| meeting.rules().decision.clone());
    let changes = change.changes(meeting);
    let course = judge::course(meeting, change);
    Ok(WhatIfReport {
        meeting_id: meeting.id.clone(),
        topic: meeting.settings.topic.clone(),
        language: meeting.language(),
        simulated: meeting.is_simulated(),
        finished: meeting.is_over(),
        outcome: meeting.outcome().cloned(),
        outcome_text: outcome_text(meeting),
        rules_after: change.rules(&held),
        rules_before: held,
        course_text: judgement_text::course_text(meeting, &course),
        ballots: judge::ballots(meeting, change, &changes),
        notes: judgement_text::notes(meeting, change),
        sensitivity: changes.is_empty().then(|| sensitivity::of(meeting)),
        course,
        changes,
    })
}

impl WhatIfReport {
    /// The report as Markdown.
    pub fn to_markdown(&self) -> String {
        text::markdown(self)
    }

    /// The report as JSON, indented.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only text keys")
    }
}
