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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{FailureKind, MessageId, ParticipantId, SummaryPosition};

    use super::*;
    use crate::state::{Round, Summary};
    use crate::tests::{round_of, seated, summary_of};

    /// A round in which the turn of each participant ended like this.
    fn round(number: u32, states: &[TurnState]) -> Arc<Round> {
        round_of(number, &(1..).zip(states.iter().copied()).collect::<Vec<_>>())
    }

    fn summary(round: u32, holders: &[usize], questions: usize, disagreements: usize) -> Arc<Summary> {
        let texts = |count: usize| (0..count).map(|number| number.to_string()).collect();
        let position = |count: &usize| SummaryPosition {
            text: count.to_string(),
            holders: (0..*count as u32).map(ParticipantId).collect(),
        };
        let (open_questions, disagreements) = (texts(questions), texts(disagreements));
        let positions = holders.iter().map(position).collect();
        Arc::new(Summary { open_questions, disagreements, ..summary_of(round, positions) })
    }

    const SAID: TurnState = TurnState::Said(MessageId(1));

    #[test]
    fn the_score_counts_the_largest_position_open_questions_and_stable_rounds() {
        let mut m = seated(2);
        m.rounds = vec![round(1, &[SAID, SAID])].into();
        let mut scored = |holders: &[usize], questions, disagreements| {
            m.summaries = vec![summary(1, holders, questions, disagreements)].into();
            let metric = measure(&m);
            (metric.convergence_score, metric.open_questions_count, metric.disagreements_count)
        };
        assert_eq!(scored(&[3, 1], 0, 0), (65, 0, 1), "two positions are one disagreement");
        assert_eq!(scored(&[3, 1], 2, 4), (55, 2, 4));
        assert_eq!(scored(&[4], 0, 0), (80, 0, 0));
        assert_eq!(scored(&[], 6, 0), (5, 6, 0));
        m.summaries = vec![summary(2, &[4], 3, 3)].into();
        assert_eq!(measure(&m).convergence_score, 20, "the summary of another round does not count");
    }

    #[test]
    fn recommendations_that_stay_for_two_rounds_count_in_full() {
        let mut m = seated(2);
        let scores = (1..=4).map(|number| {
            m.rounds.push(round(number, &[SAID, SAID]));
            let metric = measure(&m);
            m.metrics.push(metric);
            metric.convergence_score
        });
        assert_eq!(scores.collect::<Vec<_>>(), [20, 30, 40, 40]);
    }

    #[test]
    fn rounds_are_stable_in_which_speakers_who_had_spoken_changed_nothing() {
        let failed = TurnState::Failed(FailureKind::Network);
        let stable = |rounds: &[Arc<Round>], changed_in: Option<u32>| {
            let mut m = seated(2);
            Arc::make_mut(&mut m.seats[1]).changed_in = changed_in;
            for round in rounds {
                m.rounds.push(round.clone());
                let metric = measure(&m);
                m.metrics.push(metric);
            }
            m.metrics.last().map(|metric| metric.stable_rounds)
        };
        let all = |number| round(number, &[SAID, SAID]);
        assert_eq!(stable(&[all(1)], None), Some(0), "they said it for the first time");
        assert_eq!(stable(&[all(1), all(2)], None), Some(1));
        assert_eq!(stable(&[all(1), all(2), all(3)], None), Some(2));
        assert_eq!(stable(&[all(1), all(2), all(3)], Some(3)), Some(0));
        assert_eq!(stable(&[all(1), all(2), all(3)], Some(2)), Some(1));
        assert_eq!(stable(&[all(1), round(2, &[failed, failed])], None), Some(0), "nobody spoke");
        assert_eq!(stable(&[round(1, &[SAID, failed]), all(2)], None), Some(0), "one is new");
        assert_eq!(stable(&[all(1), round(2, &[SAID, failed])], Some(2)), Some(1), "only who spoke counts");
    }

    #[test]
    fn a_meeting_converges_with_few_open_points_or_a_stable_recommendation() {
        let limits = Convergence { max_open_questions: 2, max_disagreements: 1, stable_rounds: 3 };
        let mut m = seated(2);
        m.rounds = vec![round(1, &[SAID])].into();
        let mut reached = |round, open_questions_count, disagreements_count, stable_rounds| {
            let convergence_score = 0;
            m.metrics = vec![ConvergenceMetric {
                round,
                open_questions_count,
                disagreements_count,
                convergence_score,
                stable_rounds,
            }]
            .into();
            super::reached(&m, &limits)
        };
        assert_eq!(reached(1, 2, 1, 0), Some(ConvergenceTest::FewOpenPoints));
        assert_eq!((reached(1, 3, 1, 2), reached(1, 2, 2, 2)), (None, None));
        assert_eq!(reached(1, 3, 2, 3), Some(ConvergenceTest::StableRecommendation));
        assert_eq!(reached(2, 0, 0, 9), None, "the round has no metric yet");
    }
}
