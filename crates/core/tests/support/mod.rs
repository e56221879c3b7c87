//! A table to play meetings at, in the table's own verbs: `table.says`, `table.answers`,
//! `table.leaves`. A test that uses them reads as the meeting did.
#![allow(dead_code, reason = "each test binary uses some of it")]

pub mod answers;
pub mod any;
pub mod describe;

use std::collections::BTreeMap;

pub use answers::*;
use quorate_contract::*;
use quorate_core::*;

/// A meeting with its log, and a clock that moves by a millisecond per command.
#[derive(Clone)]
pub struct Transaction {
    pub meeting: Meeting,
    pub log: Vec<Event>,
    pub now: Timestamp,
}

/// A failing test shows the meeting as people tell it.
impl std::fmt::Debug for Transaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Meeting { settings, phase, run_state, .. } = &self.meeting;
        write!(f, "{:?}\n{}\n{phase:?}, {run_state:?}", settings.rules, self.transcript())
    }
}

pub fn newcomer(name: &str) -> Newcomer {
    let description = format!("{name} looks at what others forget");
    Newcomer {
        name: name.to_owned(),
        role: Role { name: "Engineer".into(), description, system_prompt: String::new() },
        runner: RunnerSpec::Simulated { temperament: Temperament::Balanced },
        skip_list: Vec::new(),
    }
}

/// A participant whose calls cost one millionth per input token and two per output token.
pub fn priced(name: &str) -> Newcomer {
    let price = Some(Price {
        input_micros: 1_000_000,
        output_micros: 2_000_000,
        cache_write_micros: None,
        cached_micros: None,
        search_micros: None,
    });
    let runner = RunnerSpec::Model {
        provider: "local".into(),
        model: "small".into(),
        parameters: ModelParameters::default(),
        price,
        fallback: None,
    };
    Newcomer { runner, ..newcomer(name) }
}

pub fn spec(names: &[&str], rules: Rules) -> MeetingSpec {
    MeetingSpec {
        topic: "Is SQLite enough?".into(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language: Language::En,
        format: Format::Consensus,
        rules,
        seed: 7,
        facilitator: Some(Facilitator {
            runner: RunnerSpec::Simulated { temperament: Temperament::Balanced },
            system_prompt: String::new(),
        }),
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        participants: names.iter().map(|name| newcomer(name)).collect(),
    }
}

/// A meeting in the `discussion` format: no blind round, no ballots, full history.
pub fn discussion(names: &[&str], max_rounds: u32) -> MeetingSpec {
    let rules = Format::Discussion.rules();
    let limits = LimitRules { max_rounds, ..rules.limits };
    MeetingSpec { format: Format::Discussion, ..spec(names, Rules { limits, ..rules }) }
}

/// The command that makes a fork of a meeting.
pub fn forks(from: &str) -> Command {
    let limits = LimitChanges::default();
    Command::Fork {
        by: Actor::owner(),
        from: MeetingId::new(from),
        title: String::new(),
        limits,
        without_tools: false,
    }
}

/// The rules of a `consensus` meeting of so many rounds.
pub fn consensus(max_rounds: u32) -> Rules {
    Rules { limits: LimitRules { max_rounds, ..LimitRules::default() }, ..Rules::default() }
}

impl Transaction {
    pub fn blank() -> Self {
        let meeting = Meeting::blank(MeetingId::new("meeting"), RunId::new("run"));
        Self { meeting, log: Vec::new(), now: Timestamp(1_000_000) }
    }

    /// A meeting that was created and not started.
    pub fn draft(spec: MeetingSpec) -> Self {
        let mut table = Self::blank();
        table.execute(Command::Create { by: Actor::owner(), spec: Box::new(spec) });
        table
    }

    /// A meeting that has started.
    pub fn started(spec: MeetingSpec) -> Self {
        let mut table = Self::draft(spec);
        table.starts();
        table
    }

    /// Tries a command. What comes true is folded and logged, as the engine does it.
    pub fn tries(&mut self, command: Command) -> Result<Vec<Event>, Refusal> {
        self.takes_step(Origin::Fresh, command)
    }

    /// Another process takes the meeting up from its log.
    pub fn recovers(&mut self) -> Vec<Event> {
        self.takes_step(Origin::Recovered, Command::Tick).expect("time may always pass")
    }

    /// Tries a command in a state of this origin.
    pub fn takes_step(&mut self, origin: Origin, command: Command) -> Result<Vec<Event>, Refusal> {
        self.now = self.now.plus_ms(1);
        let events = match step(&self.meeting, &self.meeting.run, origin, command, self.now) {
            Ok(events) => events,
            Err(StepError::Refused(refusal)) => return Err(refusal),
            Err(StepError::Broken(broken)) => panic!("{broken}"),
        };
        for event in &events {
            apply(&mut self.meeting, event);
            self.log.push(event.clone());
        }
        Ok(events)
    }

    /// A command that must come true.
    pub fn execute(&mut self, command: Command) -> Vec<Event> {
        let what = format!("{command:?}");
        self.tries(command).unwrap_or_else(|refusal| panic!("{what} was refused: {refusal}"))
    }

    /// A command that must be refused, and leave everything as it was.
    pub fn is_refused(&mut self, command: Command) -> Refusal {
        let before = self.meeting.clone();
        let what = format!("{command:?}");
        let refusal = self.tries(command).err().unwrap_or_else(|| panic!("{what} was not refused"));
        assert_eq!(self.meeting, before, "a refusal changes nothing");
        refusal
    }

    /// The meeting that the log tells of, read back from JSON.
    pub fn replayed(&self) -> Meeting {
        let mut meeting = Meeting::blank(self.meeting.id.clone(), self.meeting.run.clone());
        for event in &self.log {
            let read = Event::from_json(&event.to_json()).expect("our own events can be read");
            apply(&mut meeting, &read);
        }
        meeting
    }

    // — what people do

    pub fn starts(&mut self) {
        self.execute(Command::Start { by: Actor::owner() });
    }

    pub fn says(&mut self, content: &str) {
        self.execute(Command::Say { by: Actor::owner(), content: content.into() });
    }

    pub fn asks_for(&mut self, participant: &str) {
        self.execute(Command::RequestSpeaker { by: Actor::owner(), participant: participant.into() });
    }

    pub fn joins(&mut self, name: &str) {
        self.execute(Command::Join { by: Actor::owner(), newcomer: Box::new(newcomer(name)) });
    }

    pub fn leaves(&mut self, name: &str) {
        self.execute(Command::Leave { by: Actor::owner(), participant: name.into() });
    }

    /// Pauses after the current turn.
    pub fn pauses(&mut self) {
        self.execute(Command::Pause { by: Actor::owner(), at_once: false });
    }

    pub fn pauses_at_once(&mut self) {
        self.execute(Command::Pause { by: Actor::owner(), at_once: true });
    }

    /// A fork of this meeting after event `at`, or where it can go on.
    pub fn forked(&self, at: Option<u64>, limits: LimitChanges) -> Self {
        let at = at.unwrap_or_else(|| last_fork_point(self.log.iter().map(|event| &event.body)));
        let mut fork = Self { now: self.now.plus_ms(3_600_000), ..Self::blank() };
        fork.meeting.id = MeetingId::new("fork");
        for event in &self.log[..at as usize] {
            let event = Event { meeting_id: fork.meeting.id.clone(), ..event.clone() };
            apply(&mut fork.meeting, &event);
            fork.log.push(event);
        }
        let (by, from, title) = (Actor::owner(), self.meeting.id.clone(), String::new());
        fork.execute(Command::Fork { by, from, title, limits, without_tools: false });
        fork
    }

    pub fn resumes(&mut self) {
        self.execute(Command::Resume {
            by: Actor::owner(),
            token: None,
            answers: BTreeMap::new(),
            take_defaults: true,
        });
    }

    pub fn ends(&mut self, note: &str) {
        self.execute(Command::End { by: Actor::owner(), note: note.into() });
    }

    /// Lets time pass, and sends a tick.
    pub fn waits_ms(&mut self, ms: u64) {
        self.now = self.now.plus_ms(ms);
        self.execute(Command::Tick);
    }

    // — what is owed, and by whom

    /// The calls that are owed.
    pub fn calls(&self) -> Vec<Call> {
        let calls = pending(&self.meeting).into_iter();
        calls.filter_map(|task| if let Task::Call(call) = task { Some(call) } else { None }).collect()
    }

    /// The one call that this participant owes.
    pub fn call_of(&self, name: &str) -> Call {
        let own = |call: &Call| call.participant.is_some_and(|id| self.meeting.name_of(id) == name);
        self.calls().into_iter().find(own).unwrap_or_else(|| panic!("{name} is asked nothing now"))
    }

    /// The call that the facilitator owes.
    pub fn facilitator_call(&self) -> Call {
        let own = |call: &Call| call.participant.is_none();
        self.calls().into_iter().find(own).expect("the facilitator is asked something now")
    }

    /// The names of those who have the floor.
    pub fn speakers(&self) -> Vec<String> {
        let speaking = self.calls().into_iter().filter(|call| matches!(call.id, TaskId::Speak(_)));
        speaking.filter_map(|call| call.participant).map(|id| self.meeting.name_of(id)).collect()
    }

    /// The name of the one who has the floor in a serial round.
    pub fn speaker(&self) -> String {
        match self.speakers().as_slice() {
            [only] => only.clone(),
            several => panic!("one has the floor, not {several:?}"),
        }
    }

    /// The prompt of this participant's call.
    pub fn prompt_of(&self, name: &str) -> Prompt {
        context(&self.meeting, &self.call_of(name))
    }

    pub fn names(&self) -> Vec<String> {
        self.meeting.present().map(|seat| seat.participant.name.clone()).collect()
    }

    // — what comes back

    pub fn answers(&mut self, call: &Call, text: &str) -> Vec<Event> {
        let command = interpret(&self.meeting, call, Outcome::Answered(answer(text)));
        self.execute(command)
    }

    pub fn fails(&mut self, call: &Call, kind: FailureKind) {
        let command = interpret(&self.meeting, call, Outcome::Failed(failure(kind)));
        self.execute(command);
    }

    /// This participant answers with this text.
    pub fn hears(&mut self, name: &str, text: &str) {
        let call = self.call_of(name);
        self.answers(&call, text);
    }

    /// This participant's call fails.
    pub fn loses(&mut self, name: &str) {
        let call = self.call_of(name);
        self.fails(&call, FailureKind::Network);
    }

    /// The facilitator answers in these words.
    pub fn facilitator_answers(&mut self, text: &str) {
        let call = self.facilitator_call();
        self.answers(&call, text);
    }

    /// Answers one call properly, voting with `score`.
    pub fn answers_well(&mut self, call: &Call, score: u8) {
        let text = good_answer(&self.meeting, call, score);
        self.answers(call, &text);
    }

    /// Answers every call until the meeting rests or is over.
    pub fn goes_on(&mut self, score: impl Fn(&Transaction, &Call) -> u8) {
        self.goes_until(score, |_| false);
    }

    /// Answers every call until something holds, or nothing is owed any more.
    pub fn goes_until(
        &mut self,
        score: impl Fn(&Transaction, &Call) -> u8,
        done: impl Fn(&Transaction) -> bool,
    ) {
        for _ in 0..10_000 {
            if done(self) {
                return;
            }
            let Some(call) = self.calls().into_iter().next() else { return };
            let score = score(self, &call);
            self.answers_well(&call, score);
        }
        panic!("the meeting does not come to an end");
    }

    /// Goes on, all in agreement, until this round runs.
    pub fn goes_to_round(&mut self, round: u32) {
        let runs = |table: &Transaction| {
            table.meeting.phase == Phase::Discussion && table.meeting.round_number() == round
        };
        self.goes_until(|_, _| 60, runs);
        assert!(runs(self), "round {round} never ran");
    }

    /// Goes on until the table votes.
    pub fn goes_to_ballot(&mut self) {
        self.goes_until(|_, _| 60, |table| table.meeting.phase == Phase::Ballot);
        assert_eq!(self.meeting.phase, Phase::Ballot, "the table never voted");
    }

    /// The transcript as people tell it.
    pub fn transcript(&self) -> String {
        describe::transcript(&self.meeting, &self.log)
    }
}
