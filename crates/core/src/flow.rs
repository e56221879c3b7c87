//! What follows by itself: the next speaker, the next round, the ballot, the end.
//!
//! After every wish the consequences are drawn until nothing more follows; then the calls that
//! the meeting now wants are dispatched, within the budget.

use crate::event::{
    AbortReason, Author, BudgetKind, EventBody, MeetingOutcome, PauseReason, RoundKind, TurnReason,
};
use crate::ids::{BallotId, ParticipantId, TaskId, TurnId};
use crate::meeting::{BallotState, Phase, Rest, Speaker, Turn, TurnState, number_after};
use crate::records::mechanical;
use crate::rules::{SteeringRule, budget, order, tally, targets};
use crate::table::Table;
use crate::task::FailureKind;
use crate::tasks::wanted;
use crate::text::shorten;

/// Draws all consequences and dispatches what is wanted.
pub(crate) fn settle_down(t: &mut Table) {
    loop {
        let before = t.facts_so_far();
        advance(t);
        dispatch(t);
        if t.facts_so_far() == before {
            return;
        }
    }
}

fn advance(t: &mut Table) {
    loop {
        let before = t.facts_so_far();
        step(t);
        if t.facts_so_far() == before {
            return;
        }
    }
}

fn step(t: &mut Table) {
    match (&t.meeting.phase, &t.meeting.rest) {
        (Phase::Blank | Phase::Draft | Phase::Ended { .. }, _) | (_, Rest::Paused { .. }) => return,
        (_, Rest::PauseRequested { by }) if t.meeting.calls.is_empty() => {
            let by = by.clone();
            return pause(t, PauseReason::UserRequest, by);
        }
        (_, Rest::PauseRequested { .. } | Rest::Running) => {}
    }
    let closing = matches!(t.meeting.phase, Phase::Closing { .. });
    if !closing && t.meeting.wall_deadline().is_some_and(|deadline| t.now >= deadline) {
        let limit = t.meeting.rules().limits.wall_ms.unwrap_or(0);
        let since_start = t.now.since_ms(t.meeting.started_at.unwrap_or(t.now));
        let spent = since_start.saturating_sub(t.meeting.rested_ms);
        t.state(EventBody::BudgetReached { budget: BudgetKind::WallTime, limit, spent, needed: 0 });
        return t.close(aborted_by(BudgetKind::WallTime));
    }
    if t.meeting.rest != Rest::Running {
        return; // whoever has the floor may finish, as long as there is time
    }
    if !closing && t.meeting.present().next().is_none() {
        return t.close(MeetingOutcome::Aborted(AbortReason::NobodyLeft));
    }
    match &t.meeting.phase {
        Phase::Discussion => turns(t),
        Phase::Summary => summary(t),
        Phase::Ballot => ballot(t),
        Phase::Facilitation => facilitation(t),
        Phase::Closing { .. } => closing_step(t),
        Phase::Blank | Phase::Draft | Phase::Ended { .. } => {}
    }
}

fn aborted_by(budget: BudgetKind) -> MeetingOutcome {
    MeetingOutcome::Aborted(AbortReason::Budget { budget })
}

pub(crate) fn pause(t: &mut Table, reason: PauseReason, by: String) {
    // Whoever resumes shows that it means this pause; the number makes tokens of one meeting differ.
    let number = order::mix(&[t.meeting.charter.seed, t.meeting.seq]);
    let suggested_next = match reason {
        PauseReason::UserRequest => "resume",
        PauseReason::NobodyAnswered => "check_providers_then_resume",
    };
    t.state(EventBody::Pause {
        pause_reason: reason,
        resume_token: format!("{number:016x}"),
        suggested_next: suggested_next.to_owned(),
        by,
    });
}

/// The first round, and every later one.
pub(crate) fn start_round(t: &mut Table, number: u32) {
    let kind = order::kind(&t.meeting, number);
    let mut order = order::order(&t.meeting, number);
    if kind == RoundKind::Serial {
        // Whoever was called by name since it was last asked begins (P57), the latest call first.
        order.sort_by_key(|id| {
            let call = t.meeting.unanswered_mention(*id);
            let place = call.and_then(|said| said.mentions.iter().position(|mentioned| mentioned == id));
            (std::cmp::Reverse(call.map(|said| said.id)), place)
        });
    }
    let focus = focus(t);
    t.state(EventBody::RoundStarted { round: number, kind, order, focus });
}

/// What the next round is to look at: the facilitator's foci, and what people said meanwhile.
fn focus(t: &Table) -> Vec<String> {
    let m = &t.meeting;
    let last_ballot = m.ballots.last().filter(|ballot| matches!(ballot.state, BallotState::Closed(_)));
    let facilitated = m.facilitations.last().filter(|f| last_ballot.is_some_and(|b| b.id == f.ballot));
    let mut focus: Vec<String> = facilitated.map(|f| f.next_focus.clone()).unwrap_or_default();
    if !m.rounds.is_empty() {
        let since = m.said[m.round_from.min(m.said.len())..].iter();
        let people = since.filter(|said| matches!(said.speaker, Speaker::Person(_)));
        focus.extend(people.map(|said| shorten(&said.content, 300)));
    }
    focus
}

fn turns(t: &mut Table) {
    let Some(round) = t.meeting.round() else { return };
    if round.turns.iter().any(|turn| turn.state == TurnState::Open) {
        return;
    }
    let kind = round.kind;
    if round.queue.is_empty() {
        let failed = |turn: &Turn| matches!(turn.state, TurnState::Failed(_));
        // To rest makes sense when there is somebody to whom a turn can be offered again.
        let may_try_again = |turn: &Turn| {
            let id = turn.participant;
            round.order.contains(&id) && t.meeting.seat(id).is_some_and(|seat| seat.present)
        };
        let nobody = round.turns.iter().all(failed) && round.turns.iter().any(may_try_again);
        let number = round.number;
        return match nobody {
            true => pause(t, PauseReason::NobodyAnswered, "system".to_owned()),
            false => t.state(EventBody::RoundEnded { round: number }),
        };
    }
    let called: Vec<(ParticipantId, TurnReason)> = match kind {
        RoundKind::Serial => round.queue.first().cloned().into_iter().collect(),
        RoundKind::Blind | RoundKind::Parallel => round.queue.clone(),
    };
    for (participant, reason) in called {
        select(t, participant, reason);
    }
}

fn select(t: &mut Table, participant: ParticipantId, reason: TurnReason) {
    // A word between the rounds, or in a parallel one, is told to whom it names when it speaks (P56).
    let by = t.meeting.unanswered_mention(participant).map(|said| said.id);
    let reason = by.map_or(reason, |by| TurnReason::Mentioned { by });
    let Some(round) = t.meeting.round() else { return };
    let turn = TurnId { round: round.number, place: number_after(round.turns.len()) };
    let rules = &t.meeting.rules().turns;
    let reply_targets = match round.kind {
        RoundKind::Blind => Vec::new(),
        RoundKind::Serial | RoundKind::Parallel => {
            targets::choose(&t.meeting, participant, rules.cross_reply_targets)
        }
    };
    // Whoever is asked something in particular is waited for.
    let can_skip = rules.may_skip && reason == TurnReason::Rotation && round.kind != RoundKind::Blind;
    t.state(EventBody::SpeakerSelected { turn, participant, reason, can_skip, reply_targets });
}

fn summary(t: &mut Table) {
    let m = &t.meeting;
    let Some(round) = m.round() else { return };
    let number = round.number;
    let interrupted = m
        .ballots
        .last()
        .is_some_and(|ballot| ballot.round == number && matches!(ballot.state, BallotState::Interrupted(_)));
    if interrupted {
        // What interrupted the ballot is what the table talks about next; after the last round
        // it votes again at once, with the message before its eyes.
        return match number < m.rules().limits.max_rounds {
            true => start_round(t, number + 1),
            false => open_ballot(t),
        };
    }
    let rules = m.rules();
    let needed = rules.context.rolling_summary || rules.decision.ballots;
    let written = m.summaries.last().is_some_and(|summary| summary.round == number);
    if needed && !written {
        if m.charter.facilitator.is_none() || m.given_up.contains(&TaskId::Summarize(number)) {
            let form = mechanical::summary(m);
            let positions = form.positions;
            t.state(EventBody::SummaryWritten {
                round: number,
                by: Author::Rules,
                text: form.summary,
                positions,
                restored: Vec::new(),
            });
            let unchanged = t.meeting.draft().is_some_and(|draft| draft.text == form.draft);
            if !form.draft.is_empty() && !unchanged {
                let version = number_after(t.meeting.drafts.len());
                t.state(EventBody::DraftRevised { version, text: form.draft, by: Author::Rules });
            }
        }
        return;
    }
    after_round(t, number);
}

fn after_round(t: &mut Table, number: u32) {
    let rules = t.meeting.rules();
    let last = number >= rules.limits.max_rounds;
    if rules.decision.ballots && number >= rules.decision.min_rounds && t.meeting.draft().is_some() {
        open_ballot(t);
    } else if last && rules.decision.ballots {
        t.close(MeetingOutcome::Aborted(AbortReason::RoundLimit));
    } else if last {
        t.close(MeetingOutcome::Completed);
    } else {
        start_round(t, number + 1);
    }
}

fn open_ballot(t: &mut Table) {
    let m = &t.meeting;
    let opened = EventBody::BallotOpened {
        ballot: BallotId(number_after(m.ballots.len())),
        round: m.round_number(),
        draft_version: m.draft().map_or(0, |draft| draft.version),
        voters: m.present().map(|seat| seat.participant.id).collect(),
    };
    t.state(opened);
}

fn ballot(t: &mut Table) {
    let Some(ballot) = t.meeting.ballots.last() else { return };
    if ballot.cast.len() < ballot.voters.len() {
        return;
    }
    let verdict = tally(&t.meeting.rules().decision, ballot);
    let (id, round, passed) = (ballot.id, ballot.round, verdict.passed);
    t.state(EventBody::BallotClosed { ballot: id, verdict });
    if passed {
        t.close(MeetingOutcome::Accepted { ballot: id });
    } else if round >= t.meeting.rules().limits.max_rounds {
        t.close(MeetingOutcome::Aborted(AbortReason::RoundLimit));
    }
}

fn facilitation(t: &mut Table) {
    let m = &t.meeting;
    let Some(ballot) = m.ballots.last() else { return };
    let task = TaskId::Facilitate(ballot.id);
    let written = m.facilitations.last().is_some_and(|f| f.ballot == ballot.id);
    if written || m.charter.facilitator.is_none() || m.given_up.contains(&task) {
        let next = m.round_number() + 1;
        start_round(t, next);
    }
}

fn closing_step(t: &mut Table) {
    let m = &t.meeting;
    if m.conclusion.is_none() {
        if wanted(m).is_empty() {
            let form = mechanical::conclusion(m);
            t.state(EventBody::ConclusionWritten {
                by: Author::Rules,
                conclusion: form.conclusion,
                disagreements: form.disagreements,
                actions: form.actions,
            });
        }
        return;
    }
    let Some(outcome) = m.outcome().cloned() else { return };
    let finished = EventBody::Finished {
        outcome,
        rounds: m.rounds_held(),
        usage: m.spent.usage,
        cost_micros: m.spent.known_cost_micros(),
    };
    t.state(finished);
}

/// Starts every call that the meeting wants and the budget allows. What does not fit waits while
/// calls are under way, for they may use less than was held back; when none are, the budget is
/// reached.
fn dispatch(t: &mut Table) {
    for task in wanted(&t.meeting) {
        if t.meeting.calls.contains_key(&task) {
            continue;
        }
        let reserved = budget::reserve(&t.meeting, task);
        match budget::fits(&t.meeting, &reserved) {
            Ok(()) => {
                let attempt = t.meeting.tries.get(&task).map_or(1, |tries| tries + 1);
                t.state(EventBody::CallStarted { task, attempt, reserved });
            }
            Err(_) if !t.meeting.calls.is_empty() => return,
            Err(shortage) => {
                let budget::Shortage { budget, limit, spent, needed } = shortage;
                t.state(EventBody::BudgetReached { budget, limit, spent, needed });
                return out_of_budget(t, task, budget);
            }
        }
    }
}

fn out_of_budget(t: &mut Table, task: TaskId, budget: BudgetKind) {
    if task == TaskId::Conclude {
        // The conclusion is then drawn by the rules, from what was said.
        return t.state(EventBody::Error {
            task,
            kind: FailureKind::Budget,
            detail: t
                .meeting
                .language()
                .pick("预算不足以撰写结论", "the budget does not allow a written conclusion")
                .to_owned(),
            hint: t.meeting.language().pick("提高预算后重试", "raise the budget next time").to_owned(),
        });
    }
    let open: Vec<_> = t
        .meeting
        .round()
        .map(|round| round.turns.iter().filter(|turn| turn.state == TurnState::Open).collect::<Vec<_>>())
        .unwrap_or_default()
        .into_iter()
        .map(|turn| (turn.id, turn.participant))
        .collect();
    for (turn, participant) in open {
        let language = t.meeting.language();
        t.state(EventBody::TurnFailed {
            turn,
            participant,
            kind: FailureKind::Budget,
            detail: language.pick("预算已用尽", "the budget is used up").to_owned(),
            hint: language.pick("提高预算后分叉重来", "fork the meeting with a larger budget").to_owned(),
        });
    }
    t.close(aborted_by(budget));
}

/// A person's word during a ballot: by the rules it interrupts the ballot or waits (003 §4.4).
pub(crate) fn steer(t: &mut Table, by: crate::ids::MessageId) {
    let voting = t.meeting.phase == Phase::Ballot;
    if !voting || t.meeting.rules().decision.on_steering == SteeringRule::Queue {
        return;
    }
    let Some(ballot) = t.meeting.ballots.last().map(|ballot| ballot.id) else { return };
    t.cancel_calls();
    t.state(EventBody::BallotInterrupted { ballot, by });
}

#[cfg(test)]
mod tests {
    use crate::*;

    const BY: &str = "user:owner";

    fn newcomer(name: &str) -> Newcomer {
        let role = Role { name: "r".into(), description: "d".into(), system_prompt: String::new() };
        let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
        Newcomer { name: name.into(), role, runner }
    }

    fn started(rules: Rules) -> Meeting {
        let founding = Founding {
            topic: "t".into(),
            background: String::new(),
            language: Language::En,
            format: Format::Discussion,
            rules,
            seed: 1,
            facilitator: None,
            participants: vec![newcomer("Ada")],
        };
        let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
        wish(&mut meeting, Command::Create { by: BY.into(), founding: Box::new(founding) }, 0);
        wish(&mut meeting, Command::Start { by: BY.into() }, 0);
        meeting
    }

    /// The facts that follow, all of them folded.
    fn wish(m: &mut Meeting, command: Command, now: i64) -> Vec<EventBody> {
        let facts = decide(m, command, Moment(now)).expect("it is allowed");
        facts.iter().for_each(|body| believe(m, body, now));
        facts
    }

    fn believe(m: &mut Meeting, body: &EventBody, now: i64) {
        let (meeting_id, run_id, actor, cause) = (m.id.clone(), m.run.clone(), BY.into(), String::new());
        let (seq, ts_ms, body) = (m.seq + 1, Moment(now), body.clone());
        apply(m, &Event { seq, meeting_id, run_id, ts_ms, actor, cause, body });
    }

    #[test]
    fn a_meeting_whose_speakers_have_all_left_goes_on_with_those_who_came() {
        let mut meeting = started(Format::Discussion.rules());
        wish(&mut meeting, Command::Join { by: BY.into(), newcomer: Box::new(newcomer("Ben")) }, 1);
        let facts = wish(&mut meeting, Command::Leave { by: BY.into(), participant: "Ada".into() }, 2);
        assert!(!meeting.is_paused(), "a pause would find nobody to offer the turn again: {facts:?}");
        assert_eq!(meeting.round_number(), 2);
        assert_eq!(meeting.round().map(|round| round.order.clone()), Some(vec![ParticipantId(2)]));
    }

    #[test]
    fn time_runs_out_while_a_pause_waits_for_whoever_has_the_floor() {
        let mut rules = Format::Discussion.rules();
        rules.limits.wall_ms = Some(1000);
        let mut meeting = started(rules);
        wish(&mut meeting, Command::Pause { by: BY.into(), at_once: false }, 10);
        assert!(pending(&meeting).contains(&Task::Wake(Moment(1000))));
        assert_eq!(wish(&mut meeting, Command::Tick, 999), []);
        wish(&mut meeting, Command::Tick, 1000);
        assert!(meeting.is_over(), "whoever wants to be woken has something to do then");
    }
    #[test]
    fn a_fork_between_a_leaving_and_what_followed_asks_nobody_who_has_left() {
        let mut meeting = started(Format::Discussion.rules());
        wish(&mut meeting, Command::Join { by: BY.into(), newcomer: Box::new(newcomer("Ben")) }, 1);
        let leave = Command::Leave { by: BY.into(), participant: "Ada".into() };
        let facts = decide(&meeting, leave, Moment(2)).expect("she may leave");
        let left = facts.iter().position(|body| matches!(body, EventBody::ParticipantLeft { .. }));
        let mut fork = meeting.clone();
        facts[..=left.expect("she has left")].iter().for_each(|body| believe(&mut fork, body, 2));
        wish(&mut fork, Command::Fork { from: meeting.id.clone() }, 3);
        let asked: Vec<_> =
            fork.calls.keys().filter_map(|task| crate::tasks::answerer(&fork, *task)).collect();
        assert_eq!(asked, [ParticipantId(2)]);
    }
}
