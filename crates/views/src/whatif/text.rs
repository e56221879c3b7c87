//! A judgement as Markdown.

use quorate_contract::{Clause, ClauseKind, Language, Verdict, ballot_name, clause_name, figures};
use strum::VariantArray;

use super::words::change_text;
use super::{BallotReview, Course, Pivot, Sensitivity, Standing, Threshold, WhatIfReport};

/// The report for people.
pub(super) fn markdown(report: &WhatIfReport) -> String {
    let language = report.language;
    let mut lines = vec![format!("# {}", title(report)), String::new()];
    let simulated = match report.simulated {
        true => language.pick("（模拟）", " (simulated)"),
        false => "",
    };
    lines.push(format!("{}{simulated}", one_line(&report.topic)));
    lines.push(String::new());
    let was = &report.outcome_text;
    lines.push(format!("- {}", language.pick(format!("实际：{was}"), format!("As it was: {was}"))));
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
        return language.pick("怎样才会有不同的结局", "What another outcome would take").to_owned();
    }
    let changes: Vec<_> = report.changes.iter().map(|change| change_text(language, change)).collect();
    language.pick(format!("假设：{}", changes.join("、")), format!("What if: {}", changes.join(", ")))
}

fn ballots(report: &WhatIfReport) -> Vec<String> {
    let language = report.language;
    let changed = !report.changes.is_empty();
    let mut lines = vec![String::new(), format!("## {}", language.pick("表决", "Ballots")), String::new()];
    lines.push(match changed {
        true => language
            .pick("| 表决 | 条款 | 实际 | 假设 |", "| Ballot | Clause | As it was | As it would have been |")
            .to_owned(),
        false => language.pick("| 表决 | 条款 | 实际 |", "| Ballot | Clause | As it was |").to_owned(),
    });
    lines.push(if changed { "|---|---|---|---|" } else { "|---|---|---|" }.to_owned());
    for review in &report.ballots {
        let rows = rows(language, review).into_iter();
        lines.extend(rows.map(|[name, clause, before, after]| match changed {
            true => format!("| {name} | {clause} | {before} | {after} |"),
            false => format!("| {name} | {clause} | {before} |"),
        }));
    }
    let told = report.ballots.iter().filter(|review| changed || review.standing != Standing::Counted);
    let told: Vec<_> = told.map(|review| format!("- {}", review.text)).collect();
    if !told.is_empty() {
        lines.push(String::new());
        lines.extend(told);
    }
    lines
}

/// The rows of a ballot: what it came to, then each clause of either verdict.
fn rows(language: Language, review: &BallotReview) -> Vec<[String; 4]> {
    let BallotReview { id, round, .. } = review;
    let name = ballot_name(language, *id);
    let name = language.pick(format!("{name}（第 {round} 轮后）"), format!("{name} after round {round}"));
    let (Some(before), Some(after)) = (&review.before, &review.after) else {
        let standing = match review.standing {
            Standing::Interrupted => language.pick("被中断", "interrupted"),
            Standing::Open | Standing::Counted => language.pick("没有计票", "not counted"),
        };
        return vec![[name, String::new(), standing.to_owned(), standing.to_owned()]];
    };
    let verdict = |verdict: &Verdict| match verdict.passed {
        true => language.pick("通过", "passed").to_owned(),
        false => language.pick("未通过", "failed").to_owned(),
    };
    let would = match review.held {
        true => verdict(after),
        false => {
            let not_held = language.pick("（不会举行）", " (not held)");
            format!("{}{not_held}", verdict(after))
        }
    };
    let mut rows = vec![[name, language.pick("判定", "verdict").to_owned(), verdict(before), would]];
    for kind in ClauseKind::VARIANTS.iter().copied() {
        let of = |verdict: &Verdict| verdict.clauses.iter().find(|clause| clause.clause == kind).copied();
        let (before, after) = (of(before), of(after));
        if before.is_some() || after.is_some() {
            let cell =
                |clause: Option<Clause>| clause.map_or("—".to_owned(), |c| clause_cell(language, &c));
            rows.push([String::new(), clause_name(language, kind).to_owned(), cell(before), cell(after)]);
        }
    }
    rows
}

fn clause_cell(language: Language, clause: &Clause) -> String {
    let (got, needed) = figures(language, clause);
    let sign = if clause.met { "✓" } else { "✗" };
    language.pick(format!("{sign} {got}（需要 ≥ {needed}）"), format!("{sign} {got} (needed ≥ {needed})"))
}

fn thresholds(language: Language, sensitivity: &Sensitivity) -> Vec<String> {
    let mut lines = vec![
        String::new(),
        format!("## {}", language.pick("平均分门槛", "Mean score needed")),
        String::new(),
    ];
    if let Some((from, to)) = sensitivity.mean_score {
        lines.push(language.pick(
            format!("门槛在 {from} 到 {to} 之间时结局不变，其他条款照旧。"),
            format!("The outcome stays with {from} to {to}, all other clauses being as they are."),
        ));
        lines.push(String::new());
    }
    lines.push(language.pick("| 门槛 | 首先通过 | |", "| Needed | Passes first | |").to_owned());
    lines.push("|---|---|---|".to_owned());
    lines.extend(sensitivity.thresholds.iter().map(|threshold| {
        let Threshold { from, to, stays, .. } = threshold;
        let range = if from == to { from.to_string() } else { format!("{from}–{to}") };
        let first = match (threshold.ballot, threshold.round) {
            (Some(ballot), Some(round)) => {
                let ballot = ballot_name(language, ballot);
                language.pick(format!("{ballot}（第 {round} 轮后）"), format!("{ballot} after round {round}"))
            }
            (Some(_) | None, _) => language.pick("无", "none").to_owned(),
        };
        let mark = if *stays { language.pick("实际", "as it was") } else { "" };
        format!("| {range} | {first} | {mark} |")
    }));
    lines
}

fn pivots(language: Language, participants: &[Pivot]) -> Vec<String> {
    let mut lines = vec![
        String::new(),
        format!("## {}", language.pick("少了谁会不同", "Whose votes decide")),
        String::new(),
        language.pick("| 不计谁的票 | 结局 |", "| Left out | Outcome |").to_owned(),
        "|---|---|".to_owned(),
    ];
    lines.extend(participants.iter().map(|pivot| {
        let name = one_line(&pivot.name).replace('|', "\\|");
        format!("| {name} | {} |", pivot_cell(language, &pivot.course))
    }));
    lines
}

fn pivot_cell(language: Language, course: &Course) -> String {
    let ballot = course.ballot().map(|ballot| ballot_name(language, ballot)).unwrap_or_default();
    match course {
        Course::Same => language.pick("不变", "stays").to_owned(),
        Course::Earlier { round, .. } => language.pick(
            format!("**关键**：第 {round} 轮后的{ballot}就会通过"),
            format!("**pivotal**: {ballot} after round {round} would have passed"),
        ),
        Course::Otherwise { accepted: true, .. } => language
            .pick(format!("**关键**：{ballot}会通过"), format!("**pivotal**: {ballot} would have passed")),
        Course::Otherwise { accepted: false, .. } => language.pick(
            format!("**关键**：{ballot}不会通过，不会达成一致"),
            format!("**pivotal**: {ballot} would not have passed; no consensus"),
        ),
        Course::Later { .. } => language.pick(
            format!("**关键**：{ballot}不会通过，之后不得而知"),
            format!("**pivotal**: {ballot} would not have passed; what would have followed is not known"),
        ),
    }
}

/// A participant's text is one line here; a line feed would let it add headings.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
