//! The languages that the product speaks.

use serde::{Deserialize, Serialize};

/// A language: of a meeting and its texts, or of a reader.
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
    /// Every language, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Zh, Self::En];

    /// The tag by which the language is known (BCP 47), and the folder of its messages.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
        }
    }

    /// Picks between the two forms of a fixed text.
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }
}
