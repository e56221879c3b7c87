//! The status of a decision record.

use quorate_contract::AdrStatus;

use super::Agreement;
use crate::state::Meeting;

/// The status of a decision record: accepted when it was agreed on.
pub(crate) fn adr_status(m: &Meeting) -> AdrStatus {
    match Agreement::of(m).is_agreed(m.outcome()) {
        true => AdrStatus::Accepted,
        false => AdrStatus::Proposed,
    }
}
