//! Folds one fact into the meeting. Total: the fact has already happened, whatever we think of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::{
    Announcement, Answers, Artifact, Ballot, BallotState, Cast, Charter, ClaimRecord, Conclusion, Draft,
    Evaluation, Facilitation, Invitation, Meeting, Metric, MinutesRequest, MinutesVersion, Phase,
    Preparation, Proposal, Repair, Rest, Round, Said, Seat, Speaker, Spent, Summary, Trouble, Turn,
    TurnState,
};
use crate::event::{
    AgendaChange, Author, CallEnd, Claim, Event, EventBody, PauseReason, Presence, RoundKind, Stance,
    TurnReason,
};
use crate::ids::{AgendaId, MessageId, Moment, ParticipantId, TaskId, TurnId};
use crate::rules::{Floor, PARTICIPANTS_MAX};
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
            moderator,
            models,
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
                moderator: *moderator,
                models: models.clone(),
                created_at: at,
            });
            m.phase = Phase::Draft;
        }
        EventBody::MeetingForked { .. } | EventBody::MeetingImported { .. } => {}
        EventBody::ParticipantJoined { participant, by: _, reason: _, invitation } => {
            let invited = m.invitations.iter_mut().find(|one| Some(one.number) == *invitation);
            if let Some(one) = invited {
                Arc::make_mut(one).done = true;
            }
            m.seats.push(Arc::new(Seat {
                participant: participant.clone(),
                present: true,
                presence: Presence::Online,
                memory: None,
                changed_in: None,
                first: None,
                stance: None,
                changes: Default::default(),
                spent: Spent::default(),
            }));
        }
        EventBody::ParticipantLeft { participant, by: _, reason: _ } => {
            with_seat(m, *participant, |seat| seat.present = false);
            with_round(m, |round| round.queue.retain(|(id, _)| id != participant));
        }
        EventBody::ParticipantInvited { invitation, description, by } => {
            m.invitations.push(Arc::new(Invitation {
                number: *invitation,
                description: description.clone(),
                by: by.clone(),
                done: false,
            }));
        }
        EventBody::PresenceChanged { participant, presence, by: _ } => {
            with_seat(m, *participant, |seat| seat.presence = *presence);
            if *presence == Presence::Offline {
                with_round(m, |round| round.queue.retain(|(id, _)| id != participant));
            }
        }
        EventBody::MeetingStarted { by: _ } => {
            m.started_at = Some(at);
            m.phase = Phase::Preparation;
        }
        EventBody::RulesChanged { rules, by: _ } => Arc::make_mut(&mut m.charter).rules = (**rules).clone(),
        EventBody::TopicChanged { topic, by: _ } => Arc::make_mut(&mut m.charter).topic = topic.clone(),
        EventBody::AgendaChanged { change, by: _ } => change_agenda(m, change),
        EventBody::AnnouncementPublished { text, by } => {
            m.announcements.push(Arc::new(Announcement { seq, text: text.clone(), by: by.clone() }));
        }
        EventBody::AccessChanged { locked, by: _ } => m.locked = *locked,
        EventBody::PreparationStarted { round } => {
            forget_tries(m);
            m.preparation = Some(Arc::new(Preparation { round: *round, ..Preparation::default() }));
            m.phase = Phase::Preparation;
        }
        EventBody::IntakeWritten { questions, .. } => {
            with_preparation(m, |preparation| preparation.questions = Some(questions.clone()));
        }
        EventBody::TeamProposed { candidates, departures, .. } => with_preparation(m, |preparation| {
            let proposal = Proposal { candidates: candidates.clone(), departures: departures.clone() };
            preparation.proposal = Some(proposal);
            preparation.approved = None;
        }),
        EventBody::EvaluationWritten { round, by, marks } => {
            m.evaluations.push(Arc::new(Evaluation { round: *round, by: *by, marks: marks.clone() }));
        }
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
            if let TaskId::Artifact(..) = task {
                m.artifact_covers.insert(*task, m.visible_messages());
            }
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
            m.heard_in = m.round_number();
            call_up(m, mentions, None, *message_id);
        }
        EventBody::TurnSkipped { turn, .. } => end_turn(m, *turn, TurnState::Skipped),
        EventBody::TurnFailed { turn, kind, .. } => end_turn(m, *turn, TurnState::Failed(*kind)),
        EventBody::RoundEnded { round: _ } => {
            with_round(m, |round| round.ended_seq = Some(seq));
            m.phase = Phase::Summary;
        }
        EventBody::SummaryWritten {
            round,
            by,
            text,
            positions,
            restored: _,
            open_questions,
            disagreements,
        } => m.summaries.push(Arc::new(Summary {
            round: *round,
            seq,
            text: text.clone(),
            positions: positions.clone(),
            open_questions: open_questions.clone(),
            disagreements: disagreements.clone(),
            by: *by,
        })),
        EventBody::Metric {
            round,
            open_questions_count,
            disagreements_count,
            convergence_score,
            stable_rounds,
        } => m.metrics.push(Metric {
            round: *round,
            open_questions_count: *open_questions_count,
            disagreements_count: *disagreements_count,
            convergence_score: *convergence_score,
            stable_rounds: *stable_rounds,
        }),
        EventBody::MemoryWritten { participant, memory } => {
            with_seat(m, *participant, |seat| seat.memory = Some(memory.clone()));
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
                spent: Spent::default(),
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
            let spent = m.spent;
            with_ballot(m, |ballot| {
                ballot.state = BallotState::Closed(verdict.clone());
                ballot.closed_seq = Some(seq);
                ballot.spent = spent;
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
        EventBody::Pause { pause_reason, resume_token, questions, .. } => {
            if matches!(pause_reason, PauseReason::CheckIn | PauseReason::MissingInfo) {
                with_preparation(m, |preparation| preparation.asked = true);
            }
            m.rest = Rest::Paused {
                reason: *pause_reason,
                token: resume_token.clone(),
                questions: questions.clone(),
                since: at,
            };
        }
        EventBody::Resume { by, answers, defaults: _ } => resume(m, seq, at, by, answers),
        EventBody::Recovered {} | EventBody::EndRequested { .. } => {}
        // What people ask for at rest may not fit, too; what the pause is about stays what it was.
        EventBody::BudgetReached { .. } if m.is_paused() => {}
        EventBody::BudgetReached { budget, .. } => m.reached = Some(*budget),
        EventBody::Error { task, kind, detail, .. } => give_up(m, *task, *kind, detail),
        EventBody::MinutesRequested { version, writer, note, by: _ } => {
            let covers = m.visible_messages();
            let request = MinutesRequest { writer: *writer, note: note.clone(), covers };
            m.minutes_requests.insert(*version, request);
        }
        EventBody::MinutesWritten { version, author, by, covers, minutes } => {
            m.minutes_requests.remove(version);
            let covers = covers.map_or(0, |id| id.0 as usize).min(m.said.len());
            m.minutes.push(Arc::new(MinutesVersion {
                version: *version,
                seq,
                at,
                author: *author,
                by: by.clone(),
                covers,
                minutes: minutes.clone(),
            }));
        }
        EventBody::ArtifactRequested { artifact_type, version, by: _ } => {
            // Asked for once more after it came to nothing, it is tried anew.
            m.given_up.remove(&TaskId::Artifact(*artifact_type, *version));
            m.artifact_requests.insert((*artifact_type, *version));
        }
        EventBody::ArtifactWritten { artifact_type, version, content, author } => {
            m.artifact_requests.remove(&(*artifact_type, *version));
            let asked = m.artifact_covers.remove(&TaskId::Artifact(*artifact_type, *version));
            let covers = match author {
                Author::Rules => m.visible_messages(),
                _ => asked.unwrap_or_else(|| m.visible_messages()),
            };
            m.artifacts.push(Arc::new(Artifact {
                kind: *artifact_type,
                version: *version,
                seq,
                covers,
                content: content.clone(),
                author: *author,
            }));
        }
        EventBody::MeetingClosing { outcome } => {
            m.rest = Rest::Running;
            m.spent_at_closing = Some(m.spent);
            // What came to nothing on the way is asked for once more before the end.
            m.given_up.retain(|task, _| !is_record(*task));
            m.phase = Phase::Closing { outcome: outcome.clone() };
        }
        EventBody::ConclusionWritten { by, conclusion, disagreements, actions, best, wildcard } => {
            m.conclusion = Some(Arc::new(Conclusion {
                by: *by,
                text: conclusion.clone(),
                disagreements: disagreements.clone(),
                actions: actions.clone(),
                best: best.clone(),
                wildcard: wildcard.clone(),
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

fn resume(m: &mut Meeting, seq: u64, at: Moment, by: &str, answers: &BTreeMap<String, Value>) {
    let rest = std::mem::replace(&mut m.rest, Rest::Running);
    let Rest::Paused { reason, questions, since, .. } = rest else { return };
    m.rested_ms = m.rested_ms.saturating_add(at.since_ms(since));
    m.heard_in = m.round_number();
    let answer = |key: &str| answers.get(key).and_then(Value::as_str);
    match reason {
        PauseReason::NobodyAnswered => {
            let present: Vec<_> = m.online().map(|seat| seat.participant.id).collect();
            if m.phase == Phase::Discussion {
                with_round(m, |round| offer_again(round, &present));
            }
        }
        PauseReason::NeedApproval => {
            let mut asked_again = None;
            with_preparation(m, |preparation| {
                let note = answer("note").unwrap_or_default().to_owned();
                match answer("team") {
                    Some("again") => {
                        preparation.proposal = None;
                        preparation.note = note;
                        asked_again = Some(TaskId::Team(preparation.round));
                    }
                    Some("reject") => preparation.approved = Some(false),
                    Some(_) | None => preparation.approved = Some(true),
                }
                if let (Some(names), Some(proposal)) = (answer("leave_out"), &mut preparation.proposal) {
                    let out: Vec<&str> = names.split([',', '，', '、']).map(str::trim).collect();
                    proposal.candidates.retain(|one| !out.contains(&one.newcomer.name.as_str()));
                }
            });
            // Whoever could not propose anything is asked once more, too.
            asked_again.inspect(|task| _ = m.given_up.remove(task));
        }
        PauseReason::GateFailed => {
            let stuck: Vec<TaskId> = m.given_up.keys().copied().filter(|task| is_record(*task)).collect();
            for task in stuck {
                m.given_up.remove(&task);
                if answer("gate") == Some("by_rules") {
                    m.by_rules.insert(task);
                }
            }
        }
        PauseReason::UserRequest | PauseReason::MissingInfo | PauseReason::CheckIn => {}
        PauseReason::AwaitingHost | PauseReason::NothingNew | PauseReason::BudgetLimit => {}
    }
    // What was asked about the matter itself is for everybody to read; what steers the meeting is not.
    if matches!(reason, PauseReason::MissingInfo | PauseReason::CheckIn) {
        let asked = questions.into_iter().filter(|question| question.key != "topic");
        let given = asked.filter_map(|question| Some((question.ask, answers.get(&question.key)?.clone())));
        let given: Vec<_> = given.collect();
        if !given.is_empty() {
            m.answers.push(Arc::new(Answers { seq, by: by.to_owned(), given }));
        }
    }
}

fn give_up(m: &mut Meeting, task: TaskId, kind: FailureKind, detail: &str) {
    // What somebody asked for is not asked for again by itself, and can be wished for anew; what the
    // end needs is asked for again, and what only the budget forbids is written by the rules.
    let kept = matches!(m.phase, Phase::Closing { .. }) || kind == FailureKind::Budget;
    match task {
        TaskId::Minutes(version) if !kept => {
            m.minutes_requests.remove(&version);
            return;
        }
        TaskId::Artifact(kind, version) if !kept => {
            m.artifact_requests.remove(&(kind, version));
            return;
        }
        // Where no seat is left, nobody can be seated by rule either.
        TaskId::Invite(number) if m.present().count() >= PARTICIPANTS_MAX => {
            let one = m.invitations.iter_mut().find(|one| one.number == number);
            one.into_iter().for_each(|one| Arc::make_mut(one).done = true);
        }
        _ => {}
    }
    m.given_up.insert(task, Trouble { kind, detail: detail.to_owned() });
}

fn change_agenda(m: &mut Meeting, change: &AgendaChange) {
    let complete = |m: &mut Meeting, id: AgendaId, completed: bool| {
        if let Some(item) = m.agenda.iter_mut().find(|item| item.id == id) {
            Arc::make_mut(item).completed = completed;
        }
    };
    match change {
        AgendaChange::Added { item } => {
            m.agenda_count += 1;
            m.agenda.push(Arc::new(item.clone()));
        }
        AgendaChange::Completed { item } => complete(m, *item, true),
        AgendaChange::Reopened { item } => complete(m, *item, false),
        AgendaChange::Removed { item } => m.agenda.retain(|other| other.id != *item),
    }
}

/// Nothing of the step before is under way any more, so its counts can go. What people asked for
/// runs beside the steps, and keeps them.
fn forget_tries(m: &mut Meeting) {
    let runs_beside = |task: TaskId| is_record(task) || matches!(task, TaskId::Invite(_));
    m.tries.retain(|task, _| runs_beside(*task));
    m.repairs.retain(|task, _| runs_beside(*task));
}

/// Whether a task writes minutes or an artifact.
fn is_record(task: TaskId) -> bool {
    matches!(task, TaskId::Minutes(_) | TaskId::Artifact(..))
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
        TaskId::Minutes(version) => m.minutes_requests.get(&version).and_then(|request| request.writer),
        TaskId::Summarize(_) | TaskId::Facilitate(_) | TaskId::Conclude => None,
        TaskId::Intake(_) | TaskId::Team(_) | TaskId::Evaluate(_) | TaskId::Invite(_) => None,
        TaskId::Artifact(..) => None,
    };
    if participant.is_none() {
        add(&mut m.facilitator_spent);
    }
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
            seat.changed_in = Some(round);
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
    if m.rules().turns.floor == Floor::Host {
        // Only the host's word gives the floor; a person who hosts begins another round with it.
        match (m.host(), speaker) {
            (None, None) => return with_round(m, |round| round.queue.clear()),
            (host, speaker) if host != speaker => return,
            (_, _) => {}
        }
    }
    let extra_turns = m.rules().turns.extra_turns as usize;
    let callable: Vec<ParticipantId> = mentions
        .iter()
        .copied()
        .filter(|id| Some(*id) != speaker && m.online().any(|seat| seat.participant.id == *id))
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
    let present: Vec<_> = m.online().map(|seat| seat.participant.id).collect();
    let mention_ends_round = m.rules().turns.mention_ends_round;
    with_round(m, |round| {
        if let Some(turn) = round.turns.iter_mut().find(|turn| turn.id == id) {
            turn.state = state;
            // No answer is no reason to pass over everybody else.
            let answered = matches!(state, TurnState::Said(_));
            if mention_ends_round && answered && matches!(turn.reason, TurnReason::Mentioned { .. }) {
                // Others who were mentioned still answer; whoever has not been asked waits (002).
                round.queue.retain(|(_, reason)| *reason != TurnReason::Rotation);
            }
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

fn with_preparation(m: &mut Meeting, change: impl FnOnce(&mut Preparation)) {
    if let Some(preparation) = &mut m.preparation {
        change(Arc::make_mut(preparation));
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
