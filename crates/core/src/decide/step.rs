//! One step of a meeting: a command becomes the next events of its log.
//!
//! Sequence number, time, actor and cause are given to an event here and nowhere else. The engine, a fork, an
//! import and the simulator all go through it.

use quorate_contract::{Command, ContractVersion, Event, EventBody, Refusal, RunId, Timestamp};

use super::commands::decided;
use super::origin::Origin;
use crate::state::{Meeting, actor_of, apply};

/// The events that follow from a command, in the order of the log. They belong to the execution `run`.
///
/// `meeting` is not changed: the caller appends the events durably, then [applies](apply) them.
///
/// # Errors
/// The refusal of the command.
pub fn step(
    meeting: &Meeting,
    run: &RunId,
    origin: Origin,
    command: Command,
    now: Timestamp,
) -> Result<Vec<Event>, Refusal> {
    let cause = match (origin, &command) {
        (Origin::Recovered, Command::Tick) => "recover".to_owned(),
        (Origin::Recovered | Origin::Fresh, command) => command.cause(),
    };
    Ok(decided(meeting, origin, command, now)?.into_events(run, &cause))
}

/// Makes something that happened elsewhere the next event of a meeting, and folds it.
///
/// The time of the log never runs backwards: an earlier `at` becomes the time of the event before.
pub fn record(meeting: &mut Meeting, run: &RunId, at: Timestamp, cause: &str, body: EventBody) -> Event {
    let event = Event {
        version: ContractVersion,
        seq: meeting.seq + 1,
        meeting_id: meeting.id.clone(),
        run_id: run.clone(),
        ts_ms: at.max(meeting.updated_at),
        actor: actor_of(&body),
        cause: cause.to_owned(),
        body,
    };
    apply(meeting, &event);
    event
}

#[cfg(test)]
mod tests {
    use quorate_contract::{
        Actor, Format, Language, MeetingId, MeetingSpec, Newcomer, Role, RunnerSpec, Temperament,
    };

    use super::*;
    use crate::decide;

    fn create() -> Command {
        let role = Role { name: "r".into(), description: "d".into(), system_prompt: String::new() };
        let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
        let spec = MeetingSpec {
            topic: "t".into(),
            background: String::new(),
            language: Language::En,
            format: Format::Discussion,
            rules: Format::Discussion.rules(),
            seed: 1,
            facilitator: None,
            moderator: None,
            agenda: Vec::new(),
            models: Vec::new(),
            participants: vec![Newcomer { name: "Ada".into(), role, runner }],
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
    fn what_is_recorded_is_what_a_step_would_have_made() {
        let run = RunId::new("run");
        let blank = Meeting::blank(MeetingId::new("m"), run.clone());
        let events = step(&blank, &run, Origin::Fresh, create(), Timestamp(5)).expect("it is allowed");
        let (mut stepped, mut recorded) = (blank.clone(), blank);
        for event in &events {
            apply(&mut stepped, event);
            let again = record(&mut recorded, &run, event.ts_ms, "create", event.body.clone());
            assert_eq!(&again, event);
        }
        assert_eq!(stepped, recorded);
    }
}
