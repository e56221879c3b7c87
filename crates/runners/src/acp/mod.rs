//! Participants that are coding agents: programs that speak the Agent Client Protocol, as editors start them, and work in a
//! folder of this machine (docs/guides/acp.md).
//!
//! Quorate is the client, as an editor is. Each seat has a process and a session of its own, which remembers what was said.
//! What the agent reads and runs goes to the meeting's log as it reports it; what does more than read in its folder, a person
//! has to permit. Everything an agent sends is bounded, and its misbehaviour affects only its own answer.

mod agent;
mod config;
mod failure;
mod files;
mod permission;
mod prompt;
mod sessions;
mod turn;
mod wire;

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::{
    Answer, Failure, Outcome, PromptImage, RunnerSpec, StopReason, Usage, WebFindings, is_blank,
};
use quorate_engine::{FragmentSink, LoadedImage, Request, Runner};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::{Instant, sleep};

pub use self::config::{AcpConfig, AcpConfigError, McpServerConfig};
pub use self::permission::{PermissionAnswer, PermissionBoard, PermissionKey};

use self::agent::Agent;
use self::failure::AcpError;
use self::files::Folder;
use self::prompt::{TurnPrompt, turn_prompt};
use self::sessions::{SavedSession, Sessions};
use self::turn::{TurnContext, TurnState};
use self::wire::{TokenCounts, TurnEnd};
use crate::images::loaded;
use crate::process::child::StderrTail;
use crate::process::pool::{Pool, failure_of};
use crate::token_estimate::{estimated_tokens, prompt_tokens, usual_rates};

/// After so long without a turn, the process of a seat ends; its session is loaded again where the agent can do so.
const IDLE: Duration = Duration::from_secs(15 * 60);
/// The most processes of one agent; the one that was idle longest ends for a new one.
const PROCESSES_MAX: usize = 16;
/// At most so long before the meeting's own time limit a call is given up.
const MOMENT: Duration = Duration::from_millis(200);
/// Counts above this are a mistake, not an answer's length.
const MOST_TOKENS: u64 = 100_000_000;

/// Answers with a coding agent.
pub struct AcpRunner {
    config: Arc<AcpConfig>,
    board: Arc<PermissionBoard>,
    sessions: Arc<Sessions>,
    /// The seats that have a process, by their keys.
    pool: Pool<HashMap<String, SeatHandle>>,
}

/// The way to the process of a seat.
struct SeatHandle {
    turns: mpsc::Sender<Turn>,
    used: Instant,
}

/// A turn for a seat.
struct Turn {
    request: Request,
    sink: FragmentSink,
    deadline: Instant,
    limit_ms: u64,
    own_limit: bool,
    reply: oneshot::Sender<Outcome>,
}

impl fmt::Debug for AcpRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AcpRunner").field("agent", &self.config.name).finish_non_exhaustive()
    }
}

impl AcpRunner {
    /// Checks the configuration; nothing is started yet. `kept_in` is the folder in which sessions are remembered.
    ///
    /// # Errors
    /// When no agent could be started so on any machine.
    pub fn new(
        config: AcpConfig,
        board: Arc<PermissionBoard>,
        kept_in: Option<PathBuf>,
    ) -> Result<Self, AcpConfigError> {
        config.check()?;
        let file = kept_in.map(|folder| folder.join(format!("{}.json", config.name)));
        Ok(Self {
            board,
            sessions: Arc::new(Sessions::open(file)),
            pool: Pool::new(config.concurrency),
            config: Arc::new(config),
        })
    }

    /// Lets all processes end, up to a few seconds.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    async fn answer(&self, request: Request, sink: FragmentSink) -> Outcome {
        let started = Instant::now();
        let own_limit = self.config.timeout_ms < request.timeout_ms;
        let limit = self.config.timeout().min(Duration::from_millis(request.timeout_ms));
        // A moment before the meeting's own time limit, so that the agent can be told to stop.
        let deadline = started + limit - (limit / 50).min(MOMENT);
        let limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let (reply, answer) = oneshot::channel();
        let turns = self.seat(&request);
        let turn = Turn { request, sink, deadline, limit_ms, own_limit, reply };
        // The worker takes one turn after the other; a seat has one at a time.
        _ = turns.send(turn).await;
        let outcome =
            answer.await.unwrap_or_else(|_| failed(&self.config, AcpError::Unwanted, &StderrTail::default()));
        timed(outcome, started)
    }

    /// The way to the process of a seat, which is started with its first turn.
    fn seat(&self, request: &Request) -> mpsc::Sender<Turn> {
        let folder = match &request.runner {
            RunnerSpec::Acp { folder, .. } => folder.clone(),
            RunnerSpec::Model { .. }
            | RunnerSpec::Simulated { .. }
            | RunnerSpec::Process { .. }
            | RunnerSpec::External { .. } => String::new(),
        };
        let key = format!("{}/{}/{}/{folder}", request.meeting, request.run, request.prompt.brief.name);
        let mut state = self.pool.state();
        let seats = &mut state.running;
        seats.retain(|_, seat| !seat.turns.is_closed());
        if let Some(seat) = seats.get_mut(&key) {
            seat.used = Instant::now();
            return seat.turns.clone();
        }
        if seats.len() >= PROCESSES_MAX {
            let oldest = seats.iter().min_by_key(|(_, seat)| seat.used);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                // Its worker ends after the turn that it has.
                seats.remove(&oldest);
            }
        }
        let (turns, taken) = mpsc::channel(4);
        let seat = Seat {
            config: Arc::clone(&self.config),
            board: Arc::clone(&self.board),
            sessions: Arc::clone(&self.sessions),
            key: key.clone(),
            folder,
            agent: None,
            tail: StderrTail::default(),
        };
        state.supervise(seat.serve(taken));
        state.running.insert(key, SeatHandle { turns: turns.clone(), used: Instant::now() });
        turns
    }
}

impl Runner for AcpRunner {
    fn admit(&self) -> BoxFuture<'_, Option<OwnedSemaphorePermit>> {
        Box::pin(self.pool.admit())
    }

    fn takes_images(&self) -> bool {
        true
    }

    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(self.answer(request, sink))
    }
}

/// A seat: its process and its session, one turn after the other.
struct Seat {
    config: Arc<AcpConfig>,
    board: Arc<PermissionBoard>,
    sessions: Arc<Sessions>,
    key: String,
    folder: String,
    agent: Option<Agent>,
    tail: StderrTail,
}

impl Seat {
    async fn serve(mut self, mut turns: mpsc::Receiver<Turn>) {
        loop {
            let next = {
                let idle = async {
                    match &mut self.agent {
                        Some(agent) => agent.idle().await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    turn = turns.recv() => Some(turn),
                    () = idle => None,
                    () = sleep(IDLE) => Some(None),
                }
            };
            match next {
                Some(Some(turn)) => self.take(turn).await,
                Some(None) => break,
                // It has ended between two turns; the next one starts it again.
                None => self.stop().await,
            }
        }
        turns.close();
        // A turn that came at the last moment is still answered.
        while let Ok(turn) = turns.try_recv() {
            self.take(turn).await;
        }
        if let Some(agent) = self.agent.take() {
            agent.close().await;
        }
    }

    async fn stop(&mut self) {
        if let Some(agent) = self.agent.take() {
            agent.stop().await;
        }
    }

    async fn take(&mut self, mut turn: Turn) {
        let was_running = self.agent.is_some();
        let mut outcome = self.turn(&mut turn).await;
        // It was just ending, and has not begun with this turn.
        if was_running && matches!(outcome, Err((AcpError::Gone { .. }, false))) {
            self.stop().await;
            outcome = self.turn(&mut turn).await;
        }
        let outcome = match outcome {
            Ok(answer) => answer,
            Err((trouble, _)) => {
                if !trouble.leaves_agent_usable() {
                    self.stop().await;
                }
                failed(&self.config, trouble, &self.tail)
            }
        };
        // Whoever asked may have gone.
        _ = turn.reply.send(outcome);
    }

    /// One turn; with an error, whether anything had come.
    async fn turn(&mut self, turn: &mut Turn) -> Result<Outcome, (AcpError, bool)> {
        let Turn { request, sink, deadline, limit_ms, own_limit, reply } = turn;
        let (deadline, limit_ms, own_limit) = (*deadline, *limit_ms, *own_limit);
        let early = |trouble| (trouble, false);
        let config = Arc::clone(&self.config);
        let (root, inner) = config
            .folder(&self.folder)
            .map_err(|error| early(AcpError::Folder { problem: error.problem, hint: error.hint }))?;
        let folder = Folder::open(root, &inner).ok_or_else(|| early(AcpError::NoFolder))?;
        let mut unwanted = Box::pin(reply.closed());
        let mut saved = self.sessions.find(&self.key);
        {
            let ready = self.ready(&folder, saved.as_ref(), deadline);
            let goes_on = tokio::select! {
                ready = ready => ready.map_err(early)?,
                () = &mut unwanted => return Err(early(AcpError::Unwanted)),
            };
            if !goes_on {
                saved = None;
            }
        }
        let Some(agent) = &mut self.agent else { return Err(early(AcpError::Unreadable)) };
        let session = agent.session.clone().unwrap_or_default();
        let read = saved.as_ref().filter(|saved| saved.id == session).map(|saved| &saved.read);
        let sees = agent.takes_images;
        let is_shown = |image: &PromptImage| sees && loaded(&request.images, image).is_some();
        let TurnPrompt { text, images, read } = turn_prompt(&request.prompt, read, config.writable, is_shown);
        let images: Vec<&LoadedImage> =
            images.into_iter().filter_map(|image| loaded(&request.images, image)).collect();
        let secrets = config.secrets();
        let around = TurnContext {
            folder: &folder,
            secrets: &secrets,
            board: &self.board,
            writable: config.writable,
            permission_limit: Duration::from_millis(config.permission_ms),
        };
        let mut state = TurnState::new(request, sink, around, deadline, session.clone());
        let ended = agent.prompt(&text, &images, &mut state, deadline, &mut unwanted).await;
        let begun = state.has_begun;
        let (answer, reasoning) = state.finish(request.prompt.schema.is_some());
        let of_turn = |trouble| (trouble, begun);
        let (ended, cancelled) = match ended {
            Ok(ended) => ended,
            Err(trouble) => {
                if trouble.leaves_agent_usable() {
                    // What the session holds now is not known: the next turn begins another one.
                    agent.session = None;
                }
                let late = matches!(trouble, AcpError::NotReady { .. });
                return Err(of_turn(match late {
                    true => {
                        self.stop().await;
                        AcpError::TooLate { ms: limit_ms, own_limit }
                    }
                    false => trouble,
                }));
            }
        };
        if cancelled {
            return Err(of_turn(AcpError::TooLate { ms: limit_ms, own_limit }));
        }
        let stop = match ended.stop_reason {
            TurnEnd::EndTurn | TurnEnd::Other => StopReason::Stop,
            TurnEnd::MaxTokens | TurnEnd::MaxTurnRequests => StopReason::Length,
            TurnEnd::Refusal => return Err(of_turn(AcpError::Refused)),
            TurnEnd::Cancelled => return Err(of_turn(AcpError::CancelledItself)),
        };
        self.sessions.save(&self.key, SavedSession::new(session, read));
        if is_blank(&answer) {
            return Err(of_turn(AcpError::Empty));
        }
        let usage = count(&ended.usage, &answer, reasoning.as_deref(), || {
            prompt_tokens(&request.prompt, usual_rates())
        });
        Ok(Outcome::Answered(Answer {
            text: answer,
            reasoning,
            usage,
            stop,
            latency_ms: 0,
            web: WebFindings::default(),
            request_id: None,
        }))
    }

    /// Makes sure that the agent runs and has a session; whether the session is the one that was saved.
    async fn ready(
        &mut self,
        folder: &Folder,
        saved: Option<&SavedSession>,
        deadline: Instant,
    ) -> Result<bool, AcpError> {
        let agent = match &mut self.agent {
            Some(agent) => agent,
            None => {
                self.tail = StderrTail::default();
                let agent = Agent::start(&self.config, self.tail.clone(), deadline).await?;
                self.agent.insert(agent)
            }
        };
        if agent.session.is_some() {
            return Ok(true);
        }
        agent.open_session(&self.config, folder, saved.map(|saved| saved.id.as_str()), deadline).await
    }
}

/// The counts of the agent where they are plausible, and estimates elsewhere.
fn count(counts: &TokenCounts, answer: &str, reasoning: Option<&str>, prompt: impl Fn() -> u64) -> Usage {
    let plausible = |count: Option<u64>| count.filter(|count| (1..=MOST_TOKENS).contains(count));
    let (input, output) = (plausible(counts.input_tokens), plausible(counts.output_tokens));
    let tokens = |text: &str| estimated_tokens(text, usual_rates());
    let output_tokens = output.unwrap_or_else(|| tokens(answer) + reasoning.map_or(0, tokens));
    let input_tokens = input.unwrap_or_else(prompt);
    Usage {
        input_tokens,
        output_tokens,
        reasoning_tokens: counts.thought_tokens.unwrap_or(0).min(output_tokens),
        cached_tokens: counts.cached_read_tokens.unwrap_or(0).min(input_tokens),
        cache_write_tokens: 0,
        searches: 0,
        estimated: input.is_none() || output.is_none(),
    }
}

/// A failure as people read it, without keys.
fn failed(config: &AcpConfig, trouble: AcpError, tail: &StderrTail) -> Outcome {
    let stderr = trouble.asks_stderr().then_some(tail);
    let what = trouble.told(config);
    Outcome::Failed(failure_of(&config.name, &config.secrets(), what, stderr, 0))
}

fn timed(outcome: Outcome, started: Instant) -> Outcome {
    let latency_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    match outcome {
        Outcome::Answered(answer) => Outcome::Answered(Answer { latency_ms, ..answer }),
        Outcome::CalledTools(answer, calls) => Outcome::CalledTools(Answer { latency_ms, ..answer }, calls),
        Outcome::Failed(failure) => Outcome::Failed(Failure { latency_ms, ..failure }),
    }
}
