//! The events behind a task, from which its words are rendered.

use std::sync::Arc;

use quorate_contract::{
    Actor, AgendaItem, AnswerForm, Brief, BriefArtifact, BriefBlind, BriefConclusion, BriefEvaluation,
    BriefIdea, BriefIntake, BriefInvitation, BriefItem, BriefMessage, BriefMinutes, BriefOffer,
    BriefParticipant, BriefSources, BriefSummary, BriefTarget, BriefTask, BriefTeam, BriefTurn, ClaimId,
    ClaimKind, FloorMode, ModelOffer, Moderator, ParticipantId, PrivateMemory, RoundKind, TaskId, TurnId,
    shorten,
};

use crate::policy::order::mix;
use crate::policy::roster;
use crate::state::tasks::answerer;
use crate::state::{BallotChoice, ClaimRecord, Meeting, MeetingMessage, Phase, Seat, Turn, TurnState};

/// The number of latest messages in the brief of minutes and artifacts.
const MESSAGES_MAX: usize = 200;
/// So many of the latest claims are looked through for the last one of a participant.
const CLAIMS_MAX: usize = 200;

pub(super) fn of(m: &Meeting, task: TaskId) -> Brief {
    let seat = answerer(m, task).and_then(|id| m.seat(id));
    Brief {
        task: task_of(m, task),
        language: m.language(),
        topic: m.settings.topic.clone(),
        name: seat.map(|seat| seat.participant.name.clone()).unwrap_or_default(),
        role: seat.map(|seat| seat.participant.role.name.clone()).unwrap_or_default(),
        round: m.round_number(),
        participants: participants(m),
        draft: m.draft().map(|draft| draft.text.clone()),
        agenda: m.agenda.iter().map(|item| item_of(item)).collect(),
        repair: m.repair(task).map(|repair| repair.problem.in_language(m.language()).into_owned()),
        seed: seed(m, task),
        pace: m.rules().turns.pace,
    }
}

fn task_of(m: &Meeting, task: TaskId) -> BriefTask {
    match task {
        TaskId::Speak(id) if super::is_blind(m) => BriefTask::Blind(blind(m, id)),
        TaskId::Speak(id) if m.rules().turns.answer == AnswerForm::Structured => {
            BriefTask::Contribute(turn(m, id))
        }
        TaskId::Speak(id) => BriefTask::Speak(turn(m, id)),
        TaskId::Vote(..) => BriefTask::Vote,
        TaskId::Summarize(_) => BriefTask::Summarize(BriefSummary { ideas: wanted_ideas(m) }),
        TaskId::Facilitate(_) => BriefTask::Facilitate,
        TaskId::Conclude => BriefTask::Conclude(BriefConclusion {
            accepted: m.accepted_draft().is_some(),
            best_ideas: m.rules().closing.best_ideas,
            ideas: ideas(m),
            sources: sources(m),
        }),
        TaskId::Intake(_) => BriefTask::Intake(BriefIntake {
            background: m.settings.background.clone(),
            max_questions: m.rules().intake.max_questions,
            ideas: wanted_ideas(m),
        }),
        TaskId::Team(_) => BriefTask::Team(team(m)),
        TaskId::Evaluate(_) => {
            BriefTask::Evaluate(BriefEvaluation { ideas: ideas(m), messages: messages(m, m.round_from) })
        }
        TaskId::Invite(number) => BriefTask::Invite(invitation(m, number)),
        TaskId::Minutes(version) => BriefTask::Minutes(BriefMinutes {
            sources: sources(m),
            request: m.minutes_requests.get(&version).and_then(|request| unless_empty(&request.note)),
        }),
        TaskId::Artifact(artifact, _) => BriefTask::Artifact(BriefArtifact { artifact, sources: sources(m) }),
    }
}

fn blind(m: &Meeting, id: TurnId) -> BriefBlind {
    BriefBlind { can_skip: m.turn(id).is_some_and(|turn| turn.can_skip), memory: own_memory(m, id) }
}

fn turn(m: &Meeting, id: TurnId) -> BriefTurn {
    let turn = m.turn(id);
    let last_word = m.said.iter().rev().find(|said| matches!(said.speaker, Actor::Person { .. }));
    let moderates = moderates(m, TaskId::Speak(id));
    BriefTurn {
        last_round: m.rules().limits.max_rounds,
        can_skip: turn.is_some_and(|turn| turn.can_skip),
        targets: turn.map(|turn| targets(m, turn)).unwrap_or_default(),
        last_claims: last_claims(m),
        focus: m.round().map(|round| round.focus.clone()).unwrap_or_default(),
        steering: last_word.map(|said| said.content.clone()),
        spoken: spoken(m, TaskId::Speak(id)),
        moderates,
        hosts: moderates && m.rules().turns.floor == FloorMode::Host,
        wants_ideas: m.rules().turns.ideas,
        ideas: ideas(m),
        memory: own_memory(m, id),
    }
}

/// The number of messages that the reader of a task has sent in this round.
fn spoken(m: &Meeting, task: TaskId) -> u32 {
    let reader = answerer(m, task).map(|id| Actor::Participant { id });
    let own = |said: &&Arc<MeetingMessage>| {
        said.round == m.round_number() && Some(&said.speaker) == reader.as_ref()
    };
    u32::try_from(m.said.iter().filter(own).count()).unwrap_or(u32::MAX)
}

/// The points that a turn answers.
fn targets(m: &Meeting, turn: &Turn) -> Vec<BriefTarget> {
    let targets = turn.targets.iter().filter_map(|target| {
        let record = m.claim(target.claim)?;
        Some(BriefTarget {
            claim: target.claim.to_string(),
            owner: m.name_of(record.owner),
            text: record.claim.text.clone(),
            disagrees: target.disagrees,
        })
    });
    targets.collect()
}

/// The last claim of each participant that can be read.
fn last_claims(m: &Meeting) -> Vec<(String, String)> {
    let readable = m.visible_messages();
    let last = |seat: &Seat| {
        let own = m.claims.iter().rev().take(CLAIMS_MAX).find(|record| {
            record.owner == seat.participant.id
                && record.message.is_some_and(|message| message.0 as usize <= readable)
        })?;
        Some((seat.participant.name.clone(), own.claim.id.to_string()))
    };
    m.present().filter_map(last).collect()
}

fn team(m: &Meeting) -> BriefTeam {
    BriefTeam {
        seats: u32::try_from(roster::seats_free(m)).unwrap_or(u32::MAX),
        models: models(m),
        request: m.preparation.as_ref().and_then(|preparation| unless_empty(&preparation.note)),
    }
}

fn invitation(m: &Meeting, number: u32) -> BriefInvitation {
    let invitation = m.invitations.iter().find(|one| one.number == number);
    BriefInvitation {
        request: invitation.map(|one| one.description.clone()).unwrap_or_default(),
        models: models(m),
    }
}

fn models(m: &Meeting) -> Vec<BriefOffer> {
    m.settings.models.iter().map(offer_of).collect()
}

fn unless_empty(words: &str) -> Option<String> {
    (!words.is_empty()).then(|| words.to_owned())
}

/// Whether the reader of a task moderates the meeting.
pub(super) fn moderates(m: &Meeting, task: TaskId) -> bool {
    match (m.settings.moderator, answerer(m, task)) {
        (Moderator::Agent { id }, Some(reader)) => id == reader,
        (Moderator::Agent { .. } | Moderator::User, _) => false,
    }
}

fn item_of(item: &AgendaItem) -> BriefItem {
    let AgendaItem { id, title, description, completed } = item;
    BriefItem {
        id: id.to_string(),
        title: title.clone(),
        description: description.clone(),
        completed: *completed,
    }
}

fn offer_of(offer: &ModelOffer) -> BriefOffer {
    BriefOffer { name: offer.name.clone(), good_at: offer.good_at.clone() }
}

/// The ideas that all participants can read.
fn visible_ideas(m: &Meeting) -> impl Iterator<Item = &ClaimRecord> {
    let visible = m.visible_messages();
    m.ideas().filter(move |record| record.message.is_some_and(|id| id.0 as usize <= visible))
}

/// The ideas so far, where the rules ask for ideas.
fn wanted_ideas(m: &Meeting) -> Option<Vec<BriefIdea>> {
    m.rules().turns.ideas.then(|| ideas(m))
}

fn ideas(m: &Meeting) -> Vec<BriefIdea> {
    let built_on = |id: ClaimId| m.ideas().filter(|other| other.claim.builds_on.contains(&id)).count();
    visible_ideas(m)
        .map(|record| BriefIdea {
            id: record.claim.id.to_string(),
            by: m.name_of(record.owner),
            text: record.claim.text.clone(),
            built_on: u32::try_from(built_on(record.claim.id)).unwrap_or(u32::MAX),
        })
        .collect()
}

/// The ideas that each idea on the list builds on, in the order of the list: ids such as `c1, c2`, or
/// nothing.
pub(super) fn roots_of_ideas(m: &Meeting) -> Vec<String> {
    let roots = |record: &ClaimRecord| {
        record.claim.builds_on.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    visible_ideas(m).map(roots).collect()
}

/// The speaker's own notes; empty ones when it keeps notes and has none yet.
fn own_memory(m: &Meeting, id: TurnId) -> Option<PrivateMemory> {
    let seat = m.seat(answerer(m, TaskId::Speak(id))?)?;
    m.rules().context.private_memory.then(|| seat.memory.clone().unwrap_or_default())
}

/// What a conclusion, minutes and artifacts can cite.
fn sources(m: &Meeting) -> BriefSources {
    BriefSources { messages: messages(m, m.said.len().saturating_sub(MESSAGES_MAX)), risks: risks(m) }
}

/// The messages from this place on that can be read.
fn messages(m: &Meeting, from: usize) -> Vec<BriefMessage> {
    let said = m.said.iter().take(m.visible_messages()).skip(from);
    said.map(|said| BriefMessage {
        id: said.id.to_string(),
        by: said.name.clone(),
        round: said.round,
        text: shorten(&said.content, 600),
    })
    .collect()
}

/// The risks that were raised in messages that can be read.
fn risks(m: &Meeting) -> Vec<BriefMessage> {
    let readable = m.visible_messages();
    let risks = m.claims.iter().filter(|record| record.claim.kind == ClaimKind::Risk);
    let placed = risks.filter_map(|record| Some((record, record.message?)));
    placed
        .filter(|(_, message)| message.0 as usize <= readable)
        .map(|(record, message)| BriefMessage {
            id: message.to_string(),
            by: m.name_of(record.owner),
            round: record.round,
            text: record.claim.text.clone(),
        })
        .collect()
}

/// Whether a participant has spoken in a blind or parallel round that is running. Its message is not visible
/// to others yet.
pub(super) fn has_just_spoken(m: &Meeting, id: ParticipantId) -> bool {
    let round = m.round().filter(|round| m.phase == Phase::Discussion && round.kind != RoundKind::Serial);
    let said = |turn: &Turn| turn.participant == id && matches!(turn.state, TurnState::Said(_));
    round.is_some_and(|round| round.turns.iter().any(said))
}

fn participants(m: &Meeting) -> Vec<BriefParticipant> {
    m.present()
        .map(|seat| {
            let vote = last_vote(m, seat.participant.id);
            BriefParticipant {
                name: seat.participant.name.clone(),
                position: seat
                    .stance
                    .as_ref()
                    .filter(|_| !has_just_spoken(m, seat.participant.id))
                    .map(|stance| stance.position.clone()),
                score: vote.map(|vote| vote.score),
                vote_reason: vote.map(|vote| vote.reason.clone()),
            }
        })
        .collect()
}

/// The last vote of a participant in a finished ballot; a running ballot is secret.
fn last_vote(m: &Meeting, id: ParticipantId) -> Option<&quorate_contract::Vote> {
    let over = m.ballots.iter().rev().filter(|ballot| ballot.closed_seq.is_some());
    over.into_iter().find_map(|ballot| match ballot.cast.get(&id) {
        Some(BallotChoice::Vote(vote)) => Some(vote),
        Some(BallotChoice::Abstained(_) | BallotChoice::Failed(_)) | None => None,
    })
}

fn seed(m: &Meeting, task: TaskId) -> u64 {
    let numbers = match task {
        TaskId::Speak(turn) => [1, u64::from(turn.round), u64::from(turn.place)],
        TaskId::Vote(ballot, voter) => [2, u64::from(ballot.0), u64::from(voter.0)],
        TaskId::Summarize(round) => [3, u64::from(round), 0],
        TaskId::Facilitate(ballot) => [4, u64::from(ballot.0), 0],
        TaskId::Conclude => [5, 0, 0],
        TaskId::Intake(round) => [6, u64::from(round), 0],
        TaskId::Team(round) => [7, u64::from(round), 0],
        TaskId::Evaluate(round) => [8, u64::from(round), 0],
        TaskId::Invite(number) => [9, u64::from(number), 0],
        TaskId::Minutes(version) => [10, u64::from(version), 0],
        TaskId::Artifact(kind, version) => [11, kind as u64, u64::from(version.0)],
    };
    mix(&[m.settings.seed, numbers[0], numbers[1], numbers[2]])
}
