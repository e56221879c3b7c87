//! What must hold of the next events of a meeting. It is looked at before they are appended.
//!
//! Each rule compares an event with the state before it, in a time that does not grow with the meeting. It repeats what the
//! commands see to: a command that forgets it does no harm to the log. The simulator checks more, by records of its own.

use std::fmt;

use quorate_contract::{BallotId, EventBody, ParticipantId, TaskId, TurnId};

use crate::policy::pending::pending;
use crate::state::{BallotState, Meeting, Phase, RunState, TurnState};

/// Something that must always hold of a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Invariant {
    /// Nothing follows the end, and a meeting is created once.
    LifeOnce,
    /// A turn is given once, to a participant of the meeting, and ends once.
    TurnEndsOnce,
    /// A task has one call at a time, and a call has one end.
    CallEndsOnce,
    /// Who may vote in an open ballot does so once.
    VoteOnce,
    /// A ballot is closed once, and counts each of its voters.
    BallotCountsAll,
    /// Messages are numbered without a gap.
    MessagesInOrder,
    /// What was spent and what is reserved fit into the budget when a call begins.
    BudgetHolds,
    /// The bill at the end is what the calls were charged.
    BillAddsUp,
    /// A meeting that runs has a call, a tool or a deadline, or waits for a person.
    NeverStalls,
    /// A prompt begins and ends with the words of a user, and roles take turns.
    PromptShape,
    /// The live state is what the stored events fold to.
    LiveIsFolded,
}

impl Invariant {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::LifeOnce,
        Self::TurnEndsOnce,
        Self::CallEndsOnce,
        Self::VoteOnce,
        Self::BallotCountsAll,
        Self::MessagesInOrder,
        Self::BudgetHolds,
        Self::BillAddsUp,
        Self::NeverStalls,
        Self::PromptShape,
        Self::LiveIsFolded,
    ];

    /// Its name in logs and reports: `turn_ends_once`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LifeOnce => "life_once",
            Self::TurnEndsOnce => "turn_ends_once",
            Self::CallEndsOnce => "call_ends_once",
            Self::VoteOnce => "vote_once",
            Self::BallotCountsAll => "ballot_counts_all",
            Self::MessagesInOrder => "messages_in_order",
            Self::BudgetHolds => "budget_holds",
            Self::BillAddsUp => "bill_adds_up",
            Self::NeverStalls => "never_stalls",
            Self::PromptShape => "prompt_shape",
            Self::LiveIsFolded => "live_is_folded",
        }
    }
}

/// An invariant that the next events would break. They are not appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrokenInvariant {
    /// What does not hold.
    pub invariant: Invariant,
    /// The number that the event would have.
    pub seq: u64,
    /// The type of the event; of the last one, where the state after all of them is wrong.
    pub event: &'static str,
}

impl fmt::Display for BrokenInvariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { invariant, seq, event } = self;
        write!(f, "{}: event {seq} ({event})", invariant.as_str())
    }
}

impl std::error::Error for BrokenInvariant {}

/// Looks at an event before it changes the meeting; the error is what it would break.
pub(crate) fn before(meeting: &Meeting, event: &EventBody) -> Result<(), Invariant> {
    let m = meeting;
    let created = matches!(event, EventBody::MeetingCreated { .. });
    holds(!m.is_over() && created == (m.phase == Phase::Blank), Invariant::LifeOnce)?;
    match event {
        EventBody::SpeakerSelected { turn, participant, .. } => {
            let is_new = m.turn(*turn).is_none() && m.seat(*participant).is_some();
            holds(is_new, Invariant::TurnEndsOnce)
        }
        EventBody::AgentMessage { turn, participant, message_id, .. } => {
            holds(*message_id == m.next_message(), Invariant::MessagesInOrder)?;
            holds(is_open(m, *turn, *participant), Invariant::TurnEndsOnce)
        }
        EventBody::TurnSkipped { turn, participant, .. }
        | EventBody::TurnFailed { turn, participant, .. } => {
            holds(is_open(m, *turn, *participant), Invariant::TurnEndsOnce)
        }
        EventBody::UserMessage { message_id, .. } | EventBody::FacilitationWritten { message_id, .. } => {
            holds(*message_id == m.next_message(), Invariant::MessagesInOrder)
        }
        EventBody::CallStarted { task, .. } => holds(!m.calls.contains_key(task), Invariant::CallEndsOnce),
        EventBody::CallEnded { task, attempt, .. } | EventBody::CallRetried { task, attempt, .. } => {
            holds(is_under_way(m, *task, *attempt), Invariant::CallEndsOnce)
        }
        EventBody::VoteCast { ballot, participant, .. }
        | EventBody::VoteAbstained { ballot, participant, .. } => {
            holds(may_vote(m, *ballot, *participant), Invariant::VoteOnce)
        }
        EventBody::BallotClosed { ballot, verdict } => {
            let open = m.ballot(*ballot).filter(|ballot| ballot.state == BallotState::Open);
            let counted = u64::from(verdict.votes) + u64::from(verdict.abstentions);
            let all = open.is_some_and(|ballot| ballot.voters.len() as u64 == counted);
            holds(all, Invariant::BallotCountsAll)
        }
        EventBody::Finished { usage, .. } => {
            holds(m.calls.is_empty(), Invariant::CallEndsOnce)?;
            holds(*usage == m.spent.usage, Invariant::BillAddsUp)
        }
        _ => Ok(()),
    }
}

/// Looks at the meeting after an event.
pub(crate) fn after(meeting: &Meeting, event: &EventBody) -> Result<(), Invariant> {
    match event {
        EventBody::CallStarted { .. } => holds(is_within_budget(meeting), Invariant::BudgetHolds),
        _ => Ok(()),
    }
}

/// Looks at the meeting after all events of a command.
pub(crate) fn settled(meeting: &Meeting) -> Result<(), Invariant> {
    // Whatever is in flight ends, by its time limit at the latest.
    if !meeting.calls.is_empty() || meeting.held || meeting.run_state != RunState::Running {
        return Ok(());
    }
    let waits = match meeting.phase {
        Phase::Blank | Phase::Draft | Phase::Ended { .. } => true,
        Phase::Preparation
        | Phase::Discussion
        | Phase::Summary
        | Phase::Ballot
        | Phase::Facilitation
        | Phase::Closing { .. } => meeting.open_tool_calls().next().is_some() || !pending(meeting).is_empty(),
    };
    holds(waits, Invariant::NeverStalls)
}

fn is_open(meeting: &Meeting, turn: TurnId, participant: ParticipantId) -> bool {
    let open = meeting.turn(turn).filter(|turn| turn.state == TurnState::Open);
    open.is_some_and(|turn| turn.participant == participant)
}

fn is_under_way(meeting: &Meeting, task: TaskId, attempt: u32) -> bool {
    meeting.calls.get(&task).is_some_and(|call| call.attempt == attempt)
}

fn may_vote(meeting: &Meeting, ballot: BallotId, voter: ParticipantId) -> bool {
    let open = meeting.ballot(ballot).filter(|ballot| ballot.state == BallotState::Open);
    open.is_some_and(|ballot| ballot.voters.contains(&voter) && !ballot.cast.contains_key(&voter))
}

fn is_within_budget(meeting: &Meeting) -> bool {
    let limits = &meeting.rules().limits;
    let reserves = || meeting.calls.values().map(|call| call.reserved);
    let fits = |limit: Option<u64>, spent: u64, held: u64| {
        limit.is_none_or(|limit| spent.saturating_add(held) <= limit)
    };
    let tokens = reserves().map(|reserve| reserve.tokens).fold(0, u64::saturating_add);
    let micros = reserves().map(|reserve| reserve.cost_micros).fold(0, u64::saturating_add);
    fits(limits.tokens, meeting.spent.usage.total(), tokens)
        && fits(limits.cost_micros, meeting.spent.cost_micros, micros)
}

fn holds(is_so: bool, invariant: Invariant) -> Result<(), Invariant> {
    if is_so { Ok(()) } else { Err(invariant) }
}

#[cfg(test)]
mod tests {
    use quorate_contract::{
        Actor, CallEnd, Command, FailureKind, Format, Language, MeetingId, MeetingSpec, Newcomer, Phrase,
        Role, RunId, RunnerSpec, SkipReason, Temperament, Timestamp, Usage,
    };

    use super::*;
    use crate::{Origin, apply, step};

    /// A meeting that has begun, with the first call under way.
    fn begun() -> Meeting {
        let seat = |name: &str| Newcomer {
            name: name.to_owned(),
            role: Role { name: "r".into(), description: "d".into(), system_prompt: String::new() },
            runner: RunnerSpec::Simulated { temperament: Temperament::Balanced },
            skip_list: Vec::new(),
        };
        let spec = MeetingSpec {
            topic: "t".into(),
            background: String::new(),
            details: Default::default(),
            tools: Vec::new(),
            language: Language::En,
            format: Format::Discussion,
            rules: Format::Discussion.rules(),
            seed: 1,
            facilitator: None,
            moderator: None,
            agenda: Vec::new(),
            models: Vec::new(),
            participants: vec![seat("Ada"), seat("Ben")],
        };
        let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("run"));
        let create = Command::Create { by: Actor::owner(), spec: Box::new(spec) };
        for command in [create, Command::Start { by: Actor::owner() }] {
            let events = step(&meeting, &RunId::new("run"), Origin::Fresh, command, Timestamp(1));
            events.expect("it is allowed").iter().for_each(|event| apply(&mut meeting, event));
        }
        meeting
    }

    fn skipped(turn: TurnId, participant: ParticipantId) -> EventBody {
        EventBody::TurnSkipped { turn, participant, reason: SkipReason::Chosen, phrases: Vec::new() }
    }

    fn ended(task: TaskId, attempt: u32) -> EventBody {
        EventBody::CallEnded {
            task,
            attempt,
            end: CallEnd::Cancelled,
            usage: Usage::default(),
            cost_micros: None,
            latency_ms: 1,
            request_id: None,
            then: None,
            mended: Vec::new(),
            window: None,
            reach: None,
            counts_as_repetition: false,
            shares_time: false,
            repair_open: false,
        }
    }

    #[test]
    fn what_follows_by_the_rules_holds() {
        let meeting = begun();
        assert!(!meeting.calls.is_empty());
        let turn = meeting.round().and_then(|round| round.turns.first()).expect("a turn");
        assert_eq!(before(&meeting, &skipped(turn.id, turn.participant)), Ok(()));
        let (task, call) = meeting.calls.first_key_value().expect("a call");
        assert_eq!(before(&meeting, &ended(*task, call.attempt)), Ok(()));
        assert_eq!(settled(&meeting), Ok(()));
    }

    #[test]
    fn what_would_be_wrong_is_named() {
        let meeting = begun();
        let turn = meeting.round().and_then(|round| round.turns.first()).expect("a turn").clone();
        let other = meeting.seats.iter().map(|seat| seat.participant.id).find(|id| *id != turn.participant);
        let breaks = |event: EventBody| before(&meeting, &event).expect_err("it must not happen");
        assert_eq!(breaks(skipped(turn.id, other.expect("two seats"))), Invariant::TurnEndsOnce);
        let fails = |task| EventBody::Error {
            task,
            kind: FailureKind::Network,
            detail: Phrase::default(),
            hint: Phrase::default(),
            then: None,
        };
        assert_eq!(before(&meeting, &fails(TaskId::Conclude)), Ok(()));
        let (task, call) = meeting.calls.first_key_value().expect("a call");
        assert_eq!(breaks(ended(*task, call.attempt + 1)), Invariant::CallEndsOnce);
        assert_eq!(breaks(ended(TaskId::Conclude, 1)), Invariant::CallEndsOnce);
        let abstains = EventBody::VoteAbstained {
            ballot: BallotId(1),
            participant: turn.participant,
            kind: quorate_contract::AbstentionKind::Chosen,
            detail: Phrase::default(),
            failure: None,
            hint: Phrase::default(),
        };
        assert_eq!(breaks(abstains), Invariant::VoteOnce);
    }

    #[test]
    fn a_turn_that_is_over_does_not_end_again() {
        let mut meeting = begun();
        let turn = meeting.round().and_then(|round| round.turns.first()).expect("a turn").clone();
        let skip = skipped(turn.id, turn.participant);
        let (seq, now) = (meeting.seq + 1, meeting.updated_at);
        crate::state::fold(&mut meeting, seq, now, &skip);
        assert_eq!(before(&meeting, &skip), Err(Invariant::TurnEndsOnce));
    }

    #[test]
    fn a_meeting_that_runs_and_waits_for_nothing_has_stalled() {
        let mut meeting = begun();
        meeting.calls.clear();
        if let Some(round) = meeting.rounds.last_mut() {
            std::sync::Arc::make_mut(round).turns.clear();
        }
        assert_eq!(settled(&meeting), Err(Invariant::NeverStalls));
    }

    #[test]
    fn reserves_beyond_the_budget_are_named() {
        let mut meeting = begun();
        let (task, call) =
            meeting.calls.first_key_value().map(|(task, call)| (*task, call.clone())).expect("a call");
        let begins = EventBody::CallStarted {
            task,
            attempt: call.attempt,
            reserved: call.reserved,
            fallback: None,
            covers: None,
        };
        assert_eq!(before(&meeting, &begins), Err(Invariant::CallEndsOnce), "it is under way");
        assert_eq!(after(&meeting, &begins), Ok(()));
        std::sync::Arc::make_mut(&mut meeting.settings).rules.limits.tokens = Some(call.reserved.tokens - 1);
        assert_eq!(after(&meeting, &begins), Err(Invariant::BudgetHolds));
    }
}
