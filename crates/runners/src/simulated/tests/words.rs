//! The wording of messages: variety, length, and clean Chinese.

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::{BriefParticipant, BriefTarget, BriefTurn, Language, Temperament};

use super::table::{Table, asked, brief, speak, split};
use crate::simulated::text::length;
use crate::simulated::{answer_text, default_temperaments};

const ZH_TOPICS: [&str; 4] = [
    "新项目的事件日志用 SQLite 还是 PostgreSQL？",
    "我们要不要把单体拆成微服务？",
    "如何在三个月内提高新用户留存？",
    "周末全家去哪里玩",
];
const EN_TOPICS: [&str; 3] = [
    "Should we use SQLite or PostgreSQL for the journal?",
    "Should we adopt a four-day week?",
    "How can we reduce the risk of an outage?",
];

fn sentences(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(['。', '！', '？', '\n'])
        .flat_map(|part| part.split(". "))
        .map(|part| part.trim().trim_end_matches('.').to_owned())
        .filter(|part| part.chars().count() >= 8)
}

/// Of all sentences of a meeting, fewer than one in twenty are said by two participants.
#[test]
fn five_people_over_four_rounds_do_not_repeat_each_other() {
    let topics = ZH_TOPICS.iter().map(|topic| (Language::Zh, *topic));
    let topics = topics.chain(EN_TOPICS.iter().map(|topic| (Language::En, *topic)));
    for (language, topic) in topics {
        for seed in 0..6 {
            let mut table = Table::new(language, topic, &default_temperaments(5, seed), seed);
            table.blind_round();
            for round in 1..=4 {
                table.round(round);
            }
            let mut speakers: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
            let positions: BTreeSet<_> =
                table.participants.iter().filter_map(|participant| participant.position.clone()).collect();
            for line in table.lines.iter().filter(|line| line.who != "—") {
                for sentence in sentences(&line.text).filter(|text| !positions.contains(text)) {
                    speakers.entry(sentence).or_default().insert(&line.who);
                }
            }
            // Positions are the same words on purpose: they are what people are grouped by.
            let matter = crate::simulated::topic::read(topic, language);
            speakers.retain(|sentence, _| !matter.choices.iter().any(|choice| choice.position == *sentence));
            let repeated: Vec<_> = speakers.iter().filter(|(_, who)| who.len() > 1).collect();
            assert!(
                repeated.len() * 20 < speakers.len(),
                "{topic}, seed {seed}: {} of {}: {repeated:#?}",
                repeated.len(),
                speakers.len()
            );
        }
    }
}

fn target(claim: &str, owner: &str, text: &str, disagrees: bool) -> BriefTarget {
    BriefTarget { claim: claim.to_owned(), owner: owner.to_owned(), text: text.to_owned(), disagrees }
}

fn participant(name: &str, position: &str) -> BriefParticipant {
    BriefParticipant {
        name: name.to_owned(),
        position: Some(position.to_owned()),
        score: None,
        vote_reason: None,
    }
}

/// A turn in the middle of a meeting, with zero to three points to answer.
fn turn(language: Language, seed: u64) -> quorate_contract::Brief {
    let targets = match language {
        Language::Zh => vec![
            target("c4", "周衡", "PostgreSQL 的后续成本看得见、算得清，SQLite 的账单却会随规模一起涨", true),
            target("c7", "苏棠", "SQLite 两周内就能看到第一个结果，另一边光对齐就要一个多月", false),
            target("c9", "陈默", "最坏的情况下，损失有上限", true),
        ],
        Language::En => vec![
            target("c4", "Ben", "The later costs of PostgreSQL are visible and countable", true),
            target("c7", "Dora", "With SQLite there is something to show this month", false),
            target("c9", "Cid", "In the worst case PostgreSQL would hurt only one corner", true),
        ],
    };
    let (topic, names, positions) = match language {
        Language::Zh => {
            (ZH_TOPICS[0], ["林晚", "周衡", "苏棠", "陈默"], ["选择「SQLite」", "选择「PostgreSQL」"])
        }
        Language::En => {
            (EN_TOPICS[0], ["Ada", "Ben", "Dora", "Cid"], ["Choose “SQLite”", "Choose “PostgreSQL”"])
        }
    };
    let participants = vec![
        participant(names[0], positions[0]),
        participant(names[1], positions[1]),
        participant(names[2], positions[0]),
        participant(names[3], positions[1]),
    ];
    let steering = match language {
        Language::Zh => "预算只有去年的一半，请务必考虑",
        Language::En => "The budget is half of last year's, keep that in mind",
    };
    let focus = match language {
        Language::Zh => "怎样落实「写明回退步骤」，由谁检验？",
        Language::En => "Who checks “write the way back down”, how and when?",
    };
    let turn = BriefTurn {
        targets: targets.into_iter().take((seed % 4) as usize).collect(),
        steering: seed.is_multiple_of(3).then(|| steering.to_owned()),
        focus: if seed.is_multiple_of(2) { vec![focus.to_owned()] } else { Vec::new() },
        ..BriefTurn::default()
    };
    quorate_contract::Brief {
        name: names[0].to_owned(),
        round: 1 + (seed % 5) as u32,
        participants,
        seed,
        ..brief(speak(turn), language, topic)
    }
}

#[test]
fn an_ordinary_message_keeps_to_its_measure_and_answers_every_point() {
    for (language, measure) in [(Language::Zh, 25..=200), (Language::En, 15..=130)] {
        let (mut shortest, mut longest) = (usize::MAX, 0);
        for seed in 0..400 {
            let temperaments =
                [Temperament::Balanced, Temperament::Agreeable, Temperament::Stubborn, Temperament::Slow];
            let brief = turn(language, seed);
            let (prose, trailer) = split(&answer_text(&brief, temperaments[seed as usize / 4 % 4], 1));
            let length = length(&prose, language);
            (shortest, longest) = (shortest.min(length), longest.max(length));
            assert!(measure.contains(&length), "{length} of {measure:?}, seed {seed}:\n{prose}");
            for target in &asked(&brief).targets {
                assert!(prose.contains(&format!("[{}] ", target.claim)), "seed {seed}:\n{prose}");
            }
            if let Some(moved) = trailer.changed_by {
                assert!(asked(&brief).targets.iter().any(|target| target.claim == moved && target.disagrees));
                assert!(!trailer.position.contains("SQLite"));
            } else {
                assert!(trailer.position.contains("SQLite"));
            }
        }
        eprintln!("{language:?}: messages of {shortest}-{longest}");
    }
}

#[test]
fn a_persons_word_and_the_focus_are_taken_up() {
    let zh = answer_text(&turn(Language::Zh, 6), Temperament::Balanced, 1);
    assert!(zh.contains("请务必考虑") || zh.contains("预算只有去年的一半"), "{zh}");
    assert!(zh.contains("写明回退步骤"), "{zh}");
    let en = answer_text(&turn(Language::En, 6), Temperament::Balanced, 1);
    assert!(en.contains("The budget is half of last year's"), "{en}");
    assert!(en.contains("write the way back down"), "{en}");
}

#[test]
fn chinese_is_written_as_chinese_and_no_slot_shows() {
    for (place, topic) in ZH_TOPICS.iter().enumerate() {
        for seed in 0..8 {
            let mut table = Table::new(Language::Zh, topic, &default_temperaments(5, seed), seed);
            table.meet(4);
            for line in &table.lines {
                let known = ["SQLite", "PostgreSQL"];
                let mut text = line.text.clone();
                known.iter().for_each(|word| text = text.replace(word, "甲"));
                // Point tags and round numbers are the same in every language.
                let tags = text
                    .split('[')
                    .skip(1)
                    .filter_map(|part| part.split_once(']'))
                    .map(|(tag, _)| tag.to_owned());
                tags.collect::<Vec<_>>().iter().for_each(|tag| text = text.replace(&format!("[{tag}]"), ""));
                let stray = text.chars().find(|c| c.is_ascii_alphabetic() || "{}<>|,;:!?()\"“”".contains(*c));
                assert_eq!(stray, None, "topic {place}, seed {seed}: {}", line.text);
                for twice in ["。。", "，，", "，。", "：。", "；。", "？。", "「」", "『』"]
                {
                    assert!(!text.contains(twice), "{twice} in {}", line.text);
                }
                let balanced = |open, close| text.matches(open).count() == text.matches(close).count();
                assert!(balanced("「", "」") && balanced("『", "』"), "{}", line.text);
            }
        }
    }
}

#[test]
fn english_shows_no_slot_and_no_chinese() {
    for topic in EN_TOPICS {
        for seed in 0..8 {
            let mut table = Table::new(Language::En, topic, &default_temperaments(5, seed), seed);
            table.meet(4);
            for line in table.lines.iter().filter(|line| line.who != "—") {
                let text = &line.text;
                assert_eq!(text.chars().find(|c| "{}<>|".contains(*c)), None, "{text}");
                assert_eq!(text.chars().find(|c| *c >= '\u{3000}'), None, "{text}");
                for twice in ["..", " ,", " .", "  ", ",,", ":."] {
                    assert!(!text.contains(twice), "{twice:?} in {text}");
                }
            }
        }
    }
}
