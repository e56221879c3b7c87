//! The choices behind a topic.
//!
//! "SQLite or PostgreSQL" names its options; "should we …" can be answered by now, by a trial or by not yet;
//! for an open question there are a few strategies that make sense for most topics. The options are a
//! function of the topic alone, so all participants see the same ones, and positions can be told apart by
//! their text.

mod alternatives;
mod questions;

use alternatives::alternatives;
use questions::{action_in_question, gerund_of, without_question_words};
use quorate_contract::Language;

use super::phrases::{Bank, bank, fill};
use super::rng::Rng;
use super::scripts::Script;
use super::text::{capital, clip, is_han, mentions, one_line, position_of, within_quotes};

/// One answer to the topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// Its name within a sentence.
    pub(super) label: String,
    /// The position of its holders: the same words for all, at most 200 characters.
    pub(super) position: String,
}

/// The topic, understood as far as a simulation needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TopicChoices {
    /// A short phrase for what it is about; never empty.
    pub(super) key: String,
    /// At least two ways to answer.
    pub(super) choices: Vec<Choice>,
}

impl TopicChoices {
    /// The choices that a script names; `None` when it names none.
    pub(super) fn of_script(script: &Script, language: Language) -> Option<Self> {
        let choices = script.choices.iter().map(|choice| Choice {
            label: label_of(&choice.label, language),
            position: choice.position.clone(),
        });
        let choices: Vec<Choice> = choices.collect();
        (choices.len() >= 2).then(|| Self { key: script.key.clone(), choices })
    }

    /// The choice that a text is about: the one it names first, the longer name where two begin
    /// at the same place. A full position counts before a mere name.
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let first = |part: fn(&Choice) -> &str| {
            self.choices
                .iter()
                .enumerate()
                .filter_map(|(index, choice)| {
                    let part = part(choice);
                    Some((position_of(text, part)?, std::cmp::Reverse(part.len()), index))
                })
                .min()
                .map(|(_, _, index)| index)
        };
        first(|choice| &choice.position).or_else(|| first(|choice| choice.label.trim_matches(['「', '」'])))
    }
}

/// Parses a topic.
pub(super) fn read(topic: &str, language: Language) -> TopicChoices {
    let bank = bank(language);
    let topic = one_line(topic);
    let bare = topic.trim_end_matches(['?', '？', '。', '.', '!', '！', ' ']);
    if let Some((context, options)) = alternatives(bare, language) {
        let key = if context.chars().count() >= 2 { context } else { joined(&options, language) };
        let choices = options.iter().map(|option| named_choice(option, bank, language)).collect();
        return TopicChoices { key: key_phrase(&key, language), choices };
    }
    if let Some(action) = action_in_question(bare, language) {
        let key = key_phrase(&action, language);
        return TopicChoices { choices: strategies("option.yesno", &key, bank, language), key };
    }
    let key = key_phrase(&without_question_words(bare, language), language);
    let kind = ["risk", "ideas", "life"]
        .into_iter()
        .find(|kind| bank.lines(&format!("topic.{kind}")).iter().any(|word| mentions(&topic, word)));
    let section = format!("option.{}", kind.unwrap_or("plan"));
    TopicChoices { choices: strategies(&section, &key, bank, language), key }
}

fn strategies(section: &str, key: &str, bank: &Bank, language: Language) -> Vec<Choice> {
    let lines = bank.lines(section).iter();
    lines
        .filter_map(|line| line.split_once('|'))
        .map(|(label, position)| Choice {
            label: label_of(label, language),
            position: clip(&fill(position, &[("k", key)], &mut Rng::new(&[])), 200),
        })
        .collect()
}

fn named_choice(option: &str, bank: &Bank, language: Language) -> Choice {
    let gerund = match language {
        Language::Zh => None,
        Language::En => gerund_of(option, bank),
    };
    let position = match gerund {
        Some(_) => capital(option),
        None => fill(bank.line("option.choice", 0), &[("o", option)], &mut Rng::new(&[])),
    };
    let label = label_of(gerund.as_deref().unwrap_or(option), language);
    Choice { label, position: clip(&position, 200) }
}

/// In Chinese a longer phrase takes quotation marks, so that the sentence around it stays clear.
fn label_of(option: &str, language: Language) -> String {
    let long = option.chars().filter(|c| is_han(*c)).count() > 4;
    match language {
        Language::Zh if long => format!("「{}」", within_quotes(option)),
        _ => option.to_owned(),
    }
}

fn joined(options: &[String], language: Language) -> String {
    match language {
        Language::Zh => options.join("、"),
        Language::En => options.join(" or "),
    }
}

fn key_phrase(text: &str, language: Language) -> String {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "，,：:；;、".contains(c));
    match (text.is_empty(), language) {
        (false, Language::Zh) => within_quotes(&clip(text, 22)),
        (false, Language::En) => clip(text, 60).replace(['“', '”'], "'"),
        (true, Language::Zh) => "这个议题".to_owned(),
        (true, Language::En) => "this question".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(topic: &str, language: Language) -> Vec<String> {
        read(topic, language).choices.into_iter().map(|choice| choice.position).collect()
    }

    #[test]
    fn chinese_alternatives_are_found() {
        let cases: [(&str, &[&str]); 8] = [
            ("新项目数据库选 SQLite 还是 PostgreSQL？", &["选择 SQLite", "选择 PostgreSQL"]),
            ("周末去爬山还是去看展", &["选择爬山", "选择看展"]),
            ("团队应该坚持远程办公还是回到办公室？", &["选择坚持远程办公", "选择回到办公室"]),
            ("我们先做移动端、桌面端还是开放接口？", &["选择移动端", "选择桌面端", "选择开放接口"]),
            ("用户增长还是留存更好？", &["选择用户增长", "选择留存"]),
            ("后端用 Rust vs Go", &["选择 Rust", "选择 Go"]),
            ("晚饭：吃火锅还是烤鱼呢", &["选择火锅", "选择烤鱼"]),
            ("单体架构还是微服务", &["选择单体架构", "选择微服务"]),
        ];
        for (topic, expected) in cases {
            assert_eq!(positions(topic, Language::Zh), expected, "{topic}");
        }
        assert_eq!(read("新项目数据库选 SQLite 还是 PostgreSQL？", Language::Zh).key, "新项目数据库");
    }

    #[test]
    fn english_alternatives_are_found() {
        let cases: [(&str, &[&str]); 7] = [
            ("Should our service use SQLite or PostgreSQL?", &["Choose SQLite", "Choose PostgreSQL"]),
            ("Should the company move to Berlin or stay in Lisbon?", &["Move to Berlin", "Stay in Lisbon"]),
            ("Should we use SQLite or PostgreSQL for the journal?", &["Choose SQLite", "Choose PostgreSQL"]),
            ("Should we move to Berlin or stay in Lisbon?", &["Move to Berlin", "Stay in Lisbon"]),
            ("Rust vs Go", &["Choose Rust", "Choose Go"]),
            (
                "Which database: SQLite, PostgreSQL or MySQL?",
                &["Choose SQLite", "Choose PostgreSQL", "Choose MySQL"],
            ),
            ("Is tea or coffee better for focus?", &["Choose tea", "Choose coffee"]),
        ];
        for (topic, expected) in cases {
            assert_eq!(positions(topic, Language::En), expected, "{topic}");
        }
        let labels: Vec<_> = read("Should we move to Berlin or stay in Lisbon?", Language::En)
            .choices
            .into_iter()
            .map(|choice| choice.label)
            .collect();
        assert_eq!(labels, ["moving to Berlin", "staying in Lisbon"]);
    }

    #[test]
    fn a_yes_or_no_question_has_three_answers() {
        let zh = read("我们要不要把单体拆成微服务？", Language::Zh);
        assert_eq!(zh.key, "把单体拆成微服务");
        assert_eq!(zh.choices[0].position, "立即推进：把单体拆成微服务");
        assert_eq!(zh.choices.len(), 3);
        let en = read("Should we adopt a four-day week?", Language::En);
        assert_eq!(en.key, "adopt a four-day week");
        assert_eq!(en.choices[2].position, "Not yet, preconditions first: adopt a four-day week");
    }

    #[test]
    fn an_open_question_has_strategies() {
        let zh = read("如何在三个月内提高新用户留存？", Language::Zh);
        assert_eq!(zh.key, "在三个月内提高新用户留存");
        assert_eq!(zh.choices.len(), 4);
        let life = read("周末怎么过", Language::Zh);
        assert_eq!(life.choices[0].label, "轻松为主");
        let en = read("How can we reduce the risk of an outage?", Language::En);
        assert_eq!(
            (en.key.as_str(), en.choices[0].label.as_str()),
            ("reduce the risk of an outage", "defusing by rank")
        );
    }

    #[test]
    fn an_example_topic_has_the_positions_of_its_script() {
        let script =
            super::super::scripts::of("新服务用 SQLite 还是 PostgreSQL？", Language::Zh).expect("a script");
        let zh = TopicChoices::of_script(script, Language::Zh).expect("choices");
        assert_eq!(zh.choices[0].position, "先用 SQLite 上线，换库的条件写成数字");
        assert_eq!(zh.find("我同意：先用 SQLite 上线，换库的条件写成数字"), Some(0));
    }

    #[test]
    fn a_text_belongs_to_the_choice_that_it_names_first() {
        let matter = read("选 SQLite 还是 PostgreSQL", Language::Zh);
        assert_eq!(matter.find("草案：选择 PostgreSQL。少数仍主张：选择 SQLite"), Some(1));
        assert_eq!(matter.find("我觉得 sqlite 够了"), Some(0));
        assert_eq!(matter.find("都行"), None);
    }
}
