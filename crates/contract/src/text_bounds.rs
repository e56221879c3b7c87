//! Bounds of texts, and the refusal of a field that is out of them.

use quorate_messages::message;

use crate::localized::Wording;
use crate::refusal::Refusal;

/// Checks that the length of a text is within its bounds and that it is not blank where it must not be.
pub fn length(field: &str, text: &str, min: usize, max: usize) -> Result<(), Refusal> {
    let chars = text.chars().count();
    if min > 0 && text.trim().is_empty() {
        let hint = message!("contract-check-write-characters", %min, %max);
        return Err(invalid(field, message!("contract-check-empty"), hint));
    }
    if chars > max {
        let hint = message!("contract-check-shorten-characters", %max);
        return Err(invalid(field, message!("contract-check-has-characters", %chars), hint));
    }
    Ok(())
}

/// A refusal of one field.
pub fn invalid(field: &str, problem: impl Into<Wording>, hint: impl Into<Wording>) -> Refusal {
    Refusal::Invalid { field: field.to_owned(), problem: problem.into(), hint: hint.into() }
}
