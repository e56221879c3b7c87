//! A meeting as somebody sees it. Its parts have the core's own shape; what is hidden from whoever looks is
//! left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_contract::{
    Actor, AgendaItem, AllowedTools, ArtifactKind, Facilitator, Format, Language, MeetingId, MeetingOutcome,
    Moderator, ParticipantId, PauseReason, Person, Question, RoundKind, Rules, RunId, RunnerSpec,
    SuggestedStep, SummaryPosition, TaskId, TimeDisplay, Timestamp, TurnId,
};
use quorate_core::{
    Announcement, Artifact, Ballot, BallotChoice, BallotDraft, CallInProgress, Conclusion, ConvergenceMetric,
    Evaluation, ForkDetails, Meeting, MeetingEndedBy, MeetingMessage, MeetingState, MinutesVersion,
    PersonAtTable, Phase, PlannedPause, Proposal, ProviderWait, Round, RunState, Seat, Spending, Summary,
    TurnState,
};
use serde::Serialize;

use crate::Viewer;

/// A meeting, as it is after its last event.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeetingView {
    /// The meeting.
    id: MeetingId,
    /// The execution of the meeting; a fork starts a new one.
    run_id: RunId,
    /// The sequence number of the last event that the response reflects; follow the events after it.
    last_seq: u64,
    /// The question.
    topic: String,
    /// The title, or the topic when the meeting has none; a fork has one of its own.
    title: String,
    /// The purpose of the meeting; absent when it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    /// The tags that people put on the meeting. They are no part of its log, and absent from live views.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub tags: Vec<String>,
    /// How times of the meeting are displayed, as far as that was chosen.
    #[serde(skip_serializing_if = "TimeDisplay::is_default")]
    display: TimeDisplay,
    /// The origin of a fork; `null` for other meetings.
    forked_from: Option<ForkDetails>,
    /// The background of the question; may be empty.
    background: String,
    /// The language of the meeting.
    language: Language,
    /// The format of the meeting, which set the defaults of its rules.
    format: Format,
    /// The current rules.
    rules: Rules,
    /// The seed of random orders.
    seed: u64,
    /// Whether a participant or the facilitator is simulated; their messages are then generated text.
    simulated: bool,
    /// Whether the meeting has a password.
    locked: bool,
    /// Whether the meeting is off the record: it is not stored on disk, and is lost when it is deleted or the
    /// server stops.
    pub off_record: bool,
    /// Where the log breaks off, if an event is damaged. The response then shows the meeting before that
    /// event, and no more events are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<DamageView>,
    /// The state.
    state: MeetingState,
    /// What the meeting is doing, or was doing when it paused; `null` before the start and after the end.
    step: Option<MeetingStep>,
    /// The outcome; `null` until it is decided.
    outcome: Option<MeetingOutcome>,
    /// The person who ended the meeting and their reason; `null` when no person did.
    ended_by: Option<MeetingEndedBy>,
    /// The pause: its reason and questions; `null` when the meeting is not paused.
    pause: Option<PauseView>,
    /// The reason why the meeting is quarantined; absent when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultView>,
    /// The wait for providers, while no model of the meeting is reachable; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_wait: Option<Arc<ProviderWait>>,
    /// Who requested a pause that starts when the open turns have ended; `null` when none is requested.
    pause_requested_by: Option<Actor>,
    /// How far the meeting continues before it pauses; `null` when no pause is planned.
    planned_pause: Option<PlannedPause>,
    /// The current or the latest round; `null` before the first.
    round: Option<Arc<Round>>,
    /// All rounds, in order.
    rounds: Vec<RoundLogPosition>,
    /// The participant who has the floor.
    floor: Vec<FloorView>,
    /// The calls in progress, by task.
    calls: BTreeMap<TaskId, CallInProgress>,
    /// All participants in the order of joining, including those who have left.
    participants: Vec<ParticipantView>,
    /// The people at the table, in the order in which they joined.
    people: Vec<Arc<PersonAtTable>>,
    /// The person who hosts; `null` when the moderator is a participant.
    host_person: Option<Person>,
    /// The moderator.
    moderator: Moderator,
    /// The facilitator; `null` when there is none.
    facilitator: Option<Facilitator>,
    /// The sources of tools that participants may call.
    tools: Vec<AllowedTools>,
    /// The agenda.
    agenda: Vec<Arc<AgendaItem>>,
    /// The announcements, latest last.
    announcements: Vec<Arc<Announcement>>,
    /// The current draft.
    draft: Option<Arc<BallotDraft>>,
    /// The latest summary; `null` when there is none.
    summary: Option<Arc<Summary>>,
    /// The positions and their holders in the latest summary.
    positions: Vec<SummaryPosition>,
    /// The open questions in the latest summary.
    open_questions: Vec<String>,
    /// The disagreements in the latest summary.
    disagreements: Vec<String>,
    /// The ballots.
    ballots: Vec<BallotView>,
    /// The convergence after each round.
    metrics: Vec<ConvergenceMetric>,
    /// The current minutes; `null` when there are none.
    minutes: Option<Arc<MinutesVersion>>,
    /// The version of the minutes that is being written; `null` when none is.
    minutes_requested: Option<u32>,
    /// The latest version of each artifact.
    artifacts: Vec<Arc<Artifact>>,
    /// The conclusion; `null` until it is written.
    conclusion: Option<Arc<Conclusion>>,
    /// The evaluations; empty for callers who may not see them.
    evaluations: Vec<Arc<Evaluation>>,
    /// The usage of all calls.
    spent: Spending,
    /// The part of `spent` that the facilitator's calls used.
    facilitator_spent: Spending,
    /// How much of each budget is used.
    budget: Budget,
    /// The latest messages, oldest first.
    messages: Vec<MessageView>,
    /// The number of all messages.
    messages_total: usize,
    /// When it was created.
    created_at: Timestamp,
    /// When the meeting started; `null` before the start.
    started_at: Option<Timestamp>,
    /// When the last event happened.
    updated_at: Timestamp,
    /// The longest time between two events that counts as running time, in milliseconds; 0 before the start.
    silence_max_ms: u64,
}

/// What a meeting is doing. A round goes through several steps, which `state` does not tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MeetingStep {
    /// A round is prepared: questions are put to a person, or a team is assembled.
    Preparation,
    /// Turns are taken.
    Discussion,
    /// The round has ended and is being summarized.
    Summary,
    /// Votes are being cast.
    Ballot,
    /// A ballot failed, and the facilitator explains why.
    Facilitation,
    /// The conclusion is being written.
    Closing,
}

impl MeetingStep {
    fn of(phase: &Phase) -> Option<Self> {
        match phase {
            Phase::Blank | Phase::Draft | Phase::Ended { .. } => None,
            Phase::Preparation => Some(Self::Preparation),
            Phase::Discussion => Some(Self::Discussion),
            Phase::Summary => Some(Self::Summary),
            Phase::Ballot => Some(Self::Ballot),
            Phase::Facilitation => Some(Self::Facilitation),
            Phase::Closing { .. } => Some(Self::Closing),
        }
    }
}

/// The position of a round in the log.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RoundLogPosition {
    /// The number of the round; 0 is the blind round.
    number: u32,
    /// How its turns run.
    kind: RoundKind,
    /// The sequence number of the event of the first turn; `null` while there is none.
    seq: Option<u64>,
    /// The sequence number of the event that ended the round; `null` while it runs.
    ended_seq: Option<u64>,
}

impl RoundLogPosition {
    fn of(round: &Round) -> Self {
        let seq = round.turns.first().map(|turn| turn.seq);
        Self { number: round.number, kind: round.kind, seq, ended_seq: round.ended_seq }
    }
}

/// The reason why a meeting is quarantined: it failed repeatedly. It runs again when it is resumed.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FaultView {
    /// The kind of failure: `panicked`, `invariant`, `too_long`, `damaged`, `contended` or `storage`.
    pub kind: &'static str,
    /// The number of failures until then.
    pub failures: u32,
    /// When the meeting stopped running.
    pub failed_at: Timestamp,
    /// The error; only for callers with the scope `manage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The damage of a meeting's log: where it breaks off, and what is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DamageView {
    /// The sequence number of the first unreadable event. All events before it are intact.
    pub event: u64,
    /// What is wrong with the first unreadable event.
    pub detail: String,
    /// The sequence number of the last event of the meeting, as far as it is known; it is missing, too.
    pub last_seq: u64,
}

/// The pause of a meeting.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PauseView {
    /// The reason for the pause.
    reason: PauseReason,
    /// The questions to a person.
    questions: Vec<Question>,
    /// The resume token of this pause: sent with a resume, it ends this pause and no other. It grants no permission.
    resume_token: String,
    /// The suggested next step.
    suggested_next: SuggestedStep,
    /// When the pause began.
    paused_at: Timestamp,
    /// Who is to join and who is to leave, while that waits for approval; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<Proposal>,
}

/// The participant who has the floor.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FloorView {
    /// The id of the turn.
    turn: TurnId,
    /// The id of the participant.
    participant: ParticipantId,
    /// The name.
    name: String,
}

/// A participant and its state in the meeting.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ParticipantView {
    /// The participant; `memory` is `null` for callers who may not see it.
    #[serde(flatten)]
    seat: Seat,
    /// What answers for the participant: `ollama/qwen3`.
    answers: String,
    /// Whether the participant is simulated.
    simulated: bool,
}

impl ParticipantView {
    /// The participant as `viewer` may see it.
    pub fn of(seat: &Seat, viewer: Viewer) -> Self {
        let mut seat = seat.clone();
        seat.memory.take_if(|_| !viewer.memory());
        if !viewer.stance(seat.participant.id) {
            (seat.first, seat.stance) = (None, None);
        }
        let runner = &seat.participant.runner;
        let simulated = matches!(runner, RunnerSpec::Simulated { .. });
        Self { answers: runner.public_label(), simulated, seat }
    }
}

/// Something that was said.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MessageView {
    /// The message.
    #[serde(flatten)]
    said: Arc<MeetingMessage>,
    /// Whether the words are withheld until the blind round is over: `content` is then `…`. Not there otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    withheld: bool,
}

impl MessageView {
    /// The message as `viewer` may see it.
    pub fn of(said: Arc<MeetingMessage>, viewer: Viewer) -> Self {
        Self { withheld: viewer.is_withheld(&said), said }
    }

    /// The same with the facilitator named in a language; the log holds no name for it.
    #[must_use]
    pub fn named(self, language: Language) -> Self {
        Self { said: with_speaker_name(self.said, language), ..self }
    }

    /// These messages as `viewer` may see them.
    pub fn all(said: &[Arc<MeetingMessage>], viewer: Viewer) -> Vec<Self> {
        said.iter().map(|said| Self::of(Arc::clone(said), viewer)).collect()
    }
}

/// A ballot. While it is open, only callers with the scope `manage` see how participants voted.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BallotView {
    /// The ballot.
    #[serde(flatten)]
    ballot: Ballot,
    /// The number of voters who have voted, abstained or failed so far.
    cast_count: usize,
    /// Whether the votes are withheld until the ballot is counted.
    withheld: bool,
}

impl BallotView {
    /// The ballot as `viewer` may see it.
    pub fn of(ballot: &Ballot, viewer: Viewer) -> Self {
        let withheld = !viewer.votes(ballot);
        // What a ballot was counted by is told by what-if, ballot by ballot.
        let ballot = Ballot { counted_by: None, ..ballot.clone() };
        let mut this = Self { cast_count: ballot.cast.len(), ballot, withheld };
        if withheld {
            this.ballot.cast.clear();
        }
        this
    }

    /// Whether what they did is withheld.
    pub fn is_withheld(&self) -> bool {
        self.withheld
    }

    /// What the voter did in it, when it may be seen.
    pub fn cast(&self) -> &BTreeMap<ParticipantId, BallotChoice> {
        &self.ballot.cast
    }
}

/// How much of each budget is used.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Budget {
    /// The number of tokens.
    tokens: BudgetUse,
    /// The cost, in millionths of the currency.
    cost_micros: CostBudgetUse,
    /// The running time in milliseconds, up to the last event, without pauses and interruptions.
    wall_ms: BudgetUse,
    /// The number of discussion rounds.
    rounds: BudgetUse,
}

/// The usage of the cost budget.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CostBudgetUse {
    /// The cost so far; `null` when a price is not known.
    used: Option<u64>,
    /// The limit; `null` for no limit.
    limit: Option<u64>,
}

/// The usage of one budget.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BudgetUse {
    /// The amount that is used.
    used: u64,
    /// The limit; `null` for no limit.
    limit: Option<u64>,
}

impl Budget {
    fn of(m: &Meeting) -> Self {
        let limits = &m.rules().limits;
        let gauge = |used, limit| BudgetUse { used, limit };
        Self {
            tokens: gauge(m.spent.usage.total(), limits.tokens),
            cost_micros: CostBudgetUse { used: m.spent.known_cost_micros(), limit: limits.cost_micros },
            wall_ms: gauge(m.ran_ms, limits.wall_ms),
            rounds: gauge(m.rounds_held().into(), Some(limits.max_rounds.into())),
        }
    }
}

impl MeetingView {
    /// The same with the facilitator named in the language of the meeting where it has spoken.
    #[must_use]
    pub fn named(mut self) -> Self {
        let language = self.language;
        self.messages = self.messages.into_iter().map(|message| message.named(language)).collect();
        self
    }

    /// Whether it failed again and again, which is told by no event.
    pub fn is_quarantined(&self) -> bool {
        self.fault.is_some()
    }

    /// The meeting with its last `messages` messages, as `viewer` may see it. What no event tells is left for the
    /// caller to fill in: whether it is off the record, and what is wrong with its log or its loop.
    pub fn of(m: &Meeting, viewer: Viewer, messages: usize) -> Self {
        let settings = &m.settings;
        let outcome = m.outcome().cloned();
        let (pause, pause_requested_by) = match &m.run_state {
            RunState::Running => (None, None),
            RunState::PauseRequested { by } => (None, Some(by.clone())),
            RunState::Paused { reason, token, questions, since, budget: _ } => {
                let (questions, resume_token) = (questions.clone(), token.clone());
                let (reason, suggested_next) = (*reason, reason.suggested_next());
                let is_proposed = reason == PauseReason::NeedApproval;
                let proposal = m.preparation.as_ref().filter(|_| is_proposed);
                let proposal = proposal.and_then(|preparation| preparation.proposal.clone());
                let proposal = proposal.map(|proposal| viewer.proposal(proposal));
                let paused_at = *since;
                (
                    Some(PauseView { reason, questions, resume_token, suggested_next, paused_at, proposal }),
                    None,
                )
            }
        };
        let summary = m.summaries.last();
        Self {
            id: m.id.clone(),
            run_id: m.run.clone(),
            last_seq: m.seq,
            topic: settings.topic.clone(),
            title: m.title().to_owned(),
            description: settings.details.description.clone(),
            tags: Vec::new(),
            display: settings.details.display.clone(),
            forked_from: m.fork_origin(),
            background: settings.background.clone(),
            language: settings.language,
            format: settings.format,
            rules: settings.rules.clone(),
            seed: settings.seed,
            simulated: m.is_simulated(),
            locked: m.locked,
            off_record: false,
            damage: None,
            state: MeetingState::of(m),
            step: MeetingStep::of(&m.phase),
            outcome,
            ended_by: m.ended_by.clone(),
            pause,
            fault: None,
            provider_wait: m.provider_wait.clone(),
            pause_requested_by,
            planned_pause: m.planned_pause.clone(),
            round: m.rounds.last().cloned(),
            rounds: m.rounds.iter().map(|round| RoundLogPosition::of(round)).collect(),
            floor: floor(m),
            // What agents do and ask for is in the events, where it is withheld from those who may not see it.
            calls: m
                .calls
                .iter()
                .map(|(task, call)| {
                    let call = call.clone();
                    (*task, CallInProgress { permissions: BTreeMap::new(), action_reports: 0, ..call })
                })
                .collect(),
            participants: m.seats.iter().map(|seat| ParticipantView::of(seat, viewer)).collect(),
            people: m.people.clone(),
            host_person: m.host_person.clone(),
            moderator: settings.moderator,
            facilitator: settings.facilitator.clone(),
            tools: m.tools.allowed.clone(),
            agenda: m.agenda.clone(),
            announcements: m.announcements.to_vec(),
            draft: m.drafts.last().cloned(),
            positions: m.positions().to_vec(),
            open_questions: summary.map(|summary| summary.open_questions.clone()).unwrap_or_default(),
            disagreements: summary.map(|summary| summary.disagreements.clone()).unwrap_or_default(),
            summary: summary.cloned(),
            ballots: m.ballots.iter().map(|ballot| BallotView::of(ballot, viewer)).collect(),
            metrics: m.metrics.to_vec(),
            minutes: m.minutes.last().cloned(),
            minutes_requested: m.minutes_requests.keys().next().copied(),
            artifacts: latest_artifacts(m),
            conclusion: m.conclusion.clone(),
            evaluations: match viewer.evaluations() {
                true => m.evaluations.to_vec(),
                false => Vec::new(),
            },
            spent: m.spent,
            facilitator_spent: m.facilitator_spent,
            budget: Budget::of(m),
            messages: MessageView::all(&m.said[m.said.len().saturating_sub(messages)..], viewer),
            messages_total: m.said.len(),
            created_at: settings.created_at,
            started_at: m.started_at,
            updated_at: m.updated_at,
            silence_max_ms: m.silence_max_ms,
        }
    }
}

/// A message with the name of its speaker in a language.
pub fn with_speaker_name(said: Arc<MeetingMessage>, language: Language) -> Arc<MeetingMessage> {
    let name = said.speaker_name(language);
    if *name == *said.name {
        return said;
    }
    let name = name.to_owned();
    Arc::new(MeetingMessage { name, ..MeetingMessage::clone(&said) })
}

fn floor(m: &Meeting) -> Vec<FloorView> {
    let turns = m.round().into_iter().flat_map(|round| &round.turns);
    let open = turns.filter(|turn| turn.state == TurnState::Open);
    open.map(|turn| FloorView {
        turn: turn.id,
        participant: turn.participant,
        name: m.name_of(turn.participant),
    })
    .collect()
}

/// The last version of each artifact, in the order of their kinds.
pub fn latest_artifacts(m: &Meeting) -> Vec<Arc<Artifact>> {
    let last = |kind: ArtifactKind| m.artifacts.iter().rev().find(|artifact| artifact.kind == kind);
    ArtifactKind::ALL.into_iter().filter_map(last).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Moment, Visibility};
    use quorate_contract::{
        BallotId, Departure, EvaluationMark, Participant, Presence, PrivateMemory, Role, Temperament, Vote,
    };
    use quorate_core::{BallotState, PositionChanges, Preparation};

    const SECRETS: [&str; 4] =
        ["my own note", "why it has this mark", "why it votes like this", "why it is to leave"];

    /// A meeting that has everything in it that is hidden from some.
    fn meeting() -> Meeting {
        let mut m = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
        let id = ParticipantId(1);
        let memory = PrivateMemory { risks: vec![SECRETS[0].to_owned()], ..PrivateMemory::default() };
        let role = Role { name: "r".into(), description: "d".into(), system_prompt: String::new() };
        let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
        m.seats.push(Arc::new(Seat {
            participant: Participant { id, name: "Ada".into(), role, runner, skip_list: Vec::new() },
            present: true,
            presence: Presence::Online,
            memory: Some(memory),
            changed_in: None,
            first: None,
            stance: None,
            changes: PositionChanges::default(),
            spent: Spending::default(),
            failure: None,
            joined_after: 0,
        }));
        let mark = EvaluationMark { participant: id, score: 3, reason: SECRETS[1].into() };
        m.evaluations.push(Arc::new(Evaluation { round: 1, by: Actor::System, marks: vec![mark] }));
        // A person is asked whether a participant with a low mark is to leave.
        let departures = vec![Departure { participant: id, reason: SECRETS[3].into() }];
        m.preparation = Some(Arc::new(Preparation {
            round: 2,
            questions: None,
            asked: true,
            proposal: Some(Proposal { departures, ..Proposal::default() }),
            approved: None,
            note: String::new(),
        }));
        m.run_state = RunState::Paused {
            reason: PauseReason::NeedApproval,
            token: "token".to_owned(),
            questions: Vec::new(),
            since: Timestamp(1),
            budget: None,
        };
        let vote = Vote { score: 10, pass: false, reason: SECRETS[2].to_owned(), missing: Vec::new() };
        m.ballots.push(Arc::new(Ballot {
            id: BallotId(1),
            round: 1,
            draft_version: 1,
            voters: vec![id],
            cast: BTreeMap::from([(id, BallotChoice::Vote(vote))]),
            state: BallotState::Open,
            closed_seq: None,
            spent: Spending::default(),
            counted_by: None,
        }));
        m
    }

    fn shown(m: &Meeting, sees_all: bool) -> String {
        let viewer = Viewer::of(m, Visibility::of(sees_all), None);
        serde_json::to_string(&MeetingView::of(m, viewer, 50)).expect("plain")
    }

    #[test]
    fn what_is_hidden_is_seen_by_those_who_may() {
        let mut m = meeting();
        for secret in SECRETS {
            assert!(shown(&m, true).contains(secret), "{secret}");
            assert!(!shown(&m, false).contains(secret), "{secret}");
        }
        let view = BallotView::of(&m.ballots[0], Viewer::public(Moment::of(&m)));
        assert!(view.is_withheld() && view.cast_count == 1);
        // When a ballot is over, everybody sees its votes.
        Arc::make_mut(&mut m.ballots[0]).state = BallotState::Interrupted(quorate_contract::MessageId(1));
        assert!(shown(&m, false).contains(SECRETS[2]));
    }

    #[test]
    fn the_facilitator_is_named_in_the_language_of_the_meeting() {
        let mut m = meeting();
        let said = |speaker, name: &str| MeetingMessage {
            id: quorate_contract::MessageId(1),
            seq: 9,
            round: 1,
            at: Timestamp(1),
            speaker,
            name: name.to_owned(),
            content: "Two questions are open.".to_owned(),
            cut_from_chars: None,
            ended_early: None,
            mentions: Vec::new(),
            mentioned_people: Vec::new(),
            turn: None,
            claims: Vec::new(),
            citations: Vec::new(),
            evidence: Vec::new(),
            reply_to: None,
        };
        m.said.push(Arc::new(said(Actor::Facilitator, "")));
        m.said.push(Arc::new(said(Actor::participant(ParticipantId(1)), "Ada")));
        let view = MeetingView::of(&m, Viewer::everything(), 5).named();
        let names: Vec<&str> = view.messages.iter().map(|message| message.said.name.as_str()).collect();
        assert_eq!(names, [quorate_contract::facilitator_name(m.language()), "Ada"]);
    }

    #[test]
    fn a_redacted_meeting_holds_nothing_that_is_hidden() {
        let mut m = meeting();
        Viewer::public(Moment::of(&m)).redact(&mut m);
        let text = serde_json::to_string(&m).expect("plain");
        assert!(SECRETS.iter().all(|secret| !text.contains(secret)));
    }
}
