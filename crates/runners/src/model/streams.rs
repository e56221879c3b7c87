//! The choice between streaming and complete answers, and of the connection.
//!
//! Some servers stream badly: the stream breaks off, is no JSON, or is empty, while complete answers are
//! sound. After a stream that broke, the next request asks for a complete answer. When that succeeds, and the
//! stream could not be read or was the second that broke, the model counts as streaming badly.
//!
//! Self-hosted servers often close a connection after a stream without announcing it. A request that is
//! written into it is lost, and it is unknown whether it was carried out. So a stream over HTTP/1.1 has a
//! connection of its own, which is not used again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use quorate_contract::FailureKind;
use reqwest::Version;

use super::failure::{Again, AttemptFailure};

/// The number of broken streams, without a good one between them, after which a model counts as streaming
/// badly.
const MOST_BREAKS: u8 = 2;

/// The observed quality of a provider's streams.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    /// Whether it has answered over HTTP/2, where the end of a stream does not close the connection.
    multiplexed: AtomicBool,
    models: Mutex<HashMap<String, StreamQuality>>,
}

/// The observed quality of one model's streams.
#[derive(Debug, Clone, Copy, Default)]
struct StreamQuality {
    breaks: u8,
    /// The last stream could not be read at all.
    unreadable: bool,
    /// Whether the next answer is requested without streaming, to see whether that helps.
    on_trial: bool,
}

impl Streams {
    /// Whether a stream can use a shared connection.
    pub(crate) fn share_connections(&self) -> bool {
        self.multiplexed.load(Ordering::Relaxed)
    }

    /// Notes the HTTP version of a response.
    pub(crate) fn came_over(&self, version: Version) {
        self.multiplexed.store(version == Version::HTTP_2, Ordering::Relaxed);
    }

    /// Whether the next answer of this model is to be requested without streaming.
    pub(crate) fn wants_whole(&self, model: &str) -> bool {
        self.seen().get(model).is_some_and(|seen| seen.on_trial)
    }

    /// An answer has come. Says whether it shows that the model's streams are bad.
    pub(crate) fn answered(&self, model: &str, streamed: bool) -> bool {
        let mut all = self.seen();
        let Some(seen) = all.get_mut(model) else { return false };
        if streamed {
            all.remove(model);
            return false;
        }
        let is_bad = seen.on_trial && (seen.unreadable || seen.breaks >= MOST_BREAKS);
        seen.on_trial = false;
        is_bad
    }

    /// An answer did not come, or not to its end.
    pub(crate) fn failed(&self, model: &str, streamed: bool, failed: &AttemptFailure) {
        let (broke, unreadable) = match failed.kind {
            // A response with an error status was no stream.
            _ if failed.status.is_some() => (false, false),
            FailureKind::Malformed | FailureKind::Empty => (true, true),
            FailureKind::Network => (failed.again == Again::Doubtful, false),
            _ => (false, false),
        };
        if !broke {
            return;
        }
        let mut all = self.seen();
        if streamed {
            let seen = all.entry(model.to_owned()).or_default();
            *seen = StreamQuality { breaks: seen.breaks.saturating_add(1), unreadable, on_trial: true };
        } else if let Some(seen) = all.get_mut(model) {
            // Complete answers are no better.
            *seen = StreamQuality::default();
        }
    }

    fn seen(&self) -> MutexGuard<'_, HashMap<String, StreamQuality>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use quorate_messages::message;

    use super::*;

    fn failed(kind: FailureKind) -> AttemptFailure {
        AttemptFailure::doubtful(kind, message!("failure-left"), message!("remedy-nothing-to-do"))
    }

    #[test]
    fn a_stream_that_cannot_be_read_is_bad_as_soon_as_a_whole_answer_comes() {
        let streams = Streams::default();
        streams.failed("m", true, &failed(FailureKind::Malformed));
        assert!(streams.wants_whole("m") && !streams.wants_whole("other"));
        assert!(streams.answered("m", false));
    }

    #[test]
    fn one_that_broke_off_is_bad_the_second_time() {
        let streams = Streams::default();
        streams.failed("m", true, &failed(FailureKind::Network));
        assert!(streams.wants_whole("m"));
        assert!(!streams.answered("m", false), "it may have been the network");
        assert!(!streams.wants_whole("m"));
        streams.failed("m", true, &failed(FailureKind::Network));
        assert!(streams.answered("m", false));
        let streams = Streams::default();
        streams.failed("m", true, &failed(FailureKind::Network));
        assert!(!streams.answered("m", false) && !streams.answered("m", true), "a good one in between");
        streams.failed("m", true, &failed(FailureKind::Network));
        assert!(!streams.answered("m", false));
    }

    #[test]
    fn what_fails_whole_as_well_is_no_fault_of_the_stream() {
        let streams = Streams::default();
        streams.failed("m", true, &failed(FailureKind::Empty));
        streams.failed("m", false, &failed(FailureKind::Empty));
        assert!(!streams.wants_whole("m") && !streams.answered("m", false));
        let refused = AttemptFailure { status: Some(500), ..failed(FailureKind::Malformed) };
        streams.failed("m", true, &refused);
        streams.failed("m", true, &failed(FailureKind::TimedOut));
        let unreachable = AttemptFailure { again: Again::Safely(None), ..failed(FailureKind::Network) };
        streams.failed("m", true, &unreachable);
        assert!(!streams.wants_whole("m"));
    }
}
