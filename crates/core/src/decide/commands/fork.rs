//! A fork: a meeting that begins with the past of another. It makes no call and costs nothing until it is
//! resumed.

use quorate_contract::{
    Actor, CallEnd, EventBody, FailureKind, LimitChanges, MeetingId, PauseReason, Refusal, TOPIC_MAX_CHARS,
    clean, length,
};

use super::settings::rules_changed;
use crate::decide::flow;
use crate::decide::seats;
use crate::decide::transaction::Transaction;
use crate::policy::rules_change::check_changed;
use crate::state::{BallotState, Meeting, Phase, RunState};

/// The log of this meeting is by now a copy of another's beginning; from here on it is its own.
pub(super) fn fork(
    t: &mut Transaction,
    by: Actor,
    from: MeetingId,
    title: &str,
    limits: &LimitChanges,
    without_tools: bool,
) -> Result<(), Refusal> {
    match t.meeting.phase {
        Phase::Blank => return Err(Refusal::NotCreated),
        Phase::Ended { .. } => return Err(Refusal::ForkAfterEnd),
        Phase::Draft | Phase::Preparation | Phase::Discussion | Phase::Summary => {}
        Phase::Ballot | Phase::Facilitation | Phase::Closing { .. } => {}
    }
    let title = clean(title);
    length("title", &title, 0, TOPIC_MAX_CHARS)?;
    let title = if title.is_empty() { t.meeting.title_of_fork() } else { title };
    let carried = Some(t.meeting.carries());
    let at = t.meeting.seq;
    t.emit(EventBody::MeetingForked { from, at, by: by.clone(), title, carried });
    super::tools::abandoned(t);
    if without_tools && !t.meeting.tools.allowed.is_empty() {
        t.emit(EventBody::ToolsAllowed { tools: Vec::new(), by: by.clone() });
    }
    let limits = limits.over(&t.meeting.rules().limits);
    if limits != t.meeting.rules().limits {
        let mut rules = t.meeting.rules().clone();
        rules.limits = limits;
        check_changed(&t.meeting, &rules)?;
        t.emit(rules_changed(Box::new(rules), by.clone()));
    }
    // The log may end between a departure, or going offline, and its consequences.
    let online: Vec<_> = t.meeting.online().map(|seat| seat.participant.id).collect();
    let all = t.meeting.seats.iter().map(|seat| seat.participant.id);
    for id in all.filter(|id| !online.contains(id)).collect::<Vec<_>>() {
        seats::give_up(t, id);
    }
    if t.meeting.phase == Phase::Draft || t.meeting.is_paused() {
        return Ok(());
    }
    match prospect(t) {
        ForkContinuation::GoesOn => {}
        ForkContinuation::OutOf(reached) => {
            let EventBody::BudgetReached { budget, limit, .. } = *reached else { return Ok(()) };
            t.emit(*reached);
            flow::pause_for_budget(t, budget, limit);
            return Ok(());
        }
        ForkContinuation::Ends => reopen(t, &by),
    }
    flow::pause(t, PauseReason::UserRequest, Vec::new(), by);
    Ok(())
}

/// The prospect of a fork that is simply continued.
enum ForkContinuation {
    GoesOn,
    /// A budget does not allow its next call.
    OutOf(Box<EventBody>),
    /// It ends before any call is made.
    Ends,
}

fn prospect(t: &Transaction) -> ForkContinuation {
    if matches!(t.meeting.phase, Phase::Closing { .. }) {
        return ForkContinuation::GoesOn;
    }
    let counted = t.meeting.ballots.last().map(|ballot| &ballot.state);
    let accepted = matches!(counted, Some(BallotState::Closed(verdict)) if verdict.passed);
    if t.meeting.phase == Phase::Facilitation && (accepted || is_last(&t.meeting)) {
        return ForkContinuation::Ends;
    }
    let mut ahead = Transaction::begin(&t.meeting, t.now);
    ahead.meeting.held = false;
    ahead.meeting.run_state = RunState::Running;
    ahead.meeting.planned_pause = None;
    flow::proceed(&mut ahead);
    let nobody_left = ahead.meeting.present().next().is_none();
    let ends = ahead.meeting.outcome().is_some() && !nobody_left;
    let rests = matches!(ahead.meeting.run_state, RunState::Paused { reason: PauseReason::BudgetLimit, .. });
    let reached =
        ahead.into_bodies().into_iter().find(|event| matches!(event, EventBody::BudgetReached { .. }));
    // A request that the budget does not allow is fulfilled by the rules; that ends nothing.
    match reached.filter(|_| ends || rests) {
        Some(reached) => ForkContinuation::OutOf(Box::new(reached)),
        None if ends => ForkContinuation::Ends,
        None => ForkContinuation::GoesOn,
    }
}

fn is_last(m: &Meeting) -> bool {
    m.is_last_round(m.round_number())
}

/// Opens another round, where the original meeting has ended.
fn reopen(t: &mut Transaction, by: &Actor) {
    let round = t.meeting.round_number().saturating_add(1);
    if is_last(&t.meeting) {
        let mut rules = t.meeting.rules().clone();
        rules.limits.max_rounds = round;
        t.emit(rules_changed(Box::new(rules), by.clone()));
    }
    // The fork may lie between the last turn of a round and its end.
    let open = t.meeting.round().filter(|round| round.ended_seq.is_none());
    if let Some(round) = open.map(|round| round.number) {
        t.emit(EventBody::RoundEnded { round });
    }
    t.emit(EventBody::PreparationStarted { round });
}

/// The last event of a log from which a fork can continue: the last one, or the one before the end of the
/// meeting.
pub fn last_fork_point<'e>(log: impl IntoIterator<Item = &'e EventBody>) -> u64 {
    let log: Vec<&EventBody> = log.into_iter().collect();
    let Some(closing) = log.iter().rposition(|body| matches!(body, EventBody::MeetingClosing { .. })) else {
        return log.len() as u64;
    };
    let mut ends = false;
    let led_there = log[..closing].iter().rev().take_while(|body| match body {
        EventBody::EndRequested { .. } => {
            ends = true;
            true
        }
        EventBody::Resume { .. } => ends,
        EventBody::BudgetReached { .. } => true,
        EventBody::TurnFailed { kind: FailureKind::Budget, .. } => true,
        EventBody::CallEnded { end: CallEnd::Cancelled, .. } => true,
        _ => false,
    });
    let led_there = led_there.count();
    closing.saturating_sub(led_there).max(1) as u64
}
