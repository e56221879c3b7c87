//! The simulated process: it decides, appends, applies, calls, dies and is restarted.

use quorate_contract::*;
use quorate_core::*;

use super::{CommandOrigin, Delayed, Simulation};
use crate::fault_plan::{Append, CrashPoint};
use crate::invariants::check_prompt;
use crate::report::{count, refused};
use crate::world;
use crate::world::AnswerInputs;

impl Simulation {
    /// Does what the engine does with a command.
    pub(super) fn execute(
        &mut self,
        said: String,
        command: Command,
        whose: CommandOrigin,
    ) -> Result<(), String> {
        self.take_step(said, Origin::Fresh, command, whose)
    }

    fn take_step(
        &mut self,
        said: String,
        origin: Origin,
        command: Command,
        whose: CommandOrigin,
    ) -> Result<(), String> {
        let events = match step(&self.live, &self.live.run, origin, command, self.now) {
            Ok(events) => events,
            Err(StepError::Broken(broken)) => return Err(broken.to_string()),
            Err(StepError::Refused(refusal)) => {
                count(&mut self.report.refusals, refused(&refusal));
                self.note(format!("{said}: {refusal}"));
                return Ok(());
            }
        };
        if events.is_empty() {
            self.note(format!("{said}: nothing follows"));
            return Ok(());
        }
        let kinds: Vec<_> = events.iter().map(|event| event.body.kind()).collect();
        self.note(format!("{said} → {}", in_short(&kinds)));
        let mut tried = false;
        loop {
            if self.journal.len() as u64 != self.live.seq {
                // The journal had kept an append that it had refused.
                let ours = tried && self.ends_in(&events);
                count(&mut self.report.journal, if ours { "kept what it had refused" } else { "conflict" });
                if ours {
                    break;
                }
                count(&mut self.report.restarts, "conflict");
                return self.restart("the journal holds more than the process knows".into());
            }
            match self.fault_plan.append(&mut self.rng) {
                Append::Kept => {
                    self.keep(&events)?;
                    break;
                }
                Append::Refused => count(&mut self.report.journal, "refused"),
                Append::RefusedButKept => {
                    count(&mut self.report.journal, "refused and kept");
                    self.keep(&events)?;
                }
                Append::Crash(point) => {
                    self.report.crashed(point, &kinds);
                    return self.crash(point, &events);
                }
            }
            if whose == CommandOrigin::Person {
                self.note("  the journal refuses; nothing is acknowledged".into());
                return Ok(());
            }
            tried = true;
        }
        events.iter().for_each(|event| apply(&mut self.live, event));
        self.acknowledged = self.journal.len();
        self.reconcile()
    }

    pub(super) fn crash(&mut self, point: CrashPoint, events: &[Event]) -> Result<(), String> {
        let what = match point {
            CrashPoint::Before | CrashPoint::Within => "a crash before the append",
            CrashPoint::After => {
                self.keep(events)?;
                "a crash after the append"
            }
            CrashPoint::Applied => {
                self.keep(events)?;
                events.iter().for_each(|event| apply(&mut self.live, event));
                self.same_as(&self.checker.meeting)?;
                "a crash before it was told"
            }
        };
        self.restart(what.into())
    }

    pub(super) fn killed(&mut self) -> Result<(), String> {
        count(&mut self.report.restarts, "killed at rest");
        self.restart("killed".into())
    }

    /// Starts a new process, which knows only the journal.
    pub(super) fn restart(&mut self, why: String) -> Result<(), String> {
        self.note(format!("  {why}; {} events are durable", self.journal.len()));
        if self.journal.len() < self.acknowledged {
            return Err(format!(
                "{} events were acknowledged, {} are there",
                self.acknowledged,
                self.journal.len()
            ));
        }
        let (id, run) = (self.live.id.clone(), self.live.run.clone());
        self.live = Meeting::blank(id, run);
        self.read.iter().for_each(|event| apply(&mut self.live, event));
        self.same_as(&self.checker.meeting)?;
        self.asked.clear();
        // Answers to the old process are lost with its connections; a few reach the new one all the same,
        // such as those that an agent sends by itself.
        let rng = &mut self.rng;
        self.delayed.retain(|_| rng.per_mille(300));
        if self.live.phase == Phase::Blank {
            return Ok(());
        }
        self.take_step("  recover".into(), Origin::Recovered, Command::Tick, CommandOrigin::Own)?;
        self.reconcile()
    }

    /// Makes events durable, and shows them to the checker.
    pub(super) fn keep(&mut self, events: &[Event]) -> Result<(), String> {
        for event in events {
            let line = event.to_json();
            let read = self.checker.see(&line)?;
            if read != *event {
                return Err(format!("event {} is read otherwise than it was written: {line}", event.seq));
            }
            self.read.push(read);
            *self.report.events.entry(event.body.kind()).or_default() += 1;
            self.journal.push(line);
        }
        Ok(())
    }

    pub(super) fn ends_in(&self, events: &[Event]) -> bool {
        let after = &self.journal[(self.live.seq as usize).min(self.journal.len())..];
        after.iter().eq(events.iter().map(Event::to_json).collect::<Vec<_>>().iter())
    }

    /// Starts the tools that are to run, and drops those that nobody needs any more.
    fn reconcile_tools(&mut self) {
        let wanted = pending(&self.live).into_iter().filter_map(|task| match task {
            Task::Tool(run) => Some(run),
            Task::Call(_) | Task::Wake(_) => None,
        });
        self.tools = wanted.collect();
    }

    /// Makes the calls that the meeting needs, and drops those that it no longer needs.
    pub(super) fn reconcile(&mut self) -> Result<(), String> {
        let wanted = pending(&self.live).into_iter().filter_map(|task| match task {
            Task::Call(call) => Some(call),
            Task::Tool(_) | Task::Wake(_) => None,
        });
        let wanted: Vec<Call> = wanted.collect();
        self.reconcile_tools();
        let (rng, live) = (&mut self.rng, &self.live);
        self.delayed.retain(|delayed_answer| {
            let still = live
                .calls
                .get(&delayed_answer.call.id)
                .is_some_and(|c| c.attempt == delayed_answer.call.attempt);
            still || rng.per_mille(600)
        });
        for call in wanted {
            if !self.asked.insert((call.id, call.attempt)) {
                continue;
            }
            // Rendering is most of the work, and most prompts are rendered for the budget anyway.
            if self.rng.per_mille(100) {
                check_prompt(&context(&self.live, &call))?;
            }
            let scene = AnswerInputs::of(&self.live, &call);
            let mut reply = world::reply(&mut self.rng, &scene, self.fault_plan.trouble);
            let allows = |name: &str| self.live.tools.allowed.iter().any(|one| one.name == name);
            let (speaks, calls, searches) =
                (matches!(call.id, TaskId::Speak(_)), allows("repo"), allows(WEB_SEARCH));
            if speaks && calls {
                reply.outcome = world::calls_tools(&mut self.rng, reply.outcome);
            }
            if speaks && searches {
                let most = context(&self.live, &call).tools.web_searches;
                reply.outcome = world::searches_web(&mut self.rng, reply.outcome, most);
            }
            let due = self.now.plus_ms(reply.after_ms);
            let delayed_answer = |outcome| Delayed { call: call.clone(), due, outcome, name: reply.name };
            if reply.twice {
                self.delayed.push(delayed_answer(reply.outcome.clone()));
            }
            self.delayed.push(delayed_answer(reply.outcome.clone()));
            // The process waits until the time limit, whether or not an answer is still on its way.
            if reply.after_ms > call.timeout_ms {
                let failure = Failure {
                    kind: FailureKind::TimedOut,
                    detail: "no answer in time".into(),
                    hint: "wait".into(),
                    usage: None,
                    latency_ms: call.timeout_ms,
                    doubtful: false,
                    window: None,
                    request_id: None,
                };
                let due = self.now.plus_ms(call.timeout_ms);
                let outcome = Outcome::Failed(failure);
                self.delayed.push(Delayed { call, due, outcome, name: "is cut off" });
            }
        }
        Ok(())
    }
}

/// `call_ended, vote_cast, call_started ×3`.
fn in_short(kinds: &[&str]) -> String {
    let mut short: Vec<(&str, u32)> = Vec::new();
    for kind in kinds {
        match short.last_mut() {
            Some((last, count)) if last == kind => *count += 1,
            Some(_) | None => short.push((kind, 1)),
        }
    }
    let names = short.iter().map(|(kind, count)| match count {
        1 => (*kind).to_owned(),
        count => format!("{kind} ×{count}"),
    });
    names.collect::<Vec<_>>().join(", ")
}
