//! Minutes and artifacts: requested, written, edited, and their failures.

use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;
use serde_json::json;

use crate::support::*;

fn wants_minutes(writer: Option<&str>) -> Command {
    Command::WriteMinutes { by: Actor::owner(), writer: writer.map(str::to_owned), note: String::new() }
}

fn wants(kind: ArtifactKind) -> Command {
    Command::WriteArtifact { by: Actor::owner(), kind }
}

fn edit(based_on: Option<u32>, content: &str) -> Command {
    let minutes = Minutes { content: content.into(), ..Minutes::default() };
    Command::EditMinutes { by: Actor::owner(), based_on, minutes: Box::new(minutes) }
}

/// A meeting that has to yield these before it is finished.
fn yielding(names: &[&str], rounds: u32, artifacts: &[ArtifactKind]) -> MeetingSpec {
    let mut spec = discussion(names, rounds);
    spec.rules.closing.artifacts = artifacts.to_vec();
    spec
}

fn is_record(call: &Call) -> bool {
    matches!(call.id, TaskId::Minutes(_) | TaskId::Artifact(..))
}

/// The call for minutes or an artifact that is owed.
fn record_call(table: &Transaction) -> Call {
    table.calls().into_iter().find(is_record).expect("minutes or an artifact are asked for")
}

/// Goes on until minutes or an artifact are wanted at the end.
fn goes_to_the_gate(table: &mut Transaction) {
    table.goes_until(
        |_, _| 60,
        |table| matches!(table.meeting.phase, Phase::Closing { .. }) && table.calls().iter().any(is_record),
    );
}

fn answers(table: &mut Transaction, text: &str) {
    let call = record_call(table);
    table.answers(&call, text);
}

fn pause_reason(table: &Transaction) -> Option<PauseReason> {
    match &table.meeting.run_state {
        RunState::Paused { reason, .. } => Some(*reason),
        RunState::Running | RunState::PauseRequested { .. } => None,
    }
}

fn goes_on_with(table: &mut Transaction, gate: &str) {
    table.execute(Command::Resume {
        by: Actor::owner(),
        token: None,
        answers: [("gate".to_owned(), json!(gate))].into(),
        take_defaults: false,
    });
}

fn errors(table: &Transaction) -> usize {
    table.log.iter().filter(|event| matches!(event.body, EventBody::Error { .. })).count()
}

#[test]
fn minutes_are_written_edited_and_brought_up_to_date() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    table.hears("Ada", "One file is easy to keep.");
    table.execute(wants_minutes(None));
    answers(
        &mut table,
        r#"{"content": "- Ada: one file", "summary": "SQLite", "decisions": [], "actions": [],
            "risks": [{"text": "it may grow", "who": "", "sources": ["[M1]"], "quote": "easy to  keep"}]}"#,
    );
    table.execute(edit(Some(1), "- Ada: one file is easy to keep"));
    table.hears("Ben", "Until two writers meet.");
    table.execute(wants_minutes(Some("Ben")));
    answers(&mut table, r#"{"content": "- Ada: one file\n- Ben: two writers", "summary": "open"}"#);
    let told: Vec<_> = table
        .meeting
        .minutes
        .iter()
        .map(|one| format!("{} by {:?}, {} messages: {:?}", one.version, one.author, one.covers, one.minutes))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
    let [first, second, third] = table.meeting.minutes.as_slice() else { panic!("three versions are kept") };
    assert_eq!(table.meeting.current_minutes(), Some(third.as_ref()));
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&[
            compare_minutes(&first.minutes, &second.minutes),
            compare_minutes(&second.minutes, &third.minutes),
            compare_minutes(&third.minutes, &third.minutes),
        ])
        .expect("changes are plain")
    );
}

#[test]
fn minutes_of_a_parallel_round_cover_what_everybody_can_read() {
    let mut spec = discussion(&["Ada", "Ben", "Cid"], 2);
    spec.rules.turns.mode = TurnMode::ParallelRound;
    spec.facilitator = None;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "first words of Ada");
    assert_eq!(table.is_refused(wants_minutes(None)), Refusal::NothingToRecord);
    table.hears("Ben", "first words of Ben");
    table.hears("Cid", "first words of Cid");
    table.hears("Ada", "{\"position\": \"hidden\"} what nobody may read yet");
    table.execute(wants_minutes(None));
    let minutes = table.meeting.current_minutes().expect("the rules write at once");
    assert_eq!((minutes.covers, minutes.author.clone()), (3, Actor::System));
    assert!(!minutes.minutes.content.contains("nobody may read"), "{:?}", minutes.minutes);
    assert!(minutes.minutes.summary.contains("Ada: first words"), "{:?}", minutes.minutes);
    table.execute(wants(ArtifactKind::Summary));
    let page = &table.meeting.artifact(ArtifactKind::Summary).expect("the rules write at once").content;
    assert!(!page.to_string().contains("nobody may read"), "{page}");
}

#[test]
fn a_line_that_names_a_message_nobody_can_read_yet_does_not_pass() {
    let mut spec = discussion(&["Ada", "Ben"], 2);
    spec.rules.turns.mode = TurnMode::ParallelRound;
    let mut table = Transaction::started(spec);
    table.goes_to_round(2);
    table.hears("Ada", "what nobody may read yet");
    table.execute(wants_minutes(None));
    answers(&mut table, r#"{"content": "x", "risks": [{"text": "grows", "sources": ["m3"]}]}"#);
    assert!(table.meeting.repair(TaskId::Minutes(1)).is_some());
}

#[test]
fn what_is_asked_for_in_a_pause_is_written_in_the_pause() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    table.hears("Ada", "One file is easy to keep.");
    table.pauses_at_once();
    table.execute(wants_minutes(Some("Ben")));
    table.execute(wants(ArtifactKind::Risks));
    let asked: Vec<_> = table.calls().iter().map(|call| call.id.to_string()).collect();
    assert_eq!(asked, ["minutes:v1", "artifact:RISKS:v1"]);
    answers(&mut table, r#"{"content": "- Ada: one file"}"#);
    answers(&mut table, r#"{"risks": []}"#);
    assert!(table.meeting.is_paused());
    assert_eq!(table.meeting.minutes.len(), 1);
    assert_eq!(table.meeting.artifacts.len(), 1);
    table.resumes();
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over());
}

#[test]
fn a_writer_that_leaves_or_fails_holds_nothing_up() {
    let mut table = Transaction::started(yielding(&["Ada", "Ben", "Cid"], 1, &[ArtifactKind::Minutes]));
    table.hears("Ada", "One file is easy to keep.");
    table.execute(wants_minutes(Some("Ben")));
    table.leaves("Ben");
    let minutes = table.meeting.current_minutes().expect("the rules stand in");
    assert_eq!((minutes.version, minutes.author.clone()), (1, Actor::System));
    // The failure is an event, and the request is dropped; the next one is a new version.
    table.execute(wants_minutes(Some("Cid")));
    let call = record_call(&table);
    table.fails(&call, FailureKind::Network);
    assert_eq!(errors(&table), 1);
    assert!(table.meeting.minutes_requests.is_empty());
    table.execute(wants_minutes(Some("Cid")));
    // Near the end, what the meeting has to yield is not given up in silence.
    table.says("Think of backups, too.");
    table.ends("");
    assert!(table.calls().iter().any(is_record), "what was asked for is asked for again at the end");
    let call = record_call(&table);
    table.fails(&call, FailureKind::Network);
    while let Some(call) = table.calls().into_iter().next() {
        table.answers_well(&call, 60);
    }
    assert_eq!(pause_reason(&table), Some(PauseReason::GateFailed), "{table:?}");
    goes_on_with(&mut table, "by_rules");
    assert!(table.meeting.is_over(), "{table:?}");
    assert_eq!(table.meeting.current_minutes().map(|one| one.author.clone()), Some(Actor::System));
}

#[test]
fn who_is_offline_is_not_asked_for_minutes() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    table.hears("Ada", "One file is easy to keep.");
    let offline = |participant: &str| Command::SetPresence {
        by: Actor::owner(),
        participant: participant.into(),
        presence: Presence::Offline,
    };
    table.execute(wants_minutes(Some("Ada")));
    table.execute(offline("Ada"));
    assert_eq!(table.meeting.current_minutes().map(|one| one.author.clone()), Some(Actor::System));
    let refusal = table.is_refused(wants_minutes(Some("Ada")));
    assert!(refusal.to_string().contains("offline"), "{refusal}");
}

#[test]
fn a_record_that_does_not_hold_twice_is_told_and_not_finished_with() {
    let unfounded = r#"{"risks": [{"risk": "it grows", "likelihood": "low", "impact": "high",
        "mitigation": "", "owner": null, "sources": ["m99"]}]}"#;
    let mut table = Transaction::started(yielding(&["Ada", "Ben"], 1, &[ArtifactKind::Risks]));
    table.hears("Ada", "One file is easy to keep.");
    // In the middle of the meeting: an error, and the request is dropped.
    table.execute(wants(ArtifactKind::Risks));
    answers(&mut table, unfounded);
    answers(&mut table, unfounded);
    assert_eq!(errors(&table), 1);
    assert!(table.meeting.artifact_requests.is_empty() && table.meeting.artifacts.is_empty());
    // At the end: asked for anew, repaired once, and then the meeting rests.
    goes_to_the_gate(&mut table);
    answers(&mut table, unfounded);
    answers(&mut table, unfounded);
    assert_eq!(pause_reason(&table), Some(PauseReason::GateFailed));
    goes_on_with(&mut table, "retry");
    answers(
        &mut table,
        r#"{"risks": [{"risk": "it grows", "likelihood": "Low", "impact": "高",
        "mitigation": "", "owner": "", "sources": "m1, [M2]"}]}"#,
    );
    assert!(table.meeting.is_over());
    insta::assert_snapshot!(table.transcript());
    insta::assert_snapshot!(table.meeting.artifacts[0].content.to_string());
}

#[test]
fn the_gate_lets_the_rules_write_when_a_person_says_so() {
    let kinds = [ArtifactKind::Adr, ArtifactKind::Tasks, ArtifactKind::Risks, ArtifactKind::Summary];
    let mut table = Transaction::started(yielding(&["Ada", "Ben"], 1, &kinds));
    table.goes_until(|_, _| 60, |table| table.calls().iter().any(is_record));
    for _ in kinds {
        answers(&mut table, "no");
        answers(&mut table, "no");
        assert_eq!(pause_reason(&table), Some(PauseReason::GateFailed));
        goes_on_with(&mut table, "by_rules");
    }
    assert!(table.meeting.is_over());
    assert!(table.meeting.artifacts.iter().all(|one| one.author == Actor::System));
    insta::assert_snapshot!(Report::of(&table.meeting).to_markdown());
}

#[test]
fn one_answer_or_one_end_is_enough_for_all_records_that_are_missing() {
    let kinds = [ArtifactKind::Adr, ArtifactKind::Tasks, ArtifactKind::Minutes];
    for ends in [false, true] {
        let mut table = Transaction::started(yielding(&["Ada", "Ben"], 1, &kinds));
        table.goes_until(|_, _| 60, |table| table.calls().iter().any(is_record));
        answers(&mut table, "no");
        answers(&mut table, "no");
        let RunState::Paused { reason: PauseReason::GateFailed, questions, .. } =
            table.meeting.run_state.clone()
        else {
            panic!("{table:?}")
        };
        let asked = questions[0].ask.in_language(Language::En).into_owned();
        assert!(asked.contains("ADR") && asked.contains("TASKS") && asked.contains("MINUTES"), "{asked}");
        match ends {
            true => table.ends("enough"),
            false => goes_on_with(&mut table, "all_by_rules"),
        }
        assert!(table.meeting.is_over(), "{table:?}");
        assert!(table.meeting.artifacts.iter().all(|one| one.author == Actor::System));
        assert!(table.meeting.current_minutes().is_some_and(|minutes| minutes.author == Actor::System));
    }
}

#[test]
fn a_meeting_that_waits_at_the_gate_can_be_ended() {
    let mut table = Transaction::started(yielding(&["Ada", "Ben"], 1, &[ArtifactKind::Risks]));
    table.goes_until(|_, _| 60, |table| table.calls().iter().any(is_record));
    answers(&mut table, "no");
    answers(&mut table, "no");
    assert_eq!(pause_reason(&table), Some(PauseReason::GateFailed));
    table.ends("enough");
    assert!(table.meeting.is_over(), "{table:?}");
    assert!(table.meeting.artifacts.iter().all(|one| one.author == Actor::System));
}

#[test]
fn without_a_facilitator_the_rules_write_what_the_end_needs() {
    let spec = yielding(&["Ada", "Ben"], 1, &ArtifactKind::ALL);
    let mut table = Transaction::started(MeetingSpec { facilitator: None, language: Language::Zh, ..spec });
    table.hears("Ada", "先用 SQLite。\n{\"position\": \"先用 SQLite\", \"risks\": [\"数据会变大\"], \"open_questions\": [\"多少人写？\"]}");
    table.hears("Ben", "用 Postgres。\n{\"position\": \"用 Postgres\", \"claims\": [\"并发写更稳\"]}");
    assert!(table.meeting.is_over());
    assert!(!table.meeting.is_paused());
    insta::assert_snapshot!(Report::of(&table.meeting).to_markdown());
}

#[test]
fn a_budget_that_is_spent_leaves_it_to_the_rules() {
    let mut spec = discussion(&["Ada", "Ben"], 9);
    spec.rules.limits.tokens = Some(30_000);
    spec.rules.limits.when_reached = BudgetAction::Pause;
    let mut table = Transaction::started(spec);
    while let Some(call) = table.calls().into_iter().next() {
        let text = good_answer(&table.meeting, &call, 60);
        let Command::Deliver(mut delivery) =
            interpret(&table.meeting, &call, Outcome::Answered(answer(&text)))
        else {
            unreachable!("an outcome is always a delivery")
        };
        // The usage is unknown, so it counts as the reserve.
        delivery.usage = None;
        table.execute(Command::Deliver(delivery));
    }
    assert!(table.meeting.is_paused(), "{table:?}");
    let mut lower = table.meeting.rules().clone();
    lower.limits.tokens = Some(table.meeting.spent.usage.total().max(1));
    table.execute(Command::ChangeRules { rules: Box::new(lower), by: Actor::owner() });
    table.execute(wants(ArtifactKind::Tasks));
    let artifact = table.meeting.artifact(ArtifactKind::Tasks).expect("it is written at once");
    assert_eq!((artifact.author.clone(), errors(&table)), (Actor::System, 1), "{table:?}");
    assert!(table.meeting.is_paused() && table.meeting.artifact_requests.is_empty());
}

#[test]
fn out_of_time_everything_that_is_owed_is_written_by_the_rules() {
    let mut spec = yielding(&["Ada", "Ben"], 3, &[ArtifactKind::Minutes, ArtifactKind::Risks]);
    spec.rules.limits.wall_ms = Some(60_000);
    let mut table = Transaction::started(spec);
    table.hears("Ada", "One file is easy to keep.");
    table.execute(wants(ArtifactKind::Summary));
    table.waits_ms(60_000);
    assert!(table.meeting.is_over());
    let written: Vec<_> = table.meeting.artifacts.iter().map(|one| (one.kind, one.author.clone())).collect();
    assert_eq!(written, [(ArtifactKind::Summary, Actor::System), (ArtifactKind::Risks, Actor::System)]);
    assert_eq!(table.meeting.current_minutes().map(|one| one.covers), Some(1));
}

#[test]
fn a_record_that_the_budget_has_no_room_for_is_written_by_the_rules_and_nobody_is_asked() {
    let mut by_rules = 0;
    for tokens in (6_000..30_000).step_by(1_500) {
        let mut spec = yielding(&["Ada"], 1, &[ArtifactKind::Tasks]);
        (spec.rules.limits.tokens, spec.rules.limits.when_reached) = (Some(tokens), BudgetAction::End);
        let mut table = Transaction::started(spec);
        while let Some(call) = table.calls().into_iter().next() {
            let outcome = Outcome::Answered(answer(&good_answer(&table.meeting, &call, 60)));
            let Command::Deliver(mut delivery) = interpret(&table.meeting, &call, outcome) else {
                unreachable!("an outcome is always a delivery")
            };
            delivery.usage = None; // as dear as it can be
            table.execute(Command::Deliver(delivery));
        }
        assert!(table.meeting.is_over(), "with {tokens} tokens\n{table:?}");
        let tasks = table.meeting.artifact(ArtifactKind::Tasks).expect("it is written");
        by_rules += usize::from(tasks.author == Actor::System && !table.meeting.said.is_empty());
    }
    assert!(by_rules > 0, "no budget ended before it");
}

#[test]
fn an_end_in_the_middle_of_a_hidden_round_comes_to_an_end() {
    let mut spec = yielding(&["Ada", "Ben"], 1, &[ArtifactKind::Minutes]);
    spec.rules.turns.mode = TurnMode::ParallelRound;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "One file is easy to keep.");
    table.ends("enough");
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over());
    assert_eq!(table.meeting.minutes.len(), 1);
}

#[test]
fn an_artifact_that_does_not_know_the_last_words_is_drawn_again_at_the_end() {
    let mut table = Transaction::started(yielding(&["Ada", "Ben"], 1, &[ArtifactKind::Risks]));
    table.hears("Ada", "One file is easy to keep.");
    table.execute(wants(ArtifactKind::Risks));
    let call = record_call(&table);
    // Ben speaks while it is being drawn.
    let speaks = table.call_of("Ben");
    table.pauses();
    table.answers(&speaks, "Until two writers meet.");
    table.answers(&call, r#"{"risks": []}"#);
    assert_eq!(table.meeting.artifacts[0].covers, 1);
    table.resumes();
    table.goes_on(|_, _| 60);
    let covers: Vec<_> = table.meeting.artifacts.iter().map(|one| one.covers).collect();
    assert_eq!(covers, [1, 2]);
}

#[test]
fn a_crash_asks_for_the_minutes_again() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    table.hears("Ada", "One file is easy to keep.");
    table.execute(wants_minutes(Some("Ben")));
    let before = record_call(&table).attempt;
    table.recovers();
    let call = record_call(&table);
    assert_eq!(call.attempt, before + 1);
    table.answers_well(&call, 60);
    assert_eq!(table.meeting.minutes.len(), 1);
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over());
}

#[test]
fn a_fork_after_any_event_writes_what_was_asked_for() {
    let mut table = Transaction::started(yielding(&["Ada", "Ben"], 1, &[ArtifactKind::Tasks]));
    table.hears("Ada", "One file is easy to keep.");
    let from = table.log.len();
    table.execute(wants_minutes(Some("Ben")));
    table.execute(wants(ArtifactKind::Risks));
    while let Some(call) = table.calls().into_iter().next() {
        table.answers_well(&call, 60);
    }
    assert!(table.meeting.is_over());
    for end in from + 1..table.log.len() {
        let mut fork = Transaction::blank();
        fork.now = table.now;
        for event in &table.log[..end] {
            apply(&mut fork.meeting, event);
            fork.log.push(event.clone());
        }
        fork.execute(forks("meeting"));
        assert!(fork.calls().is_empty(), "a fork asks nobody");
        fork.resumes();
        while let Some(call) = fork.calls().into_iter().next() {
            fork.answers_well(&call, 60);
        }
        assert!(fork.meeting.is_over(), "a fork after {:?} stands still", table.log[end - 1].body);
        assert!(fork.meeting.artifact(ArtifactKind::Tasks).is_some());
        if end >= from + 2 {
            assert!(!fork.meeting.minutes.is_empty(), "after {:?}", table.log[end - 1].body);
        }
    }
}

#[test]
fn what_cannot_be_asked_for_is_refused_with_a_way_on() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    for command in [wants_minutes(None), wants(ArtifactKind::Adr), wants(ArtifactKind::Minutes)] {
        assert_eq!(table.is_refused(command), Refusal::NothingToRecord);
    }
    table.hears("Ada", "One file is easy to keep.");
    assert!(matches!(table.is_refused(wants_minutes(Some("Eve"))), Refusal::NoSuchParticipant { .. }));
    table.execute(wants_minutes(None));
    let twice = Refusal::AlreadyRequested { artifact: None };
    assert_eq!(table.is_refused(wants_minutes(Some("Ben"))), twice);
    assert_eq!(table.is_refused(wants(ArtifactKind::Minutes)), twice);
    assert_eq!(table.is_refused(edit(None, "mine")), twice, "it would be written over unseen");
    answers(&mut table, r#"{"content": "- Ada"}"#);
    table.execute(wants(ArtifactKind::Adr));
    let twice = Refusal::AlreadyRequested { artifact: Some(ArtifactKind::Adr) };
    assert_eq!(table.is_refused(wants(ArtifactKind::Adr)), twice);
    for empty in ["", " \n\u{7}"] {
        let Refusal::Invalid { field, .. } = table.is_refused(edit(Some(1), empty)) else {
            panic!("refused for another reason")
        };
        assert_eq!(field, "minutes.content");
    }
    table.execute(edit(Some(1), "mine"));
    let outdated = Refusal::MinutesOutdated { based_on: 1, current: Some(2) };
    assert_eq!(table.is_refused(edit(Some(1), "theirs")), outdated);
    assert!(outdated.hint().english().contains('2'));
    for item in ["a9", "Backups"] {
        let by = || Actor::owner();
        let refusal = table.is_refused(Command::RemoveAgendaItem { by: by(), item: item.into() });
        assert!(matches!(refusal, Refusal::NoSuchAgendaItem { .. }), "{refusal}");
        let done = Command::CompleteAgendaItem { by: by(), item: item.into(), completed: true };
        assert_eq!(table.is_refused(done).hint().english(), "the agenda is empty");
    }
    let quote = MinutesItem { text: "x".into(), quote: Some("never said".into()), ..MinutesItem::default() };
    let minutes = Minutes { content: "x".into(), risks: vec![quote], ..Minutes::default() };
    let Refusal::Invalid { field, .. } = table.is_refused(Command::EditMinutes {
        by: Actor::owner(),
        based_on: None,
        minutes: Box::new(minutes),
    }) else {
        panic!("refused for another reason")
    };
    assert_eq!(field, "minutes.risks[0]");
}

#[test]
fn what_does_not_hold_is_said_by_field() {
    let line = |sources: &str, quote: &str| {
        format!(
            r#"{{"summary": "s", "key_points": [{{"text": "t", "sources": {sources}, "quote": {quote}}}], "open_questions": []}}"#
        )
    };
    let answers = [
        line(r#"["m1"]"#, r#""One FILE""#),
        line("[]", "null"),
        line(r#"["m0"]"#, "null"),
        line(r#"["c1"]"#, "null"),
        line(r#"["m7"]"#, "null"),
        r#"{"summary": "s", "key_points": [], "open_questions": []}"#.to_owned(),
        r#"{"summary": " ", "key_points": [], "open_questions": []}"#.to_owned(),
        r#"{"summary": "s", "key_points": [{"text": "t", "sources": ["m1"], "quote": null, "who": "x"}], "open_questions": []}"#.to_owned(),
        r#"{"summary": "s", "key_points": ["t"], "open_questions": []}"#.to_owned(),
        r#"{"summary": {}, "open_questions": []}"#.to_owned(),
        r#"{"summary": "s", "open_questions": []}"#.to_owned(),
        "Here it is.".to_owned(),
    ];
    let mut told = String::new();
    for language in [Language::En, Language::Zh] {
        let mut table = Transaction::started(MeetingSpec { language, ..discussion(&["Ada", "Ben"], 1) });
        table.hears("Ada", "One file is easy to keep.");
        table.execute(wants(ArtifactKind::Summary));
        let call = record_call(&table);
        for text in &answers {
            let Command::Deliver(delivery) =
                interpret(&table.meeting, &call, Outcome::Answered(answer(text)))
            else {
                unreachable!("an outcome is always a delivery")
            };
            let Delivered::Malformed { problem, .. } = delivery.what else { panic!("{text} passed") };
            told += &format!("{}\n", problem.in_language(table.meeting.language()));
        }
    }
    insta::assert_snapshot!(told);
}
