//! What of each event is hidden.
//!
//! One `match` names every event with every field of its payload. A new event or field does not compile until somebody
//! has said here whether every viewer may see it.

use quorate_contract::{Actor, Departure, Event, EventBody, Message, Phrase, TaskId, ToolOutcome};
use serde_json::{Value, json};

use super::{Viewer, WITHHELD};

/// What a viewer is told of the payload of an event.
enum Disclosure {
    /// All of it.
    Full,
    /// The payload without some of its parts.
    Partial(Box<EventBody>),
    /// The same of an answer whose words are withheld for now.
    WordsWithheld(Box<EventBody>),
    /// Only what it is about.
    Reference(Value),
}

impl Viewer {
    /// The line of an event in the place of the one that is stored; `None` when that one may be seen.
    pub fn line(self, event: &Event) -> Option<String> {
        let told = |body: EventBody| Event { body, ..event.clone() };
        let with = |event: &Event, change: &dyn Fn(&mut Value)| {
            let mut line = serde_json::to_value(event).expect("an event is plain JSON");
            change(&mut line["payload"]);
            line.to_string()
        };
        match self.disclosure(&event.body) {
            Disclosure::Full => None,
            Disclosure::Partial(body) => Some(told(*body).to_json()),
            Disclosure::WordsWithheld(body) => {
                Some(with(&told(*body), &|payload| payload["withheld"] = Value::Bool(true)))
            }
            Disclosure::Reference(about) => Some(with(event, &|payload| {
                *payload = about.clone();
                payload["withheld"] = Value::Bool(true);
            })),
        }
    }

    /// Whether a part of an event is hidden.
    pub fn hides(self, event: &Event) -> bool {
        !matches!(self.disclosure(&event.body), Disclosure::Full)
    }

    /// Whether an event is a blind answer whose words are withheld.
    pub fn withholds_words(self, event: &Event) -> bool {
        matches!(self.disclosure(&event.body), Disclosure::WordsWithheld(_))
    }

    fn disclosure(self, body: &EventBody) -> Disclosure {
        if self.sees_all() {
            return Disclosure::Full;
        }
        if !self.is_known() {
            return Disclosure::Reference(json!({}));
        }
        match body {
            EventBody::EvaluationWritten { round, by: _, marks: _ } => {
                Disclosure::Reference(json!({ "round": round }))
            }
            EventBody::MemoryWritten { participant, memory: _ } => {
                Disclosure::Reference(json!({ "participant": participant }))
            }
            EventBody::VoteCast { ballot, participant, vote: _, objection: _ }
            | EventBody::VoteAbstained { ballot, participant, kind: _, detail: _, failure: _, hint: _ } => {
                match self.moment.ballot == Some(*ballot) {
                    true => Disclosure::Reference(json!({ "ballot": ballot, "participant": participant })),
                    false => Disclosure::Full,
                }
            }
            // What an agent looks at shows what it is about to say.
            EventBody::AgentAction { participant, task, attempt, action: _ } => {
                let withheld = match (task, participant) {
                    (TaskId::Speak(turn), Some(participant)) => self.withholds(turn.round, *participant),
                    (TaskId::Vote(ballot, _), _) => self.moment.ballot == Some(*ballot),
                    _ => false,
                };
                match withheld {
                    true => Disclosure::Reference(
                        json!({ "participant": participant, "task": task, "attempt": attempt }),
                    ),
                    false => Disclosure::Full,
                }
            }
            EventBody::AgentMessage {
                message_id,
                round,
                turn,
                participant,
                message,
                stance,
                mentions,
                mentioned_people,
                cut_from_chars,
                reasoning,
                ended_early,
            } => {
                let (message_id, round, turn, participant) = (*message_id, *round, *turn, *participant);
                if self.withholds(round, participant) {
                    let Message { role, name, content: _, citations: _, evidence: _ } = message;
                    let (role, name) = (*role, name.clone());
                    let (content, citations, evidence) = (WITHHELD.to_owned(), Vec::new(), Vec::new());
                    let message = Message { role, name, content, citations, evidence };
                    return Disclosure::WordsWithheld(Box::new(EventBody::AgentMessage {
                        message_id,
                        round,
                        turn,
                        participant,
                        message,
                        stance: None,
                        mentions: Vec::new(),
                        mentioned_people: Vec::new(),
                        cut_from_chars: None,
                        reasoning: None,
                        ended_early: None,
                    }));
                }
                if reasoning.is_none() {
                    return Disclosure::Full;
                }
                Disclosure::Partial(Box::new(EventBody::AgentMessage {
                    message_id,
                    round,
                    turn,
                    participant,
                    message: message.clone(),
                    stance: stance.clone(),
                    mentions: mentions.clone(),
                    mentioned_people: mentioned_people.clone(),
                    cut_from_chars: *cut_from_chars,
                    reasoning: None,
                    ended_early: *ended_early,
                }))
            }
            EventBody::ToolCalled {
                call,
                turn,
                participant,
                step,
                tool,
                arguments,
                effects,
                max_chars,
                text,
                continuation,
            } => {
                let is_blind = self.withholds(turn.round, *participant);
                if !is_blind && continuation.is_empty() {
                    return Disclosure::Full;
                }
                // What a vendor wants back can hold reasoning.
                let shown = |it: &String| if is_blind { WITHHELD.to_owned() } else { it.clone() };
                let body = Box::new(EventBody::ToolCalled {
                    call: *call,
                    turn: *turn,
                    participant: *participant,
                    step: *step,
                    tool: shown(tool),
                    arguments: shown(arguments),
                    effects: *effects,
                    max_chars: *max_chars,
                    text: if text.is_empty() { String::new() } else { shown(text) },
                    continuation: String::new(),
                });
                if is_blind { Disclosure::WordsWithheld(body) } else { Disclosure::Partial(body) }
            }
            EventBody::ToolReturned { call, turn, participant, outcome, latency_ms } => {
                if !self.withholds(turn.round, *participant) {
                    return Disclosure::Full;
                }
                let outcome = match outcome {
                    ToolOutcome::Returned { text: _, truncated: _, sources: _ } => ToolOutcome::Returned {
                        text: WITHHELD.to_owned(),
                        truncated: false,
                        sources: Vec::new(),
                    },
                    ToolOutcome::Failed { kind, detail: _ } => ToolOutcome::failed(*kind, ""),
                };
                Disclosure::WordsWithheld(Box::new(EventBody::ToolReturned {
                    call: *call,
                    turn: *turn,
                    participant: *participant,
                    outcome,
                    latency_ms: *latency_ms,
                }))
            }
            // The beginning of an unreadable answer may be reasoning, a vote, notes or marks.
            EventBody::AnswerMalformed { task, attempt, problem, excerpt } => match excerpt.is_empty() {
                true => Disclosure::Full,
                false => Disclosure::Partial(Box::new(EventBody::AnswerMalformed {
                    task: *task,
                    attempt: *attempt,
                    problem: problem.clone(),
                    excerpt: String::new(),
                })),
            },
            // A departure by the rules reveals a mark in its reason.
            EventBody::TeamProposed { round, by, candidates, departures } => match departures.is_empty() {
                true => Disclosure::Full,
                false => Disclosure::Partial(Box::new(EventBody::TeamProposed {
                    round: *round,
                    by: by.clone(),
                    candidates: candidates.clone(),
                    departures: departures
                        .iter()
                        .map(|Departure { participant, reason: _ }| Departure {
                            participant: *participant,
                            reason: Phrase::default(),
                        })
                        .collect(),
                })),
            },
            EventBody::ParticipantLeft { participant, by, reason, leaves_queue } => match by {
                Actor::System if !reason.is_empty() => {
                    Disclosure::Partial(Box::new(EventBody::ParticipantLeft {
                        participant: *participant,
                        by: by.clone(),
                        reason: Phrase::default(),
                        leaves_queue: *leaves_queue,
                    }))
                }
                Actor::System | Actor::Facilitator | Actor::Participant { .. } | Actor::Person { .. } => {
                    Disclosure::Full
                }
            },
            // Every viewer may see all of these.
            EventBody::MeetingCreated {
                topic: _,
                background: _,
                details: _,
                language: _,
                format: _,
                rules: _,
                seed: _,
                facilitator: _,
                moderator: _,
                models: _,
                by: _,
            }
            | EventBody::MeetingImported { layout: _, from: _, name: _, notes: _, by: _ }
            | EventBody::MeetingForked { from: _, at: _, by: _, title: _, carried: _ }
            | EventBody::ParticipantJoined { participant: _, by: _, reason: _, invitation: _ }
            | EventBody::ParticipantInvited { invitation: _, description: _, by: _ }
            | EventBody::PresenceChanged { participant: _, presence: _, by: _, leaves_queue: _ }
            | EventBody::ParticipantChanged { participant: _, skip_list: _, by: _ }
            | EventBody::PersonJoined { person: _ }
            | EventBody::PersonLeft { person: _, by: _ }
            | EventBody::HostChanged { host: _, by: _ }
            | EventBody::MeetingStarted { by: _, silence_max_ms: _ }
            | EventBody::RulesChanged { rules: _, by: _, silence_max_ms: _ }
            | EventBody::TopicChanged { topic: _, by: _ }
            | EventBody::DetailsChanged { details: _, by: _ }
            | EventBody::AgendaChanged { change: _, by: _ }
            | EventBody::AnnouncementPublished { text: _, by: _ }
            | EventBody::FileAttached { file: _, by: _ }
            | EventBody::FileRemoved { file: _, by: _ }
            | EventBody::ToolsAllowed { tools: _, by: _ }
            | EventBody::ToolReviewed { call: _, decision: _, by: _ }
            | EventBody::AccessChanged { locked: _, by: _ }
            | EventBody::PreparationStarted { round: _ }
            | EventBody::IntakeWritten { round: _, by: _, questions: _ }
            | EventBody::TeamReviewed { round: _, by: _, decision: _ }
            | EventBody::RoundStarted { round: _, kind: _, order: _, focus: _, context_from: _ }
            | EventBody::SpeakerSelected {
                turn: _,
                participant: _,
                reason: _,
                can_skip: _,
                reply_targets: _,
            }
            | EventBody::SpeakerRequested { participant: _, by: _ }
            | EventBody::QueueChanged { queue: _, reason: _ }
            | EventBody::CallStarted { task: _, attempt: _, reserved: _, fallback: _, covers: _ }
            | EventBody::CallRetried {
                task: _,
                attempt: _,
                request: _,
                kind: _,
                detail: _,
                wait_ms: _,
                usage: _,
                cost_micros: _,
            }
            | EventBody::CallEnded {
                task: _,
                attempt: _,
                end: _,
                usage: _,
                cost_micros: _,
                latency_ms: _,
                request_id: _,
                then: _,
                mended: _,
                window: _,
                reach: _,
                counts_as_repetition: _,
                shares_time: _,
                repair_open: _,
            }
            | EventBody::UserMessage {
                message_id: _,
                round: _,
                by: _,
                message: _,
                mentions: _,
                mentioned_people: _,
                reply_to: _,
            }
            | EventBody::TurnSkipped { turn: _, participant: _, reason: _, phrases: _ }
            | EventBody::TurnFailed { turn: _, participant: _, kind: _, detail: _, hint: _ }
            | EventBody::RoundEnded { round: _ }
            | EventBody::SummaryWritten {
                round: _,
                by: _,
                text: _,
                positions: _,
                restored: _,
                open_questions: _,
                disagreements: _,
            }
            | EventBody::Metric {
                round: _,
                open_questions_count: _,
                disagreements_count: _,
                convergence_score: _,
                stable_rounds: _,
            }
            | EventBody::DraftRevised { version: _, text: _, by: _ }
            | EventBody::BallotOpened { ballot: _, round: _, draft_version: _, voters: _ }
            | EventBody::BallotInterrupted { ballot: _, by: _ }
            | EventBody::BallotClosed { ballot: _, verdict: _ }
            | EventBody::FacilitationWritten {
                ballot: _,
                message_id: _,
                message: _,
                disagreements: _,
                proposed_patch: _,
                next_focus: _,
            }
            | EventBody::PauseRequested { by: _, after: _, completed: _ }
            | EventBody::Pause {
                pause_reason: _,
                resume_token: _,
                questions: _,
                suggested_next: _,
                by: _,
                budget: _,
            }
            | EventBody::Resume { by: _, answers: _, defaults: _, then: _ }
            | EventBody::MinutesRequested { version: _, writer: _, note: _, by: _, covers: _ }
            | EventBody::MinutesWritten { version: _, author: _, covers: _, minutes: _ }
            | EventBody::ArtifactRequested { artifact_type: _, version: _, by: _ }
            | EventBody::ArtifactWritten { artifact_type: _, version: _, content: _, author: _, covers: _ }
            | EventBody::Recovered { idle_ms: _ }
            | EventBody::BudgetReached { budget: _, limit: _, spent: _, needed: _ }
            | EventBody::ProviderWaitStarted {
                waiting_for: _,
                kind: _,
                detail: _,
                hint: _,
                tries: _,
                next_try_at: _,
                gives_up_at: _,
            }
            | EventBody::ProviderWaitEnded { reason: _ }
            | EventBody::Error { task: _, kind: _, detail: _, hint: _, then: _ }
            | EventBody::EndRequested { by: _, note: _ }
            | EventBody::MeetingClosing { outcome: _, asked_again: _ }
            | EventBody::ConclusionWritten {
                by: _,
                conclusion: _,
                reasons: _,
                disagreements: _,
                actions: _,
                best: _,
                wildcard: _,
            }
            | EventBody::Finished { outcome: _, rounds: _, usage: _, cost_micros: _ } => Disclosure::Full,
        }
    }
}
