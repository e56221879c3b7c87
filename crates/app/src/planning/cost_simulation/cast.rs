//! The simulated participants of a cost simulation.

use quorate_contract::{AnswerKind, Brief, Call, Convergence, MeetingSpec, RunnerSpec, Temperament};
use serde_json::Value;

use quorate_runners::{answer_text, default_temperaments};

/// A cast of simulated participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cast {
    /// All participants agree quickly.
    Agreeable,
    /// A mixed table; who is simulated anyway is as the spec says.
    Mixed,
    /// All participants write much, and no vote passes.
    Unyielding,
}

impl Cast {
    pub(super) fn answer(self, call: &Call, brief: &Brief, seed: u64) -> String {
        let text = answer_text(brief, self.temperament(call, seed), call.attempt);
        match (self, brief.kind()) {
            (Self::Agreeable, AnswerKind::Vote) => voted(&text, 100).unwrap_or(text),
            (Self::Unyielding, AnswerKind::Vote) => voted(&text, 0).unwrap_or(text),
            (Self::Agreeable | Self::Mixed | Self::Unyielding, _) => text,
        }
    }

    /// The number of web searches before an answer, of those that it may make.
    pub(super) fn searches(self, most: u32) -> u32 {
        match self {
            Self::Agreeable => 0,
            Self::Mixed => most.min(1),
            Self::Unyielding => most,
        }
    }

    /// The specification for this cast. A cast that does not agree must not end early.
    pub(super) fn at(self, spec: &MeetingSpec) -> MeetingSpec {
        let mut spec = spec.clone();
        if self == Self::Unyielding {
            let rules = &mut spec.rules;
            rules.limits.rounds_stale = 0;
            rules.roster.leave_below = 0;
            rules.turns.may_skip = false;
            rules.turns.mention_ends_round = false;
            if let Some(convergence) = &mut rules.decision.convergence {
                *convergence = Convergence { max_open_questions: 0, max_disagreements: 0, stable_rounds: 20 };
            }
        }
        spec
    }

    fn temperament(self, call: &Call, seed: u64) -> Temperament {
        // The facilitator has no opinion of its own.
        let Some(participant) = call.participant else { return Temperament::Balanced };
        match (self, &call.runner) {
            (Self::Agreeable, _) => Temperament::Agreeable,
            (Self::Unyielding, _) => Temperament::Verbose,
            (Self::Mixed, RunnerSpec::Simulated { temperament }) => *temperament,
            (
                Self::Mixed,
                RunnerSpec::Model { .. }
                | RunnerSpec::Process { .. }
                | RunnerSpec::Acp { .. }
                | RunnerSpec::External { .. },
            ) => {
                let table = default_temperaments(12, seed);
                table[participant.0 as usize % table.len()]
            }
        }
    }
}

/// The same vote with another score.
fn voted(vote: &str, score: u8) -> Option<String> {
    let mut vote: Value = serde_json::from_str(vote).ok()?;
    *vote.get_mut("score")? = score.into();
    *vote.get_mut("pass")? = (score > 0).into();
    Some(vote.to_string())
}
