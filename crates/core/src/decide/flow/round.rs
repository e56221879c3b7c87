//! Rounds: who has the floor, and what follows when the round ends.

use quorate_contract::{
    AbortReason, Actor, ConvergenceTest, EventBody, FloorMode, MeetingOutcome, MessageId, ParticipantId,
    PauseReason, ROUNDS_MAX, RoundKind, SkipReason, TaskId, TurnId, TurnReason, shorten,
};
use quorate_messages::{Message, message};

use super::pause;
use crate::decide::transaction::Transaction;
use crate::policy::phases::{needs_evaluation, needs_metric, needs_summary};
use crate::policy::{convergence, novelty, order, queue, skip_list, targets};
use crate::records::rule_based;
use crate::state::tasks::can_facilitate;
use crate::state::{BallotState, Meeting, Turn, TurnState, number_after};

/// The first round, and every later one.
pub(super) fn start(t: &mut Transaction, number: u32) {
    if t.meeting.present().next().is_none() {
        return t.close(MeetingOutcome::Aborted(AbortReason::NobodyLeft));
    }
    if t.meeting.rules().turns.floor == FloorMode::Host && number > 0 {
        return match t.meeting.host() {
            Some(host) => begin(t, number, RoundKind::Serial, vec![host]),
            None if t.meeting.online().next().is_none() => {
                pause::ask(t, PauseReason::NobodyAnswered, Vec::new());
            }
            None => match called_by_host(&t.meeting) {
                called if called.is_empty() => pause::await_host(t),
                called => begin(t, number, RoundKind::Serial, called),
            },
        };
    }
    let kind = order::kind(&t.meeting, number);
    let mut order = order::order(&t.meeting, number);
    if order.is_empty() {
        return pause::ask(t, PauseReason::NobodyAnswered, Vec::new());
    }
    if kind == RoundKind::Serial {
        // Participants that were mentioned since their last turn begin, the latest mention first.
        order.sort_by_key(|id| {
            let call = t.meeting.unanswered_mention(*id);
            let place = call.and_then(|said| said.mentions.iter().position(|mentioned| mentioned == id));
            (std::cmp::Reverse(call.map(|said| said.id)), place)
        });
    }
    begin(t, number, kind, order);
}

fn begin(t: &mut Transaction, number: u32, kind: RoundKind, order: Vec<ParticipantId>) {
    let focus = focus(t);
    let context_from = context_from(&t.meeting);
    t.emit(EventBody::RoundStarted { round: number, kind, order, focus, context_from });
}

/// The first message of the context, where it moves. Older words give way in one step when twice as many have
/// gathered as are kept, not one by one: what a speaker reads then stays the same from the front for many turns.
fn context_from(m: &Meeting) -> Option<MessageId> {
    let keep = m.rules().context.recent_messages as usize;
    let gathered = m.said.len() - m.window_from.min(m.said.len());
    let moves = gathered > 2 * keep && !m.summaries.is_empty();
    m.said[m.said.len().saturating_sub(keep)..].first().filter(|_| moves).map(|said| said.id)
}

/// Whom the person who hosts has called since the last round began.
fn called_by_host(m: &Meeting) -> Vec<ParticipantId> {
    let since = &m.said[m.round_from.min(m.said.len())..];
    let words = since.iter().rev().filter(|said| said.speaker.is_person() && m.is_host(&said.speaker));
    let called = words.map(|said| &said.mentions).find(|mentions| !mentions.is_empty());
    let online = |id: &ParticipantId| m.online().any(|seat| seat.participant.id == *id);
    called.into_iter().flatten().copied().filter(online).collect()
}

/// The focus of the next round: the facilitator's questions, and messages of people since the last one.
fn focus(t: &Transaction) -> Vec<String> {
    let m = &t.meeting;
    let last_ballot = m.ballots.last().filter(|ballot| matches!(ballot.state, BallotState::Closed(_)));
    let facilitated = m.facilitations.last().filter(|f| last_ballot.is_some_and(|b| b.id == f.ballot));
    let mut focus: Vec<String> = facilitated.map(|f| f.next_focus.clone()).unwrap_or_default();
    if !m.rounds.is_empty() {
        let since = m.said[m.round_from.min(m.said.len())..].iter();
        let people = since.filter(|said| matches!(said.speaker, Actor::Person { .. }));
        focus.extend(people.map(|said| shorten(&said.content, 300)));
    }
    focus
}

/// Gives the floor to the next speaker, or ends the round.
pub(super) fn turns(t: &mut Transaction) {
    let Some(round) = t.meeting.round() else { return };
    if round.turns.iter().any(|turn| turn.state == TurnState::Open) {
        return;
    }
    // The log of a fork may end between a departure and the queue without it.
    if let Some(changed) = queue::without_absent(&t.meeting) {
        t.emit(changed);
    }
    let Some(round) = t.meeting.round() else { return };
    let kind = round.kind;
    if round.queue.is_empty() {
        let failed = |turn: &Turn| matches!(turn.state, TurnState::Failed(_));
        // A pause makes sense when a turn can be offered again to a participant.
        let may_try_again = |turn: &Turn| {
            let id = turn.participant;
            round.order.contains(&id) && t.meeting.online().any(|seat| seat.participant.id == id)
        };
        let nobody = round.turns.iter().all(failed) && round.turns.iter().any(may_try_again);
        let number = round.number;
        return match nobody {
            true => pause::ask(t, PauseReason::NobodyAnswered, Vec::new()),
            false => t.emit(EventBody::RoundEnded { round: number }),
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

fn select(t: &mut Transaction, participant: ParticipantId, reason: TurnReason) {
    // A mention between the rounds, or in a parallel one, is announced to the participant in its next turn.
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
    // A participant that was asked something in particular cannot skip.
    let can_skip = rules.may_skip
        && t.meeting.host() != Some(participant)
        && reason == TurnReason::Rotation
        && round.kind != RoundKind::Blind;
    let phrases = if can_skip { skip_list::only_listed(&t.meeting, participant) } else { None };
    t.emit(EventBody::SpeakerSelected { turn, participant, reason, can_skip, reply_targets });
    if let Some(phrases) = phrases {
        t.emit(EventBody::TurnSkipped { turn, participant, reason: SkipReason::SkipList, phrases });
    }
}

/// Draws the consequences of a finished round: the summary, the marks, the metric, what is next.
pub(super) fn after(t: &mut Transaction) {
    let m = &t.meeting;
    let Some(round) = m.round() else { return };
    let number = round.number;
    let interrupted = m
        .ballots
        .last()
        .is_some_and(|ballot| ballot.round == number && matches!(ballot.state, BallotState::Interrupted(_)));
    if interrupted {
        // The steering message that interrupted the ballot is the focus of the next round; after the last
        // round the ballot is repeated at once, with the message in context.
        return match number < m.rules().limits.max_rounds {
            true => super::next_round(t, number + 1),
            false => super::ballot::open(t),
        };
    }
    if needs_summary(m) {
        if !can_facilitate(m, TaskId::Summarize(number)) {
            summarize_by_rules(t, number);
        }
        return;
    }
    if needs_evaluation(m) {
        if !can_facilitate(m, TaskId::Evaluate(number)) {
            let marks = rule_based::evaluation(m);
            t.emit(EventBody::EvaluationWritten { round: number, by: Actor::System, marks });
        }
        return;
    }
    if needs_metric(m) {
        let metric = convergence::measure(m);
        return t.emit(EventBody::Metric {
            round: number,
            open_questions_count: metric.open_questions_count,
            disagreements_count: metric.disagreements_count,
            convergence_score: metric.convergence_score,
            stable_rounds: metric.stable_rounds,
        });
    }
    decide(t, number);
}

fn summarize_by_rules(t: &mut Transaction, number: u32) {
    let form = rule_based::summary(&t.meeting);
    t.emit(EventBody::SummaryWritten {
        round: number,
        by: Actor::System,
        text: form.summary,
        positions: form.positions,
        restored: Vec::new(),
        open_questions: form.open_questions,
        disagreements: form.disagreements,
    });
    let unchanged = t.meeting.draft().is_some_and(|draft| draft.text == form.draft);
    if !form.draft.is_empty() && !unchanged && t.meeting.rules().decision.ballots {
        let version = number_after(t.meeting.drafts.len());
        t.emit(EventBody::DraftRevised { version, text: form.draft, by: Actor::System });
    }
}

fn decide(t: &mut Transaction, number: u32) {
    let rules = t.meeting.rules();
    let last = t.meeting.is_last_round(number);
    if number >= rules.decision.min_rounds
        && let Some(by) = converged(&t.meeting)
    {
        return t.close(MeetingOutcome::Converged { by });
    }
    if rules.decision.ballots && number >= rules.decision.min_rounds && t.meeting.draft().is_some() {
        super::ballot::open(t);
    } else if last && rules.decision.ballots {
        t.close(MeetingOutcome::Aborted(AbortReason::RoundLimit));
    } else if last {
        t.close(MeetingOutcome::Completed);
    } else if let Some(why) = idle(&t.meeting) {
        pause::nothing_new(t, why);
    } else {
        super::next_round(t, number + 1);
    }
}

fn converged(m: &Meeting) -> Option<ConvergenceTest> {
    let limits = m.rules().decision.convergence.as_ref()?;
    convergence::reached(m, limits)
}

/// The reason why agents must not go on by themselves; `None` when they may.
fn idle(m: &Meeting) -> Option<Message> {
    let limits = &m.rules().limits;
    let number = m.round_number();
    let alone = number.saturating_sub(m.heard_in);
    // Nobody has anything to say: another round would ask the same participants about the same words. A person who
    // hosts is waited for anyway.
    let gives_floor = m.rules().turns.floor == FloorMode::Rotation || m.host().is_some();
    let is_skipped = alone > 0 && gives_floor && m.is_silent();
    // Without a call nothing else would ever end such rounds.
    let would_skip = || m.online().all(|seat| skip_list::only_listed(m, seat.participant.id).is_some());
    if is_skipped && (limits.rounds_stale > 0 || would_skip()) {
        return Some(message!("question-all-skipped"));
    }
    if limits.rounds_stale > 0
        && alone >= limits.rounds_stale
        && novelty::stale_rounds(m) >= limits.rounds_stale
    {
        let rounds = limits.rounds_stale;
        return Some(message!("question-nothing-new-said", rounds));
    }
    if limits.rounds_alone > 0 && alone >= limits.rounds_alone {
        return Some(message!("question-no-person-spoke", rounds = alone));
    }
    // A meeting without a limit of rounds comes here; nobody else would ask whether it is to go on.
    (alone > 0 && number.is_multiple_of(ROUNDS_MAX))
        .then(|| message!("question-rounds-held", rounds = number))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::Presence;

    use super::*;
    use crate::state::List;
    use crate::tests::{round_of, says, seated, settings, summary_of};

    /// So many messages of Ada, each in a round of its own, and a summary.
    fn said(count: u32) -> Meeting {
        let mut m = seated(2);
        for round in 1..=count {
            says(
                &mut m,
                round,
                Actor::participant(ParticipantId(1)),
                "p1",
                "Begin with SQLite and one file.",
            );
            m.rounds.push(round_of(round, &[(1, TurnState::Said(MessageId(round)))]));
        }
        m.summaries.push(Arc::new(summary_of(1, Vec::new())));
        m
    }

    /// Two rounds in which everybody skipped.
    fn skipped() -> Meeting {
        let mut m = seated(2);
        let turns = [(1, TurnState::Skipped), (2, TurnState::Skipped)];
        m.rounds = vec![round_of(1, &turns), round_of(2, &turns)].into();
        m
    }

    #[test]
    fn the_context_moves_when_twice_as_much_has_gathered_as_is_kept_and_was_summed_up() {
        let moves = |mut m: Meeting, keep, window_from| {
            settings(&mut m).rules.context.recent_messages = keep;
            m.window_from = window_from;
            context_from(&m)
        };
        assert_eq!(moves(said(6), 3, 0), None);
        assert_eq!(moves(said(7), 3, 0), Some(MessageId(5)), "the last three stay");
        assert_eq!(moves(said(7), 3, 1), None, "one has given way already");
        assert_eq!(moves(said(8), 3, 1), Some(MessageId(6)));
        assert_eq!(moves(said(7), 0, 0), None, "all are kept");
        let unsummed = Meeting { summaries: List::default(), ..said(7) };
        assert_eq!(moves(unsummed, 3, 0), None);
    }

    #[test]
    fn a_round_that_all_skip_asks_people_unless_one_of_them_gives_the_floor() {
        let all_skipped = Some(message!("question-all-skipped"));
        let asks = |m: &mut Meeting, heard_in, rounds_stale| {
            m.heard_in = heard_in;
            settings(m).rules.limits.rounds_stale = rounds_stale;
            idle(m)
        };
        let mut m = skipped();
        assert_eq!(asks(&mut m, 1, 9), all_skipped);
        assert_eq!(asks(&mut m, 2, 9), None, "a person spoke in it");
        assert_eq!(asks(&mut m, 1, 0), None, "the next round may find words");
        settings(&mut m).rules.turns.floor = FloorMode::Host;
        assert_eq!(asks(&mut m, 1, 9), None, "a person who hosts is waited for anyway");
        settings(&mut m).rules.turns.floor = FloorMode::Rotation;
        m.seats.iter_mut().for_each(|seat| Arc::make_mut(seat).presence = Presence::Offline);
        assert_eq!(asks(&mut m, 1, 0), all_skipped, "no call would ever end such rounds");
    }

    #[test]
    fn rounds_that_say_nothing_new_ask_people_after_as_many_as_the_rules_allow() {
        let asks = |heard_in, rounds_stale| {
            let mut m = said(3);
            m.heard_in = heard_in;
            settings(&mut m).rules.limits.rounds_stale = rounds_stale;
            idle(&m)
        };
        let stale = |rounds: u32| Some(message!("question-nothing-new-said", rounds));
        assert_eq!(asks(0, 2), stale(2), "the second and the third say the same again");
        assert_eq!(asks(1, 2), stale(2));
        assert_eq!(asks(2, 2), None, "a person spoke in between");
        assert_eq!(asks(0, 3), None, "the first was new");
        assert_eq!(asks(0, 0), None);
    }

    #[test]
    fn agents_talk_alone_for_as_many_rounds_as_the_rules_allow() {
        let asks = |heard_in, rounds_alone| {
            let mut m = said(3);
            m.heard_in = heard_in;
            settings(&mut m).rules.limits.rounds_alone = rounds_alone;
            idle(&m)
        };
        let alone = |rounds: u32| Some(message!("question-no-person-spoke", rounds));
        assert_eq!((asks(0, 3), asks(0, 2), asks(1, 2)), (alone(3), alone(3), alone(2)));
        assert_eq!((asks(0, 4), asks(1, 3), asks(0, 0)), (None, None, None));
    }

    #[test]
    fn rounds_without_a_limit_are_asked_about_once_in_a_while() {
        let asks = |number, heard_in| {
            let mut m = said(1);
            m.rounds = vec![round_of(number, &[(1, TurnState::Said(MessageId(1)))])].into();
            m.heard_in = heard_in;
            idle(&m)
        };
        assert_eq!(asks(ROUNDS_MAX, 0), Some(message!("question-rounds-held", rounds = ROUNDS_MAX)));
        assert_eq!((asks(ROUNDS_MAX, ROUNDS_MAX), asks(ROUNDS_MAX - 1, 0)), (None, None));
    }
}
