//! The statistics of a meeting's calls in a line for people.

use quorate_messages::text;
use quorate_views::CallTotals;

use crate::language::Speech;

/// The statistics in a line; `None` when there was no call.
pub(super) fn line(calls: &CallTotals, speech: Speech) -> Option<String> {
    if calls.calls == 0 {
        return None;
    }
    let about = if calls.estimated { "≈" } else { "" };
    let cached = match calls.cached_tokens {
        0 => String::new(),
        cached => text!(speech, "cli-calls-cached", %cached),
    };
    let mut parts = vec![
        text!(speech, "cli-calls-calls", calls = calls.calls),
        text!(speech, "cli-calls-tokens", %about, input_tokens = %calls.input_tokens, %cached),
        text!(speech, "cli-calls-out", %about, output_tokens = %calls.output_tokens),
        match calls.cost_micros {
            Some(micros) => {
                let cost = micros as f64 / 1e6;
                text!(speech, "cli-calls-cost", cost = %format_args!("{:.4}", cost))
            }
            None => text!(speech, "cli-calls-cost-unknown-no-price").to_owned(),
        },
    ];
    let counted = [
        (calls.retries, text!(speech, "cli-calls-sent-again")),
        (calls.by_fallback, text!(speech, "cli-calls-answered-by-fallback")),
        (calls.asked_again, text!(speech, "cli-calls-asked-once-more")),
        (calls.shortened, text!(speech, "cli-calls-shorter-context")),
        (calls.mended, text!(speech, "cli-calls-answers-mended")),
    ];
    parts.extend(counted.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")));
    let label = text!(speech, "cli-calls-calls-2");
    Some(format!("{label}{}", parts.join(" · ")))
}
