//! A judgement in words, in the reader's language.

use quorate_contract::{ClauseResult, Language, Verdict, ballot_name, clause_name, figures, percent};
use quorate_core::{Ballot, BallotState, Meeting, outcome_text};
use quorate_messages::text;

use super::judge::{counted, rules_of};
use super::{BallotReview, SingleChangeEffect, WhatIf, WhatIfChange, WhatIfCourse, WhatIfSavings};

/// A change as a thing that is otherwise: "a mean score of 70".
pub(super) fn change_text(language: Language, change: &WhatIfChange) -> String {
    match change {
        WhatIfChange::MeanScore { needed } => {
            text!(language, "views-words-mean-score", %needed)
        }
        WhatIfChange::PassRatio { needed } => {
            let share = percent(*needed, 2);
            text!(language, "views-words-pass-ratio", %share)
        }
        WhatIfChange::MinScore { needed } => {
            text!(language, "views-words-lowest-score", %needed)
        }
        WhatIfChange::Quorum { needed } => {
            let share = percent(*needed, 2);
            text!(language, "views-words-quorum", %share)
        }
        WhatIfChange::Mode { mode } => {
            let mode = mode.label(language).to_lowercase();
            text!(language, "views-words-mode", mode)
        }
        WhatIfChange::Without { name, .. } => {
            text!(language, "views-words-leaving-out", %name)
        }
    }
}

/// The course of the meeting in words.
pub(super) fn course_text(m: &Meeting, course: &WhatIfCourse) -> String {
    let language = m.language();
    let decided = m.outcome().is_some();
    let ended = outcome_text(m);
    let name = course.ballot().map(|ballot| ballot_name(language, ballot)).unwrap_or_default();
    match course {
        WhatIfCourse::Same if decided => {
            text!(language, "views-words-would-have-ended-as-did", %ended)
        }
        WhatIfCourse::Same => text!(language, "views-words-nothing-would-have-been-different").to_owned(),
        WhatIfCourse::Earlier { round, saved, .. } => {
            let so_far = match decided {
                true => "",
                false => text!(language, "views-words-so-far"),
            };
            let saved = saved_text(language, saved);
            text!(language, "views-words-would-have-ended-earlier-after", %name, %round, %saved, %so_far)
        }
        WhatIfCourse::Otherwise { round, accepted: true, .. } => {
            text!(language, "views-words-would-have-ended-at-same", %name, %round, %ended)
        }
        WhatIfCourse::Otherwise { round, accepted: false, .. } => {
            text!(language, "views-words-would-have-ended-at-same-2", %name, %round)
        }
        WhatIfCourse::Later { round, rounds_left, .. } => {
            text!(language, "views-words-would-not-have-ended-there", %name, %round, rounds_left = *rounds_left)
        }
    }
}

fn saved_text(language: Language, saved: &WhatIfSavings) -> String {
    let WhatIfSavings { rounds, calls, tokens, cost_micros, estimated } = *saved;
    let tokens = match estimated {
        true => text!(language, "views-words-about-tokens", tokens),
        false => text!(language, "views-words-tokens", tokens),
    };
    let saved = text!(language, "views-words-saved", rounds, calls, tokens);
    match cost_micros {
        Some(micros) if micros > 0 => {
            let amount = format!("{:.4}", micros as f64 / 1e6);
            text!(language, "views-words-saved-at-cost", saved, amount)
        }
        Some(_) | None => saved,
    }
}

/// A ballot, why it turns or stays, and which change alone would do.
pub(super) fn ballot_text(language: Language, ballot: &Ballot, review: &BallotReview) -> String {
    let mut text = match (&review.before, &review.after) {
        (Some(before), Some(after)) => counted_text(language, review, before, after),
        (_, _) => uncounted_text(language, ballot),
    };
    if !review.held {
        text.push_str(text!(language, "views-words-but-meeting-would-have-been"));
    }
    text
}

fn counted_text(language: Language, review: &BallotReview, before: &Verdict, after: &Verdict) -> String {
    let ballot = review.id.0;
    let missed = || reasons(language, &missed(language, after));
    let mut text = match (review.turns, after.passed) {
        (true, true) => {
            let why = reasons(language, &turned(language, before, after));
            text!(language, "views-words-ballot-would-have-passed", %ballot, why)
        }
        (true, false) => {
            text!(language, "views-words-ballot-would-not-have-passed", %ballot, why = missed())
        }
        (false, true) => text!(language, "views-words-ballot-passed-as-did", %ballot),
        (false, false) => text!(language, "views-words-ballot-failed-as-did", %ballot, why = missed()),
    };
    text.push_str(&alone_text(language, &review.alone));
    text
}

fn uncounted_text(language: Language, ballot: &Ballot) -> String {
    let id = ballot.id.0;
    match &ballot.state {
        BallotState::Interrupted(_) => text!(language, "views-words-ballot-interrupted", ballot = %id),
        BallotState::Open | BallotState::Closed(_) => {
            text!(language, "views-words-ballot-not-counted", ballot = %id)
        }
    }
}

/// The clauses that were missed before and hold now.
fn turned(language: Language, before: &Verdict, after: &Verdict) -> Vec<String> {
    let unmet = before.clauses.iter().filter(|clause| !clause.met);
    unmet
        .map(|was| match after.clauses.iter().find(|clause| clause.clause == was.clause) {
            Some(now) => compared(language, now),
            None => {
                let name = clause_name(language, was.clause);
                text!(language, "views-words-not-asked", %name)
            }
        })
        .collect()
}

/// The clauses that are missed.
fn missed(language: Language, after: &Verdict) -> Vec<String> {
    if after.votes + after.abstentions == 0 {
        return vec![text!(language, "views-words-nobody-left-vote").to_owned()];
    }
    after.clauses.iter().filter(|clause| !clause.met).map(|clause| compared(language, clause)).collect()
}

/// A clause as a comparison: "mean score 74.3 ≥ 70".
fn compared(language: Language, clause: &ClauseResult) -> String {
    let (got, needed) = figures(language, clause);
    let sign = if clause.met { "≥" } else { "<" };
    format!("{} {got} {sign} {needed}", clause_name(language, clause.clause))
}

/// Which change would do without the others. Of a single change there is nothing to say.
fn alone_text(language: Language, alone: &[SingleChangeEffect]) -> String {
    if alone.len() < 2 {
        return String::new();
    }
    let of = |enough: bool| -> Vec<String> {
        let such = alone.iter().filter(|one| one.enough == enough);
        such.map(|one| change_text(language, &one.change)).collect()
    };
    let (enough, short) = (of(true), of(false));
    if enough.is_empty() {
        let text = text!(language, "views-words-no-change-alone-enough-takes");
        return text.to_owned();
    }
    let enough = enough.iter().map(|change| text!(language, "views-words-alone-enough", %change));
    let short = short.iter().map(|change| text!(language, "views-words-alone-not", %change));
    let all: Vec<String> = enough.chain(short).collect();
    text!(language, "views-words-of-the-changes", changes = all.join(text!(language, "common-semicolon")))
}

/// Remarks that are needed to read the report rightly.
pub(super) fn notes(m: &Meeting, change: &WhatIf) -> Vec<String> {
    let language = m.language();
    let mut notes = Vec::new();
    if !m.is_over() {
        notes.push(text!(language, "views-words-meeting-not-finished").to_owned());
    }
    let mut held = counted(m).map(|(ballot, _)| rules_of(m, ballot));
    if let Some(first) = held.next()
        && held.any(|rules| rules != first)
    {
        notes.push(text!(language, "views-words-rules-changed").to_owned());
    }
    if let Some(mode) = change.mode {
        let mode = mode.label(language).to_lowercase();
        for idle in change.idle() {
            let change = change_text(language, &idle);
            notes.push(text!(language, "views-words-change-without-effect", %mode, change));
        }
    }
    if !change.without.is_empty() {
        notes.push(text!(language, "views-words-votes-left-out").to_owned());
    }
    notes
}

/// Joins the names of clauses.
fn reasons(language: Language, reasons: &[String]) -> String {
    reasons.join(text!(language, "common-comma"))
}
