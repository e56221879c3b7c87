//! Preparation of a round: questions to the person who asks, a team for the topic.

use quorate_contract::{Actor, EventBody, IntakeTiming, PARTICIPANTS_MAX, PauseReason, Question, TaskId};
use quorate_messages::message;
use serde_json::json;

use super::{pause, round};
use crate::decide::seats::{depart, seat};
use crate::decide::transaction::Transaction;
use crate::policy::phases::{asks, changes_team, first_round, is_first, wants_newcomers};
use crate::policy::roster;
use crate::records::rule_based;
use crate::state::Meeting;
use crate::state::tasks::can_facilitate;

/// The next round, or what has to be done before it.
pub(crate) fn next_round(t: &mut Transaction, number: u32) {
    if asks(&t.meeting) || changes_team(&t.meeting) {
        t.emit(EventBody::PreparationStarted { round: number });
    } else {
        round::start(t, number);
    }
}

pub(super) fn step(t: &mut Transaction) {
    let m = &t.meeting;
    let Some(preparation) = m.preparation.as_deref() else {
        let first = first_round(m);
        return next_round(t, first);
    };
    let number = preparation.round;
    if asks(m) && !preparation.asked {
        match &preparation.questions {
            None if can_facilitate(m, TaskId::Intake(number)) => return,
            None => {
                return t.emit(EventBody::IntakeWritten {
                    round: number,
                    by: Actor::System,
                    questions: Vec::new(),
                });
            }
            Some(questions) => {
                let questions = questions.clone();
                if m.rules().intake.when == IntakeTiming::EachRound {
                    let questions = check_in(m, questions);
                    return pause::ask(t, PauseReason::CheckIn, questions);
                } else if !questions.is_empty() {
                    return pause::ask(t, PauseReason::MissingInfo, questions);
                }
            }
        }
    }
    // What was proposed is asked about even when it would not be proposed any more.
    if changes_team(m) || preparation.proposal.is_some() {
        match &preparation.proposal {
            None if wants_newcomers(m) && can_facilitate(m, TaskId::Team(number)) => return,
            None => {
                let candidates = match is_first(m) {
                    true => rule_based::team(m),
                    false => Vec::new(),
                };
                let departures = roster::departures(m);
                return t.emit(EventBody::TeamProposed {
                    round: number,
                    by: Actor::System,
                    candidates,
                    departures,
                });
            }
            Some(proposal) => {
                let empty = proposal.candidates.is_empty() && proposal.departures.is_empty();
                if m.rules().roster.approve && preparation.approved.is_none() && !empty {
                    let questions = approval();
                    return pause::ask(t, PauseReason::NeedApproval, questions);
                }
            }
        }
    }
    carry_out(t, number);
}

/// Lets those come and go who were proposed, unless a person said no, and begins the round.
fn carry_out(t: &mut Transaction, number: u32) {
    let preparation = t.meeting.preparation.clone().unwrap_or_default();
    let agreed = preparation.approved.unwrap_or(true);
    if let Some(proposal) = preparation.proposal.as_ref().filter(|_| agreed) {
        for departure in &proposal.departures {
            let (id, reason) = (departure.participant, departure.reason.clone());
            // Others may have left since it was proposed.
            let may_go = t.meeting.present().count() > t.meeting.rules().roster.min_team as usize;
            if may_go && t.meeting.seat(id).is_some_and(|seat| seat.present) {
                depart(t, id, Actor::System, reason);
            }
        }
        for candidate in &proposal.candidates {
            let taken = t.meeting.seats.iter().any(|one| one.participant.name == candidate.newcomer.name);
            if !taken && t.meeting.present().count() < PARTICIPANTS_MAX {
                let reason = candidate.reason.clone();
                seat(t, candidate.newcomer.clone(), Actor::Facilitator, reason, None);
            }
        }
    }
    round::start(t, number);
}

/// The questions before every round: whether the topic still fits, and what is missing.
fn check_in(m: &Meeting, questions: Vec<Question>) -> Vec<Question> {
    let topic = Question {
        default: Some(json!(m.settings.topic)),
        ..pause::words("topic", message!("question-new-topic"))
    };
    let more = pause::words("more", message!("question-anything-to-add"));
    let mut all = vec![topic];
    all.extend(questions);
    all.push(more);
    all
}

/// The question whether candidates and departures are approved.
fn approval() -> Vec<Question> {
    let choices = ["accept", "reject", "again"];
    vec![
        pause::choice("team", message!("question-agree-with-team"), &choices, "accept"),
        pause::words("leave_out", message!("question-leave-out")),
        pause::words("note", message!("question-another-proposal")),
    ]
}
