//! Unusual briefs: there is an answer and no panic for each.

use proptest::prelude::*;
use quorate_contract::{Brief, BriefKind, BriefTarget, BriefVoice, Language};

use super::answers::ALL;
use super::table::{SummaryAnswer, brief};
use crate::simulated::{answer_text, answers};

const KINDS: [BriefKind; 6] = [
    BriefKind::Blind,
    BriefKind::Speak,
    BriefKind::Vote,
    BriefKind::Summarize,
    BriefKind::Facilitate,
    BriefKind::Conclude,
];

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

fn odd_voice() -> impl Strategy<Value = BriefVoice> {
    (odd_text(), prop::option::of(odd_text()), prop::option::of(any::<u8>()), prop::option::of(odd_text()))
        .prop_map(|(name, position, score, vote_reason)| BriefVoice { name, position, score, vote_reason })
}

fn odd_target() -> impl Strategy<Value = BriefTarget> {
    (odd_text(), odd_text(), odd_text(), any::<bool>())
        .prop_map(|(claim, owner, text, disagrees)| BriefTarget { claim, owner, text, disagrees })
}

prop_compose! {
    fn odd_brief()(
        kind in prop::sample::select(KINDS.to_vec()),
        zh in any::<bool>(),
        topic in odd_text(),
        name in odd_text(),
        role in odd_text(),
        round in prop_oneof![0..9u32, Just(u32::MAX)],
        can_skip in any::<bool>(),
        targets in prop::collection::vec(odd_target(), 0..5),
        voices in prop::collection::vec(odd_voice(), 0..6),
        draft in prop::option::of(odd_text()),
        focus in prop::collection::vec(odd_text(), 0..3),
        (steering, repair) in (prop::option::of(odd_text()), prop::option::of(odd_text())),
        seed in any::<u64>(),
    ) -> Brief {
        let language = if zh { Language::Zh } else { Language::En };
        Brief {
            name, role, round, can_skip, targets, voices, draft, focus, steering, repair, seed,
            ..brief(kind, language, &topic)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_in_a_brief_makes_it_panic(brief in odd_brief(), who in 0..10usize, attempt in 0..4u32) {
        let text = answer_text(&brief, ALL[who], attempt);
        prop_assert!(!text.is_empty());
        let proper = answers::write(&brief, ALL[who]);
        if brief.kind != BriefKind::Speak {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&proper).is_ok_and(|value| value.is_object()));
        }
    }

    #[test]
    fn nobody_who_holds_something_is_left_out_of_a_summary(brief in odd_brief()) {
        let brief = Brief { kind: BriefKind::Summarize, ..brief };
        let text = answers::write(&brief, ALL[0]);
        let answer: SummaryAnswer = serde_json::from_str(&text).expect("a summary");
        prop_assert!(answer.summary.chars().count() <= 1200 && answer.draft.chars().count() <= 1500);
        for voice in &brief.voices {
            if voice.position.as_deref().is_some_and(|position| !position.trim().is_empty()) {
                prop_assert!(answer.positions.iter().any(|held| held.holders.contains(&voice.name)));
            }
        }
    }
}
