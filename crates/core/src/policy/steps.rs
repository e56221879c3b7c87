//! What belongs before a round and after it: questions, a team, a summary, marks, how far the table has come.

use quorate_contract::{IntakeWhen, PARTICIPANTS_MAX};

use super::roster;
use crate::state::Meeting;

pub(crate) fn first_round(m: &Meeting) -> u32 {
    if m.rules().turns.blind_round { 0 } else { 1 }
}

pub(crate) fn is_first(m: &Meeting) -> bool {
    m.rounds.is_empty()
}

/// Whether a person is asked something before this round.
pub(crate) fn asks(m: &Meeting) -> bool {
    match m.rules().intake.when {
        IntakeWhen::Never => false,
        IntakeWhen::Start => is_first(m),
        IntakeWhen::EachRound => true,
    }
}

/// Whether somebody may come or go before this round.
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

/// Whether the round that is over is to be summed up and is not yet.
pub(crate) fn needs_summary(m: &Meeting) -> bool {
    let rules = m.rules();
    let wanted =
        rules.context.rolling_summary || rules.decision.ballots || rules.decision.convergence.is_some();
    wanted && m.summaries.last().is_none_or(|summary| summary.round != m.round_number())
}

/// Whether those who had a turn are to be marked and are not yet.
pub(crate) fn needs_evaluation(m: &Meeting) -> bool {
    let number = m.round_number();
    let held = m.round().is_some_and(|round| !round.turns.is_empty());
    m.rules().roster.evaluate && held && m.evaluations.last().is_none_or(|one| one.round != number)
}

/// Whether it is to be told how far the table has come together, and is not yet.
pub(crate) fn needs_metric(m: &Meeting) -> bool {
    let measured = m.metrics.last().is_some_and(|metric| metric.round == m.round_number());
    m.rules().decision.convergence.is_some() && !measured
}

/// Whether all is written that belongs to the round that is over.
pub(crate) fn is_summed_up(m: &Meeting) -> bool {
    !needs_summary(m) && !needs_evaluation(m) && !needs_metric(m)
}
