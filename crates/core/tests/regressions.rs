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

#[test]
fn an_answer_of_control_characters_is_no_message() {
    let mut table = Table::started(founding(&["Ada", "Ben"], Rules::default()));
    let nothing = r#"{"position": "\u0000\u0007", "claims": ["\u0000"]}"#;
    table.hears("Ada", nothing);
    table.hears("Ada", nothing);
    assert_eq!(table.meeting.said, [], "Ada has said nothing");
    // Whoever hands the core such words itself comes no further.
    let Call { id: task, attempt, .. } = table.call_of("Ben");
    let words = Speech { content: "\u{202e}\u{7}".into(), ..Speech::default() };
    let what = Delivered::Said(words);
    table.wish(Command::Deliver(Box::new(Delivery { task, attempt, usage: None, latency_ms: 0, what })));
    assert_eq!(table.meeting.said, [], "nor has Ben");
    assert_eq!(table.speakers(), ["Ada", "Ben"], "both are asked once more, for nobody has spoken");
}
