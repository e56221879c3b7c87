//! Presence: who is there now. People and agents are seen by what they do.
//!
//! Whoever was seen in the last 90 seconds is online, or busy when they said so. When an agent was last seen is kept in the
//! database, at most once a minute for all of them; of people nothing is kept. A server that starts has seen nobody yet.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quorate_contract::{Timestamp, TurnDelivery};
use quorate_runners::Respondent;
use serde::{Deserialize, Serialize};

/// How long somebody counts as present after they were last seen.
const PRESENT_FOR: Duration = Duration::from_secs(90);
/// The largest number of people and agents that are remembered.
const ENTRIES_MAX: usize = 10_000;

/// The presence of a person at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LivePresence {
    /// Seen in the last 90 seconds.
    Online,
    /// The same, and occupied with something else.
    Busy,
    /// Not seen, or gone.
    Offline,
}

/// What is known of somebody.
#[derive(Debug, Clone, Copy)]
struct PresenceRecord {
    at: Instant,
    shown_at: Timestamp,
    /// What they said last of themselves.
    stated: LivePresence,
    /// Whether the database does not have it yet. It is to have it of agents alone.
    is_to_keep: bool,
}

/// Who was seen when, bounded.
#[derive(Debug, Default)]
pub(crate) struct PresenceRegistry {
    seen: Mutex<HashMap<Respondent, PresenceRecord>>,
    /// When agents were last seen, as the database has it.
    kept: Mutex<HashMap<Respondent, Timestamp>>,
}

impl PresenceRegistry {
    /// Notes that somebody did something. Whoever had gone is back.
    pub(crate) fn touch(&self, who: Respondent, at: Instant, shown_at: Timestamp) {
        let stated = |before: Option<&PresenceRecord>| match before.map(|seen| seen.stated) {
            Some(LivePresence::Busy) => LivePresence::Busy,
            Some(LivePresence::Online | LivePresence::Offline) | None => LivePresence::Online,
        };
        self.note(who, at, shown_at, stated);
    }

    /// Notes what somebody says of themselves.
    pub(crate) fn state(&self, who: Respondent, at: Instant, shown_at: Timestamp, presence: LivePresence) {
        self.note(who, at, shown_at, |_| presence);
    }

    fn note(
        &self,
        who: Respondent,
        at: Instant,
        shown_at: Timestamp,
        stated: impl FnOnce(Option<&PresenceRecord>) -> LivePresence,
    ) {
        let mut book = locked(&self.seen);
        let is_to_keep = who.via != TurnDelivery::Person;
        let seen = PresenceRecord { at, shown_at, stated: stated(book.get(&who)), is_to_keep };
        if book.len() >= ENTRIES_MAX && !book.contains_key(&who) {
            forget(&mut book, at);
        }
        book.insert(who, seen);
    }

    pub(crate) fn of(&self, who: &Respondent, at: Instant) -> (LivePresence, Option<Timestamp>) {
        let Some(seen) = locked(&self.seen).get(who).copied() else {
            return (LivePresence::Offline, locked(&self.kept).get(who).copied());
        };
        let is_there = at.saturating_duration_since(seen.at) < PRESENT_FOR;
        (if is_there { seen.stated } else { LivePresence::Offline }, Some(seen.shown_at))
    }

    /// The agents that were seen since this was asked last, to be kept.
    pub(crate) fn take_to_keep(&self) -> Vec<(Respondent, Timestamp)> {
        let mut book = locked(&self.seen);
        let due = book.iter_mut().filter(|(_, seen)| seen.is_to_keep);
        due.map(|(who, seen)| {
            seen.is_to_keep = false;
            (who.clone(), seen.shown_at)
        })
        .collect()
    }

    /// Takes up what the database has kept.
    pub(crate) fn recall(&self, kept: impl IntoIterator<Item = (Respondent, Timestamp)>) {
        *locked(&self.kept) = kept.into_iter().collect();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room: whoever is not there any more is forgotten; when all are, the half that was seen longest ago.
fn forget(book: &mut HashMap<Respondent, PresenceRecord>, at: Instant) {
    book.retain(|_, seen| at.saturating_duration_since(seen.at) < PRESENT_FOR);
    if book.len() >= ENTRIES_MAX {
        let mut times: Vec<Instant> = book.values().map(|seen| seen.at).collect();
        let (_, middle, _) = times.select_nth_unstable(ENTRIES_MAX / 2);
        let middle = *middle;
        book.retain(|_, seen| seen.at > middle);
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::TurnDelivery;

    use super::*;

    fn person(name: &str) -> Respondent {
        Respondent { via: TurnDelivery::Person, name: name.to_owned() }
    }

    #[test]
    fn whoever_is_not_seen_for_ninety_seconds_is_offline() {
        let (book, start) = (PresenceRegistry::default(), Instant::now());
        let later = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(book.of(&person("lin"), start), (LivePresence::Offline, None));
        book.touch(person("lin"), start, Timestamp(5));
        assert_eq!(book.of(&person("lin"), later(89)), (LivePresence::Online, Some(Timestamp(5))));
        assert_eq!(book.of(&person("lin"), later(90)), (LivePresence::Offline, Some(Timestamp(5))));
        let agent = Respondent { via: TurnDelivery::Agent, name: "lin".to_owned() };
        assert_eq!(book.of(&agent, start).0, LivePresence::Offline, "an agent of that name is another");
    }

    #[test]
    fn whoever_is_busy_stays_so_and_whoever_had_gone_is_back() {
        let (book, start) = (PresenceRegistry::default(), Instant::now());
        book.state(person("lin"), start, Timestamp(1), LivePresence::Busy);
        book.touch(person("lin"), start, Timestamp(2));
        assert_eq!(book.of(&person("lin"), start).0, LivePresence::Busy);
        book.state(person("lin"), start, Timestamp(3), LivePresence::Offline);
        assert_eq!(book.of(&person("lin"), start), (LivePresence::Offline, Some(Timestamp(3))));
        book.touch(person("lin"), start, Timestamp(4));
        assert_eq!(book.of(&person("lin"), start).0, LivePresence::Online);
    }

    #[test]
    fn agents_are_kept_once_each_time_they_are_seen_and_recalled_after_a_restart() {
        let (book, start) = (PresenceRegistry::default(), Instant::now());
        let agent = Respondent { via: TurnDelivery::Agent, name: "scout".to_owned() };
        book.touch(agent.clone(), start, Timestamp(1));
        book.touch(agent.clone(), start, Timestamp(2));
        book.touch(person("lin"), start, Timestamp(2));
        let kept = book.take_to_keep();
        assert_eq!(kept, [(agent.clone(), Timestamp(2))], "of people nothing is kept");
        assert_eq!(book.take_to_keep(), [], "it is kept already");
        let after = PresenceRegistry::default();
        after.recall(kept);
        assert_eq!(after.of(&agent, start), (LivePresence::Offline, Some(Timestamp(2))));
        after.touch(agent.clone(), start, Timestamp(9));
        assert_eq!(after.of(&agent, start), (LivePresence::Online, Some(Timestamp(9))));
    }

    #[test]
    fn the_book_does_not_grow_without_end() {
        let (book, start) = (PresenceRegistry::default(), Instant::now());
        for number in 0..ENTRIES_MAX as u64 + 100 {
            book.touch(person(&number.to_string()), start + Duration::from_micros(number), Timestamp(1));
        }
        let size = book.seen.lock().expect("nobody panicked").len();
        assert!(size <= ENTRIES_MAX, "{size}");
        let last = person(&(ENTRIES_MAX + 99).to_string());
        assert_eq!(book.of(&last, start).0, LivePresence::Online, "whoever came last is remembered");
    }
}
