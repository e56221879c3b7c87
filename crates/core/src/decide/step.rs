//! One step of a meeting: a command becomes the next events of its log.
//!
//! The engine, a fork and the simulator all go through it.

use std::fmt;

use quorate_contract::{Command, Event, MeetingId, Refusal, RunId, Timestamp};

use super::commands::decided;
use super::envelope::Envelope;
use super::invariants::BrokenInvariant;
use super::origin::Origin;
use super::transaction::Step;
use crate::state::{Meeting, apply};

/// The reason why no events follow from a command.
#[derive(Debug, Clone, PartialEq)]
pub enum StepError {
    /// The rules do not allow it.
    Refused(Refusal),
    /// The events would break an invariant: a fault of Quorate.
    Broken(BrokenInvariant),
}

impl From<Refusal> for StepError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<BrokenInvariant> for StepError {
    fn from(broken: BrokenInvariant) -> Self {
        Self::Broken(broken)
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Broken(broken) => broken.fmt(f),
        }
    }
}

impl std::error::Error for StepError {}

/// The events that follow from a command, in the order of the log. They belong to the execution `run`.
///
/// `meeting` is not changed: the caller appends the events durably, then [applies](apply) them.
///
/// # Errors
/// The refusal of the command, or an invariant that the events would break.
pub fn step(
    meeting: &Meeting,
    run: &RunId,
    origin: Origin,
    command: Command,
    now: Timestamp,
) -> Result<Vec<Event>, StepError> {
    Ok(step_with_prompts(meeting, run, origin, command, now)?.events)
}

/// The same, with what the calls that begin are to read.
///
/// # Errors
/// As of [`step`].
pub fn step_with_prompts(
    meeting: &Meeting,
    run: &RunId,
    origin: Origin,
    command: Command,
    now: Timestamp,
) -> Result<Step, StepError> {
    let cause = match (origin, &command) {
        (Origin::Recovered, Command::Tick) => "recover".to_owned(),
        (Origin::Recovered | Origin::Fresh, command) => command.cause(),
    };
    Ok(decided(meeting, origin, command, now)?.checked()?.into_step(run, &cause))
}

/// The log of a fork: a copy of the beginning of another meeting's log, `past`, and what follows from `command`,
/// a [`Command::Fork`], in the new execution `run`. With it comes the meeting after the last event.
///
/// # Errors
/// The refusal of the command, or an invariant that the events would break.
pub fn fork(
    past: impl IntoIterator<Item = Event>,
    id: &MeetingId,
    run: &RunId,
    command: Command,
    now: Timestamp,
) -> Result<(Meeting, Vec<Event>), StepError> {
    let cause = command.cause();
    let envelope = Envelope { meeting: id, run, cause: &cause };
    let mut fork = Meeting::blank(id.clone(), run.clone());
    let mut log: Vec<Event> = past.into_iter().map(|event| envelope.readdressed(event)).collect();
    log.iter().for_each(|event| apply(&mut fork, event));
    let following = step(&fork, run, Origin::Fresh, command, now)?;
    following.iter().for_each(|event| apply(&mut fork, event));
    log.extend(following);
    Ok((fork, log))
}

#[cfg(test)]
mod tests {
    use quorate_contract::{
        Actor, EventBody, Format, Language, LimitChanges, MeetingSpec, Newcomer, Role, RunnerSpec,
        Temperament,
    };

    use super::*;
    use crate::{Import, decide};

    fn create() -> Command {
        let role = Role { name: "r".into(), description: "d".into(), system_prompt: String::new() };
        let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
        let spec = MeetingSpec {
            topic: "t".into(),
            background: String::new(),
            details: Default::default(),
            tools: Vec::new(),
            language: Language::En,
            format: Format::Discussion,
            rules: Format::Discussion.rules(),
            seed: 1,
            facilitator: None,
            moderator: None,
            agenda: Vec::new(),
            models: Vec::new(),
            participants: vec![Newcomer { name: "Ada".into(), role, runner, skip_list: Vec::new() }],
        };
        Command::Create { by: Actor::owner(), spec: Box::new(spec) }
    }

    #[test]
    fn a_step_numbers_dates_and_ascribes_what_was_decided() {
        let run = RunId::new("run");
        let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("before"));
        let events = step(&meeting, &run, Origin::Fresh, create(), Timestamp(5)).expect("it is allowed");
        let bodies: Vec<EventBody> = events.iter().map(|event| event.body.clone()).collect();
        assert_eq!(decide(&meeting, create(), Timestamp(5)).expect("it is allowed"), bodies);
        for (event, seq) in events.iter().zip(1..) {
            assert_eq!((event.seq, event.ts_ms, event.cause.as_str()), (seq, Timestamp(5), "create"));
            assert_eq!((&event.actor, &event.run_id), (&Actor::owner(), &run));
            apply(&mut meeting, event);
        }
        let start = Command::Start { by: Actor::owner() };
        let started = step(&meeting, &run, Origin::Fresh, start, Timestamp(3)).expect("it is allowed");
        assert_eq!(started[0].seq, events.len() as u64 + 1);
        assert!(started.iter().all(|event| event.ts_ms == Timestamp(5)), "the log does not run backwards");
        assert_eq!(started.last().map(|event| &event.actor), Some(&Actor::System));
    }

    #[test]
    fn an_error_says_what_was_refused_or_which_rule_would_be_broken() {
        let refused = StepError::from(Refusal::NotStarted);
        assert_eq!(refused.to_string(), Refusal::NotStarted.to_string());
        let (invariant, seq, event) = (crate::Invariant::TurnEndsOnce, 7, "turn_skipped");
        let broken = StepError::from(BrokenInvariant { invariant, seq, event });
        assert_eq!(broken.to_string(), "turn_ends_once: event 7 (turn_skipped)");
    }

    #[test]
    fn an_imported_event_is_what_a_step_would_have_made() {
        let (id, run) = (MeetingId::new("m"), RunId::new("run"));
        let blank = Meeting::blank(id.clone(), run.clone());
        let events = step(&blank, &run, Origin::Fresh, create(), Timestamp(5)).expect("it is allowed");
        let (mut stepped, mut import) = (blank, Import::begin(id, run));
        for event in &events {
            apply(&mut stepped, event);
            import.add(event.ts_ms, event.body.clone());
        }
        import.add(Timestamp(1), EventBody::MeetingStarted { by: Actor::owner(), silence_max_ms: None });
        let (imported, log) = import.clone().into_parts();
        let last = log.last().expect("it has events");
        assert_eq!(
            (last.seq, last.ts_ms),
            (events.len() as u64 + 1, Timestamp(5)),
            "time does not run backwards"
        );
        apply(&mut stepped, last);
        assert_eq!((&stepped, import.meeting()), (&imported, &imported));
        assert_eq!(import.log(), log);
        for (event, made) in events.iter().zip(import.log()) {
            assert_eq!(&Event { cause: event.cause.clone(), ..made.clone() }, event);
            assert_eq!(made.cause, "import");
        }
    }

    #[test]
    fn a_fork_keeps_the_envelopes_of_its_past_and_goes_on_in_a_run_of_its_own() {
        let (id, run) = (MeetingId::new("m"), RunId::new("run"));
        let blank = Meeting::blank(id.clone(), run.clone());
        let past = step(&blank, &run, Origin::Fresh, create(), Timestamp(5)).expect("it is allowed");
        let (by, from, limits) = (Actor::owner(), id, LimitChanges::default());
        let command = Command::Fork { by, from, title: String::new(), limits, without_tools: false };
        let (forked, other) = (MeetingId::new("f"), RunId::new("other"));
        let (meeting, log) =
            fork(past.clone(), &forked, &other, command, Timestamp(9)).expect("it is allowed");
        assert!(log.iter().zip(1..).all(|(event, seq)| event.seq == seq && event.meeting_id == forked));
        for (copy, event) in log.iter().zip(&past) {
            assert_eq!(&Event { meeting_id: event.meeting_id.clone(), ..copy.clone() }, event);
        }
        let own = &log[past.len()..];
        assert!(
            !own.is_empty() && own.iter().all(|event| event.run_id == other && event.ts_ms == Timestamp(9))
        );
        let mut folded = Meeting::blank(forked, other);
        log.iter().for_each(|event| apply(&mut folded, event));
        assert_eq!(folded, meeting);
    }
}
