//! Sentences in both languages, for readers of either.

use quorate_contract::Language;
use serde::Serialize;

/// A sentence in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Bilingual {
    /// The Chinese text.
    pub zh: String,
    /// The English text.
    pub en: String,
}

impl Bilingual {
    pub(super) fn new(zh: impl Into<String>, en: impl Into<String>) -> Self {
        Self { zh: zh.into(), en: en.into() }
    }

    /// The sentence in one of them.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        }
    }
}

/// A share as people read it.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}
