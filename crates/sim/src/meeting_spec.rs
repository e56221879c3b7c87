//! Random specifications: every setting of the rules is drawn by the seed.

use quorate_contract::*;

use crate::rng::Rng;

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
pub(crate) fn spec(rng: &mut Rng) -> MeetingSpec {
    let format = rng.pick(&Format::ALL);
    let rules = rules(rng, format);
    // A budget of money can only be kept where every price is known.
    let priced = rules.limits.cost_micros.is_some();
    let assembles = rules.roster.assemble && rng.per_mille(600);
    let count = if assembles { 0 } else { rng.between(1, 9) as usize };
    let facilitated = if assembles { 1000 } else { 800 };
    MeetingSpec {
        topic: "Is SQLite enough? / SQLite 够用吗？".into(),
        background: if rng.per_mille(300) { "Two writers, one disk. </task>".into() } else { String::new() },
        details: Default::default(),
        tools: Vec::new(),
        language: rng.pick(&[Language::En, Language::Zh]),
        format,
        rules,
        seed: rng.roll(),
        facilitator: rng.maybe(facilitated, |rng| Facilitator {
            runner: runner(rng, priced),
            system_prompt: String::new(),
        }),
        moderator: rng.maybe(400, |rng| NAMES[rng.place(count)].to_owned()).filter(|_| count > 0),
        agenda: AGENDA[..rng.place(AGENDA.len() + 1)]
            .iter()
            .map(|title| ((*title).to_owned(), "<b>briefly</b>".to_owned()))
            .collect(),
        models: OFFERS[..rng.place(OFFERS.len() + 1)]
            .iter()
            .map(|name| ModelOffer {
                name: (*name).to_owned(),
                runner: runner(rng, priced),
                good_at: "figures".into(),
            })
            .collect(),
        participants: NAMES[..count].iter().map(|name| newcomer(rng, name, priced)).collect(),
    }
}

/// A participant who joins later: mostly with a new name, at times with one that is taken.
pub(crate) fn latecomer(rng: &mut Rng) -> Newcomer {
    let name = rng.pick(&NAMES);
    newcomer(rng, name, false)
}

/// A name that a participant may have.
pub(crate) fn any_name(rng: &mut Rng) -> &'static str {
    rng.pick(&NAMES)
}

fn newcomer(rng: &mut Rng, name: &str, priced: bool) -> Newcomer {
    let description = format!("{name} looks at what others forget");
    Newcomer {
        name: name.to_owned(),
        role: Role { name: "Engineer".into(), description, system_prompt: String::new() },
        runner: runner(rng, priced),
        skip_list: Vec::new(),
    }
}

fn runner(rng: &mut Rng, priced: bool) -> RunnerSpec {
    if rng.per_mille(500) {
        return RunnerSpec::Simulated { temperament: Temperament::Balanced };
    }
    let fallback = rng.maybe(400, |rng| Box::new(model(rng, "shelter", priced, None)));
    model(rng, "scripted", priced, fallback)
}

fn model(rng: &mut Rng, name: &str, priced: bool, fallback: Option<Box<RunnerSpec>>) -> RunnerSpec {
    let price = |rng: &mut Rng| {
        let input_micros = rng.below(5_000_000);
        // What is put into a cache is dearer than other words, and no dearer than those written.
        let cache_write_micros = rng.maybe(300, |rng| input_micros + rng.below(1_000_000));
        Price {
            input_micros,
            output_micros: input_micros + 1_000_000 + rng.below(20_000_000),
            cache_write_micros,
            cached_micros: rng.maybe(300, |rng| rng.below(input_micros + 1)),
            search_micros: Some(10_000),
        }
    };
    RunnerSpec::Model {
        provider: "pretended".into(),
        model: name.into(),
        parameters: ModelParameters {
            temperature: rng.maybe(500, Rng::share),
            top_p: None,
            max_tokens: rng.maybe(200, |rng| rng.small(16, 2000)),
            effort: None,
            thinking_tokens: None,
            context_tokens: None,
        },
        price: rng.maybe(if priced { 1000 } else { 500 }, price),
        fallback,
    }
}

/// Rules that are all right, near those of a format.
pub(crate) fn rules(rng: &mut Rng, format: Format) -> Rules {
    let mut rules = format.rules();
    let max_rounds = rng.small(1, 4);
    rules.turns = TurnRules {
        mode: rng.pick(&[TurnMode::Auto, TurnMode::SerialTurn, TurnMode::ParallelRound]),
        parallel_from: rng.small(2, 8),
        order: rng.pick(&[SpeakingOrder::Sequential, SpeakingOrder::Random, SpeakingOrder::Rotating]),
        blind_round: rng.per_mille(if format == Format::Consensus { 800 } else { 200 }),
        cross_reply_targets: rng.small(0, 3),
        may_skip: rng.per_mille(500),
        extra_turns: rng.small(0, 2),
        timeout_ms: rng.between(1_000, 180_000),
        max_message_chars: rng.pick(&[50, 300, 10_000]),
        ..rules.turns
    };
    rules.context = ContextRules {
        rolling_summary: rng.per_mille(700),
        summary_max_chars: rng.pick(&[100, 1200]),
        recent_messages: rng.pick(&[0, 1, 3, 16]),
        ..rules.context
    };
    rules.decision = DecisionRules {
        ballots: rng.per_mille(if format == Format::Consensus { 900 } else { 300 }),
        mean_score: rng.maybe(700, |rng| rng.small(40, 95) as u8),
        pass_ratio: rng.maybe(400, Rng::share),
        min_score: rng.maybe(200, |rng| rng.small(0, 60) as u8),
        quorum: rng.share(),
        min_rounds: rng.small(0, max_rounds),
        on_steering: rng.pick(&[SteeringRule::Interrupt, SteeringRule::Queue]),
        ..rules.decision
    };
    if rules.decision.pass_ratio.is_none() && rules.decision.min_score.is_none() {
        // A quorum alone is refused.
        rules.decision.mean_score = rules.decision.mean_score.or(Some(80));
    }
    rules.limits = LimitRules {
        max_rounds,
        tokens: rng.maybe(250, |rng| rng.between(1_000, 400_000)),
        cost_micros: rng.maybe(150, |rng| rng.between(1_000, 500_000)),
        wall_ms: rng.maybe(250, |rng| rng.between(5_000, 1_800_000)),
        answer_tokens: rng.pick(&[16, 400, 1500]),
        when_reached: rng.pick(&[BudgetAction::End, BudgetAction::Pause]),
        rounds_alone: rng.small(0, 2),
        rounds_stale: rng.small(0, 2),
        ..LimitRules::default()
    };
    if rng.per_mille(500) {
        ways_of_five(rng, &mut rules);
    }
    rules
}

/// The settings in which the five formats differ, mixed: every setting works in every format.
fn ways_of_five(rng: &mut Rng, rules: &mut Rules) {
    let turns = &mut rules.turns;
    turns.floor = rng.pick(&[FloorMode::Rotation, FloorMode::Rotation, FloorMode::Host]);
    turns.answer = rng.pick(&[AnswerForm::Prose, AnswerForm::Structured]);
    turns.mention_ends_round = rng.per_mille(400);
    turns.timeout_skips = rng.per_mille(400);
    turns.show_skips = rng.per_mille(500);
    turns.people_may_speak = rng.per_mille(900);
    turns.ideas = rng.per_mille(400);
    rules.context.view = rng.pick(&[
        ContextScope::Record,
        ContextScope::SinceOwnWord,
        ContextScope::Round,
        ContextScope::Layered,
    ]);
    rules.context.private_memory = rng.per_mille(500);
    rules.context.quotes = rng.small(0, 9);
    rules.intake = IntakeRules {
        when: rng.pick(&[IntakeTiming::Never, IntakeTiming::Start, IntakeTiming::EachRound]),
        max_questions: rng.small(0, 4),
    };
    rules.decision.convergence = rng.maybe(400, |rng| Convergence {
        max_open_questions: rng.small(0, 3),
        max_disagreements: rng.small(0, 2),
        stable_rounds: rng.small(2, 3),
    });
    rules.roster = RosterRules {
        assemble: rng.per_mille(400),
        team_size: rng.small(1, 4),
        approve: rng.per_mille(500),
        evaluate: rng.per_mille(600),
        leave_below: rng.small(0, 10) as u8,
        newcomers: rng.per_mille(400),
        min_team: rng.small(1, 3),
    };
    let first = rng.place(ArtifactKind::ALL.len());
    let last = first + rng.place(ArtifactKind::ALL.len() + 1 - first);
    rules.closing =
        ClosingRules { artifacts: ArtifactKind::ALL[first..last].to_vec(), best_ideas: rng.small(0, 3) };
}
