//! Meetings as a list shows them, and meetings that are deleted.

use proptest::prelude::*;
use proptest::sample::Index;
use quorate_core::MeetingState;
use quorate_engine::{Journal, JournalError};
use quorate_store::{StoreError, verify};

use crate::any::{self, Stored};
use crate::{Bench, cases};

impl Bench {
    /// A database with these meetings alone, whatever the previous case has left.
    fn with(&self, meetings: &[Stored]) {
        self.wait(async {
            for before in self.store.meetings(u32::MAX, 0).await.expect("a list") {
                self.store.delete_meeting(&before.id).await.expect("it is there");
            }
            for meeting in meetings {
                let stored = self.store.append(meeting.id.clone(), 0, meeting.records()).await;
                stored.expect("a new meeting");
            }
        });
    }
}

fn lines(meeting: &Stored) -> Vec<(u64, String)> {
    let numbered = meeting.records().into_iter().map(|record| (record.event.seq, record.line.to_string()));
    numbered.collect()
}

/// Feature: ai-agent-meeting, Property 23: the list has every meeting, with what matters about it.
#[test]
fn p23_the_list_has_every_meeting() {
    let bench = Bench::new();
    proptest!(cases(), |(meetings in any::meetings(0..6), page in 1u32..4)| {
        bench.with(&meetings);
        let reopened = bench.reopened();
        let mut listed = Vec::new();
        loop {
            let offset = u32::try_from(listed.len()).unwrap();
            let more = bench.wait(reopened.meetings(page, offset)).unwrap();
            if more.is_empty() {
                break;
            }
            listed.extend(more);
        }
        prop_assert_eq!(listed.len(), meetings.len());
        prop_assert!(listed.is_sorted_by(|a, b| a.created_ms >= b.created_ms), "newest first");
        for meeting in &meetings {
            let row = listed.iter().find(|row| row.id == meeting.id).expect("it is listed");
            prop_assert_eq!(&row.topic, &meeting.topic);
            prop_assert_eq!(row.participants, meeting.participants);
            prop_assert_eq!(row.state == MeetingState::Ended, meeting.ended);
            prop_assert_eq!(row.events, meeting.records().len() as u64);
            prop_assert_eq!(row.created_ms.0, meeting.created + 1);
            prop_assert_eq!(row.updated_ms.0, meeting.created + row.events.cast_signed());
        }
    });
}

/// Feature: ai-agent-meeting, Property 26: a deleted meeting is neither listed nor loadable, and
/// the others are as they were.
#[test]
fn p26_a_deleted_meeting_is_gone() {
    let bench = Bench::new();
    proptest!(cases(), |(meetings in any::meetings(1..5), pick in any::<Index>())| {
        bench.with(&meetings);
        let gone = pick.get(&meetings);
        bench.wait(bench.store.delete_meeting(&gone.id)).unwrap();
        for store in [&bench.store, &bench.reopened()] {
            let listed = bench.wait(store.meetings(u32::MAX, 0)).unwrap();
            prop_assert_eq!(listed.len(), meetings.len() - 1);
            prop_assert!(listed.iter().all(|row| row.id != gone.id));
            let loaded = bench.wait(store.read(gone.id.clone(), 0));
            prop_assert!(matches!(loaded, Err(JournalError::NoSuchMeeting(_))), "{:?}", loaded);
            let found = bench.wait(store.find(gone.id.as_str()));
            prop_assert!(found.is_err() || found.is_ok_and(|other| other != gone.id), "not by its id");
            for other in meetings.iter().filter(|other| other.id != gone.id) {
                prop_assert_eq!(bench.wait(store.lines(&other.id, 0)).unwrap(), lines(other));
            }
        }
        let again = bench.wait(bench.store.delete_meeting(&gone.id));
        prop_assert!(
            matches!(again, Err(StoreError::Journal(JournalError::NoSuchMeeting(_)))),
            "{:?}", again
        );
        let report = verify(bench.store.location(), |_| {}, |_| {}).unwrap();
        prop_assert!(report.is_clean(), "{:?}", report.problems);
        prop_assert_eq!(report.meetings, meetings.len() as u64 - 1);
        // A holder of a stale handle cannot write a part of it back.
        let late = bench.wait(bench.store.append(gone.id.clone(), 1, gone.records().split_off(1)));
        prop_assert!(gone.records().len() == 1 || late.is_err());
    });
}
