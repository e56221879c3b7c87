//! A meeting judged once more under other rules, from its log and without a model: which ballot
//! would have passed, what would have ended earlier, and which clause makes the difference.
//!
//! Votes are taken as they were cast. What would have been said after the point at which the record
//! ends is not known, and is not made up.

mod change;
mod judge;
mod sensitivity;
mod text;
mod words;

use quorate_contract::{
    BallotId, DecisionRules, Language, MeetingId, MeetingOutcome, ParticipantId, Verdict,
};
use quorate_core::{Meeting, outcome_text};
use serde::Serialize;

pub use change::{CannotRejudge, Change, WhatIf};

/// A meeting judged once more.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhatIfReport {
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The question.
    pub topic: String,
    /// Its language, and that of every text in here.
    pub language: Language,
    /// Whether participants were simulated.
    pub simulated: bool,
    /// Whether the meeting has ended; if not, all of this holds so far.
    pub finished: bool,
    /// The outcome; `None` before the end.
    pub outcome: Option<MeetingOutcome>,
    /// The same in a sentence.
    pub outcome_text: String,
    /// The assumed changes; may be empty.
    pub changes: Vec<Change>,
    /// The rules that the last counted ballot was counted by; each ballot has its own.
    pub rules_before: DecisionRules,
    /// The rules as they would have been.
    pub rules_after: DecisionRules,
    /// The course of the meeting under the changes.
    pub course: Course,
    /// The same in a sentence or two.
    pub course_text: String,
    /// Every ballot, in order.
    pub ballots: Vec<BallotReview>,
    /// Remarks that are needed to read the report rightly.
    pub notes: Vec<String>,
    /// Without changes: what another outcome would take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
}

/// The course of a meeting under the changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Course {
    /// The same as in the log.
    Same,
    /// A ballot that failed would have passed, and ended the meeting.
    Earlier {
        /// The ballot.
        ballot: BallotId,
        /// The round before it.
        round: u32,
        /// The usage that would have been saved.
        saved: Saved,
    },
    /// The meeting would have ended at the same point with another decision.
    Otherwise {
        /// The ballot that makes the difference.
        ballot: BallotId,
        /// The round before it.
        round: u32,
        /// Whether that ballot would have passed.
        accepted: bool,
    },
    /// The ballot that passed would not have. The record ends there; what would have followed is
    /// not known.
    Later {
        /// The ballot.
        ballot: BallotId,
        /// The round before it.
        round: u32,
        /// The number of rounds that the rules would have left, at least 1.
        rounds_left: u32,
    },
}

impl Course {
    /// The ballot that makes the difference.
    fn ballot(&self) -> Option<BallotId> {
        match self {
            Self::Same => None,
            Self::Earlier { ballot, .. } | Self::Otherwise { ballot, .. } | Self::Later { ballot, .. } => {
                Some(*ballot)
            }
        }
    }
}

/// The usage that a meeting would have saved. The conclusion is written either way and not included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Saved {
    /// Rounds of discussion.
    pub rounds: u32,
    /// The number of calls.
    pub calls: u32,
    /// Tokens, read and written.
    pub tokens: u64,
    /// Millionths; `None` when a price is not known.
    pub cost_micros: Option<u64>,
    /// Whether some of the usage is an estimate.
    pub estimated: bool,
}

/// The state of a ballot in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The ballot was counted.
    Counted,
    /// A steering message ended it; its votes do not count under any rules.
    Interrupted,
    /// Votes are still being cast, or the meeting ended before all of them were.
    Open,
}

/// A ballot judged once more.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BallotReview {
    /// The ballot.
    pub id: BallotId,
    /// The round before it.
    pub round: u32,
    /// On which version of the draft.
    pub draft_version: u32,
    /// Its state in the log.
    pub standing: Standing,
    /// The rules that it was counted by; those that hold now when it was not.
    pub rules: DecisionRules,
    /// Whether it would have been held; `false` after the ballot that would have ended the meeting.
    pub held: bool,
    /// The verdict in the log, when it was counted.
    pub before: Option<Verdict>,
    /// The verdict as it would have been.
    pub after: Option<Verdict>,
    /// Whether its result turns: it passes where it failed, or fails where it passed.
    pub turns: bool,
    /// When it turns: whether each change alone is enough for that.
    pub alone: Vec<Alone>,
    /// All of it in words.
    pub text: String,
}

/// One change alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Alone {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// Whether it turns the ballot by itself.
    pub enough: bool,
}

/// What another outcome would take.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sensitivity {
    /// The lowest and highest `mean_score` with which the outcome stays; `None` when the log was
    /// counted in a way that no threshold gives.
    pub mean_score: Option<(u8, u8)>,
    /// Every `mean_score` from 0 to 100, in stretches with one outcome each.
    pub thresholds: Vec<Threshold>,
    /// All participants, past and present, in the order of joining.
    pub participants: Vec<Pivot>,
}

/// A stretch of thresholds with one outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Threshold {
    /// The lowest `mean_score`.
    pub from: u8,
    /// The highest one.
    pub to: u8,
    /// The ballot that would have passed first; `None` when none would have.
    pub ballot: Option<BallotId>,
    /// The round before it.
    pub round: Option<u32>,
    /// Whether that is the outcome in the log.
    pub stays: bool,
}

/// Whether one participant's votes decide.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pivot {
    /// The participant.
    pub participant: ParticipantId,
    /// Its name.
    pub name: String,
    /// Whether the meeting would have gone otherwise without its votes alone.
    pub pivotal: bool,
    /// The course without its votes.
    pub course: Course,
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
        topic: meeting.charter.topic.clone(),
        language: meeting.language(),
        simulated: meeting.is_simulated(),
        finished: meeting.is_over(),
        outcome: meeting.outcome().cloned(),
        outcome_text: outcome_text(meeting),
        rules_after: change.rules(&held),
        rules_before: held,
        course_text: words::course_text(meeting, &course),
        ballots: judge::ballots(meeting, change, &changes),
        notes: words::notes(meeting, change),
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
