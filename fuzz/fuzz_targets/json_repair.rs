#![no_main]
//! Answers that have to be an object: votes, summaries, facilitation, conclusions, marks, teams, minutes, artifacts.

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use quorate_contract::{StopReason, TaskId};
use quorate_fuzz::{Asked, answer, asked, deliver};

static ASKED: LazyLock<Vec<Asked>> = LazyLock::new(|| asked(|task| !matches!(task, TaskId::Speak(_))));

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else { return };
    let stop = if first & 128 == 0 { StopReason::Stop } else { StopReason::Length };
    let asked = &ASKED[usize::from(first & 127) % ASKED.len()];
    deliver(asked, answer(&String::from_utf8_lossy(text), stop));
});
