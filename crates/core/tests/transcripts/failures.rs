//! Participants and facilitators that fail, stall or talk garbage; the meeting goes on.

use quorate_contract::*;
use quorate_core::RunState;

use crate::support::*;

#[test]
fn garbage_is_asked_for_again_and_then_made_the_best_of() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(1)));
    table.hears("Ada", "I would rather write prose.");
    table.hears("Ada", r#"Sure! ```json {"position": "SQLite", "claims": ["one file",]} ```"#);
    table.hears("Ben", "I would rather write prose.");
    table.hears("Ben", "Prose it is: Postgres. It has been there for ever.");
    table.hears("Cid", "");
    table.hears("Cid", "");
    table.goes_to_ballot();
    table.hears("Ada", "I vote yes");
    table.hears("Ada", r#"{"score": "85/100", "pass": "yes", "reason": "fine"}"#);
    table.hears("Ben", "I vote yes");
    table.hears("Ben", "I said yes!");
    table.hears("Cid", r#"{"abstain": true, "reason": "I was not heard"}"#);
    table.goes_on(|_, _| 85);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_facilitator_that_fails_is_stood_in_for_by_the_rules() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(2)));
    for _ in 0..60 {
        let Some(call) = table.calls().into_iter().next() else { break };
        match call.participant {
            Some(_) => table.answers_well(&call, 40),
            None => table.fails(&call, FailureKind::Quota),
        }
    }
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_meeting_without_a_facilitator_is_kept_by_the_rules() {
    let spec = MeetingSpec { facilitator: None, ..spec(&["Ada", "Ben", "Cid"], consensus(1)) };
    let mut table = Transaction::started(spec);
    table.hears("Ada", r#"{"position": "SQLite", "claims": ["one file"], "confidence": 60}"#);
    table.hears("Ben", r#"{"position": "Postgres", "claims": ["many writers"], "confidence": 90}"#);
    table.hears("Cid", r#"{"position": "SQLite", "claims": ["no server"], "confidence": 20}"#);
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_conclusion_that_repeats_the_accepted_draft_gives_no_other_reasons() {
    let concluded = |words: &str| {
        let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
        table.goes_until(|_, _| 90, |table| table.calls().iter().any(|call| call.id == TaskId::Conclude));
        let draft = table.meeting.accepted_draft().expect("it was voted on").text.clone();
        let conclusion = words.replace("DRAFT", &draft);
        table.facilitator_answers(&format!(
            r#"{{"conclusion": "{conclusion}", "disagreements": [], "actions": []}}"#
        ));
        let conclusion = table.meeting.conclusion.as_ref().expect("it is written");
        assert_eq!(conclusion.text, draft, "what was voted on stands word for word");
        conclusion.reasons.clone()
    };
    assert_eq!(concluded("DRAFT"), "");
    assert_eq!(concluded("One file is easy to keep."), "One file is easy to keep.");
}

#[test]
fn a_minority_that_was_left_out_twice_is_put_back() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
    table.hears("Ada", r#"{"position": "SQLite", "claims": ["one file"]}"#);
    table.hears("Ben", r#"{"position": "Postgres", "claims": ["many writers"]}"#);
    let without_ben = r#"{"summary": "All agree.", "positions": [{"text": "SQLite", "holders": ["Ada"]}], "draft": "SQLite"}"#;
    table.facilitator_answers(without_ben);
    table.facilitator_answers(without_ben);
    table.goes_on(|_, _| 85);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_draft_that_the_facilitator_leaves_out_is_written_by_the_rules_where_a_ballot_follows() {
    let sums_up = |table: &mut Transaction, draft: &str| {
        let asked =
            |table: &Transaction| table.calls().iter().any(|call| matches!(call.id, TaskId::Summarize(_)));
        table.goes_until(|_, _| 60, asked);
        let positions = r#"[{"text": "SQLite", "holders": ["Ada", "Ben"]}]"#;
        table.facilitator_answers(&format!(
            r#"{{"summary": "so far", "positions": {positions}, "draft": "{draft}"}}"#
        ));
    };
    let drafts = |table: &Transaction| -> Vec<Actor> {
        table.meeting.drafts.iter().map(|draft| draft.by.clone()).collect()
    };
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(3)));
    sums_up(&mut table, "");
    assert_eq!(drafts(&table), [Actor::System]);
    sums_up(&mut table, "");
    assert_eq!(drafts(&table), [Actor::System], "the same words are no new version");
    sums_up(&mut table, "Begin with one file.");
    assert_eq!(drafts(&table), [Actor::System, Actor::Facilitator]);
    let mut spec = discussion(&["Ada", "Ben"], 3);
    spec.rules.context.rolling_summary = true;
    let mut table = Transaction::started(spec);
    sums_up(&mut table, "");
    assert_eq!(drafts(&table), [], "nothing is voted on");
    sums_up(&mut table, "Begin with one file.");
    assert_eq!(drafts(&table), [Actor::Facilitator]);
}

#[test]
fn when_nobody_answers_twice_the_meeting_rests_and_can_go_on() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
    for _ in 0..2 {
        table.loses("Ada");
        table.loses("Ben");
    }
    assert!(table.meeting.is_paused());
    table.resumes();
    table.goes_on(|_, _| 85);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn turns_are_offered_again_only_to_those_who_can_be_asked() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben", "Cid"], 1));
    let (by, participant) = (Actor::owner(), "Cid".into());
    table.execute(Command::SetPresence { by, participant, presence: Presence::Offline });
    table.loses("Ada");
    let call = table.call_of("Ben");
    let from = table.log.len();
    table.fails(&call, FailureKind::Network);
    let offered = table.log[from..].iter().find_map(|event| match &event.body {
        EventBody::QueueChanged { queue, reason: QueueReason::OfferedAgain } => Some(queue),
        _ => None,
    });
    let names = offered.map(|queue| queue.iter().map(|one| table.meeting.name_of(one.participant)).collect());
    assert_eq!(names, Some(vec!["Ada".to_owned(), "Ben".to_owned()]));
}

#[test]
fn a_ballot_in_which_every_vote_fails_lets_the_meeting_rest_before_another_round_is_paid_for() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(3)));
    table.goes_to_ballot();
    let rounds = table.meeting.rounds.len();
    for name in ["Ada", "Ben"] {
        table.hears(name, "I vote yes");
        table.hears(name, "I said yes!");
    }
    assert!(matches!(table.meeting.run_state, RunState::Paused { reason: PauseReason::NobodyAnswered, .. }));
    assert_eq!((table.meeting.rounds.len(), table.calls().len()), (rounds, 0));
    table.resumes();
    table.goes_on(|_, _| 85);
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Accepted { ballot: BallotId(2) }));
    // One vote is enough to go on with.
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(3)));
    table.goes_to_ballot();
    table.hears("Ada", r#"{"score": 20, "pass": false, "reason": "not yet"}"#);
    table.hears("Ben", "I vote yes");
    table.hears("Ben", "I said yes!");
    assert!(!table.meeting.is_paused());
}

#[test]
fn a_crash_loses_the_calls_and_nothing_else() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
    table.hears("Ada", r#"{"position": "SQLite", "claims": ["one file"]}"#);
    table.recovers();
    table.goes_on(|_, _| 85);
    assert_eq!(table.meeting.lost_calls, 1);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_repair_that_is_lost_is_made_again_as_one() {
    let mut spec = discussion(&["Ada", "Ben"], 1);
    spec.rules.turns.may_skip = true;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "@Ben what would it cost?");
    table.hears("Ben", "[SKIP]");
    table.recovers();
    table.hears("Ben", "[SKIP]");
    let malformed = |event: &&Event| matches!(event.body, EventBody::AnswerMalformed { .. });
    assert_eq!(table.log.iter().filter(malformed).count(), 1, "an answer is repaired once");
    let ben = table.meeting.rounds[0].turns[1].state;
    assert_eq!(ben, quorate_core::TurnState::Failed(FailureKind::Malformed));
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over());
}

#[test]
fn a_turn_is_let_go_by_only_where_that_is_allowed() {
    let mut spec = discussion(&["Ada", "Ben", "Cid"], 1);
    spec.rules.turns.may_skip = true;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "[SKIP]");
    table.hears("Ben", "@Cid what would it cost?");
    // Cid was asked something; it is told to answer, and does not, twice.
    table.hears("Cid", "[SKIP]");
    table.hears("Cid", "[SKIP]");
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn only_what_a_running_meeting_lost_is_told() {
    let mut spec = discussion(&["Ada", "Ben"], 2);
    spec.rules.limits.wall_ms = Some(3_600_000);
    let mut table = Transaction::started(spec);
    let sleeps = |table: &mut Transaction, idle_ms| table.execute(Command::NoteIdle { idle_ms }).len();
    assert_eq!((sleeps(&mut table, 0), sleeps(&mut table, 5000)), (0, 1));
    assert!(!table.recovers().is_empty(), "Ada is asked again");
    table.pauses_at_once();
    assert_eq!(sleeps(&mut table, 5000), 0);
    assert_eq!(table.recovers(), [], "nothing was under way, and no time counts");
}
