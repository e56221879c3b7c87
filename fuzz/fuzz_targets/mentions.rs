#![no_main]
//! What participants and people say: mentions, numbers of claims that are answered, markers of skips, notes and positions.

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use quorate_contract::{Actor, Command, RunId, StopReason, TaskId};
use quorate_core::{Origin, apply, step};
use quorate_fuzz::{Asked, answer, asked, deliver};

static ASKED: LazyLock<Vec<Asked>> = LazyLock::new(|| asked(|task| matches!(task, TaskId::Speak(_))));

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    let asked = &ASKED[usize::from(*first) % ASKED.len()];
    let mut meeting = deliver(asked, answer(&text, StopReason::Stop));
    let by = Actor::owner();
    let say = Command::Say { by, content: text.into_owned() };
    for event in step(&meeting.clone(), &RunId::new("r"), Origin::Fresh, say, asked.at).unwrap_or_default() {
        apply(&mut meeting, &event);
    }
});
