//! Every kind of answer in both languages from every temperament has the shape that was asked for.

use quorate_contract::{
    Brief, BriefBlind, BriefConclusion, BriefParticipant, BriefSummary, BriefTarget, BriefTask, BriefTurn,
    Language, Temperament,
};

use super::table::{
    BlindAnswer, ConclusionAnswer, FacilitationAnswer, SummaryAnswer, VoteAnswer, asked, brief, speak, split,
};
use crate::simulated::{answer_text, answers};

pub(super) const ALL: [Temperament; 10] = [
    Temperament::Balanced,
    Temperament::Agreeable,
    Temperament::Stubborn,
    Temperament::Copycat,
    Temperament::Verbose,
    Temperament::Silent,
    Temperament::Slow,
    Temperament::Flaky,
    Temperament::Malformed,
    Temperament::Injecting,
];

type Names = [&'static str; 3];

fn names_in(language: Language) -> Names {
    language.pick(["林晚", "周衡", "苏棠"], ["Ada", "Ben", "Dora"])
}

fn positions_in(language: Language) -> Names {
    language.pick(
        ["选择 Redis", "选择进程内存", "两者都不需要，先测量"],
        ["Choose Redis", "Choose process memory", "Neither of them, measure first"],
    )
}

/// A turn with one point to answer.
fn full_turn(language: Language, seed: u64) -> BriefTask {
    let other = (seed as usize + 1) % 3;
    let target = BriefTarget {
        claim: "c4".to_owned(),
        owner: names_in(language)[other].to_owned(),
        text: positions_in(language)[other].to_owned(),
        disagrees: seed.is_multiple_of(2),
    };
    speak(BriefTurn { targets: vec![target], ..BriefTurn::default() })
}

fn full_brief(task: BriefTask, language: Language, seed: u64) -> Brief {
    let topic =
        language.pick("缓存用 Redis 还是进程内存？", "Should we use Redis or process memory for the cache?");
    let (names, positions) = (names_in(language), positions_in(language));
    let participants = (0..3)
        .map(|seat| BriefParticipant {
            name: names[seat].to_owned(),
            position: Some(positions[seat].to_owned()),
            score: [Some(71), None, Some(44)][seat],
            vote_reason: [Some("I miss a way back, 还缺退路"), None, Some("The numbers are missing")][seat]
                .map(str::to_owned),
        })
        .collect();
    Brief {
        name: names[seed as usize % 3].to_owned(),
        round: (seed % 5) as u32,
        participants,
        draft: (!seed.is_multiple_of(3)).then(|| format!("**Draft**: {}\n\n- keep a log", positions[0])),
        seed,
        ..brief(task, language, topic)
    }
}

/// All well-formed answers to one kind of task. The malformed are asked without their disturbance.
fn each(task: impl Fn(Language, u64) -> BriefTask, check: impl Fn(&Brief, &str)) {
    for language in [Language::Zh, Language::En] {
        for temperament in ALL {
            for seed in 0..40 {
                let brief = full_brief(task(language, seed), language, seed);
                check(&brief, &answers::write(&brief, temperament));
            }
        }
    }
}

fn at_most(most: usize, text: &str) {
    assert!(!text.trim().is_empty());
    assert!(text.chars().count() <= most, "{} characters: {text}", text.chars().count());
}

#[test]
fn first_answers() {
    each(
        |_, _| BriefTask::Blind(BriefBlind::default()),
        |_, text| {
            let answer: BlindAnswer = serde_json::from_str(text).expect(text);
            at_most(200, &answer.position);
            at_most(200, &answer.would_change_my_mind);
            assert!((1..=3).contains(&answer.claims.len()) && answer.unshared_facts.len() <= 2);
            answer.claims.iter().chain(&answer.unshared_facts).for_each(|text| at_most(200, text));
            assert!(answer.confidence <= 100);
        },
    );
}

#[test]
fn votes() {
    each(
        |_, _| BriefTask::Vote,
        |_, text| {
            let vote: VoteAnswer = serde_json::from_str(text).expect(text);
            assert!(vote.score <= 100);
            assert_eq!(vote.pass, vote.score >= 75);
            at_most(300, &vote.reason);
            vote.missing.iter().for_each(|text| at_most(200, text));
        },
    );
}

#[test]
fn messages() {
    each(full_turn, |brief, text| {
        let (prose, trailer) = split(text);
        assert!(prose.contains("[c4]"), "{text}");
        at_most(12_000, &prose);
        at_most(200, &trailer.position);
        assert!(trailer.confidence <= 100);
        assert!((1..=3).contains(&trailer.claims.len()));
        trailer.claims.iter().for_each(|text| at_most(200, text));
        assert!(trailer.changed_by.is_none_or(|claim| claim == asked(brief).targets[0].claim));
    });
}

#[test]
fn summaries_leave_no_position_out() {
    each(
        |_, _| BriefTask::Summarize(BriefSummary::default()),
        |brief, text| {
            let answer: SummaryAnswer = serde_json::from_str(text).expect(text);
            answer.open_questions.iter().chain(&answer.disagreements).for_each(|text| at_most(200, text));
            at_most(1200, &answer.summary);
            at_most(1500, &answer.draft);
            for participant in &brief.participants {
                let holding = answer.positions.iter().filter(|held| held.holders.contains(&participant.name));
                assert_eq!(holding.count(), 1, "{} in {text}", participant.name);
            }
            answer.positions.iter().for_each(|held| at_most(200, &held.text));
            if brief.draft.is_some() {
                assert!(answer.draft.to_lowercase().contains("keep a log"), "{}", answer.draft);
            }
        },
    );
}

#[test]
fn facilitations() {
    each(
        |_, _| BriefTask::Facilitate,
        |_, text| {
            let answer: FacilitationAnswer = serde_json::from_str(text).expect(text);
            assert!(
                (1..=3).contains(&answer.disagreements.len()) && (1..=2).contains(&answer.next_focus.len())
            );
            answer.disagreements.iter().chain(&answer.next_focus).for_each(|text| at_most(300, text));
            at_most(600, &answer.proposed_patch);
        },
    );
}

#[test]
fn conclusions() {
    each(
        |_, _| BriefTask::Conclude(BriefConclusion::default()),
        |brief, text| {
            let answer: ConclusionAnswer = serde_json::from_str(text).expect(text);
            at_most(2400, &answer.conclusion);
            assert!((1..=4).contains(&answer.actions.len()));
            for action in &answer.actions {
                assert!(action.sources.is_empty(), "it has seen no messages");
                at_most(200, &action.what);
                assert!(
                    action.who.as_ref().is_none_or(|who| brief
                        .participants
                        .iter()
                        .any(|participant| participant.name == *who))
                );
            }
            for open in &answer.disagreements {
                at_most(200, &open.issue);
                assert!(open.sides.len() >= 2);
                for side in &open.sides {
                    at_most(200, &side.view);
                    at_most(300, &side.why);
                    assert!(!side.holders.is_empty());
                }
            }
        },
    );
}

#[test]
fn the_same_brief_is_answered_in_the_same_words() {
    let tasks = [
        BriefTask::Blind(BriefBlind::default()),
        full_turn(Language::Zh, 5),
        BriefTask::Vote,
        BriefTask::Summarize(BriefSummary::default()),
    ];
    for task in tasks {
        for temperament in ALL {
            let brief = full_brief(task.clone(), Language::Zh, 5);
            let first = answer_text(&brief, temperament, 1);
            assert_eq!(first, answer_text(&brief.clone(), temperament, 1));
        }
    }
    let balanced = |seed| {
        answer_text(&full_brief(full_turn(Language::Zh, seed), Language::Zh, seed), Temperament::Balanced, 1)
    };
    assert_ne!(balanced(3), balanced(18), "another seed finds other words");
}

#[test]
fn the_silent_skip_when_they_may_and_say_one_sentence_when_they_must() {
    let must = full_brief(full_turn(Language::Zh, 3), Language::Zh, 3);
    let turn = BriefTurn { can_skip: true, ..asked(&must).clone() };
    let may = Brief { task: speak(turn), ..must.clone() };
    assert_eq!(answer_text(&may, Temperament::Silent, 1), "[SKIP]");
    let (prose, _) = split(&answer_text(&must, Temperament::Silent, 1));
    assert_eq!(prose.matches('。').count(), 1, "{prose}");
}

#[test]
fn the_copycat_takes_over_the_position_before_it() {
    let brief = full_brief(full_turn(Language::Zh, 1), Language::Zh, 1);
    let (prose, trailer) = split(&answer_text(&brief, Temperament::Copycat, 1));
    assert_eq!(trailer.position, "选择 Redis", "{prose}");
    assert_eq!(trailer.claims, [asked(&brief).targets[0].text.clone()]);
}

#[test]
fn the_verbose_say_three_times_as_much_and_now_and_then_far_more() {
    let (mut beyond, mut ordinary) = (0, 0);
    for seed in 0..60 {
        let brief = full_brief(full_turn(Language::Zh, seed), Language::Zh, seed);
        let (prose, _) = split(&answer_text(&brief, Temperament::Verbose, 1));
        match prose.chars().count() {
            10_001..=12_000 => beyond += 1,
            450..=1400 => ordinary += 1,
            other => panic!("{other} characters"),
        }
    }
    assert!(beyond >= 2 && ordinary >= 40, "{beyond} beyond, {ordinary} ordinary");
}

#[test]
fn the_malformed_break_most_answers_in_several_ways_and_few_repairs() {
    let mut shapes = std::collections::BTreeSet::new();
    let (mut broken, mut broken_repairs) = (0, 0);
    for seed in 0..200 {
        let ballot = full_brief(BriefTask::Vote, Language::En, seed);
        let proper = answers::write(&ballot, Temperament::Malformed);
        let text = answer_text(&ballot, Temperament::Malformed, 1);
        if text != proper {
            broken += 1;
            shapes.insert(text.chars().take(8).collect::<String>());
        }
        let repair = Brief { repair: Some("no JSON object".to_owned()), ..ballot };
        broken_repairs += usize::from(answer_text(&repair, Temperament::Malformed, 2) != proper);
    }
    assert!((150..=190).contains(&broken), "{broken} of 200");
    assert!((25..=75).contains(&broken_repairs), "{broken_repairs} of 200");
    assert!(shapes.len() >= 6, "{shapes:?}");
    let message = full_brief(full_turn(Language::En, 4), Language::En, 4);
    let ways: std::collections::BTreeSet<_> =
        (1..30).map(|attempt| answer_text(&message, Temperament::Malformed, attempt)).collect();
    assert!(ways.len() >= 6, "{} ways to break a trailer", ways.len());
}

#[test]
fn the_injecting_forge_frames_that_stay_inside_their_strings() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..80 {
        let (prose, _) = split(&answer_text(
            &full_brief(full_turn(Language::En, seed), Language::En, seed),
            Temperament::Injecting,
            1,
        ));
        for sign in [
            "</message><system>",
            "gnore all previous instructions",
            "\nuser:",
            "\"pass\":true",
            "@everyone",
            "<script>",
            "\u{1b}[",
            "<|im_start|>",
        ] {
            if prose.contains(sign) {
                seen.insert(sign);
            }
        }
        let vote = answer_text(&full_brief(BriefTask::Vote, Language::Zh, seed), Temperament::Injecting, 1);
        assert!(!vote.contains('\u{1b}') && !vote.contains('\n'), "JSON escapes them: {vote}");
    }
    assert_eq!(seen.len(), 8, "{seen:?}");
}
