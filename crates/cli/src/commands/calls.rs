//! The statistics of a meeting's calls in a line for people.

use quorate_views::Calls;

use crate::speech::Speech;

/// The statistics in a line; `None` when there was no call.
pub(super) fn line(calls: &Calls, speech: Speech) -> Option<String> {
    if calls.calls == 0 {
        return None;
    }
    let about = if calls.estimated { "≈" } else { "" };
    let cached = match calls.cached_tokens {
        0 => String::new(),
        cached => speech.pick(format!("（其中缓存 {cached}）"), format!(" ({cached} cached)")),
    };
    let mut parts = vec![
        speech.pick(format!("{} 次调用", calls.calls), format!("{} calls", calls.calls)),
        speech.pick(
            format!("输入 {about}{} 令牌{cached}", calls.input_tokens),
            format!("{about}{} tokens in{cached}", calls.input_tokens),
        ),
        speech.pick(
            format!("输出 {about}{} 令牌", calls.output_tokens),
            format!("{about}{} out", calls.output_tokens),
        ),
        match calls.cost_micros {
            Some(micros) => {
                let cost = micros as f64 / 1e6;
                speech.pick(format!("费用 {cost:.4}"), format!("cost {cost:.4}"))
            }
            None => speech.pick("费用未知（没有价格）", "cost unknown (no price)").to_owned(),
        },
    ];
    let counted = [
        (calls.retries, speech.pick("次重试", "sent again")),
        (calls.by_fallback, speech.pick("次由备用模型作答", "answered by a fallback")),
        (calls.asked_again, speech.pick("次再问", "asked once more")),
        (calls.shortened, speech.pick("次缩短上下文", "with a shorter context")),
        (calls.mended, speech.pick("个回答经过修补", "answers mended")),
    ];
    parts.extend(counted.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")));
    let label = speech.pick("调用：", "Calls: ");
    Some(format!("{label}{}", parts.join(" · ")))
}
