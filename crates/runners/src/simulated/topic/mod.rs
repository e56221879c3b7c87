//! The choices behind a topic.
//!
//! "SQLite or PostgreSQL" names its options; "should we …" can be answered by now, by a trial or by not yet; a question of
//! fact by yes, no or by looking it up; for an open question there are a few strategies that make sense for most topics.
//! The words of a topic stand in quotation marks wherever they occur, because no grammar is known of them. The options are a
//! function of the topic alone, so all participants see the same ones, and positions can be told apart by
//! their text.

mod alternatives;
mod questions;

use alternatives::alternatives;
use questions::{Question, question};
use quorate_contract::Language;

use super::phrases::{Bank, bank, fill};
use super::rng::Rng;
use super::scripts::Script;
use super::text::{clip, mentions, one_line, position_of, within_quotes};

/// One answer to the topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// Its name within a sentence, in quotation marks.
    pub(super) label: String,
    /// The position of its holders: the same words for all, at most 200 characters.
    pub(super) position: String,
    /// The section of the bank with the reasons for it.
    pub(super) reasons: String,
}

/// What a topic is about, as far as it decides which sentences fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    /// Something is to be done.
    Action,
    /// Something is so or not, and can be looked up.
    Knowledge,
    /// Something is right or wrong, and can be looked up nowhere.
    Judgement,
}

impl Ground {
    /// The section of the bank for it: `kind` of its own, or the one for what is to be done.
    pub(super) fn section(self, kind: &str, action: &str) -> String {
        match self {
            Self::Action => action.to_owned(),
            Self::Knowledge => format!("know.{kind}"),
            Self::Judgement => format!("view.{kind}"),
        }
    }
}

/// The topic, understood as far as a simulation needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TopicChoices {
    /// A short phrase for what it is about; never empty.
    pub(super) key: String,
    /// At least two ways to answer.
    pub(super) choices: Vec<Choice>,
    pub(super) ground: Ground,
}

impl TopicChoices {
    /// The choices that a script names; `None` when it names none.
    pub(super) fn of_script(script: &Script, language: Language) -> Option<Self> {
        let choices = script.choices.iter().map(|choice| Choice {
            label: quoted(&choice.label, language),
            position: choice.position.clone(),
            reasons: "arg.choice".to_owned(),
        });
        let choices: Vec<Choice> = choices.collect();
        (choices.len() >= 2).then(|| Self { key: script.key.clone(), choices, ground: Ground::Action })
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
        first(|choice| &choice.position)
            .or_else(|| first(|choice| choice.label.trim_matches(['「', '」', '“', '”'])))
    }
}

/// Parses a topic.
pub(super) fn read(topic: &str, language: Language) -> TopicChoices {
    let bank = bank(language);
    let topic = one_line(topic);
    let bare = first_sentence(&topic);
    let key = key_phrase(bare, language);
    let options = alternatives(bare, language);
    let is_yes_or_no = options.as_ref().is_some_and(|options| yes_or_no(options));
    if let Some(options) = options.filter(|_| !is_yes_or_no) {
        let choices = options.iter().map(|option| named_choice(option, bank, language)).collect();
        return TopicChoices { key, choices, ground: Ground::Action };
    }
    let kinds = ["risk", "ideas", "life"];
    let named = || {
        kinds
            .into_iter()
            .find(|kind| bank.lines(&format!("topic.{kind}")).iter().any(|word| mentions(&topic, word)))
    };
    let kind = match question(&topic, language) {
        _ if is_yes_or_no => "yesno",
        Question::Action => "yesno",
        Question::Final => "final",
        Question::Number => "number",
        Question::Which => named().unwrap_or("which"),
        Question::Who => "who",
        Question::Why => "unknown",
        Question::Fact => "fact",
        Question::Judgement => "judge",
        Question::Unknown => named().unwrap_or("unknown"),
        Question::Open => named().unwrap_or("plan"),
    };
    let ground = match kind {
        "fact" | "unknown" => Ground::Knowledge,
        "judge" => Ground::Judgement,
        _ => Ground::Action,
    };
    TopicChoices { ground, choices: strategies(kind, bank, language), key }
}

/// Whether the options are the two answers to a question.
fn yes_or_no(options: &[String]) -> bool {
    let told: Vec<String> = options.iter().map(|option| option.to_lowercase()).collect();
    let told: Vec<&str> = told.iter().map(String::as_str).collect();
    [["yes", "no"], ["no", "yes"], ["要", "不要"], ["好", "不好"], ["行", "不行"]]
        .contains(&told[..].try_into().unwrap_or_default())
}

/// The first sentence of a topic, without its stop: inside quotation marks no sentence may end.
fn first_sentence(topic: &str) -> &str {
    let begin = topic.trim_start_matches(|c: char| "?？。.!！ ".contains(c));
    let end = begin.find(['?', '？', '。', '!', '！']).unwrap_or(begin.len());
    let end = begin.find(". ").map_or(end, |stop| stop.min(end));
    begin[..end].trim_end_matches(['.', ' '])
}

fn strategies(kind: &str, bank: &Bank, language: Language) -> Vec<Choice> {
    let lines = bank.lines(&format!("option.{kind}")).iter().filter_map(|line| line.split_once('|'));
    lines
        .enumerate()
        .map(|(place, (label, position))| Choice {
            label: quoted(label, language),
            position: position.to_owned(),
            reasons: format!("arg.{kind}.{place}"),
        })
        .collect()
}

/// An option that the topic names. Its words may be anything, so they stand in quotation marks.
fn named_choice(option: &str, bank: &Bank, language: Language) -> Choice {
    let label = quoted(option, language);
    let position = fill(bank.line("option.choice", 0), &[("o", &label)], &mut Rng::new(&[]));
    Choice { label, position, reasons: "arg.choice".to_owned() }
}

fn quoted(text: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("「{}」", within_quotes(text)),
        Language::En => format!("“{}”", text.replace(['“', '”'], "'")),
    }
}

/// The topic as it can be quoted.
fn key_phrase(text: &str, language: Language) -> String {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "，,：:；;、".contains(c));
    match (text.is_empty(), language) {
        (false, Language::Zh) => within_quotes(&clip(text, 40)),
        (false, Language::En) => clip(text, 80).replace(['“', '”'], "'"),
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
        let cases: [(&str, &[&str]); 9] = [
            ("厨房刷成蓝色还是绿色？", &["选择「蓝色」", "选择「绿色」"]),
            ("新项目数据库选 SQLite 还是 PostgreSQL？", &["选择「SQLite」", "选择「PostgreSQL」"]),
            ("周末去爬山还是去看展", &["选择「爬山」", "选择「看展」"]),
            ("团队应该坚持远程办公还是回到办公室？", &["选择「坚持远程办公」", "选择「回到办公室」"]),
            (
                "我们先做移动端、桌面端还是开放接口？",
                &["选择「移动端」", "选择「桌面端」", "选择「开放接口」"],
            ),
            ("用户增长还是留存更好？", &["选择「用户增长」", "选择「留存」"]),
            ("后端用 Rust vs Go", &["选择「Rust」", "选择「Go」"]),
            ("晚饭：吃火锅还是烤鱼呢", &["选择「火锅」", "选择「烤鱼」"]),
            ("单体架构还是微服务", &["选择「单体架构」", "选择「微服务」"]),
        ];
        for (topic, expected) in cases {
            assert_eq!(positions(topic, Language::Zh), expected, "{topic}");
        }
        let key = read("新项目数据库选 SQLite 还是 PostgreSQL？", Language::Zh).key;
        assert_eq!(key, "新项目数据库选 SQLite 还是 PostgreSQL");
    }

    #[test]
    fn english_alternatives_are_found() {
        let cases: [(&str, &[&str]); 11] = [
            (
                "Which colour should we paint the kitchen, blue or green?",
                &["Choose “blue”", "Choose “green”"],
            ),
            (
                "Where should we hold the offsite: Porto, Lisbon or Madrid?",
                &["Choose “Porto”", "Choose “Lisbon”", "Choose “Madrid”"],
            ),
            ("Should I learn the violin or the cello at 45?", &["Choose “the violin”", "Choose “the cello”"]),
            ("Should we buy a van or a truck?", &["Choose “a van”", "Choose “a truck”"]),
            ("Should our service use SQLite or MySQL?", &["Choose “SQLite”", "Choose “MySQL”"]),
            (
                "Should the company move to Berlin or stay in Lisbon?",
                &["Choose “move to Berlin”", "Choose “stay in Lisbon”"],
            ),
            (
                "Should we use SQLite or PostgreSQL for the journal?",
                &["Choose “SQLite”", "Choose “PostgreSQL”"],
            ),
            (
                "Should we move to Berlin or stay in Lisbon?",
                &["Choose “move to Berlin”", "Choose “stay in Lisbon”"],
            ),
            ("Rust vs Go", &["Choose “Rust”", "Choose “Go”"]),
            (
                "Which database: SQLite, PostgreSQL or MySQL?",
                &["Choose “SQLite”", "Choose “PostgreSQL”", "Choose “MySQL”"],
            ),
            ("Is tea or coffee better for focus?", &["Choose “tea”", "Choose “coffee”"]),
        ];
        for (topic, expected) in cases {
            assert_eq!(positions(topic, Language::En), expected, "{topic}");
        }
    }

    #[test]
    fn a_question_is_answered_in_its_own_kind() {
        let first = |topic: &str, language| read(topic, language).choices[0].position.clone();
        for (topic, expected) in [
            ("我们要不要把单体拆成微服务？", "可以，现在就做"),
            ("该换供应商了吗？", "可以，现在就做"),
            ("博物馆周一开门吗？", "多半是"),
            ("为什么天是蓝的？", "最容易想到的答案多半是对的"),
            ("如何在三个月内提高新用户留存？", "从看得出结果的最小一步开始，由结果决定下一步"),
            ("周末怎么过", "先定时间和预算，挑最轻松、最容易成行的一种"),
            ("香蕉", "从看得出结果的最小一步开始，由结果决定下一步"),
            ("为什么我们的周末活动没人来？", "最容易想到的答案多半是对的"),
            ("选谁来当下一任技术负责人？", "从里面找一位熟悉这项工作的人"),
            ("设计组该买哪款笔记本？", "选当事人自己愿意要的"),
            ("哪个国家最大？", "最容易想到的答案多半是对的"),
            ("该不该解雇三次误期的承包商？", "可以，不再拖"),
            ("迭代周期定几天合适？", "先取常见数里偏少的一头，过一阵再看"),
            ("月球离地球多少公里？", "最容易想到的答案多半是对的"),
            ("把产品改名为「港湾」", "可以，现在就做"),
            ("怎样教孩子学会游泳？", "从看得出结果的最小一步开始，由结果决定下一步"),
        ] {
            assert_eq!(first(topic, Language::Zh), expected, "{topic}");
        }
        for (topic, expected) in [
            ("Should we adopt a four-day week?", "Yes, and go ahead now"),
            ("Is the museum open on Mondays?", "Probably yes"),
            ("Why is the sky blue?", "The answer that comes to mind first is probably right"),
            (
                "How can we reduce the risk of an outage?",
                "Rank by impact and likelihood and deal with the top three first",
            ),
            (
                "How do we get more readers?",
                "Begin with the smallest step that shows something, and let the result decide",
            ),
            ("Which laptop should the design team get?", "Take what those concerned would choose themselves"),
            ("Which planet is the largest?", "The answer that comes to mind first is probably right"),
            ("What database should we use?", "Take what those concerned would choose themselves"),
            ("Who should lead the data team?", "Somebody from inside who knows the work"),
            ("4-day work week: yes or no", "Yes, and go ahead now"),
            (
                "Names for our new coffee brand",
                "Collect widely first, then filter down to three by one common measure",
            ),
            ("Should we fire the contractor who missed three deadlines?", "Yes, and without delay"),
            ("Should we sell online?", "Yes, and go ahead now"),
            (
                "How many days should our sprint be?",
                "Take the low end of what is usual, and look again after a while",
            ),
            ("How many moons has Mars?", "The answer that comes to mind first is probably right"),
            ("Open the museum on Mondays?", "Yes, and go ahead now"),
            ("Rename the product to “Harbor”", "Yes, and go ahead now"),
            ("🙂", "Begin with the smallest step that shows something, and let the result decide"),
        ] {
            assert_eq!(first(topic, Language::En), expected, "{topic}");
        }
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
        assert_eq!(matter.find("草案：选择「PostgreSQL」。少数仍主张：选择「SQLite」"), Some(1));
        assert_eq!(matter.find("我觉得 sqlite 够了"), Some(0));
        assert_eq!(matter.find("都行"), None);
    }
}
