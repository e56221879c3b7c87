//! Meetings judged once more: which ballot would have passed, and what made the difference.

#[path = "../../core/tests/support/mod.rs"]
mod support;

#[path = "whatif/always.rs"]
mod always;

use quorate_contract::*;
use quorate_views::*;
use support::*;

/// A table of these, with the scores of each ballot; `None` abstains. It goes on with the last
/// scores when there are more ballots.
fn voted(names: &[&str], rules: Rules, ballots: &[&[Option<u8>]]) -> Transaction {
    held(Transaction::started(spec(names, rules)), ballots)
}

fn held(mut table: Transaction, ballots: &[&[Option<u8>]]) -> Transaction {
    for _ in 0..1000 {
        let Some(call) = table.calls().into_iter().next() else { return table };
        let (TaskId::Vote(ballot, voter), false) = (call.id, ballots.is_empty()) else {
            table.answers_well(&call, 60);
            continue;
        };
        let scores = ballots[(ballot.0 as usize - 1).min(ballots.len() - 1)];
        match scores[voter.0 as usize - 1] {
            Some(score) => table.answers_well(&call, score),
            None => _ = table.answers(&call, r#"{"abstain": true, "reason": "not mine to say"}"#),
        }
    }
    panic!("the meeting does not come to an end");
}

/// Ada and Ben come round, Cid never does; the third ballot passes in spite of that.
fn with_an_objector() -> Transaction {
    let scores: [&[Option<u8>]; 3] =
        [&[Some(70), Some(68), Some(40)], &[Some(82), Some(81), Some(60)], &[Some(96), Some(95), Some(60)]];
    voted(&["Ada", "Ben", "Cid"], consensus(5), &scores)
}

fn judged(table: &Transaction, change: &WhatIf) -> WhatIfReport {
    what_if(&table.meeting, change).expect("it can be judged again")
}

fn id(table: &Transaction, name: &str) -> ParticipantId {
    WhatIf::seated(&table.meeting, name).expect("it has had a place")
}

fn threshold(needed: u8) -> WhatIf {
    WhatIf { mean_score: Some(needed), ..WhatIf::default() }
}

fn texts(report: &WhatIfReport) -> Vec<&str> {
    report.ballots.iter().map(|ballot| ballot.text.as_str()).collect()
}

#[test]
fn a_lower_threshold_ends_the_meeting_earlier_and_says_what_that_saves() {
    let table = with_an_objector();
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Accepted { ballot: BallotId(3) }));
    let report = judged(&table, &threshold(74));

    // What the log itself says of the calls between the second ballot and the end of discussion.
    let closed = |body: &EventBody| matches!(body, EventBody::BallotClosed { ballot, .. } if ballot.0 == 2);
    let after = table.log.iter().skip_while(|event| !closed(&event.body));
    let until = after.take_while(|event| !matches!(event.body, EventBody::MeetingClosing { .. }));
    let (mut calls, mut tokens) = (0, 0);
    for event in until {
        if let EventBody::CallEnded { usage, .. } = &event.body {
            calls += 1;
            tokens += usage.total();
        }
    }
    assert!(calls > 5 && tokens > 500, "{calls} calls and {tokens} tokens");
    let saved = WhatIfSavings { rounds: 1, calls, tokens, cost_micros: Some(0), estimated: false };
    let course = WhatIfCourse::Earlier { ballot: BallotId(2), round: 2, saved };
    assert_eq!(report.course, course);
    insta::assert_snapshot!(report.to_markdown());
}

#[test]
fn what_is_saved_has_a_price_where_all_prices_are_known() {
    let mut spec = spec(&[], consensus(3));
    spec.participants = vec![priced("Ada"), priced("Ben")];
    spec.facilitator = None;
    let scores: [&[Option<u8>]; 2] = [&[Some(70), Some(70)], &[Some(90), Some(90)]];
    let table = held(Transaction::started(spec), &scores);
    let WhatIfCourse::Earlier { saved, .. } = judged(&table, &threshold(70)).course else {
        panic!("b1 passes")
    };
    // Two speak and two vote; each reads 100 tokens at one millionth and writes 20 at two.
    assert_eq!((saved.calls, saved.tokens, saved.cost_micros), (4, 480, Some(4 * 140)));
}

#[test]
fn it_says_which_change_alone_would_do() {
    let table = with_an_objector();
    let change = WhatIf { without: vec![id(&table, "Cid")], ..threshold(74) };
    let report = judged(&table, &change);
    assert_eq!(
        texts(&report),
        [
            "Ballot 1 would still have failed: mean score 69 < 74.",
            "Ballot 2 would have passed: mean score 81.5 ≥ 74. Of the changes, a mean score of 74 alone is enough; \
             leaving out Cid alone is enough.",
            "Ballot 3 would still have passed. But the meeting would have been over, and this ballot not held.",
        ]
    );
    let report = judged(&table, &WhatIf { mean_score: Some(69), ..change });
    let together = "mean score 69 ≥ 69. No change alone is enough; it takes them together.";
    assert!(texts(&report)[0].ends_with(together), "{:?}", texts(&report));
    let held: Vec<bool> = report.ballots.iter().map(|ballot| ballot.held).collect();
    assert_eq!(held, [true, false, false]);
}

#[test]
fn a_mode_that_does_not_look_at_scores_passes_over_the_threshold_and_says_so() {
    let table = with_an_objector();
    let mode = |mode| WhatIf { mode: Some(mode), ..WhatIf::default() };
    // A score of 75 passes: no vote in b1 reaches it, two of three in b2 do.
    let report = judged(&table, &WhatIf { pass_ratio: Some(0.66), ..mode(DecisionMode::PassRatio) });
    assert!(matches!(report.course, WhatIfCourse::Earlier { ballot: BallotId(2), .. }));
    let why = "Ballot 2 would have passed: the mean score is not asked for.";
    assert!(texts(&report)[1].starts_with(why), "{:?}", texts(&report));

    let report = judged(&table, &WhatIf { mean_score: Some(10), ..mode(DecisionMode::PassRatio) });
    assert_eq!(report.course, WhatIfCourse::Later { ballot: BallotId(3), round: 3, rounds_left: 2 });
    assert!(texts(&report)[2].starts_with("Ballot 3 would not have passed: pass ratio 66.7% < 75%."));
    assert!(report.notes[0].contains("a mean score of 10 has no effect"), "{:?}", report.notes);

    for (mode, expected) in [
        (DecisionMode::Average, (Some(80), None, 2.0 / 3.0)),
        (DecisionMode::PassRatio, (None, Some(0.75), 2.0 / 3.0)),
        (DecisionMode::Both, (Some(80), Some(0.75), 2.0 / 3.0)),
        (DecisionMode::Unanimous, (None, Some(1.0), 1.0)),
    ] {
        let held = DecisionRules { mean_score: None, ..DecisionRules::default() };
        let rules = WhatIf { mode: Some(mode), ..WhatIf::default() }.rules(&held);
        assert_eq!((rules.mean_score, rules.pass_ratio, rules.quorum), expected, "{mode}");
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
}

#[test]
fn a_ballot_that_passed_and_would_not_have_leaves_the_rest_unknown() {
    let report = judged(&with_an_objector(), &threshold(85));
    assert_eq!(report.course, WhatIfCourse::Later { ballot: BallotId(3), round: 3, rounds_left: 2 });
    assert!(report.course_text.contains("for 2 rounds at the most. The record ends there"));
    assert_eq!(texts(&report)[2], "Ballot 3 would not have passed: mean score 83.7 < 85.");

    // In the last round it is known: there would have been no consensus.
    let table = voted(&["Ada", "Ben"], consensus(1), &[&[Some(80), Some(80)]]);
    let course = WhatIfCourse::Otherwise { ballot: BallotId(1), round: 1, accepted: false };
    assert_eq!(judged(&table, &threshold(81)).course, course);
    // And the other way round: it would have ended there as well, but accepted.
    let table = voted(&["Ada", "Ben"], consensus(1), &[&[Some(70), Some(70)]]);
    let course = WhatIfCourse::Otherwise { ballot: BallotId(1), round: 1, accepted: true };
    assert_eq!(judged(&table, &threshold(70)).course, course);
}

#[test]
fn whoever_is_left_out_does_not_count_for_the_quorum_either() {
    let scores: [&[Option<u8>]; 1] = [&[Some(90), None, None]];
    let table = voted(&["Ada", "Ben", "Cid"], consensus(1), &scores);
    let without = |names: &[&str]| WhatIf {
        without: names.iter().map(|name| id(&table, name)).collect(),
        ..WhatIf::default()
    };
    assert_eq!(judged(&table, &without(&["Ben"])).course, WhatIfCourse::Same, "one of two is not two thirds");
    let both = judged(&table, &without(&["Ben", "Cid", "Ben"]));
    assert!(matches!(both.course, WhatIfCourse::Otherwise { accepted: true, .. }));
    assert!(
        texts(&both)[0].starts_with("Ballot 1 would have passed: votes cast 1 ≥ 1."),
        "{:?}",
        texts(&both)
    );
    assert_eq!(both.changes.len(), 2, "each once");

    let nobody = judged(&table, &WhatIf { quorum: Some(0.0), ..without(&["Ada", "Ben", "Cid"]) });
    assert_eq!(texts(&nobody), ["Ballot 1 would still have failed: nobody is left to vote."]);

    // All votes are needed for unanimity: an abstention is never assent, unless the quorum allows it.
    let unanimous = WhatIf { mode: Some(DecisionMode::Unanimous), ..WhatIf::default() };
    assert_eq!(judged(&table, &unanimous).course, WhatIfCourse::Same);
    assert!(matches!(
        judged(&table, &WhatIf { quorum: Some(0.3), ..unanimous }).course,
        WhatIfCourse::Otherwise { accepted: true, .. }
    ));
}

#[test]
fn an_interrupted_ballot_stays_interrupted_and_an_unfinished_meeting_is_labelled() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(4)));
    table.goes_to_ballot();
    let call = table.call_of("Ada");
    table.answers_well(&call, 100);
    assert_eq!(
        what_if(&table.meeting, &threshold(0)),
        Err(CannotRejudge::NoBallot { ballots: true, over: false })
    );
    table.says("What about backups?");
    table.goes_until(|_, _| 50, |table| table.meeting.ballots.len() == 3);

    let report = judged(&table, &threshold(50));
    assert!(!report.finished && report.outcome.is_none());
    let standings: Vec<_> = report.ballots.iter().map(|ballot| ballot.standing).collect();
    assert_eq!(standings, [BallotStanding::Interrupted, BallotStanding::Counted, BallotStanding::Open]);
    assert!(texts(&report)[0].starts_with("Ballot 1 was interrupted by a message"));
    assert_eq!(
        texts(&report)[2],
        "Ballot 3 was not counted: not everybody has voted. But the meeting would have been over, and this ballot \
         not held."
    );
    assert!(matches!(report.course, WhatIfCourse::Earlier { ballot: BallotId(2), round: 2, .. }));
    assert!(report.course_text.ends_with(" so far."), "{}", report.course_text);
    assert!(report.notes[0].starts_with("The meeting is not finished"));
}

#[test]
fn without_a_change_it_tells_the_thresholds_and_whose_votes_decide() {
    let report = judged(&with_an_objector(), &WhatIf::default());
    let sensitivity = report.sensitivity.as_ref().expect("nothing was changed");
    let stretch = |from, to, ballot: Option<u32>| {
        let stays = ballot == Some(3);
        ThresholdRange { from, to, ballot: ballot.map(BallotId), round: ballot, stays }
    };
    let stretches =
        [stretch(0, 59, Some(1)), stretch(60, 74, Some(2)), stretch(75, 83, Some(3)), stretch(84, 100, None)];
    assert_eq!(sensitivity.thresholds, stretches);
    assert_eq!(sensitivity.mean_score, Some((75, 83)));
    let pivotal: Vec<_> = sensitivity.participants.iter().map(|p| (p.name.as_str(), p.pivotal)).collect();
    assert_eq!(pivotal, [("Ada", true), ("Ben", true), ("Cid", true)]);
    insta::assert_snapshot!(report.to_markdown());
    assert_eq!(judged(&with_an_objector(), &threshold(80)).sensitivity, None);
}

#[test]
fn it_is_told_in_chinese_as_well() {
    let spec = MeetingSpec { language: Language::Zh, ..spec(&["阿达", "本", "西德"], consensus(3)) };
    let scores: [&[Option<u8>]; 2] = [&[Some(70), Some(72), Some(40)], &[Some(90), Some(95), Some(70)]];
    let table = held(Transaction::started(spec), &scores);
    let without = WhatIf { without: vec![id(&table, "西德")], ..threshold(60) };
    let share = WhatIf { mode: Some(DecisionMode::PassRatio), pass_ratio: Some(0.8), ..threshold(60) };
    let reports = [without, share, threshold(86), WhatIf::default()].map(|change| judged(&table, &change));
    let told: Vec<_> = reports.iter().map(WhatIfReport::to_markdown).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_cannot_be_judged_is_refused_with_what_would_help() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    table.goes_on(|_, _| 90);
    let refusal = what_if(&table.meeting, &threshold(70)).expect_err("there was no ballot");
    assert_eq!(refusal, CannotRejudge::NoBallot { ballots: false, over: true });
    for language in [Language::En, Language::Zh] {
        assert!(refusal.hint(language).contains("consensus"));
    }
    let table = with_an_objector();
    let share = WhatIf { quorum: Some(f64::NAN), ..WhatIf::default() };
    for wrong in [threshold(101), share, WhatIf { pass_ratio: Some(75.0), ..WhatIf::default() }] {
        let refusal = what_if(&table.meeting, &wrong).expect_err("it is out of range");
        assert!(matches!(refusal, CannotRejudge::OutOfRange { .. }), "{refusal}");
    }
    for refusal in [
        WhatIf::seated(&table.meeting, "Dora").expect_err("nobody of that name"),
        what_if(&table.meeting, &WhatIf { without: vec![ParticipantId(9)], ..WhatIf::default() })
            .expect_err("nobody has that place"),
    ] {
        assert_eq!(refusal.hint(Language::En), "at the table: Ada, Ben, Cid");
        assert_eq!(refusal.hint(Language::Zh), "参会者：Ada、Ben、Cid");
    }
}

#[test]
fn whoever_has_left_can_be_left_out_as_well() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(2)));
    let low = |table: &Transaction, call: &Call| match call.participant {
        Some(id) if table.meeting.name_of(id) == "Cid" => 20,
        _ => 85,
    };
    table.goes_until(low, |table| table.meeting.round_number() == 2);
    table.leaves("Cid");
    table.goes_on(low);
    let report = judged(&table, &WhatIf { without: vec![id(&table, "p3")], ..WhatIf::default() });
    assert!(
        matches!(report.course, WhatIfCourse::Earlier { ballot: BallotId(1), .. }),
        "{:?}",
        report.course
    );
}
