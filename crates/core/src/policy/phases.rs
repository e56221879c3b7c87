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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{Actor, Convergence, MessageId};

    use super::*;
    use crate::state::{ConvergenceMetric, Evaluation, TurnState};
    use crate::tests::{round_of, seated, settings, summary_of};

    #[test]
    fn a_team_is_assembled_at_an_empty_table_and_newcomers_are_asked_for_where_there_is_room() {
        let mut empty = seated(0);
        assert!(!changes_team(&empty) && !wants_newcomers(&empty));
        settings(&mut empty).rules.roster.assemble = true;
        assert!(changes_team(&empty) && wants_newcomers(&empty));
        let mut taken = seated(1);
        settings(&mut taken).rules.roster.assemble = true;
        assert!(!changes_team(&taken) && !wants_newcomers(&taken), "those who are there begin");
        let asks = |count: usize, newcomers| {
            let mut m = seated(count as u32);
            m.rounds.push(round_of(1, &[]));
            settings(&mut m).rules.roster.newcomers = newcomers;
            wants_newcomers(&m)
        };
        assert!(asks(PARTICIPANTS_MAX - 1, true) && !asks(PARTICIPANTS_MAX, true));
        assert!(!asks(2, false));
    }

    #[test]
    fn a_round_is_summed_up_once_all_its_records_are_written() {
        let mut m = seated(1);
        let turns = [(1, TurnState::Said(MessageId(1)))];
        m.rounds.push(round_of(1, &turns));
        let rules = &mut settings(&mut m).rules;
        (rules.context.rolling_summary, rules.decision.ballots, rules.roster.evaluate) =
            (false, false, false);
        assert!(is_summed_up(&m), "nothing is asked for");
        let rules = &mut settings(&mut m).rules;
        rules.decision.convergence =
            Some(Convergence { max_open_questions: 0, max_disagreements: 0, stable_rounds: 2 });
        rules.roster.evaluate = true;
        assert_eq!((needs_summary(&m), needs_evaluation(&m), needs_metric(&m)), (true, true, true));
        let summary = summary_of(1, Vec::new());
        m.summaries.push(Arc::new(summary));
        assert!(!needs_summary(&m) && !is_summed_up(&m));
        let evaluation = Evaluation { round: 1, by: Actor::Facilitator, marks: Vec::new() };
        m.evaluations.push(Arc::new(evaluation));
        assert!(!needs_evaluation(&m) && !is_summed_up(&m));
        m.metrics.push(ConvergenceMetric {
            round: 1,
            open_questions_count: 0,
            disagreements_count: 0,
            convergence_score: 0,
            stable_rounds: 0,
        });
        assert!(!needs_metric(&m) && is_summed_up(&m));
        m.evaluations.clear();
        assert!(!is_summed_up(&m));
        m.rounds.push(round_of(2, &[]));
        assert_eq!((needs_summary(&m), needs_evaluation(&m), needs_metric(&m)), (true, false, true));
    }
}
