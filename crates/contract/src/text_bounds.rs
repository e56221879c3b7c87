//! Bounds of texts, and the refusal of a field that is out of them.

use quorate_messages::message;

use crate::localized::Wording;
use crate::names::is_blank;
use crate::refusal::Refusal;

/// Checks that the length of a text is within its bounds and that it shows something where it must.
pub fn length(field: &str, text: &str, min: usize, max: usize) -> Result<(), Refusal> {
    let chars = text.chars().count();
    if min > 0 && is_blank(text) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_nothing_is_empty() {
        for blank in ["", " \n\t", "\u{200b}", "\u{3164}", "\u{2800} \u{2800}", "\u{200e}\u{feff}"] {
            assert!(length("text", blank, 1, 10).is_err(), "{blank:?}");
            assert_eq!(length("text", blank, 0, 10), Ok(()), "{blank:?}");
        }
        for shown in [".", "众", "👩\u{200d}💻", "\u{200b}a"] {
            assert_eq!(length("text", shown, 1, 10), Ok(()), "{shown:?}");
        }
    }
}
