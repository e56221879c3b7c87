//! Topics of all kinds, from one word to a piece of code: what is said about them stays grammatical, because their words are
//! quoted or left out.

use quorate_contract::*;

use super::play::{Play, spec};

/// Words that occur in no phrase of the bank.
pub(super) const WORD: &str = "zyxglorp";

const ZH: [&str; 12] = [
    "zyxglorp",
    "zyxglorp 周一开门吗？",
    "要不要换成 zyxglorp？",
    "zyxglorp 还是 zyxglorp 二号？",
    "为什么 zyxglorp 是蓝的？",
    "写一首关于 zyxglorp 的诗",
    "🙂 zyxglorp 🙂",
    "fn zyxglorp(x: i32) -> i32 { x + 1 }",
    "怎样让 zyxglorp 更好？",
    "「zyxglorp」到底算不算 zyxglorp",
    "zyxglorp。zyxglorp！zyxglorp？",
    "请讨论 zyxglorp，以及它和 zyxglorp 的关系，还有在各种各样的情况之下我们到底应该怎么看待这样的一件事情才算是比较合适的做法",
];
const EN: [&str; 13] = [
    "zyxglorp",
    "Is the zyxglorp open on Mondays?",
    "Should we go for zyxglorp?",
    "zyxglorp or the other zyxglorp?",
    "Why is zyxglorp blue?",
    "Write a poem about zyxglorp",
    "🙂 zyxglorp 🙂",
    "fn zyxglorp(x: i32) -> i32 { x + 1 }",
    "How do we get more zyxglorp?",
    "My zyxglorp, which I have had for years, keeps failing when it rains and nobody knows what else to do with it",
    "“zyxglorp” is not a \"zyxglorp\"",
    "zyxglorp. Zyxglorp! zyxglorp?",
    "zyxglorp 要不要 zyxglorp",
];

/// The text without everything that stands in quotation marks; a quotation that a cut has left open runs to the end of its
/// line.
pub(super) fn unquoted(text: &str) -> String {
    let mut depth = 0_usize;
    let outside = text.chars().filter(|c| {
        match c {
            '「' | '『' | '“' => depth += 1,
            '」' | '』' | '”' => depth = depth.saturating_sub(1),
            '\n' => depth = 0,
            _ => {}
        }
        depth == 0
    });
    outside.collect()
}

#[test]
fn a_topic_stands_in_quotation_marks_or_not_at_all() {
    for (language, topics) in [(Language::Zh, ZH.as_slice()), (Language::En, EN.as_slice())] {
        for topic in topics {
            for format in Format::ALL {
                let play = Play::to_the_end(spec(format, language, topic, 3));
                assert!(play.meeting.is_over(), "{format} {topic}");
                for text in &play.texts {
                    let bare = unquoted(&text.replace("\\n", "\n")).to_lowercase();
                    assert!(!bare.contains(WORD), "{format} {topic}\n{text}");
                }
            }
        }
    }
}

#[test]
fn quotations_are_taken_out_of_a_text() {
    assert_eq!(unquoted("on “a 'b' c” and “d"), "on ” and ");
    assert_eq!(unquoted("选「甲『乙』丙」吧\n「丁\n好"), "选」吧\n\n好");
}

/// For people: `cargo test -p quorate-runners topics_to_read -- --ignored --nocapture`.
#[test]
#[ignore = "prints meetings about odd topics for people to read"]
fn topics_to_read() {
    for (language, topic) in [
        (Language::En, "Should the museum open on Mondays?"),
        (Language::En, "Kubernetes or Nomad for 40 services"),
        (Language::En, "Tabs"),
        (Language::En, "How do we halve our cloud bill by June without a freeze on hiring?"),
        (Language::En, "Plan the move of our office to Leipzig"),
        (Language::En, "Is it ethical to keep cats indoors?"),
        (Language::En, "Is the museum open on Mondays?"),
        (Language::En, "Why is the sky blue?"),
        (Language::En, "Our tests are too slow. They take 40 minutes, and nobody runs them before lunch."),
        (Language::En, "for (;;) { retry(); } // is this fine?"),
        (Language::En, "🍕 for lunch"),
        (Language::En, "Sollen wir nach Leipzig ziehen?"),
        (Language::En, "1. Berlin 2. Lisbon 3. remote"),
        (Language::En, "Grace Hopper"),
        (Language::En, "What name for our new cat?"),
        (Language::Zh, "要不要给猫买保险？"),
        (Language::Zh, "为什么我们的留存率在下降"),
        (Language::Zh, "ok"),
        (Language::Zh, "猫はなぜきゅうりを怖がるのか"),
        (Language::Zh, "周末去爬山还是看展"),
        (Language::Zh, "养宠物猫道德吗？"),
        (Language::Zh, "如何在三个月内把 API 的错误率从 2% 降到 0.1%？"),
        (Language::Zh, "把办公室搬到莱比锡"),
        (Language::Zh, "博物馆周一开门吗？"),
        (Language::Zh, "🙂"),
        (Language::Zh, "王小明"),
        (Language::Zh, "测试太慢了。每次要四十分钟，午饭前没有人跑。"),
        (Language::Zh, "给新来的猫取个名字"),
    ] {
        for format in Format::ALL {
            eprintln!("{}", Play::to_the_end(spec(format, language, topic, 3)).told());
        }
    }
}
