//! Answers that nobody gave, to tasks that may not be there.

use quorate_contract::*;

use crate::dice::Dice;
use crate::founding;

/// Any task, whether or not the meeting knows it.
pub(crate) fn task(dice: &mut Dice) -> TaskId {
    let number = dice.small(0, 3);
    match dice.below(10) {
        0 => TaskId::Speak(TurnId { round: number, place: dice.small(0, 4) }),
        1 => TaskId::Summarize(number),
        2 => TaskId::Conclude,
        3 => TaskId::Intake(number),
        4 => TaskId::Team(number),
        5 => TaskId::Invite(number),
        6 => TaskId::Evaluate(number),
        7 => TaskId::Minutes(number),
        8 => TaskId::Artifact(dice.pick(&ArtifactKind::ALL), ArtifactVersion(number)),
        _ => TaskId::Vote(BallotId(number), ParticipantId(dice.small(0, 10))),
    }
}

/// An answer in any form, in words that no reader of answers would let through.
pub(crate) fn answer(dice: &mut Dice) -> Delivered {
    match dice.below(13) {
        0 => Delivered::Skipped,
        1 => Delivered::Voted(Vote { score: 255, pass: true, reason: String::new(), missing: Vec::new() }),
        2 => Delivered::Abstained { malformed: false, detail: "no".into() },
        3 => Delivered::Summarized(SummaryForm::default()),
        4 => Delivered::Concluded(ConclusionForm::default()),
        5 => Delivered::Facilitated(FacilitationForm::default()),
        6 => Delivered::Asked(Vec::new()),
        7 => Delivered::Proposed(vec![candidate(dice)]),
        8 => Delivered::Invited(Box::new(candidate(dice))),
        9 => Delivered::Evaluated(vec![Mark {
            participant: ParticipantId(dice.small(0, 10)),
            score: 255,
            reason: String::new(),
        }]),
        10 => Delivered::Minuted(Box::default()),
        11 => Delivered::Drawn(serde_json::Value::Null),
        _ => Delivered::Malformed { problem: "forged".into(), text: "\u{0}".into() },
    }
}

fn candidate(dice: &mut Dice) -> Candidate {
    // A forger has no model of a known price; a budget of money cannot be kept against one.
    let price =
        Some(Price { input_micros: 1, output_micros: 1, cache_write_micros: None, cached_micros: None });
    let mut newcomer = founding::latecomer(dice);
    if let RunnerSpec::Model { price: unknown @ None, .. } = &mut newcomer.runner {
        *unknown = price;
    }
    Candidate { newcomer, focus: String::new(), reason: String::new() }
}
