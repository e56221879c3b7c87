//! The phase and the origin of a meeting, in words.

use quorate_contract::{Carried, Language};
use quorate_core::{ForkOrigin, Meeting, Phase};

/// The phase in words.
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

/// The origin of a fork and what it took over, in a sentence.
pub fn fork_text(language: Language, origin: &ForkOrigin) -> String {
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
