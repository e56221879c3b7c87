//! The languages in which meetings are held.

use serde::{Deserialize, Serialize};

/// The language in which a meeting is held and its record is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Language {
    /// Chinese.
    #[default]
    #[serde(rename = "zh")]
    Zh,
    /// English.
    #[serde(rename = "en")]
    En,
}

impl Language {
    /// Picks between the two forms of a fixed text.
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }
}
