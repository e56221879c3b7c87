//! Meetings as transcripts: a test reads as the meeting did.

mod support;

use quorate_core::*;
use support::*;

#[test]
fn a_consensus_meeting_from_blind_answers_to_a_conclusion() {
    let rules = Rules { limits: Limits { max_rounds: 3, ..Limits::default() }, ..Rules::default() };
    let mut table = Table::started(founding(&["Ada", "Ben", "Cid"], rules));
    table.goes_on(|table, _| if table.meeting.round_number() < 2 { 60 } else { 85 });
    insta::assert_snapshot!(table.transcript());
}
