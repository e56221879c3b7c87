//! Changes of a what-if: clauses of the rules, and who votes.

use quorate_contract::{ClauseKind, ClauseRule, DecisionMode, DecisionRules, Language, ParticipantId};
use quorate_core::Meeting;
use quorate_messages::text;
use serde::Serialize;

/// The clauses in the order in which changes of them are told.
const CHANGED: [ClauseKind; 4] =
    [ClauseKind::MeanScore, ClauseKind::PassRatio, ClauseKind::MinScore, ClauseKind::Quorum];
const _: () = assert!(CHANGED.len() == ClauseKind::ALL.len(), "each clause can be changed");

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
pub enum WhatIfChange {
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
        max: u64,
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

    /// The value that a clause is to need; `None` where it is left as it is.
    fn given(&self, clause: ClauseKind) -> Option<f64> {
        match clause {
            ClauseKind::Quorum => self.quorum,
            ClauseKind::MeanScore => self.mean_score.map(f64::from),
            ClauseKind::PassRatio => self.pass_ratio,
            ClauseKind::MinScore => self.min_score.map(f64::from),
        }
    }

    /// The changed rules.
    pub fn rules(&self, held: &DecisionRules) -> DecisionRules {
        let needed = |clause: ClauseKind| {
            let rule = ClauseRule::of(clause);
            rule.needed_under(self.mode, self.given(clause), rule.needed(held))
        };
        // What is given was checked, and what is held is valid.
        let points = |clause| needed(clause).map(|points| points as u8);
        DecisionRules {
            mean_score: points(ClauseKind::MeanScore),
            pass_ratio: needed(ClauseKind::PassRatio),
            min_score: points(ClauseKind::MinScore),
            quorum: needed(ClauseKind::Quorum).unwrap_or(held.quorum),
            ..held.clone()
        }
    }

    /// The clauses that are to need something else.
    fn clauses(&self) -> impl Iterator<Item = (&'static ClauseRule, f64)> {
        CHANGED.into_iter().filter_map(|kind| Some((ClauseRule::of(kind), self.given(kind)?)))
    }

    /// Each change, the rules first.
    pub(super) fn changes(&self, meeting: &Meeting) -> Vec<WhatIfChange> {
        let clauses = self.clauses().map(|(rule, needed)| WhatIfChange::of(rule.kind, needed));
        let mode = self.mode.map(|mode| WhatIfChange::Mode { mode });
        let people = self.people().into_iter();
        let people = people.map(|id| WhatIfChange::Without { participant: id, name: meeting.name_of(id) });
        clauses.chain(mode).chain(people).collect()
    }

    /// The changes that have no effect under the mode.
    pub(super) fn idle(&self) -> Vec<WhatIfChange> {
        let idle = self.clauses().filter(|(rule, _)| !rule.under(self.mode).heeds_change());
        idle.map(|(rule, needed)| WhatIfChange::of(rule.kind, needed)).collect()
    }

    /// Checks that all numbers are in range, and that all left-out participants exist.
    pub(super) fn check(&self, meeting: &Meeting) -> Result<(), CannotRejudge> {
        for (rule, value) in self.clauses() {
            let max = rule.max();
            if !(0.0..=max as f64).contains(&value) {
                return Err(CannotRejudge::OutOfRange { field: rule.name(), value, max });
            }
        }
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

impl WhatIfChange {
    /// A clause that needs something else.
    fn of(clause: ClauseKind, needed: f64) -> Self {
        match clause {
            ClauseKind::Quorum => Self::Quorum { needed },
            ClauseKind::MeanScore => Self::MeanScore { needed: needed as u8 },
            ClauseKind::PassRatio => Self::PassRatio { needed },
            ClauseKind::MinScore => Self::MinScore { needed: needed as u8 },
        }
    }
}

impl From<&WhatIfChange> for WhatIf {
    /// A what-if with this change alone.
    fn from(change: &WhatIfChange) -> Self {
        let mut alone = Self::default();
        match change {
            WhatIfChange::MeanScore { needed } => alone.mean_score = Some(*needed),
            WhatIfChange::PassRatio { needed } => alone.pass_ratio = Some(*needed),
            WhatIfChange::MinScore { needed } => alone.min_score = Some(*needed),
            WhatIfChange::Quorum { needed } => alone.quorum = Some(*needed),
            WhatIfChange::Mode { mode } => alone.mode = Some(*mode),
            WhatIfChange::Without { participant, .. } => alone.without.push(*participant),
        }
        alone
    }
}

fn no_such(meeting: &Meeting, name: String) -> CannotRejudge {
    let seats = meeting.seats.iter().map(|seat| seat.participant.name.clone()).collect();
    CannotRejudge::NoSuchParticipant { name, seats }
}
