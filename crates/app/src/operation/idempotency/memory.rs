//! The answers to requests that are done once, at meetings of which nothing is kept: in memory, as the meetings are.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use quorate_contract::MeetingId;
use quorate_store::StoredResponse;

/// The number of answers that are remembered; the oldest goes first. Clients repeat a request within seconds.
const ANSWERS_MAX: usize = 1024;

/// The identity of a request: the principal and the key.
pub(crate) type Name = (String, String);

/// The requests of late.
#[derive(Default)]
pub(crate) struct Answers(Mutex<Requests>);

#[derive(Default)]
struct Requests {
    by_name: HashMap<Name, Request>,
    answered: VecDeque<Name>,
}

struct Request {
    checksum: [u8; 32],
    answer: Option<StoredResponse>,
}

/// The state of a request with a key.
pub(crate) enum MemoryKeyState {
    /// The request is new: carry it out, then store its answer.
    Fresh,
    /// The request is being carried out.
    Running,
    /// The request was carried out with this answer.
    Done(StoredResponse),
    /// The key came with another request before.
    Mismatch,
}

impl Answers {
    /// Begins a request, or returns its state. Of several that begin at once, one carries it out.
    pub(crate) fn begin(&self, name: &Name, checksum: [u8; 32]) -> MemoryKeyState {
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match requests.by_name.get(name) {
            Some(before) if before.checksum != checksum => MemoryKeyState::Mismatch,
            Some(Request { answer: Some(answer), .. }) => MemoryKeyState::Done(answer.clone()),
            Some(Request { answer: None, .. }) => MemoryKeyState::Running,
            None => {
                requests.by_name.insert(name.clone(), Request { checksum, answer: None });
                MemoryKeyState::Fresh
            }
        }
    }

    /// Keeps the answer of a request; without one the key is as good as new.
    pub(crate) fn end(&self, name: Name, answer: Option<StoredResponse>) {
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(answer) = answer else {
            requests.by_name.remove(&name);
            return;
        };
        if let Some(request) = requests.by_name.get_mut(&name) {
            request.answer = Some(answer);
            requests.answered.push_back(name);
        }
        if requests.answered.len() > ANSWERS_MAX
            && let Some(oldest) = requests.answered.pop_front()
        {
            requests.by_name.remove(&oldest);
        }
    }

    /// Forgets what was answered about a meeting that is deleted.
    pub(crate) fn forget(&self, meeting: &MeetingId) {
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Requests { by_name, answered } = &mut *requests;
        let of_it = |request: &Request| {
            request.answer.as_ref().is_some_and(|answer| answer.meeting.as_ref() == Some(meeting))
        };
        by_name.retain(|_, request| !of_it(request));
        answered.retain(|name| by_name.contains_key(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(number: usize) -> Name {
        ("user:ada".to_owned(), format!("key {number}"))
    }

    fn answer(meeting: &str) -> StoredResponse {
        StoredResponse { status: 200, headers: vec![], body: vec![], meeting: Some(MeetingId::new(meeting)) }
    }

    #[test]
    fn what_was_answered_comes_again_until_it_is_old_or_the_meeting_goes() {
        let requests = Answers::default();
        for number in 0..=ANSWERS_MAX {
            assert!(matches!(requests.begin(&name(number), [1; 32]), MemoryKeyState::Fresh), "{number}");
            assert!(matches!(requests.begin(&name(number), [1; 32]), MemoryKeyState::Running), "{number}");
            requests.end(name(number), Some(answer(if number % 2 == 0 { "even" } else { "odd" })));
        }
        assert!(matches!(requests.begin(&name(1), [1; 32]), MemoryKeyState::Done(_)));
        assert!(matches!(requests.begin(&name(1), [2; 32]), MemoryKeyState::Mismatch));
        assert!(matches!(requests.begin(&name(0), [1; 32]), MemoryKeyState::Fresh), "the oldest has gone");
        requests.end(name(0), None);
        assert!(matches!(requests.begin(&name(0), [2; 32]), MemoryKeyState::Fresh), "it was not done");
        requests.forget(&MeetingId::new("odd"));
        assert!(matches!(requests.begin(&name(1), [2; 32]), MemoryKeyState::Fresh));
        assert!(matches!(requests.begin(&name(2), [1; 32]), MemoryKeyState::Done(_)));
        assert_eq!(requests.0.lock().unwrap().answered.len(), ANSWERS_MAX / 2);
    }
}
