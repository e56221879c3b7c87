//! Ids of traces and spans: a run's are made of its own id, so that all processes that ever work on it agree.

use std::cell::Cell;
use std::time::{Duration, SystemTime};

use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use opentelemetry_sdk::trace::{IdGenerator, RandomIdGenerator};
use quorate_contract::RunId;
use uuid::Uuid;

thread_local! {
    /// The ids that the next span on this thread gets.
    static NEXT: Cell<Option<(TraceId, SpanId)>> = const { Cell::new(None) };
}

/// Random ids, but for spans that are [`named`].
#[derive(Debug, Default)]
pub(crate) struct Ids(RandomIdGenerator);

impl IdGenerator for Ids {
    fn new_trace_id(&self) -> TraceId {
        NEXT.get().map_or_else(|| self.0.new_trace_id(), |(trace, _)| trace)
    }

    fn new_span_id(&self) -> SpanId {
        NEXT.get().map_or_else(|| self.0.new_span_id(), |(_, span)| span)
    }
}

/// Makes a span with these ids.
pub(crate) fn named<T>(trace: TraceId, span: SpanId, make: impl FnOnce() -> T) -> T {
    NEXT.set(Some((trace, span)));
    let made = make();
    NEXT.set(None);
    made
}

/// The trace of a run, and its root span.
pub(crate) fn of_run(run: &RunId) -> (TraceId, SpanId) {
    let text = run.as_str();
    let uuid = Uuid::parse_str(text).unwrap_or_else(|_| Uuid::from_bytes(spread(text)));
    let (_, low) = uuid.as_u64_pair();
    (TraceId::from_bytes(*uuid.as_bytes()), SpanId::from_bytes(low.to_be_bytes()))
}

/// The time in a run's id; `None` when the id is not one of ours.
pub(crate) fn made_at(run: &RunId) -> Option<SystemTime> {
    let (seconds, nanos) = Uuid::parse_str(run.as_str()).ok()?.get_timestamp()?.to_unix();
    Some(SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos))
}

/// The parent context of a call's span.
pub(crate) fn within(run: &RunId) -> Context {
    let (trace, span) = of_run(run);
    let parent = SpanContext::new(trace, span, TraceFlags::SAMPLED, true, TraceState::default());
    Context::new().with_remote_span_context(parent)
}

/// Some bytes that differ wherever the text does, for ids that are not ours.
fn spread(text: &str) -> [u8; 16] {
    let mut state = 0xcbf2_9ce4_8422_2325_u128;
    for byte in text.bytes() {
        state = (state ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    (state | 1).to_be_bytes()
}
