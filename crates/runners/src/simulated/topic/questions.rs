//! The kind of a question, as its words show it.

use quorate_contract::Language;

/// What a topic asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether something is to be done.
    Action,
    /// Whether something is to be done that cannot be tried, or taken back.
    Final,
    /// How many, how much or how long something is to be.
    Number,
    /// Whether something is so.
    Fact,
    /// Whether something is right.
    Judgement,
    /// Which thing, or which place, is to be taken.
    Which,
    /// Who is to do something.
    Who,
    /// Why something is so, or what it is.
    Why,
    /// Who, which, when or where something is.
    Unknown,
    /// How something is to be done; and whatever is no question at all.
    Open,
}

/// What cannot be done for a trial.
const EN_FINALS: [&str; 17] = [
    " fire ",
    " dismiss ",
    " lay off ",
    " sell the ",
    " sell our ",
    " sell my ",
    " quit ",
    " resign",
    " divorce",
    " break up",
    " shut down ",
    " close down ",
    " close the ",
    " close our ",
    " delete ",
    " cancel ",
    " euthan",
];
/// The same in Chinese.
const ZH_FINALS: [&str; 16] = [
    "解雇", "辞退", "开除", "裁掉", "裁员", "卖掉", "卖房", "关掉", "关闭", "辞职", "离职", "离婚", "分手",
    "删掉", "退学", "取消",
];

/// The kind of question of a topic.
pub(super) fn question(topic: &str, language: Language) -> Question {
    let topic = topic.to_ascii_lowercase();
    let (question, finals): (Question, &[&str]) = match language {
        Language::Zh => (in_chinese(&topic), &ZH_FINALS),
        Language::En => (in_english(&topic), &EN_FINALS),
    };
    match question {
        Question::Action if finals.iter().any(|word| topic.contains(word)) => Question::Final,
        question => question,
    }
}

fn in_chinese(topic: &str) -> Question {
    const ACTIONS: [&str; 12] = [
        "要不要",
        "该不该",
        "应不应该",
        "是否应该",
        "是否需要",
        "是否要",
        "可不可以",
        "需不需要",
        "值不值得",
        "有没有必要",
        "有必要",
        "是否值得",
    ];
    const WILL: [&str; 6] = ["应该", "该", "要", "可以", "值得", "需要"];
    const FACTS: [&str; 5] = ["是不是", "是否", "有没有", "能不能", "会不会"];
    const OPEN: [&str; 8] = ["如何", "怎么", "怎样", "应该", "该", "办法", "要", "能"];
    const WHY: [&str; 3] = ["为什么", "为何", "什么是"];
    const UNKNOWN: [&str; 7] = ["谁", "哪里", "哪儿", "几点", "多少", "何时", "什么时候"];
    const WHICH: [&str; 11] =
        ["哪个", "哪种", "哪款", "哪家", "哪一", "哪些", "选什么", "买什么", "用什么", "选哪", "买哪"];
    const TAKEN: [&str; 5] = ["选", "买", "用", "换", "挑"];
    const CHOSEN: [&str; 8] = ["选谁", "让谁", "请谁", "派谁", "由谁", "谁来", "该谁", "谁负责"];
    const NUMBERS: [&str; 8] = ["多少", "几天", "几次", "几个", "几人", "几周", "多久", "多长"];
    const SET: [&str; 6] = ["定", "合适", "设", "留", "给", "需要"];
    // Something is proposed to be done with what stands before it.
    const CHANGED: [&str; 10] =
        ["改名", "改成", "改为", "换成", "拆成", "合并", "迁到", "搬到", "卖掉", "关掉"];
    const JUDGED: [&str; 9] =
        ["道德", "伦理", "正当", "公平吗", "公平么", "对不对", "应该被允许", "合乎情理", "有错吗"];
    let named = |words: &[&str]| words.iter().any(|word| topic.contains(word));
    let asks =
        topic.trim_end_matches(['?', '？', '。', ' ']).ends_with(['吗', '么']) && !topic.contains("什么");
    match () {
        () if named(&JUDGED) && !named(&["如何", "怎么", "怎样"]) => Question::Judgement,
        () if named(&ACTIONS) || asks && named(&WILL) => Question::Action,
        () if asks || named(&FACTS) => Question::Fact,
        () if topic.starts_with('把') && named(&CHANGED) && !named(&["如何", "怎么", "怎样"]) => {
            Question::Action
        }
        () if named(&NUMBERS) && (named(&OPEN) || named(&SET)) => Question::Number,
        () if named(&WHY) => Question::Why,
        () if named(&CHOSEN) => Question::Who,
        () if named(&WHICH) && (named(&OPEN) || named(&TAKEN)) => Question::Which,
        () if named(&WHICH) => Question::Unknown,
        () if named(&UNKNOWN) && !named(&OPEN) => Question::Unknown,
        () => Question::Open,
    }
}

fn in_english(topic: &str) -> Question {
    const ACTIONS: [&str; 11] = [
        "should ",
        "shall ",
        "do we need",
        "do we want",
        "do we ",
        "can we ",
        "could we ",
        "is it time to ",
        "is it worth ",
        "whether to ",
        "must we ",
    ];
    const FACTS: [&str; 16] = [
        "is ", "are ", "am ", "was ", "were ", "do ", "does ", "did ", "will ", "would ", "has ", "have ",
        "had ", "can ", "could ", "isn't ",
    ];
    const UNKNOWN: [&str; 6] = ["who ", "when ", "where ", "whose ", "how many ", "how much "];
    const NUMBERS: [&str; 4] = ["how many ", "how much ", "how long ", "how often "];
    // What begins with one of these is proposed to be done.
    const PROPOSED: [&str; 14] = [
        "rename ", "adopt ", "drop ", "sell ", "buy ", "hire ", "fire ", "ban ", "cancel ", "merge ",
        "replace ", "switch ", "migrate ", "abolish ",
    ];
    // The same where it is put as a question.
    const ASKED_FOR: [&str; 16] = [
        "open ", "close ", "move ", "keep ", "raise ", "cut ", "launch ", "ship ", "rewrite ", "allow ",
        "delay ", "start ", "stop ", "let ", "invite ", "use ",
    ];
    const WHICH: [&str; 2] = ["which ", "where should "];
    const ASKED: [&str; 4] = [" should ", " shall ", " do we ", " to "];
    const TAKEN: [&str; 6] = [" use", " choose", " pick", " buy", " get", " adopt"];
    const OPEN: [&str; 3] = ["how ", "what ", "when should "];
    const JUDGED: [&str; 14] = [
        " ethical",
        " unethical",
        " moral",
        " immoral",
        " right to ",
        " wrong to ",
        " fair to ",
        " unfair to ",
        " just to ",
        " fair?",
        " wrong?",
        " acceptable to ",
        " justified",
        " okay to ",
    ];
    let begins = |words: &[&str]| words.iter().any(|word| topic.starts_with(word));
    match () {
        () if begins(&["why "]) => Question::Why,
        () if begins(&["who should ", "whom should ", "who shall "]) => Question::Who,
        () if begins(&WHICH) && ASKED.iter().any(|word| topic.contains(word)) => Question::Which,
        () if begins(&WHICH) => Question::Unknown,
        () if begins(&["what "]) && !begins(&["what should "]) && is_taken(topic, &TAKEN) => Question::Which,
        () if begins(&NUMBERS) && ASKED.iter().any(|word| topic.contains(word)) => Question::Number,
        () if begins(&PROPOSED) || begins(&ASKED_FOR) && topic.trim_end().ends_with('?') => Question::Action,
        () if begins(&UNKNOWN) && !topic.contains(" should ") => Question::Unknown,
        () if begins(&OPEN) => Question::Open,
        () if begins(&ACTIONS) || topic.contains("should we ") || topic.contains("should i ") => {
            Question::Action
        }
        () if begins(&FACTS) && JUDGED.iter().any(|word| topic.contains(word)) => Question::Judgement,
        () if begins(&FACTS) => Question::Fact,
        () => Question::Open,
    }
}

/// Whether a question in English asks what to take: "what database should we use".
fn is_taken(topic: &str, verbs: &[&str]) -> bool {
    let after = topic.split_once(" should ").map(|(_, after)| after);
    after.is_some_and(|after| verbs.iter().any(|verb| after.contains(verb)))
}
