//! One running process and the calls that it is answering.
//!
//! The caller holds the receiving end of a channel; dropping it cancels the call. A process with a cancelled
//! call gets no further ones, because it may be stuck: it may finish its other calls, and is then stopped.

use std::collections::HashMap;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};

use super::child::{Child, StderrTail};
use super::config::{ProcessConfig, ProcessMode};
use super::lines::Line;
use super::wire::{self, LineMeaning, ProcessEvent, ProcessLine};

/// How long to wait for the exit of a process after it closed its stdout, or the other way round.
const LAST_LINES: Duration = Duration::from_millis(500);

/// The number of lines that are read before other tasks get their turn: a process that floods its stdout must
/// not slow down the meeting.
const FAIR_SHARE: u64 = 32;

/// A call for a process to answer.
pub(super) struct Call {
    pub(super) id: String,
    /// The line for its stdin.
    pub(super) line: Vec<u8>,
    /// The receiver of its events.
    pub(super) hears: mpsc::Sender<WorkerEvent>,
}

/// News about a call.
pub(super) enum WorkerEvent {
    Said(ProcessEvent),
    /// The process is gone, or as good as gone, and has not ended this call.
    Lost(ProcessLoss),
}

/// The loss of a process.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProcessLoss {
    /// Its exit status; `None` when it had only closed its stdout.
    pub(super) status: Option<ExitStatus>,
    /// Whether it wrote an endless line.
    pub(super) too_long: bool,
    /// The number of lines that were no events.
    pub(super) garbage: u64,
}

/// A way to a running process.
#[derive(Clone)]
pub(super) struct WorkerHandle {
    pub(super) calls: mpsc::UnboundedSender<Call>,
    /// The end of its stderr.
    pub(super) tail: StderrTail,
    /// Whether it has said that it is ready.
    pub(super) ready: watch::Receiver<bool>,
}

impl WorkerHandle {
    /// Whether it accepts further calls.
    pub(super) fn is_open(&self) -> bool {
        !self.calls.is_closed()
    }
}

/// Starts a process. The future looks after it until it has ended; the post is the way to it.
pub(super) fn start(
    config: &ProcessConfig,
) -> io::Result<(WorkerHandle, impl Future<Output = ()> + Send + 'static)> {
    let tail = StderrTail::default();
    let child = Child::start(config, tail.clone())?;
    let (calls, taken) = mpsc::unbounded_channel();
    let (says_ready, ready) = watch::channel(false);
    let worker = Worker {
        name: config.name.clone(),
        one_call: config.mode == ProcessMode::PerCall,
        child,
        calls: taken,
        open: HashMap::new(),
        gone: FuturesUnordered::new(),
        served: false,
        took_back: false,
        lines: 0,
        garbage: 0,
        says_ready,
    };
    Ok((WorkerHandle { calls, tail, ready }, worker.run()))
}

struct Worker {
    name: String,
    /// Whether it ends with its first call.
    one_call: bool,
    child: Child,
    calls: mpsc::UnboundedReceiver<Call>,
    open: HashMap<String, mpsc::Sender<WorkerEvent>>,
    /// Resolves when the caller of a call is gone.
    gone: FuturesUnordered<BoxFuture<'static, String>>,
    /// A call was given to it.
    served: bool,
    /// A call was taken back from it.
    took_back: bool,
    /// The number of lines that it wrote.
    lines: u64,
    garbage: u64,
    says_ready: watch::Sender<bool>,
}

/// The reason why a process is no longer read.
#[derive(PartialEq)]
enum EndReason {
    /// It has answered, or is not needed any more.
    Done,
    /// A call was taken back from it, and it has no other.
    Unwanted,
    /// It has closed its stdout, or has ended.
    Ended,
    TooLong,
}

impl Worker {
    async fn run(mut self) {
        let why = self.serve().await;
        // From here on no call can get lost in the queue: sending fails.
        self.calls.close();
        while let Ok(call) = self.calls.try_recv() {
            self.open.insert(call.id, call.hears);
        }
        let Self { name, child, open, garbage, .. } = self;
        let status = match why {
            EndReason::Done => child.let_go().await,
            EndReason::Ended => end(child).await,
            EndReason::Unwanted | EndReason::TooLong => child.stop().await,
        };
        tracing::debug!(process = name, ?status, "a process has ended");
        for hears in open.into_values() {
            let loss = ProcessLoss { status, too_long: why == EndReason::TooLong, garbage };
            _ = hears.send(WorkerEvent::Lost(loss)).await;
        }
    }

    /// Hands on calls and what is said about them, until that is over.
    async fn serve(&mut self) -> EndReason {
        let mut exited: Option<Instant> = None;
        let mut accepting = true;
        loop {
            let (child, stdout) = self.child.halves();
            tokio::select! {
                call = self.calls.recv(), if accepting => match call {
                    Some(call) => self.take(call),
                    None => accepting = false,
                },
                Some(id) = self.gone.next() => self.take_back(&id),
                line = stdout.next() => match line {
                    Line::Whole(line) => {
                        self.hear(&line).await;
                        self.lines += 1;
                        if self.lines.is_multiple_of(FAIR_SHARE) {
                            tokio::task::yield_now().await;
                        }
                    }
                    Line::TooLong => return EndReason::TooLong,
                    Line::End => return EndReason::Ended,
                },
                _ = child.wait(), if exited.is_none() => exited = Some(Instant::now() + LAST_LINES),
                // A descendant holds its stdout open.
                () = sleep_until(exited.unwrap_or_else(Instant::now)), if exited.is_some() => return EndReason::Ended,
            }
            if self.open.is_empty() && (!accepting || self.took_back || self.one_call && self.served) {
                return if self.took_back { EndReason::Unwanted } else { EndReason::Done };
            }
        }
    }

    fn take(&mut self, call: Call) {
        self.served = true;
        self.child.write(call.line);
        let (id, hears) = (call.id.clone(), call.hears.clone());
        self.gone.push(Box::pin(async move {
            hears.closed().await;
            id
        }));
        self.open.insert(call.id, call.hears);
    }

    /// Cancels a call; it may have ended long ago.
    fn take_back(&mut self, id: &str) {
        if self.open.remove(id).is_some() {
            self.child.write(wire::cancel_line(id));
            self.took_back = true;
            self.calls.close();
        }
    }

    async fn hear(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let ProcessLine { id, said } = match wire::read(line) {
            LineMeaning::Heard(heard) => heard,
            LineMeaning::Ready => {
                self.says_ready.send_replace(true);
                return;
            }
            LineMeaning::Passed => return,
            LineMeaning::Garbage => {
                self.garbage += 1;
                return;
            }
        };
        // A process that answers one call need not name it.
        let id = match id {
            None if self.one_call => self.open.keys().next().cloned(),
            id => id,
        };
        let Some(id) = id else {
            self.garbage += 1;
            return;
        };
        let ends = !matches!(said, ProcessEvent::Token(_));
        let Some(hears) = self.open.get(&id) else { return };
        _ = hears.send(WorkerEvent::Said(said)).await;
        if ends {
            self.open.remove(&id);
        }
    }
}

/// A process that has closed its stdout is about to end, and how it does says why; one that does not
/// is stopped.
async fn end(mut child: Child) -> Option<ExitStatus> {
    let status = timeout(LAST_LINES, child.halves().0.wait()).await;
    child.stop().await;
    status.ok()?.ok()
}
