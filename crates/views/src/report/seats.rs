//! Participants in a report: dissent, reservations, and failures.

use quorate_contract::{FailureKind, Language, failure_advice, failure_text};
use quorate_core::policy::agreement::{Agreement, FailedSeat, SeatAgreement, SeatSide};
use quorate_core::{Meeting, SeatFailure, policy::agreement};
use quorate_messages::text;
use serde::Serialize;

use crate::report::{ReportDissent, last_message};

/// A failure of a participant, and how to resolve it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportFailure {
    /// The kind of the failure; `null` in older logs that do not have it.
    pub kind: Option<FailureKind>,
    /// The kind, as text.
    pub text: String,
    /// The details; may be empty.
    pub detail: String,
    /// How to resolve the problem.
    pub hint: String,
    /// The sequence number of its event.
    pub seq: u64,
}

/// A participant whose turns or votes failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportFailedParticipant {
    /// The name.
    pub name: String,
    /// The runner that answers; `person` for every person.
    pub runner: String,
    /// The same as a text.
    pub runner_text: String,
    /// The number of turns that the participant was given.
    pub turns: usize,
    /// The number of failed turns.
    pub failed_turns: usize,
    /// The number of failed votes.
    pub failed_votes: usize,
    /// Whether the participant sent any message.
    pub spoke: bool,
    /// Whether the participant is missing from the result: it never spoke, or its vote in the deciding ballot
    /// failed.
    pub missing: bool,
    /// The latest failure.
    pub last: Option<ReportFailure>,
}

/// The failures of a meeting in which most participants failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportIncompleteness {
    /// The number of participants that are missing from the result.
    pub failed: usize,
    /// The number of all participants.
    pub seats: usize,
    /// The same as a text, and how to resolve it.
    pub text: String,
}

pub(super) fn failure_row(language: Language, failure: &SeatFailure) -> ReportFailure {
    let text = match failure.kind {
        Some(kind) => failure_text(language, kind),
        None => text!(language, "views-seats-call-failed"),
    };
    // What helps after any failure of this kind: a failure's own advice may name addresses of this machine. Whose time was
    // too short is only known there.
    let hint = match failure.kind {
        Some(kind) if kind != FailureKind::TimedOut => failure_advice(language, kind).to_owned(),
        _ => failure.hint.in_language(language).into_owned(),
    };
    ReportFailure {
        kind: failure.kind,
        text: text.to_owned(),
        detail: failure.detail.in_language(language).into_owned(),
        hint,
        seq: failure.seq,
    }
}

pub(super) fn failures(m: &Meeting, agreement: &Agreement) -> Vec<ReportFailedParticipant> {
    let row = |failed: FailedSeat<'_>| ReportFailedParticipant {
        name: failed.seat.participant.name.clone(),
        runner: failed.seat.participant.runner.public_label(),
        runner_text: failed.seat.participant.runner.label_for(m.language()),
        turns: failed.turns,
        failed_turns: failed.failed_turns,
        failed_votes: failed.failed_votes,
        spoke: failed.spoke,
        missing: failed.counts,
        last: failed.last.as_ref().map(|failure| failure_row(m.language(), failure)),
    };
    agreement::failures(m, agreement).into_iter().map(row).collect()
}

pub(super) fn incomplete(m: &Meeting, agreement: &Agreement) -> Option<ReportIncompleteness> {
    let (failed, seats) = agreement::mostly_failed(m, agreement)?;
    let language = m.language();
    let failures = agreement::failures(m, agreement);
    let mut lacking = failures.iter().filter(|one| one.counts);
    let text = match lacking.all(|one| one.spoke && one.failed_turns == 0) {
        true => text!(language, "views-seats-votes-failed-result-without-them", %failed, %seats),
        false => text!(language, "views-seats-seats-failed-result-without-them", %failed, %seats),
    };
    Some(ReportIncompleteness { failed, seats, text })
}

/// Participants who do not support the result.
pub(super) fn dissent(m: &Meeting, agreement: &Agreement) -> Vec<ReportDissent> {
    let against = agreement.seats.iter().filter(|seat| seat.side == SeatSide::Dissents);
    against.map(|seat| row(m, agreement, seat)).collect()
}

/// Participants who support it with reservations.
pub(super) fn reservations(m: &Meeting, agreement: &Agreement) -> Vec<ReportDissent> {
    let reserved = agreement.seats.iter().filter(|seat| seat.reserved);
    reserved.map(|seat| row(m, agreement, seat)).collect()
}

fn row(m: &Meeting, agreement: &Agreement, seat: &SeatAgreement) -> ReportDissent {
    ReportDissent {
        name: seat.name.clone(),
        score: seat.score,
        reason: seat.reason.clone(),
        position: seat.position.clone(),
        ballot: agreement.ballot,
        source: last_message(m, seat.participant),
    }
}
