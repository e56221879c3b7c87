//! A meeting as somebody sees it. Its parts have the core's own shape; what is hidden from whoever looks is
//! left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_app::{Damage, MeetingState};
use quorate_contract::{
    Actor, AgendaItem, ArtifactKind, Facilitator, Format, Language, MeetingId, MeetingOutcome, Moderator,
    ParticipantId, PauseReason, Person, Position, Question, RoundKind, Rules, RunId, RunnerSpec, TaskId,
    Timestamp, TurnId,
};
use quorate_core::{
    Announcement, Artifact, Ballot, CallUnderWay, Cast, Conclusion, Draft, EndedBy, Evaluation, ForkOrigin,
    Halt, Meeting, Metric, MinutesVersion, PersonAtTable, Phase, ProviderWait, Round, RunState, Said, Seat,
    Spent, Summary, TurnState,
};
use quorate_views::Visibility;
use serde::Serialize;
use utoipa::ToSchema;

use crate::state::ServerState;

/// A meeting as it stands after its last event.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MeetingView {
    /// The meeting.
    id: MeetingId,
    /// Which execution of it; a fork is another one.
    run_id: RunId,
    /// The last event that is in here; listen from it on.
    last_seq: u64,
    /// The question.
    topic: String,
    /// What it is called: its topic; a fork has a name of its own.
    title: String,
    /// The meeting that it was made of, where it is a fork.
    forked_from: Option<ForkOrigin>,
    /// What one has to know to answer it.
    background: String,
    /// The language that it is held in.
    language: Language,
    /// The preset that its rules began with.
    format: Format,
    /// The rules that hold.
    rules: Rules,
    /// From which random orders are drawn.
    seed: u64,
    /// Whether a participant or the facilitator is simulated: then what they say is made up.
    simulated: bool,
    /// Whether a password is needed to open it.
    locked: bool,
    /// Whether it leaves nothing on the disk: it is gone when it is deleted, or the server stops.
    off_record: bool,
    /// Where its log breaks off, when an event of it is damaged: then it stands here as it stood before that, and
    /// nothing more is written to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<Damage>,
    /// Where it is.
    state: MeetingState,
    /// The phase in which it is, or rests.
    phase: Phase,
    /// How it ended, or will end.
    outcome: Option<MeetingOutcome>,
    /// The person who ended it, when one did, with what they said about it.
    ended_by: Option<EndedBy>,
    /// Why it rests, and what it asks.
    pause: Option<PauseView>,
    /// Why it does not run, when it failed again and again.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultView>,
    /// The provider that the meeting waits for, while none of its models can be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_wait: Option<Arc<ProviderWait>>,
    /// Who requested a pause that begins when the open turns are over.
    pause_requested_by: Option<Actor>,
    /// How far it continues before it pauses, when that was requested.
    halt: Option<Halt>,
    /// The round that runs, or ran last.
    round: Option<Arc<Round>>,
    /// All rounds, the first one first.
    rounds: Vec<RoundMark>,
    /// Who has the floor.
    floor: Vec<FloorView>,
    /// What is being answered at this moment, by task.
    calls: BTreeMap<TaskId, CallUnderWay>,
    /// All participants, also those who have left, in the order of joining.
    participants: Vec<ParticipantView>,
    /// The people at the table, in the order in which they came.
    people: Vec<Arc<PersonAtTable>>,
    /// The person who hosts, unless the moderator is a participant.
    host_person: Option<Person>,
    /// Who leads it.
    moderator: Moderator,
    /// Who sums up and facilitates.
    facilitator: Option<Facilitator>,
    /// What is to be talked about.
    agenda: Vec<Arc<AgendaItem>>,
    /// The announcements, the latest last.
    announcements: Vec<Arc<Announcement>>,
    /// The draft on the table.
    draft: Option<Arc<Draft>>,
    /// The last summary.
    summary: Option<Arc<Summary>>,
    /// Who held what when it was last summed up.
    positions: Vec<Position>,
    /// What was open when it was last summed up.
    open_questions: Vec<String>,
    /// Where the table was divided when it was last summed up.
    disagreements: Vec<String>,
    /// The ballots.
    ballots: Vec<BallotView>,
    /// How far the table has come together, round by round.
    metrics: Vec<Metric>,
    /// The minutes that hold now.
    minutes: Option<Arc<MinutesVersion>>,
    /// The version of the minutes that is being written.
    minutes_requested: Option<u32>,
    /// The last version of each artifact.
    artifacts: Vec<Arc<Artifact>>,
    /// What the meeting yields, once it is there.
    conclusion: Option<Arc<Conclusion>>,
    /// The hidden evaluations; empty for callers who may not see them.
    evaluations: Vec<Arc<Evaluation>>,
    /// What all calls used.
    spent: Spent,
    /// What of it the facilitator's calls used.
    facilitator_spent: Spent,
    /// How much of each budget is used up.
    budget: Budget,
    /// The last messages, the last one last.
    messages: Vec<Arc<Said>>,
    /// How many messages there are.
    messages_total: usize,
    /// When it was created.
    created_at: Timestamp,
    /// When it began.
    started_at: Option<Timestamp>,
    /// When its last event happened.
    updated_at: Timestamp,
    /// The longest time between two events that counts as running time, in milliseconds; 0 before it began.
    silence_max_ms: u64,
}

/// Where a round lies in the log.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoundMark {
    /// 0 is the blind one.
    number: u32,
    /// How its turns run.
    kind: RoundKind,
    /// The event that gave its first turn; `null` while there is none.
    seq: Option<u64>,
    /// The event that ended the round; `null` while it runs.
    ended_seq: Option<u64>,
}

impl RoundMark {
    fn of(round: &Round) -> Self {
        let seq = round.turns.first().map(|turn| turn.seq);
        Self { number: round.number, kind: round.kind, seq, ended_seq: round.ended_seq }
    }
}

/// Why a meeting is quarantined: it failed repeatedly, and runs again when it is resumed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FaultView {
    /// What sort of failure it was: `panicked`, `too_long`, `damaged`, `contended`, `storage`.
    kind: &'static str,
    /// How often it had failed by then.
    failures: u32,
    /// When it stopped running.
    failed_at: Timestamp,
    /// What the failure said; only for callers who may see everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

impl FaultView {
    /// Why a meeting does not run; nothing where it does.
    pub(crate) fn of(server: &ServerState, meeting: &MeetingId, sees_all: bool) -> Option<Self> {
        let fault = server.app().fault(meeting)?;
        let shown = Visibility::of(sees_all).fault_detail();
        let detail = shown.then_some(fault.detail).filter(|detail| !detail.is_empty());
        Some(Self { kind: fault.kind.as_str(), failures: fault.failures, failed_at: fault.since, detail })
    }
}

/// Why a meeting rests.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PauseView {
    /// Why.
    reason: PauseReason,
    /// What it asks of a person.
    questions: Vec<Question>,
    /// What has to be brought along to go on from this pause and no other.
    resume_token: String,
    /// The best way to continue: `resume`, `answer_questions`, `approve_or_reject`, `say_who_speaks`,
    /// `continue_or_end`, `check_providers_then_resume`, `retry_or_let_the_rules_write`, `raise_the_budget_or_end`.
    suggested_next: &'static str,
    /// When the pause began.
    paused_at: Timestamp,
}

/// Who has the floor.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FloorView {
    /// In which turn.
    turn: TurnId,
    /// Who.
    participant: ParticipantId,
    /// The name.
    name: String,
}

/// A participant's place and how it has stood.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ParticipantView {
    /// The participant; `memory` is null for callers who may not see it.
    #[serde(flatten)]
    seat: Seat,
    /// What answers for it, for people: `ollama/qwen3`.
    answers: String,
    /// Whether it is simulated.
    simulated: bool,
}

impl ParticipantView {
    pub(crate) fn of(seat: &Seat, sees_all: bool) -> Self {
        let mut seat = seat.clone();
        seat.memory.take_if(|_| !Visibility::of(sees_all).memory());
        let runner = &seat.participant.runner;
        let simulated = matches!(runner, RunnerSpec::Simulated { .. });
        Self { answers: runner.label(), simulated, seat }
    }

    /// Leaves out what the participant thinks, for those who are to answer without knowing it.
    pub(crate) fn hide_stance(&mut self) {
        (self.seat.first, self.seat.stance) = (None, None);
    }
}

/// A ballot. While it is open, only callers who may see everything see how votes were cast.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct BallotView {
    /// The ballot.
    #[serde(flatten)]
    ballot: Ballot,
    /// How many have done something by now.
    cast_count: usize,
    /// Whether what they did is withheld until it is closed.
    withheld: bool,
}

impl BallotView {
    pub(crate) fn of(ballot: &Ballot, sees_all: bool) -> Self {
        let withheld = !Visibility::of(sees_all).votes(ballot);
        // What a ballot was counted by is told by what-if, ballot by ballot.
        let ballot = Ballot { counted_by: None, ..ballot.clone() };
        let mut this = Self { cast_count: ballot.cast.len(), ballot, withheld };
        if withheld {
            this.ballot.cast.clear();
        }
        this
    }

    /// Whether what they did is withheld.
    pub(crate) fn is_withheld(&self) -> bool {
        self.withheld
    }

    /// What the voter did in it, when it may be seen.
    pub(crate) fn cast(&self) -> &BTreeMap<ParticipantId, Cast> {
        &self.ballot.cast
    }
}

/// How much of each budget is used up.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Budget {
    /// Tokens.
    tokens: Gauge,
    /// Money, in millionths.
    cost_micros: CostGauge,
    /// For how long the meeting ran, in milliseconds, up to the last event: without pauses and interruptions.
    wall_ms: Gauge,
    /// Rounds of discussion.
    rounds: Gauge,
}

/// How much money is used up of what.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CostGauge {
    /// So much; `null` when some of it is not known.
    used: Option<u64>,
    /// Of so much; `null` without a limit.
    limit: Option<u64>,
}

/// How much is used up of what.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Gauge {
    /// So much.
    used: u64,
    /// Of so much; without an end when `null`.
    limit: Option<u64>,
}

impl Budget {
    fn of(m: &Meeting) -> Self {
        let limits = &m.rules().limits;
        let gauge = |used, limit| Gauge { used, limit };
        Self {
            tokens: gauge(m.spent.usage.total(), limits.tokens),
            cost_micros: CostGauge { used: m.spent.known_cost_micros(), limit: limits.cost_micros },
            wall_ms: gauge(m.ran_ms, limits.wall_ms),
            rounds: gauge(m.rounds_held().into(), Some(limits.max_rounds.into())),
        }
    }
}

impl MeetingView {
    /// Whether it failed again and again, which is told by no event.
    pub(crate) fn is_quarantined(&self) -> bool {
        self.fault.is_some()
    }

    /// The meeting with its last `messages` messages.
    pub(crate) fn of(server: &ServerState, m: &Meeting, sees_all: bool, messages: usize) -> Self {
        Self {
            off_record: server.app().is_off_record(&m.id),
            fault: FaultView::of(server, &m.id, sees_all),
            damage: server.app().damage(&m.id),
            ..Self::on_record(m, sees_all, messages)
        }
    }

    /// The same of a meeting that is kept.
    pub(super) fn on_record(m: &Meeting, sees_all: bool, messages: usize) -> Self {
        let charter = &m.charter;
        let outcome = m.outcome().cloned();
        let (pause, pause_requested_by) = match &m.run_state {
            RunState::Running => (None, None),
            RunState::PauseRequested { by } => (None, Some(by.clone())),
            RunState::Paused { reason, token, questions, since, budget: _ } => {
                let (questions, resume_token) = (questions.clone(), token.clone());
                let (reason, suggested_next) = (*reason, reason.suggested_next());
                (Some(PauseView { reason, questions, resume_token, suggested_next, paused_at: *since }), None)
            }
        };
        let summary = m.summaries.last();
        Self {
            id: m.id.clone(),
            run_id: m.run.clone(),
            last_seq: m.seq,
            topic: charter.topic.clone(),
            title: m.title().to_owned(),
            forked_from: m.fork_origin(),
            background: charter.background.clone(),
            language: charter.language,
            format: charter.format,
            rules: charter.rules.clone(),
            seed: charter.seed,
            simulated: m.is_simulated(),
            locked: m.locked,
            off_record: false,
            damage: None,
            state: MeetingState::of(m),
            phase: m.phase.clone(),
            outcome,
            ended_by: m.ended_by.clone(),
            pause,
            fault: None,
            provider_wait: m.provider_wait.clone(),
            pause_requested_by,
            halt: m.halt.clone(),
            round: m.rounds.last().cloned(),
            rounds: m.rounds.iter().map(|round| RoundMark::of(round)).collect(),
            floor: floor(m),
            calls: m.calls.clone(),
            participants: m.seats.iter().map(|seat| ParticipantView::of(seat, sees_all)).collect(),
            people: m.people.clone(),
            host_person: m.host_person.clone(),
            moderator: charter.moderator,
            facilitator: charter.facilitator.clone(),
            agenda: m.agenda.clone(),
            announcements: m.announcements.clone(),
            draft: m.drafts.last().cloned(),
            positions: m.positions().to_vec(),
            open_questions: summary.map(|summary| summary.open_questions.clone()).unwrap_or_default(),
            disagreements: summary.map(|summary| summary.disagreements.clone()).unwrap_or_default(),
            summary: summary.cloned(),
            ballots: m.ballots.iter().map(|ballot| BallotView::of(ballot, sees_all)).collect(),
            metrics: m.metrics.clone(),
            minutes: m.minutes.last().cloned(),
            minutes_requested: m.minutes_requests.keys().next().copied(),
            artifacts: newest(m),
            conclusion: m.conclusion.clone(),
            evaluations: match Visibility::of(sees_all).evaluations() {
                true => m.evaluations.clone(),
                false => Vec::new(),
            },
            spent: m.spent,
            facilitator_spent: m.facilitator_spent,
            budget: Budget::of(m),
            messages: m.said[m.said.len().saturating_sub(messages)..].to_vec(),
            messages_total: m.said.len(),
            created_at: charter.created_at,
            started_at: m.started_at,
            updated_at: m.updated_at,
            silence_max_ms: m.silence_max_ms,
        }
    }
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
pub(crate) fn newest(m: &Meeting) -> Vec<Arc<Artifact>> {
    let last = |kind: ArtifactKind| m.artifacts.iter().rev().find(|artifact| artifact.kind == kind);
    ArtifactKind::ALL.into_iter().filter_map(last).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quorate_contract::{BallotId, Mark, Participant, Presence, PrivateMemory, Role, Temperament, Vote};
    use quorate_core::{BallotState, Changes};

    const SECRETS: [&str; 3] = ["my own note", "why it has this mark", "why it votes like this"];

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
            changes: Changes::default(),
            spent: Spent::default(),
            failure: None,
            joined_after: 0,
        }));
        let mark = Mark { participant: id, score: 3, reason: SECRETS[1].into() };
        m.evaluations.push(Arc::new(Evaluation { round: 1, by: Actor::System, marks: vec![mark] }));
        let vote = Vote { score: 10, pass: false, reason: SECRETS[2].to_owned(), missing: Vec::new() };
        m.ballots.push(Arc::new(Ballot {
            id: BallotId(1),
            round: 1,
            draft_version: 1,
            voters: vec![id],
            cast: BTreeMap::from([(id, Cast::Vote(vote))]),
            state: BallotState::Open,
            closed_seq: None,
            spent: Spent::default(),
            counted_by: None,
        }));
        m
    }

    fn shown(m: &Meeting, sees_all: bool) -> String {
        serde_json::to_string(&MeetingView::on_record(m, sees_all, 50)).expect("plain")
    }

    #[test]
    fn what_is_hidden_is_seen_by_those_who_may() {
        let mut m = meeting();
        for secret in SECRETS {
            assert!(shown(&m, true).contains(secret), "{secret}");
            assert!(!shown(&m, false).contains(secret), "{secret}");
        }
        let view = BallotView::of(&m.ballots[0], false);
        assert!(view.is_withheld() && view.cast_count == 1);
        // When a ballot is over, everybody sees its votes.
        Arc::make_mut(&mut m.ballots[0]).state = BallotState::Interrupted(quorate_contract::MessageId(1));
        assert!(shown(&m, false).contains(SECRETS[2]));
    }

    #[test]
    fn a_redacted_meeting_holds_nothing_that_is_hidden() {
        let mut m = meeting();
        Visibility::Public.redact(&mut m);
        let text = serde_json::to_string(&m).expect("plain");
        assert!(SECRETS.iter().all(|secret| !text.contains(secret)));
    }
}
