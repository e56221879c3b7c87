//! Consequences of a command: the next speaker, the next round, the ballot, the end.
//!
//! After every command the consequences are drawn until nothing more follows. Then the calls that the meeting
//! now needs are dispatched, within the budget.

mod ballot;
mod calls;
mod closing;
pub(crate) mod outage;
mod pause;
mod preparation;
mod requests;
mod round;
mod tools;

use quorate_contract::{
    AbortReason, Actor, BudgetAction, BudgetKind, EventBody, MeetingOutcome, PauseReason,
};

use crate::decide::transaction::Transaction;
use crate::policy::{phases, strides};
use crate::state::tasks::is_request;
use crate::state::{Meeting, Phase, RunState};

pub(crate) use ballot::steer;
pub(crate) use calls::reach;
pub(crate) use pause::{call_to_all, pause, pause_for_budget};
use preparation::next_round;
pub(crate) use requests::no_seat_left;

/// Draws all consequences and dispatches the needed calls.
pub(crate) fn proceed(t: &mut Transaction) {
    loop {
        let before = t.events_so_far();
        calls::drop_unwanted(t);
        advance(t);
        outage::drop_unneeded(t);
        calls::dispatch(t);
        if t.events_so_far() == before {
            return;
        }
    }
}

fn advance(t: &mut Transaction) {
    loop {
        let before = t.events_so_far();
        step(t);
        if t.events_so_far() == before {
            return;
        }
    }
}

fn step(t: &mut Transaction) {
    match (&t.meeting.phase, &t.meeting.run_state) {
        (Phase::Blank | Phase::Draft | Phase::Ended { .. }, _) => return,
        (_, RunState::Paused { .. }) => return requests::by_rules(t),
        (_, RunState::PauseRequested { by }) if !course_runs(&t.meeting) => {
            let by = by.clone();
            return pause(t, PauseReason::UserRequest, Vec::new(), by);
        }
        (_, RunState::PauseRequested { .. } | RunState::Running) => {}
    }
    if let Some(by) = halts(&t.meeting) {
        return pause(t, PauseReason::UserRequest, Vec::new(), by);
    }
    let closing = matches!(t.meeting.phase, Phase::Closing { .. });
    if !closing && t.meeting.course_deadline().is_some_and(|deadline| t.now >= deadline) {
        let limit = t.meeting.rules().limits.wall_ms.unwrap_or(0);
        let (spent, needed) = (t.meeting.ran_ms_at(t.now), t.meeting.concluding_ms());
        t.emit(EventBody::BudgetReached { budget: BudgetKind::WallTime, limit, spent, needed });
        return match t.meeting.rules().limits.when_reached {
            BudgetAction::End => t.close(calls::aborted_by(BudgetKind::WallTime)),
            BudgetAction::Pause => pause::pause_for_budget(t, BudgetKind::WallTime, limit),
        };
    }
    if t.meeting.run_state != RunState::Running {
        return; // the current speaker may finish, as long as there is time
    }
    let preparing = t.meeting.phase == Phase::Preparation;
    if !closing && !preparing && t.meeting.present().next().is_none() {
        return t.close(MeetingOutcome::Aborted(AbortReason::NobodyLeft));
    }
    requests::by_rules(t);
    if tools::ask_host(t) {
        return;
    }
    match &t.meeting.phase {
        Phase::Preparation => preparation::step(t),
        Phase::Discussion => round::turns(t),
        Phase::Summary => round::after(t),
        Phase::Ballot => ballot::count(t),
        Phase::Facilitation => ballot::facilitate(t),
        Phase::Closing { .. } => closing::step(t),
        Phase::Blank | Phase::Draft | Phase::Ended { .. } => {}
    }
}

/// The actor who let the meeting run for one stride only, when that stride is complete.
fn halts(m: &Meeting) -> Option<Actor> {
    let planned = m.planned_pause.as_ref()?;
    let planned = Some(planned).filter(|planned| strides::completed(m, planned.after) > planned.completed)?;
    // A round is complete with its records.
    let summing_up = m.phase == Phase::Summary && !phases::is_summed_up(m);
    (!course_runs(m) && !summing_up).then(|| planned.by.clone())
}

/// Whether a task of the discussion itself is in flight, not one beside it.
fn course_runs(m: &Meeting) -> bool {
    m.calls.keys().any(|task| !is_request(m, *task)) || m.running_tool_calls().next().is_some()
}

#[cfg(test)]
mod tests {
    use quorate_contract::*;

    use crate::*;

    fn newcomer(name: &str) -> Newcomer {
        let role = Role { name: "r".into(), description: "d".into(), system_prompt: String::new() };
        let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
        Newcomer { name: name.into(), role, runner, skip_list: Vec::new() }
    }

    fn started(rules: Rules) -> Meeting {
        let spec = MeetingSpec {
            topic: "t".into(),
            background: String::new(),
            details: Default::default(),
            tools: Vec::new(),
            language: Language::En,
            format: Format::Discussion,
            rules,
            seed: 1,
            facilitator: None,
            moderator: None,
            agenda: Vec::new(),
            models: Vec::new(),
            participants: vec![newcomer("Ada")],
        };
        let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
        execute(&mut meeting, Command::Create { by: Actor::owner(), spec: Box::new(spec) }, 0);
        execute(&mut meeting, Command::Start { by: Actor::owner() }, 0);
        meeting
    }

    /// The events that follow, all of them folded.
    fn execute(m: &mut Meeting, command: Command, now: i64) -> Vec<EventBody> {
        let events = decide(m, command, Timestamp(now)).expect("it is allowed");
        events.iter().for_each(|body| believe(m, body, now));
        events
    }

    fn fork_of(meeting: &Meeting) -> Command {
        let (by, from, title) = (Actor::owner(), meeting.id.clone(), String::new());
        Command::Fork { by, from, title, limits: LimitChanges::default(), without_tools: false }
    }

    fn believe(m: &mut Meeting, body: &EventBody, now: i64) {
        let (meeting_id, run_id, actor, cause) = (m.id.clone(), m.run.clone(), Actor::owner(), String::new());
        let (seq, ts_ms, body) = (m.seq + 1, Timestamp(now), body.clone());
        apply(
            m,
            &Event {
                version: quorate_contract::ContractVersion,
                seq,
                meeting_id,
                run_id,
                ts_ms,
                actor,
                cause,
                body,
            },
        );
    }

    #[test]
    fn a_meeting_whose_speakers_have_all_left_goes_on_with_those_who_came() {
        let mut meeting = started(Format::Discussion.rules());
        execute(&mut meeting, Command::Join { by: Actor::owner(), newcomer: Box::new(newcomer("Ben")) }, 1);
        let events =
            execute(&mut meeting, Command::Leave { by: Actor::owner(), participant: "Ada".into() }, 2);
        assert!(!meeting.is_paused(), "a pause would find nobody to offer the turn again: {events:?}");
        assert_eq!(meeting.round_number(), 2);
        assert_eq!(meeting.round().map(|round| round.order.clone()), Some(vec![ParticipantId(2)]));
    }

    #[test]
    fn time_runs_out_while_a_pause_waits_for_whoever_has_the_floor() {
        let mut rules = Format::Discussion.rules();
        rules.limits.wall_ms = Some(1000);
        let mut meeting = started(rules);
        execute(&mut meeting, Command::Pause { by: Actor::owner(), at_once: false }, 10);
        assert!(pending(&meeting).contains(&Task::Wake(Timestamp(1000))));
        assert_eq!(execute(&mut meeting, Command::Tick, 999), []);
        execute(&mut meeting, Command::Tick, 1000);
        assert!(meeting.is_over(), "whoever wants to be woken has something to do then");
    }
    #[test]
    fn a_fork_between_a_leaving_and_what_followed_asks_nobody_who_has_left() {
        let mut meeting = started(Format::Discussion.rules());
        execute(&mut meeting, Command::Join { by: Actor::owner(), newcomer: Box::new(newcomer("Ben")) }, 1);
        let leave = Command::Leave { by: Actor::owner(), participant: "Ada".into() };
        let events = decide(&meeting, leave, Timestamp(2)).expect("she may leave");
        let left = events.iter().position(|body| matches!(body, EventBody::ParticipantLeft { .. }));
        let mut fork = meeting.clone();
        events[..=left.expect("she has left")].iter().for_each(|body| believe(&mut fork, body, 2));
        let go_on = Command::Resume {
            by: Actor::owner(),
            token: None,
            answers: Default::default(),
            take_defaults: true,
        };
        execute(&mut fork, fork_of(&meeting), 3);
        execute(&mut fork, go_on, 4);
        let asked: Vec<_> =
            fork.calls.keys().filter_map(|task| crate::state::tasks::answerer(&fork, *task)).collect();
        assert_eq!(asked, [ParticipantId(2)]);
    }
}
