//! The turns of external respondents: fetched, answered and skipped by agents, webhooks and people.
//!
//! A turn ends once. Its answer is handed to the meeting as a command, and is acknowledged when it is durable; a late
//! or second answer is refused with the tickets that are open instead.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use quorate_contract::{
    Answer, AnswerKind, BriefTarget, Call, Command, Failure, MeetingId, Outcome, Phrase, PromptMessage,
    StopReason, Task, Timestamp, TurnDelivery, Usage, WebFindings,
};
use quorate_core::{Meeting, MeetingState, estimate_tokens, interpret, pending};
use quorate_engine::EngineError;
use quorate_messages::{Message, message};
use quorate_runners::{OfferedTurn, Respondent, meeting_of_ticket};
use serde::Serialize;
use serde_json::Value;

use crate::error::{ErrorKind, ServiceError};
use crate::operation::callers_seat::{is_own_runner, respondents};
use crate::operation::denial::Denial;
use crate::operation::principal::Principal;
use crate::operation::use_case::UseCase;
use crate::use_cases::App;

/// The longest time that a request for a turn may wait: clients and proxies cut longer calls.
pub const TURN_WAIT_MAX: Duration = Duration::from_secs(25);

/// How long an answer waits for its turn to be offered again after a restart.
const OFFERED_AGAIN: Duration = Duration::from_secs(5);

/// The longest answer, in bytes: as of a model.
pub const TURN_ANSWER_MAX: usize = 4 << 20;

/// A claim that the answer must address.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TurnReplyTarget {
    /// The claim's id, such as `c4`.
    pub claim: String,
    /// The participant who raised the claim.
    pub owner: String,
    /// The text of the claim.
    pub text: String,
    /// Whether the owner of the claim holds a different position.
    pub disagrees: bool,
}

impl TurnReplyTarget {
    fn of(target: &BriefTarget) -> Self {
        let BriefTarget { claim, owner, text, disagrees } = target.clone();
        Self { claim, owner, text, disagrees }
    }
}

/// A turn that waits for an answer.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenTurn {
    /// The id of the turn for its answer. It stays the same when the server restarts, and is a new one when
    /// the turn is offered once more.
    pub ticket: String,
    /// The meeting.
    pub meeting: MeetingId,
    /// The name of the participant whose turn it is.
    pub participant: String,
    /// The participant's role; empty for the facilitator.
    pub role: String,
    /// The kind of answer.
    pub kind: AnswerKind,
    /// The number of the round; 0 is the blind round.
    pub round: u32,
    /// The instruction for the participant: rules and role.
    pub instructions: String,
    /// The messages of the prompt, with the task as the last one.
    pub messages: Vec<PromptMessage>,
    /// The claims of others that the answer must address.
    pub targets: Vec<TurnReplyTarget>,
    /// The questions that the round concentrates on.
    pub focus: Vec<String>,
    /// The current draft, which a vote is about; `null` when there is none.
    pub draft: Option<String>,
    /// The JSON Schema of the answer, when `kind` asks for fields.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub answer_schema: Option<Value>,
    /// Whether the turn may be skipped.
    pub can_skip: bool,
    /// What was wrong with the previous answer, when this is the second try.
    pub problem: Option<String>,
    /// When the turn was offered.
    pub offered_at: Timestamp,
    /// When the turn ends without an answer.
    pub deadline_at: Timestamp,
}

impl OpenTurn {
    /// The turn as its respondent reads it.
    pub fn of(turn: &OfferedTurn) -> Self {
        let brief = &turn.prompt.brief;
        let discussion = brief.task.turn();
        Self {
            ticket: turn.ticket.clone(),
            meeting: turn.meeting.clone(),
            participant: brief.name.clone(),
            role: brief.role.clone(),
            kind: brief.kind(),
            round: brief.round,
            instructions: turn.prompt.system.clone(),
            messages: turn.prompt.messages.clone(),
            targets: discussion
                .map_or_else(Vec::new, |turn| turn.targets.iter().map(TurnReplyTarget::of).collect()),
            focus: discussion.map_or_else(Vec::new, |turn| turn.focus.clone()),
            draft: brief.draft.clone(),
            answer_schema: turn.prompt.schema.as_ref().map(|schema| (*schema.schema).clone()),
            can_skip: brief.task.can_skip(),
            problem: brief.repair.clone(),
            offered_at: turn.offered_at,
            deadline_at: turn.deadline,
        }
    }
}

/// The answer of an external respondent.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnAnswer {
    /// Words, closed by a fenced JSON trailer where the turn asks for one.
    Text(String),
    /// The fields that the turn's schema names.
    Fields(Value),
    /// The turn is skipped.
    Skip,
}

/// An answer that is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredTurn {
    /// The meeting.
    pub meeting: MeetingId,
    /// The sequence number of the last event that the request caused.
    pub seq: u64,
    /// What was wrong with the previous answer, when the turn is offered once more.
    pub asked_again: Option<String>,
}

/// Why no turn of a ticket is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnOver {
    /// The turn has its answer, was given up, or was never this respondent's.
    Ended,
    /// The respondent's meeting has ended: no further turn comes.
    MeetingEnded,
    /// The text is not a ticket, of whatever turn.
    NoTicket,
}

impl TurnOver {
    /// What happened, and what helps. `open` are the tickets of the turns that are open instead.
    pub fn told(self, open: &[String]) -> (Message, Message) {
        let detail = match self {
            Self::Ended => message!("server-turn-over"),
            Self::MeetingEnded => message!("server-turn-over-meeting-ended"),
            Self::NoTicket => message!("server-turn-no-ticket"),
        };
        let hint = match self {
            Self::MeetingEnded => message!("server-turn-over-meeting-ended-hint"),
            Self::Ended | Self::NoTicket if !open.is_empty() => message!("server-turn-over-open", open),
            Self::Ended => message!("server-turn-over-wait"),
            Self::NoTicket => message!("server-turn-no-ticket-hint"),
        };
        (detail, hint)
    }
}

/// The reason why an answer was not accepted.
#[derive(Debug)]
pub enum TurnError {
    /// No turn of this ticket is open.
    Over {
        /// Why.
        why: TurnOver,
        /// The tickets of the turns that are open, the oldest first.
        open: Vec<String>,
    },
    /// This turn asks for something in particular and cannot be skipped.
    CannotSkip,
    /// The principal may not answer at this meeting.
    Denied(Denial),
    /// Any other error.
    Service(ServiceError),
}

impl From<ServiceError> for TurnError {
    fn from(error: ServiceError) -> Self {
        Self::Service(error)
    }
}

impl From<TurnError> for ServiceError {
    fn from(error: TurnError) -> Self {
        let of_state = |problem: &str, message, hint| {
            Self::new(message, hint).of(ErrorKind::MeetingState).with("problem", problem)
        };
        match error {
            TurnError::Over { why, open } => {
                let (detail, hint) = why.told(&open);
                of_state("turn-is-over", detail, hint).with("open_turns", open)
            }
            TurnError::CannotSkip => {
                let hint = message!("server-turn-not-skippable-hint");
                of_state("cannot-skip", message!("server-turn-not-skippable"), hint)
            }
            TurnError::Denied(denial) => denial.into(),
            TurnError::Service(error) => error,
        }
    }
}

impl App {
    /// The open turns of a principal, the oldest first; with `meeting`, those at one meeting.
    pub fn open_turns(&self, principal: &Principal, meeting: Option<&MeetingId>) -> Vec<Arc<OfferedTurn>> {
        let meeting = meeting.or(principal.meeting.as_ref());
        let open = |respondent: Respondent| self.turn_board().open(&respondent, meeting);
        let mut turns: Vec<_> = respondents(principal).into_iter().flat_map(open).collect();
        turns.retain(|turn| is_theirs(principal, turn));
        turns.sort_by_key(|turn| turn.offered_at);
        turns
    }

    /// A receiver that changes whenever a turn opens; [`App::open_turns`] says which.
    pub fn turn_offers(&self) -> tokio::sync::watch::Receiver<u64> {
        self.turn_board().offers()
    }

    /// Everybody who has an open turn in this process, each by the text under which [`asked_as`] finds it.
    pub fn asked_here(&self) -> BTreeSet<String> {
        self.turn_board().asked().iter().map(asked_text).collect()
    }

    /// Lets nobody wait for a turn any more, because the process stops.
    pub fn end_waits_for_turns(&self) {
        self.turn_board().close();
    }

    /// Waits up to `limit`, and 25 s at the most, until a principal has a turn; gives the oldest. At a meeting, it waits no
    /// longer than that goes on.
    pub async fn wait_for_turn(
        &self,
        principal: &Principal,
        meeting: Option<&MeetingId>,
        limit: Duration,
    ) -> Option<Arc<OfferedTurn>> {
        let meeting = meeting.or(principal.meeting.as_ref());
        let limit = limit.min(TURN_WAIT_MAX);
        let waits = respondents(principal)
            .into_iter()
            .map(|respondent| async move { self.turn_board().wait(&respondent, meeting, limit).await });
        let mut waits: FuturesUnordered<_> = waits.collect();
        let turn = tokio::select! {
            biased;
            turn = waits.next() => turn??,
            () = self.until_over(principal, meeting) => return None,
        };
        is_theirs(principal, &turn).then_some(turn)
    }

    /// Waits until a meeting is over that has asked this principal; for ever without one, and where that cannot be found out.
    async fn until_over(&self, principal: &Principal, meeting: Option<&MeetingId>) {
        let over = async {
            let handle = self.meeting(meeting?).await.ok()?;
            let meeting = handle.look().await.ok()?;
            if !has_asked(&meeting, principal) {
                return None;
            }
            let mut heard = handle.subscribe(meeting.seq, false).await.ok()?;
            while heard.next().await.ok()?.is_some() {}
            Some(())
        };
        if over.await.is_none() {
            std::future::pending().await
        }
    }

    /// Ends a turn with an answer. What comes back is durable.
    ///
    /// # Errors
    /// When the turn is over, may not be skipped, or is not the principal's to answer.
    pub async fn answer_turn(
        &self,
        principal: &Principal,
        ticket: &str,
        answer: TurnAnswer,
    ) -> Result<AnsweredTurn, TurnError> {
        let turn = match self.offered(principal, ticket) {
            None => self.offered_again(principal, ticket).await?,
            found => found,
        };
        let Some(turn) = turn.filter(|turn| is_theirs(principal, turn)) else {
            return Err(self.over(principal, ticket).await);
        };
        let permitted = self.authorize(UseCase::AnswerTurn, principal, &turn.meeting).await;
        permitted.map_err(TurnError::Denied)?;
        if answer == TurnAnswer::Skip && !turn.prompt.brief.task.can_skip() {
            return Err(TurnError::CannotSkip);
        }
        let handle = self.meeting(&turn.meeting).await?;
        let meeting = handle.look().await.map_err(ServiceError::from)?;
        let Some(call) = call_of(&turn, pending(&meeting)) else {
            return Err(self.over(principal, ticket).await);
        };
        let command = interpret(&meeting, &call, Outcome::Answered(words(&turn, answer, self.now())));
        let problem = problem_of(&command);
        let asked_again = problem.map(|problem| problem.in_language(meeting.language()).into_owned());
        match handle.execute(command).await {
            Ok(seq) => Ok(AnsweredTurn { meeting: turn.meeting.clone(), seq, asked_again }),
            Err(EngineError::Refused(quorate_contract::Refusal::TurnIsOver { .. })) => {
                Err(self.over(principal, ticket).await)
            }
            Err(error) => Err(ServiceError::from(error).into()),
        }
    }

    /// Ends a turn whose answer cannot come. A turn that has ended by itself is left alone.
    ///
    /// # Errors
    /// When the meeting cannot be reached.
    pub(crate) async fn fail_turn(&self, turn: &OfferedTurn, failure: Failure) -> Result<(), ServiceError> {
        let handle = self.meeting(&turn.meeting).await?;
        let meeting = handle.look().await?;
        let Some(call) = call_of(turn, pending(&meeting)) else { return Ok(()) };
        match handle.execute(interpret(&meeting, &call, Outcome::Failed(failure))).await {
            Ok(_) | Err(EngineError::Refused(quorate_contract::Refusal::TurnIsOver { .. })) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The turn of a ticket, while it is on the board.
    fn offered(&self, principal: &Principal, ticket: &str) -> Option<Arc<OfferedTurn>> {
        respondents(principal).iter().find_map(|respondent| self.turn_board().find(respondent, ticket))
    }

    /// The same for a ticket that is not on the board: after a restart, its meeting may not have offered its turns yet. Opens
    /// the meeting, and waits until all turns that it wants from this principal are offered.
    async fn offered_again(
        &self,
        principal: &Principal,
        ticket: &str,
    ) -> Result<Option<Arc<OfferedTurn>>, TurnError> {
        let Some(id) = meeting_of_ticket(ticket) else { return Ok(None) };
        if self.authorize(UseCase::AnswerTurn, principal, &id).await.is_err() {
            return Ok(None);
        }
        let handle = match self.meeting(&id).await {
            Ok(handle) => handle,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let meeting = handle.look().await.map_err(ServiceError::from)?;
        let own = respondents(principal);
        let is_own = |call: &Call| Respondent::of(&call.runner).is_some_and(|asked| own.contains(&asked));
        let wanted: Vec<Call> = pending(&meeting).into_iter().filter_map(to_call).filter(is_own).collect();
        let deadline = tokio::time::Instant::now() + OFFERED_AGAIN;
        let mut offers = self.turn_board().offers();
        loop {
            if let Some(turn) = self.offered(principal, ticket) {
                return Ok(Some(turn));
            }
            let open = self.open_turns(principal, Some(&id));
            if wanted.iter().all(|call| open.iter().any(|turn| turn.is_of(call))) {
                return Ok(None);
            }
            if !matches!(tokio::time::timeout_at(deadline, offers.changed()).await, Ok(Ok(()))) {
                return Ok(None);
            }
        }
    }

    /// The error for a ticket with which no turn is open. Only who was asked at a meeting learns that it has ended.
    async fn over(&self, principal: &Principal, ticket: &str) -> TurnError {
        // A ticket of another meeting would be no answer.
        let open = self.open_turns(principal, meeting_of_ticket(ticket).as_ref());
        let open = open.iter().map(|turn| turn.ticket.clone()).collect();
        let Some(id) = meeting_of_ticket(ticket) else {
            return TurnError::Over { why: TurnOver::NoTicket, open };
        };
        let has_ended = match self.load(&id).await {
            Ok(meeting) => {
                has_asked(&meeting, principal) && MeetingState::of(&meeting) == MeetingState::Ended
            }
            Err(_) => false,
        };
        TurnError::Over { why: if has_ended { TurnOver::MeetingEnded } else { TurnOver::Ended }, open }
    }
}

/// Whether a meeting asks a principal, or has asked it: in a seat, also one that was given up, or as its facilitator.
fn has_asked(meeting: &Meeting, principal: &Principal) -> bool {
    let mut seats = meeting.seats.iter();
    facilitates(meeting, principal) || seats.any(|seat| is_own_runner(&seat.participant.runner, principal))
}

/// Whether a principal answers as the facilitator of a meeting.
pub fn facilitates(meeting: &Meeting, principal: &Principal) -> bool {
    meeting.settings.facilitator.as_ref().is_some_and(|asked| is_own_runner(&asked.runner, principal))
}

/// The texts under which [`App::asked_here`] lists a principal.
pub fn asked_as(principal: &Principal) -> Vec<String> {
    respondents(principal).iter().map(asked_text).collect()
}

fn asked_text(respondent: &Respondent) -> String {
    let via = match respondent.via {
        TurnDelivery::Agent => "agent",
        TurnDelivery::Webhook => "webhook",
        TurnDelivery::Person => "person",
    };
    format!("{via}:{}", respondent.name)
}

/// Whether a turn belongs to a meeting at which the principal may answer.
fn is_theirs(principal: &Principal, turn: &OfferedTurn) -> bool {
    principal.may(UseCase::AnswerTurn.definition().permission, Some(turn.meeting.as_str()))
}

/// The call behind a turn, while the meeting waits for it.
fn call_of(turn: &OfferedTurn, tasks: Vec<Task>) -> Option<Call> {
    tasks.into_iter().filter_map(to_call).find(|call| turn.is_of(call))
}

fn to_call(task: Task) -> Option<Call> {
    match task {
        Task::Call(call) => Some(call),
        Task::Tool(_) | Task::Wake(_) => None,
    }
}

/// The answer as that of a model would come.
fn words(turn: &OfferedTurn, answer: TurnAnswer, now: Timestamp) -> Answer {
    let text = match answer {
        TurnAnswer::Text(text) => text,
        TurnAnswer::Fields(fields) => fields.to_string(),
        TurnAnswer::Skip => "[skip]".to_owned(),
    };
    let usage = match turn.respondent.via {
        TurnDelivery::Person => Usage::default(),
        TurnDelivery::Agent | TurnDelivery::Webhook => {
            let read =
                turn.prompt.messages.iter().map(|message| estimate_tokens(&message.content)).sum::<u64>();
            Usage {
                input_tokens: read + estimate_tokens(&turn.prompt.system),
                output_tokens: estimate_tokens(&text),
                estimated: true,
                ..Usage::default()
            }
        }
    };
    Answer {
        text,
        reasoning: None,
        usage,
        stop: StopReason::Stop,
        latency_ms: now.since_ms(turn.offered_at),
        web: WebFindings::default(),
        request_id: None,
    }
}

/// The problem of an answer that is asked for once more.
fn problem_of(command: &Command) -> Option<Phrase> {
    use quorate_contract::Delivered;
    match command {
        Command::Deliver(delivery) => match &delivery.what {
            Delivered::Malformed { problem, .. } => Some(problem.clone()),
            _ => None,
        },
        _ => None,
    }
}
