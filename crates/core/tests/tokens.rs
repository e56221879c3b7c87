//! The reserve for a text is never less than the token counts of real vocabularies.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::Config;
use quorate_core::most_tokens;
use tiktoken_rs::{CoreBPE, cl100k_base, o200k_base, p50k_base};

static VOCABULARIES: LazyLock<[(&str, CoreBPE); 3]> = LazyLock::new(|| {
    [
        ("o200k_base", o200k_base().expect("it is carried along")),
        ("cl100k_base", cl100k_base().expect("it is carried along")),
        ("p50k_base", p50k_base().expect("it is carried along")),
    ]
});

/// Ordinary and extreme text: any characters, a few of them many times, letters of many scripts without
/// words, combining marks in a row.
fn text() -> impl Strategy<Value = String> {
    let any_chars = prop::collection::vec(any::<char>(), 0..60).prop_map(String::from_iter);
    let repeated = ("\\PC{1,3}", 1usize..40).prop_map(|(piece, times)| piece.repeat(times));
    let scripts = "[a-zA-Z0-9äéßжщ先做试点ひらکتاب가나กข😀\u{300}-\u{320} \n\t.,;:!?{}\\[\\]\"'-]{0,80}";
    prop_oneof![any_chars, repeated, scripts, "\\PC{0,80}"]
}

proptest! {
    #![proptest_config(Config { cases: 400, failure_persistence: None, ..Config::default() })]

    #[test]
    fn no_vocabulary_makes_more_of_a_text_than_is_held_back(text in text()) {
        for (name, vocabulary) in VOCABULARIES.iter() {
            let count = vocabulary.encode_ordinary(&text).len() as u64;
            prop_assert!(count <= most_tokens(&text), "{name}: {count} tokens of {text:?}");
        }
    }
}
