//! The money and the time of a meeting, kept by an independent ledger that shares no code with the core.
//!
//! It reads only events. The usage in the folded meeting has to equal this ledger: in tokens, in money, for
//! each participant and each model, and in milliseconds.

use std::collections::BTreeMap;

use quorate_contract::*;
use quorate_core::*;

/// The usage in all, or of one model for one participant.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Sum {
    tokens: u64,
    cost_micros: u64,
    unpriced: u32,
    calls: u32,
}

impl Sum {
    fn of(spent: &Spending) -> Self {
        let Spending { usage, cost_micros, unpriced_calls, calls, retries: _, fallbacks: _ } = spent;
        let tokens = usage.input_tokens + usage.output_tokens;
        Self { tokens, cost_micros: *cost_micros, unpriced: *unpriced_calls, calls: *calls }
    }
}

/// The ledger.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    facilitator: Option<RunnerSpec>,
    seats: BTreeMap<ParticipantId, RunnerSpec>,
    speakers: BTreeMap<TurnId, ParticipantId>,
    writers: BTreeMap<u32, ParticipantId>,
    /// Calls in flight: their reserve and runner.
    open: BTreeMap<TaskId, (Reserve, RunnerSpec)>,
    all: Sum,
    by_model: BTreeMap<(Option<ParticipantId>, String), Sum>,
    limits: LimitRules,
    timeout_ms: u64,
    ran_ms: u64,
    last: Timestamp,
    begun: bool,
    paused: bool,
    over: bool,
    /// The end waits for its records.
    closing: bool,
    /// Whether it is a fork that was not resumed: it makes no call.
    at_rest_since_fork: bool,
    /// A budget has ended the meeting, and the conclusion is not written yet.
    ended_by_budget: bool,
    /// The facilitator was asked for the conclusion.
    conclude_asked: bool,
    /// Whether a cost without a reserve was added since the last check of the budget: messages and files of
    /// people, an answer longer than it was allowed to be, a retry, other limits.
    unforeseen: bool,
}

impl Ledger {
    /// Enters an event; `after` is what the meeting has become by it.
    pub(crate) fn enter(&mut self, event: &Event, after: &Meeting) -> Result<(), String> {
        self.pass(event);
        match &event.body {
            EventBody::MeetingCreated { rules, facilitator, .. } => {
                self.facilitator = facilitator.as_ref().map(|one| one.runner.clone());
                self.take_rules(rules);
            }
            EventBody::ParticipantJoined { participant, .. } => {
                self.seats.insert(participant.id, participant.runner.clone());
            }
            EventBody::SpeakerSelected { turn, participant, .. } => {
                self.speakers.insert(*turn, *participant);
            }
            EventBody::MinutesRequested { version, writer, .. } => {
                self.at_rest_since_fork = false;
                match writer {
                    Some(writer) => _ = self.writers.insert(*version, *writer),
                    None => _ = self.writers.remove(version),
                }
            }
            // Minutes of this number may be requested again, from another writer or from the facilitator.
            // Minutes that the end waits for are requested from the same writer.
            EventBody::Error { task: TaskId::Minutes(version), kind, .. }
                if !self.closing && *kind != FailureKind::Budget =>
            {
                self.writers.remove(version);
            }
            EventBody::RoundStarted { .. } => self.closing = false,
            EventBody::ArtifactRequested { .. } | EventBody::ParticipantInvited { .. } => {
                self.at_rest_since_fork = false;
            }
            EventBody::EndRequested { .. } => self.at_rest_since_fork = false,
            EventBody::MeetingStarted { .. } => (self.begun, self.at_rest_since_fork) = (true, false),
            EventBody::Pause { .. } => self.paused = true,
            EventBody::Resume { .. } => (self.paused, self.at_rest_since_fork) = (false, false),
            EventBody::RulesChanged { rules, .. } => {
                self.take_rules(rules);
                self.unforeseen = true;
            }
            EventBody::UserMessage { .. }
            | EventBody::AnnouncementPublished { .. }
            | EventBody::FileAttached { .. } => self.unforeseen = true,
            EventBody::MinutesWritten { .. } => self.unforeseen = true,
            // A model that took no notice of the limit of its answer.
            EventBody::AgentMessage { message, .. } => {
                let most = usize::try_from(self.limits.answer_tokens).unwrap_or(usize::MAX).saturating_mul(5);
                self.unforeseen |= message.content.len() > most;
            }
            EventBody::MeetingForked { carried: Some(carried), .. } => self.fork(carried)?,
            EventBody::CallStarted { task, reserved, fallback, .. } => {
                self.start(*task, *reserved, fallback.as_deref())?;
            }
            EventBody::CallRetried { task, usage, cost_micros, .. } => {
                self.unforeseen |= usage.total() > 0;
                if usage.total() > 0 {
                    self.charge(*task, usage, *cost_micros, 0)?;
                }
            }
            EventBody::CallEnded { task, end, usage, cost_micros, .. } => {
                self.end(*task, end, usage, *cost_micros)?;
            }
            EventBody::MeetingClosing { outcome, asked_again: _ } => {
                self.closing = true;
                self.paused = false;
                self.at_rest_since_fork = false;
                let by = match outcome {
                    MeetingOutcome::Aborted(AbortReason::Budget { budget }) => Some(*budget),
                    _ => None,
                };
                self.ended_by_budget = matches!(by, Some(BudgetKind::Tokens | BudgetKind::Cost));
            }
            EventBody::ConclusionWritten { by, .. } => self.conclude(by, after)?,
            EventBody::Finished { usage, cost_micros, .. } => {
                self.over = true;
                let known = (self.all.unpriced == 0).then_some(self.all.cost_micros);
                ensure(*cost_micros == known, || {
                    format!("the bill says {cost_micros:?}, the ledger {known:?}")
                })?;
                ensure(usage.total() == self.all.tokens, || "the bill is not what the ledger says".into())?;
            }
            _ => {}
        }
        self.agrees(after)
    }

    fn take_rules(&mut self, rules: &Rules) {
        self.limits = rules.limits.clone();
        self.timeout_ms = rules.turns.timeout_ms;
    }

    /// Time counts while the meeting runs: not before it began, not in a pause, not while no process ran it, not between an
    /// event and a fork of it, and never more at once than a meeting can be silent.
    fn pass(&mut self, event: &Event) {
        let step = u64::try_from(event.ts_ms.0 - self.last.0).unwrap_or(0);
        self.last = event.ts_ms;
        let counted = match &event.body {
            EventBody::MeetingForked { .. } | EventBody::Recovered { idle_ms: None } => 0,
            EventBody::Recovered { idle_ms: Some(idle) } => step.saturating_sub(*idle),
            _ => step,
        };
        if self.begun && !self.paused && !self.over {
            self.ran_ms += counted.min(self.timeout_ms + 60_000);
        }
    }

    fn fork(&mut self, carried: &CarriedSpending) -> Result<(), String> {
        let CarriedSpending { tokens, cost_micros, ran_ms, calls, asked_anew } = carried;
        let known = (self.all.unpriced == 0).then_some(self.all.cost_micros);
        let told = (*tokens, *cost_micros, *ran_ms, *calls);
        let kept = (self.all.tokens, known, self.ran_ms, self.all.calls);
        ensure(told == kept, || format!("a fork carries {told:?}, the ledger says {kept:?}"))?;
        let open: Vec<TaskId> = self.open.keys().copied().collect();
        ensure(*asked_anew == open, || format!("{open:?} are open, and {asked_anew:?} are asked anew"))?;
        self.open.clear();
        self.at_rest_since_fork = self.begun;
        Ok(())
    }

    fn start(&mut self, task: TaskId, reserved: Reserve, fallback: Option<&str>) -> Result<(), String> {
        ensure(!self.at_rest_since_fork, || format!("a fork asks {task}, and nobody has let it go on"))?;
        ensure(reserved.tokens > 0, || format!("nothing is held back for {task}"))?;
        let own = self.runner(task).ok_or_else(|| format!("nobody can answer {task}"))?;
        let runner = match fallback {
            None => own.clone(),
            Some(_) => own.fallback().cloned().ok_or_else(|| format!("{task} has no other model"))?,
        };
        ensure(fallback.is_none_or(|label| label == runner.label()), || format!("{task}: another fallback"))?;
        self.open.insert(task, (reserved, runner));
        self.conclude_asked |= task == TaskId::Conclude;
        let held = self.open.values().map(|(reserve, _)| reserve);
        let (tokens, cost) =
            held.fold((0, 0), |(tokens, cost), one| (tokens + one.tokens, cost + one.cost_micros));
        let within =
            |limit: Option<u64>, spent: u64, held: u64| limit.is_none_or(|limit| spent + held <= limit);
        ensure(within(self.limits.tokens, self.all.tokens, tokens), || {
            format!(
                "{} tokens spent and {tokens} held of {}",
                self.all.tokens,
                self.limits.tokens.unwrap_or(0)
            )
        })?;
        ensure(within(self.limits.cost_micros, self.all.cost_micros, cost), || {
            format!(
                "{} millionths spent and {cost} held of {}",
                self.all.cost_micros,
                self.limits.cost_micros.unwrap_or(0)
            )
        })?;
        // From here on, costs that were not foreseen are allowed.
        self.unforeseen &= task == TaskId::Conclude;
        Ok(())
    }

    fn end(
        &mut self,
        task: TaskId,
        end: &CallEnd,
        usage: &Usage,
        cost_micros: Option<u64>,
    ) -> Result<(), String> {
        let (reserved, runner) =
            self.open.get(&task).ok_or_else(|| format!("{task} ends and is not open"))?;
        let held_back = *reserved;
        if *end == CallEnd::Lost {
            let known = runner.price().is_some().then_some(reserved.cost_micros);
            let whole = usage.total() == reserved.tokens && cost_micros == known;
            ensure(whole, || format!("{task} is lost and not charged with what was held back"))?;
            self.all.calls += 1;
            let key = self.key(task);
            self.by_model.entry(key).or_default().calls += 1;
            self.add(task, usage.total(), cost_micros);
        } else {
            let guessed = usage.estimated && usage.total() == reserved.tokens;
            match guessed {
                true => {
                    self.add(task, usage.total(), cost_micros);
                    self.all.calls += 1;
                    let key = self.key(task);
                    self.by_model.entry(key).or_default().calls += 1;
                }
                false => self.charge(task, usage, cost_micros, 1)?,
            }
            // A vendor may bill more than it was let, for example searches of the web.
            let is_more = usage.total() > held_back.tokens || cost_micros > Some(held_back.cost_micros);
            self.unforeseen |= is_more;
        }
        self.open.remove(&task);
        Ok(())
    }

    /// The cost of a usage by the prices of the runner, computed independently.
    fn charge(&mut self, task: TaskId, usage: &Usage, cost: Option<u64>, calls: u32) -> Result<(), String> {
        let (_, runner) = self.open.get(&task).ok_or_else(|| format!("{task} is charged and not open"))?;
        let expected = runner.price().and_then(|price| {
            let searches = match usage.searches {
                0 => 0,
                count => u64::from(count) * price.search_micros?,
            };
            let cached = usage.cached_tokens.min(usage.input_tokens);
            let written = usage.cache_write_tokens.min(usage.input_tokens - cached);
            let plain = usage.input_tokens - cached - written;
            let parts = [
                (plain, price.input_micros),
                (cached, price.cached_micros.unwrap_or(price.input_micros)),
                (written, price.cache_write_micros.unwrap_or(price.input_micros)),
                (usage.output_tokens, price.output_micros),
            ];
            let sum: u128 = parts.iter().map(|(tokens, each)| u128::from(*tokens) * u128::from(*each)).sum();
            Some(sum.div_ceil(1_000_000) as u64 + searches)
        });
        ensure(cost == expected, || format!("{task} costs {cost:?}, by its prices {expected:?}"))?;
        self.all.calls += calls;
        let key = self.key(task);
        self.by_model.entry(key).or_default().calls += calls;
        self.add(task, usage.total(), cost);
        Ok(())
    }

    fn add(&mut self, task: TaskId, tokens: u64, cost_micros: Option<u64>) {
        let key = self.key(task);
        for sum in [&mut self.all, self.by_model.entry(key).or_default()] {
            sum.tokens += tokens;
            sum.cost_micros += cost_micros.unwrap_or(0);
            sum.unpriced += u32::from(cost_micros.is_none());
        }
    }

    /// A meeting that its budget ends has a conclusion of its facilitator, unless it was asked and failed, or the
    /// budget had no room for more than the first two speeches.
    fn conclude(&mut self, by: &Actor, after: &Meeting) -> Result<(), String> {
        let by_rules = std::mem::take(&mut self.ended_by_budget) && *by == Actor::System;
        let could =
            self.facilitator.is_some() && after.said.iter().filter(|said| said.turn.is_some()).count() > 2;
        ensure(!(by_rules && could) || self.conclude_asked || self.unforeseen, || {
            "the budget ends the meeting, and its facilitator was not asked for the conclusion".into()
        })
    }

    fn answerer(&self, task: TaskId) -> Option<ParticipantId> {
        match task {
            TaskId::Speak(turn) => self.speakers.get(&turn).copied(),
            TaskId::Vote(_, voter) => Some(voter),
            TaskId::Minutes(version) => self.writers.get(&version).copied(),
            _ => None,
        }
    }

    fn runner(&self, task: TaskId) -> Option<&RunnerSpec> {
        match self.answerer(task) {
            Some(id) => self.seats.get(&id),
            None => self.facilitator.as_ref(),
        }
    }

    fn key(&self, task: TaskId) -> (Option<ParticipantId>, String) {
        let label = self.open.get(&task).map_or_else(String::new, |(_, runner)| runner.label());
        (self.answerer(task), label)
    }

    /// The folded meeting says what the ledger says.
    fn agrees(&self, m: &Meeting) -> Result<(), String> {
        let same = |what: &str, told: Sum, kept: Sum| {
            ensure(told == kept, || format!("{what}: the meeting says {told:?}, the ledger {kept:?}"))
        };
        same("in all", Sum::of(&m.spent), self.all)?;
        for one in &m.models {
            let kept = self.by_model.get(&(one.participant, one.model.clone())).copied().unwrap_or_default();
            same(&one.model, Sum::of(&one.spent), kept)?;
        }
        let models: u64 = m.models.iter().map(|one| one.spent.usage.total()).sum();
        let seats: u64 = m.seats.iter().map(|seat| seat.spent.usage.total()).sum();
        let seats = seats + m.facilitator_spent.usage.total();
        ensure(models == self.all.tokens && seats == self.all.tokens, || {
            format!("{models} by model and {seats} by seat are not {}", self.all.tokens)
        })?;
        ensure(m.calls.keys().eq(self.open.keys()), || {
            "other calls are under way than the ledger says".into()
        })?;
        ensure(m.ran_ms == self.ran_ms, || format!("it ran {} ms, by the ledger {}", m.ran_ms, self.ran_ms))?;
        let known = m.spent.known_cost_micros();
        ensure(known.is_none() == (self.all.unpriced > 0), || "a cost that is not known is told".into())
    }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
