//! Complete meetings on the real core: every call answered by the simulation, every pause as in a run that nobody attends.

use quorate_contract::*;
use quorate_core::*;
use serde_json::Value;

use crate::simulated::answers::scripted;
use crate::simulated::{answer_to, default_cast, default_offers, default_temperaments};

pub(super) struct Play {
    pub(super) meeting: Meeting,
    pub(super) log: Vec<Event>,
    /// The number of answers, and the number of unreadable ones.
    pub(super) answers: u32,
    pub(super) malformed: Vec<String>,
    /// Answers that do not fit the schema that was sent with the prompt.
    pub(super) unfit: Vec<String>,
    pub(super) pauses: Vec<PauseReason>,
    /// The tasks whose answer is in no script, with the speaker and the round.
    pub(super) generated: Vec<String>,
    /// All answers, as they were given.
    pub(super) texts: Vec<String>,
}

/// A meeting of this format with default participants.
pub(super) fn spec(format: Format, language: Language, topic: &str, seed: u64) -> MeetingSpec {
    let empty = format == Format::Brainstorm;
    let temperaments = default_temperaments(4, seed);
    let cast =
        default_cast(language, 4, seed, |seat| RunnerSpec::Simulated { temperament: temperaments[seat] });
    MeetingSpec {
        topic: topic.to_owned(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language,
        format,
        rules: format.rules(),
        seed,
        facilitator: Some(Facilitator {
            runner: RunnerSpec::Simulated { temperament: Temperament::Balanced },
            system_prompt: String::new(),
        }),
        moderator: None,
        agenda: Vec::new(),
        models: default_offers(language),
        participants: if empty { Vec::new() } else { cast },
    }
}

/// All seats with the same temperament.
pub(super) fn all_of(spec: MeetingSpec, temperament: Temperament) -> MeetingSpec {
    let seat = |one: Newcomer| Newcomer { runner: RunnerSpec::Simulated { temperament }, ..one };
    MeetingSpec { participants: spec.participants.into_iter().map(seat).collect(), ..spec }
}

impl Play {
    pub(super) fn of(spec: MeetingSpec) -> Self {
        let meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
        let mut play = Self {
            meeting,
            log: Vec::new(),
            answers: 0,
            malformed: Vec::new(),
            unfit: Vec::new(),
            pauses: Vec::new(),
            generated: Vec::new(),
            texts: Vec::new(),
        };
        play.execute(Command::Create { by: Actor::owner(), spec: Box::new(spec) });
        play.execute(Command::Start { by: Actor::owner() });
        play
    }

    pub(super) fn to_the_end(spec: MeetingSpec) -> Self {
        let mut play = Self::of(spec);
        play.finish();
        play
    }

    /// Answers all calls until nothing is owed any more.
    pub(super) fn finish(&mut self) {
        for _ in 0..3000 {
            if !self.step() {
                return;
            }
        }
        panic!("the meeting does not come to an end:\n{}", self.told());
    }

    /// A person says something.
    pub(super) fn says(&mut self, words: &str) {
        self.execute(Command::Say { by: Actor::owner(), content: words.into() });
    }

    /// Answers one call or one pause; false when nothing is owed any more.
    pub(super) fn step(&mut self) -> bool {
        let calls: Vec<Call> = pending(&self.meeting)
            .into_iter()
            .filter_map(|task| if let Task::Call(call) = task { Some(call) } else { None })
            .collect();
        // Calls beside the discussion do not wait for the next speaker.
        let beside = calls.iter().find(|call| !matches!(call.id, TaskId::Speak(_)));
        let call = beside.or(calls.first()).cloned();
        if let Some(call) = call {
            self.answer(&call);
            return true;
        }
        let RunState::Paused { reason, .. } = &self.meeting.run_state else { return false };
        let reason = *reason;
        self.pauses.push(reason);
        let (by, answers) = (Actor::owner(), reason.unattended_answers());
        self.execute(Command::Resume { by, token: None, answers, take_defaults: true });
        true
    }

    fn answer(&mut self, call: &Call) {
        let RunnerSpec::Simulated { temperament } = call.runner else { panic!("{call:?}") };
        let prompt = context(&self.meeting, call);
        let text = answer_to(&prompt, temperament, call.attempt);
        self.answers += 1;
        self.texts.push(text.clone());
        if scripted::answer(&prompt.brief, temperament).is_none() {
            let Brief { name, round, .. } = &*prompt.brief;
            self.generated.push(format!("{} {name} {round}", call.id));
        }
        if let Some(schema) = prompt.schema.as_ref().filter(|_| text != "[SKIP]") {
            let value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
            if let Err(problem) = fits(&schema.schema, &value, schema.name) {
                self.unfit.push(format!("{problem}: {text}"));
            }
        }
        let answer = Answer {
            text: text.clone(),
            reasoning: None,
            usage: Usage::default(),
            stop: StopReason::Stop,
            latency_ms: 1,
            web: WebFindings::default(),
            request_id: None,
        };
        let command = interpret(&self.meeting, call, Outcome::Answered(answer));
        if let Command::Deliver(delivery) = &command
            && let Delivered::Malformed { problem, .. } | Delivered::Failed { detail: problem, .. } =
                &delivery.what
        {
            self.malformed.push(format!("{}: {problem}: {text}", call.id));
        }
        self.execute(command);
    }

    pub(super) fn execute(&mut self, command: Command) {
        let cause = command.cause();
        let now = Timestamp(self.meeting.seq as i64);
        let events = step(&self.meeting, &self.meeting.run, Origin::Fresh, command, now)
            .unwrap_or_else(|refusal| panic!("{cause}: {refusal}\n{}", self.told()));
        for event in events {
            apply(&mut self.meeting, &event);
            self.log.push(event);
        }
    }

    /// The meeting for people to read.
    pub(super) fn told(&self) -> String {
        let mut out = format!("===== {:?} {}\n", self.meeting.settings.format, self.meeting.settings.topic);
        for event in &self.log {
            let line = match &event.body {
                EventBody::AgentMessage { round, message, stance, .. } => {
                    let ideas = stance.iter().flat_map(|stance| &stance.claims);
                    let ideas = ideas.filter(|claim| claim.kind == ClaimKind::Idea);
                    let ideas: String = ideas
                        .map(|idea| format!("\n   * {} {} {:?}", idea.id, idea.text, idea.builds_on))
                        .collect();
                    let open = stance.iter().flat_map(|stance| &stance.open_questions);
                    let open: String = open.map(|ask| format!("\n   ? {ask}")).collect();
                    format!("[{round}] <{}> {}{ideas}{open}\n", message.name, message.content)
                }
                EventBody::TurnSkipped { participant, .. } => {
                    format!("({} passes)", self.meeting.name_of(*participant))
                }
                EventBody::MemoryWritten { participant, memory } => {
                    format!("   ({} notes {memory:?})", self.meeting.name_of(*participant))
                }
                EventBody::SummaryWritten { text, open_questions, disagreements, .. } => {
                    format!("--- {text}\n    open {open_questions:?}\n    divided {disagreements:?}")
                }
                EventBody::IntakeWritten { .. }
                | EventBody::TeamProposed { .. }
                | EventBody::EvaluationWritten { .. }
                | EventBody::MinutesWritten { .. }
                | EventBody::ArtifactWritten { .. }
                | EventBody::Metric { .. }
                | EventBody::ConclusionWritten { .. }
                | EventBody::AgendaChanged { .. }
                | EventBody::ToolsAllowed { .. }
                | EventBody::ToolCalled { .. }
                | EventBody::ToolReviewed { .. }
                | EventBody::ToolReturned { .. }
                | EventBody::FileAttached { .. }
                | EventBody::FileRemoved { .. }
                | EventBody::ParticipantLeft { .. }
                | EventBody::AnswerMalformed { .. }
                | EventBody::CallRetried { .. }
                | EventBody::AgentAction { .. }
                | EventBody::Finished { .. } => serde_json::to_string_pretty(&event.body).unwrap_or_default(),
                _ => continue,
            };
            out.push_str(&line);
            out.push('\n');
        }
        out
    }
}

/// Whether a value fits a schema; covers the part of JSON Schema that ours use.
fn fits(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(any) = schema["anyOf"].as_array() {
        let fits_one = any.iter().any(|one| fits(one, value, at).is_ok());
        return if fits_one { Ok(()) } else { Err(format!("{at} fits none")) };
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect::<Vec<_>>(),
    };
    let is_allowed = allowed.contains(&kind) || (kind == "integer" && allowed.contains(&"number"));
    if !is_allowed {
        return Err(format!("{at} is {kind}, not {allowed:?}"));
    }
    let within = |least: &str, most: &str, number: f64| {
        let fits = schema[least].as_f64().is_none_or(|least| number >= least)
            && schema[most].as_f64().is_none_or(|most| number <= most);
        if fits { Ok(()) } else { Err(format!("{at}: {number} is out of range")) }
    };
    match value {
        Value::String(text) => {
            within("minLength", "maxLength", text.chars().count() as f64)?;
            match schema["enum"].as_array() {
                Some(words) if !words.contains(value) => Err(format!("{at}: {text} is none of {words:?}")),
                _ => Ok(()),
            }
        }
        Value::Number(number) => within("minimum", "maximum", number.as_f64().unwrap_or(f64::NAN)),
        Value::Array(items) => {
            within("minItems", "maxItems", items.len() as f64)?;
            items
                .iter()
                .enumerate()
                .try_for_each(|(place, item)| fits(&schema["items"], item, &format!("{at}[{place}]")))
        }
        Value::Object(fields) => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            if let Some(missing) = required.into_iter().find(|name| !fields.contains_key(*name)) {
                return Err(format!("{at} lacks {missing}"));
            }
            fields.iter().try_for_each(|(name, field)| match schema["properties"].get(name) {
                Some(wanted) => fits(wanted, field, &format!("{at}.{name}")),
                None => Err(format!("{at} has {name}, which is not asked for")),
            })
        }
        Value::Null | Value::Bool(_) => Ok(()),
    }
}
