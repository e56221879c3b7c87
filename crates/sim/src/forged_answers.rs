//! Forged answers, to tasks that may not exist.

use quorate_contract::*;

use crate::meeting_spec;
use crate::rng::Rng;

/// Any task, whether or not it exists.
pub(crate) fn task(rng: &mut Rng) -> TaskId {
    let number = rng.small(0, 3);
    match rng.below(10) {
        0 => TaskId::Speak(TurnId { round: number, place: rng.small(0, 4) }),
        1 => TaskId::Summarize(number),
        2 => TaskId::Conclude,
        3 => TaskId::Intake(number),
        4 => TaskId::Team(number),
        5 => TaskId::Invite(number),
        6 => TaskId::Evaluate(number),
        7 => TaskId::Minutes(number),
        8 => TaskId::Artifact(rng.pick(&ArtifactKind::ALL), ArtifactVersion(number)),
        _ => TaskId::Vote(BallotId(number), ParticipantId(rng.small(0, 10))),
    }
}

/// An answer to this task, in words that no reader of answers would let through.
pub(crate) fn answer(rng: &mut Rng, task: TaskId) -> Delivered {
    if rng.below(13) == 0 {
        return Delivered::Malformed { task, problem: "forged".into(), text: "\u{0}".into() };
    }
    match task {
        TaskId::Speak(turn) => Delivered::Skipped(turn),
        TaskId::Vote(ballot, voter) if rng.below(2) == 0 => {
            Delivered::Abstained { ballot, voter, malformed: false, detail: "no".into() }
        }
        TaskId::Vote(ballot, voter) => {
            let vote = Vote { score: 255, pass: true, reason: String::new(), missing: Vec::new() };
            Delivered::Voted(ballot, voter, vote)
        }
        TaskId::Summarize(round) => Delivered::Summarized(round, SummaryForm::default()),
        TaskId::Conclude => Delivered::Concluded(ConclusionForm::default()),
        TaskId::Facilitate(ballot) => Delivered::Facilitated(ballot, FacilitationForm::default()),
        TaskId::Intake(round) => Delivered::Asked(round, Vec::new()),
        TaskId::Team(round) => Delivered::Proposed(round, vec![candidate(rng)]),
        TaskId::Invite(number) => Delivered::Invited(number, Box::new(candidate(rng))),
        TaskId::Evaluate(round) => {
            let participant = ParticipantId(rng.small(0, 10));
            Delivered::Evaluated(
                round,
                vec![EvaluationMark { participant, score: 255, reason: Default::default() }],
            )
        }
        TaskId::Minutes(version) => Delivered::Minuted(version, Box::default()),
        TaskId::Artifact(kind, version) => Delivered::Drawn(kind, version, serde_json::Value::Null),
    }
}

fn candidate(rng: &mut Rng) -> Candidate {
    // A forger has no model of a known price; a budget of money cannot be kept against one.
    let price = Some(Price {
        input_micros: 1,
        output_micros: 1,
        cache_write_micros: None,
        cached_micros: None,
        search_micros: None,
    });
    let mut newcomer = meeting_spec::latecomer(rng);
    if let RunnerSpec::Model { price: unknown @ None, .. } = &mut newcomer.runner {
        *unknown = price;
    }
    Candidate { newcomer, focus: String::new(), reason: Default::default() }
}
