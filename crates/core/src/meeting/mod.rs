//! A meeting as it stands: what its log says, folded.
//!
//! Whatever is here can be computed again from the log at any time, on any machine, and comes out
//! the same; [`Meeting::state_hash`] is the proof. Long lists hold their items behind `Arc`, so
//! that a copy to think on costs little.

mod fold;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::event::{
    AbstentionKind, ActionItem, Author, Claim, Disagreement, MeetingOutcome, PauseReason, Position,
    ReplyTarget, Reserve, RoundKind, Stance, TurnReason, Vote,
};
use crate::ids::{BallotId, ClaimId, MeetingId, MessageId, Moment, ParticipantId, RunId, TaskId, TurnId};
use crate::participant::{Facilitator, Participant, RunnerSpec};
use crate::refusal::Refusal;
use crate::rules::{Format, Language, Rules, Verdict};
use crate::task::{FailureKind, Usage};

pub use fold::apply;
pub(crate) use fold::fold;

/// What a meeting was created with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Charter {
    /// The question.
    pub topic: String,
    /// What one has to know to answer it.
    pub background: String,
    /// Its language.
    pub language: Language,
    /// The preset.
    pub format: Format,
    /// The rules.
    pub rules: Rules,
    /// The seed.
    pub seed: u64,
    /// Who sums up and facilitates.
    pub facilitator: Option<Facilitator>,
    /// When.
    pub created_at: Moment,
}

/// Where a meeting is in its life.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// Not created yet.
    Blank,
    /// Created, not started.
    Draft,
    /// Turns are taken.
    Discussion,
    /// The round is over and being summed up.
    Summary,
    /// Votes are cast.
    Ballot,
    /// A ballot failed and the facilitator says why.
    Facilitation,
    /// The conclusion is being written.
    Closing {
        /// How it will end.
        #[serde(flatten)]
        outcome: MeetingOutcome,
    },
    /// Over.
    Ended {
        /// How.
        #[serde(flatten)]
        outcome: MeetingOutcome,
    },
}

/// Whether a meeting runs; this lies across all phases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "rest", rename_all = "snake_case")]
pub enum Rest {
    /// It runs.
    Running,
    /// It will rest when whoever has the floor is done.
    PauseRequested {
        /// Who asked.
        by: String,
    },
    /// It rests.
    Paused {
        /// Why.
        reason: PauseReason,
        /// What has to be brought along to go on.
        token: String,
        /// Since when.
        since: Moment,
    },
}

/// A participant's place and how it has stood.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seat {
    /// Who.
    pub participant: Participant,
    /// Whether it is still at the table.
    pub present: bool,
    /// Where it stood after its first words.
    pub first: Option<Stance>,
    /// Where it stands now.
    pub stance: Option<Stance>,
    /// How often it changed its position, and how often without naming what moved it.
    pub changes: Changes,
    /// What its calls used.
    pub spent: Spent,
}

/// How often a position was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Changes {
    /// Moved by a claim that it names.
    pub evidenced: u32,
    /// Moved by nothing that it names.
    pub unevidenced: u32,
}

/// What calls used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Spent {
    /// Tokens.
    pub usage: Usage,
    /// Money in millionths, as far as prices are known.
    pub cost_micros: u64,
    /// Calls whose price is not known.
    pub unpriced_calls: u32,
    /// Calls.
    pub calls: u32,
}

impl Spent {
    /// The cost, or `None` when some of it is not known.
    pub fn known_cost_micros(&self) -> Option<u64> {
        (self.unpriced_calls == 0).then_some(self.cost_micros)
    }
}

/// Who said something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// A participant.
    Participant(ParticipantId),
    /// A person.
    Person(String),
    /// The facilitator.
    Facilitator,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Said {
    /// Its id.
    pub id: MessageId,
    /// The event that it is.
    pub seq: u64,
    /// In which round.
    pub round: u32,
    /// When.
    pub at: Moment,
    /// By whom.
    pub speaker: Speaker,
    /// The speaker's name.
    pub name: String,
    /// The words.
    pub content: String,
    /// Whom it mentions.
    pub mentions: Vec<ParticipantId>,
    /// The turn that it ended.
    pub turn: Option<TurnId>,
    /// The claims that it raised.
    pub claims: Vec<ClaimId>,
}

/// A claim and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClaimRecord {
    /// The claim.
    pub claim: Claim,
    /// Whose.
    pub owner: ParticipantId,
    /// Raised in which round.
    pub round: u32,
    /// In which message; an objection stands in a vote.
    pub message: Option<MessageId>,
    /// Who has answered it.
    pub answered_by: Vec<ParticipantId>,
    /// How often somebody was asked to answer it.
    pub targeted: u32,
}

/// How a turn stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// Its participant has the floor.
    Open,
    /// It ended with a message.
    Said(MessageId),
    /// It was let go by.
    Skipped,
    /// It brought nothing.
    Failed(FailureKind),
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Its id.
    pub id: TurnId,
    /// The event that gave it; its speaker was asked with what had been said until then.
    pub seq: u64,
    /// Whose.
    pub participant: ParticipantId,
    /// Why.
    pub reason: TurnReason,
    /// Whether it may be let go by.
    pub can_skip: bool,
    /// The points to answer.
    pub targets: Vec<ReplyTarget>,
    /// How it stands.
    pub state: TurnState,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Round {
    /// 0 is the blind one.
    pub number: u32,
    /// How its turns run.
    pub kind: RoundKind,
    /// The order it began with.
    pub order: Vec<ParticipantId>,
    /// What it looks at.
    pub focus: Vec<String>,
    /// Who is still to speak, and why.
    pub queue: Vec<(ParticipantId, TurnReason)>,
    /// The turns that were given.
    pub turns: Vec<Turn>,
    /// How often everybody failed and the turns were offered again.
    pub offered_again: u32,
    /// The event with which everybody had had a chance.
    pub ended_seq: Option<u64>,
}

/// What somebody did in a ballot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cast {
    /// A vote.
    Vote(Vote),
    /// None.
    Abstained(AbstentionKind),
}

/// How a ballot stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BallotState {
    /// Votes are cast.
    Open,
    /// A steering message ended it.
    Interrupted(MessageId),
    /// Counted.
    Closed(Verdict),
}

/// A ballot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ballot {
    /// Its id.
    pub id: BallotId,
    /// After which round.
    pub round: u32,
    /// On which version of the draft.
    pub draft_version: u32,
    /// Who is asked.
    pub voters: Vec<ParticipantId>,
    /// What they did.
    pub cast: BTreeMap<ParticipantId, Cast>,
    /// How it stands.
    pub state: BallotState,
    /// The event that counted it.
    pub closed_seq: Option<u64>,
}

impl Ballot {
    /// The votes that were cast, in the order of the table.
    pub fn votes(&self) -> impl Iterator<Item = (ParticipantId, &Vote)> {
        self.cast.iter().filter_map(|(id, cast)| match cast {
            Cast::Vote(vote) => Some((*id, vote)),
            Cast::Abstained(_) => None,
        })
    }
}

/// A version of the draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Draft {
    /// Counted from 1.
    pub version: u32,
    /// The event that it is.
    pub seq: u64,
    /// The words.
    pub text: String,
    /// Who wrote it.
    pub by: Author,
}

/// A round's summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Which round.
    pub round: u32,
    /// The event that it is.
    pub seq: u64,
    /// The words.
    pub text: String,
    /// Who holds what.
    pub positions: Vec<Position>,
    /// Who wrote it.
    pub by: Author,
}

/// A facilitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Facilitation {
    /// After which ballot.
    pub ballot: BallotId,
    /// 1-3.
    pub disagreements: Vec<String>,
    /// The smallest change.
    pub proposed_patch: String,
    /// 1-2.
    pub next_focus: Vec<String>,
}

/// The conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conclusion {
    /// Who wrote it.
    pub by: Author,
    /// The words.
    pub text: String,
    /// What is left open.
    pub disagreements: Vec<Disagreement>,
    /// What is to be done.
    pub actions: Vec<ActionItem>,
}

/// A call that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallUnderWay {
    /// Counted from 1.
    pub attempt: u32,
    /// What is held back for it.
    pub reserved: Reserve,
    /// Since when.
    pub since: Moment,
}

/// What has to be said again, because it could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// What was wrong.
    pub problem: String,
    /// What came.
    pub excerpt: String,
}

/// A meeting as it stands after the events up to `seq`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Meeting {
    /// Which.
    pub id: MeetingId,
    /// Which execution of it.
    pub run: RunId,
    /// The last event that was folded.
    pub seq: u64,
    /// What it was created with.
    pub charter: Arc<Charter>,
    /// Where it is in its life.
    pub phase: Phase,
    /// Whether it runs.
    pub rest: Rest,
    /// When it started.
    pub started_at: Option<Moment>,
    /// The moment of the last event.
    pub updated_at: Moment,
    /// How long it has rested since the start, in milliseconds.
    pub rested_ms: u64,
    /// Everybody who has had a place, in the order of joining.
    pub seats: Vec<Arc<Seat>>,
    /// All that was said, in the order of the log.
    pub said: Vec<Arc<Said>>,
    /// All that was claimed.
    pub claims: Vec<Arc<ClaimRecord>>,
    /// The rounds.
    pub rounds: Vec<Arc<Round>>,
    /// The ballots.
    pub ballots: Vec<Arc<Ballot>>,
    /// The versions of the draft.
    pub drafts: Vec<Arc<Draft>>,
    /// The summaries.
    pub summaries: Vec<Arc<Summary>>,
    /// The facilitations.
    pub facilitations: Vec<Arc<Facilitation>>,
    /// The conclusion.
    pub conclusion: Option<Arc<Conclusion>>,
    /// What all calls used.
    pub spent: Spent,
    /// What the facilitator's calls used.
    pub facilitator_spent: Spent,
    /// Calls whose answer died with a process.
    pub lost_calls: u32,
    /// Calls that are under way.
    pub calls: BTreeMap<TaskId, CallUnderWay>,
    /// How often each open task was tried.
    pub(crate) tries: BTreeMap<TaskId, u32>,
    /// Tasks whose answer could not be read and is asked for once more.
    pub(crate) repairs: BTreeMap<TaskId, Arc<Repair>>,
    /// Tasks of the facilitator that brought nothing; the rules step in.
    pub(crate) given_up: BTreeSet<TaskId>,
    /// From which message on a speaker reads word for word; what is before lies in summaries.
    pub(crate) window_from: usize,
    /// How many messages there were when the round began: later words of people are its steering.
    pub(crate) round_from: usize,
}

impl Meeting {
    /// A meeting that does not exist yet.
    pub fn blank(id: MeetingId, run: RunId) -> Self {
        let charter = Charter {
            topic: String::new(),
            background: String::new(),
            language: Language::default(),
            format: Format::Consensus,
            rules: Rules::default(),
            seed: 0,
            facilitator: None,
            created_at: Moment::default(),
        };
        Self {
            id,
            run,
            seq: 0,
            charter: Arc::new(charter),
            phase: Phase::Blank,
            rest: Rest::Running,
            started_at: None,
            updated_at: Moment::default(),
            rested_ms: 0,
            seats: Vec::new(),
            said: Vec::new(),
            claims: Vec::new(),
            rounds: Vec::new(),
            ballots: Vec::new(),
            drafts: Vec::new(),
            summaries: Vec::new(),
            facilitations: Vec::new(),
            conclusion: None,
            spent: Spent::default(),
            facilitator_spent: Spent::default(),
            lost_calls: 0,
            calls: BTreeMap::new(),
            tries: BTreeMap::new(),
            repairs: BTreeMap::new(),
            given_up: BTreeSet::new(),
            window_from: 0,
            round_from: 0,
        }
    }

    /// SHA-256 of the whole state, as hexadecimal digits. Two folds of one log give the same.
    pub fn state_hash(&self) -> String {
        let json = serde_json::to_vec(self).expect("a meeting has only text keys");
        Sha256::digest(&json).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The rules that hold.
    pub fn rules(&self) -> &Rules {
        &self.charter.rules
    }

    /// The language it is held in.
    pub fn language(&self) -> Language {
        self.charter.language
    }

    /// How it ended, or will end.
    pub fn outcome(&self) -> Option<&MeetingOutcome> {
        match &self.phase {
            Phase::Closing { outcome } | Phase::Ended { outcome } => Some(outcome),
            Phase::Blank | Phase::Draft | Phase::Discussion | Phase::Summary => None,
            Phase::Ballot | Phase::Facilitation => None,
        }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended { .. })
    }

    /// Whether it rests.
    pub fn is_paused(&self) -> bool {
        matches!(self.rest, Rest::Paused { .. })
    }

    /// Whether anybody at the table, or the facilitator, is simulated.
    pub fn is_simulated(&self) -> bool {
        let simulated = |spec: &RunnerSpec| matches!(spec, RunnerSpec::Simulated { .. });
        self.seats.iter().any(|seat| simulated(&seat.participant.runner))
            || self.charter.facilitator.as_ref().is_some_and(|f| simulated(&f.runner))
    }

    /// A seat by its id.
    pub fn seat(&self, id: ParticipantId) -> Option<&Seat> {
        let place = usize::try_from(id.0.checked_sub(1)?).ok()?;
        self.seats.get(place).map(Arc::as_ref)
    }

    /// A participant's name; its id when nobody has that place.
    pub fn name_of(&self, id: ParticipantId) -> String {
        self.seat(id).map_or_else(|| id.to_string(), |seat| seat.participant.name.clone())
    }

    /// Those at the table, in the order of joining.
    pub fn present(&self) -> impl Iterator<Item = &Seat> + Clone {
        self.seats.iter().map(Arc::as_ref).filter(|seat| seat.present)
    }

    /// Finds somebody at the table by name or id.
    pub fn find(&self, name_or_id: &str) -> Result<&Seat, Refusal> {
        self.present()
            .find(|s| s.participant.name == name_or_id)
            .or_else(|| self.present().find(|s| s.participant.id.to_string() == name_or_id))
            .ok_or_else(|| Refusal::NoSuchParticipant {
                name: name_or_id.to_owned(),
                present: self.present().map(|s| s.participant.name.clone()).collect(),
            })
    }

    /// The round that runs, or ran last.
    pub fn round(&self) -> Option<&Round> {
        self.rounds.last().map(Arc::as_ref)
    }

    /// The number of the round that runs, or ran last; 0 before the first.
    pub fn round_number(&self) -> u32 {
        self.round().map_or(0, |round| round.number)
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

    /// The draft on the table.
    pub fn draft(&self) -> Option<&Draft> {
        self.drafts.last().map(Arc::as_ref)
    }

    /// The positions as they were last summed up.
    pub fn positions(&self) -> &[Position] {
        self.summaries.last().map_or(&[], |summary| &summary.positions)
    }

    /// The last message that called somebody by name and has no answer yet: it has not spoken since
    /// in a turn that was given to it after that message.
    pub(crate) fn unanswered_mention(&self, id: ParticipantId) -> Option<&Said> {
        let spoke = |turn: &&Turn| turn.participant == id && matches!(turn.state, TurnState::Said(_));
        let turns = self.rounds.iter().rev().flat_map(|round| round.turns.iter().rev());
        let asked_seq = turns.filter(spoke).map(|turn| turn.seq).next().unwrap_or(0);
        let since = self.said.iter().rev().take_while(|said| said.seq > asked_seq);
        since.map(Arc::as_ref).find(|said| said.mentions.contains(&id))
    }

    /// Whether a task's answer is being asked for once more, and what was wrong with it.
    pub fn repair(&self, task: TaskId) -> Option<&Repair> {
        self.repairs.get(&task).map(Arc::as_ref)
    }

    /// How many discussion rounds have begun; the blind round does not count.
    pub fn rounds_held(&self) -> u32 {
        let talks = |round: &&Arc<Round>| round.kind != RoundKind::Blind;
        u32::try_from(self.rounds.iter().filter(talks).count()).unwrap_or(u32::MAX)
    }

    /// The moment at which the wall-time budget is used up.
    pub(crate) fn wall_deadline(&self) -> Option<Moment> {
        let wall_ms = self.rules().limits.wall_ms?;
        Some(self.started_at?.plus_ms(wall_ms.saturating_add(self.rested_ms)))
    }

    pub(crate) fn next_message(&self) -> MessageId {
        MessageId(number_after(self.said.len()))
    }

    pub(crate) fn next_claim(&self) -> ClaimId {
        ClaimId(number_after(self.claims.len()))
    }

    /// Names for finding mentions.
    pub(crate) fn names(&self) -> impl Iterator<Item = (ParticipantId, &str)> + Clone {
        self.present().map(|seat| (seat.participant.id, seat.participant.name.as_str()))
    }
}

pub(crate) fn number_after(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1)
}
