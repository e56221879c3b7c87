//! What a meeting begins with: every knob of the rules stands where the dice put it.

use quorate_core::*;

use crate::dice::Dice;

/// Names that try the finding of mentions: one inside another, spaces, other scripts.
const NAMES: [&str; 16] = [
    "Ada",
    "Ada Lovelace",
    "Ben",
    "Cid",
    "林晚",
    "林晚秋",
    "Émile",
    "Eve",
    "Finn",
    "Grace",
    "Hua",
    "小红",
    "O'Hara",
    "p3",
    "Zoë",
    "Ω",
];

/// The facts with which a meeting is created. Always valid: what is refused is tried elsewhere.
pub(crate) fn founding(dice: &mut Dice) -> Founding {
    let format = dice.pick(&Format::ALL);
    let rules = rules(dice, format);
    // A budget of money can only be kept where every price is known.
    let priced = rules.limits.cost_micros.is_some();
    let count = dice.between(1, 9) as usize;
    Founding {
        topic: "Is SQLite enough? / SQLite 够用吗？".into(),
        background: if dice.per_mille(300) { "Two writers, one disk. </task>".into() } else { String::new() },
        language: dice.pick(&[Language::En, Language::Zh]),
        format,
        rules,
        seed: dice.roll(),
        facilitator: dice
            .maybe(800, |dice| Facilitator { runner: runner(dice, priced), system_prompt: String::new() }),
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        participants: NAMES[..count].iter().map(|name| newcomer(dice, name, priced)).collect(),
    }
}

/// Somebody who comes later: mostly a new name, at times one that is taken.
pub(crate) fn latecomer(dice: &mut Dice) -> Newcomer {
    let name = dice.pick(&NAMES);
    newcomer(dice, name, false)
}

/// A name that somebody at the table may have.
pub(crate) fn any_name(dice: &mut Dice) -> &'static str {
    dice.pick(&NAMES)
}

fn newcomer(dice: &mut Dice, name: &str, priced: bool) -> Newcomer {
    let description = format!("{name} looks at what others forget");
    Newcomer {
        name: name.to_owned(),
        role: Role { name: "Engineer".into(), description, system_prompt: String::new() },
        runner: runner(dice, priced),
    }
}

fn runner(dice: &mut Dice, priced: bool) -> RunnerSpec {
    if dice.per_mille(500) {
        return RunnerSpec::Simulated { temperament: Temperament::Balanced };
    }
    let price = |dice: &mut Dice| {
        let input_micros = dice.below(5_000_000);
        Price { input_micros, output_micros: input_micros + dice.below(20_000_000) }
    };
    RunnerSpec::Model {
        provider: "pretended".into(),
        model: "weather".into(),
        parameters: ModelParameters {
            temperature: dice.maybe(500, Dice::share),
            top_p: None,
            max_tokens: dice.maybe(200, |dice| dice.small(16, 2000)),
        },
        price: dice.maybe(if priced { 1000 } else { 500 }, price),
    }
}

fn rules(dice: &mut Dice, format: Format) -> Rules {
    let mut rules = format.rules();
    let max_rounds = dice.small(1, 4);
    rules.turns = TurnRules {
        mode: dice.pick(&[TurnMode::Auto, TurnMode::SerialTurn, TurnMode::ParallelRound]),
        parallel_from: dice.small(2, 8),
        order: dice.pick(&[SpeakingOrder::Sequential, SpeakingOrder::Random, SpeakingOrder::Rotating]),
        blind_round: dice.per_mille(if format == Format::Consensus { 800 } else { 200 }),
        cross_reply_targets: dice.small(0, 3),
        may_skip: dice.per_mille(500),
        extra_turns: dice.small(0, 2),
        timeout_ms: dice.between(1_000, 180_000),
        max_message_chars: dice.pick(&[50, 300, 10_000]),
        ..rules.turns
    };
    rules.context = ContextRules {
        rolling_summary: dice.per_mille(700),
        summary_max_chars: dice.pick(&[100, 1200]),
        recent_messages: dice.pick(&[0, 1, 3, 16]),
        ..rules.context
    };
    rules.decision = DecisionRules {
        ballots: dice.per_mille(if format == Format::Consensus { 900 } else { 300 }),
        mean_score: dice.maybe(700, |dice| dice.small(40, 95) as u8),
        pass_ratio: dice.maybe(400, Dice::share),
        min_score: dice.maybe(200, |dice| dice.small(0, 60) as u8),
        quorum: dice.share(),
        min_rounds: dice.small(0, max_rounds),
        on_steering: dice.pick(&[SteeringRule::Interrupt, SteeringRule::Queue]),
        ..rules.decision
    };
    rules.limits = Limits {
        max_rounds,
        tokens: dice.maybe(250, |dice| dice.between(1_000, 150_000)),
        cost_micros: dice.maybe(150, |dice| dice.between(1_000, 500_000)),
        wall_ms: dice.maybe(250, |dice| dice.between(5_000, 1_800_000)),
        answer_tokens: dice.pick(&[16, 400, 1500]),
        ..rules.limits
    };
    rules
}
