//! The result says what was decided: one computation of who supports it, read by every view.

mod support;

#[path = "agreement/always.rs"]
mod always;

use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;
use support::*;

const NAMES: [&str; 4] = ["Ada", "Ben", "Cid", "Dee"];

fn vote(score: u8, pass: bool) -> String {
    serde_json::json!({ "score": score, "pass": pass, "reason": "so it is", "missing": [] }).to_string()
}

/// A table whose first ballot is open.
fn voting(names: &[&str]) -> Transaction {
    let mut table = Transaction::started(spec(names, consensus(3)));
    table.goes_to_ballot();
    table
}

/// The same in the last round that there is.
fn voting_for_the_last_time() -> Transaction {
    let mut table = Transaction::started(spec(&NAMES, consensus(1)));
    table.goes_to_ballot();
    table
}

/// Goes on to the end, the facilitator concluding in these words.
fn concludes(table: &mut Transaction, words: &str) {
    table.goes_until(|_, _| 90, |table| table.calls().iter().any(|call| call.id == TaskId::Conclude));
    let answer = serde_json::json!({ "conclusion": words, "disagreements": [], "actions": [] });
    table.facilitator_answers(&answer.to_string());
    table.goes_on(|_, _| 90);
    assert!(table.meeting.is_over());
}

#[test]
fn what_was_voted_on_is_the_conclusion_word_for_word() {
    let mut table = voting(&NAMES);
    let draft = table.meeting.draft().expect("there is a draft").text.clone();
    concludes(&mut table, "Something that nobody voted on.");
    let report = Report::of(&table.meeting);
    assert_eq!(report.conclusion, draft);
    assert_eq!(report.reasons, "Something that nobody voted on.");
    let told = report.to_markdown();
    assert!(told.contains(&format!("## Conclusion\n\n{draft}")), "{told}");
    assert!(told.contains("the draft that was voted on.*\n>\n> Something that nobody voted on."), "{told}");
    let written = table.log.iter().find_map(|event| match &event.body {
        EventBody::ConclusionWritten { conclusion, reasons, .. } => Some((conclusion, reasons)),
        _ => None,
    });
    assert_eq!(written.expect("it is written").0, &draft, "the log says the same");
}

#[test]
fn an_older_log_whose_conclusion_nobody_voted_on_is_told_rightly() {
    let mut table = voting(&NAMES);
    let draft = table.meeting.draft().expect("there is a draft").text.clone();
    concludes(&mut table, "x");
    for event in &mut table.log {
        if let EventBody::ConclusionWritten { by, conclusion, reasons, .. } = &mut event.body {
            (*by, *conclusion, *reasons) = (Actor::Facilitator, "Oppose.".into(), String::new());
        }
    }
    let report = Report::of(&table.replayed());
    assert_eq!((report.conclusion, report.reasons), (draft, "Oppose.".to_owned()));
}

#[test]
fn a_facilitator_that_fails_leaves_the_draft_as_the_conclusion() {
    let mut table = voting(&NAMES);
    let draft = table.meeting.draft().expect("there is a draft").text.clone();
    table.goes_until(|_, _| 90, |table| table.calls().iter().any(|call| call.id == TaskId::Conclude));
    let call = table.facilitator_call();
    table.fails(&call, FailureKind::Authentication);
    table.goes_on(|_, _| 90);
    let report = Report::of(&table.meeting);
    assert_eq!((report.conclusion, report.reasons), (draft, String::new()));
}

#[test]
fn a_vote_that_contradicts_itself_is_asked_once_more_and_then_shown_as_one() {
    let mut table = voting(&NAMES);
    table.hears("Ada", &vote(6, true));
    assert!(table.meeting.ballots[0].cast.is_empty(), "it does not count yet");
    let problem = table.meeting.repair(table.call_of("Ada").id).expect("it is asked again").problem.clone();
    let problem = problem.in_language(table.meeting.language());
    assert!(problem.contains("contradict"), "{problem}");
    assert!(!problem.contains(" 6 "), "what an open ballot hides is not told: {problem}");
    assert!(table.prompt_of("Ada").messages.iter().any(|message| message.content.contains(&*problem)));
    table.hears("Ada", &vote(6, true));
    table.hears("Ben", &vote(94, false));
    table.hears("Ben", &vote(94, true));
    for name in ["Cid", "Dee"] {
        table.hears(name, &vote(90, true));
    }
    let report = Report::of(&table.meeting);
    let flags: Vec<_> = report.ballots[0].votes.iter().map(|vote| vote.contradictory).collect();
    assert_eq!(flags, [true, false, false, false]);
    assert!(report.to_markdown().contains("| Ada | 6 | yes (contradicts its score) |"));
    let ada = &report.agreement.seats[0];
    assert!(ada.contradictory && ada.reserved, "{ada:?}");
}

#[test]
fn a_vote_that_was_asked_once_more_is_not_lost_with_the_second_answer() {
    let mut table = voting(&NAMES);
    table.hears("Ada", &vote(94, false));
    table.hears("Ada", "I would rather not say.");
    let cast = &table.meeting.ballots[0].cast[&ParticipantId(1)];
    assert!(matches!(cast, BallotChoice::Vote(vote) if vote.score == 94 && !vote.pass), "{cast:?}");
}

#[test]
fn between_the_two_marks_of_the_scale_a_vote_is_the_voters_own() {
    for (score, pass, contradicts) in [
        (69, true, true),
        (70, true, false),
        (79, false, false),
        (80, false, true),
        (60, false, false),
        (0, true, true),
        (100, false, true),
    ] {
        let vote = Vote { score, pass, reason: String::new(), missing: Vec::new() };
        assert_eq!(vote.contradicts_itself(), contradicts, "{score} {pass}");
    }
}

#[test]
fn a_ballot_says_what_its_scale_means() {
    for (language, words) in [(Language::En, "- 30: wrong"), (Language::Zh, "- 30：不对")] {
        let mut table = Transaction::started(MeetingSpec { language, ..spec(&NAMES, consensus(3)) });
        table.goes_to_ballot();
        let prompt = table.prompt_of("Ada");
        let task = prompt.messages.last().expect("the task comes last").content.clone();
        for mark in ["90", "80", "60", words] {
            assert!(task.contains(mark), "{task}");
        }
    }
}

#[test]
fn a_seat_that_failed_is_never_shown_as_one_that_abstained() {
    let mut table = voting_for_the_last_time();
    for name in ["Ada", "Ben"] {
        table.hears(name, &vote(90, true));
    }
    let call = table.call_of("Cid");
    table.fails(&call, FailureKind::Quota);
    table.hears("Dee", "not a vote");
    table.hears("Dee", "not a vote either");
    table.goes_on(|_, _| 90);
    let report = Report::of(&table.meeting);
    let failed: Vec<_> = report.failures.iter().map(|row| (row.name.as_str(), row.failed_votes)).collect();
    assert_eq!(failed, [("Cid", 1), ("Dee", 1)]);
    assert_eq!((report.agreement.failed, report.agreement.abstained), (2, 0));
    assert!(report.ballots[0].votes.iter().all(|vote| vote.abstained.is_none()));
    let told = report.to_markdown();
    assert!(told.contains("| Cid | — | failed | out of quota: broken. What helps: add credit"), "{told}");
    assert!(told.contains("| Dee | — | failed | unreadable answer"), "{told}");
    assert!(!told.contains("abstained"), "{told}");
    assert!(told.contains("2 of 4 voted to pass, 2 failed"), "{told}");
    let BallotChoice::Failed(why) = &table.meeting.ballots[0].cast[&ParticipantId(3)] else {
        panic!("it failed")
    };
    assert_eq!((why.kind, &*why.hint.to_string()), (Some(FailureKind::Quota), "mend it"));
}

#[test]
fn a_result_without_most_of_the_table_says_so_first() {
    let mut table = Transaction::started(spec(&NAMES, consensus(1)));
    for _ in 0..200 {
        let Some(call) = table.calls().into_iter().next() else { break };
        match call.participant.map(|id| table.meeting.name_of(id)).as_deref() {
            Some("Ada") | None => table.answers_well(&call, 90),
            Some(_) => table.fails(&call, FailureKind::Authentication),
        }
    }
    assert!(table.meeting.is_over(), "{table:?}");
    let report = Report::of(&table.meeting);
    let incomplete = report.incomplete.as_ref().expect("three of four failed");
    assert_eq!((incomplete.failed, incomplete.seats), (3, 4));
    let told = report.to_markdown();
    let first = told.lines().filter(|line| !line.is_empty()).nth(2).expect("it is told");
    assert!(first.contains("3 of 4 seats failed"), "{told}");
    assert!(told.contains("- **Ben** (simulated (balanced)): never spoke, "), "{told}");
    assert!(told.contains("| Ben | failed: key not accepted: broken | — |"), "{told}");
    assert_eq!(report.shifts.len(), 4, "the shift list holds those who failed");
}

/// A table that converges while two hold one thing and two another.
fn split(words: &str) -> Transaction {
    let mut rules = Format::Decision.rules();
    rules.intake.when = IntakeTiming::Never;
    rules.closing.artifacts = vec![ArtifactKind::Adr];
    let mut table = Transaction::started(MeetingSpec { format: Format::Decision, ..spec(&NAMES, rules) });
    for _ in 0..400 {
        let Some(call) = table.calls().into_iter().next() else { break };
        let text = match (call.id, call.participant) {
            (TaskId::Speak(_), Some(id)) => {
                let held = if id.0 <= 2 { "Take SQLite" } else { "Take PostgreSQL" };
                serde_json::json!({
                    "statement": format!("{held}, I say"), "recommendation": held, "confidence": 80,
                    "changed_by": null, "claims": [], "risks": [], "open_questions": [],
                })
                .to_string()
            }
            (TaskId::Summarize(_), _) => serde_json::json!({
                "summary": "two and two", "draft": "", "open_questions": ["a?", "b?", "c?", "d?"],
                "disagreements": ["which", "when", "who", "why"],
                "positions": [{ "text": "Take SQLite", "holders": ["Ada", "Ben"] },
                    { "text": "Take PostgreSQL", "holders": ["Cid", "Dee"] }],
            })
            .to_string(),
            (TaskId::Conclude, _) => serde_json::json!({
                "conclusion": words, "disagreements": [], "actions": [],
            })
            .to_string(),
            _ => good_answer(&table.meeting, &call, 90),
        };
        table.answers(&call, &text);
    }
    assert!(matches!(table.meeting.outcome(), Some(MeetingOutcome::Converged { .. })), "{table:?}");
    table
}

#[test]
fn whoever_holds_the_conclusion_does_not_dissent_from_it() {
    for (words, dissenters) in
        [("Take SQLite.", ["Cid", "Dee"]), ("**Take PostgreSQL**\n\nAs said.", ["Ada", "Ben"])]
    {
        let table = split(words);
        let report = Report::of(&table.meeting);
        let names: Vec<_> = report.dissent.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, dissenters, "{words}");
        assert!(
            report.headline.contains("2 of 4 hold this conclusion, 2 hold another position"),
            "{report:?}"
        );
        assert!(report.headline.contains("the table does not agree"), "{}", report.headline);
        assert_ne!(DeliberationHealth::of(&table.meeting).verdict.standing, HealthGrade::Robust);
        let adr = table.meeting.artifact(ArtifactKind::Adr).expect("it is written");
        assert_eq!(adr.content["status"], "proposed", "{}", adr.content);
    }
}

#[test]
fn where_as_many_hold_each_position_nobody_is_in_the_minority() {
    let report = Report::of(&split("It depends on how many write at once.").meeting);
    assert!(report.agreement.divided && report.dissent.is_empty(), "{report:?}");
    assert!(report.headline.contains("no position has a majority"), "{}", report.headline);
    assert!(report.to_markdown().contains("There was no ballot, and no position has a majority.\n"));
}

#[test]
fn nothing_is_contested_once_a_ballot_has_passed() {
    let mut table = Transaction::started(spec(&NAMES, consensus(3)));
    table.goes_to_round(1);
    table.says("There is one writer."); // something new, so that the agreement rests on it
    table.goes_to_ballot();
    table.hears("Ada", &vote(30, false));
    for name in ["Ben", "Cid", "Dee"] {
        table.hears(name, &vote(100, true));
    }
    table.goes_on(|_, _| 90);
    assert!(matches!(table.meeting.outcome(), Some(MeetingOutcome::Accepted { .. })));
    let health = DeliberationHealth::of(&table.meeting);
    assert_eq!(health.verdict.standing, HealthGrade::Majority, "{health:?}");
    assert_eq!((health.dissent.blocking, health.dissent.overruled), (0, 1));
    let report = Report::of(&table.meeting);
    assert!(report.headline.ends_with("3 of 4 voted to pass, 1 against"), "{}", report.headline);
    assert_eq!(report.dissent.len(), 1);
}

#[test]
fn whoever_lets_it_pass_and_holds_something_else_keeps_a_reservation() {
    let mut table = voting(&NAMES);
    table.goes_until(|_, _| 90, |table| table.calls().iter().any(|call| call.id == TaskId::Conclude));
    let answer = serde_json::json!({
        "reasons": "Minority view: Ben and Cid.", "actions": [],
        "disagreements": [{ "issue": "when", "sides": [
            { "view": "now", "why": "", "holders": ["Ada", "Dee", "Cid"] },
            { "view": "later", "why": "it is early", "holders": ["Ben"] }] }],
    });
    table.facilitator_answers(&answer.to_string());
    table.goes_on(|_, _| 90);
    let report = Report::of(&table.meeting);
    assert!(report.dissent.is_empty());
    let names: Vec<_> = report.reservations.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["Ben"]);
    assert!(
        report.headline.contains("4 of 4 voted to pass, 1 of them with reservations"),
        "{}",
        report.headline
    );
}

#[test]
fn each_ballot_is_judged_by_the_rules_that_held_when_it_was_counted() {
    let mut table = voting(&NAMES);
    for name in NAMES {
        table.hears(name, &vote(78, true));
    }
    assert_eq!(table.meeting.ballots.len(), 1, "80 was asked for, and 78 did not pass");
    let mut rules = table.meeting.rules().clone();
    rules.decision.mean_score = Some(75);
    table.execute(Command::ChangeRules { by: Actor::owner(), rules: Box::new(rules) });
    table.goes_on(|_, _| 90);
    let judged = what_if(&table.meeting, &WhatIf::default()).expect("there are ballots");
    assert_eq!(judged.course, WhatIfCourse::Same, "nothing is otherwise, so nothing would have been");
    for ballot in &judged.ballots {
        assert_eq!(ballot.before, ballot.after, "{ballot:?}");
        assert!(!ballot.turns);
    }
    let needed: Vec<_> = judged.ballots.iter().map(|ballot| ballot.rules.mean_score).collect();
    assert_eq!(needed, [Some(80), Some(75)]);
    assert_eq!(judged.rules_before.mean_score, Some(75));
    assert!(judged.notes.iter().any(|note| note.contains("rules were changed")), "{:?}", judged.notes);
    let without = what_if(&table.meeting, &WhatIf { without: vec![ParticipantId(1)], ..WhatIf::default() });
    assert!(!without.expect("it can be judged").ballots[0].turns, "78 does not reach 80 without her either");
}

#[test]
fn a_decision_record_has_the_status_that_the_meeting_came_to() {
    let mut rules = consensus(3);
    rules.closing.artifacts = vec![ArtifactKind::Adr];
    let mut table = Transaction::started(spec(&NAMES, rules));
    table.goes_until(
        |_, _| 95,
        |table| table.calls().iter().any(|call| matches!(call.id, TaskId::Artifact(ArtifactKind::Adr, _))),
    );
    let draft = table.meeting.draft().expect("it was accepted").text.clone();
    let task =
        context(&table.meeting, &table.facilitator_call()).messages.last().map(|one| one.content.clone());
    assert!(task.is_some_and(|task| task.contains(r#""status": "accepted""#)));
    let line = |text: &str| serde_json::json!({ "text": text, "sources": ["m1"], "quote": null });
    let adr = serde_json::json!({
        "title": "t", "status": "proposed", "context": "c", "decision": line("Something else"),
        "options": [{ "name": "o", "pros": [], "cons": [], "sources": ["m1"] }],
        "consequences": [line("it follows")],
    });
    table.facilitator_answers(&adr.to_string());
    let content = &table.meeting.artifact(ArtifactKind::Adr).expect("it is written").content;
    assert_eq!((&content["status"], &content["decision"]["text"]), (&"accepted".into(), &draft.into()));
}
