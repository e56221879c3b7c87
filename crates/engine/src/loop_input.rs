//! What a meeting's loop decides on, and the events that follow from it.

use std::time::Duration;

use quorate_contract::{Command, EventBody, Outcome, Prompt, RunId, TaskId, Timestamp};
use quorate_core::{Meeting, Origin, Step, StepError, interpret, step_with_prompts};

use crate::in_flight::FinishedCall;
use crate::ports::Record;

/// The input of a decision.
pub(crate) enum LoopInput {
    /// The meeting was just taken up from its log.
    Recovered,
    /// A command.
    Command(Box<Command>),
    /// The result of a call, and how long its runner refuses further ones.
    Answer(Box<FinishedCall>),
}

impl From<Command> for LoopInput {
    fn from(command: Command) -> Self {
        Self::Command(Box::new(command))
    }
}

impl LoopInput {
    /// The number of bytes that have to be read for it, besides the meeting.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            // What people write is bounded where it enters.
            Self::Recovered | Self::Command(_) => 0,
            Self::Answer(ended) => match &ended.1 {
                Outcome::Answered(answer) => {
                    answer.text.len() + answer.reasoning.as_ref().map_or(0, String::len)
                }
                Outcome::CalledTools(answer, requests) => {
                    let calls = requests.calls.iter().map(|call| call.arguments.len()).sum::<usize>();
                    answer.text.len() + requests.continuation.len() + calls
                }
                Outcome::Failed(_) => 0,
            },
        }
    }
}

/// What follows from an input.
#[derive(Default)]
pub(crate) struct Decision {
    /// The events, in their envelopes.
    pub(crate) records: Vec<Record>,
    /// What the calls that they start are to read.
    pub(crate) prompts: Vec<(TaskId, Prompt)>,
}

/// The events that follow from an input.
pub(crate) fn next_records(
    meeting: &Meeting,
    run: &RunId,
    input: LoopInput,
    now: Timestamp,
    closing: bool,
) -> Result<Decision, StepError> {
    let (origin, command) = match input {
        LoopInput::Recovered => (Origin::Recovered, Command::Tick),
        LoopInput::Command(command) => (Origin::Fresh, *command),
        LoopInput::Answer(ended) => {
            let (call, outcome, paused_for) = *ended;
            let mut command = interpret(meeting, &call, outcome);
            if let Command::Deliver(delivery) = &mut command {
                delivery.retry_after_ms = paused_for.map(in_ms);
            }
            (Origin::Fresh, command)
        }
    };
    let Step { mut events, prompts } = step_with_prompts(meeting, run, origin, command, now)?;
    if closing {
        // A call that will not be made is no event; the next start asks for it.
        while let Some(EventBody::CallStarted { .. }) = events.last().map(|event| &event.body) {
            events.pop();
        }
    }
    Ok(Decision { records: events.into_iter().map(Record::of).collect(), prompts })
}

/// Whole milliseconds, at least one.
fn in_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}
