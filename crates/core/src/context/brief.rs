//! The facts behind a task, from which its words are rendered.

use crate::event::RoundKind;
use crate::ids::{ParticipantId, TaskId};
use crate::meeting::{Cast, Meeting, Phase, Speaker, Turn, TurnState};
use crate::rules::order::mix;
use crate::task::{Brief, BriefKind, BriefTarget, BriefVoice};
use crate::tasks::answerer;

pub(super) fn of(m: &Meeting, task: TaskId) -> Brief {
    let seat = answerer(m, task).and_then(|id| m.seat(id));
    let turn = match task {
        TaskId::Speak(turn) => m.turn(turn),
        TaskId::Vote(..) | TaskId::Summarize(_) | TaskId::Facilitate(_) | TaskId::Conclude => None,
    };
    let targets = turn.map(|turn| turn.targets.as_slice()).unwrap_or_default().iter();
    let targets = targets.filter_map(|target| {
        let record = m.claim(target.claim)?;
        Some(BriefTarget {
            claim: target.claim.to_string(),
            owner: m.name_of(record.owner),
            text: record.claim.text.clone(),
            disagrees: target.disagrees,
        })
    });
    let last_word = m.said.iter().rev().find(|said| matches!(said.speaker, Speaker::Person(_)));
    Brief {
        kind: kind(m, task),
        language: m.language(),
        topic: m.charter.topic.clone(),
        name: seat.map(|seat| seat.participant.name.clone()).unwrap_or_default(),
        role: seat.map(|seat| seat.participant.role.name.clone()).unwrap_or_default(),
        round: m.round_number(),
        last_round: m.rules().limits.max_rounds,
        can_skip: turn.is_some_and(|turn| turn.can_skip),
        targets: targets.collect(),
        voices: voices(m),
        draft: m.draft().map(|draft| draft.text.clone()),
        focus: m.round().map(|round| round.focus.clone()).unwrap_or_default(),
        steering: last_word.map(|said| said.content.clone()),
        repair: m.repair(task).map(|repair| repair.problem.clone()),
        seed: seed(m, task),
    }
}

fn kind(m: &Meeting, task: TaskId) -> BriefKind {
    match task {
        TaskId::Speak(_) if super::is_blind(m) => BriefKind::Blind,
        TaskId::Speak(_) => BriefKind::Speak,
        TaskId::Vote(..) => BriefKind::Vote,
        TaskId::Summarize(_) => BriefKind::Summarize,
        TaskId::Facilitate(_) => BriefKind::Facilitate,
        TaskId::Conclude => BriefKind::Conclude,
    }
}

fn voices(m: &Meeting) -> Vec<BriefVoice> {
    // While a blind or parallel round runs, nobody knows what those hold who were quicker.
    let round = m.round().filter(|round| m.phase == Phase::Discussion && round.kind != RoundKind::Serial);
    let has_just_spoken = |id: ParticipantId| {
        let said = |turn: &Turn| turn.participant == id && matches!(turn.state, TurnState::Said(_));
        round.is_some_and(|round| round.turns.iter().any(said))
    };
    m.present()
        .map(|seat| {
            let vote = last_vote(m, seat.participant.id);
            BriefVoice {
                name: seat.participant.name.clone(),
                position: seat
                    .stance
                    .as_ref()
                    .filter(|_| !has_just_spoken(seat.participant.id))
                    .map(|stance| stance.position.clone()),
                score: vote.map(|vote| vote.score),
                vote_reason: vote.map(|vote| vote.reason.clone()),
            }
        })
        .collect()
}

/// The last vote of somebody in a ballot that is over; a running one is secret.
fn last_vote(m: &Meeting, id: ParticipantId) -> Option<&crate::event::Vote> {
    let over = m.ballots.iter().rev().filter(|ballot| ballot.closed_seq.is_some());
    over.into_iter().find_map(|ballot| match ballot.cast.get(&id) {
        Some(Cast::Vote(vote)) => Some(vote),
        Some(Cast::Abstained(_)) | None => None,
    })
}

fn seed(m: &Meeting, task: TaskId) -> u64 {
    let numbers = match task {
        TaskId::Speak(turn) => [1, u64::from(turn.round), u64::from(turn.place)],
        TaskId::Vote(ballot, voter) => [2, u64::from(ballot.0), u64::from(voter.0)],
        TaskId::Summarize(round) => [3, u64::from(round), 0],
        TaskId::Facilitate(ballot) => [4, u64::from(ballot.0), 0],
        TaskId::Conclude => [5, 0, 0],
    };
    mix(&[m.charter.seed, numbers[0], numbers[1], numbers[2]])
}
