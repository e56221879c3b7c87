//! The fold of one event into the meeting. Total: the event has already happened and is not judged.

mod calls;
mod fork;
mod older;
mod pause;
mod people;
mod round;
mod stances;
mod time;
mod tools;

use std::sync::Arc;

use quorate_contract::{
    AbstentionKind, Actor, Event, EventBody, FailureKind, MessageId, ParticipantId, PauseReason,
    ProviderWaitEndReason, QueueReason, TaskId, Timestamp,
};

use self::calls::forget_tries;
use self::pause::resume;
use self::round::{end_turn, start_round};
use self::stances::{change_agenda, raise, spend, take_stance};
use crate::state::{
    Announcement, Artifact, Ballot, BallotChoice, BallotDraft, BallotRules, BallotState, ClaimRecord,
    Conclusion, ConvergenceMetric, Evaluation, Facilitation, FileRecord, Invitation, Meeting, MeetingEndedBy,
    MeetingMessage, MeetingSettings, MinutesRequest, MinutesVersion, Phase, PlannedPause, Preparation,
    Proposal, ProviderWait, Repair, Round, RunState, Seat, SeatFailure, Spending, Summary, ToolAnswer,
    ToolCallRecord, Turn, TurnState,
};

/// Folds one event into the meeting.
pub fn apply(meeting: &mut Meeting, event: &Event) {
    if meeting.run != event.run_id {
        meeting.run = event.run_id.clone();
    }
    fold(meeting, event.seq, event.ts_ms, &event.body);
}

pub(crate) fn fold(m: &mut Meeting, seq: u64, at: Timestamp, body: &EventBody) {
    time::pass(m, at, body);
    m.seq = seq;
    m.updated_at = at;
    fork::release(m, body);
    match body {
        EventBody::MeetingCreated {
            topic,
            background,
            details,
            language,
            format,
            rules,
            seed,
            facilitator,
            moderator,
            models,
            by,
        } => {
            people::made_by(m, by);
            m.settings = Arc::new(MeetingSettings {
                topic: topic.clone(),
                background: background.clone(),
                details: details.clone(),
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
        EventBody::MeetingForked { from, at: until, by, title, carried } => {
            // Whoever was at the other table is not at this one.
            m.people.clear();
            people::made_by(m, by);
            fork::forked(m, at, from, *until, title, carried.as_ref());
            // Reachability is determined again.
            (m.provider_wait, m.waited_in_vain) = (None, false);
            m.unreachable.clear();
            tools::forked(m);
        }
        EventBody::MeetingImported { by, .. } => people::made_by(m, by),
        EventBody::ParticipantJoined { participant, by: _, reason: _, invitation } => {
            let invited = m.invitations.iter_mut().find(|one| Some(one.number) == *invitation);
            if let Some(one) = invited {
                Arc::make_mut(one).done = true;
            }
            let joined_after = u32::try_from(m.said.len()).unwrap_or(u32::MAX);
            m.seats.push(Arc::new(Seat::taken_by(participant.clone(), joined_after)));
        }
        EventBody::ParticipantLeft { participant, by: _, reason: _, leaves_queue } => {
            with_seat(m, *participant, |seat| seat.present = false);
            if *leaves_queue {
                older::leave_queue(m, *participant);
            }
        }
        EventBody::ParticipantInvited { invitation, description, by } => {
            m.invitations.push(Arc::new(Invitation {
                number: *invitation,
                description: description.clone(),
                by: by.clone(),
                done: false,
            }));
        }
        EventBody::PresenceChanged { participant, presence, by: _, leaves_queue } => {
            with_seat(m, *participant, |seat| seat.presence = *presence);
            if *leaves_queue {
                older::leave_queue(m, *participant);
            }
        }
        EventBody::ParticipantChanged { participant, skip_list, by: _ } => {
            with_seat(m, *participant, |seat| {
                if let Some(skip_list) = skip_list {
                    seat.participant.skip_list.clone_from(skip_list);
                }
            });
        }
        EventBody::PersonJoined { person } => people::joined(m, at, person),
        EventBody::PersonLeft { person, by: _ } => people::left(m, &person.id),
        EventBody::HostChanged { host, by: _ } => people::host_changed(m, host),
        EventBody::MeetingStarted { by: _, silence_max_ms } => {
            m.started_at = Some(at);
            m.phase = Phase::Preparation;
            m.silence_max_ms = silence_max_ms.unwrap_or_else(|| older::silence_max_ms(&m.settings.rules));
        }
        EventBody::RulesChanged { rules, by: _, silence_max_ms } => {
            Arc::make_mut(&mut m.settings).rules = (**rules).clone();
            m.silence_max_ms = silence_max_ms.unwrap_or_else(|| older::silence_max_ms(rules));
        }
        EventBody::TopicChanged { topic, by: _ } => {
            Arc::make_mut(&mut m.settings).topic = topic.clone();
            // A title of its own does not follow the topic.
            if m.settings.details.title.is_empty() {
                m.forked.iter_mut().for_each(|forked| Arc::make_mut(forked).title.clear());
            }
        }
        EventBody::DetailsChanged { details, by: _ } => {
            Arc::make_mut(&mut m.settings).details = details.clone();
            m.forked.iter_mut().for_each(|forked| Arc::make_mut(forked).title.clear());
        }
        EventBody::AgendaChanged { change, by: _ } => change_agenda(m, change),
        EventBody::AnnouncementPublished { text, by } => {
            m.announcements.push(Arc::new(Announcement { seq, text: text.clone(), by: by.clone() }));
        }
        EventBody::FileAttached { file, by } => {
            // Numbers of an imported meeting can have gaps.
            m.file_count = m.file_count.max(file.id.0 as usize);
            m.files.push(Arc::new(FileRecord { seq, file: file.clone(), by: by.clone(), at }));
        }
        EventBody::FileRemoved { file, by: _ } => m.files.retain(|other| other.file.id != *file),
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
        EventBody::TeamReviewed { round: _, by: _, decision } => pause::review_team(m, decision),
        EventBody::EvaluationWritten { round, by, marks } => {
            m.evaluations.push(Arc::new(Evaluation { round: *round, by: by.clone(), marks: marks.clone() }));
        }
        EventBody::RoundStarted { round, kind, order, focus, context_from } => {
            start_round(m, *round, *kind, order, focus);
            if let Some(first) = context_from {
                m.window_from = (first.0 as usize).saturating_sub(1).min(m.said.len());
            }
        }
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
        // What follows from it stands in the next event.
        EventBody::SpeakerRequested { .. } => {}
        EventBody::QueueChanged { queue, reason } => with_round(m, |round| {
            round.queue = queue.iter().map(|one| (one.participant, one.reason.clone())).collect();
            round.offered_again += u32::from(*reason == QueueReason::OfferedAgain);
        }),
        EventBody::CallStarted { task, attempt, reserved, fallback, covers } => {
            if fallback.is_some() {
                stances::count_fallback(m, *task);
            }
            if let TaskId::Artifact(..) = task {
                let covers = covers.map_or_else(|| older::visible_messages(m), |last| count(m, last));
                m.artifact_covers.insert(*task, covers);
            }
            calls::started(m, at, *task, *attempt, *reserved);
        }
        EventBody::CallRetried { task, kind, wait_ms, usage, cost_micros, .. } => {
            calls::retried(m, at, *task, *kind, *wait_ms);
            stances::spend_retry(m, *task, usage, *cost_micros);
        }
        EventBody::AgentAction { task, action, .. } => calls::acted(m, *task, action),
        EventBody::CallEnded {
            task,
            attempt: _,
            end,
            usage,
            cost_micros,
            latency_ms,
            request_id: _,
            then,
            mended: _,
            window,
            reach,
            counts_as_repetition,
            shares_time,
            repair_open,
        } => {
            let call = calls::CallEnding {
                end,
                then: *then,
                latency_ms: *latency_ms,
                window: window.as_ref(),
                reach: *reach,
                counts_as_repetition: *counts_as_repetition,
                shares_time: *shares_time,
                repair_open: *repair_open,
            };
            calls::ended(m, *task, &call);
            spend(m, *task, usage, *cost_micros);
            calls::tried(m, *task, &call);
        }
        EventBody::AnswerMalformed { task, problem, excerpt, .. } => {
            let repair = Repair { problem: problem.clone(), excerpt: excerpt.clone() };
            m.repairs.insert(*task, Arc::new(repair));
        }
        EventBody::AgentMessage {
            message_id,
            round,
            turn,
            participant,
            message,
            stance,
            mentions,
            mentioned_people,
            cut_from_chars,
            ended_early,
            reasoning: _,
        } => {
            m.said.push(Arc::new(MeetingMessage {
                id: *message_id,
                seq,
                round: *round,
                at,
                speaker: Actor::Participant { id: *participant },
                name: message.name.clone(),
                content: message.content.clone(),
                cut_from_chars: *cut_from_chars,
                ended_early: *ended_early,
                mentions: mentions.clone(),
                mentioned_people: mentioned_people.clone(),
                turn: Some(*turn),
                claims: stance.iter().flat_map(|stance| &stance.claims).map(|claim| claim.id).collect(),
                citations: message.citations.clone(),
                evidence: message.evidence.clone(),
                reply_to: None,
            }));
            end_turn(m, *turn, TurnState::Said(*message_id));
            if let Some(stance) = stance {
                take_stance(m, *participant, *round, *message_id, stance);
            }
        }
        EventBody::UserMessage { message_id, round, by, message, mentions, mentioned_people, reply_to } => {
            m.said.push(Arc::new(MeetingMessage {
                id: *message_id,
                seq,
                round: *round,
                at,
                speaker: by.clone(),
                name: message.name.clone(),
                content: message.content.clone(),
                cut_from_chars: None,
                ended_early: None,
                mentions: mentions.clone(),
                mentioned_people: mentioned_people.clone(),
                turn: None,
                claims: Vec::new(),
                citations: message.citations.clone(),
                evidence: message.evidence.clone(),
                reply_to: *reply_to,
            }));
            // What agents say among themselves is no word of a person.
            if by.as_participant().is_none() {
                m.heard_in = m.round_number();
            }
        }
        EventBody::ToolsAllowed { tools, by: _ } => Arc::make_mut(&mut m.tools).allowed.clone_from(tools),
        EventBody::ToolCalled {
            call,
            turn,
            participant,
            step,
            tool,
            arguments,
            effects,
            max_chars,
            text,
            continuation,
        } => {
            let (text, continuation, calls) = (text.clone(), continuation.clone(), Vec::new());
            let record = ToolCallRecord {
                id: *call,
                participant: *participant,
                tool: tool.clone(),
                arguments: arguments.clone(),
                effects: *effects,
                max_chars: *max_chars,
                decision: None,
                outcome: None,
            };
            tools::called(m, *turn, *step, ToolAnswer { text, continuation, calls }, record);
        }
        EventBody::ToolReviewed { call, decision, by: _ } => tools::reviewed(m, *call, *decision),
        EventBody::ToolReturned { call, outcome, .. } => tools::returned(m, seq, *call, outcome),
        EventBody::TurnSkipped { turn, .. } => end_turn(m, *turn, TurnState::Skipped),
        EventBody::TurnFailed { turn, participant, kind, detail, hint } => {
            let (kind, detail, hint) = (*kind, detail.clone(), hint.clone());
            with_seat(m, *participant, |seat| {
                seat.failure = Some(SeatFailure { kind: Some(kind), detail, hint, seq });
            });
            end_turn(m, *turn, TurnState::Failed(kind));
        }
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
            by: by.clone(),
        })),
        EventBody::Metric {
            round,
            open_questions_count,
            disagreements_count,
            convergence_score,
            stable_rounds,
        } => m.metrics.push(ConvergenceMetric {
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
            m.drafts.push(Arc::new(BallotDraft {
                version: *version,
                seq,
                text: text.clone(),
                by: by.clone(),
            }));
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
                spent: Spending::default(),
                counted_by: None,
            }));
            m.phase = Phase::Ballot;
        }
        EventBody::VoteCast { participant, vote, objection, .. } => {
            let round = m.round_number();
            if let Some(claim) = objection {
                raise(m, claim, *participant, round, None);
            }
            with_ballot(m, |b| _ = b.cast.insert(*participant, BallotChoice::Vote(vote.clone())));
        }
        EventBody::VoteAbstained { participant, kind, detail, failure, hint, .. } => {
            let failed = |kind: Option<FailureKind>| {
                BallotChoice::Failed(SeatFailure { kind, detail: detail.clone(), hint: hint.clone(), seq })
            };
            let cast = match kind {
                AbstentionKind::Chosen => BallotChoice::Abstained(*kind),
                AbstentionKind::Malformed => failed(failure.or(Some(FailureKind::Malformed))),
                AbstentionKind::Failed => failed(*failure),
            };
            with_ballot(m, |b| _ = b.cast.insert(*participant, cast));
        }
        EventBody::BallotInterrupted { by, .. } => {
            with_ballot(m, |ballot| ballot.state = BallotState::Interrupted(*by));
            m.phase = Phase::Summary;
        }
        EventBody::BallotClosed { verdict, .. } => {
            let spent = m.spent;
            let rules = m.rules();
            let counted_by =
                BallotRules { decision: rules.decision.clone(), max_rounds: rules.limits.max_rounds };
            with_ballot(m, |ballot| {
                ballot.counted_by = Some(counted_by);
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
            let round = m.round_number();
            m.said.push(Arc::new(MeetingMessage {
                id: *message_id,
                seq,
                round,
                at,
                speaker: Actor::Facilitator,
                name: message.name.clone(),
                content: message.content.clone(),
                cut_from_chars: None,
                ended_early: None,
                mentions: Vec::new(),
                mentioned_people: Vec::new(),
                turn: None,
                claims: Vec::new(),
                citations: message.citations.clone(),
                evidence: message.evidence.clone(),
                reply_to: None,
            }));
            m.facilitations.push(Arc::new(Facilitation {
                ballot: *ballot,
                disagreements: disagreements.clone(),
                proposed_patch: proposed_patch.clone(),
                next_focus: next_focus.clone(),
            }));
        }
        EventBody::PauseRequested { by, after: None, completed: _ } => {
            m.run_state = RunState::PauseRequested { by: by.clone() }
        }
        EventBody::PauseRequested { by, after: Some(stride), completed } => {
            let completed =
                completed.map_or_else(|| older::strides(m, *stride), |completed| completed as usize);
            m.planned_pause = Some(PlannedPause { by: by.clone(), after: *stride, completed });
        }
        EventBody::Pause { pause_reason, resume_token, questions, suggested_next: _, by: _, budget } => {
            if matches!(pause_reason, PauseReason::CheckIn | PauseReason::MissingInfo) {
                with_preparation(m, |preparation| preparation.asked = true);
            }
            m.planned_pause = None;
            m.provider_wait = None;
            m.run_state = RunState::Paused {
                reason: *pause_reason,
                token: resume_token.clone(),
                questions: questions.clone(),
                since: at,
                budget: budget.or_else(|| older::paused_for(m, *pause_reason)),
            };
        }
        EventBody::Resume { by, answers, defaults: _, then } => match then {
            Some(then) => resume(m, seq, at, by, answers, then),
            None => resume(m, seq, at, by, answers, &older::resumption(m, answers)),
        },
        EventBody::EndRequested { by, note } => {
            m.ended_by = Some(MeetingEndedBy { by: by.clone(), note: note.clone(), seq });
        }
        EventBody::Recovered { idle_ms: _ } => {}
        EventBody::BudgetReached { budget, .. } => m.reached = Some(*budget),
        EventBody::ProviderWaitStarted { waiting_for, kind, tries, next_try_at, .. } => {
            m.unreachable = waiting_for.iter().cloned().collect();
            let since = m.provider_wait.as_ref().map_or(at, |wait| wait.since);
            m.provider_wait = Some(Arc::new(ProviderWait {
                waiting_for: waiting_for.clone(),
                kind: *kind,
                since,
                tried_at: at,
                tries: *tries,
                next_try_at: *next_try_at,
            }));
        }
        EventBody::ProviderWaitEnded { reason } => {
            m.provider_wait = None;
            m.waited_in_vain = *reason == ProviderWaitEndReason::GaveUp;
            m.unreachable.clear();
        }
        EventBody::Error { task, kind, detail, hint: _, then } => {
            let then = then.unwrap_or_else(|| older::after_failure(m, *task, *kind));
            calls::failed(m, *task, then, *kind, detail);
        }
        EventBody::MinutesRequested { version, writer, note, by: _, covers } => {
            let covers = covers.map_or_else(|| older::visible_messages(m), |last| count(m, last));
            let request = MinutesRequest { writer: *writer, note: note.clone(), covers };
            m.minutes_requests.insert(*version, request);
        }
        EventBody::MinutesWritten { version, author, covers, minutes } => {
            m.minutes_requests.remove(version);
            let covers = covers.map_or(0, |last| count(m, last));
            m.minutes.push(Arc::new(MinutesVersion {
                version: *version,
                seq,
                at,
                author: author.clone(),
                covers,
                minutes: minutes.clone(),
            }));
        }
        EventBody::ArtifactRequested { artifact_type, version, by: _ } => {
            // A repeated request starts with unused attempts.
            m.given_up.remove(&TaskId::Artifact(*artifact_type, *version));
            m.artifact_requests.insert((*artifact_type, *version));
        }
        EventBody::ArtifactWritten { artifact_type, version, content, author, covers } => {
            let covers = match covers {
                Some(last) => count(m, *last),
                None => older::artifact_covers(m, *artifact_type, *version, author),
            };
            m.artifact_requests.remove(&(*artifact_type, *version));
            m.artifact_covers.remove(&TaskId::Artifact(*artifact_type, *version));
            m.artifacts.push(Arc::new(Artifact {
                kind: *artifact_type,
                version: *version,
                seq,
                covers,
                content: content.clone(),
                author: author.clone(),
            }));
        }
        EventBody::MeetingClosing { outcome, asked_again } => {
            m.run_state = RunState::Running;
            m.provider_wait = None;
            m.spent_at_closing = Some(m.spent);
            let asked_again = asked_again.clone().unwrap_or_else(|| older::asked_again_at_closing(m));
            m.given_up.retain(|task, _| !asked_again.contains(task));
            m.phase = Phase::Closing { outcome: outcome.clone() };
            tools::course_ended(m);
        }
        EventBody::ConclusionWritten { by, conclusion, reasons, disagreements, actions, best, wildcard } => {
            m.conclusion = Some(Arc::new(Conclusion {
                seq,
                by: by.clone(),
                text: conclusion.clone(),
                reasons: reasons.clone(),
                disagreements: disagreements.clone(),
                actions: actions.clone(),
                best: best.clone(),
                wildcard: wildcard.clone(),
            }));
        }
        EventBody::Finished { outcome, .. } => m.phase = Phase::Ended { outcome: outcome.clone() },
    }
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

fn with_claim(m: &mut Meeting, id: quorate_contract::ClaimId, change: impl FnOnce(&mut ClaimRecord)) {
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

/// The number of messages up to this one, which is the last that something covers.
fn count(m: &Meeting, last: MessageId) -> usize {
    (last.0 as usize).min(m.said.len())
}
