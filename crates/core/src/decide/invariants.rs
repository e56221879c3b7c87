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
        AbstentionKind, Actor, CallEnd, FailureKind, MeetingOutcome, Message, MessageId, MessageRole, Phrase,
        SkipReason, TurnReason, Usage, Verdict,
    };

    use super::*;
    use crate::decide::transaction::Transaction;
    use crate::tests::{settings, simulated, started};

    /// A meeting that has begun, with the first call under way.
    fn begun() -> Meeting {
        started(simulated()).0
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
        let other = ParticipantId(turn.participant.0 + 1);
        let breaks = |event: EventBody| before(&meeting, &event).expect_err("it must not happen");
        assert_eq!(breaks(skipped(turn.id, other)), Invariant::TurnEndsOnce);
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
            kind: AbstentionKind::Chosen,
            detail: Phrase::default(),
            failure: None,
            hint: Phrase::default(),
        };
        assert_eq!(breaks(abstains), Invariant::VoteOnce);
    }

    #[test]
    fn nothing_follows_the_end_and_the_bill_is_what_was_spent() {
        let mut meeting = begun();
        let outcome = MeetingOutcome::Completed;
        let ends =
            |usage| EventBody::Finished { outcome: outcome.clone(), rounds: 1, usage, cost_micros: None };
        assert_eq!(
            before(&meeting, &ends(meeting.spent.usage)),
            Err(Invariant::CallEndsOnce),
            "a call is open"
        );
        meeting.calls.clear();
        assert_eq!(before(&meeting, &ends(meeting.spent.usage)), Ok(()));
        let more = Usage { input_tokens: 1, ..meeting.spent.usage };
        assert_eq!(before(&meeting, &ends(more)), Err(Invariant::BillAddsUp));
        meeting.phase = Phase::Ended { outcome: outcome.clone() };
        assert_eq!(before(&meeting, &ends(meeting.spent.usage)), Err(Invariant::LifeOnce));
    }

    #[test]
    fn messages_are_numbered_and_a_ballot_counts_all_who_may_vote() {
        let meeting = begun();
        let MessageId(next) = meeting.next_message();
        let says = |number| EventBody::UserMessage {
            message_id: MessageId(number),
            round: 1,
            by: Actor::owner(),
            message: Message {
                role: MessageRole::User,
                name: "Host".into(),
                content: "c".into(),
                citations: Vec::new(),
                evidence: Vec::new(),
            },
            mentions: Vec::new(),
            mentioned_people: Vec::new(),
            reply_to: None,
        };
        assert_eq!(before(&meeting, &says(next)), Ok(()));
        assert_eq!(before(&meeting, &says(next + 1)), Err(Invariant::MessagesInOrder));
        let verdict = Verdict { passed: true, clauses: Vec::new(), votes: 1, abstentions: 0 };
        let counted = EventBody::BallotClosed { ballot: BallotId(1), verdict };
        assert_eq!(before(&meeting, &counted), Err(Invariant::BallotCountsAll), "there is none");
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
    fn a_turn_is_given_once_to_a_participant_and_its_holder_alone_speaks_in_it() {
        let meeting = begun();
        let turn = meeting.round().and_then(|round| round.turns.first()).expect("a turn").clone();
        let gives = |turn, participant| {
            let (reason, can_skip, reply_targets) = (TurnReason::Rotation, true, Vec::new());
            EventBody::SpeakerSelected { turn, participant, reason, can_skip, reply_targets }
        };
        let next = TurnId { place: turn.id.place + 1, ..turn.id };
        let other = ParticipantId(turn.participant.0 + 1);
        assert_eq!(before(&meeting, &gives(next, turn.participant)), Ok(()));
        for twice_or_to_nobody in [gives(turn.id, turn.participant), gives(next, other)] {
            assert_eq!(before(&meeting, &twice_or_to_nobody), Err(Invariant::TurnEndsOnce));
        }
        let says = |participant, message_id| EventBody::AgentMessage {
            message_id,
            round: 1,
            turn: turn.id,
            participant,
            message: Message {
                role: MessageRole::Assistant,
                name: "Ada".into(),
                content: "c".into(),
                citations: Vec::new(),
                evidence: Vec::new(),
            },
            stance: None,
            mentions: Vec::new(),
            mentioned_people: Vec::new(),
            cut_from_chars: None,
            ended_early: None,
            reasoning: None,
        };
        let MessageId(number) = meeting.next_message();
        assert_eq!(before(&meeting, &says(turn.participant, MessageId(number))), Ok(()));
        assert_eq!(before(&meeting, &says(other, MessageId(number))), Err(Invariant::TurnEndsOnce));
        let skips_a_number = says(turn.participant, MessageId(number + 1));
        assert_eq!(before(&meeting, &skips_a_number), Err(Invariant::MessagesInOrder));
    }

    #[test]
    fn who_may_vote_votes_once() {
        let mut meeting = begun();
        let ballot = BallotId(1);
        let opens = EventBody::BallotOpened {
            ballot,
            round: 1,
            draft_version: 1,
            voters: vec![ParticipantId(1), ParticipantId(2)],
        };
        let abstains = |number| EventBody::VoteAbstained {
            ballot,
            participant: ParticipantId(number),
            kind: AbstentionKind::Chosen,
            detail: Phrase::default(),
            failure: None,
            hint: Phrase::default(),
        };
        for event in [&opens, &abstains(1)] {
            assert_eq!(before(&meeting, event), Ok(()));
            let (seq, now) = (meeting.seq + 1, meeting.updated_at);
            crate::state::fold(&mut meeting, seq, now, event);
        }
        assert_eq!(before(&meeting, &abstains(2)), Ok(()));
        assert_eq!(before(&meeting, &abstains(1)), Err(Invariant::VoteOnce), "it has voted");
        assert_eq!(before(&meeting, &abstains(3)), Err(Invariant::VoteOnce), "it may not vote");
    }

    #[test]
    fn what_breaks_a_rule_is_not_appended() {
        let meeting = begun();
        let turn = meeting.round().and_then(|round| round.turns.first()).expect("a turn").clone();
        let (now, other) = (meeting.updated_at, ParticipantId(turn.participant.0 + 1));
        let mut t = Transaction::begin(&meeting, now);
        t.emit(skipped(turn.id, turn.participant));
        assert_eq!(t.broken(), None);
        let mut t = Transaction::begin(&meeting, now);
        t.emit(skipped(turn.id, other));
        let (invariant, seq, event) = (Invariant::TurnEndsOnce, meeting.seq, "turn_skipped");
        let broken = BrokenInvariant { invariant, seq: seq + 1, event };
        assert_eq!((t.broken(), t.checked().err()), (Some(broken), Some(broken)));
    }

    #[test]
    fn a_fork_that_makes_no_call_has_not_stalled() {
        let mut meeting = begun();
        meeting.calls.clear();
        if let Some(round) = meeting.rounds.last_mut() {
            std::sync::Arc::make_mut(round).turns.clear();
        }
        meeting.held = true;
        assert_eq!(settled(&meeting), Ok(()));
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
        settings(&mut meeting).rules.limits.tokens = Some(call.reserved.tokens - 1);
        assert_eq!(after(&meeting, &begins), Err(Invariant::BudgetHolds));
    }
}
