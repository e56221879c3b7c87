//! Repairs of malformed JSON: everything that was written is read, and nothing else.

use AnswerRepair::{SeveralObjects, Surroundings, Syntax, Thinking, Types};
use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;

use super::cases;
use crate::support::*;

fn settled(table: &Transaction, call: &Call, text: &str, stop: StopReason) -> Delivery {
    let outcome = Outcome::Answered(Answer { stop, ..answer(text) });
    match interpret(&table.meeting, call, outcome) {
        Command::Deliver(delivery) => *delivery,
        other => panic!("an answer becomes {other:?}"),
    }
}

fn ballot() -> (Transaction, Call) {
    let mut rules = consensus(1);
    rules.turns.blind_round = false;
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    table.goes_to_ballot();
    let call = table.call_of("Ada");
    (table, call)
}

const WHOLE: StopReason = StopReason::Stop;
const CUT: StopReason = StopReason::Length;

/// The text, the stop reason, and the expected score, pass and repairs; `None` is asked again.
type Row = (&'static str, StopReason, Option<(u8, bool, &'static [AnswerRepair])>);

const VOTES: &[Row] = &[
    (r#"{"score": 85, "pass": true, "reason": "ok", "missing": []}"#, WHOLE, Some((85, true, &[]))),
    (
        "```json\n{\"score\": 85, \"pass\": true, \"reason\": \"ok\"}\n```",
        WHOLE,
        Some((85, true, &[Surroundings])),
    ),
    (
        r#"My vote: {"score": 85, "pass": true, "reason": "ok"} Thanks!"#,
        WHOLE,
        Some((85, true, &[Surroundings])),
    ),
    (
        r#"<think>80? {"score": 1, "pass": false, "reason": "x"}</think>{"score": 85, "pass": true, "reason": "ok"}"#,
        WHOLE,
        Some((85, true, &[Thinking])),
    ),
    (
        r#"so 80 or 85</think>{"score": 85, "pass": true, "reason": "ok"}"#,
        WHOLE,
        Some((85, true, &[Thinking])),
    ),
    (
        r#"<think>so 85 {"score": 85, "pass": true, "reason": "ok"}"#,
        WHOLE,
        Some((85, true, &[Surroundings, Thinking])),
    ),
    (r#"<think>{"score": 85, "pass": true, "reason": "ok"}</think> I vote yes."#, WHOLE, None),
    (
        r#"{"score": 1, "pass": false, "reason": "x"} or {"score": 85, "pass": true, "reason": "ok"}"#,
        WHOLE,
        Some((85, true, &[Surroundings, SeveralObjects])),
    ),
    (
        r#"{"score": 85, "pass": true, "reason": "ok"} {"note": "done"}"#,
        WHOLE,
        Some((85, true, &[Surroundings])),
    ),
    (r#"{"score": 85, "pass": true, "reason": "ok",}"#, WHOLE, Some((85, true, &[Syntax]))),
    (r#"{"score": 85 "pass": true "reason": "ok"}"#, WHOLE, Some((85, true, &[Syntax]))),
    (
        r#"{'score': 85, 'pass': True, 'reason': 'it's fine', 'missing': None}"#,
        WHOLE,
        Some((85, true, &[Syntax, Types])),
    ),
    (r#"{score: 45, pass: false, reason: "ok"}"#, WHOLE, Some((45, false, &[Syntax]))),
    (
        "{\"score\": 85, // high\n \"pass\": true, /* sure */ \"reason\": \"ok\"}",
        WHOLE,
        Some((85, true, &[Syntax])),
    ),
    ("{\"score\": 85, # high\n \"pass\": true, \"reason\": \"ok\"}", WHOLE, Some((85, true, &[Syntax]))),
    ("{“score”：85，“pass”：true，“reason”：“可以”}", WHOLE, Some((85, true, &[Syntax]))),
    ("{\"score\"：85，\"pass\"：true，\"reason\"：\"可以\"}", WHOLE, Some((85, true, &[Syntax]))),
    ("{\"score\": 85, \"pass\": true, \"reason\": \"two\nlines\"}", WHOLE, Some((85, true, &[Syntax]))),
    (r#"{"score": 85, "pass": true, "reason": "a "good" draft"}"#, WHOLE, None),
    (r#"{"score": 85, "pass": true, "reason": "ok""#, WHOLE, Some((85, true, &[Syntax]))),
    (r#"{"score": 85, "pass": true, "reason": "ok""#, CUT, Some((85, true, &[Syntax]))),
    (r#"{"score": 85, "pass": true, "reason": "ok", "missing": ["numb"#, CUT, Some((85, true, &[Syntax]))),
    (r#"{"score": 85, "pass": true, "reason": "because it"#, CUT, None),
    (r#"{"score": 85, "pass": true, "reason": "because it"#, WHOLE, None),
    (r#"{"reason": "ok", "pass": true, "score": 8"#, CUT, None),
    (r#"{"reason": "ok", "pass": true, "score": 8"#, WHOLE, None),
    (r#"{"score": 85, "pass": tr"#, CUT, None),
    (r#"Such as {"score": 100, "pass": true, "reason": "x"}. Mine: {"score": 20, "pass": fal"#, CUT, None),
    (
        r#"Such as {"score": 100, "pass": true, "reason": "x"}. Mine: {"score": 20, "pass": perhaps, "reason": "y"}"#,
        WHOLE,
        None,
    ),
    (r#"{"score": "85", "pass": "yes", "reason": "ok"}"#, WHOLE, Some((85, true, &[Types]))),
    (r#"{"score": 85.0, "pass": "true", "reason": "ok"}"#, WHOLE, Some((85, true, &[Types]))),
    (r#"{"score": "45/100", "pass": "不通过", "reason": "ok"}"#, WHOLE, Some((45, false, &[Types]))),
    (r#"{"score": 45/100, "pass": false, "reason": "ok"}"#, WHOLE, Some((45, false, &[Syntax, Types]))),
    (r#"{"score": 45%, "pass": false, "reason": "ok"}"#, WHOLE, Some((45, false, &[Syntax, Types]))),
    (r#"{"score": "8/10", "pass": true, "reason": "ok"}"#, WHOLE, None),
    (r#"{"score": 0.85, "pass": true, "reason": "ok"}"#, WHOLE, None),
    (r#"{"score": 150, "pass": true, "reason": "ok"}"#, WHOLE, None),
    (r#"{"score": -1, "pass": true, "reason": "ok"}"#, WHOLE, None),
    (r#"{"score": 85, "pass": 1, "reason": "ok"}"#, WHOLE, None),
    (
        r#"{"score": 85, "pass": true, "reason": "ok", "missing": "numbers"}"#,
        WHOLE,
        Some((85, true, &[Types])),
    ),
    (r#"{"vote": {"score": 85, "pass": true, "reason": "ok"}}"#, WHOLE, Some((85, true, &[Surroundings]))),
    (
        r#"{"answer": [{"score": 85, "pass": true, "reason": "ok"}]}"#,
        WHOLE,
        Some((85, true, &[Surroundings])),
    ),
    (r#"[{"score": 85, "pass": true, "reason": "ok"}]"#, WHOLE, Some((85, true, &[Surroundings]))),
    (r#"{"score": 85, "pass": true}"#, WHOLE, None),
    ("I vote 85, pass.", WHOLE, None),
    ("{}", WHOLE, None),
];

#[test]
fn a_vote_is_read_where_it_is_safe_and_asked_for_again_where_it_is_not() {
    let (table, call) = ballot();
    for (text, stop, expected) in VOTES {
        let delivery = settled(&table, &call, text, *stop);
        let read = match &delivery.what {
            Delivered::Voted(_, _, vote) => Some((vote.score, vote.pass, delivery.mended.as_slice())),
            Delivered::Malformed { .. } => None,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(read, *expected, "{text}");
    }
}

#[test]
fn an_abstention_after_an_example_is_no_vote() {
    let (table, call) = ballot();
    let text = r#"Not {"score": 100, "pass": true, "reason": "x"} but {"abstain": true, "reason": "no"}"#;
    let delivery = settled(&table, &call, text, WHOLE);
    assert!(matches!(delivery.what, Delivered::Abstained { malformed: false, .. }), "{delivery:?}");
}

#[test]
fn first_answers_contributions_summaries_and_questions_are_mended_too() {
    let blind = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
    let call = blind.call_of("Ada");
    for (text, mended) in [
        (r#"{"position": "SQLite", "claims": "one file", "confidence": "85%"}"#, &[Types][..]),
        (r#"{'position': 'SQLite', 'claims': ['one file'], 'confidence': 85}"#, &[Syntax]),
        (
            r#"{"position": "SQLite", "claims": ["one file"], "confidence": 85, "unshared_facts": ["x"#,
            &[Syntax],
        ),
    ] {
        let delivery = settled(&blind, &call, text, CUT);
        let Delivered::Said(_, speech) = &delivery.what else { panic!("{text}: {delivery:?}") };
        let read = (speech.position.as_deref(), speech.claims.as_slice(), delivery.mended.as_slice());
        assert_eq!(read, (Some("SQLite"), ["one file".to_owned()].as_slice(), mended), "{text}");
    }

    let mut rules = Format::Discussion.rules();
    rules.turns.answer = AnswerForm::Structured;
    rules.intake.when = IntakeTiming::Start;
    rules.intake.max_questions = 3;
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    let call = table.facilitator_call();
    let text = r#"{"questions": [{"key": "n", "ask": "How many?", "required": "yes", "kind": "number",}]}"#;
    let delivery = settled(&table, &call, text, WHOLE);
    let Delivered::Asked(_, questions) = &delivery.what else { panic!("{delivery:?}") };
    assert_eq!((questions.len(), questions[0].required), (1, true));
    assert_eq!(delivery.mended, [Syntax, Types]);
    table.facilitator_answers(r#"{"questions": []}"#);

    let call = table.call_of("Ada");
    let text = r#"{"contribution": {"statement": "Let us.", "recommendation": "SQLite", "claims": []}}"#;
    let delivery = settled(&table, &call, text, WHOLE);
    assert!(
        matches!(&delivery.what, Delivered::Said(_, speech) if speech.content == "Let us."),
        "{delivery:?}"
    );
    assert_eq!(delivery.mended, [Surroundings]);

    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
    table.goes_until(
        |_, _| 60,
        |table| table.calls().iter().any(|call| matches!(call.id, TaskId::Summarize(_))),
    );
    let call = table.facilitator_call();
    let text = r#"{"summary": "So far.", "positions": [{"text": "SQLite", "holders": ["Ada", "Ben"]},], "draft": "SQLite"}"#;
    let delivery = settled(&table, &call, text, WHOLE);
    assert!(matches!(delivery.what, Delivered::Summarized(..)), "{delivery:?}");
    let cut = &text[..text.len() - 12];
    assert!(matches!(
        settled(&table, &call, cut, CUT).what,
        Delivered::Summarized(..) | Delivered::Malformed { .. }
    ));
    let cut = r#"{"summary": "So far.", "positions": [{"text": "SQLite", "holders": ["Ada""#;
    assert!(matches!(settled(&table, &call, cut, CUT).what, Delivered::Malformed { .. }));
}

#[test]
fn words_that_end_at_the_token_limit_say_so() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    let call = table.call_of("Ada");
    let delivery = settled(&table, &call, "We should begin with", CUT);
    table.execute(Command::Deliver(Box::new(delivery)));
    let said = table.log.iter().find_map(|event| match &event.body {
        EventBody::AgentMessage { message, ended_early, .. } => Some((message.content.clone(), *ended_early)),
        _ => None,
    });
    assert_eq!(said, Some(("We should begin with".to_owned(), Some(StopReason::Length))));
    let read = table.meeting.said[0].text(Language::En).into_owned();
    assert_eq!(read, "We should begin with\n\n[cut off at the token limit]");
    let prompt = table.prompt_of("Ben");
    let told = prompt.messages.iter().any(|message| message.content.contains("[cut off at the token limit]"));
    assert!(told, "the others read it too: {prompt:?}");
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "'",
        "“",
        "”",
        "：",
        "，",
        "\\",
        "\n",
        "//",
        "/*",
        "*/",
        "#",
        "</think>",
        "<think>",
        "score",
        "pass",
        "reason",
        "\"score\": 7",
        "\"pass\": true",
        "\"reason\": \"so\"",
        "abstain",
        "True",
        "none",
        "42",
        "0.5",
        "1e9",
        "/100",
        "```json",
        "```",
        "\\u00",
        "是",
        " ",
        "so it is",
    ]);
    prop_oneof![
        3 => prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat()),
        1 => "\\PC{0,80}".prop_map(|text| text),
        1 => "[{}\\[\\]:,\"' 0-9a-z\\\\]{0,120}".prop_map(|text| text),
    ]
}

proptest! {
    #![proptest_config(cases(512))]

    /// No text causes a panic, and a vote contains only what stands in the text.
    #[test]
    fn garbage_never_becomes_a_vote_that_was_not_there(text in pieces(), cut in any::<bool>()) {
        let (table, call) = ballot();
        let delivery = settled(&table, &call, &text, if cut { CUT } else { WHOLE });
        if let Delivered::Voted(_, _, vote) = &delivery.what {
            prop_assert!(text.contains("score") && text.contains("pass") && text.contains("reason"), "{text:?}");
            let digits: Vec<char> = text.chars().filter(char::is_ascii_digit).collect();
            prop_assert!(!digits.is_empty(), "{text:?}");
            let words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            prop_assert!(words(&text).contains(&words(&vote.reason)) || text.contains('\\'), "{text:?}: {vote:?}");
        }
    }

    /// A vote that breaks off anywhere is that vote, or none.
    #[test]
    fn a_vote_that_breaks_off_is_that_vote_or_none(
        score in 1u8..=100, pass in any::<bool>(), reason in "[a-z一-龥 ]{0,20}[a-z]", at in any::<prop::sample::Index>(), cut in any::<bool>(),
    ) {
        let (table, call) = ballot();
        let whole = serde_json::json!({ "score": score, "pass": pass, "reason": reason, "missing": ["a", "b"] }).to_string();
        let ends: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
        let text = &whole[..*at.get(&ends)];
        let delivery = settled(&table, &call, text, if cut { CUT } else { WHOLE });
        if let Delivered::Voted(_, _, vote) = &delivery.what {
            prop_assert_eq!((vote.score, vote.pass, vote.reason.as_str()), (score, pass, reason.trim()));
        }
    }
}
