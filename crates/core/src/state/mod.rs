//! The state of a meeting, folded from its log.
//!
//! The state can be computed again from the log at any time, on any machine, with the same result;
//! [`Meeting::state_hash`] is the proof. Copies share what long lists hold, so that the copy of a transaction
//! costs little.

mod actor;
mod ballot;
mod call;
pub(crate) mod closing;
mod fold;
mod forked;
mod list;
mod meeting_state;
mod model_spent;
mod people;
mod record;
mod round;
mod running_time;
mod seat;
mod settings;
mod snapshot;
pub(crate) mod tasks;
mod time;
mod tools;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quorate_contract::{
    Actor, AgendaItem, ArtifactKind, ArtifactVersion, BallotId, BudgetKind, ClaimId, ClaimKind, FileId,
    Format, Language, MeetingDetails, MeetingId, MeetingOutcome, MessageId, Moderator, ParticipantId, Person,
    Presence, ROUNDS_MAX, Refusal, RoundKind, Rules, RunId, RunnerSpec, SummaryPosition, TaskId,
    TimeZoneName, Timestamp, TurnId, Verdict, is_same,
};
use serde::{Deserialize, Serialize};

pub(crate) use actor::actor_of;
pub use ballot::*;
pub use call::*;
pub use fold::apply;
pub(crate) use fold::fold;
pub use forked::{ForkDetails, Forked};
pub use list::List;
pub use meeting_state::MeetingState;
pub use model_spent::ModelSpent;
pub(crate) use people::AtTable;
pub use record::*;
pub use round::*;
pub use seat::*;
pub use settings::*;
pub use snapshot::STATE_FORMAT;
pub use tools::*;

/// The state of a meeting after the events up to `seq`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Meeting {
    /// The id.
    pub id: MeetingId,
    /// Which execution of it.
    pub run: RunId,
    /// The last event that was folded.
    pub seq: u64,
    /// What the meeting was created with.
    pub settings: Arc<MeetingSettings>,
    /// The phase.
    pub phase: Phase,
    /// Whether it is running, paused, or about to pause.
    pub run_state: RunState,
    /// How far it runs before it pauses, when an actor said so. Absent in older states, so not in their hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_pause: Option<PlannedPause>,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// The moment of the last event.
    pub updated_at: Timestamp,
    /// The time it was paused since the start, in milliseconds.
    pub paused_ms: u64,
    /// The time it has run, in milliseconds: neither paused nor interrupted.
    pub ran_ms: u64,
    /// The longest time between two events that counts as running time, in milliseconds; 0 before the start.
    pub silence_max_ms: u64,
    /// The meeting that this one was made of. Not there in other meetings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked: Option<Arc<Forked>>,
    /// Whether it is a fork that makes no call until it is resumed or gets a request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) held: bool,
    /// All participants, past and present, in the order of joining.
    pub seats: Vec<Arc<Seat>>,
    /// The people at the table, in the order in which they joined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<Arc<PersonAtTable>>,
    /// The person who hosts, unless a participant does; first of all whoever made, forked or imported the meeting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_person: Option<Person>,
    /// All that was said, in the order of the log.
    pub said: List<Arc<MeetingMessage>>,
    /// All that was claimed.
    pub claims: List<Arc<ClaimRecord>>,
    /// The changes of position, in the order of the log.
    pub shifts: List<Arc<Shift>>,
    /// The rounds.
    pub rounds: List<Arc<Round>>,
    /// The ballots.
    pub ballots: List<Arc<Ballot>>,
    /// The versions of the draft.
    pub drafts: List<Arc<BallotDraft>>,
    /// The summaries.
    pub summaries: List<Arc<Summary>>,
    /// The facilitations.
    pub facilitations: List<Arc<Facilitation>>,
    /// The person who ended it, when one did.
    pub ended_by: Option<MeetingEndedBy>,
    /// The conclusion.
    pub conclusion: Option<Arc<Conclusion>>,
    /// The preparation of the next round, or of the present one.
    pub preparation: Option<Arc<Preparation>>,
    /// The answers of people to the meeting's questions.
    pub answers: List<Arc<Answers>>,
    /// The agenda, in its order.
    pub agenda: Vec<Arc<AgendaItem>>,
    /// The number of items that the agenda has ever had.
    pub(crate) agenda_count: usize,
    /// The announcements, the last one last.
    pub announcements: List<Arc<Announcement>>,
    /// The attached files, in the order of the log.
    pub files: List<Arc<FileRecord>>,
    /// The number of files that the meeting has ever had.
    pub(crate) file_count: usize,
    /// The tools that it allows, and their calls. Absent in meetings without any, so not in their hash.
    #[serde(default, skip_serializing_if = "is_unused")]
    pub tools: Arc<MeetingTools>,
    /// Whether a password is needed to open the meeting.
    pub locked: bool,
    /// The versions of the minutes.
    pub minutes: List<Arc<MinutesVersion>>,
    /// The versions of minutes that were asked for and are not written yet.
    pub minutes_requests: BTreeMap<u32, MinutesRequest>,
    /// The versions of all artifacts, in the order of the log.
    pub artifacts: List<Arc<Artifact>>,
    /// The artifacts that were asked for before the end and are not written yet.
    pub artifact_requests: BTreeSet<(ArtifactKind, ArtifactVersion)>,
    /// The number of readable messages when an artifact was last requested.
    pub(crate) artifact_covers: BTreeMap<TaskId, usize>,
    /// Marks; no participant ever reads them.
    pub evaluations: List<Arc<Evaluation>>,
    /// The convergence after each round.
    pub metrics: List<ConvergenceMetric>,
    /// The invitations by a sentence.
    pub invitations: List<Arc<Invitation>>,
    /// The usage of all calls.
    pub spent: Spending,
    /// The usage of the facilitator's calls.
    pub facilitator_spent: Spending,
    /// The usage of each model, for each participant, in the order in which they were first asked.
    pub models: Vec<ModelSpent>,
    /// The usage of all calls at the end of the discussion; the conclusion comes after.
    pub spent_at_closing: Option<Spending>,
    /// Calls whose answer died with a process.
    pub lost_calls: u32,
    /// Calls in flight.
    pub calls: BTreeMap<TaskId, CallInProgress>,
    /// The number of attempts at each open task.
    pub(crate) tries: BTreeMap<TaskId, u32>,
    /// The actions of the failure policy for open tasks. Absent in older states, so not in their hash.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) failure_actions: BTreeMap<TaskId, FailureActions>,
    /// The context windows that prompts did not fit, by the models' labels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) windows: BTreeMap<String, Window>,
    /// Whom the last calls could not reach: providers, or models of theirs. Not there in older states, so not in
    /// their hash; nor are the two that follow.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) unreachable: BTreeSet<String>,
    /// The wait for providers, while none that could go on is reachable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_wait: Option<Arc<ProviderWait>>,
    /// Whether the wait was given up, and no call has been answered since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) waited_in_vain: bool,
    /// Tasks whose answer could not be read and is asked for once more.
    pub(crate) repairs: BTreeMap<TaskId, Arc<Repair>>,
    /// Given-up tasks with their failures; the rules step in.
    pub(crate) given_up: BTreeMap<TaskId, TaskFailure>,
    /// Artifacts and minutes that a person lets the rules write.
    pub(crate) by_rules: BTreeSet<TaskId>,
    /// The budget that was reached last: what a pause is about in logs before version 4.
    pub(crate) reached: Option<BudgetKind>,
    /// The round in which a person last sent a message or resumed the meeting.
    pub(crate) heard_in: u32,
    /// The first message that a speaker reads word for word; earlier ones are in summaries.
    pub(crate) window_from: usize,
    /// The number of messages when the round began: later messages of people steer it.
    pub(crate) round_from: usize,
}

fn is_unused(tools: &Arc<MeetingTools>) -> bool {
    tools.is_unused()
}

impl Meeting {
    /// A meeting that does not exist yet.
    pub fn blank(id: MeetingId, run: RunId) -> Self {
        let settings = MeetingSettings {
            topic: String::new(),
            background: String::new(),
            details: MeetingDetails::default(),
            language: Language::default(),
            format: Format::Consensus,
            rules: Rules::default(),
            seed: 0,
            facilitator: None,
            moderator: Moderator::User,
            models: Vec::new(),
            created_at: Timestamp::default(),
        };
        Self {
            id,
            run,
            seq: 0,
            settings: Arc::new(settings),
            phase: Phase::Blank,
            run_state: RunState::Running,
            planned_pause: None,
            started_at: None,
            updated_at: Timestamp::default(),
            paused_ms: 0,
            ran_ms: 0,
            silence_max_ms: 0,
            forked: None,
            held: false,
            seats: Vec::new(),
            people: Vec::new(),
            host_person: None,
            said: List::default(),
            claims: List::default(),
            shifts: List::default(),
            rounds: List::default(),
            ballots: List::default(),
            drafts: List::default(),
            summaries: List::default(),
            facilitations: List::default(),
            ended_by: None,
            conclusion: None,
            preparation: None,
            answers: List::default(),
            agenda: Vec::new(),
            agenda_count: 0,
            files: List::default(),
            file_count: 0,
            announcements: List::default(),
            tools: Arc::default(),
            locked: false,
            minutes: List::default(),
            minutes_requests: BTreeMap::new(),
            artifacts: List::default(),
            artifact_requests: BTreeSet::new(),
            artifact_covers: BTreeMap::new(),
            evaluations: List::default(),
            metrics: List::default(),
            invitations: List::default(),
            spent: Spending::default(),
            facilitator_spent: Spending::default(),
            models: Vec::new(),
            spent_at_closing: None,
            lost_calls: 0,
            calls: BTreeMap::new(),
            tries: BTreeMap::new(),
            failure_actions: BTreeMap::new(),
            windows: BTreeMap::new(),
            unreachable: BTreeSet::new(),
            provider_wait: None,
            waited_in_vain: false,
            repairs: BTreeMap::new(),
            given_up: BTreeMap::new(),
            by_rules: BTreeSet::new(),
            reached: None,
            heard_in: 0,
            window_from: 0,
            round_from: 0,
        }
    }

    /// The current rules.
    pub fn rules(&self) -> &Rules {
        &self.settings.rules
    }

    /// The language it is held in.
    pub fn language(&self) -> Language {
        self.settings.language
    }

    /// The meeting as it is told to a reader of this language: what the rules and the program say of it is in that
    /// language, and what was said and written stays as it was. It is to be read, and no command is to be decided on it.
    #[must_use]
    pub fn told_in(mut self, language: Language) -> Self {
        Arc::make_mut(&mut self.settings).language = language;
        self
    }

    /// The meeting with its times told in this zone, whatever it chose. It is to be read, as above.
    #[must_use]
    pub fn with_times_in(mut self, zone: TimeZoneName) -> Self {
        Arc::make_mut(&mut self.settings).details.display.time_zone = Some(zone);
        self
    }

    /// The meeting with the title that was given to it after its end. It is to be read, as above.
    #[must_use]
    pub fn called(mut self, title: String) -> Self {
        Arc::make_mut(&mut self.settings).details.title = title;
        self
    }

    /// The outcome, or the one it is closing with.
    pub fn outcome(&self) -> Option<&MeetingOutcome> {
        match &self.phase {
            Phase::Closing { outcome } | Phase::Ended { outcome } => Some(outcome),
            Phase::Blank | Phase::Draft | Phase::Preparation | Phase::Discussion | Phase::Summary => None,
            Phase::Ballot | Phase::Facilitation => None,
        }
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended { .. })
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        matches!(self.run_state, RunState::Paused { .. })
    }

    /// Whether any participant, or the facilitator, is simulated.
    pub fn is_simulated(&self) -> bool {
        let simulated = |spec: &RunnerSpec| matches!(spec, RunnerSpec::Simulated { .. });
        self.seats.iter().any(|seat| simulated(&seat.participant.runner))
            || self.settings.facilitator.as_ref().is_some_and(|f| simulated(&f.runner))
    }

    /// A seat by its id.
    pub fn seat(&self, id: ParticipantId) -> Option<&Seat> {
        let place = usize::try_from(id.0.checked_sub(1)?).ok()?;
        self.seats.get(place).map(Arc::as_ref)
    }

    /// A participant's name; its id when it does not exist.
    pub fn name_of(&self, id: ParticipantId) -> String {
        self.seat(id).map_or_else(|| id.to_string(), |seat| seat.participant.name.clone())
    }

    /// The present participants, in the order of joining.
    pub fn present(&self) -> impl Iterator<Item = &Seat> + Clone {
        self.seats.iter().map(Arc::as_ref).filter(|seat| seat.present)
    }

    /// The present participants that can be asked, in the order of joining.
    pub fn online(&self) -> impl Iterator<Item = &Seat> + Clone {
        self.present().filter(|seat| seat.presence == Presence::Online)
    }

    /// The participant that leads the meeting, when it is one that can be asked.
    pub fn host(&self) -> Option<ParticipantId> {
        match self.settings.moderator {
            Moderator::User => None,
            Moderator::Agent { id } => self.online().find(|s| s.participant.id == id).map(|_| id),
        }
    }

    /// The current minutes.
    pub fn current_minutes(&self) -> Option<&MinutesVersion> {
        self.minutes.last().map(Arc::as_ref)
    }

    /// The number of the next version of the minutes: versions are numbered as they are written.
    pub(crate) fn next_minutes(&self) -> u32 {
        let asked = self.minutes_requests.keys().next_back().copied();
        asked.unwrap_or_else(|| self.current_minutes().map_or(1, |minutes| minutes.version.saturating_add(1)))
    }

    /// The last version of an artifact.
    pub fn artifact(&self, kind: ArtifactKind) -> Option<&Artifact> {
        self.artifacts.iter().rev().find(|artifact| artifact.kind == kind).map(Arc::as_ref)
    }

    /// The ideas, in the order in which they were raised.
    pub fn ideas(&self) -> impl Iterator<Item = &ClaimRecord> {
        self.claims.iter().map(Arc::as_ref).filter(|record| record.claim.kind == ClaimKind::Idea)
    }

    /// The number of messages that all participants can read: those of a running blind or parallel round are
    /// not among them.
    pub(crate) fn visible_messages(&self) -> usize {
        let runs = |round: &&Round| self.phase == Phase::Discussion && round.ended_seq.is_none();
        match self.round().filter(|round| round.kind != RoundKind::Serial).filter(runs) {
            Some(round) => {
                let before =
                    |said: &Arc<MeetingMessage>| said.turn.is_none_or(|turn| turn.round != round.number);
                self.said.iter().position(|said| !before(said)).unwrap_or(self.said.len())
            }
            None => self.said.len(),
        }
    }

    /// The last of the first `count` messages.
    pub(crate) fn last_of(&self, count: usize) -> Option<MessageId> {
        self.said.get(..count.min(self.said.len()))?.last().map(|said| said.id)
    }

    /// Finds a present participant by name or id.
    pub fn find(&self, name_or_id: &str) -> Result<&Seat, Refusal> {
        self.present()
            .find(|s| s.participant.name == name_or_id)
            .or_else(|| self.present().find(|s| s.participant.id.to_string() == name_or_id))
            .or_else(|| self.present().find(|s| is_same(&s.participant.name, name_or_id)))
            .ok_or_else(|| Refusal::NoSuchParticipant {
                name: name_or_id.to_owned(),
                present: self.present().map(|s| s.participant.name.clone()).collect(),
            })
    }

    /// The current or the latest round; `null` before the first.
    pub fn round(&self) -> Option<&Round> {
        self.rounds.last().map(Arc::as_ref)
    }

    /// The number of the round that runs, or ran last; 0 before the first.
    pub fn round_number(&self) -> u32 {
        self.round().map_or(0, |round| round.number)
    }

    /// Whether no round follows this one. Where nothing is voted on, the largest limit of rounds is none.
    pub fn is_last_round(&self, number: u32) -> bool {
        let rules = self.rules();
        let is_limited = rules.decision.ballots || rules.limits.max_rounds < ROUNDS_MAX;
        is_limited && number >= rules.limits.max_rounds
    }

    /// The blind round while it runs: until it is over, nobody at the table sees the answers of the others.
    pub fn open_blind_round(&self) -> Option<&Round> {
        let is_open = |round: &&Round| round.kind == RoundKind::Blind && round.ended_seq.is_none();
        self.round().filter(is_open).filter(|_| !self.is_over())
    }

    /// A turn by its id.
    pub fn turn(&self, id: TurnId) -> Option<&Turn> {
        let round = self.rounds.iter().rev().find(|round| round.number == id.round)?;
        round.turns.iter().find(|turn| turn.id == id)
    }

    /// A claim by its id.
    pub fn claim(&self, id: ClaimId) -> Option<&ClaimRecord> {
        let place = usize::try_from(id.0.checked_sub(1)?).ok()?;
        self.claims.get(place).map(Arc::as_ref)
    }

    /// An attached file by its id.
    pub fn file(&self, id: FileId) -> Option<&FileRecord> {
        self.files.iter().find(|record| record.file.id == id).map(Arc::as_ref)
    }

    /// A ballot by its id.
    pub fn ballot(&self, id: BallotId) -> Option<&Ballot> {
        let place = usize::try_from(id.0.checked_sub(1)?).ok()?;
        self.ballots.get(place).map(Arc::as_ref)
    }

    /// The last ballot that was counted.
    pub fn last_counted_ballot(&self) -> Option<(&Ballot, &Verdict)> {
        self.ballots.iter().rev().find_map(|ballot| match &ballot.state {
            BallotState::Closed(verdict) => Some((ballot.as_ref(), verdict)),
            BallotState::Open | BallotState::Interrupted(_) => None,
        })
    }

    /// The present draft.
    pub fn draft(&self) -> Option<&BallotDraft> {
        self.drafts.last().map(Arc::as_ref)
    }

    /// The draft that was accepted, once a ballot has passed.
    pub fn accepted_draft(&self) -> Option<&BallotDraft> {
        let Some(MeetingOutcome::Accepted { ballot }) = self.outcome() else { return None };
        let version = self.ballot(*ballot)?.draft_version;
        self.drafts.iter().rev().find(|draft| draft.version == version).map(Arc::as_ref)
    }

    /// The positions as they were last summed up.
    pub fn positions(&self) -> &[SummaryPosition] {
        self.summaries.last().map_or(&[], |summary| &summary.positions)
    }

    /// The last unanswered message that mentions a participant: it has not spoken since in a turn that was
    /// given to it after that message.
    pub(crate) fn unanswered_mention(&self, id: ParticipantId) -> Option<&MeetingMessage> {
        let spoke = |turn: &&Turn| turn.participant == id && matches!(turn.state, TurnState::Said(_));
        let turns = self.rounds.iter().rev().flat_map(|round| round.turns.iter().rev());
        let asked_seq = turns.filter(spoke).map(|turn| turn.seq).next().unwrap_or(0);
        let since = self.said.iter().rev().take_while(|said| said.seq > asked_seq);
        since.map(Arc::as_ref).find(|said| said.mentions.contains(&id))
    }

    /// How many messages a participant knew when it last spoke; `None` before its first word. What was said while it had
    /// the floor it did not know.
    pub(crate) fn own_word_until(&self, id: ParticipantId) -> Option<usize> {
        // What it said outside of a turn, it may have said without reading the rest.
        let own =
            |said: &&Arc<MeetingMessage>| said.turn.is_some() && said.speaker == Actor::Participant { id };
        let last = self.said.iter().rev().find(own);
        let asked = last.and_then(|said| self.turn(said.turn?)).map(|turn| turn.seq)?;
        Some(self.said.partition_point(|said| said.seq <= asked))
    }

    /// When a message becomes visible to a participant or the facilitator: the event that shows it, and its place among
    /// the messages of that event; `None` while it is not.
    pub(crate) fn visible_at(
        &self,
        said: &MeetingMessage,
        reader: Option<ParticipantId>,
    ) -> Option<(u64, u32)> {
        let Some(turn) = said.turn else { return Some((said.seq, 0)) };
        // Rounds are numbered as they follow each other.
        let round = self.rounds.binary_search_by_key(&turn.round, |round| round.number).ok();
        let round = self.rounds.get(round?)?;
        match round.kind {
            RoundKind::Serial => Some((said.seq, 0)),
            RoundKind::Blind | RoundKind::Parallel => match round.ended_seq {
                Some(seq) => Some((seq, turn.place)),
                // A reader knows its own messages; in this round it has some only when it is asked again.
                None => {
                    (Some(&said.speaker) == reader.map(Actor::participant).as_ref()).then_some((said.seq, 0))
                }
            },
        }
    }

    /// The repair of a task's answer that is under way, with what was wrong.
    pub fn repair(&self, task: TaskId) -> Option<&Repair> {
        self.repairs.get(&task).map(Arc::as_ref)
    }

    /// Remembers the context window of the model that answers this task.
    pub(crate) fn remember_window(&mut self, task: TaskId, tokens: u64, per_mille: u64) {
        if let Some(label) = tasks::runner(self, task).map(RunnerSpec::label) {
            self.windows.insert(label, Window { tokens, per_mille });
        }
    }

    /// The number of discussion rounds that have begun; the blind round does not count.
    pub fn rounds_held(&self) -> u32 {
        let talks = |round: &&Arc<Round>| round.kind != RoundKind::Blind;
        u32::try_from(self.rounds.iter().filter(talks).count()).unwrap_or(u32::MAX)
    }

    /// The id of the next message.
    pub fn next_message(&self) -> MessageId {
        MessageId(number_after(self.said.len()))
    }

    pub(crate) fn next_claim(&self) -> ClaimId {
        ClaimId(number_after(self.claims.len()))
    }
}

/// The next number after a count: everything is counted from 1.
pub fn number_after(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1)
}
