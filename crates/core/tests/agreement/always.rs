//! Properties of every result, for any answers: report, Markdown, health and what-if agree.

use proptest::prelude::*;
use proptest::test_runner::Config;
use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;

use crate::support::any;
use crate::support::*;

const POSITIONS: [&str; 4] = ["Take SQLite", "Take PostgreSQL", "Oppose", "先做试点"];

/// The inputs of an answer: the manner, the position, a score, whether it passes.
type Choice = (u8, usize, u8, bool);

fn choices() -> impl Strategy<Value = Vec<Choice>> {
    prop::collection::vec((0u8..20, 0..POSITIONS.len(), 0u8..=100, any::<bool>()), 40..90)
}

/// A meeting with ballots or without, in which most things may go wrong.
fn founded() -> impl Strategy<Value = MeetingSpec> {
    let format = prop::sample::select(vec![Format::Consensus, Format::Decision, Format::Discussion]);
    let rules = (format, any::decision_rules(2), 1u32..=3, any::<bool>(), any::<bool>());
    (any::names(2..=6), rules, any::language(), any::<u64>(), prop::bool::weighted(0.8)).prop_map(
        |(names, (format, decision, max_rounds, blind, records), language, seed, facilitated)| {
            let mut rules = format.rules();
            rules.intake.when = IntakeTiming::Never;
            rules.turns.blind_round = blind && format == Format::Consensus;
            if format == Format::Consensus {
                let min_rounds = decision.min_rounds.min(max_rounds);
                rules.decision = DecisionRules { ballots: true, min_rounds, ..decision };
            }
            rules.decision.min_rounds = rules.decision.min_rounds.min(max_rounds);
            rules.closing.artifacts = if records { vec![ArtifactKind::Adr] } else { Vec::new() };
            rules.limits =
                LimitRules { max_rounds, rounds_alone: 0, rounds_stale: 0, ..LimitRules::default() };
            let spec = spec(&names, rules);
            let facilitator = spec.facilitator.clone().filter(|_| facilitated);
            MeetingSpec { format, language, seed, facilitator, ..spec }
        },
    )
}

fn said(m: &Meeting, call: &Call, (how, place, score, pass): Choice) -> Option<String> {
    let held = POSITIONS[place];
    let names = || m.present().map(|seat| seat.participant.name.clone());
    let text = match (how, call.id) {
        (0..3, _) => return None,
        (3, _) => "this is no answer in any form".to_owned(),
        (_, TaskId::Speak(_)) => {
            let record = serde_json::json!({
                "position": held, "statement": format!("I say: {held}"), "recommendation": held,
                "confidence": score, "claims": [format!("because of {score}")], "would_change_my_mind": "no",
                "unshared_facts": [], "changed_by": null, "risks": [], "open_questions": [],
            });
            let blind = m.round().is_some_and(|round| round.kind == RoundKind::Blind);
            match blind || m.rules().turns.answer == AnswerForm::Structured {
                true => record.to_string(),
                false => format!("I say: {held}\n```json\n{record}\n```"),
            }
        }
        (4, TaskId::Vote(..)) => r#"{"abstain": true, "reason": "not mine"}"#.to_owned(),
        (_, TaskId::Vote(..)) => serde_json::json!({
            "score": score, "pass": pass, "reason": format!("{score} it is"), "missing": [],
        })
        .to_string(),
        (_, TaskId::Summarize(_)) => {
            let holds = |text: &str| -> Vec<String> {
                let seats =
                    m.present().filter(|seat| seat.stance.as_ref().is_some_and(|s| s.position == text));
                seats.map(|seat| seat.participant.name.clone()).collect()
            };
            let positions: Vec<_> = POSITIONS
                .iter()
                .map(|text| serde_json::json!({ "text": text, "holders": holds(text) }))
                .collect();
            serde_json::json!({
                "summary": "in short", "positions": positions, "draft": if pass { held } else { "Do both, slowly" },
                "open_questions": if pass { vec![] } else { vec!["a?", "b?", "c?", "d?"] },
                "disagreements": if pass { vec![] } else { vec!["a", "b", "c", "d"] },
            })
            .to_string()
        }
        (_, TaskId::Conclude) => {
            let names: Vec<String> = names().collect();
            let (some, others) = names.split_at(place.min(names.len()));
            serde_json::json!({
                "conclusion": format!("{held}\n\nAnd so on."), "actions": [],
                "disagreements": if pass { vec![serde_json::json!({ "issue": "which", "sides": [
                    { "view": held, "why": "w", "holders": some },
                    { "view": "otherwise", "why": "o", "holders": others }] })] } else { vec![] },
            })
            .to_string()
        }
        (_, TaskId::Artifact(ArtifactKind::Adr, _)) => {
            let line = |text: &str| serde_json::json!({ "text": text, "sources": ["m1"], "quote": null });
            serde_json::json!({
                "title": "t", "status": if pass { "accepted" } else { "proposed" }, "context": "c",
                "decision": line(held), "consequences": [line("it follows")],
                "options": [{ "name": "o", "pros": [], "cons": [], "sources": ["m1"] }],
            })
            .to_string()
        }
        _ => good_answer(m, call, score),
    };
    Some(text)
}

/// Plays a meeting by these choices, over and over, and looks at it after each answer.
fn played(
    spec: MeetingSpec,
    choices: &[Choice],
    mut look: impl FnMut(&Transaction) -> Result<(), TestCaseError>,
) -> Result<Transaction, TestCaseError> {
    let mut table = Transaction::started(spec);
    for step in 0..400 {
        let Some(call) = table.calls().into_iter().next() else {
            if table.meeting.is_over() || !table.meeting.is_paused() || step > 350 {
                break;
            }
            table.resumes();
            continue;
        };
        let choice = choices[step % choices.len()];
        match said(&table.meeting, &call, choice) {
            Some(text) => _ = table.answers(&call, &text),
            None => table.fails(&call, TROUBLES[usize::from(choice.2) % TROUBLES.len()]),
        }
        if choice.0 == 19 && !table.meeting.is_over() {
            let mut rules = table.meeting.rules().clone();
            rules.decision.mean_score = Some(choice.2);
            _ = table.tries(Command::ChangeRules { by: Actor::owner(), rules: Box::new(rules) });
        }
        look(&table)?;
    }
    Ok(table)
}

fn names_of(rows: &[ReportDissent]) -> Vec<&str> {
    rows.iter().map(|row| row.name.as_str()).collect()
}

/// Everything that can be read of a meeting says the same of who supports what.
fn agrees_with_itself(m: &Meeting) -> Result<(), TestCaseError> {
    let (report, health) = (Report::of(m), DeliberationHealth::of(m));
    let agreement = &report.agreement;
    prop_assert_eq!(agreement, &Agreement::of(m));
    let on = |side: SeatSide| -> Vec<&str> {
        let seats = agreement.seats.iter().filter(|seat| seat.side == side);
        seats.map(|seat| seat.name.as_str()).collect()
    };
    prop_assert_eq!(names_of(&report.dissent), on(SeatSide::Dissents));
    let reserved: Vec<&str> =
        agreement.seats.iter().filter(|seat| seat.reserved).map(|seat| seat.name.as_str()).collect();
    prop_assert_eq!(names_of(&report.reservations), reserved.clone());
    prop_assert!(reserved.iter().all(|name| on(SeatSide::Supports).contains(name)), "{:?}", agreement);
    let counted = agreement.supports
        + agreement.dissents
        + agreement.abstained
        + agreement.failed
        + agreement.undecided
        + on(SeatSide::Left).len();
    prop_assert_eq!(counted, agreement.seats.len());

    // The votes.
    if let Some((ballot, verdict)) = m.last_counted_ballot() {
        prop_assert_eq!(agreement.passed, Some(verdict.passed));
        let row = report.ballots.iter().find(|row| row.id == ballot.id).expect("it is told");
        let passing = row.votes.iter().filter(|vote| vote.pass == Some(true)).count();
        let against = row.votes.iter().filter(|vote| vote.pass == Some(false)).count();
        prop_assert_eq!((passing, against), (agreement.supports, agreement.dissents));
        prop_assert_eq!(verdict.votes as usize, passing + against);
        let counted =
            health.rounds.iter().flat_map(|round| &round.ballots).find(|one| one.ballot == ballot.id);
        if let Some(counted) = counted {
            prop_assert_eq!((counted.votes, counted.against), (passing + against, against));
        }
        let said_by_markdown = report.to_markdown();
        let counts = m.language().pick(
            format!("{} 位表决人中 {passing} 位同意通过", ballot.voters.len()),
            format!("{passing} of {} voted to pass", ballot.voters.len()),
        );
        prop_assert!(said_by_markdown.contains(&counts), "{counts}: {said_by_markdown}");
        prop_assert!(report.headline.contains(&counts));
        let nobody = m.language().pick("没有人投反对票", "Nobody voted against");
        let has_votes = passing + against > 0;
        prop_assert_eq!(said_by_markdown.contains(nobody), against == 0 && has_votes, "{}", said_by_markdown);
    }
    for row in report.ballots.iter().flat_map(|ballot| &ballot.votes) {
        let ways = [row.score.is_some(), row.abstained.is_some(), row.failed.is_some()];
        prop_assert_eq!(ways.iter().filter(|way| **way).count(), 1, "{:?}", row);
        prop_assert!(row.abstained.is_none_or(|kind| kind == AbstentionKind::Chosen), "{:?}", row);
    }
    for ballot in &m.ballots {
        for (id, cast) in &ballot.cast {
            let name = m.name_of(*id);
            let row = report.ballots.iter().find(|row| row.id == ballot.id).expect("it is told");
            let row = row.votes.iter().find(|row| row.name == name).expect("it is told");
            prop_assert_eq!(matches!(cast, BallotChoice::Failed(_)), row.failed.is_some());
            if let Some(failed) = &row.failed {
                prop_assert!(!failed.hint.is_empty() || failed.kind.is_none(), "{:?}", failed);
                prop_assert!(
                    report.failures.iter().any(|seat| seat.name == name && seat.failed_votes > 0)
                        || ballot.closed_seq.is_none()
                );
            }
        }
    }

    // Participants that failed.
    for seat in report.failures.iter().filter(|seat| !seat.spoke && seat.failed_turns > 0) {
        let row = report.shifts.iter().find(|row| row.name == seat.name);
        prop_assert!(row.is_some_and(|row| row.failed.is_some()), "{:?}", seat);
    }
    prop_assert_eq!(
        report.to_markdown().contains(m.language().pick("结果不完整", "**Incomplete result:**")),
        report.incomplete.is_some()
    );

    // The health.
    match agreement.passed {
        Some(true) => {
            prop_assert_eq!(health.dissent.blocking, 0);
            let standing = health.verdict.standing;
            let accepted = matches!(
                standing,
                HealthGrade::Majority | HealthGrade::Thin | HealthGrade::Robust | HealthGrade::Suspicious
            );
            prop_assert!(accepted, "{:?} after acceptance", standing);
            if agreement.supports < agreement.seats.len() {
                prop_assert_ne!(standing, HealthGrade::Robust);
            }
        }
        Some(false) | None => prop_assert_eq!(health.dissent.overruled, 0),
    }
    prop_assert!(health.verdict.standing != HealthGrade::Robust || agreement.dissents == 0);

    // Who holds the conclusion does not dissent from it.
    if agreement.basis == AgreementBasis::Positions
        && let Some(first) = report.conclusion.lines().next()
    {
        let holders = agreement.seats.iter().filter(|seat| seat.position == first);
        prop_assert!(holders.into_iter().all(|seat| seat.side != SeatSide::Dissents), "{:?}", report);
    }
    Ok(())
}

fn ended_rightly(m: &Meeting) -> Result<(), TestCaseError> {
    let report = Report::of(m);
    let agreement = &report.agreement;
    match m.outcome() {
        Some(MeetingOutcome::Accepted { ballot }) => {
            let version = m.ballot(*ballot).expect("it was held").draft_version;
            let draft = m.drafts.iter().find(|draft| draft.version == version).expect("it was voted on");
            prop_assert_eq!(&report.conclusion, &draft.text);
            prop_assert_eq!(&m.conclusion.as_ref().expect("it is written").text, &draft.text);
            prop_assert!(report.to_markdown().contains(&draft.text));
        }
        Some(MeetingOutcome::Converged { .. }) => {
            let doubt = m.language().pick("没有形成一致", "does not agree");
            prop_assert_eq!(
                report.headline.contains(doubt),
                agreement.lacks_majority(),
                "{}",
                report.headline
            );
        }
        Some(MeetingOutcome::Completed | MeetingOutcome::Aborted(_)) | None => {}
    }
    if let Some(adr) = m.artifact(ArtifactKind::Adr) {
        let accepted = adr.content["status"] == "accepted";
        prop_assert_eq!(accepted, agreement.is_agreed(m.outcome()), "{}", adr.content);
        if let Some(draft) = m.accepted_draft() {
            prop_assert_eq!(&adr.content["decision"]["text"], &serde_json::json!(draft.text));
        }
    }
    if let Ok(judged) = what_if(m, &WhatIf::default()) {
        prop_assert_eq!(judged.course, WhatIfCourse::Same);
        for ballot in &judged.ballots {
            prop_assert_eq!(&ballot.before, &ballot.after);
        }
        let passed = judged.ballots.iter().rev().find_map(|ballot| ballot.before.as_ref());
        prop_assert_eq!(passed.map(|verdict| verdict.passed), agreement.passed);
    }
    Ok(())
}

proptest! {
    #![proptest_config(Config { cases: 160, ..Config::default() })]

    /// After every answer, and at the end.
    #[test]
    fn every_view_says_the_same(spec in founded(), choices in choices()) {
        let table = played(spec, &choices, |table| agrees_with_itself(&table.meeting))?;
        if table.meeting.is_over() {
            ended_rightly(&table.meeting)?;
        }
        // A log that is read back tells the same.
        prop_assert_eq!(Report::of(&table.replayed()).to_markdown(), Report::of(&table.meeting).to_markdown());
    }
}
