//! Fixed phrases for people, in both languages.

use crate::event::{AbortReason, BudgetKind, ConvergenceTest, MeetingOutcome};
use crate::meeting::{Meeting, Phase};
use crate::rules::{Clause, ClauseKind, Language};
use crate::task::FailureKind;

/// How the meeting ended, or will end, in a sentence.
pub fn outcome_text(m: &Meeting) -> String {
    let language = m.language();
    match m.outcome() {
        None => language.pick("进行中", "under way").to_owned(),
        Some(MeetingOutcome::Accepted { ballot }) => {
            language.pick(format!("第 {} 次表决通过", ballot.0), format!("accepted by ballot {}", ballot.0))
        }
        Some(MeetingOutcome::Completed) => language.pick("讨论完成", "the discussion is complete").to_owned(),
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

/// Where the meeting is.
pub fn phase_text(m: &Meeting) -> &'static str {
    let language = m.language();
    match &m.phase {
        Phase::Blank | Phase::Draft => language.pick("草稿", "draft"),
        _ if m.is_paused() => language.pick("已暂停", "paused"),
        Phase::Preparation => language.pick("准备中", "preparing"),
        Phase::Discussion => language.pick("讨论中", "discussion"),
        Phase::Summary => language.pick("总结中", "summing up"),
        Phase::Ballot => language.pick("表决中", "ballot"),
        Phase::Facilitation => language.pick("收敛中", "facilitation"),
        Phase::Closing { .. } => language.pick("撰写结论", "closing"),
        Phase::Ended { .. } => language.pick("已结束", "ended"),
    }
}

/// A clause with what it needed and what it got.
pub fn clause_text(language: Language, clause: &Clause) -> String {
    let name = clause_name(language, clause.clause);
    let number = |value: f64| match clause.clause == ClauseKind::PassRatio {
        true => format!("{}%", trimmed(value * 100.0)),
        false => trimmed(value),
    };
    let got = clause.got.map_or_else(|| language.pick("无", "none").to_owned(), number);
    let needed = number(clause.needed);
    language.pick(format!("{name} {got}（需要 ≥ {needed}）"), format!("{name} {got} (needed ≥ {needed})"))
}

/// What a clause looks at.
pub(crate) fn clause_name(language: Language, clause: ClauseKind) -> &'static str {
    match clause {
        ClauseKind::Quorum => language.pick("有效票数", "votes cast"),
        ClauseKind::MeanScore => language.pick("平均分", "mean score"),
        ClauseKind::PassRatio => language.pick("赞成比例", "pass ratio"),
        ClauseKind::MinScore => language.pick("最低分", "lowest score"),
    }
}

/// At most one digit after the point.
pub(super) fn trimmed(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// What kind of trouble, in a word or two.
pub fn failure_text(language: Language, kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Authentication => language.pick("密钥不被接受", "key not accepted"),
        FailureKind::RateLimit => language.pick("请求过于频繁", "rate limited"),
        FailureKind::Quota => language.pick("额度用尽", "out of quota"),
        FailureKind::Overloaded => language.pick("供应商过载", "provider overloaded"),
        FailureKind::ContextTooLong => language.pick("上下文过长", "context too long"),
        FailureKind::ContentRefused => language.pick("内容被拒", "content refused"),
        FailureKind::ModelUnknown => language.pick("没有这个模型", "unknown model"),
        FailureKind::BadRequest => language.pick("请求不被接受", "request not accepted"),
        FailureKind::Network => language.pick("网络错误", "network trouble"),
        FailureKind::TimedOut => language.pick("超时", "timed out"),
        FailureKind::Malformed => language.pick("回答无法读取", "unreadable answer"),
        FailureKind::Empty => language.pick("空回答", "empty answer"),
        FailureKind::Left => language.pick("已离开", "left"),
        FailureKind::Budget => language.pick("预算用尽", "out of budget"),
        FailureKind::NotConfigured => language.pick("未配置", "not configured"),
    }
}

/// A team for any topic: name, role, what it looks at.
pub(super) const TEAM_ZH: &[(&str, &str, &str)] = &[
    ("常青", "用户代言人", "只从使用者的真实处境出发，问这个想法解决谁的什么问题。"),
    ("陆远", "跨界者", "从别的行业借来做法，提出不寻常的组合。"),
    ("苏行", "实干者", "把想法变成明天就能试的一步，关心成本与时间。"),
    ("魏然", "质疑者", "找出最站不住脚的假设，并给出替代方案。"),
    ("何新", "未来派", "设想五年之后，什么会变得理所当然。"),
    ("顾言", "极简派", "删到不能再删，看最小的版本是什么。"),
];
/// A team for any topic: name, role, what it looks at.
pub(super) const TEAM_EN: &[(&str, &str, &str)] = &[
    (
        "Uma",
        "Voice of the user",
        "Starts from the situation of those who would use it: whose problem, which one.",
    ),
    ("Leo", "Borrower", "Brings what works in other trades, and proposes unusual combinations."),
    ("Max", "Maker", "Turns an idea into a step that can be tried tomorrow; minds cost and time."),
    ("Vera", "Doubter", "Finds the assumption that holds least, and offers another way."),
    ("Noa", "Futurist", "Imagines what will be taken for granted in five years."),
    ("Finn", "Minimalist", "Takes away until nothing more can be taken away."),
];
