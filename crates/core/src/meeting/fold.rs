//! Folds one fact into the meeting. Total: the fact has already happened, whatever we think of it.

use std::sync::Arc;

use super::{
    Ballot, BallotState, Cast, Charter, ClaimRecord, Conclusion, Draft, Facilitation, Meeting, Phase, Repair,
    Rest, Round, Said, Seat, Speaker, Spent, Summary, Turn, TurnState,
};
use crate::event::{CallEnd, Claim, Event, EventBody, PauseReason, RoundKind, Stance, TurnReason};
use crate::ids::{MessageId, Moment, ParticipantId, TaskId, TurnId};
use crate::task::{FailureKind, Usage};

/// Folds one fact into the meeting.
pub fn apply(meeting: &mut Meeting, event: &Event) {
    if meeting.run != event.run_id {
        meeting.run = event.run_id.clone();
    }
    fold(meeting, event.seq, event.ts_ms, &event.body);
}

pub(crate) fn fold(m: &mut Meeting, seq: u64, at: Moment, body: &EventBody) {
    m.seq = seq;
    m.updated_at = at;
    match body {
        EventBody::MeetingCreated {
            topic,
            background,
            language,
            format,
            rules,
            seed,
            facilitator,
            by: _,
        } => {
            m.charter = Arc::new(Charter {
                topic: topic.clone(),
                background: background.clone(),
                language: *language,
                format: *format,
                rules: (**rules).clone(),
                seed: *seed,
                facilitator: facilitator.clone(),
                created_at: at,
            });
            m.phase = Phase::Draft;
        }
        EventBody::MeetingForked { .. } => {}
        EventBody::ParticipantJoined { participant, by: _ } => m.seats.push(Arc::new(Seat {
            participant: participant.clone(),
            present: true,
            first: None,
            stance: None,
            changes: Default::default(),
            spent: Spent::default(),
        })),
        EventBody::ParticipantLeft { participant, by: _ } => {
            with_seat(m, *participant, |seat| seat.present = false);
            with_round(m, |round| round.queue.retain(|(id, _)| id != participant));
        }
        EventBody::MeetingStarted { by: _ } => m.started_at = Some(at),
        EventBody::RoundStarted { round, kind, order, focus } => start_round(m, *round, *kind, order, focus),
        EventBody::SpeakerSelected { turn, participant, reason, can_skip, reply_targets } => {
            for target in reply_targets {
                with_claim(m, target.claim, |claim| claim.targeted += 1);
            }
            let given = Turn {
                id: *turn,
                seq,
                participant: *participant,
                reason: reason.clone(),
                can_skip: *can_skip,
                targets: reply_targets.clone(),
                state: TurnState::Open,
            };
            with_round(m, |round| {
                if let Some(place) = round.queue.iter().position(|(id, _)| id == participant) {
                    round.queue.remove(place);
                }
                round.turns.push(given);
            });
        }
        EventBody::SpeakerRequested { participant, by: _ } => {
            with_round(m, |round| put_first(round, *participant, TurnReason::Requested));
        }
        EventBody::CallStarted { task, attempt, reserved } => {
            m.tries.insert(*task, *attempt);
            let call = super::CallUnderWay { attempt: *attempt, reserved: *reserved, since: at };
            m.calls.insert(*task, call);
        }
        EventBody::CallEnded { task, end, usage, cost_micros, .. } => {
            m.calls.remove(task);
            m.repairs.remove(task);
            if *end == CallEnd::Lost {
                m.lost_calls += 1;
            }
            spend(m, *task, usage, *cost_micros);
        }
        EventBody::AnswerMalformed { task, problem, excerpt, .. } => {
            let repair = Repair { problem: problem.clone(), excerpt: excerpt.clone() };
            m.repairs.insert(*task, Arc::new(repair));
        }
        EventBody::AgentMessage {
            message_id, round, turn, participant, message, stance, mentions, ..
        } => {
            m.said.push(Arc::new(Said {
                id: *message_id,
                seq,
                round: *round,
                at,
                speaker: Speaker::Participant(*participant),
                name: message.name.clone(),
                content: message.content.clone(),
                mentions: mentions.clone(),
                turn: Some(*turn),
                claims: stance.iter().flat_map(|stance| &stance.claims).map(|claim| claim.id).collect(),
            }));
            end_turn(m, *turn, TurnState::Said(*message_id));
            if let Some(stance) = stance {
                take_stance(m, *participant, *round, *message_id, stance);
            }
            call_up(m, mentions, Some(*participant), *message_id);
        }
        EventBody::UserMessage { message_id, round, by, message, mentions } => {
            m.said.push(Arc::new(Said {
                id: *message_id,
                seq,
                round: *round,
                at,
                speaker: Speaker::Person(by.clone()),
                name: message.name.clone(),
                content: message.content.clone(),
                mentions: mentions.clone(),
                turn: None,
                claims: Vec::new(),
            }));
            call_up(m, mentions, None, *message_id);
        }
        EventBody::TurnSkipped { turn, .. } => end_turn(m, *turn, TurnState::Skipped),
        EventBody::TurnFailed { turn, kind, .. } => end_turn(m, *turn, TurnState::Failed(*kind)),
        EventBody::RoundEnded { round: _ } => {
            with_round(m, |round| round.ended_seq = Some(seq));
            m.phase = Phase::Summary;
        }
        EventBody::SummaryWritten { round, by, text, positions, restored: _ } => {
            let summary =
                Summary { round: *round, seq, text: text.clone(), positions: positions.clone(), by: *by };
            m.summaries.push(Arc::new(summary));
        }
        EventBody::DraftRevised { version, text, by } => {
            m.drafts.push(Arc::new(Draft { version: *version, seq, text: text.clone(), by: *by }));
        }
        EventBody::BallotOpened { ballot, round, draft_version, voters } => {
            forget_tries(m);
            m.ballots.push(Arc::new(Ballot {
                id: *ballot,
                round: *round,
                draft_version: *draft_version,
                voters: voters.clone(),
                cast: Default::default(),
                state: BallotState::Open,
                closed_seq: None,
            }));
            m.phase = Phase::Ballot;
        }
        EventBody::VoteCast { participant, vote, objection, .. } => {
            let round = m.round_number();
            if let Some(claim) = objection {
                raise(m, claim, *participant, round, None);
            }
            with_ballot(m, |b| _ = b.cast.insert(*participant, Cast::Vote(vote.clone())));
        }
        EventBody::VoteAbstained { participant, kind, .. } => {
            with_ballot(m, |b| _ = b.cast.insert(*participant, Cast::Abstained(*kind)));
        }
        EventBody::BallotInterrupted { by, .. } => {
            with_ballot(m, |ballot| ballot.state = BallotState::Interrupted(*by));
            m.phase = Phase::Summary;
        }
        EventBody::BallotClosed { verdict, .. } => {
            with_ballot(m, |ballot| {
                ballot.state = BallotState::Closed(verdict.clone());
                ballot.closed_seq = Some(seq);
            });
            m.phase = Phase::Facilitation;
        }
        EventBody::FacilitationWritten {
            ballot,
            message_id,
            message,
            disagreements,
            proposed_patch,
            next_focus,
        } => {
            m.said.push(Arc::new(Said {
                id: *message_id,
                seq,
                round: m.round_number(),
                at,
                speaker: Speaker::Facilitator,
                name: message.name.clone(),
                content: message.content.clone(),
                mentions: Vec::new(),
                turn: None,
                claims: Vec::new(),
            }));
            m.facilitations.push(Arc::new(Facilitation {
                ballot: *ballot,
                disagreements: disagreements.clone(),
                proposed_patch: proposed_patch.clone(),
                next_focus: next_focus.clone(),
            }));
        }
        EventBody::PauseRequested { by } => m.rest = Rest::PauseRequested { by: by.clone() },
        EventBody::Pause { pause_reason, resume_token, .. } => {
            m.rest = Rest::Paused { reason: *pause_reason, token: resume_token.clone(), since: at };
        }
        EventBody::Resume { .. } => resume(m, at),
        EventBody::Recovered {} => {}
        EventBody::BudgetReached { .. } | EventBody::EndRequested { .. } => {}
        EventBody::Error { task, .. } => _ = m.given_up.insert(*task),
        EventBody::MeetingClosing { outcome } => {
            m.rest = Rest::Running;
            m.phase = Phase::Closing { outcome: outcome.clone() };
        }
        EventBody::ConclusionWritten { by, conclusion, disagreements, actions } => {
            m.conclusion = Some(Arc::new(Conclusion {
                by: *by,
                text: conclusion.clone(),
                disagreements: disagreements.clone(),
                actions: actions.clone(),
            }));
        }
        EventBody::Finished { outcome, .. } => m.phase = Phase::Ended { outcome: outcome.clone() },
    }
}

fn start_round(m: &mut Meeting, number: u32, kind: RoundKind, order: &[ParticipantId], focus: &[String]) {
    forget_tries(m);
    let keep = m.rules().context.recent_messages as usize;
    let gathered = m.said.len() - m.window_from.min(m.said.len());
    // Older words give way in one step when twice as many have gathered, not one by one: what a
    // speaker reads then stays the same from the front for many turns.
    if keep > 0 && gathered > 2 * keep && !m.summaries.is_empty() {
        m.window_from = m.said.len() - keep;
    }
    m.round_from = m.said.len();
    m.rounds.push(Arc::new(Round {
        number,
        kind,
        order: order.to_vec(),
        focus: focus.to_vec(),
        queue: order.iter().map(|id| (*id, TurnReason::Rotation)).collect(),
        turns: Vec::new(),
        offered_again: 0,
        ended_seq: None,
    }));
    m.phase = Phase::Discussion;
}

fn resume(m: &mut Meeting, at: Moment) {
    if let Rest::Paused { reason, since, .. } = &m.rest {
        m.rested_ms = m.rested_ms.saturating_add(at.since_ms(*since));
        if *reason == PauseReason::NobodyAnswered {
            let present: Vec<_> = m.present().map(|seat| seat.participant.id).collect();
            with_round(m, |round| offer_again(round, &present));
        }
    }
    m.rest = Rest::Running;
}

/// Nothing of the step before is under way any more, so its counts can go.
fn forget_tries(m: &mut Meeting) {
    m.tries.clear();
    m.repairs.clear();
}

fn spend(m: &mut Meeting, task: TaskId, usage: &Usage, cost_micros: Option<u64>) {
    let add = |spent: &mut Spent| {
        let total = &mut spent.usage;
        total.input_tokens = total.input_tokens.saturating_add(usage.input_tokens);
        total.output_tokens = total.output_tokens.saturating_add(usage.output_tokens);
        total.reasoning_tokens = total.reasoning_tokens.saturating_add(usage.reasoning_tokens);
        total.cached_tokens = total.cached_tokens.saturating_add(usage.cached_tokens);
        total.estimated |= usage.estimated;
        spent.calls += 1;
        match cost_micros {
            Some(cost) => spent.cost_micros = spent.cost_micros.saturating_add(cost),
            None => spent.unpriced_calls += 1,
        }
    };
    add(&mut m.spent);
    let participant = match task {
        TaskId::Speak(turn) => m.turn(turn).map(|turn| turn.participant),
        TaskId::Vote(_, voter) => Some(voter),
        TaskId::Summarize(_) | TaskId::Facilitate(_) | TaskId::Conclude => {
            add(&mut m.facilitator_spent);
            None
        }
    };
    if let Some(id) = participant {
        with_seat(m, id, |seat| add(&mut seat.spent));
    }
}

fn take_stance(m: &mut Meeting, id: ParticipantId, round: u32, message: MessageId, stance: &Stance) {
    for claim in &stance.claims {
        raise(m, claim, id, round, Some(message));
    }
    for answered in &stance.answered {
        with_claim(m, *answered, |claim| {
            if !claim.answered_by.contains(&id) {
                claim.answered_by.push(id);
            }
        });
    }
    with_seat(m, id, |seat| {
        if stance.changed {
            match stance.changed_by {
                Some(_) => seat.changes.evidenced += 1,
                None => seat.changes.unevidenced += 1,
            }
        }
        if seat.first.is_none() {
            seat.first = Some(stance.clone());
        }
        seat.stance = Some(stance.clone());
    });
}

fn raise(m: &mut Meeting, claim: &Claim, owner: ParticipantId, round: u32, message: Option<MessageId>) {
    m.claims.push(Arc::new(ClaimRecord {
        claim: claim.clone(),
        owner,
        round,
        message,
        answered_by: Vec::new(),
        targeted: 0,
    }));
}

/// Whoever was mentioned speaks next (P57), in the order of the mentions. Somebody who has already
/// spoken in this round is given another turn, but agents can only do that to each other so often:
/// two of them could otherwise thank each other for ever.
fn call_up(m: &mut Meeting, mentions: &[ParticipantId], speaker: Option<ParticipantId>, by: MessageId) {
    if m.phase != Phase::Discussion {
        return;
    }
    let extra_turns = m.rules().turns.extra_turns as usize;
    let callable: Vec<ParticipantId> = mentions
        .iter()
        .copied()
        .filter(|id| Some(*id) != speaker && m.seat(*id).is_some_and(|seat| seat.present))
        .collect();
    with_round(m, |round| {
        if round.kind != RoundKind::Serial {
            return;
        }
        for id in callable.into_iter().rev() {
            let had = round.turns.iter().filter(|turn| turn.participant == id).count();
            let waiting = round.queue.iter().any(|(queued, _)| *queued == id);
            // A person may ask anybody again, also whoever has the floor: it was given its turn
            // before these words, and does not know them.
            if waiting || speaker.is_none() || had <= extra_turns {
                put_first(round, id, TurnReason::Mentioned { by });
            }
        }
    });
}

fn put_first(round: &mut Round, id: ParticipantId, reason: TurnReason) {
    round.queue.retain(|(queued, _)| *queued != id);
    round.queue.insert(0, (id, reason));
}

fn end_turn(m: &mut Meeting, id: TurnId, state: TurnState) {
    m.tries.remove(&TaskId::Speak(id));
    let present: Vec<_> = m.present().map(|seat| seat.participant.id).collect();
    with_round(m, |round| {
        if let Some(turn) = round.turns.iter_mut().find(|turn| turn.id == id) {
            turn.state = state;
        }
        // Everybody who stayed failed: the turns are offered once more before the meeting rests for
        // it.
        let broke_down = |turn: &Turn| match turn.state {
            TurnState::Failed(kind) => kind != FailureKind::Budget,
            TurnState::Open | TurnState::Said(_) | TurnState::Skipped => false,
        };
        if round.queue.is_empty() && round.offered_again == 0 && round.turns.iter().all(broke_down) {
            offer_again(round, &present);
        }
    });
}

fn offer_again(round: &mut Round, present: &[ParticipantId]) {
    round.offered_again += 1;
    let order = round.order.iter().filter(|id| present.contains(id));
    round.queue = order.map(|id| (*id, TurnReason::Rotation)).collect();
}

fn with_seat(m: &mut Meeting, id: ParticipantId, change: impl FnOnce(&mut Seat)) {
    if let Some(place) = id.0.checked_sub(1)
        && let Some(seat) = m.seats.get_mut(place as usize)
    {
        change(Arc::make_mut(seat));
    }
}

fn with_claim(m: &mut Meeting, id: crate::ids::ClaimId, change: impl FnOnce(&mut ClaimRecord)) {
    if let Some(place) = id.0.checked_sub(1)
        && let Some(claim) = m.claims.get_mut(place as usize)
    {
        change(Arc::make_mut(claim));
    }
}

fn with_round(m: &mut Meeting, change: impl FnOnce(&mut Round)) {
    if let Some(round) = m.rounds.last_mut() {
        change(Arc::make_mut(round));
    }
}

fn with_ballot(m: &mut Meeting, change: impl FnOnce(&mut Ballot)) {
    if let Some(ballot) = m.ballots.last_mut() {
        change(Arc::make_mut(ballot));
    }
}
