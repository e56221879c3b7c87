//! The convergence of a meeting: counted from its messages, not judged by a model.

use quorate_contract::{Convergence, ConvergenceTest};

use crate::state::{ConvergenceMetric, Meeting, Phase, TurnState, closing};

/// The metric after the finished round.
///
/// The score is 60 when all participants hold one position (by share of the largest), 20 without open
/// questions (halved by each two), and 20 for recommendations that have stayed for two rounds.
pub(crate) fn measure(m: &Meeting) -> ConvergenceMetric {
    let round = m.round_number();
    let summary = m.summaries.last().filter(|summary| summary.round == round);
    let positions = summary.map_or(&[][..], |summary| &summary.positions);
    let open = summary.map_or(0, |summary| summary.open_questions.len());
    let divided = match summary.map(|summary| summary.disagreements.len()) {
        Some(count) if count > 0 => count,
        Some(_) | None => positions.len().saturating_sub(1),
    };
    let stable_rounds = stable_rounds(m);
    let holders: usize = positions.iter().map(|position| position.holders.len()).sum();
    let largest = positions.iter().map(|position| position.holders.len()).max().unwrap_or(0);
    let share = if holders == 0 { 0.0 } else { largest as f64 / holders as f64 };
    let answered = 2.0 / (2.0 + open as f64);
    let stable = f64::from(stable_rounds.min(2)) / 2.0;
    ConvergenceMetric {
        round,
        open_questions_count: count(open),
        disagreements_count: count(divided),
        convergence_score: (60.0 * share + 20.0 * answered + 20.0 * stable).round() as u8,
        stable_rounds,
    }
}

/// The number of consecutive rounds in which no recommendation changed. A round without messages, or with a
/// first statement of a recommendation, does not count.
fn stable_rounds(m: &Meeting) -> u32 {
    let Some(round) = m.round() else { return 0 };
    let spoke = |state: &TurnState| matches!(state, TurnState::Said(_));
    let speakers = || round.turns.iter().filter(|turn| spoke(&turn.state)).map(|turn| turn.participant);
    let earlier = m.rounds.iter().filter(|other| other.number < round.number);
    let had_spoken: Vec<_> = earlier
        .flat_map(|other| other.turns.iter().filter(|turn| spoke(&turn.state)))
        .map(|turn| turn.participant)
        .collect();
    let changed = |id| m.seat(id).is_some_and(|seat| seat.changed_in == Some(round.number));
    let stayed = speakers().next().is_some() && speakers().all(|id| had_spoken.contains(&id) && !changed(id));
    match stayed {
        true => m.metrics.last().map_or(0, |before| before.stable_rounds) + 1,
        false => 0,
    }
}

/// Which of the conditions holds, if one does.
pub(crate) fn reached(m: &Meeting, limits: &Convergence) -> Option<ConvergenceTest> {
    let metric = m.metrics.last().filter(|metric| metric.round == m.round_number())?;
    let artifacts = &m.rules().closing.artifacts;
    if m.phase == Phase::Summary
        && !artifacts.is_empty()
        && artifacts.iter().all(|kind| closing::is_written(m, *kind))
    {
        return Some(ConvergenceTest::Artifacts);
    }
    if metric.open_questions_count <= limits.max_open_questions
        && metric.disagreements_count <= limits.max_disagreements
    {
        return Some(ConvergenceTest::FewOpenPoints);
    }
    (metric.stable_rounds >= limits.stable_rounds).then_some(ConvergenceTest::StableRecommendation)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
