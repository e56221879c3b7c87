//! What is bounded for each caller: the streams that are open, and the answers that are remembered.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::header;
use http::request::Parts;

/// The most streams, and messages that wait for the end of a task, of one caller.
const STREAMS_MAX: usize = 32;
/// The same of all callers.
const STREAMS_ALL_MAX: usize = 512;
/// The most messages that are remembered as answered.
const ANSWERED_MAX: usize = 4096;

/// The streams that are open, by caller.
#[derive(Clone, Default)]
pub(crate) struct Streams(Arc<Mutex<HashMap<u64, usize>>>);

/// The place of one stream.
pub(crate) struct StreamPlace {
    streams: Streams,
    caller: u64,
}

impl Streams {
    /// A place for one more stream; `None` when the caller, or all together, have too many.
    pub(crate) fn enter(&self, caller: &Parts) -> Option<StreamPlace> {
        let caller = identity(caller);
        let mut open = locked(&self.0);
        let all: usize = open.values().sum();
        if all >= STREAMS_ALL_MAX || open.get(&caller).copied().unwrap_or_default() >= STREAMS_MAX {
            return None;
        }
        *open.entry(caller).or_default() += 1;
        Some(StreamPlace { streams: self.clone(), caller })
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut open = locked(&self.streams.0);
        if let Some(count) = open.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.caller);
            }
        }
    }
}

/// A digest of the credentials that a request carries.
fn identity(caller: &Parts) -> u64 {
    let mut hasher = DefaultHasher::new();
    for name in [header::AUTHORIZATION, header::COOKIE] {
        caller.headers.get(name).map(http::HeaderValue::as_bytes).hash(&mut hasher);
    }
    hasher.finish()
}

/// The messages that were carried out as answers or words at a task, by the digest of task and message id: the latest ones.
#[derive(Default)]
pub(crate) struct Answered(Mutex<(HashSet<String>, VecDeque<String>)>);

impl Answered {
    pub(crate) fn knows(&self, key: &str) -> bool {
        locked(&self.0).0.contains(key)
    }

    pub(crate) fn note(&self, key: String) {
        let (known, order) = &mut *locked(&self.0);
        if known.insert(key.clone()) {
            order.push_back(key);
        }
        if order.len() > ANSWERED_MAX
            && let Some(oldest) = order.pop_front()
        {
            known.remove(&oldest);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(token: &str) -> Parts {
        http::Request::builder().header("authorization", token).body(()).expect("a request").into_parts().0
    }

    #[test]
    fn a_caller_has_so_many_streams_and_another_has_its_own() {
        let streams = Streams::default();
        let mut places: Vec<_> = (0..STREAMS_MAX).filter_map(|_| streams.enter(&caller("a"))).collect();
        assert_eq!(places.len(), STREAMS_MAX);
        assert!(streams.enter(&caller("a")).is_none() && streams.enter(&caller("b")).is_some());
        places.pop();
        assert!(streams.enter(&caller("a")).is_some());
    }

    #[test]
    fn the_oldest_answer_is_forgotten_first() {
        let answered = Answered::default();
        (0..=ANSWERED_MAX).for_each(|number| answered.note(number.to_string()));
        assert!(!answered.knows("0") && answered.knows("1") && answered.knows(&ANSWERED_MAX.to_string()));
    }
}
