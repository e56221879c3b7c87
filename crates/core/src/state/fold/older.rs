//! What was chosen while an event was read, in logs before versions 4 and 5 of the contract of events.
//!
//! Later events say it themselves, and none of this is asked for them. These rules are those of their time and never
//! change, so that an older log stays what it was.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_contract::{
    Actor, ArtifactKind, ArtifactVersion, BudgetKind, ContextWindowObservation, FailureKind,
    PARTICIPANTS_MAX, ParticipantId, PauseReason, Resumption, RoundKind, Rules, RunnerSpec, Stride,
    TaskFailureConsequence, TaskId,
};
use serde_json::Value;

use crate::state::tasks::{is_record, runner};
use crate::state::{BallotState, Meeting, MeetingMessage, Phase, Round, RunState, TurnState};

/// The longest time between two events that counted as running time.
pub(super) fn silence_max_ms(rules: &Rules) -> u64 {
    rules.turns.timeout_ms.saturating_add(60_000)
}

/// The number of messages that all participants could read: those of a running blind or parallel round were not
/// among them.
pub(super) fn visible_messages(m: &Meeting) -> usize {
    let runs = |round: &&Round| m.phase == Phase::Discussion && round.ended_seq.is_none();
    match m.round().filter(|round| round.kind != RoundKind::Serial).filter(runs) {
        Some(round) => {
            let before = |said: &Arc<MeetingMessage>| said.turn.is_none_or(|turn| turn.round != round.number);
            m.said.iter().position(|said| !before(said)).unwrap_or(m.said.len())
        }
        None => m.said.len(),
    }
}

/// The number of messages that an artifact covered: those that could be read when it was last asked for.
pub(super) fn artifact_covers(
    m: &Meeting,
    kind: ArtifactKind,
    version: ArtifactVersion,
    author: &Actor,
) -> usize {
    let asked = m.artifact_covers.get(&TaskId::Artifact(kind, version)).copied();
    asked.filter(|_| *author != Actor::System).unwrap_or_else(|| visible_messages(m))
}

/// What followed from the failure of a task.
pub(super) fn after_failure(m: &Meeting, task: TaskId, kind: FailureKind) -> TaskFailureConsequence {
    let kept = matches!(m.phase, Phase::Closing { .. }) || kind == FailureKind::Budget;
    match task {
        TaskId::Minutes(_) | TaskId::Artifact(..) if !kept => TaskFailureConsequence::Withdrawn,
        TaskId::Invite(_) if m.present().count() >= PARTICIPANTS_MAX => TaskFailureConsequence::Closed,
        _ => TaskFailureConsequence::GivenUp,
    }
}

/// The budget that a pause was about.
pub(super) fn paused_for(m: &Meeting, reason: PauseReason) -> Option<BudgetKind> {
    m.reached.filter(|_| reason == PauseReason::BudgetLimit)
}

/// What followed from a resume.
pub(super) fn resumption(m: &Meeting, answers: &BTreeMap<String, Value>) -> Resumption {
    let RunState::Paused { reason, questions, .. } = &m.run_state else { return Resumption::default() };
    let mut then = Resumption::default();
    match reason {
        PauseReason::GateFailed => {
            let by_rules = answers.get("gate").and_then(Value::as_str) == Some("by_rules");
            let stuck = asked_again_at_closing(m);
            *if by_rules { &mut then.by_rules } else { &mut then.asked_again } = stuck;
        }
        PauseReason::MissingInfo | PauseReason::CheckIn => {
            let keys = questions.iter().map(|question| &question.key);
            then.shared = keys.filter(|key| *key != "topic").cloned().collect();
        }
        _ => {}
    }
    then
}

/// The failed tasks that were asked for once more when the meeting closed.
pub(super) fn asked_again_at_closing(m: &Meeting) -> Vec<TaskId> {
    m.given_up.keys().copied().filter(|task| is_record(*task)).collect()
}

/// The number of tokens that a server was expected to count where a thousand were estimated.
pub(super) fn per_mille(m: &Meeting, task: TaskId, window: &ContextWindowObservation) -> u64 {
    let counted = window.prompt_tokens.and_then(|counted| {
        counted.saturating_mul(1000).checked_div(window.estimated_tokens).filter(|_| counted > 0)
    });
    let counted = counted.map_or(750, |counted| counted.clamp(100, 5000));
    let label = runner(m, task).map(RunnerSpec::label);
    let before = label.and_then(|label| m.windows.get(&label)).map_or(0, |window| window.per_mille);
    counted.max(before)
}

/// Whoever left or went offline waited for no turn any more. Before version 5.
pub(super) fn leave_queue(m: &mut Meeting, participant: ParticipantId) {
    if let Some(round) = m.rounds.last_mut() {
        Arc::make_mut(round).queue.retain(|(id, _)| *id != participant);
    }
}

/// The number of strides of this length that were complete when a pause was requested. Before version 5.
pub(super) fn strides(m: &Meeting, stride: Stride) -> usize {
    let counted = || m.ballots.iter().filter(|one| matches!(one.state, BallotState::Closed(_))).count();
    match stride {
        Stride::Turn => {
            let turns = m.rounds.iter().flat_map(|round| &round.turns);
            turns.filter(|turn| turn.state != TurnState::Open).count() + counted()
        }
        Stride::Round => m.rounds.iter().filter(|round| round.ended_seq.is_some()).count(),
        Stride::Ballot => counted(),
    }
}
