//! Participants that are external processes: any language, any agent framework, spoken to in lines of JSON
//! over standard input and output (docs/runner-protocol.md).
//!
//! Misbehaviour of a process is handled here: it writes garbage, ends early, never ends, leaves children
//! behind. It affects only its own answer, and nothing of it outlives the call that it was started for.
//! Exporters, programs that make a file of a meeting, are started and bounded in the same way.

pub(crate) mod child;
pub(crate) mod config;
mod exporter;
pub(crate) mod failure;
pub(crate) mod lines;
pub(crate) mod pool;
mod response;
mod wire;
mod worker;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::{Answer, Outcome, StopReason, WebFindings};
use quorate_engine::{FragmentSink, Request, Runner};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, timeout_at};

pub use self::config::{ProcessConfig, ProcessConfigError, ProcessMode};
pub use self::exporter::{ExporterConfig, ExporterError};

pub(crate) use self::failure::not_started;
pub(crate) use self::failure::{ProcessFailure, describe as describe_exit};
use self::pool::{Pool, failure_of};
use self::response::ResponseDecoder;
pub(crate) use self::wire::{SentImages, brief_of};
use self::worker::{Call, ProcessLoss, WorkerEvent, WorkerHandle};
use crate::token_estimate::{prompt_tokens, usual_rates};

/// The number of events of one call that are buffered; beyond that the process has to wait.
const EVENTS: usize = 64;

/// At most so long before its time is up a call is given up.
const MOMENT: Duration = Duration::from_millis(100);

/// Answers with a program: a new process for each call, or one that lives on.
pub struct ProcessRunner {
    config: ProcessConfig,
    /// The process that lives on, if there is one.
    pool: Pool<Option<WorkerHandle>>,
    calls: AtomicU64,
}

impl fmt::Debug for ProcessRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessRunner").field("process", &self.config.name).finish_non_exhaustive()
    }
}

impl ProcessRunner {
    /// Checks the configuration; nothing is started yet.
    pub fn new(config: ProcessConfig) -> Result<Self, ProcessConfigError> {
        config.check()?;
        Ok(Self { pool: Pool::new(config.permits()), calls: AtomicU64::new(0), config })
    }

    /// Lets all processes end in peace: those that answer finish first, up to a few seconds.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    async fn answer(&self, request: &Request, sink: &FragmentSink) -> Outcome {
        let started = Instant::now();
        let own_limit = self.config.timeout_ms < request.timeout_ms;
        let limit = self.config.timeout().min(Duration::from_millis(request.timeout_ms));
        // A moment before the meeting's own time limit, so that the error text of the process is reported.
        let deadline = started + limit - (limit / 100).min(MOMENT);
        let secrets = self.config.secrets();
        let mut decoder = ResponseDecoder::new(sink, &secrets);
        let mut tail: Option<child::StderrTail> = None;
        let asked = self.ask(request, limit, &mut decoder, &mut tail);
        let failure = match timeout_at(deadline, asked).await {
            Ok(Ok(())) => match decoder.end(|| prompt_tokens(&request.prompt, usual_rates())) {
                Ok(heard) => {
                    return Outcome::Answered(Answer {
                        text: secrets.redact(heard.text),
                        reasoning: heard.reasoning.map(|text| secrets.redact(text)),
                        usage: heard.usage,
                        stop: StopReason::Stop,
                        latency_ms: ms_since(started),
                        web: WebFindings::default(),
                        request_id: None,
                    });
                }
                Err(failure) => failure,
            },
            Ok(Err(failure)) => failure,
            Err(_) => {
                let ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
                failure::too_late(&self.config, ms, own_limit)
            }
        };
        let ProcessFailure { kind, detail, hint, stated } = failure;
        let stderr = tail.as_ref().filter(|_| !stated);
        let what = (kind, detail, hint);
        Outcome::Failed(failure_of(&self.config.name, &secrets, what, stderr, ms_since(started)))
    }

    /// Calls a process. A persistent one that was just ending is replaced once.
    async fn ask(
        &self,
        request: &Request,
        limit: Duration,
        decoder: &mut ResponseDecoder<'_>,
        tail: &mut Option<child::StderrTail>,
    ) -> Result<(), ProcessFailure> {
        let max_time_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        loop {
            let (post, fresh) = self.post().map_err(|error| failure::not_started(&self.config, &error))?;
            *tail = Some(post.tail.clone());
            let id = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
            let id = id.to_string();
            let line = wire::run_line(&id, request, max_time_ms, self.images());
            let (hears, mut news) = mpsc::channel(EVENTS);
            let sent = post.calls.send(Call { id, line, hears }).is_ok();
            // A process for one call ends with it.
            drop(post);
            let loss = loop {
                match news.recv().await {
                    Some(WorkerEvent::Said(said)) => {
                        if decoder.take(said)? {
                            return Ok(());
                        }
                    }
                    Some(WorkerEvent::Lost(loss)) => break Some(loss),
                    None => break None,
                }
            };
            let stale = !fresh && !decoder.has_begun() && !loss.is_some_and(|loss| loss.too_long);
            if stale || !sent {
                continue;
            }
            let loss = loss.unwrap_or(ProcessLoss { status: None, too_long: false, garbage: 0 });
            return Err(failure::lost(&self.config, loss, decoder.has_begun()));
        }
    }

    /// The way to a process that takes a call, and whether it was started just now.
    fn post(&self) -> std::io::Result<(WorkerHandle, bool)> {
        let mut state = self.pool.state();
        if let Some(post) = state.running.as_ref().filter(|post| post.is_open()) {
            return Ok((post.clone(), false));
        }
        let (post, work) = worker::start(&self.config)?;
        state.supervise(work);
        state.running = match self.config.mode {
            ProcessMode::PerCall => None,
            ProcessMode::Persistent => Some(post.clone()),
        };
        Ok((post, true))
    }
}

impl ProcessRunner {
    fn images(&self) -> SentImages {
        if self.config.images { SentImages::Content } else { SentImages::Named }
    }
}

impl Runner for ProcessRunner {
    fn takes_images(&self) -> bool {
        self.config.images
    }

    fn admit(&self) -> BoxFuture<'_, Option<OwnedSemaphorePermit>> {
        Box::pin(self.pool.admit())
    }

    fn ready<'a>(&'a self, _request: &'a Request) -> BoxFuture<'a, ()> {
        Box::pin(async {
            if self.config.mode != ProcessMode::Persistent || self.config.ready_ms == 0 {
                return;
            }
            // One that cannot be started is told by the call.
            let Ok((mut post, _)) = self.post() else { return };
            let limit = Duration::from_millis(self.config.ready_ms);
            // One that ends, or never says so, is told by the call, too.
            _ = tokio::time::timeout(limit, post.ready.wait_for(|ready| *ready)).await;
        })
    }

    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(async move { self.answer(&request, &sink).await })
    }
}

fn ms_since(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}
