//! A child process and its descendants: one process group, which ends as one and leaves nothing behind.

use std::collections::VecDeque;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[cfg(windows)]
use process_wrap::tokio::JobObject;
#[cfg(unix)]
use process_wrap::tokio::ProcessGroup;
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::config::ProcessConfig;
use super::lines::Lines;

/// How long a process has after each request to end: closing its stdin, then SIGTERM.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// The number of bytes of its stderr that are kept, from the end.
const TAIL: usize = 4 << 10;

/// How long to wait for the end of stderr after a process has ended. A descendant may hold that pipe open for
/// ever.
pub(crate) const LAST_WORDS: Duration = Duration::from_millis(200);

/// The end of what a process wrote to its stderr.
#[derive(Debug, Clone, Default)]
pub(crate) struct StderrTail(Arc<Mutex<VecDeque<u8>>>);

impl StderrTail {
    fn add(&self, bytes: &[u8]) {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(bytes);
        let too_many = tail.len().saturating_sub(TAIL);
        tail.drain(..too_many);
    }

    pub(crate) fn text(&self) -> String {
        let tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = tail.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A running process. Dropping it kills the whole group at once.
pub(crate) struct Child {
    /// With all processes of its group.
    group: Box<dyn ChildWrapper>,
    /// Whether the group was killed. After that its id may belong to another group, so it is not signalled
    /// again.
    killed: bool,
    /// The lines to be written to its stdin; dropping the sender closes stdin.
    stdin: Option<mpsc::UnboundedSender<Vec<u8>>>,
    writer: JoinHandle<()>,
    stdout: Lines<ChildStdout>,
    listener: JoinHandle<()>,
}

impl Child {
    /// Starts the process; what it says on stderr goes to `tail`.
    pub(crate) fn start(config: &ProcessConfig, tail: StderrTail) -> io::Result<Self> {
        let mut group = spawn(config, &[])?;
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        let stdin = group.stdin().take().ok_or_else(broken)?;
        let stdout = group.stdout().take().ok_or_else(broken)?;
        let stderr = group.stderr().take().ok_or_else(broken)?;
        let (lines, to_write) = mpsc::unbounded_channel();
        Ok(Self {
            group,
            killed: false,
            stdin: Some(lines),
            writer: tokio::spawn(write(stdin, to_write)),
            stdout: Lines::new(stdout),
            listener: tokio::spawn(listen(stderr, tail)),
        })
    }

    /// Queues a line for its stdin.
    pub(crate) fn write(&self, line: Vec<u8>) {
        if let Some(stdin) = &self.stdin {
            // The writer is gone when the process reads no more: how it ends will say why.
            _ = stdin.send(line);
        }
    }

    /// Itself, whose end can be waited for, and what it writes.
    pub(crate) fn halves(&mut self) -> (&mut dyn ChildWrapper, &mut Lines<ChildStdout>) {
        // The group contains the started process, which may end before the others.
        (self.group.inner_mut(), &mut self.stdout)
    }

    /// Lets it go: its stdin is closed, and it has a moment to end by itself before it is stopped.
    pub(crate) async fn let_go(mut self) -> Option<ExitStatus> {
        self.close_stdin();
        if timeout(GRACE, self.reaped()).await.is_err() {
            self.terminate().await;
        }
        self.bury().await
    }

    /// Stops the process: its stdin is closed and it gets SIGTERM; a moment later it is killed.
    pub(crate) async fn stop(mut self) -> Option<ExitStatus> {
        self.close_stdin();
        self.terminate().await;
        self.bury().await
    }

    fn close_stdin(&mut self) {
        self.stdin = None;
        // A writer that is stuck on a full pipe would hold it open.
        self.writer.abort();
    }

    async fn terminate(&mut self) {
        // A group that has ended needs no signal.
        #[cfg(unix)]
        let _ = self.group.signal(rustix::process::Signal::TERM.as_raw());
        _ = timeout(GRACE, self.reaped()).await;
    }

    /// Waits for its end and lets it write meanwhile, for one that is stuck on a full pipe cannot end.
    async fn reaped(&mut self) {
        let (child, stdout) = self.halves();
        tokio::select! {
            _ = child.wait() => {}
            () = stdout.ignore() => {}
        }
    }

    fn kill(&mut self) {
        if !std::mem::replace(&mut self.killed, true) {
            // A group that has ended needs no signal.
            _ = self.group.start_kill();
        }
    }

    /// Kills the rest of the group, and returns the exit status.
    async fn bury(mut self) -> Option<ExitStatus> {
        self.kill();
        let status = self.group.inner_mut().wait().await.ok();
        _ = timeout(LAST_WORDS, &mut self.listener).await;
        status
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
        self.writer.abort();
        self.listener.abort();
    }
}

/// Starts a program in a group of its own, with nothing of our environment but what it is given, and `more`.
pub(crate) fn spawn(config: &ProcessConfig, more: &[(&str, &str)]) -> io::Result<Box<dyn ChildWrapper>> {
    let program = config.find_program().ok_or(io::ErrorKind::NotFound)?;
    let mut command = CommandWrap::with_new(program, |command| {
        command
            .args(&config.command[1..])
            .env_clear()
            .envs(config.environment())
            .envs(more.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &config.cwd {
            command.current_dir(folder);
        }
    });
    command.wrap(KillOnDrop);
    // A group of its own: it is killed as a whole, and Ctrl-C in a terminal does not reach it.
    #[cfg(unix)]
    command.wrap(ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(JobObject);
    command.spawn()
}

async fn write(mut stdin: ChildStdin, mut lines: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(line) = lines.recv().await {
        if stdin.write_all(&line).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

pub(crate) async fn listen(mut stderr: ChildStderr, tail: StderrTail) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
        tail.add(&bytes[..count]);
    }
}
