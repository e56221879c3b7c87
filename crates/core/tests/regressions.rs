//! Faults that were found, one small meeting each, so that they stay away.

mod support;

use std::sync::Arc;

use quorate_contract::*;
use quorate_core::*;
use support::*;

#[test]
fn a_share_of_many_digits_survives_the_log() {
    let decision = DecisionRules { pass_ratio: Some(0.43342911366268877), ..DecisionRules::default() };
    let table = Transaction::draft(spec(&["Ada"], Rules { decision, ..Rules::default() }));
    assert_eq!(table.replayed().state_hash(), table.meeting.state_hash());
}

#[test]
fn an_answer_of_control_characters_is_no_message() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], Rules::default()));
    let nothing = r#"{"position": "\u0000\u0007", "claims": ["\u0000"]}"#;
    table.hears("Ada", nothing);
    table.hears("Ada", nothing);
    assert!(table.meeting.said.is_empty(), "Ada has said nothing");
    // A command that carries such text itself is refused as well.
    let Call { id: TaskId::Speak(turn), attempt, .. } = table.call_of("Ben") else {
        panic!("Ben has the floor")
    };
    let words = SpokenAnswer { content: "\u{202e}\u{7}".into(), ..SpokenAnswer::default() };
    let what = Delivered::Said(turn, Box::new(words));
    table.execute(Command::Deliver(Box::new(Delivery {
        attempt,
        usage: None,
        latency_ms: 0,
        what,
        web: WebFindings::default(),
        mended: Vec::new(),
        window: None,
        retry_after_ms: None,
        request_id: None,
    })));
    assert!(table.meeting.said.is_empty(), "nor has Ben");
    assert_eq!(table.speakers(), ["Ada", "Ben"], "both are asked once more, for nobody has spoken");
}

#[test]
fn whoever_is_mentioned_between_rounds_begins_the_next() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(3)));
    table.goes_to_ballot();
    table.says("@Cid what would it cost?");
    table.goes_to_round(2);
    assert_eq!(table.speaker(), "Cid");
}

#[test]
fn several_who_are_mentioned_between_rounds_begin_the_next_in_that_order() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(3)));
    table.goes_to_ballot();
    table.says("@Cid and @Ben, what would it cost?");
    table.goes_to_round(2);
    let order = table.meeting.round().map(|round| round.order.clone());
    assert_eq!(order, Some([3, 2, 1].map(ParticipantId).to_vec()));
}

#[test]
fn whoever_is_mentioned_in_a_parallel_round_is_told_so_in_the_next() {
    let mut rules = consensus(2);
    rules.turns.mode = TurnMode::ParallelRound;
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    table.goes_to_round(1);
    table.hears("Ada", "@Ben what would it cost?");
    table.goes_to_round(2);
    let task = |name| table.prompt_of(name).messages.last().expect("there is a task").content.clone();
    assert!(task("Ben").contains("You were mentioned by name"));
    assert!(!task("Ada").contains("You were mentioned by name"));
}

#[test]
fn a_person_can_call_up_whoever_has_the_floor() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    table.says("@Ada and what of backups?");
    table.hears("Ada", "One file. I was asked before I heard of backups.");
    assert_eq!(table.speaker(), "Ada");
}

#[test]
fn a_round_whose_speakers_all_left_gives_way_to_the_next() {
    let mut rules = consensus(2);
    rules.turns.mode = TurnMode::ParallelRound;
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    table.goes_to_round(1);
    table.joins("Cid");
    table.leaves("Ada");
    table.leaves("Ben");
    assert_eq!(table.meeting.run_state, RunState::Running, "nobody who could answer is waited for");
    table.goes_to_round(2);
    assert_eq!(table.speakers(), ["Cid"]);
}

#[test]
fn whoever_stays_is_asked_again_though_another_left() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], Rules::default()));
    table.loses("Ada");
    table.leaves("Ben");
    assert_eq!(table.speakers(), ["Ada"], "one failure is no reason to rest");
}

#[test]
fn nobody_knows_what_others_hold_before_a_parallel_round_is_over() {
    let mut rules = consensus(2);
    rules.turns.mode = TurnMode::ParallelRound;
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    table.goes_to_round(1);
    let position = |table: &Transaction| {
        let brief = table.prompt_of("Ben").brief;
        brief.participants.iter().find(|voice| voice.name == "Ada").and_then(|voice| voice.position.clone())
    };
    assert_eq!(position(&table).as_deref(), Some("Ada would begin with SQLite"));
    table.hears("Ada", "New words.\n{\"position\": \"Ada would rather wait\", \"claims\": []}");
    assert_eq!(position(&table), None, "whoever was slower must not know more");
}

#[test]
fn a_block_for_the_record_is_no_part_of_a_message_whichever_fence_it_stands_in() {
    let fences = ["```json", "```", "~~~json", "~~~", "``` JSON", "````json"];
    for (fence, close) in fences.map(|fence| (fence, &fence[..3])).into_iter().chain([("", "")]) {
        let mut table = Transaction::started(discussion(&["Ada"], 3));
        table.hears("Ada", &format!("One file.\n\n{fence}\n{{\"position\": \"SQLite\"}}\n{close}"));
        assert_eq!(table.meeting.said[0].content, "One file.", "{fence}");
    }
}

#[test]
fn words_after_a_block_for_the_record_are_kept() {
    let mut table = Transaction::started(discussion(&["Ada"], 3));
    let block = r#"{"position": "wait", "confidence": 70}"#;
    table.hears("Ada", &format!("```json\n{block}\n```\nI would wait, for two reasons."));
    table.hears("Ada", &format!("Whoever writes {block} has not read the topic. I have."));
    table.hears("Ada", &format!("I still would.\n{block}\n"));
    let said: Vec<_> = table.meeting.said.iter().map(|said| said.content.as_str()).collect();
    let quoted = format!("Whoever writes {block} has not read the topic. I have.");
    assert_eq!(said, ["I would wait, for two reasons.", &quoted, "I still would."]);
    let first = table.log.iter().find_map(|event| match &event.body {
        EventBody::AgentMessage { stance, .. } => stance.clone(),
        _ => None,
    });
    assert_eq!(first.map(|stance| stance.position).as_deref(), Some("wait"));
}

#[test]
fn a_name_is_what_a_prompt_shows_and_a_message_can_call() {
    for name in ["Ada\u{202e}", "Ada  Lovelace", "Ada\u{feff}", " Ada", "Ada\u{7}"] {
        let create = Command::Create { by: Actor::owner(), spec: Box::new(spec(&[name], Rules::default())) };
        assert!(matches!(Transaction::blank().is_refused(create), Refusal::Invalid { .. }), "{name:?}");
    }
}

#[test]
fn names_that_differ_only_in_case_are_two_people_where_they_are_both_at_the_table() {
    // Today such a name is refused; a log may have been written before.
    let both =
        Command::Create { by: Actor::owner(), spec: Box::new(spec(&["Ada", "ada"], Rules::default())) };
    let draft = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    assert_eq!(decide(&draft, both, Timestamp(0)), Err(Refusal::NameTaken { name: "Ada".into() }));
    let mut table = Transaction::started(spec(&["Ada", "Bea"], Rules::default()));
    Arc::make_mut(&mut table.meeting.seats[1]).participant.name = "ada".into();
    table.hears("Ada", "{\"position\": \"SQLite\", \"claims\": [\"x\"]}");
    table.hears("ada", "{\"position\": \"Postgres\", \"claims\": [\"y\"]}");
    table.facilitator_answers(
        r#"{"summary": "s", "draft": "d", "positions": [{"text": "SQLite", "holders": ["Ada"]}, {"text": "Postgres", "holders": ["ada"]}]}"#,
    );
    let held: Vec<_> =
        table.meeting.positions().iter().map(|p| (p.text.as_str(), p.holders.clone())).collect();
    assert_eq!(held, [("SQLite", vec![ParticipantId(1)]), ("Postgres", vec![ParticipantId(2)])]);
}

#[test]
fn a_score_that_could_be_a_share_is_asked_for_again() {
    let mut table = Transaction::started(spec(&["Ada"], consensus(1)));
    table.goes_to_ballot();
    table.hears("Ada", r#"{"score": 0.9, "pass": true, "reason": "nearly there"}"#);
    assert_eq!(table.meeting.ballots[0].votes().count(), 0, "90 and 1 are both possible");
    table.hears("Ada", r#"{"score": 90, "pass": true, "reason": "nearly there"}"#);
    assert_eq!(table.meeting.ballots[0].votes().map(|(_, vote)| vote.score).collect::<Vec<_>>(), [90]);
}

#[test]
fn nobody_can_fill_the_log_with_an_endless_answer() {
    let long = "字".repeat(5_000);
    let mut table = Transaction::started(spec(&["Ada"], consensus(1)));
    table.goes_to_ballot();
    table.hears(
        "Ada",
        &serde_json::json!({ "abstain": true, "reason": format!("\u{1b}[2J{long}") }).to_string(),
    );
    let items: Vec<_> = (0..20)
        .map(|n| serde_json::json!({ "what": format!("{n}{long}"), "who": long, "sources": vec!["m1"; 500] }))
        .collect();
    let sides = vec![serde_json::json!({ "view": long, "why": long, "holders": ["Ada"] }); 8];
    let conclusion = serde_json::json!({
        "conclusion": long, "actions": items, "disagreements": vec![serde_json::json!({ "issue": long, "sides": sides }); 8],
    });
    table.facilitator_answers(&conclusion.to_string());
    assert!(table.meeting.is_over());
    for event in &table.log {
        let line = event.to_json();
        assert!(line.len() < 400_000, "{} bytes: {}…", line.len(), &line[..200]);
        assert!(!line.contains("\\u001b"), "an escape sequence: {}…", &line[..200]);
    }
}

#[test]
fn a_clock_of_any_reading_breaks_nothing() {
    let limits = LimitRules { wall_ms: Some(1), ..LimitRules::default() };
    let mut table = Transaction::blank();
    table.now = Timestamp(i64::MIN);
    let spec = spec(&["Ada"], Rules { limits, ..Rules::default() });
    table.execute(Command::Create { by: Actor::owner(), spec: Box::new(spec) });
    table.starts();
    for later in [-2, i64::MAX - 2] {
        table.pauses_at_once();
        table.now = Timestamp(later);
        table.resumes();
    }
    assert_eq!(table.meeting.run_state, RunState::Running);
}

#[test]
fn private_notes_never_become_a_message() {
    let mut table = Transaction::started(MeetingSpec {
        rules: Rules { context: Format::Decision.rules().context, ..Format::Discussion.rules() },
        ..discussion(&["Ada", "Ben"], 2)
    });
    // A block that holds nothing but notes is still a block for the record.
    table.hears("Ada", "One file is enough.\n```json\n{\"memory\": {\"notes\": [\"Ben is wrong\"]}}\n```");
    assert_eq!(table.meeting.said[0].content, "One file is enough.");
    // A broken one is asked for again, and then nothing is said at all.
    let broken = "{\"statement\": \"One file.\", \"memory\": {\"notes\": [\"Ada is wrong\"";
    table.hears("Ben", broken);
    table.hears("Ben", broken);
    assert_eq!(table.meeting.said.len(), 1, "{}", table.transcript());
    table.goes_to_round(2);
    let read = |name| format!("{:?}", table.prompt_of(name).messages);
    assert!(!read("Ada").contains("Ada is wrong"));
    assert!(read("Ada").contains("Ben is wrong"), "its own notes it reads");
}

// — what random commands and injected faults found in the five formats

#[test]
fn minutes_of_a_meeting_that_ends_in_a_parallel_round_are_written_once() {
    let mut spec = discussion(&["Ada", "Ben"], 2);
    spec.rules.turns.mode = TurnMode::ParallelRound;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "I am the first.");
    table.ends("enough");
    table.goes_on(|_, _| 60);
    assert_eq!(table.meeting.minutes.len(), 1);
}

#[test]
fn whoever_was_invited_to_a_table_that_is_full_by_now_is_asked_for_once() {
    let names: Vec<String> = (0..15).map(|place| format!("Nr{place}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut spec = spec(&names, Format::Brainstorm.rules());
    spec.rules.intake.when = IntakeTiming::Never;
    let mut table = Transaction::started(spec);
    table.execute(Command::Invite { by: Actor::owner(), description: "somebody who counts".into() });
    let join = Command::Join { by: Actor::owner(), newcomer: Box::new(newcomer("Late")) };
    assert!(matches!(table.is_refused(join), Refusal::Invalid { .. }), "the last seat is spoken for");
    let call = table.facilitator_call();
    table.answers_well(&call, 0);
    assert_eq!(table.names().len(), 16);
    assert!(table.meeting.invitations[0].done);
}

#[test]
fn attempts_at_minutes_count_up_over_rounds_and_crashes() {
    let mut table = Transaction::started(discussion(&["Ada"], 3));
    table.hears("Ada", "One file is enough.");
    table.execute(Command::WriteMinutes { by: Actor::owner(), writer: None, note: String::new() });
    table.hears("Ada", "I say it again in another round.");
    table.recovers();
    assert_eq!(table.facilitator_call().attempt, 2);
}

#[test]
fn minutes_that_failed_are_asked_of_the_facilitator_again_under_the_same_number() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 3));
    table.hears("Ada", "One file is enough.");
    let minutes = || Command::WriteMinutes { by: Actor::owner(), writer: None, note: String::new() };
    table.execute(minutes());
    let call = table.facilitator_call();
    table.fails(&call, FailureKind::Network);
    table.execute(minutes());
    let call = table.facilitator_call();
    assert_eq!((call.id, call.attempt), (TaskId::Minutes(1), 2));
    let edit = Minutes { content: "As I remember it.".into(), ..Minutes::default() };
    let edit = Command::EditMinutes { by: Actor::owner(), based_on: None, minutes: Box::new(edit) };
    let refusal = table.is_refused(edit);
    assert_eq!(refusal, Refusal::AlreadyRequested { artifact: None });
}

#[test]
fn other_rules_call_off_what_they_do_not_want() {
    let mut spec = spec(&["Ada", "Ben"], Format::Brainstorm.rules());
    spec.rules.intake.when = IntakeTiming::Never;
    let mut table = Transaction::started(spec);
    table.goes_until(
        |_, _| 60,
        |table| table.calls().iter().any(|call| matches!(call.id, TaskId::Evaluate(_))),
    );
    let mut rules = table.meeting.rules().clone();
    rules.roster.evaluate = false;
    rules.roster.newcomers = false;
    table.execute(Command::ChangeRules { by: Actor::owner(), rules: Box::new(rules) });
    assert_eq!(table.meeting.round_number(), 2);
    assert!(table.calls().iter().all(|call| !matches!(call.id, TaskId::Evaluate(_))));
}

#[test]
fn minutes_go_on_while_the_meeting_rests() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    table.hears("Ada", "One file is enough.");
    table.execute(Command::WriteMinutes { by: Actor::owner(), writer: None, note: String::new() });
    let call = table.facilitator_call();
    table.pauses();
    table.hears("Ben", "I am done, too.");
    assert!(table.meeting.is_paused(), "what was asked for beside is not waited for");
    table.answers_well(&call, 0);
    assert_eq!(table.meeting.minutes.len(), 1);
}

#[test]
fn a_meeting_that_everybody_left_before_it_began_is_over() {
    let mut table = Transaction::draft(discussion(&["Ada"], 2));
    table.leaves("Ada");
    table.starts();
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Aborted(AbortReason::NobodyLeft)));
}

#[test]
fn a_team_that_nothing_could_answer_for_is_refused() {
    let mut spec = spec(&[], Format::Brainstorm.rules());
    spec.facilitator = None;
    let create = Command::Create { by: Actor::owner(), spec: Box::new(spec) };
    assert!(matches!(Transaction::blank().is_refused(create), Refusal::Invalid { .. }));
}
