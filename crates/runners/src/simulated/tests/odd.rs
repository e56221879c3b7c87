//! Unusual briefs: there is an answer and no panic for each.

use proptest::prelude::*;
use quorate_contract::{
    AnswerKind, ArtifactKind, Brief, BriefArtifact, BriefBlind, BriefConclusion, BriefEvaluation, BriefIdea,
    BriefIntake, BriefInvitation, BriefMessage, BriefMinutes, BriefOffer, BriefParticipant, BriefSources,
    BriefSummary, BriefTarget, BriefTask, BriefTeam, BriefTurn, Language, PrivateMemory,
};

use super::answers::ALL;
use super::table::{SummaryAnswer, brief};
use crate::simulated::{answer_text, answers};

/// Short texts of everything that has ever broken a formatter.
fn odd_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "",
        " ",
        "\n",
        "{o}",
        "{",
        "}",
        "<a|b>",
        "<",
        ">",
        "|",
        "😀",
        "还是",
        " or ",
        "要不要",
        "A",
        "选",
        "、",
        "，",
        ",",
        "?",
        "？",
        "「",
        "」",
        "“",
        "\"",
        "\\",
        "\u{0}",
        "\u{1b}[2J",
        "should we ",
        "vs",
        " vs ",
        "吗",
        "如何",
        "how to ",
        "İ",
        "ß",
        "e\u{301}",
        "选择 ",
        "Choose ",
        "- ",
        "**",
        "```json",
        "@林晚",
        "move to ",
    ]);
    prop_oneof![
        3 => prop::collection::vec(pieces, 0..9).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
    ]
}

fn odd_voice() -> impl Strategy<Value = BriefParticipant> {
    (odd_text(), prop::option::of(odd_text()), prop::option::of(any::<u8>()), prop::option::of(odd_text()))
        .prop_map(|(name, position, score, vote_reason)| BriefParticipant {
            name,
            position,
            score,
            vote_reason,
        })
}

fn odd_target() -> impl Strategy<Value = BriefTarget> {
    (odd_text(), odd_text(), odd_text(), any::<bool>())
        .prop_map(|(claim, owner, text, disagrees)| BriefTarget { claim, owner, text, disagrees })
}

fn odd_turn() -> impl Strategy<Value = BriefTurn> {
    let given = (odd_texts(), prop::option::of(odd_text()), prop::collection::vec(odd_target(), 0..5));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (given, flags, odd_ideas(), any::<bool>()).prop_map(|(given, flags, ideas, remembers)| {
        let (focus, steering, targets) = given;
        let (can_skip, moderates, hosts, wants_ideas) = flags;
        let memory = remembers.then(|| PrivateMemory { notes: focus.clone(), ..PrivateMemory::default() });
        BriefTurn {
            last_round: 8,
            can_skip,
            targets,
            last_claims: Vec::new(),
            focus,
            steering,
            spoken: 0,
            moderates,
            hosts,
            wants_ideas,
            ideas,
            memory,
        }
    })
}

fn odd_texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(odd_text(), 0..3)
}

fn odd_ideas() -> impl Strategy<Value = Vec<BriefIdea>> {
    let idea = (odd_text(), odd_text(), odd_text(), 0..100u32);
    let idea = idea.prop_map(|(id, by, text, built_on)| BriefIdea { id, by, text, built_on });
    prop::collection::vec(idea, 0..4)
}

fn odd_messages() -> impl Strategy<Value = Vec<BriefMessage>> {
    let message = (odd_text(), odd_text(), any::<u32>(), odd_text());
    let message = message.prop_map(|(id, by, round, text)| BriefMessage { id, by, round, text });
    prop::collection::vec(message, 0..5)
}

fn odd_sources() -> impl Strategy<Value = BriefSources> {
    (odd_messages(), odd_messages()).prop_map(|(messages, risks)| BriefSources { messages, risks })
}

fn odd_models() -> impl Strategy<Value = Vec<BriefOffer>> {
    let offer = (odd_text(), odd_text()).prop_map(|(name, good_at)| BriefOffer { name, good_at });
    prop::collection::vec(offer, 0..3)
}

fn odd_task() -> impl Strategy<Value = BriefTask> {
    let artifacts = [
        ArtifactKind::Adr,
        ArtifactKind::Tasks,
        ArtifactKind::Risks,
        ArtifactKind::Minutes,
        ArtifactKind::Summary,
    ];
    prop_oneof![
        any::<bool>().prop_map(|can_skip| BriefTask::Blind(BriefBlind { can_skip, memory: None })),
        odd_turn().prop_map(BriefTask::Speak),
        odd_turn().prop_map(BriefTask::Contribute),
        Just(BriefTask::Vote),
        Just(BriefTask::Facilitate),
        odd_summary(),
        (any::<bool>(), any::<u32>(), odd_ideas(), odd_sources()).prop_map(
            |(accepted, best_ideas, ideas, sources)| {
                BriefTask::Conclude(BriefConclusion { accepted, best_ideas, ideas, sources })
            }
        ),
        (odd_text(), any::<u32>(), prop::option::of(odd_ideas())).prop_map(
            |(background, max_questions, ideas)| {
                BriefTask::Intake(BriefIntake { background, max_questions, ideas })
            }
        ),
        (0..9u32, odd_models(), prop::option::of(odd_text()))
            .prop_map(|(seats, models, request)| BriefTask::Team(BriefTeam { seats, models, request })),
        (odd_text(), odd_models())
            .prop_map(|(request, models)| BriefTask::Invite(BriefInvitation { request, models })),
        (odd_ideas(), odd_messages())
            .prop_map(|(ideas, messages)| BriefTask::Evaluate(BriefEvaluation { ideas, messages })),
        (odd_sources(), prop::option::of(odd_text()))
            .prop_map(|(sources, request)| BriefTask::Minutes(BriefMinutes { sources, request })),
        (prop::sample::select(artifacts.to_vec()), odd_sources())
            .prop_map(|(artifact, sources)| BriefTask::Artifact(BriefArtifact { artifact, sources })),
    ]
}

fn odd_summary() -> impl Strategy<Value = BriefTask> {
    prop::option::of(odd_ideas()).prop_map(|ideas| BriefTask::Summarize(BriefSummary { ideas }))
}

prop_compose! {
    fn odd_brief(tasks: impl Strategy<Value = BriefTask>)(
        task in tasks,
        zh in any::<bool>(),
        topic in odd_text(),
        name in odd_text(),
        role in odd_text(),
        round in prop_oneof![0..9u32, Just(u32::MAX)],
        participants in prop::collection::vec(odd_voice(), 0..6),
        draft in prop::option::of(odd_text()),
        repair in prop::option::of(odd_text()),
        seed in any::<u64>(),
    ) -> Brief {
        let language = if zh { Language::Zh } else { Language::En };
        Brief { name, role, round, participants, draft, repair, seed, ..brief(task, language, &topic) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_in_a_brief_makes_it_panic(brief in odd_brief(odd_task()), who in 0..10usize, attempt in 0..4u32) {
        let text = answer_text(&brief, ALL[who], attempt);
        prop_assert!(!text.is_empty());
        let proper = answers::write(&brief, ALL[who]);
        if proper != answers::SKIP && brief.kind() != AnswerKind::Speak {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&proper).is_ok_and(|value| value.is_object()));
        }
    }

    #[test]
    fn nobody_who_holds_something_is_left_out_of_a_summary(brief in odd_brief(odd_summary())) {
        let text = answers::write(&brief, ALL[0]);
        let answer: SummaryAnswer = serde_json::from_str(&text).expect("a summary");
        prop_assert!(answer.summary.chars().count() <= 1200 && answer.draft.chars().count() <= 1500);
        for participant in &brief.participants {
            if participant.position.as_deref().is_some_and(|position| !position.trim().is_empty()) {
                prop_assert!(answer.positions.iter().any(|held| held.holders.contains(&participant.name)));
            }
        }
    }
}
