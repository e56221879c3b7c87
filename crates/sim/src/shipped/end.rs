//! What is checked when all meetings are over.

use std::sync::Arc;

use quorate_contract::Event;
use quorate_core::Meeting;
use quorate_views::{BallotStanding, DeliberationHealth, Report, WhatIf, what_if};

use super::log_check::LogCheck;
use super::place::Place;
use super::results;
use super::world::World;
use crate::report::{count, ended};

/// Checks the database as a whole, and what is computed of each meeting.
pub(super) fn check(world: &Arc<World>, place: &Place) -> Result<(), String> {
    world.check_said();
    let _quiet = world.disk.quietly();
    world.vendors.check_windows()?;
    let verified =
        quorate_store::verify_over(&place.path, place.disk(world)).map_err(|error| error.to_string())?;
    if verified.further_problems > 0 || !verified.problems.is_empty() {
        return Err(format!("the database is damaged: {verified:?}"));
    }
    let all = world.known();
    let mut report = world.report();
    for (id, known) in &*all {
        let meeting = &known.checker.meeting;
        let events: Vec<Event> = known.lines.iter().filter_map(|line| Event::from_json(line).ok()).collect();
        let checked = agree(meeting, &known.own).and_then(|()| results::check(meeting, &events));
        checked.map_err(|what| format!("{id}: {what}"))?;
        let (billed, spent) = (world.vendors.billed(id), meeting.spent.usage.total());
        if billed > spent {
            return Err(format!("{id}: the vendors billed {billed} tokens, and it says {spent}"));
        }
        if let Some(outcome) = meeting.outcome() {
            count(&mut report.outcomes, ended(outcome));
        }
        report.meetings += 1;
    }
    report.steps = world.process.load(std::sync::atomic::Ordering::Relaxed);
    Ok(())
}

/// Checks that all views of the ballots say what their votes say.
fn agree(meeting: &Meeting, own: &LogCheck) -> Result<(), String> {
    let (report, health) = (Report::of(meeting), DeliberationHealth::of(meeting));
    let reviewed = what_if(meeting, &WhatIf::default());
    let reviews = reviewed.as_ref().map(|reviewed| &reviewed.ballots[..]).unwrap_or_default();
    let ballots = own.ballots();
    let numbers = (report.ballots.len(), ballots.len());
    // A meeting without a counted ballot cannot be judged again.
    let is_counted = ballots.values().any(|ballot| ballot.verdict.is_some());
    if numbers.0 != numbers.1 || (is_counted && reviews.len() != ballots.len()) {
        let problem = reviewed.as_ref().err();
        return Err(format!("{numbers:?} ballots are reported, {} reviewed: {problem:?}", reviews.len()));
    }
    for told in &report.ballots {
        let Some(known) = ballots.get(&told.id) else { return Err(format!("{} is reported", told.id)) };
        let state = match (&known.verdict, known.is_interrupted) {
            (Some(verdict), _) if verdict.passed => "passed",
            (Some(_), _) => "failed",
            (None, true) => "interrupted",
            // Nobody votes any more.
            (None, false) if meeting.is_over() => "interrupted",
            (None, false) => "open",
        };
        if told.state != state || told.verdict != known.verdict {
            return Err(format!(
                "{} is {state}, and reported as {} with {:?}",
                told.id, told.state, told.verdict
            ));
        }
        let mut reported: Vec<u8> = told.votes.iter().filter_map(|vote| vote.score).collect();
        let mut cast: Vec<u8> = known.votes.values().flatten().map(|vote| vote.score).collect();
        cast.sort_unstable();
        reported.sort_unstable();
        if cast != reported {
            return Err(format!("{} has the scores {cast:?}, and {reported:?} in the report", told.id));
        }
        let mean = (!cast.is_empty())
            .then(|| cast.iter().map(|score| f64::from(*score)).sum::<f64>() / cast.len() as f64);
        let measured =
            health.rounds.iter().flat_map(|round| &round.ballots).find(|ballot| ballot.ballot == told.id);
        let differs = |measured: Option<f64>| match (measured, mean) {
            (Some(measured), Some(mean)) => (measured - mean).abs() > 0.06,
            (measured, mean) => measured.is_some() != mean.is_some(),
        };
        if measured.is_some_and(|measured| known.verdict.is_some() && differs(measured.mean)) {
            return Err(format!("{} has a mean of {mean:?}, and health says {measured:?}", told.id));
        }
        let Some(review) = reviews.iter().find(|review| review.id == told.id) else {
            continue;
        };
        let standing = match state {
            "passed" | "failed" => BallotStanding::Counted,
            "interrupted" if known.is_interrupted => BallotStanding::Interrupted,
            _ => BallotStanding::Open,
        };
        if known.rules.as_ref().is_some_and(|rules| *rules != review.rules) {
            return Err(format!(
                "{} is judged by other rules than those that held when it was counted",
                told.id
            ));
        }
        if review.standing != standing || review.before != known.verdict || review.turns {
            return Err(format!("{} is {state}, and what-if without a change says {review:?}", told.id));
        }
    }
    Ok(())
}
