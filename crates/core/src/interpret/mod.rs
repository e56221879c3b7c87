//! Interpretation of answers, refusals, time-outs and garbage.
//!
//! Models do not always follow the format. What can be read safely is read; an unreadable answer is asked for
//! once more; after that the rules say what it counts as, and the meeting goes on.

mod forms;
mod json;
mod people;
mod records;
mod response;

use quorate_contract::{
    Answer, AnswerForm, AnswerRepair, Call, Command, Delivered, Delivery, Failure, FailureKind, Outcome,
    RoundKind, SCORE_FAILS_BELOW, SCORE_PASSES_FROM, SpokenAnswer, StopReason, TaskId, ToolRequests, ToolUse,
    Vote, WebFindings, clean,
};
use quorate_messages::{Message, message};

use self::response::ParsedResponse;
use crate::prompt;
use crate::state::Meeting;

/// The command that an answer, a refusal, a time-out or garbage leads to.
pub fn interpret(meeting: &Meeting, call: &Call, outcome: Outcome) -> Command {
    let (usage, latency_ms, request_id, window, web, (what, mended)) = match outcome {
        Outcome::Answered(answer) => {
            let what = read(meeting, call.id, &answer);
            (Some(answer.usage), answer.latency_ms, answer.request_id, None, answer.web, what)
        }
        Outcome::CalledTools(answer, requests) => {
            let what = called(meeting, call.id, &answer, requests);
            (Some(answer.usage), answer.latency_ms, answer.request_id, None, answer.web, what)
        }
        Outcome::Failed(Failure { kind, detail, hint, usage, latency_ms, request_id, doubtful, window }) => {
            // A call that was refused or never arrived used nothing; the usage of one that was cut off is
            // unknown.
            let usage = usage.or_else(|| was_not_served(kind).then(Default::default));
            let failed = Delivered::Failed { task: call.id, kind, detail, hint, doubtful };
            (usage, latency_ms, request_id, window, WebFindings::default(), (failed, Vec::new()))
        }
    };
    let attempt = call.attempt;
    let delivery =
        Delivery { attempt, usage, latency_ms, request_id, mended, window, retry_after_ms: None, web, what };
    Command::Deliver(Box::new(delivery))
}

/// An answer that calls tools. Where it may call none, only its words count.
fn called(
    meeting: &Meeting,
    task: TaskId,
    answer: &Answer,
    requests: ToolRequests,
) -> (Delivered, Vec<AnswerRepair>) {
    match task {
        TaskId::Speak(turn)
            if !requests.calls.is_empty() && prompt::of_task(meeting, task).tools.may_call =>
        {
            let used = ToolUse { text: answer.text.clone(), requests };
            (Delivered::CalledTools(turn, Box::new(used)), Vec::new())
        }
        _ => read(meeting, task, answer),
    }
}

fn was_not_served(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Authentication | FailureKind::RateLimit | FailureKind::Quota => true,
        FailureKind::ContextTooLong | FailureKind::ModelUnknown | FailureKind::BadRequest => true,
        FailureKind::NotConfigured | FailureKind::Budget => true,
        FailureKind::Overloaded | FailureKind::ContentRefused | FailureKind::Network => false,
        FailureKind::AgentFailed => false,
        FailureKind::TimedOut | FailureKind::Malformed | FailureKind::Empty | FailureKind::Left => false,
    }
}

/// Reads an answer, and returns the repairs that were needed. `Malformed` asks once more; the second time the
/// rules decide what the answer counts as.
fn read(meeting: &Meeting, task: TaskId, answer: &Answer) -> (Delivered, Vec<AnswerRepair>) {
    let last_chance = meeting.repair(task).is_some();
    let text = clean(&answer.text);
    if text.is_empty() && answer.stop == StopReason::ContentFilter {
        return (withheld(task), Vec::new());
    }
    let heard = ParsedResponse::new(&text, answer.stop);
    let read = match task {
        TaskId::Speak(turn) => {
            let blind = meeting.round().is_some_and(|round| round.kind == RoundKind::Blind);
            let can_skip = meeting.turn(turn).is_some_and(|turn| turn.can_skip);
            let structured = meeting.rules().turns.answer == AnswerForm::Structured;
            match (text.is_empty(), blind) {
                (true, _) => Err(empty(answer)),
                (false, false) if structured => {
                    forms::contribution(&heard, can_skip).or_else(|problem| match last_chance {
                        true => forms::prose(&heard, can_skip).map_err(|_| problem),
                        false => Err(problem),
                    })
                }
                (false, true) => forms::blind(&heard).or_else(|problem| match last_chance {
                    // Plain prose is still an answer, and better than an empty chair.
                    true => forms::prose(&heard, false).map_err(|_| problem),
                    false => Err(problem),
                }),
                (false, false) => forms::prose(&heard, can_skip),
            }
            .and_then(|said| match &said {
                // A message that would show private notes is dropped.
                forms::TurnContent::Said(speech)
                    if meeting.rules().context.private_memory && forms::shows_notes(&speech.content) =>
                {
                    Err(message!("answer-notes-shown"))
                }
                forms::TurnContent::Said(_) | forms::TurnContent::Pass => Ok(said),
            })
            .map(|said| match said {
                forms::TurnContent::Said(speech) => {
                    let reasoning = answer.reasoning.clone().filter(|text| !text.trim().is_empty());
                    Delivered::Said(turn, Box::new(SpokenAnswer { reasoning, ..*speech }))
                }
                forms::TurnContent::Pass => Delivered::Skipped(turn),
            })
        }
        TaskId::Vote(ballot, voter) => match text.is_empty() {
            true => Err(empty(answer)),
            false => forms::vote(&heard).and_then(|cast| match cast {
                // The second answer counts as it is, and is shown as one that contradicts itself.
                forms::Cast::Vote(vote) if vote.contradicts_itself() && !last_chance => Err(contradictory()),
                forms::Cast::Vote(vote) => Ok(Delivered::Voted(ballot, voter, vote)),
                forms::Cast::Abstention(detail) => {
                    Ok(Delivered::Abstained { ballot, voter, malformed: false, detail: detail.into() })
                }
            }),
        },
        TaskId::Summarize(round) => forms::summary(&heard, meeting).and_then(|form| {
            match (forms::left_out(meeting, &form), last_chance) {
                (Some(problem), false) => Err(problem),
                (Some(_), true) | (None, _) => Ok(Delivered::Summarized(round, form)),
            }
        }),
        TaskId::Facilitate(ballot) => {
            forms::facilitation(&heard).map(|form| Delivered::Facilitated(ballot, form))
        }
        TaskId::Conclude => forms::conclusion(&heard, meeting).map(Delivered::Concluded),
        TaskId::Intake(round) => {
            people::questions(&heard, meeting).map(|questions| Delivered::Asked(round, questions))
        }
        TaskId::Team(round) => {
            people::candidates(&heard, meeting).map(|candidates| Delivered::Proposed(round, candidates))
        }
        TaskId::Invite(number) => {
            people::candidate(&heard, meeting).map(|one| Delivered::Invited(number, Box::new(one)))
        }
        TaskId::Evaluate(round) => {
            people::marks(&heard, meeting).map(|marks| Delivered::Evaluated(round, marks))
        }
        TaskId::Minutes(version) => {
            records::minutes(&heard, meeting).map(|one| Delivered::Minuted(version, Box::new(one)))
        }
        TaskId::Artifact(kind, version) => {
            records::artifact(&heard, meeting, kind).map(|content| Delivered::Drawn(kind, version, content))
        }
    };
    let failed = match read {
        Ok(delivered) => return (delivered, heard.mended(|| prompt::schema_of(meeting, task))),
        Err(problem) if !last_chance => Delivered::Malformed { task, problem: problem.into(), text },
        Err(problem) => match task {
            TaskId::Vote(ballot, voter) => match first_vote(meeting, task) {
                // A vote that was only asked to agree with itself is not lost with the second answer.
                Some(vote) => Delivered::Voted(ballot, voter, vote),
                None => Delivered::Abstained { ballot, voter, malformed: true, detail: problem.into() },
            },
            _ => Delivered::Failed {
                task,
                kind: if text.is_empty() { FailureKind::Empty } else { FailureKind::Malformed },
                detail: problem.into(),
                hint: message!("remedy-follow-format").into(),
                doubtful: false,
            },
        },
    };
    (failed, Vec::new())
}

/// The problem of a vote whose score and pass contradict each other. It names no number: people who may not
/// know a vote before the ballot is counted read this line.
fn contradictory() -> Message {
    message!("answer-contradictory-vote", from = SCORE_PASSES_FROM, below = SCORE_FAILS_BELOW)
}

/// The vote of the answer that was given before this one, where it could be read.
fn first_vote(meeting: &Meeting, task: TaskId) -> Option<Vote> {
    let before = &meeting.repair(task)?.excerpt;
    match forms::vote(&ParsedResponse::new(before, StopReason::Stop)).ok()? {
        forms::Cast::Vote(vote) => Some(vote),
        forms::Cast::Abstention(_) => None,
    }
}

fn withheld(task: TaskId) -> Delivered {
    Delivered::Failed {
        task,
        kind: FailureKind::ContentRefused,
        detail: message!("failure-withheld").into(),
        hint: message!("remedy-word-differently").into(),
        doubtful: false,
    }
}

fn empty(answer: &Answer) -> Message {
    match answer.stop {
        StopReason::Length => message!("answer-used-up-by-reasoning"),
        StopReason::Stop | StopReason::ContentFilter => message!("answer-empty"),
    }
}
