//! The steps before and after a round: questions, a team, a summary, marks, the metric.

use quorate_contract::{IntakeTiming, PARTICIPANTS_MAX};

use super::roster;
use crate::state::Meeting;

pub(crate) fn first_round(m: &Meeting) -> u32 {
    if m.rules().turns.blind_round { 0 } else { 1 }
}

pub(crate) fn is_first(m: &Meeting) -> bool {
    m.rounds.is_empty()
}

/// Whether a person is asked questions before this round.
pub(crate) fn asks(m: &Meeting) -> bool {
    match m.rules().intake.when {
        IntakeTiming::Never => false,
        IntakeTiming::Start => is_first(m),
        IntakeTiming::EachRound => true,
    }
}

/// Whether participants may join or leave before this round.
pub(crate) fn changes_team(m: &Meeting) -> bool {
    let empty = m.present().next().is_none();
    match is_first(m) {
        true => empty && m.rules().roster.assemble,
        false => m.rules().roster.newcomers || !roster::departures(m).is_empty(),
    }
}

/// Whether the facilitator is asked for newcomers before this round.
pub(crate) fn wants_newcomers(m: &Meeting) -> bool {
    let room = m.present().count() < PARTICIPANTS_MAX;
    match is_first(m) {
        true => changes_team(m),
        false => m.rules().roster.newcomers && room,
    }
}

/// Whether the finished round still needs a summary.
pub(crate) fn needs_summary(m: &Meeting) -> bool {
    let rules = m.rules();
    let wanted =
        rules.context.rolling_summary || rules.decision.ballots || rules.decision.convergence.is_some();
    wanted && m.summaries.last().is_none_or(|summary| summary.round != m.round_number())
}

/// Whether the speakers of the finished round still need marks.
pub(crate) fn needs_evaluation(m: &Meeting) -> bool {
    let number = m.round_number();
    let held = m.round().is_some_and(|round| !round.turns.is_empty());
    m.rules().roster.evaluate && held && m.evaluations.last().is_none_or(|one| one.round != number)
}

/// Whether the finished round still needs its metric.
pub(crate) fn needs_metric(m: &Meeting) -> bool {
    let measured = m.metrics.last().is_some_and(|metric| metric.round == m.round_number());
    m.rules().decision.convergence.is_some() && !measured
}

/// Whether all records of the finished round are written.
pub(crate) fn is_summed_up(m: &Meeting) -> bool {
    !needs_summary(m) && !needs_evaluation(m) && !needs_metric(m)
}
