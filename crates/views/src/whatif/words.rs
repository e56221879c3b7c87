//! A judgement in words, in both languages.

use quorate_contract::{Clause, Language, Verdict, ballot_name, clause_name, figures, percent};
use quorate_core::{Ballot, BallotState, Meeting, outcome_text};
use quorate_messages::text;

use super::judge::{counted, rules_of};
use super::{Alone, BallotReview, Change, Course, Saved, WhatIf};

/// A change as a thing that is otherwise: "a mean score of 70".
pub(super) fn change_text(language: Language, change: &Change) -> String {
    match change {
        Change::MeanScore { needed } => {
            text!(language, "views-words-mean-score", %needed)
        }
        Change::PassRatio { needed } => {
            let share = percent(*needed, 2);
            text!(language, "views-words-pass-ratio", %share)
        }
        Change::MinScore { needed } => {
            text!(language, "views-words-lowest-score", %needed)
        }
        Change::Quorum { needed } => {
            let share = percent(*needed, 2);
            text!(language, "views-words-quorum", %share)
        }
        Change::Mode { mode } => text!(language, "views-words-mode", %mode),
        Change::Without { name, .. } => {
            text!(language, "views-words-leaving-out", %name)
        }
    }
}

/// The course of the meeting in words.
pub(super) fn course_text(m: &Meeting, course: &Course) -> String {
    let language = m.language();
    let decided = m.outcome().is_some();
    let ended = outcome_text(m);
    let name = course.ballot().map(|ballot| ballot_name(language, ballot)).unwrap_or_default();
    match course {
        Course::Same if decided => {
            text!(language, "views-words-would-have-ended-as-did", %ended)
        }
        Course::Same => text!(language, "views-words-nothing-would-have-been-different")
            .to_owned(),
        Course::Earlier { round, saved, .. } => {
            let so_far = match decided {
                true => "",
                false => text!(language, "views-words-so-far"),
            };
            let saved = saved_text(language, saved);
            text!(language, "views-words-would-have-ended-earlier-after", %name, %round, %saved, %so_far)
        }
        Course::Otherwise { round, accepted: true, .. } => text!(language, "views-words-would-have-ended-at-same", %name, %round, %ended),
        Course::Otherwise { round, accepted: false, .. } => text!(language, "views-words-would-have-ended-at-same-2", %name, %round),
        Course::Later { round, rounds_left, .. } => language.pick(
            format!("不会在那时结束：第 {round} 轮后的{name}不会通过，会议会继续，最多还有 {rounds_left} 轮。记录到此为止，之后会怎样不得而知。"),
            format!(
                "It would not have ended there: {name} after round {round} would not have passed, and the table would have gone on, for {} at the most. The record ends there; what would have followed is not known.",
                plural(*rounds_left, "round")
            ),
        ),
    }
}

fn saved_text(language: Language, saved: &Saved) -> String {
    let Saved { rounds, calls, tokens, cost_micros, estimated } = saved;
    let about = match estimated {
        true => text!(language, "views-words-about"),
        false => "",
    };
    let money = match cost_micros {
        Some(micros) if *micros > 0 => {
            let amount = format!("{:.4}", *micros as f64 / 1e6);
            text!(language, "views-words-at-cost", %amount)
        }
        Some(_) | None => String::new(),
    };
    let (in_rounds, in_calls) = (plural(*rounds, "round"), plural(*calls, "call"));
    language.pick(
        format!("{rounds} 轮、{calls} 次调用、{about}{tokens} 个令牌{money}"),
        format!("{in_rounds}, {in_calls} and {about}{tokens} tokens{money}"),
    )
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
    let (zh, en) = (ballot_name(Language::Zh, review.id), format!("Ballot {}", review.id.0));
    let mut text = match (review.turns, after.passed) {
        (true, true) => {
            let why = reasons(language, &turned(language, before, after));
            language.pick(format!("{zh}会通过：{why}。"), format!("{en} would have passed: {why}."))
        }
        (true, false) => {
            let why = reasons(language, &missed(language, after));
            language.pick(format!("{zh}不会通过：{why}。"), format!("{en} would not have passed: {why}."))
        }
        (false, true) => {
            language.pick(format!("{zh}同样通过。"), format!("{en} would have passed as it did."))
        }
        (false, false) => {
            let why = reasons(language, &missed(language, after));
            language
                .pick(format!("{zh}同样不通过：{why}。"), format!("{en} would have failed as it did: {why}."))
        }
    };
    text.push_str(&alone_text(language, &review.alone));
    text
}

fn uncounted_text(language: Language, ballot: &Ballot) -> String {
    let (zh, en) = (ballot_name(Language::Zh, ballot.id), format!("Ballot {}", ballot.id.0));
    match &ballot.state {
        BallotState::Interrupted(_) => language.pick(
            format!("{zh}被一条发言中断，已投的票不计；在任何规则下都是如此。"),
            format!("{en} was interrupted by a message; its votes do not count, under any rules."),
        ),
        BallotState::Open | BallotState::Closed(_) => language.pick(
            format!("{zh}没有计票：还有人没有投票。"),
            format!("{en} was not counted: not everybody has voted."),
        ),
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
fn compared(language: Language, clause: &Clause) -> String {
    let (got, needed) = figures(language, clause);
    let sign = if clause.met { "≥" } else { "<" };
    format!("{} {got} {sign} {needed}", clause_name(language, clause.clause))
}

/// Which change would do without the others. Of a single change there is nothing to say.
fn alone_text(language: Language, alone: &[Alone]) -> String {
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
    language.pick(format!("{}。", all.join("，")), format!(" Of the changes, {}.", all.join("; ")))
}

/// Remarks that are needed to read the report rightly.
pub(super) fn notes(m: &Meeting, change: &WhatIf) -> Vec<String> {
    let language = m.language();
    let mut notes = Vec::new();
    let mut note = |zh: String, en: String| notes.push(language.pick(zh, en));
    if !m.is_over() {
        note(
            "会议尚未结束；以上只就目前的记录而言。".into(),
            "The meeting is not finished; all of this holds for its log so far.".into(),
        );
    }
    let mut held = counted(m).map(|(ballot, _)| rules_of(m, ballot));
    if let Some(first) = held.next()
        && held.any(|rules| rules != first)
    {
        note(
            "会议中途改过规则；每次表决都按当时有效的规则判定。".into(),
            "The rules were changed during the meeting; each ballot is judged by those that held when it was counted."
                .into(),
        );
    }
    if let Some(mode) = change.mode {
        for idle in change.idle() {
            let what = change_text(language, &idle);
            note(
                format!("“{what}”不起作用：{mode} 不看这一项。"),
                format!("With the mode {mode}, {what} has no effect: it is not asked for."),
            );
        }
    }
    if !change.without.is_empty() {
        note(
            "只是不计他们的票；他们说过的话仍然影响了其他人。".into(),
            "Only votes are left out; what was said has been heard by the others.".into(),
        );
    }
    notes
}

/// Joins the names of clauses.
fn reasons(language: Language, reasons: &[String]) -> String {
    reasons.join(text!(language, "common-comma"))
}

fn plural(count: u32, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}
