//! What is said about a topic of one's own, over many topics, seeds and all formats: nobody says a sentence twice, words of the
//! topic stand in quotation marks, every message ends as a sentence does, and none is too long.

use std::collections::BTreeMap;

use quorate_contract::*;

use super::play::{Play, spec};
use super::topics::{WORD, unquoted};
use crate::simulated::text::length;

const ZH: [&str; 14] = [
    "{}",
    "{}周一开门吗？",
    "要不要给{}买保险？",
    "为什么我们的{}在下降",
    "怎样让{}更好？",
    "{}还是别的？",
    "写一首关于{}的诗",
    "把{}搬到莱比锡",
    "养{}道德吗？",
    "周末去{}怎么玩",
    "给{}取个名字",
    "如何降低{}的风险？",
    "1. {} 2. 其他 3. 都不要",
    "{}没有用。大家都这样说！是真的吗？",
];
const EN: [&str; 14] = [
    "{}",
    "Should the {} open on Mondays?",
    "Is the {} open on Mondays?",
    "How do we halve our {} by June without a freeze on hiring?",
    "{} or Nomad for 40 services",
    "Why is our {} falling",
    "Plan the move of our {} to Leipzig",
    "Is it ethical to eat {}?",
    "fn {}(x: i32) -> i32 { x + 1 }",
    "What name for the {}?",
    "How do we lower the risk of a {}?",
    "A weekend trip with {}",
    "{} is overrated.",
    "1. {} 2. something else 3. neither",
];

/// The sentences of a text, without the numbers of points and what is only a quotation.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.trim_start_matches("- ");
        let line =
            line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(line, |(_, rest)| rest);
        let mut depth = 0;
        let mut current = String::new();
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            current.push(letter);
            match letter {
                '「' | '『' | '“' => depth += 1,
                '」' | '』' | '”' => depth -= 1,
                _ => {}
            }
            let stops = matches!(letter, '。' | '！' | '？')
                || matches!(letter, '.' | '!' | '?') && letters.peek().is_none_or(|next| *next == ' ');
            if stops && depth <= 0 {
                found.push(std::mem::take(&mut current).trim().to_owned());
            }
        }
        found.push(current.trim().to_owned());
    }
    found.retain(|sentence| sentence.chars().count() >= 4);
    found
}

/// What the participants said: speaker and text, votes included.
fn said(play: &Play) -> Vec<(String, String)> {
    let mut said = Vec::new();
    for event in &play.log {
        match &event.body {
            // First answers are lists, and their positions are the same words on purpose.
            EventBody::AgentMessage { round: 1.., message, .. } => {
                said.push((message.name.clone(), message.content.clone()));
            }
            EventBody::VoteCast { participant, vote, .. } => {
                said.push((play.meeting.name_of(*participant).to_owned(), vote.reason.clone()));
            }
            _ => {}
        }
    }
    said
}

/// What is wrong with what was said, if anything; beside it the sentences that were said twice, and the number of all.
fn faults(play: &Play, language: Language, repeated: &mut Vec<String>, all: &mut usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut spoken: BTreeMap<String, String> = BTreeMap::new();
    for (by, text) in said(play) {
        if !text.trim_end().ends_with(['。', '！', '？', '.', '!', '?', '）', ')']) {
            found.push(format!("no end: {text}"));
        }
        let (length, most) = (length(&text, language), language.pick(330, 190));
        if length > most {
            found.push(format!("{length} of {most}: {text}"));
        }
        if unquoted(&text).to_lowercase().contains(WORD) {
            found.push(format!("not quoted: {text}"));
        }
        for sentence in sentences(&text) {
            *all += 1;
            if let Some(before) = spoken.insert(sentence.clone(), by.clone()) {
                repeated.push(format!("{before}, then {by}: {sentence}"));
            }
        }
    }
    found
}

#[test]
fn what_is_said_about_any_topic_reads_as_sentences_and_nobody_repeats_one() {
    let (mut found, mut repeated, mut all) = (Vec::new(), Vec::new(), 0);
    for (language, shapes) in [(Language::Zh, ZH), (Language::En, EN)] {
        for (place, shape) in shapes.into_iter().enumerate() {
            // Each shape in two formats, each format with every kind of topic.
            for step in [0, 2] {
                let format = Format::ALL[(place + step) % Format::ALL.len()];
                let (topic, seed) = (shape.replace("{}", WORD), (place * 5 + step) as u64);
                let play = Play::to_the_end(spec(format, language, &topic, seed));
                let faults = faults(&play, language, &mut repeated, &mut all).into_iter();
                found.extend(faults.map(|fault| format!("{format} {topic} {seed}: {fault}")));
            }
        }
    }
    // A prompt need not show all that was said, so a long talk may come back to a sentence.
    assert!(repeated.len() * 100 < all, "{} of {all}:\n{}", repeated.len(), repeated.join("\n"));
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_text_falls_into_its_sentences() {
    assert_eq!(
        sentences("[c1] On “a. b” I differ: no. Yes?\n\n- 好「不。好」。行"),
        ["On “a. b” I differ: no.", "Yes?", "好「不。好」。"]
    );
}
