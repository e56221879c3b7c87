//! A judgement as Markdown.

use quorate_contract::{ClauseKind, ClauseResult, Language, Verdict, ballot_name, clause_name, figures};
use quorate_messages::text;
use strum::VariantArray;

use super::judgement_text::change_text;
use super::{
    BallotReview, BallotStanding, PivotalParticipant, Sensitivity, ThresholdRange, WhatIfCourse, WhatIfReport,
};

/// The report for people.
pub(super) fn markdown(report: &WhatIfReport) -> String {
    let language = report.language;
    let mut lines = vec![format!("# {}", title(report)), String::new()];
    let simulated = match report.simulated {
        true => text!(language, "views-text-simulated"),
        false => "",
    };
    lines.push(format!("{}{simulated}", one_line(&report.topic)));
    lines.push(String::new());
    let was = &report.outcome_text;
    lines.push(format!("- {}", text!(language, "views-text-as", %was)));
    if !report.changes.is_empty() {
        lines.push(format!("- {}", report.course_text));
    }
    lines.extend(report.notes.iter().map(|note| format!("- {note}")));
    lines.extend(ballots(report));
    if let Some(sensitivity) = &report.sensitivity {
        lines.extend(thresholds(language, sensitivity));
        lines.extend(pivots(language, &sensitivity.participants));
    }
    lines.join("\n") + "\n"
}

fn title(report: &WhatIfReport) -> String {
    let language = report.language;
    if report.changes.is_empty() {
        return text!(language, "views-text-what-another-outcome-would-take").to_owned();
    }
    let changes: Vec<_> = report.changes.iter().map(|change| change_text(language, change)).collect();
    text!(language, "views-text-what-if", changes = &changes[..])
}

fn ballots(report: &WhatIfReport) -> Vec<String> {
    let language = report.language;
    let changed = !report.changes.is_empty();
    let mut lines =
        vec![String::new(), format!("## {}", text!(language, "views-text-ballots")), String::new()];
    lines.push(match changed {
        true => text!(language, "views-text-ballot-clause-as-as-would").to_owned(),
        false => text!(language, "views-text-ballot-clause-as").to_owned(),
    });
    lines.push(if changed { "|---|---|---|---|" } else { "|---|---|---|" }.to_owned());
    for review in &report.ballots {
        let rows = rows(language, review).into_iter();
        lines.extend(rows.map(|[name, clause, before, after]| match changed {
            true => format!("| {name} | {clause} | {before} | {after} |"),
            false => format!("| {name} | {clause} | {before} |"),
        }));
    }
    let told = report.ballots.iter().filter(|review| changed || review.standing != BallotStanding::Counted);
    let told: Vec<_> = told.map(|review| format!("- {}", review.text)).collect();
    if !told.is_empty() {
        lines.push(String::new());
        lines.extend(told);
    }
    lines
}

/// The rows of a ballot: its result, then each clause of either verdict.
fn rows(language: Language, review: &BallotReview) -> Vec<[String; 4]> {
    let BallotReview { id, round, .. } = review;
    let name = ballot_name(language, *id);
    let name = text!(language, "views-text-after-round", %name, %round);
    let (Some(before), Some(after)) = (&review.before, &review.after) else {
        let standing = match review.standing {
            BallotStanding::Interrupted => text!(language, "views-text-interrupted"),
            BallotStanding::Open | BallotStanding::Counted => text!(language, "views-text-not-counted"),
        };
        return vec![[name, String::new(), standing.to_owned(), standing.to_owned()]];
    };
    let verdict = |verdict: &Verdict| match verdict.passed {
        true => text!(language, "views-text-passed").to_owned(),
        false => text!(language, "views-text-failed").to_owned(),
    };
    let would = match review.held {
        true => verdict(after),
        false => {
            let not_held = text!(language, "views-text-not-held");
            format!("{}{not_held}", verdict(after))
        }
    };
    let mut rows = vec![[name, text!(language, "views-text-verdict").to_owned(), verdict(before), would]];
    for kind in ClauseKind::VARIANTS.iter().copied() {
        let of = |verdict: &Verdict| verdict.clauses.iter().find(|clause| clause.clause == kind).copied();
        let (before, after) = (of(before), of(after));
        if before.is_some() || after.is_some() {
            let cell =
                |clause: Option<ClauseResult>| clause.map_or("—".to_owned(), |c| clause_cell(language, &c));
            rows.push([String::new(), clause_name(language, kind).to_owned(), cell(before), cell(after)]);
        }
    }
    rows
}

fn clause_cell(language: Language, clause: &ClauseResult) -> String {
    let (got, needed) = figures(language, clause);
    let sign = if clause.met { "✓" } else { "✗" };
    text!(language, "views-text-needed", %sign, %got, %needed)
}

fn thresholds(language: Language, sensitivity: &Sensitivity) -> Vec<String> {
    let mut lines =
        vec![String::new(), format!("## {}", text!(language, "views-text-mean-score-needed")), String::new()];
    if let Some((from, to)) = sensitivity.mean_score {
        lines.push(text!(language, "views-text-outcome-stays-all-other-clauses", %from, %to));
        lines.push(String::new());
    }
    lines.push(text!(language, "views-text-needed-passes-first").to_owned());
    lines.push("|---|---|---|".to_owned());
    lines.extend(sensitivity.thresholds.iter().map(|threshold| {
        let ThresholdRange { from, to, stays, .. } = threshold;
        let range = if from == to { from.to_string() } else { format!("{from}–{to}") };
        let first = match (threshold.ballot, threshold.round) {
            (Some(ballot), Some(round)) => {
                let ballot = ballot_name(language, ballot);
                text!(language, "views-text-after-round-2", %ballot, %round)
            }
            (Some(_) | None, _) => text!(language, "views-text-none").to_owned(),
        };
        let mark = if *stays { text!(language, "views-text-as-2") } else { "" };
        format!("| {range} | {first} | {mark} |")
    }));
    lines
}

fn pivots(language: Language, participants: &[PivotalParticipant]) -> Vec<String> {
    let mut lines = vec![
        String::new(),
        format!("## {}", text!(language, "views-text-whose-votes-decide")),
        String::new(),
        text!(language, "views-text-left-out-outcome").to_owned(),
        "|---|---|".to_owned(),
    ];
    lines.extend(participants.iter().map(|pivot| {
        let name = one_line(&pivot.name).replace('|', "\\|");
        format!("| {name} | {} |", pivot_cell(language, &pivot.course))
    }));
    lines
}

fn pivot_cell(language: Language, course: &WhatIfCourse) -> String {
    let ballot = course.ballot().map(|ballot| ballot_name(language, ballot)).unwrap_or_default();
    match course {
        WhatIfCourse::Same => text!(language, "views-text-stays").to_owned(),
        WhatIfCourse::Earlier { round, .. } => {
            text!(language, "views-text-pivotal-after-round-would-have", %ballot, %round)
        }
        WhatIfCourse::Otherwise { accepted: true, .. } => {
            text!(language, "views-text-pivotal-would-have-passed", %ballot)
        }
        WhatIfCourse::Otherwise { accepted: false, .. } => {
            text!(language, "views-text-pivotal-would-not-have-passed", %ballot)
        }
        WhatIfCourse::Later { .. } => text!(language, "views-text-pivotal-would-not-have-passed-2", %ballot),
    }
}

/// A participant's text is one line here; a line feed would let it add headings.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
