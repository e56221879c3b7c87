//! Rules of every log, checked from the log alone.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;

use crate::support::*;

type Checked = Result<(), TestCaseError>;

/// Only present participants are asked, none of them twice, and every pending call can be answered.
pub fn of_pending(meeting: &Meeting) -> Checked {
    let mut asked = BTreeSet::new();
    let mut tools = BTreeSet::new();
    for task in pending(meeting) {
        let call = match task {
            Task::Call(call) => call,
            Task::Tool(run) => {
                prop_assert!(tools.insert(run.call), "{} runs twice", run.call);
                let open = meeting.turn(run.turn).is_some_and(|turn| turn.participant == run.participant);
                prop_assert!(open, "{} runs for a turn that is over", run.call);
                continue;
            }
            Task::Wake(_) => continue,
        };
        prop_assert!(asked.insert(call.id), "{} is asked twice", call.id);
        prop_assert!(!meeting.is_over(), "{} is asked after the end", call.id);
        let may_be_asked = !meeting.is_paused() || is_request(call.id);
        prop_assert!(may_be_asked, "{} is asked of a meeting at rest", call.id);
        if let Some(id) = call.participant {
            let online = meeting.online().any(|seat| seat.participant.id == id);
            prop_assert!(online, "{id} is asked and cannot be");
        }
    }
    let stuck = asked.is_empty() && tools.is_empty() && !meeting.is_over() && !meeting.is_paused();
    let begun = !matches!(meeting.phase, Phase::Blank | Phase::Draft);
    prop_assert!(!(stuck && begun), "a meeting in {:?} waits for nothing", meeting.phase);
    Ok(())
}

/// Whether the task may be a request of people beside the discussion.
fn is_request(task: TaskId) -> bool {
    matches!(task, TaskId::Minutes(_) | TaskId::Artifact(..) | TaskId::Invite(_))
}

/// Every pause can be resumed with defaults, and the meeting then makes progress.
pub fn of_a_rest(table: &Transaction) -> Checked {
    let RunState::Paused { reason, .. } = &table.meeting.run_state else { return Ok(()) };
    let mut table = table.clone();
    let from = table.log.len();
    // Where it waits for the word of the host, it is the host's to resume.
    let is_for_host = table.meeting.awaits_host() || *reason == PauseReason::ToolApproval;
    let host = table.meeting.host_person.clone().filter(|_| is_for_host);
    let by = host.map_or_else(Actor::owner, Actor::from);
    let command = Command::Resume { by, token: None, answers: BTreeMap::new(), take_defaults: true };
    let resumed = table.tries(command);
    prop_assert!(resumed.is_ok(), "a rest for {:?} has no way out: {:?}", reason, resumed);
    prop_assert!(table.log.len() > from, "nothing follows from going on after {reason:?}");
    of_pending(&table.meeting)?;
    no_pause_repeats_itself(&table.log)
}

pub fn of_the_log(table: &Transaction) -> Checked {
    let replayed = table.replayed();
    prop_assert_eq!(replayed.state_hash(), table.meeting.state_hash(), "replay is not live");
    numbers_are_dense(&table.log)?;
    calls_pair_up(&table.log)?;
    turns_and_votes_happen_once(&table.log)?;
    versions_are_dense(&table.log)?;
    no_pause_repeats_itself(&table.log)?;
    budgets_hold(table)
}

/// Sequence numbers count from 1, time never runs back, and nothing comes after `finished`.
fn numbers_are_dense(log: &[Event]) -> Checked {
    for (place, event) in log.iter().enumerate() {
        prop_assert_eq!(event.seq, place as u64 + 1);
        prop_assert!(place == 0 || log[place - 1].ts_ms <= event.ts_ms, "time runs back at {}", event.seq);
        let finished = matches!(event.body, EventBody::Finished { .. });
        prop_assert!(!finished || place + 1 == log.len(), "something follows the end");
        prop_assert!(!event.cause.is_empty());
    }
    Ok(())
}

/// Each call ends at most once, before it is made again, and attempts at a task count up by one.
fn calls_pair_up(log: &[Event]) -> Checked {
    let mut under_way: BTreeMap<TaskId, u32> = BTreeMap::new();
    let mut made: BTreeMap<TaskId, u32> = BTreeMap::new();
    for event in log {
        match &event.body {
            EventBody::CallStarted { task, attempt, .. } => {
                prop_assert_eq!(under_way.insert(*task, *attempt), None, "{} is under way", task);
                let before = made.insert(*task, *attempt).unwrap_or(0);
                prop_assert_eq!(*attempt, before + 1, "{} after attempt {}", task, before);
            }
            EventBody::CallEnded { task, attempt, .. } => {
                prop_assert_eq!(under_way.remove(task), Some(*attempt), "{} was not under way", task);
            }
            // They are under way in the other meeting, and are asked anew in this one.
            EventBody::MeetingForked { carried: Some(_), .. } => under_way.clear(),
            EventBody::Pause { .. } => {
                let course = under_way.keys().find(|task| !is_request(**task));
                prop_assert_eq!(course, None, "a call goes on at rest");
            }
            EventBody::Finished { .. } => {
                prop_assert_eq!(&under_way, &BTreeMap::new(), "calls go on after the end");
            }
            _ => {}
        }
    }
    Ok(())
}

/// The versions of the minutes, and those of each artifact, count from 1 in the order of the log.
fn versions_are_dense(log: &[Event]) -> Checked {
    let mut last: BTreeMap<&str, u32> = BTreeMap::new();
    for event in log {
        let (what, version) = match &event.body {
            EventBody::MinutesWritten { version, .. } => ("the minutes", *version),
            EventBody::ArtifactWritten { artifact_type, version, .. } => (artifact_type.as_str(), version.0),
            _ => continue,
        };
        let before = last.insert(what, version).unwrap_or(0);
        prop_assert_eq!(version, before + 1, "version {} of {} follows {}", version, what, before);
    }
    Ok(())
}

/// Between two pauses for the same reason something happens besides the resume, unless no participant can be
/// asked, or a person asks for the pause.
fn no_pause_repeats_itself(log: &[Event]) -> Checked {
    let mut paused: Option<PauseReason> = None;
    for event in log {
        match &event.body {
            EventBody::Pause { pause_reason, .. } => {
                let may_repeat = [PauseReason::UserRequest, PauseReason::NobodyAnswered];
                let repeats = paused == Some(*pause_reason) && !may_repeat.contains(pause_reason);
                prop_assert!(!repeats, "at {} it rests again for {:?}", event.seq, pause_reason);
                paused = Some(*pause_reason);
            }
            EventBody::Resume { .. } => {}
            _ => paused = None,
        }
    }
    Ok(())
}

/// A turn ends once, a voter votes once in a ballot, and only those vote who were at the table.
fn turns_and_votes_happen_once(log: &[Event]) -> Checked {
    let mut at_table = BTreeSet::new();
    let mut given = BTreeMap::new();
    let mut ended = BTreeSet::new();
    let mut voters: Vec<ParticipantId> = Vec::new();
    let mut cast: BTreeMap<(BallotId, ParticipantId), Option<u8>> = BTreeMap::new();
    for event in log {
        match &event.body {
            EventBody::ParticipantJoined { participant, .. } => {
                prop_assert!(at_table.insert(participant.id));
            }
            EventBody::ParticipantLeft { participant, .. } => prop_assert!(at_table.remove(participant)),
            EventBody::SpeakerSelected { turn, participant, .. } => {
                prop_assert!(at_table.contains(participant), "{participant} is not at the table");
                prop_assert_eq!(given.insert(*turn, *participant), None, "{} is given twice", turn);
            }
            EventBody::AgentMessage { turn, participant, .. }
            | EventBody::TurnSkipped { turn, participant, .. }
            | EventBody::TurnFailed { turn, participant, .. } => {
                prop_assert_eq!(given.get(turn), Some(participant), "{} was not given", turn);
                prop_assert!(ended.insert(*turn), "{turn} ended twice");
            }
            EventBody::BallotOpened { voters: asked, .. } => {
                prop_assert!(!asked.is_empty() && asked.iter().all(|id| at_table.contains(id)));
                voters = asked.clone();
            }
            EventBody::VoteCast { ballot, participant, vote, .. } => {
                prop_assert!(at_table.contains(participant) && voters.contains(participant));
                prop_assert!(vote.score <= 100);
                prop_assert_eq!(cast.insert((*ballot, *participant), Some(vote.score)), None);
            }
            EventBody::VoteAbstained { ballot, participant, .. } => {
                prop_assert!(voters.contains(participant));
                prop_assert_eq!(cast.insert((*ballot, *participant), None), None);
            }
            EventBody::BallotClosed { ballot, verdict } => {
                // An abstention is never assent: what is counted are the votes alone.
                let own = cast.iter().filter(|((of, _), _)| of == ballot).map(|(_, score)| *score);
                let scores: Vec<u8> = own.clone().flatten().collect();
                prop_assert_eq!(verdict.votes as usize, scores.len());
                prop_assert_eq!(verdict.abstentions as usize, own.filter(Option::is_none).count());
                prop_assert!(!verdict.passed || !scores.is_empty(), "nobody voted, yet it passed");
                let total: f64 = scores.iter().copied().map(f64::from).sum();
                for clause in verdict.clauses.iter().filter(|c| c.clause == ClauseKind::MeanScore) {
                    let mean = (!scores.is_empty()).then(|| total / scores.len() as f64);
                    prop_assert_eq!(clause.got, mean);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// At every event, spent and reserved amounts fit into the budgets. Holds as long as no answer reports more
/// than its reserve, as here none does.
fn budgets_hold(table: &Transaction) -> Checked {
    let is_changed = |event: &Event| matches!(event.body, EventBody::RulesChanged { .. });
    let changed = table.log.iter().any(is_changed);
    let mut meeting = Meeting::blank(table.meeting.id.clone(), table.meeting.run.clone());
    for event in &table.log {
        apply(&mut meeting, event);
        let limits = &meeting.rules().limits;
        // A budget that is lowered below the spent amount is exceeded; no call is added to that.
        if changed && !matches!(event.body, EventBody::CallStarted { .. }) {
            continue;
        }
        let held =
            |part: fn(&Reserve) -> u64| meeting.calls.values().map(|call| part(&call.reserved)).sum::<u64>();
        let tokens = meeting.spent.usage.total() + held(|reserve| reserve.tokens);
        let cost = meeting.spent.cost_micros + held(|reserve| reserve.cost_micros);
        prop_assert!(limits.tokens.is_none_or(|limit| tokens <= limit), "{tokens} tokens at {}", event.seq);
        prop_assert!(
            limits.cost_micros.is_none_or(|limit| cost <= limit),
            "{cost} millionths at {}",
            event.seq
        );
    }
    Ok(())
}
