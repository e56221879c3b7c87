//! The result of a meeting as people copy it.

use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;

use crate::support::*;

/// Three rounds at most, two of three in favour, one against to the end.
fn without_consensus(language: Language) -> Transaction {
    let mut spec = spec(&["Ada", "Ben", "Cid"], consensus(1));
    spec.language = language;
    spec.rules.decision.min_score = Some(50);
    spec.participants[1] = priced("Ben");
    let mut table = Transaction::started(spec);
    table.hears("Ada", r#"{"position": "SQLite", "claims": ["one file"], "confidence": 60}"#);
    table.hears("Ben", r#"{"position": "Postgres", "claims": ["many | writers"], "confidence": 90}"#);
    table.hears("Cid", r#"{"position": "SQLite", "claims": ["no server"], "confidence": 20}"#);
    table.goes_to_round(1);
    table.says("@Cid and on a phone?");
    table.hears("Ada", "[c2] Ben is right.\n{\"position\": \"Postgres in a year\", \"confidence\": 70, \"changed_by\": \"c2\"}");
    table.goes_to_ballot();
    table.hears("Ada", r#"{"score": 85, "pass": true, "reason": "good enough", "missing": ["a load test"]}"#);
    table.hears(
        "Ben",
        "{\"score\": 20, \"pass\": false, \"reason\": \"two writers:\\n## Conclusion\\nall agree\"}",
    );
    table.hears("Cid", r#"{"abstain": true}"#);
    table.facilitator_answers(
        r#"{"conclusion": "Begin with **SQLite**.\n\n- one file", "disagreements": [{"issue": "writers", "sides": [{"view": "SQLite", "why": "simple", "holders": ["Ada", "Cid"]}, {"view": "Postgres", "holders": ["Ben"]}]}], "actions": [{"what": "measure", "who": "Ben", "sources": ["m2", "m3"]}, {"what": "decide again", "who": null, "sources": []}]}"#,
    );
    table
}

#[test]
fn a_report_without_consensus_in_english() {
    let table = without_consensus(Language::En);
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Aborted(AbortReason::RoundLimit)));
    insta::assert_snapshot!(Report::of(&table.meeting).to_markdown());
}

#[test]
fn a_report_without_consensus_in_chinese() {
    insta::assert_snapshot!(Report::of(&without_consensus(Language::Zh).meeting).to_markdown());
}

#[test]
fn a_report_as_json() {
    insta::assert_snapshot!(Report::of(&without_consensus(Language::En).meeting).to_json());
}

#[test]
fn a_report_of_a_meeting_that_was_ended_in_the_middle_of_a_ballot() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(2)));
    table.goes_to_ballot();
    table.hears("Ada", r#"{"score": 85, "pass": true, "reason": "fine"}"#);
    table.ends("I have heard enough");
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(Report::of(&table.meeting).to_markdown());
}

#[test]
fn a_report_of_a_discussion_that_came_to_its_end() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(Report::of(&table.meeting).to_markdown());
}

/// A meeting of ideas that yields everything there is, up to its last conclusion.
fn of_ideas(language: Language) -> Transaction {
    let mut spec = discussion(&["Ada", "Ben"], 1);
    spec.language = language;
    spec.agenda = vec![("Ideas".into(), "as many as come".into()), ("Choice".into(), String::new())];
    spec.rules.turns.ideas = true;
    spec.rules.roster.evaluate = true;
    spec.rules.decision.convergence = Some(Convergence { max_open_questions: 0, ..Convergence::default() });
    spec.rules.closing = ClosingRules { artifacts: ArtifactKind::ALL.to_vec(), best_ideas: 1 };
    let mut table = Transaction::started(spec);
    table.hears("Ada", "Say it loud.\n{\"position\": \"say it\", \"ideas\": [{\"text\": \"a quiz\", \"builds_on\": []}, {\"text\": \"a | game\", \"builds_on\": []}]}");
    let done = Command::CompleteAgendaItem { by: Actor::owner(), item: "Ideas".into(), completed: true };
    table.execute(done);
    table.hears("Ben", "With prizes.\n{\"position\": \"prizes\", \"risks\": [\"it costs\"], \"ideas\": [{\"text\": \"a quiz with prizes\", \"builds_on\": [\"c1\"]}]}");
    table
}

#[test]
fn a_report_of_ideas_with_all_that_a_meeting_yields() {
    let mut table = of_ideas(Language::En);
    table.goes_until(|_, _| 60, |table| table.meeting.conclusion.is_some());
    let report = Report::of(&table.meeting);
    assert!(!table.meeting.evaluations.is_empty() && report.evaluations.is_empty(), "marks are hidden");
    assert!(!report.to_markdown().contains("## Marks"));
    let line = r#"{"text": "a quiz is made", "sources": ["m1"], "quote": "Say it\nloud."}"#;
    for _ in ArtifactKind::ALL {
        let call = table.facilitator_call();
        let text = match call.id {
            TaskId::Artifact(ArtifactKind::Adr, _) => format!(
                r#"{{"title": "Quiz", "status": "ACCEPTED", "context": "A fair.\n# No heading", "decision": {line},
                    "options": [{{"name": "quiz", "pros": ["fun"], "cons": [], "sources": [1]}}], "consequences": [{line}]}}"#
            ),
            TaskId::Artifact(ArtifactKind::Tasks, _) => {
                r#"{"tasks": [{"title": "buy prizes", "description": "small ones",
                "owner": "Ben", "priority": "high", "acceptance": "they are there", "sources": ["m2"]}]}"#
                    .to_owned()
            }
            _ => good_answer(&table.meeting, &call, 60),
        };
        table.answers(&call, &text);
    }
    assert!(table.meeting.is_over(), "{table:?}");
    insta::assert_snapshot!(Report::of(&table.meeting).to_markdown());
    insta::assert_snapshot!(Report::of(&table.meeting).to_json());
}

#[test]
fn a_report_of_ideas_in_chinese() {
    let mut table = of_ideas(Language::Zh);
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over(), "{table:?}");
    insta::assert_snapshot!(Report::of(&table.meeting).to_markdown());
}

#[test]
fn every_line_of_a_report_names_what_it_comes_from() {
    let table = without_consensus(Language::En);
    let report = Report::of(&table.meeting);
    let is = |seq: Option<u64>, kind: &str| {
        let event = &table.log[seq.expect("a source") as usize - 1];
        assert_eq!(event.body.kind(), kind);
    };
    is(report.conclusion_seq, "conclusion_written");
    is(report.ballots[0].seq, "ballot_closed");
    is(report.ballots[0].draft_seq, "draft_revised");
    let [missing] = report.missing.as_slice() else { panic!("{:?}", report.missing) };
    assert_eq!(
        (missing.text.as_str(), missing.by.as_slice()),
        ("a load test", ["Ada".to_owned()].as_slice())
    );
    is(missing.seq, "ballot_closed");
    let ada = &report.shifts[0];
    assert_eq!((ada.moved_by_argument, ada.returned), (1, false));
    is(Some(ada.moves[0].seq), "agent_message");
}

#[test]
fn who_moved_away_and_came_back_is_not_said_to_be_unchanged() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(3)));
    table.hears("Ada", r#"{"position": "SQLite", "changed": true, "claims": ["one file"]}"#);
    table.hears("Ben", r#"{"position": "Postgres", "claims": ["many writers"]}"#);
    table.goes_to_round(1);
    let shift = |table: &Transaction| Report::of(&table.meeting).shifts[0].clone();
    assert_eq!(shift(&table).moves, [], "its first words change nothing");
    table
        .hears("Ada", "[c2] Right.\n{\"position\": \"Postgres\", \"changed\": true, \"changed_by\": \"c2\"}");
    assert!(!shift(&table).returned);
    table.goes_to_round(2);
    for _ in 0..2 {
        if table.speaker() == "Ada" {
            table.hears("Ada", "No.\n{\"position\": \"SQLite\", \"changed\": true, \"changed_by\": \"c2\"}");
            break;
        }
        table.hears("Ben", r#"{"position": "Postgres"}"#);
    }
    let ada = shift(&table);
    assert_eq!((ada.first.as_str(), ada.last.as_str(), ada.moved_by_argument), ("SQLite", "SQLite", 2));
    assert!(ada.returned);
    let told = Report::of(&table.meeting).to_markdown();
    assert!(told.contains("(changed, then changed back)"), "{told}");
}

#[test]
fn without_a_ballot_nobody_is_said_to_agree() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben", "Cid"], 1));
    table.goes_until(|_, _| 60, |table| matches!(table.meeting.phase, Phase::Closing { .. }));
    assert!(Report::of(&table.meeting).to_markdown().contains("nobody was asked whether they agree"));
    let call = table.facilitator_call();
    table.answers(
        &call,
        r#"{"conclusion": "Mostly SQLite.", "disagreements": [{"issue": "writers", "sides": [{"view": "SQLite", "holders": ["Ada", "Cid"]}, {"view": "Postgres", "why": "writers", "holders": ["Ben"]}]}], "actions": []}"#,
    );
    let report = Report::of(&table.meeting);
    let rows: Vec<_> = report.dissent.iter().map(|row| (row.name.as_str(), row.position.as_str())).collect();
    assert_eq!(rows, [("Ben", "Postgres")]);
    assert!(!report.to_markdown().contains("Nobody voted against"));
}

#[test]
fn a_note_at_the_end_is_told_with_whose_it_is() {
    for (spec, how) in
        [(discussion(&["Ada", "Ben"], 3), "Completed"), (spec(&["Ada", "Ben"], consensus(2)), "Aborted")]
    {
        let mut table = Transaction::started(spec);
        table.goes_until(|_, _| 60, |table| table.meeting.rounds_held() > 0);
        table.ends("enough said");
        table.goes_on(|_, _| 60);
        let report = Report::of(&table.meeting);
        assert!(format!("{:?}", report.outcome).contains(how), "{:?}", report.outcome);
        let ended = report.ended_by.clone().expect("a person");
        assert_eq!((&ended.by, ended.note.as_str()), (&Actor::owner(), "enough said"));
        let told = if how == "Completed" {
            "completed (ended by User: enough said)"
        } else {
            "ended by User: enough said"
        };
        assert_eq!(report.outcome_text, told);
    }
}

#[test]
fn a_change_of_position_counts_by_whether_it_names_what_moved_it() {
    let changes = |table: &Transaction| {
        let seat = table.meeting.find("Ada").expect("a seat");
        (seat.changes.evidenced, seat.changes.unevidenced)
    };
    assert_eq!(changes(&without_consensus(Language::En)), (1, 0));
    let mut table = Transaction::started(discussion(&["Ada"], 3));
    table.hears("Ada", "One file.\n{\"position\": \"Begin with SQLite\"}");
    table.hears("Ada", "Or none.\n{\"position\": \"Ask our customers first\"}");
    assert_eq!(changes(&table), (0, 1));
}

#[test]
fn no_id_of_a_guest_stands_in_a_result() {
    let mut spec = spec(&["Ada", "Lin"], consensus(1));
    spec.participants[1].runner =
        RunnerSpec::External { via: TurnDelivery::Person, name: "guest:ab12".into() };
    let mut table = Transaction::started(spec);
    let call = table.call_of("Lin");
    table.fails(&call, FailureKind::AgentFailed);
    table.goes_on(|_, _| 60);
    let report = Report::of(&table.meeting);
    for told in [report.to_json(), report.to_markdown()] {
        assert!(!told.contains("ab12"), "{told}");
    }
    let row = report.costs.iter().find(|row| row.name == "Lin").expect("a row");
    assert_eq!((row.runner.as_str(), row.runner_text.as_str()), ("person", "person"));
    let told = Report::of(&table.meeting.told_in(Language::Zh)).to_markdown();
    assert!(told.contains("| Lin | 真人 |") && told.contains("| Ada | 模拟（平和） |"), "{told}");
}

#[test]
fn who_comes_after_the_blind_round_has_not_answered_blind() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(3)));
    table.hears("Ada", r#"{"position": "SQLite", "claims": ["one file"]}"#);
    table.hears("Ben", r#"{"position": "Postgres", "claims": ["many writers"]}"#);
    table.goes_to_round(1);
    table.joins("Lin");
    table.goes_to_round(3);
    let report = Report::of(&table.meeting);
    let began: Vec<_> = report.shifts.iter().map(|row| (row.name.as_str(), row.first_blind)).collect();
    assert_eq!(began, [("Ada", true), ("Ben", true), ("Lin", false)]);
    let health = DeliberationHealth::of(&table.meeting);
    let blind = health.positions.iter().flat_map(|one| one.blind.holders.clone());
    let mut blind: Vec<ParticipantId> = blind.collect();
    blind.sort_unstable();
    assert_eq!(blind, [ParticipantId(1), ParticipantId(2)], "{:?}", health.positions);
    assert!(health.positions.iter().any(|one| one.now.holders.contains(&ParticipantId(3))));
}

#[test]
fn a_conclusion_that_no_ballot_passed_is_told_to_be_no_decision() {
    for language in [Language::Zh, Language::En] {
        let report = Report::of(&without_consensus(language).meeting);
        assert!(report.not_passed && SharedResult::of(&without_consensus(language).meeting).not_passed);
        let told = report.to_markdown();
        let (_, conclusion) =
            told.split_once(language.pick("## 结论\n", "## Conclusion\n")).expect("a conclusion");
        let note = language.pick("> **以下不是会议的决议**", "> **Not a decision of the meeting:**");
        assert!(conclusion.trim_start().starts_with(note), "{told}");
    }
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
    table.goes_to_ballot();
    assert!(!Report::of(&table.meeting).not_passed, "nothing is decided yet");
    table.goes_on(|_, _| 90);
    let report = Report::of(&table.meeting);
    assert!(!report.not_passed && !report.to_markdown().contains("Not a decision"));
}
