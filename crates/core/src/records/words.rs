//! Fixed phrases for people, in both languages.

use crate::agreement::Agreement;
use crate::event::{AbortReason, BudgetKind, Carried, ConvergenceTest, MeetingOutcome};
use crate::ids::BallotId;
use crate::meeting::{ForkOrigin, Meeting, Phase};
use crate::rules::{Clause, ClauseKind, Language};
use crate::task::FailureKind;

/// How the meeting ended, or will end, in a sentence.
pub fn outcome_text(m: &Meeting) -> String {
    let language = m.language();
    let by_hand = m.ended_by.as_ref().filter(|_| {
        matches!(
            m.outcome(),
            Some(MeetingOutcome::Completed | MeetingOutcome::Aborted(AbortReason::User { .. }))
        )
    });
    if let Some(ended) = by_hand {
        let (who, note) = (person(language, &ended.by), &ended.note);
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
    let (got, needed) = figures(language, clause);
    language.pick(format!("{name} {got}（需要 ≥ {needed}）"), format!("{name} {got} (needed ≥ {needed})"))
}

/// Where a fork comes from and what it took over, in a sentence.
pub(crate) fn fork_text(language: Language, origin: &ForkOrigin) -> String {
    let ForkOrigin { meeting, seq, forked_at: _, carried } = origin;
    let Carried { tokens, cost_micros, ran_ms, calls, asked_anew: _ } = carried;
    let cost = match cost_micros {
        Some(micros) => {
            let cost = *micros as f64 / 1e6;
            language.pick(format!("费用 {cost:.4}"), format!("cost {cost:.4}"))
        }
        None => language.pick("费用未知", "cost unknown").to_owned(),
    };
    let seconds = ran_ms.div_ceil(1000);
    language.pick(
        format!(
            "从会议 {meeting} 的事件 {seq} 之后分叉；沿用当时的用量：{calls} 次调用，{tokens} 令牌，{cost}，{seconds} 秒。"
        ),
        format!(
            "Forked from meeting {meeting} after event {seq}; taken over: {calls} calls, {tokens} tokens, {cost}, \
             {seconds} s."
        ),
    )
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

/// A person's name, without the kind of actor before it.
pub(super) fn person(language: Language, by: &str) -> String {
    let name = by.split_once(':').map_or(by, |(_, name)| name);
    if name.is_empty() { language.pick("用户", "a person").to_owned() } else { name.to_owned() }
}

/// A ballot as people call it.
pub(crate) fn ballot_name(language: Language, ballot: BallotId) -> String {
    language.pick(format!("第 {} 次表决", ballot.0), format!("ballot {}", ballot.0))
}

/// What a clause got and needed, with as many digits as it takes to tell a miss from a hit. The page does
/// the same (`parts/result/words.ts`).
pub(crate) fn figures(language: Language, clause: &Clause) -> (String, String) {
    let number = |value: f64, digits: usize| match clause.clause {
        ClauseKind::PassRatio => percent(value, digits),
        ClauseKind::Quorum | ClauseKind::MeanScore | ClauseKind::MinScore => rounded(value, digits),
    };
    let Some(got) = clause.got else {
        return (language.pick("无", "none").to_owned(), number(clause.needed, 1));
    };
    let tells = |digits: &usize| clause.met || number(got, *digits) != number(clause.needed, *digits);
    let digits = (1..=6).find(tells).unwrap_or(6);
    (number(got, digits), number(clause.needed, digits))
}

/// A share in hundredths, with at most so many digits after the point.
pub(crate) fn percent(share: f64, digits: usize) -> String {
    format!("{}%", rounded(share * 100.0, digits))
}

/// At most so many digits after the point; what lies in the middle goes up, as people do it.
pub(crate) fn rounded(value: f64, digits: usize) -> String {
    let unit = 10_f64.powi(digits as i32);
    let text = format!("{:.digits$}", (value * unit).round() / unit);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// At most one digit after the point.
pub(super) fn trimmed(value: f64) -> String {
    rounded(value, 1)
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

/// What a person can do about a kind of trouble, in a sentence. What a provider says of it is its own words.
pub fn failure_advice(language: Language, kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Authentication => {
            language.pick("检查这个供应商的密钥", "check the key of this provider")
        }
        FailureKind::RateLimit => {
            language.pick("过一分钟再继续，或降低并发", "go on in a minute, or lower the concurrency")
        }
        FailureKind::Quota => {
            language.pick("给这个供应商充值，或换一个供应商", "add credit, or choose another provider")
        }
        FailureKind::Overloaded => {
            language.pick("稍后继续，或换一个模型", "go on later, or choose another model")
        }
        FailureKind::ContextTooLong => language.pick(
            "换上下文更长的模型，或让会议少带一些历史",
            "choose a model with a longer context, or let the meeting hand on less of its history",
        ),
        FailureKind::ContentRefused => language
            .pick("换个说法描述主题，或换一个模型", "put the topic in other words, or choose another model"),
        FailureKind::ModelUnknown => {
            language.pick("从供应商的模型列表里另选一个", "choose one that the provider lists")
        }
        FailureKind::BadRequest => language.pick(
            "检查供应商的接口地址和模型参数",
            "check the address of the provider and the model's parameters",
        ),
        FailureKind::Network => language.pick(
            "检查网络和供应商的接口地址，确认对方在运行",
            "check the network and the address of the provider, and whether it is running",
        ),
        FailureKind::TimedOut => {
            language.pick("放宽时限，或换一个更快的模型", "give it more time, or choose a faster model")
        }
        FailureKind::Malformed | FailureKind::Empty => {
            language.pick("再试一次，或换一个模型", "try again, or choose another model")
        }
        FailureKind::Left => language.pick("不需要做什么", "nothing has to be done"),
        FailureKind::Budget => language.pick("提高预算，或结束会议", "raise the budget, or end the meeting"),
        FailureKind::NotConfigured => language.pick("先配置这个供应商", "set this provider up first"),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(clause: ClauseKind, got: f64, needed: f64) -> Clause {
        Clause { clause, needed, got: Some(got), met: got >= needed }
    }

    #[test]
    fn a_mean_reads_the_same_wherever_it_stands() {
        // 74.25 is exact in binary: half to even would make 74.2 of it, and the page says 74.3.
        let clause = clause(ClauseKind::MeanScore, 74.25, 75.0);
        assert_eq!(figures(Language::En, &clause), ("74.3".into(), "75".into()));
        assert_eq!(clause_text(Language::En, &clause), "mean score 74.3 (needed ≥ 75)");
    }

    #[test]
    fn a_miss_does_not_read_like_a_hit() {
        let mean = clause(ClauseKind::MeanScore, 74.96, 75.0);
        assert_eq!(clause_text(Language::Zh, &mean), "平均分 74.96（需要 ≥ 75）");
        let share = clause(ClauseKind::PassRatio, 2.0 / 3.0, 0.75);
        assert_eq!(clause_text(Language::Zh, &share), "赞成比例 66.7%（需要 ≥ 75%）");
    }
}
