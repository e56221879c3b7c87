//! External respondents: agents, webhooks and people that are offered their turns and answer in their own time.
//!
//! A call becomes an [`OfferedTurn`] on the [`TurnBoard`] and stays there for as long as the meeting wants its answer.
//! The answer does not come back through the runner: it goes to the meeting as a command, so that its sender is told
//! only after it is durable. The meeting then drops the call, and the turn leaves the board.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use futures::future::BoxFuture;
use quorate_contract::{
    Call, Failure, FailureKind, MeetingId, Outcome, Prompt, RunId, RunnerSpec, TaskId, Timestamp,
    TurnDelivery,
};
use quorate_engine::{Clock, FragmentSink, Request, Runner, SystemClock};
use quorate_messages::{Message, message};
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

/// So long before its time is over a turn ends that could not be delivered, so that the failure says why; the limit itself
/// says only that nothing came.
const BEFORE_LIMIT: Duration = Duration::from_millis(200);

/// A respondent outside of this program, as a seat names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Respondent {
    /// The channel by which turns reach it.
    pub via: TurnDelivery,
    /// Its registered name.
    pub name: String,
}

impl Respondent {
    /// The respondent behind a seat; `None` where something of this program answers.
    pub fn of(runner: &RunnerSpec) -> Option<Self> {
        match runner {
            RunnerSpec::External { via, name } => Some(Self { via: *via, name: name.clone() }),
            RunnerSpec::Model { .. }
            | RunnerSpec::Simulated { .. }
            | RunnerSpec::Process { .. }
            | RunnerSpec::Acp { .. } => None,
        }
    }
}

/// A turn that waits for its answer.
#[derive(Debug)]
pub struct OfferedTurn {
    /// Names the question: the same question has the same ticket, also after a restart of the server.
    pub ticket: String,
    /// The respondent.
    pub respondent: Respondent,
    /// The meeting.
    pub meeting: MeetingId,
    /// In which run of it.
    pub run: RunId,
    /// The task.
    pub task: TaskId,
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// The prompt.
    pub prompt: Prompt,
    /// When the turn was offered.
    pub offered_at: Timestamp,
    /// The deadline of the answer.
    pub deadline: Timestamp,
    /// What the last message about it met with, where a webhook delivers it.
    trouble: Mutex<Option<DeliveryTrouble>>,
}

/// What a message about a turn met with at its receiver, where it was not simply accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryTrouble {
    /// This HTTP status, which is no success.
    Status(u16),
    /// No connection.
    Unreachable,
    /// No response in time.
    Slow,
    /// A response with content in which there is no answer.
    NoAnswer,
}

impl DeliveryTrouble {
    /// Why no answer came within this time. It names no address: everybody at the meeting reads it.
    fn detail(self, seconds: u64) -> Message {
        match self {
            Self::Status(status) => message!("failure-webhook-status", %seconds, %status),
            Self::Unreachable => message!("failure-webhook-unreachable", %seconds),
            Self::Slow => message!("failure-webhook-slow", %seconds),
            Self::NoAnswer => message!("failure-webhook-no-answer", %seconds),
        }
    }
}

impl OfferedTurn {
    /// Whether this turn belongs to this call of a meeting.
    pub fn is_of(&self, call: &Call) -> bool {
        call.id == self.task && call.attempt == self.attempt
    }

    fn trouble(&self) -> MutexGuard<'_, Option<DeliveryTrouble>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All turns that wait for external respondents of this process.
pub struct TurnBoard {
    /// By the order in which they were offered.
    turns: Mutex<BTreeMap<u64, Arc<OfferedTurn>>>,
    /// The number of the next turn. A change wakes waiting clients.
    next: watch::Sender<u64>,
    /// Whether the process stops, so that nobody waits any more.
    closed: watch::Sender<bool>,
    /// By which it is said when a turn was offered, and until when.
    clock: Arc<dyn Clock>,
}

impl Default for TurnBoard {
    fn default() -> Self {
        Self::with_clock(Arc::new(SystemClock))
    }
}

impl fmt::Debug for TurnBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnBoard").field("turns", &self.turns).finish_non_exhaustive()
    }
}

impl TurnBoard {
    /// A board that tells the time by this clock.
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        let (next, closed) = (watch::Sender::new(1), watch::Sender::new(false));
        Self { turns: Mutex::default(), next, closed, clock }
    }

    /// The turns of a respondent, the oldest first; with `meeting`, those at one meeting.
    pub fn open(&self, respondent: &Respondent, meeting: Option<&MeetingId>) -> Vec<Arc<OfferedTurn>> {
        let is_wanted = |turn: &&Arc<OfferedTurn>| {
            turn.respondent == *respondent && meeting.is_none_or(|meeting| turn.meeting == *meeting)
        };
        self.turns().values().filter(is_wanted).cloned().collect()
    }

    /// Ends all waiting, now and from now on: the process stops.
    pub fn close(&self) {
        self.closed.send_replace(true);
    }

    /// Waits up to `limit` until the respondent has a turn, and gives the oldest. Ends at once when the board is closed.
    pub async fn wait(
        &self,
        respondent: &Respondent,
        meeting: Option<&MeetingId>,
        limit: Duration,
    ) -> Option<Arc<OfferedTurn>> {
        let deadline = Instant::now() + limit;
        let (mut offers, mut closed) = (self.next.subscribe(), self.closed.subscribe());
        loop {
            if let Some(turn) = self.open(respondent, meeting).into_iter().next() {
                return Some(turn);
            }
            tokio::select! {
                // An error says that the time is up, or that the board is gone.
                offered = timeout_at(deadline, offers.changed()) => offered.ok()?.ok()?,
                _ = closed.wait_for(|closed| *closed) => return None,
            }
        }
    }

    /// The turn of this ticket, while it waits.
    pub fn find(&self, respondent: &Respondent, ticket: &str) -> Option<Arc<OfferedTurn>> {
        let is_it = |turn: &&Arc<OfferedTurn>| turn.ticket == ticket && turn.respondent == *respondent;
        self.turns().values().find(is_it).cloned()
    }

    /// Notes what the last message about a turn met with; `None` when it was accepted.
    pub fn delivered(&self, ticket: &str, trouble: Option<DeliveryTrouble>) {
        for turn in self.turns().values().filter(|turn| turn.ticket == ticket) {
            *turn.trouble() = trouble;
        }
    }

    /// All turns that wait for respondents of one kind, the oldest first.
    pub fn via(&self, via: TurnDelivery) -> Vec<Arc<OfferedTurn>> {
        self.turns().values().filter(|turn| turn.respondent.via == via).cloned().collect()
    }

    /// All respondents that have an open turn.
    pub fn asked(&self) -> BTreeSet<Respondent> {
        self.turns().values().map(|turn| turn.respondent.clone()).collect()
    }

    /// A receiver that changes with every offer; the open turns are read from the board.
    pub fn offers(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }

    fn offer(self: &Arc<Self>, turn: OfferedTurn) -> Offer {
        let (mut number, turn) = (0, Arc::new(turn));
        // The turn is on the board before any client is notified.
        self.next.send_modify(|next| {
            number = *next;
            *next += 1;
            self.turns().insert(number, Arc::clone(&turn));
        });
        Offer { board: Arc::clone(self), number, turn }
    }

    fn turns(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<OfferedTurn>>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn on the board; it is taken down when its call ends.
struct Offer {
    board: Arc<TurnBoard>,
    number: u64,
    turn: Arc<OfferedTurn>,
}

impl Drop for Offer {
    fn drop(&mut self) {
        self.board.turns().remove(&self.number);
    }
}

/// The runner that offers each call on the board, until the meeting has its answer or no longer needs it.
pub(crate) struct ExternalRunner {
    pub(crate) board: Arc<TurnBoard>,
}

impl Runner for ExternalRunner {
    fn run(&self, request: Request, _sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            let Some(respondent) = Respondent::of(&request.runner) else {
                unreachable!("the directory gives this runner to external respondents alone")
            };
            let limit_ms = request.timeout_ms;
            let offer = self.board.offer(turn_of(request, respondent, self.board.clock.now()));
            sleep(Duration::from_millis(limit_ms).saturating_sub(BEFORE_LIMIT)).await;
            let trouble = *offer.turn.trouble();
            match trouble {
                Some(trouble) => Outcome::Failed(undelivered(trouble, limit_ms)),
                None => std::future::pending().await,
            }
        })
    }
}

fn undelivered(trouble: DeliveryTrouble, limit_ms: u64) -> Failure {
    Failure {
        kind: FailureKind::TimedOut,
        detail: trouble.detail(limit_ms.div_ceil(1000)).into(),
        hint: message!("remedy-raise-turn-time-for-webhook").into(),
        usage: None,
        latency_ms: limit_ms,
        doubtful: false,
        window: None,
        request_id: None,
    }
}

fn turn_of(request: Request, respondent: Respondent, offered_at: Timestamp) -> OfferedTurn {
    let Request { meeting, run, task, attempt, prompt, timeout_ms, .. } = request;
    OfferedTurn {
        ticket: ticket(&meeting, &run, task, &prompt),
        deadline: offered_at.plus_ms(timeout_ms),
        respondent,
        meeting,
        run,
        task,
        attempt,
        prompt,
        offered_at,
        trouble: Mutex::default(),
    }
}

/// The digest of the question: another question, such as the one that says what was wrong with an answer, has another
/// ticket.
fn ticket(meeting: &MeetingId, run: &RunId, task: TaskId, prompt: &Prompt) -> String {
    let mut digest = Sha256::new();
    let question = prompt.messages.last().map_or("", |message| message.content.as_str());
    for part in [meeting.as_str(), run.as_str(), &task.to_string(), question] {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    let digest = &digest.finalize()[..16];
    format!(
        "turn_{}.{}",
        BASE64_URL_SAFE_NO_PAD.encode(digest),
        BASE64_URL_SAFE_NO_PAD.encode(meeting.as_str())
    )
}

/// The meeting of a turn, as its ticket says; `None` when it is no ticket.
pub fn meeting_of_ticket(ticket: &str) -> Option<MeetingId> {
    let (_, meeting) = ticket.strip_prefix("turn_")?.split_once('.')?;
    let id = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(meeting).ok()?).ok()?;
    (!id.is_empty()).then(|| MeetingId::new(id))
}
