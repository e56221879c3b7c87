//! The warning of a result whose agreement shows signs of false consensus.

use quorate_core::Meeting;
use serde::Serialize;

use crate::health::{DeliberationHealth, HealthGrade};

/// The warning that an agreement is suspicious.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportSuspicion {
    /// The verdict of the deliberation health, as a text.
    pub text: String,
    /// The signs, each as a text.
    pub reasons: Vec<String>,
}

/// The warning, by the deliberation health; `None` for another verdict.
pub(super) fn of(m: &Meeting) -> Option<ReportSuspicion> {
    let verdict = DeliberationHealth::of(m).verdict;
    let text = |message: &quorate_messages::Message| message.text(m.language()).to_string();
    (verdict.standing == HealthGrade::Suspicious).then(|| ReportSuspicion {
        text: text(&verdict.text),
        reasons: verdict.because.iter().map(|finding| text(&finding.text)).collect(),
    })
}
