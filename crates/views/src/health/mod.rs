//! The health of a deliberation: computed from the folded state alone, always the same for the same state.
//!
//! It does not measure how close the participants are to agreeing: an agreement can be wrong. It shows what
//! the agreement rests on, who still objects, which positions changed and why, and which claims are
//! unanswered. `docs/health.md` tells where each measure comes from.

mod agreement;
mod alarms;
mod dissent;
mod evidence;
mod limits;
mod participation;
mod text;
mod value;
mod verdict;

use limits::*;
use quorate_contract::Language;
use quorate_core::Meeting;
use quorate_core::policy::agreement::{Agreement, cited, even, share};
use serde::Serialize;

use crate::visibility::{open_ballot, stands_in_vote};

pub use agreement::{BallotAgreement, RoundAgreement};
pub use alarms::{Finding, Measure};
pub use dissent::{Dissent, LowScore, OpenObjection};
pub use evidence::{CitedClaims, PositionFlip, UnansweredClaims, UnsharedClaim, UnsharedClaims};
pub use participation::{Independence, ModelFamily, Participation, SeatParticipation};
pub use quorate_core::policy::agreement::{HEALTH_LIST_MAX, PositionSupport};
pub use value::RoundValue;
pub use verdict::{HealthGrade, HealthVerdict};

/// The deliberation health of a meeting. Each list has at most 30 items, and each number names the events
/// that it comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliberationHealth {
    /// The sequence number of the last event that the response reflects.
    pub last_seq: u64,
    /// The language of the meeting.
    pub language: Language,
    /// Whether any participant is simulated. The measures then say nothing about real opinions.
    pub simulated: bool,
    /// The verdict on the agreement, and its reasons.
    pub verdict: HealthVerdict,
    /// Open objections and low scores.
    pub dissent: Dissent,
    /// The current positions and those of the blind round; the one with the most holders comes first.
    pub positions: Vec<PositionSupport>,
    /// The latest changes of position and their causes, in the order of the log.
    pub flips: Vec<PositionFlip>,
    /// The facts that only one participant has mentioned.
    pub unshared: UnsharedClaims,
    /// The claims that nobody answered.
    pub unanswered: UnansweredClaims,
    /// The claims that cite attached files as their evidence.
    pub cited: CitedClaims,
    /// Participation, and how even it was.
    pub participation: Participation,
    /// The number of seats that count as independent.
    pub independence: Independence,
    /// The value of one more round.
    pub value: RoundValue,
    /// The agreement of the last rounds.
    pub rounds: Vec<RoundAgreement>,
    /// The measures that are beyond their thresholds.
    pub alarms: Vec<Finding>,
}

/// Where the claims begin that stand in votes which are not counted yet.
fn uncounted_claims(m: &Meeting) -> Option<usize> {
    let ballot = open_ballot(m)?;
    m.claims.iter().position(|claim| stands_in_vote(ballot, claim))
}

impl DeliberationHealth {
    /// The health of a meeting in its present state. Votes that are not counted yet tell nothing, and neither do the
    /// objections in them.
    pub fn of(m: &Meeting) -> Self {
        let counted;
        let m = match uncounted_claims(m) {
            None => m,
            Some(first) => {
                let mut told = m.clone();
                told.claims.truncate(first);
                counted = told;
                &counted
            }
        };
        let positions = Agreement::positions(m);
        let agreed = Agreement::with(m, &positions);
        let rounds = agreement::rounds(m);
        let dissent = dissent::of(m, &agreed, &positions);
        let unshared = evidence::unshared(m);
        let unanswered = evidence::unanswered(m);
        let participation = participation::of(m);
        let independence = participation::independence(m);
        let value = value::of(m, &rounds, &unshared, &unanswered);
        let known = verdict::VerdictInputs {
            m,
            agreed: &agreed,
            positions: &positions,
            rounds: &rounds,
            dissent: &dissent,
            independence: &independence,
        };
        let verdict = verdict::of(&known);
        let alarms = alarms::of(&known, &unshared, &unanswered, &participation, &value);
        Self {
            last_seq: m.seq,
            language: m.language(),
            simulated: m.is_simulated(),
            verdict,
            dissent,
            positions: positions.into_iter().take(HEALTH_LIST_MAX).collect(),
            flips: evidence::flips(m),
            unshared,
            unanswered,
            cited: evidence::cited(m),
            participation,
            independence,
            value,
            rounds,
            alarms,
        }
    }

    /// The same as text for people, in this language.
    pub fn to_text(&self, m: &Meeting, language: Language) -> String {
        text::told(self, m, language)
    }
}

/// A share as people read it.
fn percent(share: f64) -> String {
    quorate_contract::percent(share, 0)
}

/// A change of the mean score as people read it, in points of 100.
fn points(change: f64) -> String {
    format!("{:.1}", change * 100.0)
}
