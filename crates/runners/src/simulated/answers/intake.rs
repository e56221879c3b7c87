//! Questions to the person who asks.

use quorate_contract::{BriefIntake, Temperament};
use serde::Serialize;

use crate::simulated::answer_context::AnswerContext;
use crate::simulated::faults;
use crate::simulated::rng::hash;
use crate::simulated::text::{capital, clip};
use crate::simulated::topic::Ground;

/// The length of a background, in characters, from which on nothing has to be asked.
const SAID_ENOUGH: usize = 200;

#[derive(Debug, Serialize)]
pub(super) struct Intake {
    questions: Vec<Question>,
}

#[derive(Debug, Serialize)]
struct Question {
    key: &'static str,
    ask: String,
    why: String,
    required: bool,
    kind: &'static str,
    choices: Vec<String>,
}

/// Section of the bank, key, kind.
type IntakeTopic = (&'static str, &'static str, &'static str);

const NUMBERS: [IntakeTopic; 3] = [
    ("intake.budget", "budget", "number"),
    ("intake.people", "people", "number"),
    ("intake.scale", "affected", "number"),
];
const CHOICES: [IntakeTopic; 2] =
    [("intake.deadline", "deadline", "choice"), ("intake.risk", "worst_case", "choice")];
const TEXTS: [IntakeTopic; 2] =
    [("intake.tried", "tried_before", "text"), ("intake.limit", "fixed_limits", "text")];
/// What is asked where something can only be known or judged.
const KNOWLEDGE: [IntakeTopic; 2] =
    [("intake.known", "known_so_far", "text"), ("intake.use", "purpose", "text")];
const BETWEEN: [IntakeTopic; 3] = [
    ("intake.direction", "direction", "choice"),
    ("intake.taste", "favourite", "text"),
    ("intake.focus", "next_focus", "text"),
];

pub(super) fn ask(mut scene: AnswerContext<'_>, asked: &BriefIntake) -> Intake {
    let topic = hash(&scene.brief.topic) as usize;
    let first = [NUMBERS[topic % 3], CHOICES[topic / 3 % 2], TEXTS[topic / 6 % 2]];
    let wants_ideas = asked.ideas.is_some();
    let between = asked.ideas.as_ref().is_some_and(|ideas| !ideas.is_empty());
    let enough = asked.background.chars().count() > SAID_ENOUGH || scene.temperament == Temperament::Silent;
    let (known, most) = match (enough && !between, between, wants_ideas) {
        (true, ..) => (Vec::new(), 0),
        (_, true, _) => {
            let start = scene.brief.round as usize;
            ((0..3).map(|step| BETWEEN[(start + step) % 3]).collect(), scene.rng.below(3))
        }
        (_, _, false) if scene.matter.ground != Ground::Action => {
            (KNOWLEDGE.to_vec(), 1 + scene.rng.below(2))
        }
        (_, _, true) => (vec![first[2], first[1]], 1 + scene.rng.below(2)),
        (..) => (first.to_vec(), if scene.rng.chance(70) { 3 } else { 1 + scene.rng.below(2) }),
    };
    let most = most.min(asked.max_questions as usize);
    let mut questions: Vec<Question> = Vec::new();
    for (section, key, kind) in known.into_iter().take(most) {
        questions.push(question(&mut scene, section, key, kind));
    }
    if let Some(first) = questions.first_mut() {
        first.required = !wants_ideas;
    }
    if scene.temperament == Temperament::Injecting
        && let Some(first) = questions.first_mut()
    {
        first.why = clip(&format!("{} {}", first.why, faults::forged_frame(&mut scene)), 300);
    }
    Intake { questions }
}

fn question(scene: &mut AnswerContext<'_>, section: &str, key: &'static str, kind: &'static str) -> Question {
    let choices = scene.lines(section).iter().skip(2).map(|choice| (*choice).to_owned()).collect();
    let (ask, why) = (scene.line(section, 0, &[]), scene.line(section, 1, &[]));
    Question { key, ask: clip(&ask, 300), why: clip(&capital(&why), 300), required: false, kind, choices }
}
