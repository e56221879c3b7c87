//! Changes of a what-if: clauses of the rules, and who votes.

use std::fmt;
use std::str::FromStr;

use quorate_contract::{BadId, DecisionRules, Language, ParticipantId};
use quorate_core::Meeting;
use quorate_messages::text;
use serde::Serialize;

/// The default mean score, 0-100.
const MEAN_SCORE: u8 = 80;
/// The default share of passing votes.
const PASS_RATIO: f64 = 0.75;

/// The clauses about scores and passing votes that apply to a ballot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DecisionMode {
    /// The average score alone.
    Average,
    /// The share of votes that pass alone.
    PassRatio,
    /// Both of them.
    Both,
    /// All participants vote, and every vote passes: an abstention is never assent.
    Unanimous,
}

impl DecisionMode {
    /// All modes.
    pub const ALL: [DecisionMode; 4] = [Self::Average, Self::PassRatio, Self::Both, Self::Unanimous];

    /// Its name in JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Average => "average",
            Self::PassRatio => "pass_ratio",
            Self::Both => "both",
            Self::Unanimous => "unanimous",
        }
    }
}

impl fmt::Display for DecisionMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for DecisionMode {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == text).ok_or_else(|| BadId {
            text: text.to_owned(),
            kind: "a mode of decision",
            example: "pass_ratio",
        })
    }
}

/// The changes under which a meeting is judged again. What is not set stays as in the meeting's rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WhatIf {
    /// The average score needed, 0-100.
    pub mean_score: Option<u8>,
    /// The share of votes that must pass, 0.0-1.0.
    pub pass_ratio: Option<f64>,
    /// The lowest allowed score, 0-100.
    pub min_score: Option<u8>,
    /// The share of participants that must have voted, 0.0-1.0.
    pub quorum: Option<f64>,
    /// Which clauses are asked for; it decides after the values above are set.
    pub mode: Option<DecisionMode>,
    /// Participants whose votes are left out; the quorum no longer counts them.
    pub without: Vec<ParticipantId>,
}

/// A change in a what-if evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// A different mean score is needed.
    MeanScore {
        /// The score, 0-100.
        needed: u8,
    },
    /// A different share of the votes must pass.
    PassRatio {
        /// The share, 0.0-1.0.
        needed: f64,
    },
    /// A different lowest score is needed.
    MinScore {
        /// The score, 0-100.
        needed: u8,
    },
    /// A different share of the participants must vote.
    Quorum {
        /// The share, 0.0-1.0.
        needed: f64,
    },
    /// Different clauses apply.
    Mode {
        /// The clauses that apply.
        mode: DecisionMode,
    },
    /// The votes of one participant are left out.
    Without {
        /// The participant.
        participant: ParticipantId,
        /// Its name.
        name: String,
    },
}

/// The reason why a meeting cannot be judged again. The meeting itself is unchanged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CannotRejudge {
    /// No ballot was counted.
    #[error("no ballot of this meeting was counted, so there is nothing to judge again")]
    NoBallot {
        /// Whether its rules provide for ballots.
        ballots: bool,
        /// Whether it has ended.
        over: bool,
    },
    /// A number is not one of those that the clause can need.
    #[error("{field}: {value} is not from 0 to {max}")]
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The given value.
        value: f64,
        /// The most: 100 points, or a share of 1.
        max: u8,
    },
    /// No participant has this name.
    #[error("there is no participant {name:?} at the table")]
    NoSuchParticipant {
        /// The name or id that was given.
        name: String,
        /// The names of all participants, past and present.
        seats: Vec<String>,
    },
}

impl CannotRejudge {
    /// What is wrong, for people.
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::NoBallot { .. } => text!(language, "views-change-no-ballot-counted").to_owned(),
            Self::OutOfRange { field, value, max } => {
                text!(language, "views-change-out-of-range", %field, %value, %max)
            }
            Self::NoSuchParticipant { name, .. } => {
                text!(language, "views-change-no-such-participant", %name)
            }
        }
    }

    /// How to resolve the problem.
    pub fn hint(&self, language: Language) -> String {
        match self {
            Self::NoBallot { ballots: false, .. } => {
                text!(language, "views-change-rules-hold-no-ballots").to_owned()
            }
            Self::NoBallot { over: false, .. } => {
                text!(language, "views-change-go-on-to-first-ballot").to_owned()
            }
            Self::NoBallot { .. } => text!(language, "views-change-result-says-how-ended").to_owned(),
            Self::OutOfRange { max: 1, .. } => text!(language, "views-change-give-share").to_owned(),
            Self::OutOfRange { max, .. } => text!(language, "views-change-give-whole-number-from-0", %max),
            Self::NoSuchParticipant { seats, .. } => {
                text!(language, "views-change-at-the-table", seats = &seats[..])
            }
        }
    }
}

impl WhatIf {
    /// Finds a participant by name or id, also one that has left.
    pub fn seated(meeting: &Meeting, name_or_id: &str) -> Result<ParticipantId, CannotRejudge> {
        let all = || meeting.seats.iter().map(|seat| &seat.participant);
        let found = all()
            .find(|one| one.name == name_or_id)
            .or_else(|| all().find(|one| one.id.to_string() == name_or_id));
        found.map(|one| one.id).ok_or_else(|| no_such(meeting, name_or_id.to_owned()))
    }

    /// The changed rules.
    pub fn rules(&self, held: &DecisionRules) -> DecisionRules {
        let mean_score = self.mean_score.or(held.mean_score);
        let pass_ratio = self.pass_ratio.or(held.pass_ratio);
        let average = Some(mean_score.unwrap_or(MEAN_SCORE));
        let share = Some(pass_ratio.unwrap_or(PASS_RATIO));
        let (mean_score, pass_ratio, quorum) = match self.mode {
            None => (mean_score, pass_ratio, held.quorum),
            Some(DecisionMode::Average) => (average, None, held.quorum),
            Some(DecisionMode::PassRatio) => (None, share, held.quorum),
            Some(DecisionMode::Both) => (average, share, held.quorum),
            Some(DecisionMode::Unanimous) => (None, Some(1.0), 1.0),
        };
        DecisionRules {
            mean_score,
            pass_ratio,
            min_score: self.min_score.or(held.min_score),
            quorum: self.quorum.unwrap_or(quorum),
            ..held.clone()
        }
    }

    /// Each change, the rules first.
    pub(super) fn changes(&self, meeting: &Meeting) -> Vec<Change> {
        let mean_score = self.mean_score.map(|needed| Change::MeanScore { needed });
        let pass_ratio = self.pass_ratio.map(|needed| Change::PassRatio { needed });
        let min_score = self.min_score.map(|needed| Change::MinScore { needed });
        let quorum = self.quorum.map(|needed| Change::Quorum { needed });
        let mode = self.mode.map(|mode| Change::Mode { mode });
        let rules = [mean_score, pass_ratio, min_score, quorum, mode].into_iter().flatten();
        let people = self.people().into_iter();
        let people = people.map(|id| Change::Without { participant: id, name: meeting.name_of(id) });
        rules.chain(people).collect()
    }

    /// The changes that have no effect under the mode.
    pub(super) fn idle(&self) -> Vec<Change> {
        let (average, share) = match self.mode {
            None | Some(DecisionMode::Both) => (true, true),
            Some(DecisionMode::Average) => (true, false),
            Some(DecisionMode::PassRatio) => (false, true),
            Some(DecisionMode::Unanimous) => (false, false),
        };
        let mean_score = self.mean_score.filter(|_| !average).map(|needed| Change::MeanScore { needed });
        let pass_ratio = self.pass_ratio.filter(|_| !share).map(|needed| Change::PassRatio { needed });
        mean_score.into_iter().chain(pass_ratio).collect()
    }

    /// Checks that all numbers are in range, and that all left-out participants exist.
    pub(super) fn check(&self, meeting: &Meeting) -> Result<(), CannotRejudge> {
        let within = |field, value: Option<f64>, max: u8| match value {
            Some(value) if !(0.0..=f64::from(max)).contains(&value) => {
                Err(CannotRejudge::OutOfRange { field, value, max })
            }
            Some(_) | None => Ok(()),
        };
        within("mean_score", self.mean_score.map(f64::from), 100)?;
        within("pass_ratio", self.pass_ratio, 1)?;
        within("min_score", self.min_score.map(f64::from), 100)?;
        within("quorum", self.quorum, 1)?;
        match self.without.iter().find(|id| meeting.seat(**id).is_none()) {
            Some(nobody) => Err(no_such(meeting, nobody.to_string())),
            None => Ok(()),
        }
    }

    /// The left-out participants, each once.
    fn people(&self) -> Vec<ParticipantId> {
        let mut people = self.without.clone();
        people.sort_unstable();
        people.dedup();
        people
    }
}

impl From<&Change> for WhatIf {
    /// A what-if with this change alone.
    fn from(change: &Change) -> Self {
        let mut alone = Self::default();
        match change {
            Change::MeanScore { needed } => alone.mean_score = Some(*needed),
            Change::PassRatio { needed } => alone.pass_ratio = Some(*needed),
            Change::MinScore { needed } => alone.min_score = Some(*needed),
            Change::Quorum { needed } => alone.quorum = Some(*needed),
            Change::Mode { mode } => alone.mode = Some(*mode),
            Change::Without { participant, .. } => alone.without.push(*participant),
        }
        alone
    }
}

fn no_such(meeting: &Meeting, name: String) -> CannotRejudge {
    let seats = meeting.seats.iter().map(|seat| seat.participant.name.clone()).collect();
    CannotRejudge::NoSuchParticipant { name, seats }
}
