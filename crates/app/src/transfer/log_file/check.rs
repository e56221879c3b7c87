//! Follows the chain of a log in a file, event by event, and names what does not fit.

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::chain::{self, Hash};
use quorate_contract::hex::to_hex;
use quorate_contract::signature::{LogSignature, checksums_of};
use quorate_contract::{Event, MeetingId};
use quorate_store::{is_signed_by, read_line};
use serde::Deserialize;
use serde_json::Value;

use super::LogProblem;

/// The largest number of problems that are described; further ones are only counted.
const DESCRIBED: usize = 1_000;

/// The parts of a line that say where it belongs.
#[derive(Deserialize)]
pub(super) struct EventPosition {
    pub(super) seq: u64,
    pub(super) meeting_id: MeetingId,
}

impl EventPosition {
    /// Where a line says that it belongs; `None` for one that is no event.
    pub(super) fn of(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

/// The verification of one log, to which its events are handed in the order of the file.
pub(super) struct Check {
    meeting: MeetingId,
    /// The checksums that the file states, by the number of their events.
    stated: BTreeMap<u64, Hash>,
    signature: Option<LogSignature>,
    seen: BTreeSet<u64>,
    last: u64,
    pub(super) events: u64,
    pub(super) checked: u64,
    pub(super) withheld: u64,
    pub(super) signed: bool,
    pub(super) problems: Vec<LogProblem>,
    pub(super) further_problems: u64,
}

impl Check {
    pub(super) fn of(
        meeting: MeetingId,
        stated: BTreeMap<u64, Hash>,
        signature: Option<LogSignature>,
    ) -> Self {
        Self {
            meeting,
            stated,
            signature,
            seen: BTreeSet::new(),
            last: 0,
            events: 0,
            checked: 0,
            withheld: 0,
            signed: false,
            problems: Vec::new(),
            further_problems: 0,
        }
    }

    /// An event with its line. `shown` is the event as the file shows it beside.
    pub(super) fn line(&mut self, line: &str, shown: Option<&Value>) {
        let place = EventPosition::of(line);
        // A line that cannot be read stands where it stands.
        let seq = place.as_ref().map_or(self.last.saturating_add(1), |place| place.seq);
        if !self.take(seq) {
            return;
        }
        let before = match seq {
            1 => Some(chain::beginning(&self.meeting)),
            _ => self.stated.get(&(seq - 1)).copied(),
        };
        let fits = match (before, self.stated.get(&seq)) {
            (Some(before), Some(stated)) => Some(chain::next(&before, line.as_bytes()) == *stated),
            // Events that are missing, or have no checksum, are reported as such.
            (None, _) | (_, None) => None,
        };
        self.checked += u64::from(fits == Some(true));
        if fits == Some(false) {
            return self.add(LogProblem::Changed { event: seq });
        }
        match (place, read_line(line)) {
            (Some(place), _) if place.meeting_id != self.meeting => {
                self.add(LogProblem::OtherMeeting { event: seq, meeting_id: place.meeting_id });
            }
            (Some(_), Ok(event)) => {
                if shown.is_some_and(|shown| !is_shown(line, &event, shown)) {
                    self.add(LogProblem::ShownOtherwise { event: seq });
                }
            }
            (None, _) | (_, Err(_)) => self.add(LogProblem::Unreadable { event: seq }),
        }
    }

    /// An event of which only the checksum is there.
    pub(super) fn withheld(&mut self, seq: u64) {
        if self.take(seq) {
            self.withheld += 1;
        }
    }

    /// Whether an event of this number may stand here.
    fn take(&mut self, seq: u64) -> bool {
        self.events += 1;
        if seq <= self.last || !self.seen.insert(seq) {
            self.seen.insert(seq);
            self.add(LogProblem::OutOfPlace { event: seq });
            return false;
        }
        self.last = seq;
        if self.signature.as_ref().is_some_and(|signature| seq > signature.seq) {
            self.add(LogProblem::Added { event: seq });
            return false;
        }
        if !self.stated.contains_key(&seq) {
            self.add(LogProblem::NoChecksum { event: seq });
        }
        true
    }

    /// What is wrong with the log as a whole.
    pub(super) fn finish(&mut self) {
        let last = self.signature.as_ref().map_or(0, |signature| signature.seq);
        let last = last.max(self.stated.keys().next_back().copied().unwrap_or(0));
        self.find_missing(last);
        let Some(signature) = &self.signature else { return };
        if !is_signed_by(signature) || signature.meeting_id != self.meeting {
            return self.add(LogProblem::Signature);
        }
        let whole = self.stated.len() as u64 == signature.seq
            && self.stated.keys().next_back().copied().unwrap_or(0) == signature.seq;
        let ends = self.stated.get(&signature.seq).map(|hash| to_hex(hash));
        self.signed = whole
            && to_hex(&checksums_of(self.stated.values())) == signature.checksums
            && ends.as_ref() == Some(&signature.hash);
        // That some are missing is said already.
        if !self.signed && self.problems.is_empty() {
            self.add(LogProblem::Checksums);
        }
    }

    fn find_missing(&mut self, last: u64) {
        let mut gaps = Vec::new();
        let mut expected = 1;
        for seq in self.seen.iter().copied().chain([last.saturating_add(1)]) {
            if seq > expected && gaps.len() < DESCRIBED {
                gaps.push(LogProblem::Missing { from: expected, to: seq - 1 });
            }
            expected = expected.max(seq.saturating_add(1));
        }
        gaps.into_iter().for_each(|gap| self.add(gap));
    }

    pub(super) fn add(&mut self, problem: LogProblem) {
        match self.problems.len() < DESCRIBED {
            true => self.problems.push(problem),
            false => self.further_problems += 1,
        }
    }
}

/// Whether `shown` is the event of a line: as it is written, or as a version between its own and the present one reads it.
fn is_shown(line: &str, event: &Event, shown: &Value) -> bool {
    let written = serde_json::from_str::<Value>(line);
    written.is_ok_and(|written| written == *shown)
        || read_line(&shown.to_string()).is_ok_and(|shown| shown == *event)
}
