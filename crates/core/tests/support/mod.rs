//! A table to play meetings at, in the table's own verbs.
#![allow(dead_code, reason = "each test binary uses some of it")]

use std::collections::BTreeMap;

use quorate_core::*;

/// A meeting with its log, and a clock that moves by a millisecond per command.
#[derive(Clone)]
pub struct Table {
    pub meeting: Meeting,
    pub log: Vec<Event>,
    pub now: Moment,
}

pub fn newcomer(name: &str) -> Newcomer {
    let description = format!("{name} looks at what others forget");
    Newcomer {
        name: name.to_owned(),
        role: Role { name: "Engineer".into(), description, system_prompt: String::new() },
        runner: RunnerSpec::Simulated { temperament: Temperament::Balanced },
    }
}

pub fn founding(names: &[&str], rules: Rules) -> Founding {
    Founding {
        topic: "Is SQLite enough?".into(),
        background: String::new(),
        language: Language::En,
        format: Format::Consensus,
        rules,
        seed: 7,
        facilitator: Some(Facilitator {
            runner: RunnerSpec::Simulated { temperament: Temperament::Balanced },
            system_prompt: String::new(),
        }),
        participants: names.iter().map(|name| newcomer(name)).collect(),
    }
}

impl Table {
    pub fn blank() -> Self {
        let meeting = Meeting::blank(MeetingId::new("meeting"), RunId::new("run"));
        Self { meeting, log: Vec::new(), now: Moment(1_000_000) }
    }

    /// A meeting that was created and not started.
    pub fn draft(founding: Founding) -> Self {
        let mut table = Self::blank();
        table.wish(Command::Create { by: "user:owner".into(), founding: Box::new(founding) });
        table
    }

    /// A meeting that has started.
    pub fn started(founding: Founding) -> Self {
        let mut table = Self::draft(founding);
        table.wish(Command::Start { by: "user:owner".into() });
        table
    }

    /// Tries a wish.
    pub fn tries(&mut self, command: Command) -> Result<Vec<Event>, Refusal> {
        self.now = self.now.plus_ms(1);
        let cause = command.cause();
        let facts = decide(&self.meeting, command, self.now)?;
        let mut events = Vec::new();
        for body in facts {
            let event = Event {
                seq: self.meeting.seq + 1,
                meeting_id: self.meeting.id.clone(),
                run_id: self.meeting.run.clone(),
                ts_ms: self.now,
                actor: actor_of(&self.meeting, &body),
                cause: cause.clone(),
                body,
            };
            apply(&mut self.meeting, &event);
            self.log.push(event.clone());
            events.push(event);
        }
        Ok(events)
    }

    /// A wish that must come true.
    pub fn wish(&mut self, command: Command) -> Vec<Event> {
        let what = format!("{command:?}");
        self.tries(command).unwrap_or_else(|refusal| panic!("{what} was refused: {refusal}"))
    }

    pub fn says(&mut self, content: &str) {
        self.wish(Command::Say { by: "user:owner".into(), content: content.into() });
    }

    /// The calls that are owed.
    pub fn calls(&self) -> Vec<Call> {
        let calls = pending(&self.meeting).into_iter();
        calls.filter_map(|task| if let Task::Call(call) = task { Some(call) } else { None }).collect()
    }

    /// The names of those who have the floor.
    pub fn speakers(&self) -> Vec<String> {
        let speaking = self.calls().into_iter().filter(|call| matches!(call.id, TaskId::Speak(_)));
        speaking.filter_map(|call| call.participant).map(|id| self.meeting.name_of(id)).collect()
    }

    pub fn answers(&mut self, call: &Call, text: &str) -> Vec<Event> {
        let outcome = Outcome::Answered(answer(text));
        let command = settle(&self.meeting, call, outcome);
        self.wish(command)
    }

    pub fn fails(&mut self, call: &Call, kind: FailureKind) {
        let failure =
            Failure { kind, detail: "broken".into(), hint: "mend it".into(), usage: None, latency_ms: 1 };
        let command = settle(&self.meeting, call, Outcome::Failed(failure));
        self.wish(command);
    }

    /// Answers one call properly, voting with `score`.
    pub fn answers_well(&mut self, call: &Call, score: u8) {
        let text = good_answer(&self.meeting, call, score);
        self.answers(call, &text);
    }

    /// Answers every call until the meeting rests or is over.
    pub fn goes_on(&mut self, score: impl Fn(&Table, &Call) -> u8) {
        for _ in 0..10_000 {
            let Some(call) = self.calls().into_iter().next() else { return };
            let score = score(self, &call);
            self.answers_well(&call, score);
        }
        panic!("the meeting does not come to an end");
    }

    pub fn pauses(&mut self) {
        self.wish(Command::Pause { by: "user:owner".into(), at_once: false });
    }

    pub fn resumes(&mut self) {
        self.wish(Command::Resume { by: "user:owner".into(), token: None, answers: BTreeMap::new() });
    }

    /// The transcript as people tell it.
    pub fn transcript(&self) -> String {
        self.log.iter().filter_map(|event| tell(&self.meeting, event)).collect::<Vec<_>>().join("\n")
    }
}

pub fn answer(text: &str) -> Answer {
    Answer {
        text: text.into(),
        reasoning: None,
        usage: Usage { input_tokens: 100, output_tokens: 20, ..Usage::default() },
        stop: StopReason::Stop,
        latency_ms: 5,
    }
}

/// A proper answer to any kind of call.
pub fn good_answer(meeting: &Meeting, call: &Call, score: u8) -> String {
    let brief = context(meeting, call).brief;
    let name = &brief.name;
    match brief.kind {
        BriefKind::Blind => format!(
            r#"{{"position":"{name} would begin with SQLite","claims":["one file is easy to keep, says {name}"],"confidence":60,"would_change_my_mind":"two writers","unshared_facts":[]}}"#
        ),
        BriefKind::Speak => {
            let replies: String =
                brief.targets.iter().map(|t| format!("[{}] I see it otherwise. ", t.claim)).collect();
            format!("{replies}{name} speaks in round {}.", brief.round)
        }
        BriefKind::Vote => {
            format!(r#"{{"score":{score},"pass":{},"reason":"{name} has read it","missing":[]}}"#, score >= 75)
        }
        BriefKind::Summarize => {
            let positions: Vec<String> = brief
                .voices
                .iter()
                .filter_map(|v| {
                    Some(format!(r#"{{"text":"{}","holders":["{}"]}}"#, v.position.as_ref()?, v.name))
                })
                .collect();
            format!(
                r#"{{"summary":"Round {} in short","positions":[{}],"draft":"Begin with SQLite (after round {})"}}"#,
                brief.round,
                positions.join(","),
                brief.round
            )
        }
        BriefKind::Facilitate => {
            r#"{"disagreements":["when to move"],"proposed_patch":"name the trigger","next_focus":["what is the trigger?"]}"#.into()
        }
        BriefKind::Conclude => {
            r#"{"conclusion":"Begin with SQLite.","disagreements":[],"actions":[{"what":"write it down","who":null,"sources":["m1"]}]}"#.into()
        }
    }
}

/// One event as people tell it; what is of no interest to them is left out.
fn tell(m: &Meeting, event: &Event) -> Option<String> {
    let name = |id: &ParticipantId| m.name_of(*id);
    Some(match &event.body {
        EventBody::RoundStarted { round, kind, .. } => format!("— round {round}, {kind:?}"),
        EventBody::AgentMessage { message, .. } => format!("{}: {}", message.name, message.content),
        EventBody::UserMessage { message, .. } => format!("{}: {}", message.name, message.content),
        EventBody::TurnSkipped { participant, .. } => format!("{} skips", name(participant)),
        EventBody::TurnFailed { participant, kind, .. } => format!("{} fails: {kind:?}", name(participant)),
        EventBody::SummaryWritten { text, by, .. } => format!("Summary ({by:?}): {text}"),
        EventBody::DraftRevised { version, text, .. } => format!("Draft {version}: {text}"),
        EventBody::BallotOpened { ballot, .. } => format!("— ballot {ballot}"),
        EventBody::VoteCast { participant, vote, .. } => {
            format!("{} votes {}", name(participant), vote.score)
        }
        EventBody::VoteAbstained { participant, kind, .. } => {
            format!("{} abstains: {kind:?}", name(participant))
        }
        EventBody::BallotInterrupted { ballot, .. } => format!("— ballot {ballot} interrupted"),
        EventBody::BallotClosed { ballot, verdict } => {
            format!("— ballot {ballot} passed: {}", verdict.passed)
        }
        EventBody::FacilitationWritten { message, .. } => format!("{}: {}", message.name, message.content),
        EventBody::AnswerMalformed { task, problem, .. } => format!("({task} asked again: {problem})"),
        EventBody::Pause { pause_reason, .. } => format!("— paused: {pause_reason:?}"),
        EventBody::Resume { .. } => "— resumed".into(),
        EventBody::BudgetReached { budget, .. } => format!("— budget reached: {budget:?}"),
        EventBody::Error { task, kind, .. } => format!("({task} failed: {kind:?})"),
        EventBody::ConclusionWritten { conclusion, by, .. } => format!("Conclusion ({by:?}): {conclusion}"),
        EventBody::Finished { .. } => format!("— finished: {}", outcome_text(m)),
        EventBody::ParticipantLeft { participant, .. } => format!("— {} leaves", name(participant)),
        _ => return None,
    })
}
