//! Changed limits for a fork.

use serde::{Deserialize, Deserializer, Serialize};

use super::LimitRules;

/// Changes of limits. Limits that are left out keep their value; `null` removes a budget.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LimitChanges {
    /// The largest number of discussion rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rounds: Option<u32>,
    /// The token budget, input and output, including what is carried over.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>))]
    pub tokens: Option<Option<u64>>,
    /// The cost budget in millionths of the currency, including what is carried over.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>))]
    pub cost_micros: Option<Option<u64>>,
    /// The time budget in milliseconds, including what is carried over.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>))]
    pub wall_ms: Option<Option<u64>>,
}

impl LimitChanges {
    /// Applies the changes to these limits.
    pub fn over(&self, limits: &LimitRules) -> LimitRules {
        LimitRules {
            max_rounds: self.max_rounds.unwrap_or(limits.max_rounds),
            tokens: self.tokens.unwrap_or(limits.tokens),
            cost_micros: self.cost_micros.unwrap_or(limits.cost_micros),
            wall_ms: self.wall_ms.unwrap_or(limits.wall_ms),
            ..limits.clone()
        }
    }
}

/// Distinguishes `null` from a missing field.
fn given<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(value).map(Some)
}
