//! Changed limits for a fork.

use serde::{Deserialize, Deserializer, Serialize};

use super::Limits;

/// The limits that are to be otherwise; what is left out stays as it is. `null` takes a budget away.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LimitChanges {
    /// The most discussion rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rounds: Option<u32>,
    /// The most tokens, read and written, those that are carried over included.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>))]
    pub tokens: Option<Option<u64>>,
    /// The most money, in millionths of the currency, what is carried over included.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>))]
    pub cost_micros: Option<Option<u64>>,
    /// The most time in milliseconds, what is carried over included.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>))]
    pub wall_ms: Option<Option<u64>>,
}

impl LimitChanges {
    /// Applies the changes to these limits.
    pub fn over(&self, limits: &Limits) -> Limits {
        Limits {
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
