//! Whether a decision record tells of a decision.

use quorate_contract::AdrStatus;

use super::Agreement;
use crate::state::Meeting;

/// Whether a decision record tells of something that was agreed on.
pub(crate) fn adr_status(m: &Meeting) -> AdrStatus {
    match Agreement::of(m).is_agreed(m.outcome()) {
        true => AdrStatus::Accepted,
        false => AdrStatus::Proposed,
    }
}
