//! One meeting under one sky: the real core, a pretended process around it, and a journal that is all
//! that a crash leaves behind.
//!
//! The process does what the engine does (decide, append, apply, ask for what is pending), in a single
//! thread and without waiting, so that a thousand meetings take seconds and the same seed gives the same
//! story to the byte. What it remembers beside the journal is thrown away at every crash.

use std::collections::BTreeSet;

use quorate_core::*;

use crate::dice::Dice;
use crate::founding;
use crate::invariants::{Witness, check_live, check_log, check_prompt, check_settled};
use crate::people;
use crate::report::{Report, count, ended, refused};
use crate::weather::{Act, Append, CrashPoint, Happening, Weather};
use crate::world::{self, Scene};

/// In calm weather a meeting ends within so many steps; the longest take a few hundred.
const CALM_STEPS: u64 = 3_000;
/// Every so many steps the whole live state is held against the folded journal.
const COMPARE_EVERY: u64 = 16;

/// One meeting under one sky.
pub(crate) struct Sky {
    dice: Dice,
    weather: Weather,
    founding: Founding,
    /// The clock on the wall; it jumps.
    now: Moment,
    /// All that is durable.
    journal: Vec<String>,
    /// What the journal's lines say, each parsed anew once it was durable: a line says the same
    /// however often it is parsed, and parsing at every crash took half of the time.
    read: Vec<Event>,
    /// So many lines were acknowledged to somebody.
    acknowledged: usize,
    witness: Witness,
    /// What the process believes.
    live: Meeting,
    /// The calls that the process has made.
    asked: BTreeSet<(TaskId, u32)>,
    /// The answers on their way to it.
    letters: Vec<Letter>,
    forks: u32,
    pub(crate) step: u64,
    pub(crate) transcript: Vec<String>,
    pub(crate) report: Report,
}

/// An answer on its way.
struct Letter {
    call: Call,
    due: Moment,
    outcome: Outcome,
    name: &'static str,
}

/// Whose wish it is: a person is told when it was not kept; the process's own is tried again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Person,
    Own,
}

impl Sky {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let founding = founding::founding(&mut dice);
        let weather = Weather::of(&mut dice);
        let (id, run) = (MeetingId::new("m"), RunId::new("run"));
        Self {
            dice,
            weather,
            founding,
            now: Moment(1_700_000_000_000),
            journal: Vec::new(),
            read: Vec::new(),
            acknowledged: 0,
            witness: Witness::of(id.clone(), run.clone()),
            live: Meeting::blank(id, run),
            asked: BTreeSet::new(),
            letters: Vec::new(),
            forks: 0,
            step: 0,
            transcript: Vec::new(),
            report: Report::default(),
        }
    }

    /// All that is durable.
    pub(crate) fn into_journal(self) -> Vec<String> {
        self.journal
    }

    /// Plays the meeting to its end, through the storm and the calm after it.
    pub(crate) fn play(&mut self) -> Result<(), String> {
        for _ in 0..self.weather.steps {
            if self.live.is_over() {
                break;
            }
            self.step += 1;
            match self.live.phase {
                Phase::Blank => self.create()?,
                _ => match self.weather.next(&mut self.dice) {
                    Happening::Answer => self.answer_comes()?,
                    Happening::Person(act) => self.person(act)?,
                    Happening::Clock(by_ms) => self.clock_jumps(by_ms),
                    Happening::Tick => self.wish("time passes".into(), Command::Tick, Whose::Own)?,
                    Happening::Kill => self.killed()?,
                    Happening::Forgery => self.forgery()?,
                    Happening::Fork => self.fork()?,
                },
            }
            self.check()?;
        }
        self.weather = Weather::calm();
        let most = self.step + CALM_STEPS;
        while !self.live.is_over() {
            self.step += 1;
            if self.step > most {
                return Err(format!(
                    "the weather is calm and the meeting does not end: {:?}",
                    self.live.phase
                ));
            }
            self.calm_step()?;
            self.check()?;
        }
        self.over()
    }

    /// What people and providers do who want the meeting to get on.
    fn calm_step(&mut self) -> Result<(), String> {
        match (&self.live.phase, &self.live.rest) {
            (Phase::Blank, _) => return self.create(),
            (Phase::Draft, _) => return self.person(Act::Start),
            (_, Rest::Paused { .. }) => return self.person(Act::Resume),
            (_, Rest::Running | Rest::PauseRequested { .. }) => {}
        }
        if let Some(first) = (0..self.letters.len()).min_by_key(|place| self.letters[*place].due) {
            self.now = self.now.max(self.letters[first].due);
            return self.letter_arrives(first);
        }
        let wakes = pending(&self.live).into_iter().filter_map(|task| match task {
            Task::Wake(at) => Some(at),
            Task::Call(_) => None,
        });
        match wakes.min() {
            Some(at) => {
                self.now = self.now.max(at);
                self.wish("it is time".into(), Command::Tick, Whose::Own)
            }
            None => Err(format!("the meeting stands still in {:?}: nothing is owed to it", self.live.phase)),
        }
    }

    /// What must hold when it is over.
    fn over(&mut self) -> Result<(), String> {
        let folded = check_log(self.journal.iter().map(String::as_str))?.meeting;
        self.same_as(&folded)?;
        if self.live.state_hash() != folded.state_hash() {
            return Err("two equal states have two hashes".into());
        }
        if !self.journal.last().is_some_and(|line| line.contains(r#""type":"finished""#)) {
            return Err("it is over and the last event is not `finished`".into());
        }
        for letter in std::mem::take(&mut self.letters) {
            let command = settle(&self.live, &letter.call, letter.outcome);
            if decide(&self.live, command, self.now).is_ok_and(|facts| !facts.is_empty()) {
                return Err(format!("an answer to {} still counts after the end", letter.call.id));
            }
        }
        if let Some(outcome) = self.live.outcome() {
            count(&mut self.report.outcomes, ended(outcome));
        }
        self.report.meetings = 1;
        self.report.steps = self.step;
        Ok(())
    }

    /// What must hold after every step.
    fn check(&self) -> Result<(), String> {
        check_live(&self.live)?;
        // A journal that refused and kept has made the process fall behind without its knowledge.
        let knows_all = self.live.seq == self.witness.meeting.seq;
        let waits = matches!(self.live.rest, Rest::PauseRequested { .. });
        if (self.step.is_multiple_of(COMPARE_EVERY) || waits) && knows_all {
            self.same_as(&self.witness.meeting)?;
            check_settled(&self.live)?;
        }
        Ok(())
    }

    fn same_as(&self, folded: &Meeting) -> Result<(), String> {
        // Equality is as strict as the hash and costs a fraction of it.
        if self.live == *folded {
            return Ok(());
        }
        let (live, folded) = (serde_json::to_value(&self.live), serde_json::to_value(folded));
        let different = match (live, folded) {
            (Ok(serde_json::Value::Object(live)), Ok(serde_json::Value::Object(folded))) => {
                let keys = live.into_iter().filter(|(key, value)| folded.get(key) != Some(value));
                keys.map(|(key, value)| format!("{key}: {value} / {}", folded[&key]))
                    .collect::<Vec<_>>()
                    .join("; ")
            }
            (_, _) => String::new(),
        };
        Err(format!("the live state is not the folded journal; {different}"))
    }

    // What happens.

    fn create(&mut self) -> Result<(), String> {
        let command = people::wish(Act::CreateAgain, &mut self.dice, &self.live, &self.founding);
        self.wish("create".into(), command, Whose::Person)
    }

    fn answer_comes(&mut self) -> Result<(), String> {
        if self.letters.is_empty() {
            // Nothing is on its way, so it is up to people.
            let act = if self.live.phase == Phase::Draft { Act::Start } else { Act::Resume };
            return self.person(act);
        }
        let which = self.dice.place(self.letters.len());
        if self.dice.per_mille(700) {
            self.now = self.now.max(self.letters[which].due);
        }
        self.letter_arrives(which)
    }

    fn letter_arrives(&mut self, which: usize) -> Result<(), String> {
        let Letter { call, outcome, name, due: _ } = self.letters.remove(which);
        count(&mut self.report.answers, name);
        let command = settle(&self.live, &call, outcome);
        let who = call.participant.map_or("facilitator".into(), |id| self.live.name_of(id));
        self.wish(format!("{who} {name} ({}#{})", call.id, call.attempt), command, Whose::Own)
    }

    fn person(&mut self, act: Act) -> Result<(), String> {
        count(&mut self.report.deeds, act.name());
        let command = people::wish(act, &mut self.dice, &self.live, &self.founding);
        self.wish(act.name().to_owned(), command, Whose::Person)
    }

    fn clock_jumps(&mut self, by_ms: i64) {
        count(&mut self.report.deeds, if by_ms < 0 { "clock jumps back" } else { "clock jumps on" });
        self.now = Moment(self.now.0 + by_ms);
        self.note(format!("the clock jumps by {by_ms} ms"));
    }

    /// An answer that nobody gave, to a task or an attempt that may not be there.
    fn forgery(&mut self) -> Result<(), String> {
        count(&mut self.report.deeds, "forge an answer");
        let dice = &mut self.dice;
        let tasks: Vec<TaskId> = self.live.calls.keys().copied().collect();
        let task = match tasks.get(dice.place(tasks.len() + 1)) {
            Some(task) => *task,
            None => TaskId::Vote(BallotId(dice.small(0, 3)), ParticipantId(dice.small(0, 10))),
        };
        let real = self.live.calls.get(&task).map_or(1, |call| call.attempt);
        let attempt = dice.pick(&[real, real, real.saturating_sub(1), real + 1, 0]);
        let what = match dice.below(7) {
            0 => Delivered::Skipped,
            1 => {
                Delivered::Voted(Vote { score: 255, pass: true, reason: String::new(), missing: Vec::new() })
            }
            2 => Delivered::Abstained { malformed: false, detail: "no".into() },
            3 => Delivered::Summarized(SummaryForm::default()),
            4 => Delivered::Concluded(ConclusionForm::default()),
            5 => Delivered::Facilitated(FacilitationForm::default()),
            _ => Delivered::Malformed { problem: "forged".into(), text: "\u{0}".into() },
        };
        let usage = Some(Usage::default());
        let delivery = Delivery { task, attempt, usage, latency_ms: 0, what };
        self.wish(
            format!("a forged answer to {task}#{attempt}"),
            Command::Deliver(Box::new(delivery)),
            Whose::Own,
        )
    }

    /// From here on the story is that of a fork; the meeting that it came from is left where it is.
    fn fork(&mut self) -> Result<(), String> {
        count(&mut self.report.deeds, "fork");
        let at = self.somewhere();
        let id = MeetingId::new(format!("f{}", self.forks + 1));
        let run = RunId::new(format!("run{}", self.forks + 2));
        let mut fork = Meeting::blank(id.clone(), run.clone());
        let mut copies = Vec::new();
        for event in &self.read[..at as usize] {
            let event = Event { meeting_id: id.clone(), ..event.clone() };
            apply(&mut fork, &event);
            copies.push(event);
        }
        let command = Command::Fork { from: self.live.id.clone() };
        let cause = command.cause();
        let facts = match decide(&fork, command, self.now) {
            Ok(facts) => facts,
            Err(refusal) => {
                count(&mut self.report.refusals, refused(&refusal));
                self.note(format!("fork at {at}: {refusal}"));
                return Ok(());
            }
        };
        // As the engine does it: the copies and what follows from forking are one append.
        fork.run = run;
        let events = copies.into_iter().chain(envelopes(&fork, facts, &cause, self.now)).collect::<Vec<_>>();
        let kinds: Vec<_> = events.iter().map(|event| event.body.kind()).collect();
        match self.weather.append(&mut self.dice) {
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
        self.letters.clear();
        self.asked.clear();
        self.witness = Witness::of(id.clone(), fork.run.clone());
        self.keep(&events)?;
        self.live = Meeting::blank(id, fork.run);
        self.restart(format!("fork at {at}"))
    }

    /// The number of an event: any, or one of any kind, so that rare kinds are found as often as
    /// common ones.
    fn somewhere(&mut self) -> u64 {
        let any = self.dice.between(1, self.journal.len() as u64);
        if self.dice.per_mille(500) {
            return any;
        }
        let wanted = self.dice.pick(&EventBody::KINDS);
        let is_wanted = |line: &String| line.contains(&format!(r#","type":"{wanted}","#));
        self.journal.iter().position(is_wanted).map_or(any, |place| place as u64 + 1)
    }

    // The process.

    /// Does what the engine does with a wish.
    fn wish(&mut self, said: String, command: Command, whose: Whose) -> Result<(), String> {
        let cause = command.cause();
        let events = match decide(&self.live, command, self.now) {
            Ok(facts) => envelopes(&self.live, facts, &cause, self.now),
            Err(refusal) => {
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
            match self.weather.append(&mut self.dice) {
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
            if whose == Whose::Person {
                self.note("  the journal refuses; nothing is acknowledged".into());
                return Ok(());
            }
            tried = true;
        }
        events.iter().for_each(|event| apply(&mut self.live, event));
        self.acknowledged = self.journal.len();
        self.reconcile()
    }

    fn crash(&mut self, point: CrashPoint, events: &[Event]) -> Result<(), String> {
        let what = match point {
            CrashPoint::Before => "a crash before the append",
            CrashPoint::After => {
                self.keep(events)?;
                "a crash after the append"
            }
            CrashPoint::Applied => {
                self.keep(events)?;
                events.iter().for_each(|event| apply(&mut self.live, event));
                self.same_as(&self.witness.meeting)?;
                "a crash before it was told"
            }
        };
        self.restart(what.into())
    }

    fn killed(&mut self) -> Result<(), String> {
        count(&mut self.report.restarts, "killed at rest");
        self.restart("killed".into())
    }

    /// A new process: all that it knows is what the journal says.
    fn restart(&mut self, why: String) -> Result<(), String> {
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
        self.same_as(&self.witness.meeting)?;
        self.asked.clear();
        // Answers to the old process are lost with its connections; a few reach the new one all
        // the same, such as those that an agent brings of itself.
        let dice = &mut self.dice;
        self.letters.retain(|_| dice.per_mille(300));
        if self.live.phase == Phase::Blank {
            return Ok(());
        }
        self.wish("  recover".into(), Command::Recover, Whose::Own)?;
        self.reconcile()
    }

    /// Makes events durable, and shows them to the witness.
    fn keep(&mut self, events: &[Event]) -> Result<(), String> {
        for event in events {
            let line = event.to_json();
            let read = self.witness.see(&line)?;
            if read != *event {
                return Err(format!("event {} is read otherwise than it was written: {line}", event.seq));
            }
            self.read.push(read);
            *self.report.events.entry(event.body.kind()).or_default() += 1;
            self.journal.push(line);
        }
        Ok(())
    }

    fn ends_in(&self, events: &[Event]) -> bool {
        let after = &self.journal[(self.live.seq as usize).min(self.journal.len())..];
        after.iter().eq(events.iter().map(Event::to_json).collect::<Vec<_>>().iter())
    }

    /// Makes the calls that the meeting wants, and gives up those that it no longer wants.
    fn reconcile(&mut self) -> Result<(), String> {
        let wanted = pending(&self.live).into_iter().filter_map(|task| match task {
            Task::Call(call) => Some(call),
            Task::Wake(_) => None,
        });
        let wanted: Vec<Call> = wanted.collect();
        let (dice, live) = (&mut self.dice, &self.live);
        self.letters.retain(|letter| {
            let still = live.calls.get(&letter.call.id).is_some_and(|c| c.attempt == letter.call.attempt);
            still || dice.per_mille(600)
        });
        for call in wanted {
            if !self.asked.insert((call.id, call.attempt)) {
                continue;
            }
            // Rendering is most of the work, and most prompts are rendered for the budget anyway.
            if self.dice.per_mille(100) {
                check_prompt(&context(&self.live, &call))?;
            }
            let scene = Scene::of(&self.live, &call);
            let reply = world::reply(&mut self.dice, &scene, self.weather.trouble);
            let due = self.now.plus_ms(reply.after_ms);
            let letter = |outcome| Letter { call: call.clone(), due, outcome, name: reply.name };
            if reply.twice {
                self.letters.push(letter(reply.outcome.clone()));
            }
            self.letters.push(letter(reply.outcome.clone()));
            // The process waits so long and no longer, whatever is still on its way.
            if reply.after_ms > call.timeout_ms {
                let failure = Failure {
                    kind: FailureKind::TimedOut,
                    detail: "no answer in time".into(),
                    hint: "wait".into(),
                    usage: None,
                    latency_ms: call.timeout_ms,
                };
                let due = self.now.plus_ms(call.timeout_ms);
                let outcome = Outcome::Failed(failure);
                self.letters.push(Letter { call, due, outcome, name: "is cut off" });
            }
        }
        Ok(())
    }

    fn note(&mut self, line: String) {
        self.transcript.push(format!("{:>4}  {line}", self.step));
    }
}

/// Puts facts into envelopes, as the engine does.
fn envelopes(meeting: &Meeting, facts: Vec<EventBody>, cause: &str, now: Moment) -> Vec<Event> {
    let numbered = facts.into_iter().zip(meeting.seq + 1..);
    let event = |(body, seq): (EventBody, u64)| Event {
        seq,
        meeting_id: meeting.id.clone(),
        run_id: meeting.run.clone(),
        ts_ms: now.max(meeting.updated_at),
        actor: actor_of(meeting, &body),
        cause: cause.to_owned(),
        body,
    };
    numbered.map(event).collect()
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
