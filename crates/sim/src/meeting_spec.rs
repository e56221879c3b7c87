//! Random specifications: every setting of the rules is drawn by the seed.

use quorate_contract::*;

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

/// Possible items of the agenda.
const AGENDA: [&str; 2] = ["What it costs", "谁来维护"];

/// Models that a team can be given.
const OFFERS: [&str; 2] = ["quick", "deep"];

/// The events with which a meeting is created. Always valid: what is refused is tried elsewhere.
pub(crate) fn spec(dice: &mut Dice) -> MeetingSpec {
    let format = dice.pick(&Format::ALL);
    let rules = rules(dice, format);
    // A budget of money can only be kept where every price is known.
    let priced = rules.limits.cost_micros.is_some();
    let assembles = rules.roster.assemble && dice.per_mille(600);
    let count = if assembles { 0 } else { dice.between(1, 9) as usize };
    let facilitated = if assembles { 1000 } else { 800 };
    MeetingSpec {
        topic: "Is SQLite enough? / SQLite 够用吗？".into(),
        background: if dice.per_mille(300) { "Two writers, one disk. </task>".into() } else { String::new() },
        details: Default::default(),
        language: dice.pick(&[Language::En, Language::Zh]),
        format,
        rules,
        seed: dice.roll(),
        facilitator: dice.maybe(facilitated, |dice| Facilitator {
            runner: runner(dice, priced),
            system_prompt: String::new(),
        }),
        moderator: dice.maybe(400, |dice| NAMES[dice.place(count)].to_owned()).filter(|_| count > 0),
        agenda: AGENDA[..dice.place(AGENDA.len() + 1)]
            .iter()
            .map(|title| ((*title).to_owned(), "<b>briefly</b>".to_owned()))
            .collect(),
        models: OFFERS[..dice.place(OFFERS.len() + 1)]
            .iter()
            .map(|name| ModelOffer {
                name: (*name).to_owned(),
                runner: runner(dice, priced),
                good_at: "figures".into(),
            })
            .collect(),
        participants: NAMES[..count].iter().map(|name| newcomer(dice, name, priced)).collect(),
    }
}

/// A participant who joins later: mostly with a new name, at times with one that is taken.
pub(crate) fn latecomer(dice: &mut Dice) -> Newcomer {
    let name = dice.pick(&NAMES);
    newcomer(dice, name, false)
}

/// A name that a participant may have.
pub(crate) fn any_name(dice: &mut Dice) -> &'static str {
    dice.pick(&NAMES)
}

fn newcomer(dice: &mut Dice, name: &str, priced: bool) -> Newcomer {
    let description = format!("{name} looks at what others forget");
    Newcomer {
        name: name.to_owned(),
        role: Role { name: "Engineer".into(), description, system_prompt: String::new() },
        runner: runner(dice, priced),
        skip_list: Vec::new(),
    }
}

fn runner(dice: &mut Dice, priced: bool) -> RunnerSpec {
    if dice.per_mille(500) {
        return RunnerSpec::Simulated { temperament: Temperament::Balanced };
    }
    let fallback = dice.maybe(400, |dice| Box::new(model(dice, "shelter", priced, None)));
    model(dice, "scripted", priced, fallback)
}

fn model(dice: &mut Dice, name: &str, priced: bool, fallback: Option<Box<RunnerSpec>>) -> RunnerSpec {
    let price = |dice: &mut Dice| {
        let input_micros = dice.below(5_000_000);
        // What is put into a cache is dearer than other words, and no dearer than those written.
        let cache_write_micros = dice.maybe(300, |dice| input_micros + dice.below(1_000_000));
        Price {
            input_micros,
            output_micros: input_micros + 1_000_000 + dice.below(20_000_000),
            cache_write_micros,
            cached_micros: dice.maybe(300, |dice| dice.below(input_micros + 1)),
        }
    };
    RunnerSpec::Model {
        provider: "pretended".into(),
        model: name.into(),
        parameters: ModelParameters {
            temperature: dice.maybe(500, Dice::share),
            top_p: None,
            max_tokens: dice.maybe(200, |dice| dice.small(16, 2000)),
            effort: None,
            thinking_tokens: None,
            context_tokens: None,
        },
        price: dice.maybe(if priced { 1000 } else { 500 }, price),
        fallback,
    }
}

/// Rules that are all right, near those of a format.
pub(crate) fn rules(dice: &mut Dice, format: Format) -> Rules {
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
    rules.limits = LimitRules {
        max_rounds,
        tokens: dice.maybe(250, |dice| dice.between(1_000, 400_000)),
        cost_micros: dice.maybe(150, |dice| dice.between(1_000, 500_000)),
        wall_ms: dice.maybe(250, |dice| dice.between(5_000, 1_800_000)),
        answer_tokens: dice.pick(&[16, 400, 1500]),
        when_reached: dice.pick(&[BudgetAction::End, BudgetAction::Pause]),
        rounds_alone: dice.small(0, 2),
        rounds_stale: dice.small(0, 2),
        provider_wait_ms: 600_000,
    };
    if dice.per_mille(500) {
        ways_of_five(dice, &mut rules);
    }
    rules
}

/// The settings in which the five formats differ, mixed: every setting works in every format.
fn ways_of_five(dice: &mut Dice, rules: &mut Rules) {
    let turns = &mut rules.turns;
    turns.floor = dice.pick(&[FloorMode::Rotation, FloorMode::Rotation, FloorMode::Host]);
    turns.answer = dice.pick(&[AnswerForm::Prose, AnswerForm::Structured]);
    turns.mention_ends_round = dice.per_mille(400);
    turns.timeout_skips = dice.per_mille(400);
    turns.show_skips = dice.per_mille(500);
    turns.people_may_speak = dice.per_mille(900);
    turns.ideas = dice.per_mille(400);
    rules.context.view = dice.pick(&[
        ContextScope::Record,
        ContextScope::SinceOwnWord,
        ContextScope::Round,
        ContextScope::Layered,
    ]);
    rules.context.private_memory = dice.per_mille(500);
    rules.context.quotes = dice.small(0, 9);
    rules.intake = IntakeRules {
        when: dice.pick(&[IntakeTiming::Never, IntakeTiming::Start, IntakeTiming::EachRound]),
        max_questions: dice.small(0, 4),
    };
    rules.decision.convergence = dice.maybe(400, |dice| Convergence {
        max_open_questions: dice.small(0, 3),
        max_disagreements: dice.small(0, 2),
        stable_rounds: dice.small(2, 3),
    });
    rules.roster = RosterRules {
        assemble: dice.per_mille(400),
        team_size: dice.small(1, 4),
        approve: dice.per_mille(500),
        evaluate: dice.per_mille(600),
        leave_below: dice.small(0, 10) as u8,
        newcomers: dice.per_mille(400),
        min_team: dice.small(1, 3),
    };
    let first = dice.place(ArtifactKind::ALL.len());
    let last = first + dice.place(ArtifactKind::ALL.len() + 1 - first);
    rules.closing =
        ClosingRules { artifacts: ArtifactKind::ALL[first..last].to_vec(), best_ideas: dice.small(0, 3) };
}
