//! Faults from outside: the clock jumps, an answer is forged, the meeting continues as a fork.

use quorate_contract::*;
use quorate_core::*;

use super::{CommandOrigin, Simulation};
use crate::fault_plan::{Append, CrashPoint};
use crate::invariants::LogChecker;
use crate::report::{count, refused};
use crate::{forged_answers, world};

impl Simulation {
    pub(super) fn clock_jumps(&mut self, by_ms: i64) {
        count(&mut self.report.deeds, if by_ms < 0 { "clock jumps back" } else { "clock jumps on" });
        self.now = Timestamp(self.now.0 + by_ms);
        self.note(format!("the clock jumps by {by_ms} ms"));
    }

    /// A forged answer, to a task or an attempt that may not exist.
    pub(super) fn forgery(&mut self) -> Result<(), String> {
        count(&mut self.report.deeds, "forge an answer");
        let rng = &mut self.rng;
        let tasks: Vec<TaskId> = self.live.calls.keys().copied().collect();
        let task = match tasks.get(rng.place(tasks.len() + 1)) {
            Some(task) => *task,
            None => forged_answers::task(rng),
        };
        let real = self.live.calls.get(&task).map_or(1, |call| call.attempt);
        let attempt = rng.pick(&[real, real, real.saturating_sub(1), real + 1, 0]);
        let what = forged_answers::answer(rng, task);
        let usage = Some(Usage::default());
        let delivery = Delivery {
            attempt,
            usage,
            latency_ms: 0,
            what,
            web: WebFindings::default(),
            mended: Vec::new(),
            retry_after_ms: None,
            request_id: None,
            window: None,
        };
        self.execute(
            format!("a forged answer to {task}#{attempt}"),
            Command::Deliver(Box::new(delivery)),
            CommandOrigin::Own,
        )
    }

    /// Repeats a request within a call that is in flight, or was before.
    pub(super) fn retry(&mut self) -> Result<(), String> {
        let calls: Vec<_> = self.live.calls.iter().map(|(task, call)| (*task, call.clone())).collect();
        let Some((task, call)) = calls.get(self.rng.place(calls.len().max(1))) else { return Ok(()) };
        count(&mut self.report.deeds, "send a request again");
        let retry = Box::new(world::retry(&mut self.rng, call.reserved.tokens));
        let attempt = self.rng.pick(&[call.attempt, call.attempt, call.attempt, call.attempt + 1]);
        let command = Command::NoteRetry { task: *task, attempt, retry };
        self.execute(format!("a request of {task}#{attempt} is sent again"), command, CommandOrigin::Own)
    }

    /// From here on the story is that of a fork; the meeting that it came from is left where it is.
    pub(super) fn fork(&mut self) -> Result<(), String> {
        count(&mut self.report.deeds, "fork");
        let at = self.somewhere();
        let id = MeetingId::new(format!("f{}", self.forks + 1));
        let run = RunId::new(format!("run{}", self.forks + 2));
        let past = self.read[..at as usize].iter().cloned();
        let (by, from, title) = (Actor::owner(), self.live.id.clone(), String::new());
        let command =
            Command::Fork { by, from, title, limits: LimitChanges::default(), without_tools: false };
        // As the engine does it: the copies and what follows from forking are one append.
        let events = match quorate_core::fork(past, &id, &run, command, self.now) {
            Ok((_, events)) => events,
            Err(StepError::Broken(broken)) => return Err(broken.to_string()),
            Err(StepError::Refused(refusal)) => {
                count(&mut self.report.refusals, refused(&refusal));
                self.note(format!("fork at {at}: {refusal}"));
                return Ok(());
            }
        };
        let kinds: Vec<_> = events.iter().map(|event| event.body.kind()).collect();
        match self.fault_plan.append(&mut self.rng) {
            Append::Refused | Append::RefusedButKept => {
                self.note(format!("fork at {at}: the journal refuses"));
                return Ok(());
            }
            Append::Crash(CrashPoint::Before) => {
                self.report.crashed(CrashPoint::Before, &kinds);
                return self.restart("a crash before the fork was kept".into());
            }
            Append::Crash(point) => self.report.crashed(point, &kinds),
            Append::Kept => {}
        }
        self.forks += 1;
        self.journal.clear();
        self.read.clear();
        self.acknowledged = 0;
        self.delayed.clear();
        self.asked.clear();
        self.checker = LogChecker::of(id.clone(), run.clone());
        self.keep(&events)?;
        self.live = Meeting::blank(id, run);
        self.restart(format!("fork at {at}"))
    }

    /// The number of an event: any, or one of any kind, so that rare kinds are found as often as
    /// common ones.
    pub(super) fn somewhere(&mut self) -> u64 {
        let any = self.rng.between(1, self.journal.len() as u64);
        if self.rng.per_mille(500) {
            return any;
        }
        let wanted = self.rng.pick(EventBody::KINDS);
        let is_wanted = |line: &String| line.contains(&format!(r#","type":"{wanted}","#));
        self.journal.iter().position(is_wanted).map_or(any, |place| place as u64 + 1)
    }
}
