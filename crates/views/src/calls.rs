//! Statistics of a meeting's calls: their number, retries, fallbacks, tokens and cost.

use quorate_contract::{Event, EventBody, FailureAction};
use quorate_core::Meeting;
use serde::Serialize;

/// The calls of one meeting.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallTotals {
    /// The number of calls.
    pub calls: u32,
    /// The number of failed requests that were sent again within their call.
    pub retries: u32,
    /// The number of calls that a fallback model answered.
    pub by_fallback: u32,
    /// The number of tasks that were asked again, because it was unknown whether the work was done or the
    /// answer could not be read.
    pub asked_again: u32,
    /// The number of tasks that were asked again with a shorter context.
    pub shortened: u32,
    /// The number of answers that had to be repaired before they could be read.
    pub mended: u32,
    /// Input tokens.
    pub input_tokens: u64,
    /// The number of input tokens that were read from the provider's cache.
    pub cached_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// Whether some of the usage is an estimate.
    pub estimated: bool,
    /// The cost in millionths of the currency; `null` when a price is not known.
    pub cost_micros: Option<u64>,
}

impl CallTotals {
    /// The statistics of a meeting's calls, from its state and its events.
    pub fn of<'e>(meeting: &Meeting, events: impl IntoIterator<Item = &'e Event>) -> Self {
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
                    this.asked_again += u32::from(*then == Some(FailureAction::Again));
                    this.shortened += u32::from(*then == Some(FailureAction::Shorter));
                    this.mended += u32::from(!mended.is_empty());
                }
                EventBody::AnswerMalformed { .. } => this.asked_again += 1,
                _ => {}
            }
        }
        this
    }
}
