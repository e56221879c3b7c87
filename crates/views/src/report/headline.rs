//! The headline of a result: the outcome, and its support.

use quorate_contract::Language;
use quorate_core::policy::agreement::{Agreement, AgreementBasis};
use quorate_core::{Meeting, outcome_text};
use quorate_messages::text;

/// The outcome or the present state, with its support: "accepted by ballot 2: 3 of 4 voted to pass, 1
/// failed".
pub(super) fn of(m: &Meeting, agreement: &Agreement) -> String {
    let (language, outcome) = (m.language(), outcome_text(m));
    match counts(language, agreement) {
        counts if counts.is_empty() => outcome,
        counts => text!(language, "views-headline-outcome-counts", %outcome, %counts),
    }
}

fn counts(language: Language, agreement: &Agreement) -> String {
    let Agreement { supports, dissents, abstained, failed, undecided, reserved, .. } = *agreement;
    let all = agreement.seats.len();
    let mut parts = Vec::new();
    match agreement.basis {
        AgreementBasis::Nothing => return String::new(),
        AgreementBasis::Ballot => parts.push(text!(language, "views-headline-voted-to-pass", supports, all)),
        AgreementBasis::Positions if agreement.divided => {
            parts.push(text!(language, "views-headline-no-majority").to_owned());
        }
        AgreementBasis::Positions => {
            parts.push(text!(language, "views-headline-hold-this-conclusion", supports, all));
        }
    }
    if reserved > 0 {
        parts.push(text!(language, "views-headline-with-reservations", reserved));
    }
    if dissents > 0 {
        parts.push(match agreement.basis {
            AgreementBasis::Ballot => text!(language, "views-headline-against", dissents),
            AgreementBasis::Positions | AgreementBasis::Nothing => {
                text!(language, "views-headline-hold-another-position", dissents)
            }
        });
    }
    if abstained > 0 {
        parts.push(text!(language, "views-headline-abstained", abstained));
    }
    if failed > 0 {
        parts.push(text!(language, "views-headline-failed", failed));
    }
    let left = all.saturating_sub(supports + dissents + abstained + failed + undecided);
    if left > 0 {
        parts.push(text!(language, "views-headline-left", left));
    }
    if undecided > 0 && !agreement.divided {
        parts.push(text!(language, "views-headline-took-no-position", undecided));
    }
    parts.join(text!(language, "common-comma"))
}
