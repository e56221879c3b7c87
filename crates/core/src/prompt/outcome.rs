//! The outcome of a meeting in a sentence.

use quorate_contract::{AbortReason, Actor, BudgetKind, ConvergenceTest, MeetingOutcome};
use quorate_messages::text;

use crate::policy::agreement::Agreement;
use crate::state::Meeting;

/// The outcome of a meeting, or the one it is closing with, in a sentence.
pub fn outcome_text(m: &Meeting) -> String {
    let language = m.language();
    let by_hand = m.ended_by.as_ref().filter(|_| {
        matches!(
            m.outcome(),
            Some(MeetingOutcome::Completed | MeetingOutcome::Aborted(AbortReason::User { .. }))
        )
    });
    if let Some(ended) = by_hand {
        let (who, note) = (actor_name(m, &ended.by), &ended.note);
        // Where nothing was said, nothing was completed.
        let completed = m.outcome() == Some(&MeetingOutcome::Completed) && m.rounds_held() > 0;
        return match (completed, note.is_empty()) {
            (true, true) => text!(language, "records-completed-by", who),
            (true, false) => {
                text!(language, "records-completed-by-with-note", who, note)
            }
            (false, true) => text!(language, "records-ended-by", who),
            (false, false) => text!(language, "records-ended-by-with-note", who, note),
        };
    }
    match m.outcome() {
        None => text!(language, "records-under-way").to_owned(),
        Some(MeetingOutcome::Accepted { ballot }) => {
            text!(language, "records-accepted-by-ballot", ballot = %ballot.0)
        }
        Some(MeetingOutcome::Completed) => text!(language, "records-discussion-complete").to_owned(),
        Some(MeetingOutcome::Converged { by }) if Agreement::of(m).lacks_majority() => match by {
            ConvergenceTest::Artifacts => text!(language, "records-artifacts-without-agreement"),
            ConvergenceTest::FewOpenPoints => text!(language, "records-few-open-points-without-agreement"),
            ConvergenceTest::StableRecommendation => {
                text!(language, "records-stable-without-agreement")
            }
        }
        .to_owned(),
        Some(MeetingOutcome::Converged { by }) => match by {
            ConvergenceTest::Artifacts => text!(language, "records-converged-artifacts"),
            ConvergenceTest::FewOpenPoints => text!(language, "records-converged-few-open-points"),
            ConvergenceTest::StableRecommendation => text!(language, "records-converged-stable"),
        }
        .to_owned(),
        Some(MeetingOutcome::Aborted(reason)) => match reason {
            AbortReason::RoundLimit => text!(language, "records-round-limit").to_owned(),
            AbortReason::Budget { budget } => match budget {
                BudgetKind::Tokens => text!(language, "records-token-budget-used-up"),
                BudgetKind::Cost => text!(language, "records-money-budget-used-up"),
                BudgetKind::WallTime => text!(language, "records-time-budget-used-up"),
            }
            .to_owned(),
            AbortReason::User { note } if note.is_empty() => {
                text!(language, "records-ended-by-user").to_owned()
            }
            AbortReason::User { note } => {
                text!(language, "records-ended-by-user-with-note", note)
            }
            AbortReason::NobodyLeft => text!(language, "records-nobody-left").to_owned(),
        },
    }
}

/// The name of an actor in the meeting's language.
pub fn actor_name(m: &Meeting, actor: &Actor) -> String {
    let language = m.language();
    match actor {
        Actor::System => text!(language, "records-the-rules").to_owned(),
        Actor::Facilitator => text!(language, "records-the-facilitator").to_owned(),
        Actor::Participant { id } => m.name_of(*id),
        Actor::Person { id, name } => m.person_name(id, name).to_owned(),
    }
}
