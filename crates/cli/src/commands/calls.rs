//! What the calls of a meeting came to: how many, what was sent again, who answered in whose place,
//! what was read, written and paid.

use quorate_core::{Event, EventBody, Meeting, Recourse};
use serde::Serialize;

use crate::speech::Speech;

/// The calls of one meeting.
#[derive(Debug, Default, Serialize)]
pub(super) struct Calls {
    calls: u32,
    /// Requests that brought no answer and were sent again within their call.
    retries: u32,
    /// Calls that another model answered.
    by_fallback: u32,
    /// Tasks that were asked for once more, for nobody knew whether the work was done.
    asked_again: u32,
    /// Tasks that were asked for once more with a shorter context.
    shortened: u32,
    /// Answers that had to be mended before they could be read.
    mended: u32,
    input_tokens: u64,
    /// Of those read, the ones the provider had cached.
    cached_tokens: u64,
    output_tokens: u64,
    /// Whether some of it is an estimate.
    estimated: bool,
    /// Millionths; nothing when a price is not known.
    cost_micros: Option<u64>,
}

impl Calls {
    pub(super) fn of(meeting: &Meeting, events: &[Event]) -> Self {
        let spent = &meeting.spent;
        let mut this = Self {
            calls: spent.calls,
            retries: spent.retries,
            input_tokens: spent.usage.input_tokens,
            cached_tokens: spent.usage.cached_tokens,
            output_tokens: spent.usage.output_tokens,
            estimated: spent.usage.estimated,
            cost_micros: spent.known_cost_micros(),
            ..Self::default()
        };
        for event in events {
            match &event.body {
                EventBody::CallStarted { fallback: Some(_), .. } => this.by_fallback += 1,
                EventBody::CallEnded { then, mended, .. } => {
                    this.asked_again += u32::from(*then == Some(Recourse::Again));
                    this.shortened += u32::from(*then == Some(Recourse::Shorter));
                    this.mended += u32::from(!mended.is_empty());
                }
                _ => {}
            }
        }
        this
    }

    /// The same in a line for people; nothing when nobody was asked.
    pub(super) fn line(&self, speech: Speech) -> Option<String> {
        if self.calls == 0 {
            return None;
        }
        let about = if self.estimated { "≈" } else { "" };
        let cached = match self.cached_tokens {
            0 => String::new(),
            cached => speech.pick(format!("（其中缓存 {cached}）"), format!(" ({cached} cached)")),
        };
        let mut parts = vec![
            speech.pick(format!("{} 次调用", self.calls), format!("{} calls", self.calls)),
            speech.pick(
                format!("输入 {about}{} 令牌{cached}", self.input_tokens),
                format!("{about}{} tokens in{cached}", self.input_tokens),
            ),
            speech.pick(
                format!("输出 {about}{} 令牌", self.output_tokens),
                format!("{about}{} out", self.output_tokens),
            ),
            match self.cost_micros {
                Some(micros) => {
                    let cost = micros as f64 / 1e6;
                    speech.pick(format!("费用 {cost:.4}"), format!("cost {cost:.4}"))
                }
                None => speech.pick("费用未知（没有价格）", "cost unknown (no price)").to_owned(),
            },
        ];
        let counted = [
            (self.retries, speech.pick("次重试", "sent again")),
            (self.by_fallback, speech.pick("次由备用模型作答", "answered by a fallback")),
            (self.asked_again, speech.pick("次再问", "asked once more")),
            (self.shortened, speech.pick("次缩短上下文", "with a shorter context")),
            (self.mended, speech.pick("个回答经过修补", "answers mended")),
        ];
        parts.extend(counted.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")));
        let label = speech.pick("调用：", "Calls: ");
        Some(format!("{label}{}", parts.join(" · ")))
    }
}
