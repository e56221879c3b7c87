//! Faults that were found, one small meeting each, so that they stay away.

mod support;

use quorate_core::*;
use support::*;

#[test]
fn a_share_of_many_digits_survives_the_log() {
    let decision = DecisionRules { pass_ratio: Some(0.43342911366268877), ..DecisionRules::default() };
    let table = Table::draft(founding(&["Ada"], Rules { decision, ..Rules::default() }));
    assert_eq!(table.replayed().state_hash(), table.meeting.state_hash());
}
