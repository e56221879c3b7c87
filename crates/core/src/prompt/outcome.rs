//! The outcome of a meeting in a sentence.

use quorate_contract::{AbortReason, Actor, BudgetKind, ConvergenceTest, MeetingOutcome};

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
        return match note.is_empty() {
            true => language.pick(format!("由 {who} 结束"), format!("ended by {who}")),
            false => language.pick(format!("由 {who} 结束：{note}"), format!("ended by {who}: {note}")),
        };
    }
    match m.outcome() {
        None => language.pick("进行中", "under way").to_owned(),
        Some(MeetingOutcome::Accepted { ballot }) => {
            language.pick(format!("第 {} 次表决通过", ballot.0), format!("accepted by ballot {}", ballot.0))
        }
        Some(MeetingOutcome::Completed) => language.pick("讨论完成", "the discussion is complete").to_owned(),
        Some(MeetingOutcome::Converged { by }) if Agreement::of(m).lacks_majority() => match by {
            ConvergenceTest::Artifacts => language
                .pick("工件齐备，但没有形成一致", "the artifacts are there, but the table does not agree"),
            ConvergenceTest::FewOpenPoints => language.pick(
                "分歧与未决问题已足够少，但没有形成一致",
                "few points are left open, but the table does not agree",
            ),
            ConvergenceTest::StableRecommendation => language.pick(
                "建议不再变化，但没有形成一致",
                "recommendations no longer change, but the table does not agree",
            ),
        }
        .to_owned(),
        Some(MeetingOutcome::Converged { by }) => match by {
            ConvergenceTest::Artifacts => {
                language.pick("工件齐备，讨论收敛", "converged: the artifacts are there")
            }
            ConvergenceTest::FewOpenPoints => {
                language.pick("分歧与未决问题已足够少，讨论收敛", "converged: few points are left open")
            }
            ConvergenceTest::StableRecommendation => {
                language.pick("建议不再变化，讨论收敛", "converged: recommendations no longer change")
            }
        }
        .to_owned(),
        Some(MeetingOutcome::Aborted(reason)) => match reason {
            AbortReason::RoundLimit => language
                .pick("达到轮次上限，未达成一致", "the round limit was reached without consensus")
                .to_owned(),
            AbortReason::Budget { budget } => {
                let name = match budget {
                    BudgetKind::Tokens => language.pick("令牌", "token"),
                    BudgetKind::Cost => language.pick("费用", "money"),
                    BudgetKind::WallTime => language.pick("时间", "time"),
                };
                language.pick(
                    format!("{name}预算已用尽，未达成一致"),
                    format!("the {name} budget was used up without consensus"),
                )
            }
            AbortReason::User { note } if note.is_empty() => {
                language.pick("由用户结束", "ended by the user").to_owned()
            }
            AbortReason::User { note } => {
                language.pick(format!("由用户结束：{note}"), format!("ended by the user: {note}"))
            }
            AbortReason::NobodyLeft => {
                language.pick("所有参会者都已离开", "nobody is left at the table").to_owned()
            }
        },
    }
}

/// The name of an actor in the meeting's language.
pub fn actor_name(m: &Meeting, actor: &Actor) -> String {
    let language = m.language();
    match actor {
        Actor::System => language.pick("规则", "the rules").to_owned(),
        Actor::Facilitator => language.pick("收敛器", "the facilitator").to_owned(),
        Actor::Participant { id } => m.name_of(*id),
        Actor::Person { id, name } => m.person_name(id, name).to_owned(),
    }
}
