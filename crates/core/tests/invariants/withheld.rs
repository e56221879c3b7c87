//! What is hidden from a viewer is in nothing that it is told, whatever event brings it.
//!
//! Secrets are planted where they come from: every thought, note, mark, vote and blind answer has words of its own. No
//! list says which events may hold them, so a new event that repeats one of them is found as well.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;

use super::cases;
use super::views::{answered, any_format};
use crate::support::*;

/// Words that no viewer without a permission for more is ever told.
const NEVER: [&str; 3] = ["mark-of-somebody", "thought-of-somebody", "notes-of-"];

/// Words that stand in votes alone: nobody else is told them while the ballot is open.
const VOTE: &str = "vote-of-somebody";

fn blind_answer_of(owner: ParticipantId) -> String {
    format!("blind-answer-of-{owner}-end")
}

/// An answer in which each part can be recognized anywhere.
fn planted(table: &Transaction, call: &Call) -> Answer {
    let m = &table.meeting;
    let is_blind = m.round().is_some_and(|round| round.kind == RoundKind::Blind);
    let words = |words: String| Words {
        position: format!("position {words}"),
        claim: format!("claim {words}"),
        speech: format!("speech {words}"),
        reason: words,
    };
    let text = match (call.id, call.participant) {
        (TaskId::Vote(..), _) => answer_in_form(m, call, 60, &words(VOTE.to_owned())),
        (TaskId::Speak(_), Some(owner)) if is_blind => {
            answer_in_form(m, call, 60, &words(blind_answer_of(owner)))
        }
        _ => return answered(table, call),
    };
    Answer { reasoning: Some("thought-of-somebody".to_owned()), ..answer(&text) }
}

fn told(viewer: Viewer, event: &Event) -> String {
    viewer.line(event).unwrap_or_else(|| event.to_json())
}

/// A state as a viewer gets it: without what no view can read.
fn state(viewer: Viewer, meeting: &Meeting) -> String {
    let mut meeting = meeting.clone();
    viewer.redact(&mut meeting);
    let mut state = serde_json::to_value(&meeting).expect("plain");
    state["repairs"].take();
    state.to_string()
}

/// Every viewer at a moment: without a seat, and with each seat, whatever else it may do.
fn readers(meeting: &Meeting) -> Vec<(Viewer, Option<ParticipantId>)> {
    let seats = meeting.seats.iter().map(|seat| Some(seat.participant.id));
    let public = |seat| (Viewer::of(meeting, Visibility::Public, seat), seat);
    let manages = |seat| (Viewer::of(meeting, Visibility::Everything, seat), seat);
    seats.clone().map(public).chain(seats.map(manages)).chain([public(None)]).collect()
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn what_is_withheld_holds_nothing_hidden_and_leaves_no_hole(spec in any_format(), malformed in any::<bool>()) {
        let mut spec = spec;
        spec.rules.roster.leave_below = 9; // marks cause a departure, whose reason is hidden
        spec.rules.roster.min_team = 1;
        let mut table = Transaction::started(spec);
        for step in 0..400 {
            let Some(call) = table.calls().into_iter().next() else { break };
            let mut answer = planted(&table, &call);
            if malformed && step % 5 == 1 && call.attempt == 1 && !matches!(call.id, TaskId::Speak(_)) {
                answer.text = format!("{} {} {}, and no object", NEVER[0], NEVER[1], NEVER[2]);
            }
            let command = interpret(&table.meeting, &call, Outcome::Answered(answer));
            table.execute(command);
        }
        let mut meeting = Meeting::blank(table.meeting.id.clone(), table.meeting.run.clone());
        let mut moment = Moment::default();
        let mut hidden = BTreeSet::new();
        for event in &table.log {
            apply(&mut meeting, event);
            moment = moment.after(&event.body);
            prop_assert_eq!(moment, Moment::of(&meeting), "after {}", event.body.kind());
            prop_assert!(Viewer::everything().at(moment).line(event).is_none());
            for (viewer, seat) in readers(&meeting) {
                let (blind, seen) = (viewer.is_blind(), told(viewer, event));
                if viewer.sees_all() {
                    prop_assert!(viewer.line(event).is_none());
                    continue;
                }
                // Where a viewer begins to see more, it reads a state or a log: those are looked through now and then.
                let states = (event.seq % 7 == 0).then(|| state(viewer, &meeting));
                for seen in [Some(&seen), states.as_ref()].into_iter().flatten() {
                    for secret in NEVER {
                        prop_assert!(!seen.contains(secret), "{secret:?} is told in {seen}");
                    }
                    let is_open = meeting.ballots.last().is_some_and(|ballot| ballot.state == BallotState::Open);
                    // What the votes of an earlier ballot said is known by now.
                    if is_open && meeting.ballots.len() == 1 {
                        prop_assert!(!seen.contains(VOTE), "a vote is told in {seen}");
                    }
                    for other in meeting.seats.iter().map(|seat| seat.participant.id).filter(|id| Some(*id) != seat) {
                        prop_assert!(!blind || !seen.contains(&blind_answer_of(other)), "an answer is told in {seen}");
                    }
                }
                let json: serde_json::Value = serde_json::from_str(&seen).expect("a line is JSON");
                prop_assert_eq!(json["seq"].as_u64(), Some(event.seq));
                prop_assert_eq!(json["type"].as_str(), Some(event.body.kind()));
                prop_assert_eq!(viewer.line(event).is_some(), viewer.hides(event));
                if viewer.hides(event) {
                    hidden.insert(event.body.kind());
                }
                // What stays is worded as ever, unless it says that it lacks something.
                if json["payload"]["withheld"] != true || viewer.withholds_words(event) {
                    prop_assert!(Event::from_json(&seen).is_ok(), "{seen}");
                }
                // A vote is public once it is counted.
                if matches!(event.body, EventBody::VoteCast { .. }) {
                    let public = Viewer::public(Moment::default());
                    prop_assert!(viewer.hides(event) && !public.hides(event));
                }
            }
        }
        prop_assert!(hidden.contains("agent_message"), "{hidden:?}");
    }
}
