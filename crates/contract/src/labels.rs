//! Fixed labels of what the contract names, in both languages.

use crate::ids::BallotId;
use crate::outcome::FailureKind;
use crate::verdict::{Clause, ClauseKind};
use quorate_messages::Language;

/// A clause with what it needed and what it got.
pub fn clause_text(language: Language, clause: &Clause) -> String {
    let name = clause_name(language, clause.clause);
    let (got, needed) = figures(language, clause);
    language.pick(format!("{name} {got}（需要 ≥ {needed}）"), format!("{name} {got} (needed ≥ {needed})"))
}

/// The name of a clause.
pub fn clause_name(language: Language, clause: ClauseKind) -> &'static str {
    match clause {
        ClauseKind::Quorum => language.pick("有效票数", "votes cast"),
        ClauseKind::MeanScore => language.pick("平均分", "mean score"),
        ClauseKind::PassRatio => language.pick("赞成比例", "pass ratio"),
        ClauseKind::MinScore => language.pick("最低分", "lowest score"),
    }
}

/// A ballot as people call it.
pub fn ballot_name(language: Language, ballot: BallotId) -> String {
    language.pick(format!("第 {} 次表决", ballot.0), format!("ballot {}", ballot.0))
}

/// What a clause got and what it needed, with as many digits as it takes to tell a miss from a hit. The page
/// does the same (`web/app/src/parts/meeting-page/amounts.ts`).
pub fn figures(language: Language, clause: &Clause) -> (String, String) {
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

/// A share in hundredths, with at most `digits` digits after the point.
pub fn percent(share: f64, digits: usize) -> String {
    format!("{}%", rounded(share * 100.0, digits))
}

/// A number with at most `digits` digits after the point, rounded half up.
pub fn rounded(value: f64, digits: usize) -> String {
    let unit = 10_f64.powi(digits as i32);
    let text = format!("{:.digits$}", (value * unit).round() / unit);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// At most one digit after the point.
pub fn trimmed(value: f64) -> String {
    rounded(value, 1)
}

/// The name of a kind of failure, in a word or two.
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

/// What a person can do about a kind of failure, in a sentence. What a provider says about it is quoted
/// separately.
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
