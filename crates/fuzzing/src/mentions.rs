//! What participants and people say: mentions, numbers of claims that are answered, markers of skips, notes and positions.

use std::sync::LazyLock;

use crate::fixtures::{Asked, answer, asked, deliver};
use quorate_contract::{Actor, Command, RunId, StopReason, TaskId};
use quorate_core::{Origin, apply, step};

static ASKED: LazyLock<Vec<Asked>> = LazyLock::new(|| asked(|task| matches!(task, TaskId::Speak(_))));

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn mentions(data: &[u8]) {
    let Some((first, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    let asked = &ASKED[usize::from(*first) % ASKED.len()];
    let mut meeting = deliver(asked, answer(&text, StopReason::Stop));
    let by = Actor::owner();
    let say = Command::Say { by, content: text.into_owned() };
    for event in step(&meeting.clone(), &RunId::new("r"), Origin::Fresh, say, asked.at).unwrap_or_default() {
        apply(&mut meeting, &event);
    }
}
