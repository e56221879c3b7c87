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
    let mut part = |zh: String, en: String| parts.push(language.pick(zh, en));
    match agreement.basis {
        AgreementBasis::Nothing => return String::new(),
        AgreementBasis::Ballot => part(
            format!("{all} 位表决人中 {supports} 位同意通过"),
            format!("{supports} of {all} voted to pass"),
        ),
        AgreementBasis::Positions if agreement.divided => {
            part("没有哪个立场占多数".to_owned(), "no position is held by most".to_owned());
        }
        AgreementBasis::Positions => {
            part(
                format!("{all} 位中 {supports} 位持此结论"),
                format!("{supports} of {all} hold this conclusion"),
            );
        }
    }
    if reserved > 0 {
        part(format!("其中 {reserved} 位有保留"), format!("{reserved} of them with reservations"));
    }
    if dissents > 0 {
        match agreement.basis {
            AgreementBasis::Ballot => part(format!("{dissents} 位反对"), format!("{dissents} against")),
            AgreementBasis::Positions | AgreementBasis::Nothing => {
                part(format!("{dissents} 位持其他立场"), format!("{dissents} hold another position"));
            }
        }
    }
    if abstained > 0 {
        part(format!("{abstained} 位弃权"), format!("{abstained} abstained"));
    }
    if failed > 0 {
        part(format!("{failed} 位调用失败"), format!("{failed} failed"));
    }
    let left = all.saturating_sub(supports + dissents + abstained + failed + undecided);
    if left > 0 {
        part(format!("{left} 位已离开"), format!("{left} left"));
    }
    if undecided > 0 && !agreement.divided {
        part(format!("{undecided} 位没有表明立场"), format!("{undecided} took no position"));
    }
    parts.join(text!(language, "common-comma"))
}
