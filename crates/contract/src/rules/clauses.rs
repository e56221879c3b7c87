//! The clauses of a ballot, in one table: which rule sets each, and which mode of decision asks for it.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::fields::{RuleField, RuleKind};
use super::{DecisionRules, Rules};
use crate::ids::BadId;
use crate::verdict::ClauseKind;

/// The clauses about scores and passing votes that apply.
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

/// What a mode of decision makes of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseUse {
    /// It holds as the rules have it.
    AsSet,
    /// It is asked for: as the rules have it, or else with the value that it begins with.
    Asked,
    /// It is not asked for.
    NotAsked,
    /// Everybody is needed, whatever the rules have.
    Everybody,
    /// Everybody is needed, unless a change says otherwise.
    EverybodyUnlessGiven,
}

impl ClauseUse {
    /// Whether a changed value of the clause makes a difference.
    pub fn heeds_change(self) -> bool {
        match self {
            Self::AsSet | Self::Asked | Self::EverybodyUnlessGiven => true,
            Self::NotAsked | Self::Everybody => false,
        }
    }

    /// Whether the clause is among those that the mode is about.
    pub fn is_asked(self) -> bool {
        match self {
            Self::Asked | Self::Everybody | Self::EverybodyUnlessGiven => true,
            Self::AsSet | Self::NotAsked => false,
        }
    }
}

/// A clause and the rule that sets it.
#[derive(Debug, Clone, Copy)]
pub struct ClauseRule {
    /// The clause.
    pub kind: ClauseKind,
    /// The path of its rule.
    pub path: &'static str,
    /// Its use under [`DecisionMode::ALL`], one after the other.
    uses: [ClauseUse; 4],
}

use ClauseUse::{AsSet, Asked, Everybody, EverybodyUnlessGiven, NotAsked};

/// Every clause, in the order in which a verdict names them.
const CLAUSES: [ClauseRule; 4] = [
    ClauseRule {
        kind: ClauseKind::Quorum,
        path: "decision.quorum",
        uses: [AsSet, AsSet, AsSet, EverybodyUnlessGiven],
    },
    ClauseRule {
        kind: ClauseKind::MeanScore,
        path: "decision.mean_score",
        uses: [Asked, NotAsked, Asked, NotAsked],
    },
    ClauseRule {
        kind: ClauseKind::PassRatio,
        path: "decision.pass_ratio",
        uses: [NotAsked, Asked, Asked, Everybody],
    },
    ClauseRule { kind: ClauseKind::MinScore, path: "decision.min_score", uses: [AsSet, AsSet, AsSet, AsSet] },
];

impl ClauseRule {
    /// All clauses.
    pub const ALL: &[Self] = &CLAUSES;

    /// The rule of a clause.
    pub fn of(kind: ClauseKind) -> &'static Self {
        match kind {
            ClauseKind::Quorum => &CLAUSES[0],
            ClauseKind::MeanScore => &CLAUSES[1],
            ClauseKind::PassRatio => &CLAUSES[2],
            ClauseKind::MinScore => &CLAUSES[3],
        }
    }

    /// Its name in JSON, and that of its rule among those of the decision.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// The field of the rules that sets it, with its bounds and its texts.
    pub fn field(&self) -> &'static RuleField {
        RuleField::at(self.path).unwrap_or_else(|| unreachable!("{} is a rule", self.path))
    }

    /// Whether it is a share of one; the others are points.
    pub fn is_share(&self) -> bool {
        matches!(self.field().kind, RuleKind::Share(_))
    }

    /// The most that it can need; the least is 0.
    pub fn max(&self) -> u64 {
        self.field().number().map_or(1, |number| number.max)
    }

    /// What it needs under these rules; `None` when it is not asked for.
    pub fn needed(&self, decision: &DecisionRules) -> Option<f64> {
        let rules = Rules { decision: decision.clone(), ..Rules::default() };
        match self.field().kind {
            RuleKind::Number(number) => (number.read)(&rules).map(|needed| needed as f64),
            RuleKind::Share(share) => (share.read)(&rules),
            RuleKind::Switch
            | RuleKind::Choice(_)
            | RuleKind::List(_)
            | RuleKind::PerParticipant(_)
            | RuleKind::Group => None,
        }
    }

    /// What a mode makes of it; without a mode it holds as it is set.
    pub fn under(&self, mode: Option<DecisionMode>) -> ClauseUse {
        match mode {
            None => AsSet,
            Some(DecisionMode::Average) => self.uses[0],
            Some(DecisionMode::PassRatio) => self.uses[1],
            Some(DecisionMode::Both) => self.uses[2],
            Some(DecisionMode::Unanimous) => self.uses[3],
        }
    }

    /// What it needs under a mode, where a change gives one value and the rules have another.
    pub fn needed_under(
        &self,
        mode: Option<DecisionMode>,
        given: Option<f64>,
        held: Option<f64>,
    ) -> Option<f64> {
        let set = given.or(held);
        match self.under(mode) {
            AsSet => set,
            Asked => set.or_else(|| self.field().initial().and_then(|value| value.as_f64())),
            NotAsked => None,
            Everybody => Some(1.0),
            EverybodyUnlessGiven => given.or(Some(1.0)),
        }
    }
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

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn every_clause_has_a_rule_of_its_name() {
        assert_eq!(ClauseRule::ALL.len(), ClauseKind::VARIANTS.len());
        for kind in ClauseKind::VARIANTS {
            let rule = ClauseRule::of(*kind);
            assert_eq!(rule.kind, *kind);
            assert_eq!(serde_json::to_value(kind).expect("a name"), rule.name());
            assert!(rule.max() == if rule.is_share() { 1 } else { 100 }, "{kind:?}");
        }
        let decision = DecisionRules { min_score: Some(60), ..DecisionRules::default() };
        let needed = ClauseRule::ALL.iter().map(|rule| rule.needed(&decision)).collect::<Vec<_>>();
        assert_eq!(needed, [Some(2.0 / 3.0), Some(80.0), None, Some(60.0)]);
    }

    #[test]
    fn a_mode_asks_for_its_clauses_with_the_value_that_is_set_or_the_usual_one() {
        let under = |mode, kind, held| ClauseRule::of(kind).needed_under(Some(mode), None, held);
        assert_eq!(under(DecisionMode::Average, ClauseKind::MeanScore, None), Some(80.0));
        assert_eq!(under(DecisionMode::Both, ClauseKind::MeanScore, Some(70.0)), Some(70.0));
        assert_eq!(under(DecisionMode::Both, ClauseKind::PassRatio, None), Some(0.75));
        assert_eq!(under(DecisionMode::PassRatio, ClauseKind::MeanScore, Some(70.0)), None);
        assert_eq!(under(DecisionMode::Unanimous, ClauseKind::PassRatio, Some(0.5)), Some(1.0));
        assert_eq!(under(DecisionMode::Unanimous, ClauseKind::Quorum, Some(0.5)), Some(1.0));
        assert_eq!(under(DecisionMode::Unanimous, ClauseKind::MinScore, None), None);
        let (quorum, share) = (ClauseRule::of(ClauseKind::Quorum), ClauseRule::of(ClauseKind::PassRatio));
        let unanimous = Some(DecisionMode::Unanimous);
        assert_eq!(quorum.needed_under(unanimous, Some(0.5), Some(0.9)), Some(0.5));
        assert_eq!(share.needed_under(unanimous, Some(0.5), None), Some(1.0));
        assert!(quorum.under(unanimous).heeds_change() && !share.under(unanimous).heeds_change());
        assert_eq!(share.needed_under(None, None, Some(0.5)), Some(0.5));
    }
}
